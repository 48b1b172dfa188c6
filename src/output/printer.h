/* Prints results (of a report, the list of traces, or a user's SQL) in any output format.
 *
 *     printer_open, then for each result: printer_begin, printer_row …, printer_end; printer_close
 *
 * A style is an output format: a table of functions, in a separate file (printer_table.c,
 * printer_tsv.c, …). No style keeps more than a bounded number of rows in memory. */
#ifndef TRACETOOL_PRINTER_H
#define TRACETOOL_PRINTER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Kind of a column's values: how to print them. Human-readable formats: table, md, latex, html. */
enum column_kind {
    COLUMN_ANY,     /* kind follows from each value's type (user's SQL); reals have 15 digits */
    COLUMN_TEXT,    /* bytes of any kind, from logs: every style escapes them */
    COLUMN_PATH,    /* a path from a log; a table in a terminal cuts out its middle */
    COLUMN_INTEGER, /* a count; human-readable formats add thousands separators */
    COLUMN_NUMBER, /* a number that identifies something, such as a pid or an hour: no separators */
    COLUMN_REAL,   /* six decimals */
    COLUMN_SHARE,  /* a fraction, six decimals; human-readable: per cent with two decimals */
    COLUMN_BYTES,  /* number of bytes, an integer; human-readable: in KiB, MiB, … */
    COLUMN_DURATION, /* whole nanoseconds or counter ticks; human-readable: in µs, ms, … */
    COLUMN_TIME, /* nanoseconds since the start of the trace, printed in seconds with nine decimals;
                    in formats for scripts, as ns if the column's unit is "ns" */
};

static inline bool column_kind_is_text(enum column_kind kind) {
    return kind == COLUMN_TEXT || kind == COLUMN_PATH;
}

struct column {
    const char *name; /* one word, as scripts and options name the column */
    const char *unit; /* "bytes", "ns", "s", "fraction", …; "" for none */
    enum column_kind kind;
};

/* Begin of the remark on a filter that no event passes; messages of pictures repeat it. */
#define NOTE_NO_EVENTS "no events match the filters"

/* Class of a remark (a # line about a result), by which a table sorts remarks. */
enum remark_class {
    REMARK_PLAIN,      /* any other remark: a number, or the command that prints it */
    REMARK_LOSS,       /* events or data missing in the log: printed first */
    REMARK_EXCLUDED,   /* records or events that the rows do not count */
    REMARK_DEFINITION, /* definition of a term: printed only with an option */
};

/* Characters for the bars next to shares. */
enum bar_kind {
    BAR_NONE,
    BAR_ASCII, /* the character # */
    BAR_BLOCKS /* Unicode block characters, in steps of an eighth of a character */
};

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct value {
    enum value_type type;
    enum column_kind kind; /* kind of this value, in a column with a kind per row (report summary);
                              COLUMN_ANY: the column's kind */
    const char *unit;      /* unit of this value; NULL: the unit of its kind */
    int64_t integer;       /* value of VALUE_INTEGER */
    double real;           /* value of VALUE_REAL */
    const char *bytes;     /* VALUE_TEXT and VALUE_BLOB: any bytes; borrowed during the call */
    size_t length;         /* length of the text or blob in bytes */
};

static inline struct value value_text(const char *string) {
    return (struct value){.type = VALUE_TEXT, .bytes = string, .length = strlen(string)};
}

static inline struct value value_integer(int64_t integer) {
    return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* Returns a value as a number; NAN if the value is not a number. */
static inline double value_number(const struct value *value) {
    return value->type == VALUE_INTEGER ? (double)value->integer
           : value->type == VALUE_REAL  ? value->real
                                        : NAN;
}

/* Returns a value for a real number; NAN becomes VALUE_NULL. */
static inline struct value value_real(double real) {
    return (struct value){.type = isnan(real) ? VALUE_NULL : VALUE_REAL, .real = real};
}

struct catalog_trace; /* declared in store/catalog.h */

/* Data on a trace that are printed with each result: name and counts of its import. */
struct result_trace {
    const char *name;   /* name of the trace: any bytes, NUL-terminated */
    const char *format; /* name of the importer that read the log */
    int64_t events, merged, ignored, rejected;
    /* records: number of records in the log. counted: number of I/Os, calls …, if it differs from
     * the number of events; else 0. Both are printed only if `counted` is not 0: "40000 lines,
     * 40000 I/Os". */
    int64_t records, counted;
    const char *record_words, *counted_words;
    int64_t lost;       /* events that the log reports as lost; printed if above 0 */
    const char *device; /* label of the device that the trace was recorded on; "" or NULL: none */
    const char *hash;   /* hash of the trace's content, hex digits; NULL: unknown */
};

struct text;
/* Appends `count`, `words` and `after`. `words` ends in "s", which is omitted if `count` is 1. */
void printer_append_count(struct text *out, int64_t count, const char *words, const char *after);

/* Appends "trace NAME: FORMAT, N events, N rejected", with other known counts of records. */
void printer_append_trace_counts(struct text *out, const struct result_trace *trace);

/* Returns the data on a trace that are printed with each result, such as name, format and counts of
 * records. The texts are borrowed from `trace`. */
struct result_trace result_trace_of(const struct catalog_trace *trace);

struct downsampling; /* defined in downsample.h */
struct plot_look;    /* defined in plot_look.h */

/* Description of a result, printed around its rows. All pointers are borrowed until
 * printer_end(). */
struct result {
    const char *report; /* name of the report: "popularity", "traces", "sql", … */
    /* option that selects a part of the report: "slowest", "at", …; NULL: none */
    const char *option;
    const char *title; /* title of the table in human-readable formats; "": none */
    /* name of the group of traces that the result is for, any bytes; NULL: none */
    const char *group;
    /* Column that formats for scripts add to distinguish results: its name ("trace", "user", …;
     * NULL: no column), and its value in this result, any bytes (NULL: SQL's NULL). In csv, results
     * with equal columns then form one table. */
    const char *part_name, *part;
    bool row_units;         /* true: the last value of each row has its own kind and unit */
    const char *clock_unit; /* unit of durations: "ns", CLOCK_UNIT_COUNTER or CLOCK_UNIT_RECORDS */
    const struct result_trace *traces;
    size_t trace_count;
    const char *const *remarks; /* # lines on the result: any bytes, NUL-terminated, without "# " */
    size_t remark_count;
    const enum remark_class *remark_classes; /* class of each remark; NULL: all are REMARK_PLAIN */
    size_t headline_count; /* the first `headline_count` remarks are headlines: they summarise the
                              rows, and are printed first */
    bool remarks_below; /* true: human-readable formats print the remarks other than headlines, and
                           the lines on traces, below the rows */
    bool sorted_below;  /* true: a table sorts remarks below the rows by class */
    const struct column *columns;
    size_t column_count;
    int64_t rows_more; /* number of further rows that option --all would print; noted below a table;
                          set after the rows */
    /* Name of a text column that human-readable formats draw as a tree, by the column "depth".
     * NULL: no tree. */
    const char *indented;
    /* The following members say how to fit a table into a terminal (layout.h). Column names in them
     * are separated by blanks; each member may be NULL. Text columns that are not named in them
     * hold names that users type, which are never cut. */
    const char *brief; /* names of columns to show, in this order, unless the user asks for all;
                          NULL: all */
    /* What counts losses, printed in red if not 0: the name of a column, or the first value of rows
     * whose second value is the count. NULL: none. */
    const char *lost;
    const char *order; /* name of the column that rows are sorted by: hidden later than others */
    const char *worth; /* names of columns to hide late; the last of these is hidden first */
    const char *key; /* names of columns that identify a row: hidden later than those in `worth` */
    const char *blank;  /* names of text columns that may be empty; in all others, human-readable
                           formats print "(none)" for an empty text; NULL: all may be empty */
    const char *prose;  /* names of text columns that may wrap between words */
    const char *cut;    /* names of text columns whose end may be cut off */
    const char *shares; /* after option --share, which replaces counts by shares: what is 100 %;
                           NULL: counts are printed */
    const char *const *axes; /* gnuplot: labels of the columns, any bytes, if column names are
                                placeholders; NULL: column names */
    /* gnuplot: names of a comparison's two sides, any bytes; NULL: none */
    const char *const *compared;
    bool curve;          /* gnuplot: option --cdf asked for a curve */
    bool some_classes;   /* gnuplot: option --class chose which I/Os are counted */
    bool remarks_of_all; /* gnuplot: true: the remarks also apply to the results after this one */
    const char *plot;    /* gnuplot commands that draw the rows (`$data`); NULL: no picture */
    /* how a picture omits rows that cannot be seen; NULL: draws all rows */
    const struct downsampling *downsampling;
};

/* Printed output in memory instead of a file. */
struct printer_memory {
    struct text *text;
    size_t most;  /* limit of `text` in bytes; 0: unlimited */
    bool is_full; /* true: the output exceeded the limit; `text` is empty */
};

struct printer_options {
    struct printer_memory *memory; /* memory to print to; NULL: prints to the file */
    bool many;        /* true: there may be several results; json then prints an array */
    bool one_picture; /* gnuplot: draws one picture only; results of several queries are an error */
    bool is_picture;  /* gnuplot: the output is a picture: a result without rows is an error */
    /* gnuplot: title of the picture; NULL: made from the names of report and traces */
    const char *title;
    struct text *notes; /* gnuplot: receives the picture's title and # lines, escaped, one per line;
                           borrowed; NULL: not needed */
    bool hashes;        /* gnuplot: true: comments include the hash of each trace */
    bool definitions;   /* table: true: prints remarks of class REMARK_DEFINITION */
    /* json: function that appends members to a result's object, after a comma; NULL: none */
    void (*members)(struct text *out, const struct result *result, const void *context);
    const void *context;
    bool color;         /* true: headings and losses may have colours, by escape sequences */
    enum bar_kind bars; /* bars next to shares in a table, if there is room in the terminal */
    int width; /* width of the terminal in columns, into which tables are fitted; 0: tables are not
                  fitted */
    const struct plot_look *look; /* size and font of flame graphs (plot_look.h); NULL: default */
    bool is_fragment;             /* html: true: the results are parts of another document */
    bool no_caption; /* html: true: tables get no caption, since the document has headings */
    size_t fold;     /* html: rows after this number are collapsed; 0: no rows are */
};

struct printer;

/* Functions of a style (an output format). They append to printer->out; the printer itself handles
 * failed writes. A style that cannot continue sets printer->failure. `close` frees memory of
 * `state`; it is called exactly once, also after a failure, or if `end` was not called. */
struct printer_style {
    const char *name; /* name of the style, as option --format takes it */
    size_t state_size;
    size_t texts;    /* `state` starts with this number of struct text; the printer frees them */
    bool is_machine; /* true: a format for scripts: gets the column result.part_name */
    bool names_none; /* true: human-readable: prints "(none)" for missing names (result.blank) */
    void (*open)(struct printer *printer); /* may be NULL, as may `end` and `close` */
    void (*begin)(struct printer *printer, const struct result *result);
    void (*row)(struct printer *printer, const struct value *values);
    void (*end)(struct printer *printer);
    void (*close)(struct printer *printer);
};

/* State of a printer, which styles can use. */
struct printer {
    const struct printer_style *style;
    struct printer_options options;
    FILE *file; /* borrowed; NULL: prints to memory */
    /* output not written yet; the printer writes it to the file when it is large */
    struct text out;
    const struct result *result; /* result between printer_begin() and printer_end(), else NULL */
    /* copy of the result with the column part_name added, if the style needs it */
    struct result extended;
    struct column *columns; /* owned; columns of `extended` */
    struct value *values;   /* owned; a row's values, followed by that of the column part_name */
    size_t results_done;    /* number of completed results */
    int write_error;        /* errno of the first failed write; 0: none failed */
    struct error failure;   /* error set by a style; the printer returns it */
    void *state;            /* the style's state: style->state_size bytes, initially zeroed */
};

/* Returns the style called `name`; NULL if there is none. */
const struct printer_style *printer_style_find(const char *name);

/* Returns the names of all styles, separated by blanks, for messages and help. */
const char *printer_style_names(void);

/* Returns a printer, owned by the caller. */
struct printer *printer_open(const struct printer_style *style, FILE *file,
                             const struct printer_options *options);

/* printer_begin(), printer_row() and printer_end() return false with `error` set if the style
 * cannot print the result, or if output cannot be written (full disk, closed pipe). The caller then
 * stops computing rows. After a failure, only printer_close() may be called. */
bool printer_begin(struct printer *printer, const struct result *result, struct error *error);
/* Prints a row; `values` has result->column_count elements. Fails as printer_begin() does. */
bool printer_row(struct printer *printer, const struct value *values, struct error *error);
bool printer_end(struct printer *printer, struct error *error);

/* Writes the rest of the output, and always frees the printer. Returns false if anything could not
 * be written (full disk, closed pipe). `done`: false after an error, the caller's own or of a
 * printer function. Then writes nothing more, leaves `error` as it is, and returns false. */
bool printer_close(struct printer *printer, bool done, struct error *error);

/* Called by output styles: writes the output to the file if it is large. Call it between fields, so
 * that memory holds at most one large field. Errors are reported at the end of the row. */
void printer_flush_if_large(struct printer *printer);

/* Called by output styles: returns the kind of a value: the value's own kind if it has one, else
 * that of its column. */
enum column_kind printer_value_kind(const struct value *value, const struct column *column);

/* Called by output styles: appends a value as the formats for scripts (tsv, csv, gnuplot) print it,
 * without escaping. Integers and whole durations are digits; shares and reals have six decimals;
 * times are seconds with nine decimals. NULL is empty, a blob is lower-case hex. Non-finite reals
 * are NaN, Inf and -Inf. Only VALUE_TEXT can produce bytes that need escaping. The locale's
 * LC_NUMERIC must be "C", as in the whole program (main sets LC_CTYPE only). */
void printer_append_machine(struct text *out, const struct value *value,
                            const struct column *column);

/* Called by output styles: returns the rank of a column for a terminal that is too narrow for all
 * columns. Columns of greater rank are hidden later. */
size_t printer_column_priority(const struct result *result, const char *name);

/* Called by output styles: returns the unit of a column in formats for scripts, borrowed; "": none.
 */
const char *printer_column_unit(const struct column *column, const char *clock_unit);

/* Called by output styles: appends a value as human-readable formats (table, md, latex, html) print
 * it, without escaping. Shares are per cent ("12.3 %"). Durations are scaled ("1.50 ms"), or whole
 * numbers if the unit is not ns. Bytes are scaled ("9.5 MiB": exact with one decimal, or three
 * digits). Reals have three digits ("2,013", "68.0", "0.078"), counts have thousands separators
 * ("1,234,567"), times have their unit. All other values are as in printer_append_machine(). */
void printer_append_human(struct text *out, const struct value *value, const struct column *column,
                          const char *clock_unit);

/* Appends a number with three significant digits: 68.0; 0.078. Keeps all digits before the point:
 * 2,013. Prints at most three decimals, unless the result would be zero. */
void printer_append_three_digits(struct text *out, double real);

/* If there are more traces than this, one line sums up all of them; else each has a line. */
#define PRINTER_LEDGER_LINES 100

/* Called by output styles: appends the result's headlines (remarks that summarise the rows), one
 * line each, escaped. Each line begins with `before`. */
void printer_append_headlines(struct text *out, const struct result *result, const char *before);

/* Called by output styles: appends a line on each trace (printer_append_trace_counts()), then the
 * remarks except headlines, one line each, escaped. Each line begins with `before`. */
void printer_append_remarks(struct text *out, const struct result *result, const char *before);

/* Called by output styles: appends the remarks, and if `ledger`, a line on each trace. The order is
 * that of human-readable formats: remarks on losses come first. Omits definitions unless
 * printer_options.definitions is set. */
void printer_append_sorted_remarks(struct text *out, const struct printer *printer, bool ledger,
                                   const char *before);

/* Called by output styles: printer_trace_line_count() returns the number of lines on traces
 * (printer_append_trace_counts()). printer_trace_line_has_rejects() returns whether such a line,
 * numbered from 0, reports rejected records. */
size_t printer_trace_line_count(const struct result *result);
bool printer_trace_line_has_rejects(const struct result *result, size_t line);

/* Called by output styles: appends `before` and the unit of the result's durations. Appends nothing
 * if the unit is "ns", or if the result has no durations. */
void printer_append_unit(struct text *out, const struct result *result, const char *before);

/* Called by output styles: returns whether values of this kind are numbers, which human-readable
 * formats align right. */
bool printer_kind_is_number(enum column_kind kind);

/* All styles; each is defined in a separate file. */
extern const struct printer_style printer_style_table, printer_style_tsv, printer_style_csv,
    printer_style_json, printer_style_jsonl, printer_style_markdown, printer_style_latex,
    printer_style_html, printer_style_gnuplot, printer_style_folded;

/* Appends a text as a field of csv. Control characters, backslashes and invalid UTF-8 are escaped
 * (text_append_escaped()). Quotes the text if it contains the separator or a quotation mark, begins
 * or ends with a blank, or is empty (NULL is not quoted). `escaped` is scratch memory, reused from
 * call to call. */
void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length);

/* Appends a quoted JSON string. Control characters are \u00NN. A byte that is not UTF-8 becomes
 * the four characters \xNN, because JSON cannot express it. */
void json_append_string(struct text *out, const char *bytes, size_t length);

/* Appends a value to a row's key: equal bytes mean equal values, also in keys of several values. */
void row_key_append(struct text *key, const struct value *value);

/* Returns the index of the column with that name; -1 if there is none, or `name` is NULL. */
int column_find(const struct column *columns, size_t count, const char *name);

/* Sets `*column` to the index of the column with that name; returns false if there is none. */
bool result_find_column(const struct result *result, const char *name, size_t *column);

/* Sets an error such as "report chain --slowest has no picture", followed by `reason`. */
void printer_set_no_picture_error(struct printer *printer, const struct result *result,
                                  const char *reason);

#endif
