#include "output/plot_script.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "output/gnuplot_text.h"

/* --- data for other programs ------------------------------------------------------------------ */

/* Returns the byte of an octal number of three digits; -1 if it is not one. */
static int octal(const char *at, size_t length) {
    if (length < 4 || at[0] != '\\' || strspn(at + 1, "01234567") < 3) {
        return -1;
    }
    return (at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0');
}

/* Returns whether gnuplot would not read a decoded text as the same text. */
static bool stays_escaped(const char *plain) {
    const unsigned char first = (unsigned char)plain[0];
    const bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');

    return (!is_letter && first != '/' && first != '_' && first < 0x80) ||
           strncasecmp(plain, "inf", 3) == 0 || strncasecmp(plain, "nan", 3) == 0;
}

/* Appends a field or comment with octal numbers decoded, except those that gnuplot needs. */
static void append_decoded(struct text *out, const char *field, size_t length, bool is_comment) {
    bool after_octal = false;

    for (size_t i = 0; i < length;) {
        const int byte = octal(field + i, length - i);
        const bool is_digit = byte >= '0' && byte <= '9';
        const bool is_last = i + 4 == length;
        const bool stays = byte < ' ' || byte == 0x7f ||
                           (!is_comment && (strchr("\"\\#'", byte) != NULL ||
                                            (byte == ' ' && is_last) || (is_digit && after_octal)));
        const size_t size = byte >= 0 ? 4 : field[i] == '\\' && i + 1 < length ? 2 : 1;

        if (stays) {
            text_append(out, field + i, size);
        } else {
            text_append_char(out, (char)byte);
        }
        after_octal = stays && byte >= 0;
        i += size;
    }
}

static void append_field(struct plot_script *script, struct text *out, const char *field,
                         size_t length) {
    text_clear(&script->scratch);
    append_decoded(&script->scratch, field, length, false);
    if (stays_escaped(text_string(&script->scratch))) {
        text_append(out, field, length);
    } else {
        text_append(out, text_string(&script->scratch), script->scratch.length);
    }
}

/* Writes a line of data, decoded, because this file is never read as commands. `line` ends with a
 * newline. */
static void write_data(struct plot_script *script, const char *line, size_t length) {
    const bool is_comment = line[0] == '#';
    struct text out = {0};

    length--;
    if (is_comment) {
        length -= length > 3 && memcmp(line + length - 3, " \\#", 3) == 0 ? 3 : 0;
        append_decoded(&out, line, length, true);
    }
    for (size_t at = 0, size; !is_comment && at < length; at += size) {
        const char *tab = memchr(line + at, '\t', length - at);

        size = tab == NULL ? length - at : (size_t)(tab - line) - at;
        append_field(script, &out, line + at, size);
        if (tab != NULL) {
            text_append_char(&out, '\t');
            size++;
        }
    }
    text_append_char(&out, '\n');
    fwrite(text_string(&out), 1, out.length, script->data.file);
    text_free(&out);
}

/* --- the script ------------------------------------------------------------------------------- */

static void write_text(const struct plot_script *script, const char *bytes, size_t length) {
    if (script->script.file != NULL) {
        fwrite(bytes, 1, length, script->script.file);
    }
}

/* COMMAND "file" */
static void write_command(struct plot_script *script, const char *command, const char *path) {
    text_clear(&script->scratch);
    text_append_string(&script->scratch, command);
    gnuplot_append_file(&script->scratch, path);
    text_append_char(&script->scratch, '\n');
    write_text(script, text_string(&script->scratch), script->scratch.length);
}

/* Writes a line of the plot, which reads the file instead of the data block. */
static void write_plot(const struct plot_script *script, const char *line) {
    static const char inside[] = "$data";
    const char *found;

    for (; script->order.data != NULL && (found = strstr(line, inside)) != NULL;
         line = found + strlen(inside)) {
        write_text(script, line, (size_t)(found - line));
        write_text(script, "data_file", strlen("data_file"));
    }
    write_text(script, line, strlen(line));
}

static void take_line(struct plot_script *script) {
    const char *line = text_string(&script->line);
    const size_t length = script->line.length;
    const bool has_file = script->order.data != NULL;

    if (script->is_data) {
        script->is_data = strcmp(line, GNUPLOT_DATA_END) != 0;
        if (has_file && script->is_data) {
            write_data(script, line, length);
        }
        /* The ledger and the names of traces are in both files. */
        if (!has_file || line[0] == '#') {
            write_text(script, line, length);
        }
    } else if (strcmp(line, GNUPLOT_DATA_BEGIN) == 0) {
        script->is_data = true;
        if (has_file) {
            write_command(script, "data_file = ", script->order.data);
        } else {
            write_text(script, line, length);
        }
    } else if (strcmp(line, GNUPLOT_TO_PICTURE) == 0) {
        write_command(script, "set output ", script->order.picture);
    } else {
        write_plot(script, line);
    }
    text_clear(&script->line);
}

/* Passes everything to gnuplot unchanged. */
static ssize_t take(void *cookie, const char *bytes, size_t length) {
    struct plot_script *script = cookie;
    const char *end = bytes + length;

    if (fwrite(bytes, 1, length, script->gnuplot) != length || fflush(script->gnuplot) != 0) {
        return 0; /* keeps errno */
    }
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const size_t size = newline == NULL ? (size_t)(end - bytes) : (size_t)(newline - bytes) + 1;

        text_append(&script->line, bytes, size);
        bytes += size;
        if (newline != NULL) {
            take_line(script);
        }
    }
    return (ssize_t)length;
}

/* --- both ------------------------------------------------------------------------------------- */

/* Writes the command, the version, and how to use the script. */
static void write_head(struct plot_script *script, const struct plot *plot,
                       const struct plot_look *look) {
    const char *command = script->order.command;

    text_clear(&script->scratch);
    text_append_string(&script->scratch, "# ");
    gnuplot_append(&script->scratch, command, strlen(command), GNUPLOT_COMMENT);
    text_append_string(&script->scratch, " \\#\n# by tracetool " TRACETOOL_VERSION "\n");
    if (script->script.file != NULL) {
        write_text(script, text_string(&script->scratch), script->scratch.length);
        plot_set_terminal(script->script.file, plot->kind, look);
        write_command(script, "set output ", script->order.picture);
    }
    if (script->data.file != NULL) {
        fprintf(script->data.file, "# %s\n# by tracetool " TRACETOOL_VERSION "\n", command);
    }
}

bool plot_script_begin(struct plot_script *script, struct plot *plot,
                       const struct plot_script_order *order, const struct plot_look *look,
                       struct error *error) {
    static const cookie_io_functions_t functions = {.write = take};
    FILE *copied;

    *script = (struct plot_script){.order = *order};
    if ((order->script != NULL && !placed_file_open(&script->script, order->script, error)) ||
        (order->data != NULL && !placed_file_open(&script->data, order->data, error))) {
        return plot_script_close(script, false, error);
    }
    copied = fopencookie(script, "w", functions);
    if (copied == NULL) {
        error_set(error, "cannot copy the script: %s", strerror(errno));
        return plot_script_close(script, false, error);
    }
    write_head(script, plot, look);
    script->gnuplot = plot->script;
    plot->script = copied;
    return true;
}

void plot_script_end(struct plot_script *script, struct plot *plot) {
    if (script->gnuplot != NULL) {
        fclose(plot->script); /* write errors are reported by gnuplot's pipe */
        plot->script = script->gnuplot;
        script->gnuplot = NULL;
    }
}

static bool commit(struct placed_file *placed, struct error *error) {
    if (placed->file != NULL && ferror(placed->file) != 0) {
        return error_set(error, "%s: cannot write", placed->path);
    }
    return placed->file == NULL || placed_file_commit(placed, error);
}

bool plot_script_close(struct plot_script *script, bool done, struct error *error) {
    done = done && commit(&script->data, error) && commit(&script->script, error);
    placed_file_close(&script->data);
    placed_file_close(&script->script);
    text_free(&script->line);
    text_free(&script->scratch);
    return done;
}
