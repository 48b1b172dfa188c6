/* folded: a call tree for flame graph tools, a line per path: functions from the root, separated by
 * ;, a blank, the self time. Paths without self time are omitted. For a comparison of two trees,
 * both self times follow the path, as differential flame graphs require.
 *
 * Flame graph tools compute the totals of frames themselves. A tree with a column self_share is
 * inverted: a row's self time includes that of its descendants. So its line is printed after
 * theirs, with the remaining time. */
#include <stdlib.h>
#include <string.h>

#include "output/printer.h"
#include "base/memory.h"

/* Limit of the total bytes of all paths. They grow with the square of the depth: a tree 10,000
 * calls deep has 10,000 paths with up to 10,000 names each. */
#define FOLDED_BYTES ((uint64_t)1 << 30)

struct folded_row {
    size_t length; /* length of the row's call path in bytes */
    int64_t self;  /* self time of the row; in an inverted tree, minus that of the descendants read
                      so far */
};

struct folded {
    struct text path;
    struct folded_row *rows; /* owned; the row read last and its callers, by depth */
    size_t capacity;
    size_t known; /* number of elements of `rows` in use */
    size_t depth_column, name_column, self_column;
    size_t other_column; /* for a comparison: column with the self time in tree b */
    uint64_t printed;    /* number of bytes of all paths printed so far */
    bool is_pair;        /* true: a comparison of two trees */
    bool inverted;
};

static void printer_folded_begin_folded(struct printer *printer, const struct result *result) {
    struct folded *folded = printer->state;
    size_t share_column;

    folded->known = 0;
    folded->inverted = result_find_column(result, "self_share", &share_column);
    folded->is_pair = result_find_column(result, "self_a", &folded->self_column) &&
                      result_find_column(result, "self_b", &folded->other_column);
    if (!result_find_column(result, "depth", &folded->depth_column) ||
        !result_find_column(result, "name", &folded->name_column) ||
        !(folded->is_pair || result_find_column(result, "self", &folded->self_column))) {
        error_usage(&printer->failure,
                    "--format folded is for the reports calltree and chain, not for %s%s%s%s",
                    result->report, result->option == NULL ? "" : " --",
                    result->option == NULL ? "" : result->option,
                    strcmp(result->report, "chain") == 0 ? ": leave that out" : "");
    }
}

/* Appends a function's name to a path. Replaces ; in it, which would begin another function. */
static void printer_folded_append_name(struct text *path, const char *name, size_t length) {
    while (length > 0) {
        const char *semicolon = memchr(name, ';', length);
        size_t part = semicolon == NULL ? length : (size_t)(semicolon - name);

        text_append_escaped(path, name, part);
        if (semicolon == NULL) {
            return;
        }
        text_append_string(path, "\\x3b");
        name += part + 1;
        length -= part + 1;
    }
}

static void print_path(struct printer *printer, const struct folded_row *row) {
    struct folded *folded = printer->state;

    if (row->self > 0) {
        folded->printed += row->length;
        text_append(&printer->out, folded->path.bytes, row->length);
        text_append_char(&printer->out, ' ');
        text_append_integer(&printer->out, row->self);
        text_append_char(&printer->out, '\n');
    }
}

/* Prints the path of the last row, and its self times in trees a and b, which have decimals with
 * --per. */
static void print_pair(struct printer *printer, const struct value *values) {
    struct folded *folded = printer->state;
    const size_t columns[] = {folded->self_column, folded->other_column};

    if (!(value_number(&values[columns[0]]) > 0) && !(value_number(&values[columns[1]]) > 0)) {
        return;
    }
    folded->printed += folded->path.length;
    text_append(&printer->out, folded->path.bytes, folded->path.length);
    for (int i = 0; i < 2; i++) {
        text_append_char(&printer->out, ' ');
        if (value_number(&values[columns[i]]) > 0) {
            printer_append_machine(&printer->out, &values[columns[i]],
                                   &printer->result->columns[columns[i]]);
        } else {
            text_append_char(&printer->out, '0');
        }
    }
    text_append_char(&printer->out, '\n');
}

/* Removes the last row and its callers that are at `depth` or deeper. In an inverted tree, first
 * prints their paths, whose self times are complete now. */
static void printer_folded_close(struct printer *printer, size_t depth) {
    struct folded *folded = printer->state;

    for (; folded->known > depth; folded->known--) {
        if (folded->inverted) {
            print_path(printer, &folded->rows[folded->known - 1]);
        }
    }
}

/* Appends a function to the path, one level deeper than the last row. */
static void printer_folded_enter(struct folded *folded, const struct value *name, int64_t self) {
    size_t depth = folded->known;

    folded->rows = array_grow(folded->rows, depth, &folded->capacity, sizeof *folded->rows);
    folded->path.length = depth == 0 ? 0 : folded->rows[depth - 1].length;
    if (depth > 0) {
        text_append_char(&folded->path, ';');
    }
    printer_folded_append_name(&folded->path, name->bytes,
                               name->type == VALUE_TEXT ? name->length : 0);
    folded->rows[depth] = (struct folded_row){folded->path.length, self};
    if (depth > 0) {
        struct folded_row *above = &folded->rows[depth - 1];

        above->self = above->self > self ? above->self - self : 0;
    }
    folded->known++;
}

static void row_folded(struct printer *printer, const struct value *values) {
    struct folded *folded = printer->state;
    const struct value *place = &values[folded->depth_column];
    const struct value *self = &values[folded->self_column];
    size_t depth = (size_t)place->integer;
    bool any = !folded->is_pair && self->type == VALUE_INTEGER && self->integer > 0;

    /* Refuses a row more than one level deeper than the row before, from a user's query. */
    if (place->type != VALUE_INTEGER || depth > folded->known) {
        error_set(&printer->failure, "--format folded: a depth must be at most one more than in "
                                     "the row before, and 0 in the first row");
        return;
    }
    printer_folded_close(printer, depth);
    printer_folded_enter(folded, &values[folded->name_column], any ? self->integer : 0);
    if (folded->is_pair) {
        print_pair(printer, values);
    } else if (!folded->inverted) {
        print_path(printer, &folded->rows[depth]);
    }
    if (folded->printed > FOLDED_BYTES) {
        error_set(&printer->failure,
                  "--format folded: the paths have more than %d MiB; choose a part of the tree "
                  "with --under, --component, --op or --from and --to",
                  (int)(FOLDED_BYTES >> 20));
    }
}

static void end_folded(struct printer *printer) {
    printer_folded_close(printer, 0);
}

static void close_folded(struct printer *printer) {
    struct folded *folded = printer->state;

    free(folded->rows);
}

const struct printer_style printer_style_folded = {
    .name = "folded",
    .state_size = sizeof(struct folded),
    .texts = 1,
    .begin = printer_folded_begin_folded,
    .row = row_folded,
    .end = end_folded,
    .close = close_folded,
};
