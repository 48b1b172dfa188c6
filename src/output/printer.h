/* One printer renders any result (a report, the list of traces, a user's SQL) in every style.
 *
 *     printer_open, then for each result: printer_begin, printer_row …, printer_end; printer_close
 *
 * A style is a table of functions in a file of its own (printer_table.c, printer_tsv.c, …).
 * Rows are streamed: no style keeps more than a bounded number of them.
 */
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

/* Kind of a column's values; it selects their format. */
enum column_kind {
    COLUMN_ANY, /* the kind follows from the type of each value (a user's SQL); reals have 15 digits
                 */
    COLUMN_TEXT,     /* untrusted bytes: every style escapes them */
    COLUMN_PATH,     /* an untrusted path; a terminal cuts it in the middle */
    COLUMN_INTEGER,  /* a count; forms for people group its thousands */
    COLUMN_NUMBER,   /* a number used as a name, such as a pid or an hour */
    COLUMN_REAL,     /* six decimals */
    COLUMN_SHARE,    /* a fraction, six decimals; forms for people: per cent with two decimals */
    COLUMN_BYTES,    /* an integer; forms for people: scaled, with a unit */
    COLUMN_DURATION, /* whole nanoseconds (or counter units); forms for people: scaled, with a unit
                      */
    COLUMN_TIME,     /* nanoseconds since the start of the trace; in seconds with nine decimals, for
                        machines in whole ns if the unit is "ns" */
};

static inline bool column_kind_is_text(enum column_kind kind) {
    return kind == COLUMN_TEXT || kind == COLUMN_PATH;
}

struct column {
    const char *name; /* one word, the name for scripts */
    const char *unit; /* "bytes", "ns", "s", "fraction", …; "" for none */
    enum column_kind kind;
};

/* Class of a remark; a table sorts remarks by it. */
enum remark_class {
    REMARK_PLAIN,      /* a figure, or how to get one */
    REMARK_LOSS,       /* what the log lacks: printed first */
    REMARK_EXCLUDED,   /* what the rows leave out */
    REMARK_DEFINITION, /* definition of a word: printed only on request */
};

/* Characters that bars of shares consist of. */
enum bar_kind {
    BAR_NONE,
    BAR_ASCII, /* # */
    BAR_BLOCKS /* Unicode block characters, from an eighth of a column up */
};

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct value {
    enum value_type type;
    enum column_kind kind; /* kind of this value, for a column with a kind per row (report summary);
                              COLUMN_ANY: the kind of the column */
    const char *unit;      /* unit of this row's value; NULL: the kind's unit */
    int64_t integer;       /* VALUE_INTEGER */
    double real;           /* VALUE_REAL */
    const char *bytes;     /* VALUE_TEXT and VALUE_BLOB; borrowed for the call; any bytes */
    size_t length;         /* length of the text or blob in bytes */
};

static inline struct value value_text(const char *string) {
    return (struct value){.type = VALUE_TEXT, .bytes = string, .length = strlen(string)};
}

static inline struct value value_integer(int64_t integer) {
    return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* Returns a value as a number; NAN if it is none. */
static inline double value_number(const struct value *value) {
    return value->type == VALUE_INTEGER ? (double)value->integer
           : value->type == VALUE_REAL  ? value->real
                                        : NAN;
}

/* Returns a real value; NAN becomes NULL. */
static inline struct value value_real(double real) {
    return (struct value){.type = isnan(real) ? VALUE_NULL : VALUE_REAL, .real = real};
}

struct catalog_trace; /* store/catalog.h */

/* The part of a trace's import ledger that every result repeats. */
struct result_trace {
    const char *name;   /* any bytes, NUL-terminated */
    const char *format; /* the importer's name */
    int64_t events, merged, ignored, rejected;
    /* The log's own count of its records, if it differs from the number of events: "40000 lines,
     * 40000 I/Os". `counted` is 0 if it does not. */
    int64_t records, counted;
    const char *record_words, *counted_words;
    int64_t lost;       /* events that the log reports as lost; printed if above 0 */
    const char *device; /* label of the trace's device; "" or NULL for none */
    const char *hash;   /* hash of the content, hex digits; NULL: not known */
};

struct text;
/* Appends a number and words that end in "s", unless it is 1. */
void printer_append_count(struct text *out, int64_t count, const char *words, const char *after);

/* Appends "trace NAME: FORMAT, N events, N rejected", with other known counts of its records. */
void printer_append_ledger(struct text *out, const struct result_trace *trace);

/* Returns the ledger of a trace; its texts are borrowed from the trace. */
struct result_trace result_trace_of(const struct catalog_trace *trace);

struct downsampling; /* downsample.h */
struct plot_look;    /* plot.h */

/* A result's description, which is printed above the rows. All of it is borrowed until
 * printer_end(). */
struct result {
    const char *report; /* "popularity", "traces", "sql", … */
    const char *option; /* which part of the report: "slowest", "at", …; NULL: the main one */
    const char *title;  /* title of the table for people; "" for none */
    const char *group;  /* the group of traces of the result, any bytes; NULL: no groups */
    /* Extra last column by which forms for machines distinguish results: its name ("trace",
     * "user", …; NULL: none) and its value, any bytes (NULL: NULL). In csv, results with the same
     * columns then form one table. */
    const char *part_name, *part;
    bool row_units;         /* the last values of rows have kinds, and units, of their own */
    const char *clock_unit; /* unit of COLUMN_DURATION: "ns", CLOCK_UNIT_COUNTER or _RECORDS */
    const struct result_trace *traces;
    size_t trace_count;
    const char *const *remarks; /* any bytes, NUL-terminated, without the "# " */
    size_t remark_count;
    const enum remark_class *remark_classes; /* class of each remark; NULL: all are plain */
    size_t headline_count; /* number of leading remarks that are headlines: they summarise the rows
                              and come first */
    bool remarks_below;    /* forms for people print traces and all other remarks below the rows */
    bool sorted_below; /* a table sorts remarks below the rows by class (printer_append_sorted()) */
    const struct column *columns;
    size_t column_count;
    int64_t rows_more; /* number of rows that --all would add, set after the rows; a table prints it
                          below */
    /* Name of a text column that forms for people show as a tree. The row's depth is an integer in
     * the column named next; NULL: none. */
    const char *indented;
    /* Hints for fitting a table into a terminal (layout.h). Column names are separated by blanks;
     * each may be NULL for none. Texts not listed here are names that users type, and stay
     * complete. */
    const char *brief; /* only these columns, in this order, unless all are requested; NULL: all */
    /* With colours: the column and the rows (by their first value) of this name count losses. They
     * are red unless 0; NULL: none. */
    const char *lost;
    const char *order; /* sort column of the rows: kept visible longer than the others */
    const char *worth; /* columns to keep visible, the most valuable first */
    const char *key;   /* columns that distinguish rows: kept visible longer than `worth` */
    const char *blank; /* text columns that may be empty; in forms for people, empty texts elsewhere
                          become "(none)"; NULL: all may */
    const char *prose; /* text columns that wrap between words */
    const char *cut;   /* text columns that may be cut */
    const char *shares; /* base of the shares that replace counts, as after --share; NULL: counts
                           are counts */
    const char *const *axes; /* gnuplot: labels of the columns, any bytes, if their names are only
                                placeholders; NULL: their names */
    const char *const *compared; /* gnuplot: names of the two sides of a comparison, any bytes;
                                    NULL: not a comparison */
    bool some_classes;           /* gnuplot: --class names the counted classes */
    bool remarks_of_all;         /* gnuplot: the remarks also apply to the following results */
    const char *plot;            /* gnuplot commands that draw `$data`; NULL: no picture */
    const struct downsampling *downsampling; /* rows that a picture needs; NULL: all */
};

/* Memory that is printed to instead of a file. */
struct printer_memory {
    struct text *text;
    size_t most;  /* limit in bytes; 0: unlimited */
    bool is_full; /* the limit was exceeded; then nothing is kept */
};

struct printer_options {
    struct printer_memory *memory; /* destination in memory; NULL: the file */
    bool many;                     /* true: there may be several results, so json prints an array */
    bool one_picture;   /* gnuplot writes one file with one picture: results of several queries are
                           refused */
    bool is_picture;    /* gnuplot draws: a result without rows is an error */
    const char *title;  /* gnuplot: title of the picture; NULL: names of report and traces */
    struct text *notes; /* gnuplot: receives the subject of the picture and its # lines, escaped, a
                           line each; borrowed; NULL: not needed */
    bool hashes;        /* gnuplot: comments include the hash of each trace */
    bool definitions;   /* table: print remarks that define words */
    /* json: appends further members of a result, behind a comma; NULL: none */
    void (*members)(struct text *out, const struct result *result, const void *context);
    const void *context;
    bool color;         /* allow escape sequences, for headings and losses */
    enum bar_kind bars; /* bars next to shares in a table, if they fit into the terminal */
    int width; /* terminal width in columns, which a table fits into; 0: natural width (no terminal,
                  or all columns requested) */
    const struct plot_look *look; /* for flame graphs (plot.h); NULL: default */
    bool is_fragment;             /* html: results are parts of another document */
    bool no_caption; /* html: the document around a fragment has a heading with its subject */
    size_t fold;     /* html: rows beyond this number are folded; 0: none */
};

struct printer;

/* The functions of a style. They append to printer->out; the printer detects failed writes. A
 * style that cannot go on sets printer->failure. The style owns `state`. `close` frees everything
 * that it refers to. It is called exactly once, also after a failure or when a result was never
 * ended. */
struct printer_style {
    const char *name; /* name of the style after --format */
    size_t state_size;
    size_t texts;    /* number of texts that the state starts with: the printer frees them */
    bool is_machine; /* for machines: the part gets a column of its own */
    bool names_none; /* for people: missing names are "(none)" (result.blank) */
    void (*open)(struct printer *printer); /* may be NULL, as may `end` and `close` */
    void (*begin)(struct printer *printer, const struct result *result);
    void (*row)(struct printer *printer, const struct value *values);
    void (*end)(struct printer *printer);
    void (*close)(struct printer *printer);
};

/* State of a printer, for the styles. */
struct printer {
    const struct printer_style *style;
    struct printer_options options;
    FILE *file;                  /* borrowed; NULL: prints to memory */
    struct text out;             /* append here; the printer flushes it when it is large */
    const struct result *result; /* the current result between begin and end, else NULL */
    struct result extended;      /* copy of the result with an additional column, if there is one */
    struct column *columns;      /* owned; columns of `extended` */
    struct value *values;        /* values of a row, including the additional column; owned */
    size_t results_done;         /* number of completed results */
    int write_error;             /* errno of the first failed write, else 0 */
    struct error failure;        /* error that the style reports */
    void *state;                 /* zeroed, style->state_size bytes */
};

/* Returns the style called `name`; NULL if there is none. */
const struct printer_style *printer_style_find(const char *name);

/* Returns the names of all styles, blank-separated, for messages and help. */
const char *printer_style_names(void);

/* Returns an owned printer. */
struct printer *printer_open(const struct printer_style *style, FILE *file,
                             const struct printer_options *options);

/* printer_begin(), printer_row() and printer_end() return false with `error` set when output could
 * not be written, so that no rows are computed for a full disk or a closed pipe. They also do so
 * when the style cannot show the result. Then only printer_close() may follow. */
bool printer_begin(struct printer *printer, const struct result *result, struct error *error);
/* `values` has result->column_count elements. */
bool printer_row(struct printer *printer, const struct value *values, struct error *error);
bool printer_end(struct printer *printer, struct error *error);

/* Completes the output, flushes, and always frees the printer. False when anything could not be
 * written (full disk, closed pipe). Pass false as `done` after an error, the caller's own or of a
 * function above: then nothing more is written, `error` is unchanged, and false is returned. */
bool printer_close(struct printer *printer, bool done, struct error *error);

/* For the styles: flushes the buffer if it is large. Called between fields, so that memory never
 * holds more than one large field. Errors are reported at the end of the row. */
void printer_drain(struct printer *printer);

/* For the styles: returns the kind that applies to this value. */
enum column_kind printer_value_kind(const struct value *value, const struct column *column);

/* For the styles: appends a value in the machine form (tsv, csv, gnuplot), without escaping.
 * Integers and whole durations are digits; shares and reals have six decimals; times are seconds
 * with nine. NULL is empty, a blob is lower-case hex. Non-finite reals are NaN, Inf and -Inf. Only
 * VALUE_TEXT can produce bytes that need escaping. Like the whole program, it needs the "C" locale
 * for LC_NUMERIC (main sets LC_CTYPE only). */
void printer_append_machine(struct text *out, const struct value *value,
                            const struct column *column);

/* For the styles: returns the priority of the column of that name where a terminal is too narrow.
 * The greater it is, the later the column is hidden. */
size_t printer_column_worth(const struct result *result, const char *name);

/* For the styles: returns the unit of a column in the machine form; "" for none. Borrowed. */
const char *printer_column_unit(const struct column *column, const char *clock_unit);

/* For the styles: appends a value in the form for people (table, md, html), without escaping.
 * Shares are per cent ("12.3 %"). Durations are scaled ("1.50 ms"), or whole if the unit is not
 * ns. Bytes and bytes per second are scaled ("9.5 MiB": exact with one decimal, or three digits).
 * Reals have three digits ("2,013", "68.0", "0.078"), counts are grouped ("1,234,567"), times have
 * their unit. All others are as in the machine form. */
void printer_append_human(struct text *out, const struct value *value, const struct column *column,
                          const char *clock_unit);

/* Appends three significant digits, but always all digits before the point, and at most three
 * decimals unless the result would be zero: 2,013; 68.0; 0.078. */
void printer_append_three_digits(struct text *out, double real);

/* Limit of traces with a ledger line each; more traces share one line. */
#define PRINTER_LEDGER_LINES 100

/* For the styles: appends the headlines, one line each, escaped, after `before`. */
void printer_append_headlines(struct text *out, const struct result *result, const char *before);

/* For the styles: appends the ledger and the other remarks in the same way. */
void printer_append_remarks(struct text *out, const struct result *result, const char *before);

/* For the styles: appends the remarks, and with `ledger` the ledger, in the order for people.
 * Losses come first; definitions appear only if the printer's options request them. */
void printer_append_sorted(struct text *out, const struct printer *printer, bool ledger,
                           const char *before);

/* For the styles: return the number of lines of the ledger, and whether line `line` of the ledger,
 * from 0, reports rejected records. */
size_t printer_ledger_lines(const struct result *result);
bool printer_ledger_rejects(const struct result *result, size_t line);

/* For the styles: appends `before` and the unit of the durations in `result`. Appends nothing if
 * the unit is "ns" or there can be no durations. */
void printer_append_unit(struct text *out, const struct result *result, const char *before);

/* For the styles: returns whether values of this kind are numbers, which forms for people align
 * right. */
bool printer_kind_is_number(enum column_kind kind);

/* The styles, each in a file of its own. */
extern const struct printer_style printer_style_table, printer_style_tsv, printer_style_csv,
    printer_style_json, printer_style_jsonl, printer_style_markdown, printer_style_latex,
    printer_style_html, printer_style_gnuplot, printer_style_folded;

/* Appends a text as one field. Control characters, backslashes and invalid UTF-8 are escaped as by
 * text_append_escaped(). Text is quoted if it contains the separator or a quotation mark, or
 * begins or ends with a blank. Empty text is quoted to distinguish it from NULL. `escaped` is a
 * scratch buffer that is reused between calls. */
void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length);

/* Appends a quoted JSON string. Control characters are \u00NN. A byte that is not UTF-8 becomes
 * the four characters \xNN, because JSON cannot express it. */
void json_append_string(struct text *out, const char *bytes, size_t length);

/* Appends a value in a prefix-free encoding: equal bytes mean equal values. */
void row_key_append(struct text *key, const struct value *value);

/* Returns the index of the column of that name, -1 if there is none or `name` is NULL. */
int column_find(const struct column *columns, size_t count, const char *name);

/* Sets the index of the result's column of that name; false if there is none. */
bool result_find_column(const struct result *result, const char *name, size_t *column);

/* Sets an error: "report chain --slowest has no picture", then `reason`. */
void printer_refuse_picture(struct printer *printer, const struct result *result,
                            const char *reason);

#endif
