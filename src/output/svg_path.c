/* Paths of a picture in tenths of a unit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/svg_shorten.h"

/* Beyond that, in tenths, nothing is drawn. */
#define MOST_TENTHS 1e9

/* A number in tenths; false where there is none. */
static bool read_tenths(const char **at, const char *end, int64_t *tenths) {
    char digits[32];
    size_t length = 0;
    double number;
    char *stop;

    while (*at < end && (**at == ' ' || **at == ',' || **at == '\n')) {
        ++*at;
    }
    while (*at + length < end && length < sizeof digits - 1 && (*at)[length] != '\0' &&
           strchr("0123456789.-", (*at)[length]) != NULL) {
        digits[length] = (*at)[length];
        length++;
    }
    digits[length] = '\0';
    number = strtod(digits, &stop) * 10;
    if (length == 0 || stop != digits + length || !(fabs(number) < MOST_TENTHS)) {
        return false;
    }
    *at += length;
    *tenths = llround(number);
    return true;
}

/* 12.3, .5, -7; a blank parts it from a number in front. */
static void append_tenths(struct text *out, int64_t tenths) {
    const char last = out->length > 0 ? out->bytes[out->length - 1] : ' ';
    const int64_t size = llabs(tenths);

    if (tenths < 0) {
        text_append_char(out, '-');
    } else if (last >= '0' && last <= '9') {
        text_append_char(out, ' ');
    }
    if (size >= 10 || size == 0) {
        text_append_integer(out, size / 10);
    }
    if (size % 10 != 0) {
        text_append_char(out, '.');
        text_append_char(out, (char)('0' + size % 10));
    }
}

struct pen {
    struct text *out;
    int64_t x, y;             /* where it is */
    int64_t start_x, start_y; /* of the part that is being drawn */
    bool is_drawing;          /* the part has a line */
    char command;             /* the last that was written */
};

/* What is written in front of the numbers of a command: nothing when it is the same again. */
static void append_command(struct pen *pen, char command) {
    if (pen->command != command) {
        text_append_char(pen->out, command);
    }
    pen->command = command;
}

static void draw_line(struct pen *pen, int64_t x, int64_t y) {
    const int64_t right = x - pen->x, down = y - pen->y;

    if (right == 0 && down == 0 && pen->is_drawing) {
        return;
    }
    if (!pen->is_drawing) {
        text_append_char(pen->out, 'M');
        append_tenths(pen->out, pen->x);
        append_tenths(pen->out, pen->y);
        pen->command = 'M';
    }
    if (down == 0) {
        append_command(pen, 'h');
        append_tenths(pen->out, right);
    } else if (right == 0) {
        append_command(pen, 'v');
        append_tenths(pen->out, down);
    } else {
        append_command(pen, 'l');
        append_tenths(pen->out, right);
        append_tenths(pen->out, down);
    }
    pen->is_drawing = true;
    pen->x = x;
    pen->y = y;
}

static void close_part(struct pen *pen) {
    if (pen->is_drawing) {
        text_append_char(pen->out, 'z');
    }
    pen->x = pen->start_x;
    pen->y = pen->start_y;
    pen->is_drawing = false;
}

/* False at what is no M, L or Z; the corners of an area are numbers only. */
static bool append_lines(struct pen *pen, const char *at, const char *end, bool is_area) {
    char command = is_area ? 'M' : '\0';
    int64_t x, y;

    while (at < end) {
        if (*at == ' ' || *at == '\n') {
            at++;
        } else if (*at == 'Z' || *at == 'z') {
            close_part(pen);
            command = *at++;
        } else {
            if (*at == 'M' || *at == 'L') {
                command = *at++;
            }
            if ((command != 'M' && command != 'L') || !read_tenths(&at, end, &x) ||
                !read_tenths(&at, end, &y)) {
                return false;
            }
            if (command == 'L') {
                draw_line(pen, x, y);
            } else {
                pen->x = pen->start_x = x;
                pen->y = pen->start_y = y;
                pen->is_drawing = false;
                command = 'L'; /* for further numbers */
            }
        }
    }
    return true;
}

bool svg_shorten_path(const char *d, size_t length, bool is_area, struct text *out) {
    const size_t before = out->length;
    struct pen pen = {.out = out};
    const bool done = append_lines(&pen, d, d + length, is_area);

    if (done && is_area) {
        close_part(&pen);
    }
    if (!done && out->length > before) {
        out->length = before;
        out->bytes[before] = '\0';
    }
    return done;
}
