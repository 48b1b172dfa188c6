/* Functions that all output formats share: opening, closing, writing, and formats of values. */
#include "output/printer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/words.h"
#include "model/event.h"
#include "store/catalog.h"

/* Output is written to the file when it exceeds this number of bytes. */
#define FLUSH_SIZE 65536

static const struct printer_style *const styles[] = {
    &printer_style_table,   &printer_style_tsv,      &printer_style_csv,   &printer_style_json,
    &printer_style_jsonl,   &printer_style_markdown, &printer_style_latex, &printer_style_html,
    &printer_style_gnuplot, &printer_style_folded,
};

const struct printer_style *printer_style_find(const char *name) {
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        if (strcmp(styles[i]->name, name) == 0) {
            return styles[i];
        }
    }
    return NULL;
}

const char *printer_style_names(void) {
    return "table tsv csv json jsonl md latex html gnuplot folded";
}

static bool printer_cannot_write(const struct printer *printer, struct error *error) {
    return error_set(error, "cannot write the output: %s", strerror(printer->write_error));
}

/* Records errno of the first failed write; later failures follow from the first. */
static void note_write_error(struct printer *printer) {
    if (printer->write_error == 0) {
        printer->write_error = errno != 0 ? errno : EIO;
    }
}

static void write_to_memory(struct printer_memory *memory, const struct text *out) {
    memory->is_full =
        memory->is_full || (memory->most > 0 && memory->text->length + out->length > memory->most);
    if (memory->is_full) {
        text_free(memory->text);
    } else {
        text_append(memory->text, out->bytes, out->length);
    }
}

static void write_out(struct printer *printer) {
    errno = 0;
    if (printer->options.memory != NULL) {
        write_to_memory(printer->options.memory, &printer->out);
    } else if (printer->write_error == 0 && fwrite(printer->out.bytes, 1, printer->out.length,
                                                   printer->file) != printer->out.length) {
        note_write_error(printer);
    }
    text_clear(&printer->out);
}

/* Ends a call: writes the output to the file if it is larger than `threshold`. */
static bool printer_end_step(struct printer *printer, size_t threshold, struct error *error) {
    if (printer->out.length > threshold) {
        write_out(printer);
    }
    if (printer->failure.status != EXIT_DONE) {
        *error = printer->failure;
        return false;
    }
    return printer->write_error == 0 || printer_cannot_write(printer, error);
}

void printer_flush_if_large(struct printer *printer) {
    if (printer->out.length > FLUSH_SIZE) {
        write_out(printer);
    }
}

struct printer *printer_open(const struct printer_style *style, FILE *file,
                             const struct printer_options *options) {
    struct printer *printer = xcalloc(1, sizeof *printer);

    printer->style = style;
    printer->options = *options;
    printer->file = file;
    printer->state = xcalloc(1, style->state_size);
    if (style->open != NULL) {
        style->open(printer);
    }
    return printer;
}

/* --- columns added or changed for formats ----------------------------------------------------- */

static void clear_columns(struct printer *printer) {
    free(printer->columns);
    free(printer->values);
    printer->columns = NULL;
    printer->values = NULL;
}

/* Adds the column that distinguishes results (result.part_name) as the last one, so that scripts
 * find the other columns at their usual positions. */
static void printer_extend(struct printer *printer, const struct result *result) {
    size_t count = result->column_count;

    clear_columns(printer);
    printer->result = result;
    if (!printer->style->is_machine || result->part_name == NULL) {
        return;
    }
    printer->columns = xcalloc(count + 1, sizeof *printer->columns);
    printer->values = xcalloc(count + 1, sizeof *printer->values);
    memcpy(printer->columns, result->columns, count * sizeof *printer->columns);
    printer->columns[count] = (struct column){result->part_name, "", COLUMN_TEXT};
    printer->extended = *result;
    printer->extended.columns = printer->columns;
    printer->extended.column_count = count + 1;
    printer->result = &printer->extended;
}

/* Returns whether a value is a missing name: NULL, empty, or "(null)", as blkparse and other logs
 * write. */
static bool is_nameless(const struct value *value) {
    static const char null[] = "(null)";

    return value->type == VALUE_NULL ||
           (value->type == VALUE_TEXT &&
            (value->length == 0 ||
             (value->length == strlen(null) && memcmp(value->bytes, null, value->length) == 0)));
}

/* Returns the row's values, with "(none)" for missing names. */
static const struct value *name_none(struct printer *printer, const struct value *values) {
    const struct result *result = printer->result;

    if (printer->values == NULL) {
        printer->values = xcalloc(result->column_count + 1, sizeof *printer->values);
    }
    memcpy(printer->values, values, result->column_count * sizeof *values);
    for (size_t i = 0; i < result->column_count; i++) {
        const struct column *column = &result->columns[i];

        if (column_kind_is_text(column->kind) && is_nameless(&values[i]) &&
            !word_in(result->blank, column->name)) {
            printer->values[i] = value_text("(none)");
        }
    }
    return printer->values;
}

/* Returns the row's values as the format prints them: with the column part_name, or with "(none)"
 * for missing names. */
static const struct value *extend_row(struct printer *printer, const struct value *values) {
    const struct result *result = printer->result;
    size_t last = result->column_count - 1;

    if (printer->style->names_none && result->blank != NULL) {
        return name_none(printer, values);
    }
    if (printer->columns == NULL) {
        return values;
    }
    memcpy(printer->values, values, last * sizeof *values);
    if (result->part != NULL) {
        printer->values[last] = value_text(result->part);
    }
    return printer->values;
}

size_t printer_column_priority(const struct result *result, const char *name) {
    size_t length = strlen(name), after = 1;
    bool found = false;

    if (result->key != NULL && word_in(result->key, name)) {
        return SIZE_MAX;
    }
    for (const char *word = result->worth; word != NULL && *word != '\0';) {
        size_t is_long = strcspn(word, " ");

        found = found || (is_long == length && memcmp(word, name, length) == 0);
        after += found;
        word += is_long + strspn(word + is_long, " ");
    }
    return found ? after : result->order != NULL && strcmp(result->order, name) == 0;
}

const char *printer_column_unit(const struct column *column, const char *clock_unit) {
    switch (column->kind) {
    case COLUMN_DURATION:
        return clock_unit;
    case COLUMN_TIME:
        return strcmp(column->unit, "ns") == 0 ? "ns" : "s";
    case COLUMN_SHARE:
        return "fraction";
    case COLUMN_BYTES:
        return "bytes";
    case COLUMN_ANY:
    case COLUMN_TEXT:
    case COLUMN_PATH:
    case COLUMN_INTEGER:
    case COLUMN_NUMBER:
    case COLUMN_REAL:
        break;
    }
    return column->unit;
}

/* --- printing results ------------------------------------------------------------------------- */

bool printer_begin(struct printer *printer, const struct result *result, struct error *error) {
    printer_extend(printer, result);
    printer->style->begin(printer, printer->result);
    return printer_end_step(printer, FLUSH_SIZE, error);
}

bool printer_row(struct printer *printer, const struct value *values, struct error *error) {
    printer->style->row(printer, extend_row(printer, values));
    return printer_end_step(printer, FLUSH_SIZE, error);
}

bool printer_end(struct printer *printer, struct error *error) {
    if (printer->style->end != NULL) {
        printer->style->end(printer);
    }
    printer->result = NULL;
    printer->results_done++;
    return printer_end_step(printer, FLUSH_SIZE, error);
}

/* Writes the rest of the output, and flushes stdio's buffer. A full disk may show only here. */
static bool finish_file(struct printer *printer, struct error *error) {
    if (!printer_end_step(printer, 0, error)) {
        return false;
    }
    errno = 0;
    if (printer->file != NULL && (fflush(printer->file) != 0 || ferror(printer->file))) {
        note_write_error(printer);
        return printer_cannot_write(printer, error);
    }
    return true;
}

bool printer_close(struct printer *printer, bool done, struct error *error) {
    struct text *texts = printer->state;

    if (printer->style->close != NULL) {
        printer->style->close(printer);
    }
    done = done && finish_file(printer, error);
    for (size_t i = 0; i < printer->style->texts; i++) {
        text_free(&texts[i]);
    }
    clear_columns(printer);
    text_free(&printer->out);
    free(printer->state);
    free(printer);
    return done;
}

enum column_kind printer_value_kind(const struct value *value, const struct column *column) {
    return value->kind != COLUMN_ANY ? value->kind : column->kind;
}

bool printer_kind_is_number(enum column_kind kind) {
    return kind != COLUMN_ANY && kind != COLUMN_TEXT && kind != COLUMN_PATH;
}

static bool has_durations(const struct result *result) {
    for (size_t i = 0; i < result->column_count; i++) {
        enum column_kind kind = result->columns[i].kind;

        /* In a COLUMN_ANY column, a later row may have a duration, so the unit is printed. */
        if (kind == COLUMN_DURATION || kind == COLUMN_ANY) {
            return true;
        }
    }
    return false;
}

void printer_append_unit(struct text *out, const struct result *result, const char *before) {
    if (strcmp(result->clock_unit, "ns") == 0 || !has_durations(result)) {
        return;
    }
    if (strcmp(result->clock_unit, CLOCK_UNIT_RECORDS) == 0) {
        text_append_format(out, "%sthe log has no times: positions are record numbers\n", before);
    } else {
        text_append_format(out, "%sdurations are in %s\n", before, result->clock_unit);
    }
}

/* Appends a real number in printf() format `format`; NULL: with six decimals. */
static void append_real(struct text *out, const char *format, double real) {
    if (isnan(real)) {
        text_append_string(out, "NaN");
    } else if (isinf(real)) {
        text_append_string(out, real < 0 ? "-Inf" : "Inf");
    } else if (format == NULL) {
        text_append_six_decimals(out, real);
    } else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_append_format(out, format, real);
#pragma GCC diagnostic pop
    }
}

/* Rounds a duration that is a real number, such as AVG() of nanoseconds in SQL, to an integer. */
static int64_t round_to_integer(double real) {
    if (!(fabs(real) < 9.2e18)) {
        return real > 0 ? INT64_MAX : real < 0 ? INT64_MIN : 0;
    }
    return (int64_t)llround(real);
}

static void append_whole_kind(struct text *out, const struct value *value, bool in_seconds) {
    int64_t number = value->type == VALUE_REAL ? round_to_integer(value->real) : value->integer;

    if (in_seconds) {
        text_append_seconds(out, number);
    } else {
        text_append_integer(out, number);
    }
}

static void append_machine_number(struct text *out, const struct value *value,
                                  const struct column *column) {
    enum column_kind kind = printer_value_kind(value, column);
    bool has_decimals = kind == COLUMN_REAL || kind == COLUMN_SHARE;
    bool is_finite = value->type == VALUE_INTEGER || isfinite(value->real);

    if (is_finite && (kind == COLUMN_TIME || kind == COLUMN_DURATION)) {
        append_whole_kind(out, value, kind == COLUMN_TIME && strcmp(column->unit, "ns") != 0);
    } else if (value->type == VALUE_REAL) {
        append_real(out, has_decimals ? NULL : "%.15g", value->real);
    } else {
        text_append_integer(out, value->integer);
        text_append_string(out, has_decimals ? ".000000" : "");
    }
}

void printer_append_machine(struct text *out, const struct value *value,
                            const struct column *column) {
    switch (value->type) {
    case VALUE_NULL:
        break;
    case VALUE_TEXT:
        text_append(out, value->bytes, value->length);
        break;
    case VALUE_BLOB:
        text_append_hex(out, value->bytes, value->length);
        break;
    case VALUE_INTEGER:
    case VALUE_REAL:
        append_machine_number(out, value, column);
        break;
    }
}

/* Appends an integer with thousands separators: 1,234,567. */
static void append_grouped(struct text *out, int64_t number) {
    struct text digits = {0};
    const char *rest;
    size_t left;

    text_append_integer(&digits, number);
    rest = text_string(&digits);
    if (*rest == '-') {
        text_append_char(out, *rest++);
    }
    for (left = strlen(rest); left > 3; left -= (left - 1) % 3 + 1) {
        text_append(out, rest, (left - 1) % 3 + 1);
        text_append_char(out, ',');
        rest += (left - 1) % 3 + 1;
    }
    text_append_string(out, rest);
    text_free(&digits);
}

/* From 9.995 and 99.95 on, prints one decimal less, since these round to 10.0 and 100. */
void printer_append_three_digits(struct text *out, double real) {
    double size = fabs(real);

    if (!isfinite(real)) {
        append_real(out, NULL, real);
    } else if (size >= 999.5 && size < 9e18) {
        append_grouped(out, llround(real));
    } else if (real == 0 || size >= 9e18) {
        append_real(out, "%.3g", real);
    } else if (size < 0.0005) {
        append_real(out, "%.2g", real);
    } else {
        text_append_format(out, "%.*f",
                           size >= 99.95    ? 0
                           : size >= 9.995  ? 1
                           : size >= 0.9995 ? 2
                                            : 3,
                           real);
    }
}

/* Appends three significant digits and a unit. From 9.995 and 99.95 on, prints one decimal less,
 * since these round to 10.0 and 100. */
static void append_scaled(struct text *out, double value, const char *unit) {
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

    text_append_format(out, "%.*f %s", decimals, value, unit);
}

static void printer_append_duration(struct text *out, int64_t duration) {
    double nanoseconds = fabs((double)duration);

    if (duration < 0) {
        text_append_char(out, '-');
    }
    if (nanoseconds < 1000) {
        text_append_format(out, "%.0f ns", nanoseconds);
    } else if (nanoseconds < 999.5e3) {
        append_scaled(out, nanoseconds / 1e3, "\302\265s");
    } else if (nanoseconds < 999.5e6) {
        append_scaled(out, nanoseconds / 1e6, "ms");
    } else if (nanoseconds < 59.95e9) {
        append_scaled(out, nanoseconds / 1e9, "s");
    } else {
        /* Appends a time of a minute or more in two units. Rounds first, so that "1 min 60 s"
         * cannot occur. */
        long long seconds = llround(nanoseconds / 1e9);
        long long minutes = llround(nanoseconds / 60e9);
        long long hours = llround(nanoseconds / 3600e9);

        if (seconds < 3600) {
            text_append_format(out, "%lld min %02lld s", seconds / 60, seconds % 60);
        } else if (minutes < 24 * 60) {
            text_append_format(out, "%lld h %02lld min", minutes / 60, minutes % 60);
        } else {
            text_append_format(out, "%lld d %02lld h", hours / 24, hours % 24);
        }
    }
}

static const char *const byte_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL};

/* Appends bytes in the largest unit that does not exceed the value. A value that is exact with at
 * most one decimal gets no further digits ("4 KiB", "9.5 MiB"); others get three digits. */
static void append_bytes(struct text *out, double bytes) {
    double value = fabs(bytes);
    size_t unit = 0;

    /* Uses the next larger unit if the value would round to 1024. */
    while (value >= 1023.5 && byte_units[unit + 1] != NULL) {
        value /= 1024;
        unit++;
    }
    if (bytes < 0) {
        text_append_char(out, '-');
    }
    if (value == floor(value)) {
        text_append_format(out, "%.0f %s", value, byte_units[unit]);
    } else if (10 * value == floor(10 * value)) {
        text_append_format(out, "%.1f %s", value, byte_units[unit]);
    } else {
        append_scaled(out, value, byte_units[unit]);
    }
}

/* Appends a size without rounding, in the largest unit in which it has at most one decimal: "4
 * KiB", "4.5 KiB", "4,097 B". For sizes that identify rows. */
static void append_exact_bytes(struct text *out, int64_t bytes) {
    size_t unit = 0;

    while (bytes % 1024 == 0 && bytes != 0 && byte_units[unit + 1] != NULL) {
        bytes /= 1024;
        unit++;
    }
    if (bytes % 512 == 0 && bytes / 512 % 2 != 0 && llabs(bytes) > 512 &&
        byte_units[unit + 1] != NULL) {
        append_grouped(out, bytes / 1024);
        text_append_string(out, ".5");
        unit++;
    } else {
        append_grouped(out, bytes);
    }
    text_append_format(out, " %s", byte_units[unit]);
}

/* Returns the kind by which a value is printed. A real number in bytes or ns is printed as
 * COLUMN_BYTES or COLUMN_DURATION; any other value by its own kind, or that of its column. */
static enum column_kind human_kind(const struct value *value, const struct column *column) {
    enum column_kind kind = printer_value_kind(value, column);
    const char *unit = value->unit != NULL ? value->unit : column->unit;

    if (kind == COLUMN_REAL && strcmp(unit, "bytes") == 0) {
        return COLUMN_BYTES;
    }
    return kind == COLUMN_REAL && strcmp(unit, "ns") == 0 ? COLUMN_DURATION : kind;
}

static void append_human_number(struct text *out, const struct value *value,
                                const struct column *column, const char *clock_unit) {
    bool is_real = value->type == VALUE_REAL;
    enum column_kind kind =
        is_real && !isfinite(value->real) ? COLUMN_ANY : human_kind(value, column);

    const char *unit = value->unit != NULL ? value->unit : column->unit;

    if (kind == COLUMN_SHARE) {
        double share = value_number(value);

        append_real(out,
                    fabs(share) >= 0.9995    ? "%.0f"
                    : fabs(share) >= 0.09995 ? "%.1f"
                                             : "%.2f",
                    100 * share);
        text_append_string(out, isfinite(share) ? " %" : "");
    } else if (printer_kind_is_number(kind) && strcmp(unit, "bytes/s") == 0) {
        append_bytes(out, value_number(value));
        text_append_string(out, "/s");
    } else if (kind == COLUMN_REAL) {
        printer_append_three_digits(out, value_number(value));
    } else if (kind == COLUMN_DURATION && strcmp(clock_unit, "ns") == 0) {
        printer_append_duration(out, is_real ? round_to_integer(value->real) : value->integer);
    } else if (kind == COLUMN_BYTES) {
        append_bytes(out, value_number(value));
    } else if (kind == COLUMN_TIME) {
        append_whole_kind(out, value, true);
        text_append_string(out, " s");
    } else if (kind == COLUMN_INTEGER && !is_real && strcmp(column->unit, "bytes") == 0) {
        append_exact_bytes(out, value->integer);
    } else if (kind == COLUMN_INTEGER && !is_real) {
        append_grouped(out, value->integer);
    } else {
        printer_append_machine(out, value, column);
    }
}

void printer_append_human(struct text *out, const struct value *value, const struct column *column,
                          const char *clock_unit) {
    if (value->type == VALUE_INTEGER || value->type == VALUE_REAL) {
        append_human_number(out, value, column, clock_unit);
    } else {
        printer_append_machine(out, value, column);
    }
}

struct result_trace result_trace_of(const struct catalog_trace *trace) {
    return (struct result_trace){
        .name = trace->name,
        .format = trace->format,
        .events = trace->events,
        .merged = trace->merged,
        .ignored = trace->ignored,
        .rejected = trace->rejected,
        .records = catalog_count_records(trace),
        .counted = trace_counted(trace->kind,
                                 &(struct trace_counts){trace->events, trace->paired, trace->merged,
                                                        trace->split, trace->no_calls}),
        .record_words = trace->lines ? "lines" : "records",
        .counted_words = trace_kind_counts(trace->kind),
        .lost = trace->lost,
        .device = trace->device,
        .hash = trace->hash,
    };
}

void printer_append_count(struct text *out, int64_t count, const char *words, const char *after) {
    text_append_format(out, "%lld %.*s%s", (long long)count, (int)strlen(words) - (count == 1),
                       words, after);
}

void printer_append_trace_counts(struct text *out, const struct result_trace *trace) {
    text_append_string(out, "trace ");
    text_append_escaped(out, trace->name, strlen(trace->name));
    text_append_string(out, ": ");
    text_append_escaped(out, trace->format, strlen(trace->format));
    text_append_string(out, ", ");
    if (trace->counted > 0) {
        printer_append_count(out, trace->records, trace->record_words, ", ");
        printer_append_count(out, trace->counted, trace->counted_words, "; ");
    }
    printer_append_count(out, trace->events, "events", ", ");
    text_append_integer(out, trace->rejected);
    text_append_string(out, " rejected");
    if (trace->lost > 0) {
        text_append_string(out, ", ");
        text_append_integer(out, trace->lost);
        text_append_string(out, " lost");
    }
}

/* Returns the number of distinct devices of the result's traces. */
static size_t count_devices(const struct result *result) {
    const char **devices = xmalloc((result->trace_count + 1) * sizeof *devices);
    size_t count = 0;

    for (size_t i = 0; i < result->trace_count; i++) {
        devices[i] = result->traces[i].device == NULL ? "" : result->traces[i].device;
    }
    qsort(devices, result->trace_count, sizeof *devices, compare_strings);
    for (size_t i = 0; i < result->trace_count; i++) {
        count += devices[i][0] != '\0' && (i == 0 || strcmp(devices[i], devices[i - 1]) != 0);
    }
    free(devices);
    return count;
}

/* Total of one count of records (such as rejected) over all traces, and number of traces in which
 * this count is not 0. */
struct ledger_sum {
    int64_t records;
    size_t traces;
};

static void add_records(struct ledger_sum *sum, int64_t records) {
    sum->records += records;
    sum->traces += records > 0;
}

static void printer_append_sum(struct text *out, const struct ledger_sum *sum, const char *what) {
    text_append_string(out, ", ");
    text_append_integer(out, sum->records);
    text_append_string(out, what);
    if (sum->records > 0) {
        text_append_format(out, " in %zu trace%s", sum->traces, sum->traces == 1 ? "" : "s");
    }
}

/* Appends one line for all traces, instead of a line with counts of records for each. */
static void append_condensed_ledger(struct text *out, const struct result *result) {
    struct ledger_sum events = {0}, rejected = {0}, lost = {0};
    size_t devices = count_devices(result);

    for (size_t i = 0; i < result->trace_count; i++) {
        add_records(&events, result->traces[i].events);
        add_records(&rejected, result->traces[i].rejected);
        add_records(&lost, result->traces[i].lost);
    }
    text_append_format(out, "%zu traces", result->trace_count);
    if (devices > 0) {
        text_append_format(out, " of %zu device%s", devices, devices == 1 ? "" : "s");
    }
    text_append_string(out, ", ");
    text_append_integer(out, events.records);
    text_append_string(out, " events");
    printer_append_sum(out, &rejected, " rejected");
    text_append_string(out, rejected.records > 0 ? " (list --rejected)" : "");
    if (lost.records > 0) {
        printer_append_sum(out, &lost, " lost");
    }
}

static bool is_condensed(const struct result *result) {
    return result->trace_count > PRINTER_LEDGER_LINES;
}

size_t printer_trace_line_count(const struct result *result) {
    return is_condensed(result) ? 1 : result->trace_count;
}

bool printer_trace_line_has_rejects(const struct result *result, size_t line) {
    size_t first = is_condensed(result) ? 0 : line;
    size_t after = is_condensed(result) ? result->trace_count : line + 1;

    while (first < after && result->traces[first].rejected == 0) {
        first++;
    }
    return first < after;
}

/* Appends the remarks from index `first` to `end` - 1, one line each. */
static void printer_append_lines(struct text *out, const struct result *result, size_t first,
                                 size_t end, const char *before) {
    for (size_t i = first; i < end; i++) {
        text_append_string(out, before);
        text_append_escaped(out, result->remarks[i], strlen(result->remarks[i]));
        text_append_char(out, '\n');
    }
}

void printer_append_headlines(struct text *out, const struct result *result, const char *before) {
    printer_append_lines(out, result, 0, result->headline_count, before);
}

static void append_ledger(struct text *out, const struct result *result, const char *before) {
    for (size_t i = 0; i < printer_trace_line_count(result); i++) {
        text_append_string(out, before);
        if (is_condensed(result)) {
            append_condensed_ledger(out, result);
        } else {
            printer_append_trace_counts(out, &result->traces[i]);
        }
        text_append_char(out, '\n');
    }
}

void printer_append_remarks(struct text *out, const struct result *result, const char *before) {
    append_ledger(out, result, before);
    printer_append_lines(out, result, result->headline_count, result->remark_count, before);
}

void printer_append_sorted_remarks(struct text *out, const struct printer *printer, bool ledger,
                                   const char *before) {
    static const enum remark_class order[] = {REMARK_LOSS, REMARK_EXCLUDED, REMARK_PLAIN,
                                              REMARK_DEFINITION};
    const struct result *result = printer->result;
    size_t classes = sizeof order / sizeof order[0] - !printer->options.definitions;

    if (ledger) {
        append_ledger(out, result, before);
    }
    for (size_t i = 0; i < classes; i++) {
        for (size_t j = result->headline_count; j < result->remark_count; j++) {
            if ((result->remark_classes == NULL ? REMARK_PLAIN : result->remark_classes[j]) ==
                order[i]) {
                printer_append_lines(out, result, j, j + 1, before);
            }
        }
    }
}

void row_key_append(struct text *key, const struct value *value) {
    text_append_format(key, "%d ", (int)value->type);
    if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
        text_append_format(key, "%zu ", value->length);
        text_append(key, value->bytes, value->length);
    } else if (value->type == VALUE_INTEGER) {
        text_append_integer(key, value->integer);
    } else if (value->type == VALUE_REAL) {
        text_append_format(key, "%.17g", value->real);
    }
    text_append_char(key, ' ');
}

int column_find(const struct column *columns, size_t count, const char *name) {
    const struct column *found =
        name == NULL ? NULL : find_named(columns, count, sizeof *columns, name);

    return found == NULL ? -1 : (int)(found - columns);
}

void printer_set_no_picture_error(struct printer *printer, const struct result *result,
                                  const char *reason) {
    error_set(&printer->failure, "report %s%s%s has no picture%s", result->report,
              result->option == NULL ? "" : " --", result->option == NULL ? "" : result->option,
              reason);
}

bool result_find_column(const struct result *result, const char *name, size_t *column) {
    const int found = column_find(result->columns, result->column_count, name);

    *column = found < 0 ? result->column_count : (size_t)found;
    return found >= 0;
}
