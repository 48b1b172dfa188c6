/* html: for browsers. Values are human-readable. If a number's exact form differs, it is in the
 * attribute data-v, by which the script of a page sorts.
 *
 *     <p class="remark">trace several.po: most, 6 events, 5 rejected</p>
 *     <div class="wide" role="region" tabindex="0" aria-label="rw: Reads and writes">
 *     <table class="rows">
 *     <caption>Reads and writes</caption>
 *     <thead><tr><th scope="col">class</th>…</tr></thead>
 *     <tbody>
 *     <tr><td>read</td><td class="n" data-v="2000">2 us</td>…</tr>
 *     </tbody></table></div>
 *
 * On request (fold), rows beyond the first ones are a second table, class "rest", in a <details>.
 * All results form one document; on request (is_fragment), they are parts of another document,
 * without the lines on traces.
 *
 * html.h escapes names of any bytes; the only script is that of a page. */
#include "output/printer.h"

#include <string.h>

#include "output/html.h"

/* Limit of levels by which names in a tree are indented. */
#define MOST_LEVELS 48

/* Limit of trace names in a table's caption. */
#define MOST_NAMES 8

struct html_state {
    struct text plain;  /* scratch memory: a value or # lines */
    struct text human;  /* scratch memory: a number, human-readable */
    size_t tree, depth; /* index of the column drawn as a tree, and of the column with the depth */
    size_t rows;        /* number of rows in the table so far */
};

static void printer_html_append_plain(struct printer *printer) {
    struct html_state *state = printer->state;

    html_append_text(&printer->out, text_string(&state->plain), state->plain.length);
    text_clear(&state->plain);
}

/* Appends a table's title. In a page, which lists the traces elsewhere, also appends the names of
 * the traces. */
static void printer_html_append_title(struct printer *printer, const struct result *result,
                                      const char *title) {
    struct html_state *state = printer->state;
    const bool has_names = printer->options.is_fragment && result->group == NULL;
    const char *colon = title[0] != '\0' ? ": " : "";

    text_append_escaped(&state->plain, title, strlen(title));
    if (result->group != NULL) {
        text_append_string(&state->plain, colon);
        text_append_escaped(&state->plain, result->group, strlen(result->group));
    }
    for (size_t i = 0; has_names && i < result->trace_count && i < MOST_NAMES; i++) {
        text_append_string(&state->plain, i == 0 ? colon : ", ");
        text_append_escaped(&state->plain, result->traces[i].name, strlen(result->traces[i].name));
    }
    if (has_names && result->trace_count > MOST_NAMES) {
        text_append_format(&state->plain, " and %zu more", result->trace_count - MOST_NAMES);
    }
    printer_html_append_plain(printer);
}

/* Appends each line as a paragraph of this class, and frees `lines`. Lines contain no newlines. */
static void printer_html_append_paragraphs(struct printer *printer, const char *class,
                                           struct text *lines) {
    struct html_state *state = printer->state;
    const char *end;

    for (const char *line = text_string(lines); (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        text_append(&state->plain, line, (size_t)(end - line));
        text_append_format(&printer->out, "<p class=\"%s\">", class);
        printer_html_append_plain(printer);
        text_append_string(&printer->out, "</p>\n");
    }
    text_free(lines);
}

static void printer_html_append_remarks(struct printer *printer, const struct result *result) {
    struct result said = *result;
    struct text lines = {0};

    said.trace_count = printer->options.is_fragment ? 0 : result->trace_count;
    printer_append_remarks(&lines, &said, "");
    printer_append_unit(&lines, result, "");
    printer_html_append_paragraphs(printer, "remark", &lines);
}

static const char *title_of_column(const struct result *result) {
    return result->title[0] != '\0' ? result->title : result->report;
}

/* Begins a table. `more`: prefix of the label for screen readers; labels must differ even if titles
 * are equal. Collapsed rows are a second table, which the script sorts together with the first. */
static void printer_html_begin_table(struct printer *printer, const struct result *result,
                                     const char *more) {
    struct text *out = &printer->out;

    text_append_format(out, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s",
                       more);
    html_append_string(out, result->report);
    text_append_string(out, ": ");
    printer_html_append_title(printer, result, title_of_column(result));
    text_append_format(out, "\"><table class=\"%s\">\n", more[0] != '\0' ? "rest" : "rows");
    if (more[0] == '\0' && !printer->options.no_caption) {
        text_append_string(out, "<caption>");
        printer_html_append_title(
            printer, result,
            printer->options.fold > 0 && result->trace_count > 0 ? "" : title_of_column(result));
        text_append_string(out, "</caption>\n");
    }
    text_append_string(&printer->out, "<thead><tr>");
    for (size_t i = 0; i < result->column_count; i++) {
        bool is_number = printer_kind_is_number(result->columns[i].kind);

        text_append_string(&printer->out,
                           is_number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
        html_append_string(&printer->out, result->columns[i].name);
        text_append_string(&printer->out, "</th>");
    }
    text_append_string(&printer->out, "</tr></thead>\n<tbody>\n");
}

static void html_begin(struct printer *printer, const struct result *result) {
    struct html_state *state = printer->state;
    struct text *out = &printer->out;
    struct text lines = {0};

    if (printer->results_done == 0 && !printer->options.is_fragment) {
        const struct html_head head = {.title = result->title[0] != '\0' ? result->title
                                                                         : result->report};

        html_append_head(out, &head);
        text_append_string(out, "<main>\n");
    }
    state->rows = 0;
    result_find_column(result, "depth", &state->depth);
    result_find_column(result, result->indented, &state->tree);
    printer_append_headlines(&lines, result, "");
    printer_html_append_paragraphs(printer, "headline", &lines);
    if (!result->remarks_below) {
        printer_html_append_remarks(printer, result);
    }
    printer_html_begin_table(printer, result, "");
}

/* Appends two non-breaking blanks per level of a tree, hidden from screen readers. */
static void printer_html_append_indent(struct printer *printer, const struct value *depth) {
    if (depth->type == VALUE_INTEGER && depth->integer > 0) {
        text_append_string(&printer->out, "<span aria-hidden=\"true\">");
        for (int64_t i = 0; i < depth->integer && i < MOST_LEVELS; i++) {
            text_append_string(&printer->out, "\xC2\xA0\xC2\xA0");
        }
        text_append_string(&printer->out, "</span>");
    }
}

static void printer_html_append_number(struct printer *printer, const struct value *value,
                                       const struct column *column) {
    struct html_state *state = printer->state;

    printer_append_machine(&state->plain, value, column);
    printer_append_human(&state->human, value, column, printer->result->clock_unit);
    text_append_string(&printer->out, "<td class=\"n\"");
    if (strcmp(text_string(&state->plain), text_string(&state->human)) != 0) {
        text_append_string(&printer->out, " data-v=\"");
        printer_html_append_plain(printer);
        text_append_char(&printer->out, '"');
    }
    text_append_char(&printer->out, '>');
    html_append_text(&printer->out, text_string(&state->human), state->human.length);
    text_clear(&state->human);
    text_clear(&state->plain);
}

static void html_row(struct printer *printer, const struct value *values) {
    const struct result *result = printer->result;
    struct html_state *state = printer->state;
    struct text *out = &printer->out;

    if (printer->options.fold > 0 && state->rows++ == printer->options.fold) {
        text_append_string(out, "</tbody></table></div>\n<details class=\"rest\">\n"
                                "<summary>More rows</summary>\n");
        printer_html_begin_table(printer, result, "more of ");
    }
    text_append_string(out, "<tr>");
    for (size_t i = 0; i < result->column_count; i++) {
        const struct value *value = &values[i];

        if (value->type == VALUE_INTEGER || value->type == VALUE_REAL) {
            printer_html_append_number(printer, value, &result->columns[i]);
        } else {
            text_append_string(
                out, printer_kind_is_number(result->columns[i].kind) ? "<td class=\"n\">" : "<td>");
            if (i == state->tree && state->depth < result->column_count) {
                printer_html_append_indent(printer, &values[state->depth]);
            }
            if (value->type == VALUE_TEXT) {
                html_append(out, value->bytes, value->length);
            } else {
                printer_append_machine(out, value, &result->columns[i]);
            }
        }
        text_append_string(out, "</td>");
        printer_flush_if_large(printer);
    }
    text_append_string(out, "</tr>\n");
}

static void html_end(struct printer *printer) {
    const struct html_state *state = printer->state;

    text_append_string(&printer->out, "</tbody></table></div>\n");
    if (printer->options.fold > 0 && state->rows > printer->options.fold) {
        text_append_string(&printer->out, "</details>\n");
    }
    if (printer->result->remarks_below) {
        printer_html_append_remarks(printer, printer->result);
    }
}

static void html_close(struct printer *printer) {
    if (printer->results_done > 0 && printer->result == NULL && !printer->options.is_fragment) {
        text_append_string(&printer->out, "</main>\n");
        html_append_foot(&printer->out, false);
    }
}

const struct printer_style printer_style_html = {
    .name = "html",
    .names_none = true,
    .state_size = sizeof(struct html_state),
    .texts = 2,
    .begin = html_begin,
    .row = html_row,
    .end = html_end,
    .close = html_close,
};
