/* json: an object per result, with all its properties; jsonl: an object per row.
 *
 * Numbers are JSON numbers; NULL and non-finite reals are null; blobs are hex. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/printer.h"

/* Writes JSON strings, for all output of the program. */

static const char *short_escape(uint32_t character) {
    switch (character) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

/* Appends the character at `bytes`, escaped for JSON, and returns its length. */
static size_t printer_json_append_character(struct text *out, const char *bytes, size_t length) {
    uint32_t character = 0;
    size_t size = utf8_sequence(bytes, length, &character);
    const char *escape = size == 1 ? short_escape(character) : NULL;

    if (size == 0) {
        text_append_format(out, "\\\\x%02x", (unsigned char)bytes[0]);
        return 1;
    }
    if (escape != NULL) {
        text_append_string(out, escape);
    } else if (character < 0x20 || (character >= 0x7F && character < 0xA0)) {
        text_append_format(out, "\\u%04x", (unsigned)character);
    } else {
        text_append(out, bytes, size);
    }
    return size;
}

static bool printer_json_is_plain(char character) {
    unsigned char byte = (unsigned char)character;

    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

void json_append_string(struct text *out, const char *bytes, size_t length) {
    size_t i = 0;

    text_append_char(out, '"');
    while (i < length) {
        size_t run = i;

        while (run < length && printer_json_is_plain(bytes[run])) {
            run++;
        }
        text_append(out, bytes + i, run - i);
        i = run;
        if (i < length) {
            i += printer_json_append_character(out, bytes + i, length - i);
        }
    }
    text_append_char(out, '"');
}

struct json_state {
    bool has_rows;     /* true: the current result has a row, so the next one needs a comma */
    struct text *keys; /* jsonl: `"name":` for each column */
    size_t key_count;
};

static void append_member(struct text *out, const char *name, const char *string) {
    text_append_format(out, "\"%s\":", name);
    json_append_string(out, string, strlen(string));
}

static void append_comma(struct text *out, size_t index) {
    if (index > 0) {
        text_append_char(out, ',');
    }
}

static void printer_json_append_value(struct text *out, const struct value *value,
                                      const struct column *column) {
    if (value->type == VALUE_TEXT) {
        json_append_string(out, value->bytes, value->length);
    } else if (value->type == VALUE_NULL || (value->type == VALUE_REAL && !isfinite(value->real))) {
        text_append_string(out, "null");
    } else {
        const char *quote = value->type == VALUE_BLOB ? "\"" : "";

        text_append_string(out, quote);
        printer_append_machine(out, value, column);
        text_append_string(out, quote);
    }
}

static void append_count(struct text *out, const char *name, int64_t count) {
    text_append_format(out, ",\"%s\":", name);
    text_append_integer(out, count);
}

static void printer_json_append_ledger(struct text *out, const struct result *result) {
    text_append_string(out, "\"ledger\":[");
    for (size_t i = 0; i < result->trace_count; i++) {
        const struct result_trace *trace = &result->traces[i];

        append_comma(out, i);
        text_append_char(out, '{');
        append_member(out, "trace", trace->name);
        text_append_char(out, ',');
        append_member(out, "format", trace->format);
        if (trace->counted > 0) {
            append_count(out, "records", trace->records);
            append_count(out, "counted", trace->counted);
        }
        append_count(out, "events", trace->events);
        append_count(out, "merged", trace->merged);
        append_count(out, "ignored", trace->ignored);
        append_count(out, "rejected", trace->rejected);
        if (trace->lost > 0) {
            append_count(out, "lost", trace->lost);
        }
        text_append_char(out, '}');
    }
    text_append_string(out, "],\n");
}

static void json_open(struct printer *printer) {
    if (printer->options.many) {
        text_append_char(&printer->out, '[');
    }
}

static void json_begin(struct printer *printer, const struct result *result) {
    struct json_state *state = printer->state;
    struct text *out = &printer->out;

    state->has_rows = false;
    if (printer->results_done > 0) {
        text_append_string(out, printer->options.many ? ",\n" : "\n");
    }
    text_append_char(out, '{');
    append_member(out, "report", result->report);
    text_append_string(out, ",\n");
    append_member(out, "title", result->title);
    text_append_string(out, ",\n");
    if (result->group != NULL) {
        append_member(out, "group", result->group);
        text_append_string(out, ",\n");
    }
    text_append_string(out, "\"traces\":[");
    for (size_t i = 0; i < result->trace_count; i++) {
        append_comma(out, i);
        json_append_string(out, result->traces[i].name, strlen(result->traces[i].name));
    }
    text_append_string(out, "],\n");
    printer_json_append_ledger(out, result);
    text_append_string(out, "\"remarks\":[");
    for (size_t i = 0; i < result->remark_count; i++) {
        append_comma(out, i);
        json_append_string(out, result->remarks[i], strlen(result->remarks[i]));
    }
    text_append_string(out, "],\n");
    text_append_string(out, "\"columns\":[");
    for (size_t i = 0; i < result->column_count; i++) {
        const struct column *column = &result->columns[i];

        append_comma(out, i);
        text_append_char(out, '{');
        append_member(out, "name", column->name);
        text_append_char(out, ',');
        append_member(out, "unit", printer_column_unit(column, result->clock_unit));
        text_append_char(out, '}');
    }
    text_append_string(out, "],\n");
    text_append_string(out, "\"rows\":[");
}

static void json_row(struct printer *printer, const struct value *values) {
    struct json_state *state = printer->state;
    const struct result *result = printer->result;

    text_append_string(&printer->out, state->has_rows ? ",\n[" : "\n[");
    state->has_rows = true;
    for (size_t i = 0; i < result->column_count; i++) {
        append_comma(&printer->out, i);
        printer_json_append_value(&printer->out, &values[i], &result->columns[i]);
        printer_flush_if_large(printer);
    }
    text_append_char(&printer->out, ']');
}

static void json_end(struct printer *printer) {
    text_append_char(&printer->out, ']');
    if (printer->options.members != NULL) {
        printer->options.members(&printer->out, printer->result, printer->options.context);
    }
    text_append_char(&printer->out, '}');
}

static void json_close(struct printer *printer) {
    if (printer->options.many) {
        text_append_string(&printer->out, "]\n");
    } else if (printer->results_done > 0) {
        text_append_char(&printer->out, '\n');
    }
}

static void free_keys(struct json_state *state) {
    for (size_t i = 0; i < state->key_count; i++) {
        text_free(&state->keys[i]);
    }
    free(state->keys);
    *state = (struct json_state){0};
}

static bool key_is_taken(const struct json_state *state, size_t key) {
    for (size_t i = 0; i < key; i++) {
        if (strcmp(text_string(&state->keys[i]), text_string(&state->keys[key])) == 0) {
            return true;
        }
    }
    return false;
}

/* Makes a member's name. Equal SQL column names get _2, _3, …: JSON readers drop repeated names. */
static void printer_json_make_key(struct json_state *state, size_t key, const char *name) {
    struct text *text = &state->keys[key];
    int copy = 1;

    json_append_string(text, name, strlen(name));
    while (key_is_taken(state, key)) {
        text_clear(text);
        json_append_string(text, name, strlen(name));
        text->length--; /* removes the name's closing quote */
        text_append_format(text, "_%d\"", ++copy);
    }
}

static void jsonl_begin(struct printer *printer, const struct result *result) {
    struct json_state *state = printer->state;

    free_keys(state);
    state->keys = xcalloc(result->column_count + 1, sizeof state->keys[0]);
    state->key_count = result->column_count;
    for (size_t i = 0; i < result->column_count; i++) {
        printer_json_make_key(state, i, result->columns[i].name);
    }
}

static void jsonl_row(struct printer *printer, const struct value *values) {
    const struct json_state *state = printer->state;
    struct text *out = &printer->out;

    text_append_char(out, '{');
    for (size_t i = 0; i < state->key_count; i++) {
        append_comma(out, i);
        text_append(out, state->keys[i].bytes, state->keys[i].length);
        text_append_char(out, ':');
        printer_json_append_value(out, &values[i], &printer->result->columns[i]);
        printer_flush_if_large(printer);
    }
    text_append_string(out, "}\n");
}

static void jsonl_close(struct printer *printer) {
    free_keys(printer->state);
}

const struct printer_style printer_style_json = {
    .name = "json",
    .is_machine = true,
    .state_size = sizeof(struct json_state),
    .open = json_open,
    .begin = json_begin,
    .row = json_row,
    .end = json_end,
    .close = json_close,
};

const struct printer_style printer_style_jsonl = {
    .name = "jsonl",
    .is_machine = true,
    .state_size = sizeof(struct json_state),
    .begin = jsonl_begin,
    .row = jsonl_row,
    .close = jsonl_close,
};
