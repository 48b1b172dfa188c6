/* md: a GitHub table to paste into a document, with human-readable values.
 *
 * Escapes only what Markdown or HTML would interpret in untrusted text: `_` inside a word and a
 * single `*` are literal. Backslashes become an entity, because implementations disagree on how
 * many of them before a `|` still end a cell. */
#include "output/printer.h"

#include <string.h>

#include "output/html.h"

struct markdown_state {
    struct text plain; /* scratch memory: a text, not yet escaped for Markdown */
};

static bool is_alphanumeric(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9');
}

/* Returns whether a single `character` between `before` and `after` is special in Markdown. */
static bool printer_markdown_is_special(char before, char character, char after) {
    switch (character) {
    case '|':
    case '`':
    case '[':
        return true;
    case '\\':
        return after > ' ' && (after & 0x80) == 0 && !is_alphanumeric(after);
    case '&': /* would start an entity such as &amp; or &#38; */
        return after == '#' || is_alphanumeric(after);
    case '<': /* would start a tag, a comment or an address */
        return is_alphanumeric(after) || (after != '\0' && strchr("/!?", after) != NULL);
    case '_': /* has no meaning within a word */
        return !is_alphanumeric(before) || !is_alphanumeric(after);
    default:
        return false;
    }
}

/* Returns whether the text has the character twice, as emphasis, strikethrough or formulas need. */
static bool has_pair(const char *plain, char character) {
    const char *first = strchr("*~$", character) == NULL ? NULL : strchr(plain, character);

    return first != NULL && strchr(first + 1, character) != NULL;
}

static void append_escaped_character(struct text *out, char character) {
    if (character == '\\') {
        text_append_string(out, "&#92;");
    } else if (character == '&' || character == '<') {
        xml_append(out, &character, 1);
    } else {
        text_append_char(out, '\\');
        text_append_char(out, character);
    }
}

/* Appends a text without control characters, escaped for Markdown. */
static void append_escaped(struct text *out, const char *plain) {
    bool pairs[3] = {has_pair(plain, '*'), has_pair(plain, '~'), has_pair(plain, '$')};

    for (const char *at = plain; *at != '\0'; at++) {
        char before = at == plain ? '\0' : at[-1];

        if (printer_markdown_is_special(before, *at, at[1]) || (*at == '*' && pairs[0]) ||
            (*at == '~' && pairs[1]) || (*at == '$' && pairs[2])) {
            append_escaped_character(out, *at);
        } else {
            text_append_char(out, *at);
        }
    }
}

/* Appends `state->plain`, escaped, to the output and clears it. */
static void printer_markdown_append_plain(struct printer *printer) {
    struct markdown_state *state = printer->state;

    append_escaped(&printer->out, text_string(&state->plain));
    text_clear(&state->plain);
}

/* True if Markdown could take the begin of `line` for that of a list or a heading. */
static bool begins_block(const char *line) {
    size_t digits = strspn(line, "0123456789");

    if (digits > 0) {
        return line[digits] == '.' || line[digits] == ')';
    }
    bool is_letter = (*line >= 'A' && *line <= 'Z') || (*line >= 'a' && *line <= 'z');

    return *line != '\0' && (*line & 0x80) == 0 && !is_letter;
}

/* Appends a # line as a Markdown paragraph. */
static void append_paragraph(struct text *out, const char *line) {
    if (begins_block(line)) {
        text_append_format(out, "&#%d;", *line);
        line++;
    }
    append_escaped(out, line);
    text_append_string(out, "\n\n");
}

static void printer_markdown_append_ledger(struct printer *printer, const struct result *result) {
    struct markdown_state *state = printer->state;

    printer_append_remarks(&state->plain, result, "");
    printer_append_unit(&state->plain, result, "");
}

/* Appends each line of `state->plain` (the # lines) as a paragraph. */
static void printer_markdown_append_paragraphs(struct printer *printer) {
    struct markdown_state *state = printer->state;
    char *end;

    if (state->plain.length == 0) {
        return;
    }
    for (char *line = state->plain.bytes; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        append_paragraph(&printer->out, line);
    }
    text_clear(&state->plain);
}

static void printer_markdown_append_heading(struct printer *printer, const struct result *result) {
    struct text *out = &printer->out;

    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(out, i == 0 ? "| " : " | ");
        struct markdown_state *state = printer->state;

        text_append_escaped(&state->plain, result->columns[i].name,
                            strlen(result->columns[i].name));
        printer_markdown_append_plain(printer);
    }
    text_append_string(out, " |\n");
    for (size_t i = 0; i < result->column_count; i++) {
        bool is_number = printer_kind_is_number(result->columns[i].kind);

        text_append_string(out, is_number ? "| ---: " : "| --- ");
    }
    text_append_string(out, "|\n");
}

static void markdown_begin(struct printer *printer, const struct result *result) {
    struct markdown_state *state = printer->state;

    if (printer->results_done > 0) {
        text_append_char(&printer->out, '\n');
    }
    printer_append_headlines(&state->plain, result, "");
    if (!result->remarks_below) {
        printer_markdown_append_ledger(printer, result);
    }
    printer_markdown_append_paragraphs(printer);
    printer_markdown_append_heading(printer, result);
}

static void printer_markdown_append_cell(struct printer *printer, const struct value *value,
                                         const struct column *column) {
    struct markdown_state *state = printer->state;

    if (value->type == VALUE_TEXT) {
        text_append_escaped(&state->plain, value->bytes, value->length);
    } else {
        printer_append_human(&state->plain, value, column, printer->result->clock_unit);
    }
    printer_markdown_append_plain(printer);
}

static void markdown_row(struct printer *printer, const struct value *values) {
    const struct result *result = printer->result;

    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(&printer->out, i == 0 ? "| " : " | ");
        printer_markdown_append_cell(printer, &values[i], &result->columns[i]);
    }
    text_append_string(&printer->out, " |\n");
}

static void markdown_end(struct printer *printer) {
    if (printer->result->remarks_below) {
        printer_markdown_append_ledger(printer, printer->result);
        text_append_char(&printer->out, '\n');
        printer_markdown_append_paragraphs(printer);
        printer->out.bytes[--printer->out.length] = '\0'; /* removes the empty line at the end */
    }
}

const struct printer_style printer_style_markdown = {
    .name = "md",
    .names_none = true,
    .state_size = sizeof(struct markdown_state),
    .texts = 1,
    .begin = markdown_begin,
    .row = markdown_row,
    .end = markdown_end,
};
