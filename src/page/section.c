/* A section of a page: a report with its picture, tables, data, command and SQL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/pack.h"
#include "compare/compare.h"
#include "output/flame_graph.h"
#include "output/html.h"
#include "output/plot.h"
#include "output/svg_shorten.h"
#include "page/part.h"
#include "report/print.h"
#include "report/report.h"

/* Limit of queries whose SQL is shown in a section. */
#define PAGE_QUERIES 8

/* What follows the tables of a section: rows as data, the command that prints it (without the
 * program's name), the meaning of columns, and SQL. The caller sets `report` and `command`; the
 * rest is zeroed. */
struct page_tail {
    const char *report;
    const char *command;
    struct text text;           /* owned; the rows of all tables as TSV, up to PAGE_DATA bytes */
    struct printer_memory data; /* destination of a printer: it appends to `text` */
    int64_t rows;               /* number of rows of all tables; -1: unknown */
    const struct query *queries[PAGE_QUERIES];
    size_t query_count;
};

/* A picture's commands for gnuplot, with the data. */
struct page_commands {
    FILE *file;              /* owned; NULL: not begun, or failed */
    struct printer *printer; /* prints to `file` while the rows of the tables are read */
    bool prints;             /* true: the printer takes rows, and has not failed */
    struct text notes;       /* owned; texts around the picture */
    struct error why;        /* reason why the commands could not be printed */
};

/* A picture to draw. All members are borrowed. */
struct page_picture {
    const char *name; /* name of the drawn report */
    const char *title;
    bool is_flame_graph; /* true: the program draws an SVG itself; gnuplot draws only a PNG */
    /* Prints the data for gnuplot, or the flame graph. */
    bool (*print)(struct page *page, const struct page_picture *picture,
                  const struct printer_style *style, FILE *file,
                  const struct printer_options *options, struct error *error);
    const void *what; /* argument for `print` */
    /* commands that were printed with the tables; NULL: none, `print` prints them */
    const struct page_commands *printed;
};

/* Pictures of a section, drawn as by `tracetool plot` and embedded in the page. */

/* Sizes in pixels, fonts in points. On a screen 390 pixels wide, pictures are 366 pixels wide and
 * text is 11 high. In a PNG, gnuplot draws a point as 4/3 pixels. Flame graphs use smaller text. */
static const struct plot_look looks[] = {
    [PICTURE_SVG] = {.width = 560, .height = 420, .font_size = 17},
    [PICTURE_PNG] = {.width = 1120, .height = 840, .font_size = 25.5},
};
static const struct plot_look flame_look = {.width = 560, .height = 420, .font_size = 20};

static struct printer_options picture_options(const struct plot_look *look, struct text *notes) {
    return (struct printer_options){
        .one_picture = true, .is_picture = true, .is_fragment = true, .look = look, .notes = notes};
}

/* Prints a picture's commands for gnuplot, or its flame graph, and collects its notes. */
static bool section_print(struct page *page, const struct page_picture *picture,
                          const struct printer_style *style, const struct plot_look *look,
                          FILE *file, struct text *notes, struct error *error) {
    const struct printer_options options = picture_options(look, notes);

    text_clear(notes);
    return picture->print(page, picture, style, file, &options, error);
}

static bool draw_flame_graph(struct page *page, const struct page_picture *picture,
                             struct text *drawn, struct text *notes, struct error *error) {
    struct plot plot;
    bool done;

    if (!plot_begin_in_memory(&plot, PICTURE_SVG, true, &flame_look, error)) {
        return false;
    }
    done = section_print(page, picture, &printer_style_flame_graph, &flame_look, plot.script, notes,
                         error);
    return plot_read_output(&plot, !done, drawn, error);
}

/* Returns a temporary file for commands: a report of many events takes longer than drawing it as
 * SVG and, if that is too large, as PNG. NULL: `error` is set. */
static FILE *commands_open(struct error *error) {
    int descriptor = temporary_file_create(NULL, error);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+");

    if (file == NULL) {
        file_close(descriptor);
        return NULL;
    }
    fputs("in_page = 1\n", file);
    return file;
}

/* Writes what is buffered, and returns the file. Closes it and returns NULL if `done` is false or
 * writing fails. */
static FILE *commands_finish(FILE *file, bool done, struct error *error) {
    if (done && fflush(file) != 0) {
        done = error_set(error, "cannot write a temporary file: %s", strerror(errno));
    }
    if (!done && file != NULL) {
        fclose(file);
    }
    return done ? file : NULL;
}

static FILE *print_commands(struct page *page, const struct page_picture *picture,
                            struct text *notes, struct error *error) {
    FILE *file = commands_open(error);

    return commands_finish(file,
                           file != NULL && section_print(page, picture, &printer_style_gnuplot,
                                                         &looks[PICTURE_SVG], file, notes, error),
                           error);
}

/* Returns the commands of a picture, and its notes. NULL: `error` is set. */
static FILE *take_commands(struct page *page, const struct page_picture *picture,
                           struct text *notes, struct error *error) {
    const struct page_commands *printed = picture->printed;

    if (printed == NULL) {
        return print_commands(page, picture, notes, error);
    }
    text_clear(notes);
    text_append(notes, printed->notes.bytes, printed->notes.length);
    *error = printed->why;
    return printed->file;
}

/* Lets gnuplot draw by the commands of a file. */
static bool draw_commands(FILE *commands, enum picture_kind kind, struct text *drawn,
                          struct error *error) {
    char bytes[BUFSIZ];
    struct plot plot;

    if (!plot_begin_in_memory(&plot, kind, false, &looks[kind], error)) {
        return false;
    }
    rewind(commands);
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, commands)) > 0;) {
        fwrite(bytes, 1, count, plot.script);
    }
    return plot_read_output(&plot, false, drawn, error);
}

static void append_image(struct page *page, const struct page_picture *picture,
                         const char *address) {
    text_append_string(&page->out, "<img alt=\"");
    html_append_string(&page->out, picture->title);
    text_append_format(&page->out, "\" src=\"data:image/%s", address);
}

/* Appends an SVG as a data URI in a quoted attribute, which takes fewer bytes than base64. */
static void append_svg_address(struct text *out, const struct text *svg) {
    static const struct {
        char character;
        const char *written;
    } escapes[] = {{'"', "'"}, {'#', "%23"}, {'%', "%25"}, {'&', "&amp;"}};

    for (size_t i = 0; i < svg->length; i++) {
        const unsigned char character = (unsigned char)svg->bytes[i];
        size_t escape = 0;

        while (escape < 4 && escapes[escape].character != (char)character) {
            escape++;
        }
        if (escape < 4) {
            text_append_string(out, escapes[escape].written);
        } else {
            text_append_char(out, character < 0x20 ? ' ' : (char)character);
        }
    }
}

/* Appends bytes as base64 on one line, padded with =. */
static void append_base64(struct text *text, const void *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = bytes;

    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t three = (uint32_t)from[i] << 16 |
                               (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)from[i + 2] : 0);
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                              left > 1 ? digits[three >> 6 & 63] : '=',
                              left > 2 ? digits[three & 63] : '='};

        text_append(text, four, sizeof four);
    }
}

static bool append_png(struct page *page, const struct page_picture *picture, FILE *commands,
                       struct error *error) {
    struct text drawn = {0};
    bool done = draw_commands(commands, PICTURE_PNG, &drawn, error);

    if (done) {
        append_image(page, picture, "png;base64,");
        append_base64(&page->out, drawn.bytes, drawn.length);
        text_append_format(&page->out, "\" width=\"%d\" height=\"%d\">", looks[PICTURE_PNG].width,
                           looks[PICTURE_PNG].height);
    }
    text_free(&drawn);
    return done;
}

/* Appends the drawn picture; a flame graph as HTML for the page's script, else an image. */
static bool append_drawn(struct page *page, const struct page_picture *picture, struct text *notes,
                         struct error *error) {
    struct text drawn = {0}, svg = {0};
    FILE *commands = picture->is_flame_graph ? NULL : take_commands(page, picture, notes, error);
    bool done = picture->is_flame_graph
                    ? draw_flame_graph(page, picture, &drawn, notes, error)
                    : commands != NULL && draw_commands(commands, PICTURE_SVG, &drawn, error);

    if (done && !picture->is_flame_graph && !svg_shorten(text_string(&drawn), &svg)) {
        text_append(&svg, drawn.bytes, drawn.length);
    }
    text_escape_bidi(&svg);
    if (!done || (picture->is_flame_graph ? drawn.length > PAGE_FLAME : svg.length > PAGE_SVG)) {
        if (done && commands == NULL) {
            commands = print_commands(page, picture, notes, error);
        }
        done = done && commands != NULL && append_png(page, picture, commands, error);
    } else if (picture->is_flame_graph) {
        text_append(&page->out, drawn.bytes, drawn.length);
    } else {
        /* As an image, an SVG cannot run scripts or load anything, so it is embedded as it is, only
         * shortened. */
        append_image(page, picture, "svg+xml,");
        append_svg_address(&page->out, &svg);
        text_append_string(&page->out, "\">");
    }
    if (commands != NULL && picture->printed == NULL) {
        fclose(commands);
    }
    text_free(&drawn);
    text_free(&svg);
    return done;
}

/* Appends the picture's notes as caption, except for the title (first line) and notes that are also
 * remarks of the section (`out` from `place` to `end`). */
static void append_caption(struct page *page, const struct text *notes, size_t place, size_t end) {
    const char *line = strchr(text_string(notes), '\n'), *next;
    struct text caption = {0}, remark = {0};

    for (; line != NULL && (next = strchr(line + 1, '\n')) != NULL; line = next) {
        text_clear(&remark);
        text_append_string(&remark, "\">");
        html_append_text(&remark, line + 1, (size_t)(next - line - 1));
        text_append_string(&remark, "</p>\n");
        if (memmem(page->out.bytes + place, end - place, remark.bytes, remark.length) == NULL) {
            text_append_string(&caption, caption.length > 0 ? "; " : "");
            text_append(&caption, remark.bytes + 2, remark.length - 7);
        }
    }
    if (caption.length > 0) {
        text_append_format(&page->out, "<figcaption>%s</figcaption>\n", text_string(&caption));
    }
    text_free(&caption);
    text_free(&remark);
}

/* Moves the text from `from` to its end to the earlier position `to`. */
static void move_text_up(struct text *out, size_t from, size_t to) {
    struct text moved = {0};

    text_append(&moved, out->bytes + from, out->length - from);
    memmove(out->bytes + to + moved.length, out->bytes + to, from - to);
    if (moved.length > 0) {
        memcpy(out->bytes + to, moved.bytes, moved.length);
    }
    text_free(&moved);
}

/* Inserts a picture as <figure> at `place`, before the section's tables, without the remarks of the
 * tables. If drawing fails, inserts the reason; it is an error only if data are missing. */
static bool append_picture(struct page *page, const struct page_picture *picture, size_t place,
                           struct error *error) {
    struct error why = {0};
    struct text notes = {0};
    const size_t begin = page->out.length;
    bool done;

    text_append_string(&page->out, "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
                                   "aria-label=\"Picture of ");
    html_append_string(&page->out, picture->name);
    text_append_string(&page->out, "\">\n");
    done = append_drawn(page, picture, &notes, &why);
    if (done) {
        text_append_string(&page->out, "\n</div>\n");
        append_caption(page, &notes, place, begin);
        text_append_string(&page->out, "</figure>\n");
        move_text_up(&page->out, begin, place);
    }
    text_free(&notes);
    if (done) {
        return true;
    }
    /* If a report cannot be drawn, its table is still printed. If there was nothing to draw, no
     * reason is added, because the table then says that there are no rows. */
    page_truncate(page, begin);
    if (error_is_of_data(&why)) {
        *error = why;
        return false;
    }
    if (plot_has_nothing_to_draw(&why)) {
        return true;
    }
    if (strncmp(why.message, "gnuplot ", 8) == 0) {
        page->why_undrawn = page->undrawn == 0 ? why : page->why_undrawn;
        page->undrawn++;
    }
    text_append_string(&page->out, "<p class=\"remark\">No picture: ");
    html_append_string(&page->out, why.message);
    text_append_string(&page->out, "</p>\n");
    move_text_up(&page->out, begin, place);
    return true;
}

static bool print_request(struct page *page, const struct page_picture *picture,
                          const struct printer_style *style, FILE *file,
                          const struct printer_options *options, struct error *error) {
    return print_report(page->request->workspace, picture->what, style, file, options, error);
}

/* Inserts the picture that `tracetool plot` draws of the report, if any. `printed`: its commands;
 * NULL: they are not printed yet. */
static bool append_report_picture(struct page *page, const struct report_request *given,
                                  const struct query *query, const struct page_commands *printed,
                                  size_t place, struct error *error) {
    struct report_request request = *given;
    const struct page_picture picture = {
        .name = request.report,
        .title = query->title,
        .is_flame_graph =
            query_set_is_flame_graph(page->request->workspace->queries, request.report),
        .print = print_request,
        .what = &request,
        .printed = printed,
    };

    request.picture = true;
    request.say = NULL;
    return query->plot_text == NULL || append_picture(page, &picture, place, error);
}

/* --- below the tables: command, columns, data and SQL ----------------------------------------- */

static const char *const kinds[] = {
    [COLUMN_ANY] = "as its row says",
    [COLUMN_TEXT] = "text",
    [COLUMN_PATH] = "text",
    [COLUMN_INTEGER] = "a whole number",
    [COLUMN_NUMBER] = "a number that names something",
    [COLUMN_REAL] = "a number",
    [COLUMN_SHARE] = "a share; in the data a fraction from 0 to 1",
    [COLUMN_BYTES] = "an amount; in the data in bytes",
    [COLUMN_DURATION] =
        "a duration; in the data in whole nanoseconds, or units of the trace's clock",
    [COLUMN_TIME] = "a time since the start of the trace; in the data in seconds",
};

/* Appends the meaning of a column, if known, and the kind of its values. */
static void append_meaning(struct text *out, const struct query *query,
                           const struct column *column) {
    const char *meaning = query_column_meaning(query, column->name);

    if (meaning != NULL) {
        html_append_string(out, meaning);
        text_append_string(out, " (");
    }
    text_append_string(out, kinds[column->kind]);
    if (column->unit[0] != '\0' &&
        (column->kind == COLUMN_INTEGER || column->kind == COLUMN_REAL)) {
        text_append_string(out, " of ");
        html_append_string(out, column->unit);
    }
    text_append_string(out, meaning != NULL ? ")" : "");
}

static void section_append_columns(struct text *out, const struct query *query) {
    text_append_string(out, "<details>\n<summary>Meaning of the columns</summary>\n<dl>\n");
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        /* A page has no option --weights, so it has no costs. */
        if (query_column_is_hidden(column) ||
            (column->condition != NULL && strcmp(column->condition, "weights") == 0)) {
            continue;
        }
        text_append_string(out, "<dt>");
        html_append_string(out, column->column.name);
        text_append_string(out, "</dt><dd>");
        append_meaning(out, query, &column->column);
        text_append_string(out, "</dd>\n");
    }
    text_append_string(out, "</dl>\n");
    if (query->key[0] != '\0') {
        text_append_string(out, "<p>Key of the rows: ");
        html_append_string(out, query->key);
        text_append_string(out, ".</p>\n");
    }
    text_append_string(out, "</details>\n");
}

/* Appends data as a URI. Most characters are not escaped: in a compressed mail, this takes a third
 * of the bytes of base64. */
static void section_append_address(struct text *out, const struct text *data) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.~!*(),:;/@=$";
    const char *at = text_string(data), *end = at + data->length;

    while (at < end) {
        size_t run = strspn(at, plain);

        text_append(out, at, run);
        at += run;
        if (at < end) {
            text_append_format(out, "%%%02X", (unsigned)(unsigned char)*at++);
        }
    }
}

static void section_append_data(struct text *out, const struct page_tail *tail) {
    const bool is_packed = tail->text.length > PAGE_PLAIN_DATA;

    if (tail->data.is_full) {
        text_append_format(out,
                           "<p class=\"more\">All rows are more than %d kB as TSV, and not in the "
                           "page; the command below prints them.</p>\n",
                           PAGE_DATA / 1024);
        return;
    }
    text_append_string(out, "<p class=\"data\"><a download=\"");
    page_append_id(out, tail->report);
    if (is_packed) {
        /* The page's script decompresses the data at a click; else browsers save the .gz file. */
        struct text packed = {0};

        text_append_string(out, ".tsv.gz\" href=\"data:application/gzip;base64,");
        pack_gzip(tail->text.bytes, tail->text.length, PACK_SMALL, &packed);
        append_base64(out, packed.bytes, packed.length);
        text_free(&packed);
    } else {
        text_append_string(out, ".tsv\" href=\"data:text/tab-separated-values;charset=utf-8,");
        section_append_address(out, &tail->text);
    }
    text_append_string(out, "\">All rows as TSV");
    if (tail->rows >= 0) {
        text_append_format(out, " (%lld)", (long long)tail->rows);
    }
    text_append_string(out, is_packed ? "</a><span>, packed by gzip</span></p>\n" : "</a></p>\n");
}

/* Returns the destination for a printer that prints all rows as data. */
static struct printer_memory *tail_data(struct page_tail *tail) {
    tail->data = (struct printer_memory){.text = &tail->text, .most = PAGE_DATA};
    return &tail->data;
}

/* Appends data, command, columns and SQL, and frees the data. */
static void section_append_tail(struct page *page, struct page_tail *tail) {
    struct text *out = &page->out;

    section_append_data(out, tail);
    text_append_string(out, "<pre tabindex=\"0\">tracetool ");
    html_append_string(out, tail->command);
    html_append_string(out, page->request->words);
    text_append_string(out, "</pre>\n");
    for (size_t i = 0; i < tail->query_count; i++) {
        section_append_columns(out, tail->queries[i]);
        const struct text *sql = &tail->queries[i]->source.text;

        text_append_string(out, "<details class=\"sql\">\n<summary>SQL: ");
        html_append_string(out, tail->queries[i]->file);
        text_append_string(out, "</summary>\n<pre tabindex=\"0\">");
        html_append_text(out, text_string(sql), sql->length);
        text_append_string(out, "</pre>\n</details>\n");
    }
    text_append_string(out, "</section>\n");
    text_free(&tail->text);
}

void page_begin_section(struct page *page, const char *report, const char *title) {
    struct text *out = &page->out;

    text_append_string(out, "<section id=\"r-");
    page_append_id(out, report);
    text_append_string(out, "\">\n<h2>");
    html_append_string(out, title);
    text_append_string(out, "</h2>\n");
}

/* --- rows of the tables ----------------------------------------------------------------------- */

static void note_query(struct page_tail *tail, const struct query *query) {
    for (size_t i = 0; i < tail->query_count; i++) {
        if (tail->queries[i] == query) {
            return;
        }
    }
    if (tail->query_count < PAGE_QUERIES) {
        tail->queries[tail->query_count++] = query;
    }
}

/* Returns whether the text columns of a row are all empty or words for unknown things. */
static bool row_names_unknown(const struct result *result, const struct value *values) {
    static const char *const words[] = {"", "none", "(none)", "other", "unknown", "unmapped"};
    bool is_known = result->columns[0].kind != COLUMN_TEXT;

    for (size_t i = 0; i < result->column_count && !is_known; i++) {
        size_t word = 0;

        while (values[i].type == VALUE_TEXT && word < sizeof words / sizeof words[0] &&
               (values[i].length != strlen(words[word]) ||
                memcmp(values[i].bytes, words[word], values[i].length) != 0)) {
            word++;
        }
        is_known = word == sizeof words / sizeof words[0];
    }
    return !is_known;
}

/* Destination and counts of a section's rows. */
struct page_rows {
    struct printer *data;
    size_t results;
    int64_t most;    /* limit of rows per table */
    bool has_tables; /* false: the picture replaces the tables */
    bool is_empty;   /* true: each result has at most one row, with only words for unknown things */
    struct text why; /* owned; if `is_empty`: name in the only row */
    /* receives all rows; NULL: the picture needs other rows than the tables, or there is none */
    struct page_commands *commands;
};

/* Starts printing the picture's commands, for a report that has been opened. */
static void begin_commands(struct page_commands *commands, const struct report *report) {
    struct printer_options options = picture_options(&looks[PICTURE_SVG], &commands->notes);

    options.many = report_has_many_results(report);
    if (report_check_one_query(report, &commands->why)) {
        commands->file = commands_open(&commands->why);
    }
    if (commands->file != NULL) {
        commands->printer = printer_open(&printer_style_gnuplot, commands->file, &options);
        commands->prints = true;
    }
}

/* Ends printing. If it failed, there is no picture, but tables. */
static void end_commands(struct page_commands *commands) {
    if (commands->printer != NULL) {
        const bool done = printer_close(commands->printer, commands->prints, &commands->why);

        commands->file = commands_finish(commands->file, done, &commands->why);
    }
}

/* Adds all rows of a result to the data, and the first ones to the table. `*rows`: their number. */
static bool section_add_rows(struct report *report, const struct result *result,
                             struct printer *table, struct page_rows *into,
                             const struct page_tail *tail, int64_t *rows, struct error *error) {
    struct page_commands *commands = into->commands;
    const struct value *values;
    bool done;

    *rows = 0;
    while ((done = report_next_row(report, &values, error)) && values != NULL) {
        if ((table != NULL && *rows < into->most && !printer_row(table, values, error)) ||
            (!tail->data.is_full && !printer_row(into->data, values, error))) {
            return false;
        }
        if (commands != NULL && commands->prints) {
            commands->prints = printer_row(commands->printer, values, &commands->why);
        }
        if (into->is_empty && *rows == 0 && row_names_unknown(result, values)) {
            text_clear(&into->why);
            text_append_string(&into->why, "only ");
            text_append_escaped(&into->why, values[0].length > 0 ? values[0].bytes : "(none)",
                                values[0].length > 0 ? values[0].length : 6);
        } else {
            into->is_empty = false;
        }
        ++*rows;
    }
    return done;
}

static bool section_append_table(struct page *page, struct report *report,
                                 const struct result *result, struct page_rows *into,
                                 struct page_tail *tail, struct error *error) {
    const bool is_folded = into->results > PAGE_OPEN;
    struct printer *table;
    int64_t rows = 0;
    bool done;

    if (is_folded) {
        /* The table is folded under the name of its trace. */
        text_append_string(&page->out, "<details>\n<summary>");
        html_append_string(&page->out, result->group != NULL     ? result->group
                                       : result->trace_count > 0 ? result->traces[0].name
                                                                 : result->title);
        text_append_string(&page->out, "</summary>\n");
    }
    table = page_table_open(page, report_has_many_results(report) && !is_folded);
    done = printer_begin(table, result, error) && printer_begin(into->data, result, error) &&
           section_add_rows(report, result, table, into, tail, &rows, error) &&
           printer_end(table, error) && printer_end(into->data, error);
    tail->rows += rows;
    done = printer_close(table, done, error);
    if (done && rows == 0) {
        text_append_string(&page->out, "<p>It has no rows.</p>\n");
    } else if (done && rows > into->most) {
        text_append_format(&page->out, "<p class=\"more\">The first %lld of %lld rows.</p>\n",
                           (long long)into->most, (long long)rows);
    }
    text_append_string(&page->out, is_folded ? "</details>\n" : "");
    return done;
}

/* Appends a result: its rows as data and, if `has_tables`, as a table. */
static bool append_rows(struct page *page, struct report *report, const struct result *result,
                        struct page_rows *into, struct page_tail *tail, struct error *error) {
    int64_t rows = 0;
    bool done;

    if (into->has_tables) {
        return section_append_table(page, report, result, into, tail, error);
    }
    done = printer_begin(into->data, result, error) &&
           section_add_rows(report, result, NULL, into, tail, &rows, error) &&
           printer_end(into->data, error);
    tail->rows += rows;
    return done;
}

/* Appends a result, and prints it for the picture if that has the same rows. */
static bool append_result(struct page *page, struct report *report, const struct result *result,
                          struct page_rows *into, struct page_tail *tail, struct error *error) {
    struct page_commands *commands = into->commands;
    bool done;

    into->results++;
    note_query(tail, report_query(report));
    if (commands != NULL && commands->prints) {
        commands->prints = printer_begin(commands->printer, result, &commands->why);
    }
    done = append_rows(page, report, result, into, tail, error);
    if (commands != NULL && commands->prints) {
        commands->prints = done && printer_end(commands->printer, &commands->why);
    }
    return done;
}

static bool append_results(struct page *page, const struct report_request *request,
                           struct page_rows *into, struct page_tail *tail, struct error *error) {
    struct report *report = report_open(page->request->workspace, request, error);
    struct printer_options options = {.memory = tail_data(tail)};
    const struct result *result;
    bool done = true;

    if (report == NULL) {
        return false;
    }
    options.many = report_has_many_results(report);
    into->data = printer_open(&printer_style_tsv, NULL, &options);
    if (into->commands != NULL) {
        begin_commands(into->commands, report);
    }
    while (done && (done = report_next(report, &result, error)) && result != NULL) {
        done = append_result(page, report, result, into, tail, error);
    }
    if (into->commands != NULL) {
        end_commands(into->commands);
    }
    report_close(report);
    return printer_close(into->data, done, error);
}

/* --- sections of reports ---------------------------------------------------------------------- */

static void note_nothing(struct page *page, struct page_section *section, const struct text *why) {
    struct text item = {0};

    section->is_left_out = true;
    text_append_format(&item, "%s (%s)", section->title,
                       why->length > 0 ? text_string(why) : "no rows");
    text_append_item(&page->nothing, text_string(&item));
    text_free(&item);
}

/* Puts the report before the message, unless it begins with the report. */
static bool name_report(struct error *error, const char *report) {
    struct text begin = {0};
    bool has_name;

    text_append_format(&begin, "report %s ", report);
    has_name = strncmp(error->message, text_string(&begin), begin.length) == 0;
    text_free(&begin);
    return !has_name && error_context(error, "report %s", report);
}

/* Returns whether the report's picture has the same rows and remarks as its tables. */
static bool picture_has_same_rows(const struct page *page, const struct report_request *request,
                                  const struct query *query) {
    struct report_request drawn = *request;
    struct error ignored = {0};

    drawn.picture = true;
    return request->group == GROUP_NONE && query_is_same_for_pictures(query) &&
           !query_set_is_flame_graph(page->request->workspace->queries, request->report) &&
           page_find_query(page, &drawn, &ignored) == query;
}

/* Appends a section. Without rows, it is removed, unless the user named its report. */
static bool section_append_body(struct page *page, struct page_section *section,
                                const struct report_request *request, const struct query *query,
                                struct page_tail *tail, struct error *error) {
    const bool has_picture = page->request->has_plots && query->plot_text != NULL;
    struct page_commands commands = {0};
    struct page_rows rows = {
        .most = page->trace_count > PAGE_OPEN ? PAGE_MANY_ROWS : PAGE_ROWS,
        .has_tables = !(has_picture && query->only_picture),
        .is_empty = true,
        .commands = has_picture && picture_has_same_rows(page, request, query) ? &commands : NULL,
    };
    const size_t begin = page->out.length;
    size_t place;
    bool done;

    page_begin_section(page, section->report, query->title);
    place = page->out.length;
    done = append_results(page, request, &rows, tail, error);
    if (done && rows.is_empty && page->request->report_count == 0) {
        page_truncate(page, begin);
        note_nothing(page, section, &rows.why);
    } else if (done) {
        done = !has_picture ||
               append_report_picture(page, request, query, rows.commands, place, error);
        section_append_tail(page, tail);
    }
    if (commands.file != NULL) {
        fclose(commands.file);
    }
    text_free(&commands.notes);
    text_free(&rows.why);
    return done || name_report(error, section->report);
}

bool page_append_section(struct page *page, struct page_section *section, struct error *error) {
    const struct report_request request = page_request_for_report(page, section->report);
    struct text command = {0};
    struct page_tail tail = {.report = section->report};
    const struct query *query;
    bool done;

    query = page_find_query(page, &request, error);
    if (query == NULL) {
        return name_report(error, section->report);
    }
    text_append_string(&command, "report ");
    text_append_word(&command, request.report);
    if (request.by_trace && !page->request->common->by_trace) {
        text_append_string(&command, " --by-trace");
    }
    tail.command = text_string(&command);
    done = section_append_body(page, section, &request, query, &tail, error);
    text_free(&tail.text);
    text_free(&command);
    return done;
}

/* Changes between two traces: the largest over all reports, and those in reports named by users. */

/* A function that prints a comparison. */
typedef bool print_function(struct workspace *workspace, const struct compare_request *request,
                            const struct printer_style *style, FILE *file,
                            const struct printer_options *options, struct error *error);

/* Returns the number of rows in TSV data: lines that are not empty and do not begin with #. */
static int64_t section_count_rows(const struct text *data) {
    const char *line = text_string(data), *end;
    int64_t rows = 0;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        rows += line[0] != '#' && line[0] != '\n';
    }
    return rows;
}

/* --- pictures of comparisons ------------------------------------------------------------------ */

struct drawn {
    struct compare_request request;
    print_function *print;
};

static bool print_drawn(struct page *page, const struct page_picture *picture,
                        const struct printer_style *style, FILE *file,
                        const struct printer_options *options, struct error *error) {
    const struct drawn *drawn = picture->what;
    struct compare_request request = drawn->request;

    request.own_svg = style == &printer_style_flame_graph;
    return drawn->print(page->request->workspace, &request, style, file, options, error);
}

/* Inserts the picture that `tracetool plot compare` draws. */
static bool append_joint(struct page *page, struct page_picture picture,
                         const struct compare_request *request, print_function *print, size_t place,
                         struct error *error) {
    struct drawn drawn = {.request = *request, .print = print};

    drawn.request.picture = true;
    drawn.request.top = 0;
    picture.print = print_drawn;
    picture.what = &drawn;
    return append_picture(page, &picture, place, error);
}

/* Inserts the picture of a report on both traces. */
static bool append_both(struct page *page, const char *report, const struct query *query,
                        size_t place, struct error *error) {
    const struct compare_request *compare = page->request->compare;
    const char *const traces[2] = {compare->sides[0].traces[0], compare->sides[1].traces[0]};
    struct report_request request = page_request_for_report(page, report);

    request.traces = traces;
    request.trace_count = 2;
    request.by_trace = true;
    return append_report_picture(page, &request, query, NULL, place, error);
}

static bool append_pictures(struct page *page, const struct compare_request *request,
                            const struct query *query, size_t place, struct error *error) {
    const char *report = request->sides[0].report;
    const struct page_picture picture = {
        .name = report,
        .title = query->title,
        .is_flame_graph = compare_report_has_call_trees(page->request->workspace->queries, report),
    };

    return compare_picture_exists(query)
               ? append_joint(page, picture, request, compare_print, place, error)
               : append_both(page, report, query, place, error);
}

/* --- sections of comparisons ------------------------------------------------------------------ */

static void section_append_command(const struct page *page, const char *report,
                                   struct text *command) {
    text_append_string(command, "compare");
    for (int i = 0; i < 2; i++) {
        text_append_char(command, ' ');
        text_append_word(command, page->request->compare->sides[i].traces[0]);
    }
    if (report != NULL) {
        text_append_char(command, ' ');
        text_append_word(command, report);
    }
}

static bool append_most(struct page *page, size_t place, struct error *error) {
    const struct page_picture picture = {.name = "compare", .title = "What changed most"};

    return append_joint(page, picture, page->request->compare, compare_overview, place, error);
}

/* Appends a comparison: sentences on changes, picture, the first rows as a table, and all rows as
 * data. `query`: query of the rows; NULL: the largest changes over all reports. */
static bool append_comparison(struct page *page, struct compare_request request,
                              const struct query *query, struct page_tail *tail,
                              struct error *error) {
    print_function *print = query != NULL ? compare_print : compare_overview;
    struct text rows = {0};
    struct printer_memory memory = {.text = &rows};
    const struct printer_options table = {
        .is_fragment = true, .no_caption = true, .fold = PAGE_FOLD, .memory = &memory};
    const struct printer_options data = {.memory = tail_data(tail)};
    struct workspace *workspace = page->request->workspace;
    bool done = print(workspace, &request, &printer_style_html, NULL, &table, error);
    /* The sentences precede the table's <div>; names in them have no unescaped <. */
    const char *region = done ? strstr(text_string(&rows), "<div class=\"wide\"") : NULL;

    if (region != NULL) {
        const size_t place = page->out.length + (size_t)(region - rows.bytes);

        text_append(&page->out, rows.bytes, rows.length);
        done = !page->request->has_plots ||
               (query != NULL ? append_pictures(page, &request, query, place, error)
                              : append_most(page, place, error));
    }
    text_free(&rows);
    request.top = 0;
    done = done && print(workspace, &request, &printer_style_tsv, NULL, &data, error);
    tail->rows = tail->data.is_full ? -1 : section_count_rows(&tail->text);
    if (done) {
        /* Appends a note if the table does not have all rows. */
        if (tail->data.is_full) {
            text_append_format(&page->out, "<p class=\"more\">The first rows, %d at most.</p>\n",
                               PAGE_ROWS);
        } else if (tail->rows > PAGE_ROWS) {
            text_append_format(&page->out, "<p class=\"more\">The first %d of %lld rows.</p>\n",
                               PAGE_ROWS, (long long)tail->rows);
        }
        section_append_tail(page, tail);
    }
    text_free(&tail->text);
    return done;
}

/* Appends the rows that `tracetool compare` prints, or the reason if no report works for both
 * traces. */
bool page_append_changes(struct page *page, struct error *error) {
    struct text command = {0};
    struct page_tail tail = {.report = "compare"};
    bool done;

    section_append_command(page, NULL, &command);
    tail.command = text_string(&command);
    text_append_string(&page->out, "<section id=\"changes\">\n"
                                   "<h2>What changed most</h2>\n");
    done = append_comparison(page, *page->request->compare, NULL, &tail, error);
    if (!done && page_append_missing_data(page, error)) {
        text_append_string(&page->out, "</section>\n");
        done = true;
    }
    text_free(&command);
    return done;
}

bool page_append_comparison(struct page *page, const char *report, struct error *error) {
    struct compare_request request = *page->request->compare;
    const struct query *query;
    struct page_tail tail = {.report = report};
    struct text command = {0};
    bool done;

    request.sides[0].report = request.sides[1].report = report;
    query = page_find_query(page, &request.sides[0], error);
    if (query == NULL) {
        return name_report(error, report);
    }
    section_append_command(page, report, &command);
    tail.command = text_string(&command);
    tail.queries[tail.query_count++] = query;
    page_begin_section(page, report, query->title);
    request.top = PAGE_ROWS;
    done = append_comparison(page, request, query, &tail, error);
    text_free(&command);
    return done || name_report(error, report);
}
