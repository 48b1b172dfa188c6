/* Prints results (of a report, the list of traces, or a user's SQL) in any output format.
 *
 *     printer_open, then for each result: printer_begin, printer_row …, printer_end; printer_close
 *
 * A style is an output format: a table of functions, in a file of its own (printer_table.c,
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

/* Kind of a column's values: how to print them. Formats for people are table, md and html. */
enum column_kind {
    COLUMN_ANY,      /* kind follows from each value's type (a user's SQL); reals have 15 digits */
    COLUMN_TEXT,     /* bytes of any kind, from logs: every style escapes them */
    COLUMN_PATH,     /* a path from a log; a table in a terminal cuts out its middle */
    COLUMN_INTEGER,  /* a count; formats for people add thousands separators */
    COLUMN_NUMBER,   /* a number that is a name, such as a pid or an hour */
    COLUMN_REAL,     /* six decimals */
    COLUMN_SHARE,    /* a fraction, six decimals; for people per cent with two decimals */
    COLUMN_BYTES,    /* an integer; for people in KiB, MiB, … */
    COLUMN_DURATION, /* whole nanoseconds or counter units; for people in µs, ms, … */
    COLUMN_TIME, /* nanoseconds since the start of the trace, printed in seconds with nine decimals;
                    for scripts in ns if the column's unit is "ns" */
};

static inline bool column_kind_is_text(enum column_kind kind) {
    return kind == COLUMN_TEXT || kind == COLUMN_PATH;
}

struct column {
    const char *name; /* one word, the name for scripts */
    const char *unit; /* "bytes", "ns", "s", "fraction", …; "" for none */
    enum column_kind kind;
};

/* Class of a remark (a # line about a result); a table sorts remarks by class. */
enum remark_class {
    REMARK_PLAIN,      /* a figure, or the command to get one */
    REMARK_LOSS,       /* what is missing in the log: printed first */
    REMARK_EXCLUDED,   /* what the rows leave out */
    REMARK_DEFINITION, /* definition of a word: printed only with an option */
};

/* Characters for the bars next to shares. */
enum bar_kind {
    BAR_NONE,
    BAR_ASCII, /* # */
    BAR_BLOCKS /* Unicode block characters, in steps of an eighth of a character */
};

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct value {
    enum value_type type;
    enum column_kind kind; /* kind of this value, if a column has a kind per row (report summary);
                              COLUMN_ANY: the column's kind */
    const char *unit;      /* unit of this value; NULL: the kind's unit */
    int64_t integer;       /* value of VALUE_INTEGER */
    double real;           /* VALUE_REAL */
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

/* Returns a real number as value; NAN becomes NULL. */
static inline struct value value_real(double real) {
    return (struct value){.type = isnan(real) ? VALUE_NULL : VALUE_REAL, .real = real};
}

struct catalog_trace; /* declared in store/catalog.h */

/* What every result repeats about a trace: its name and the counts of its import. */
struct result_trace {
    const char *name;   /* name of the trace: any bytes, NUL-terminated */
    const char *format; /* name of the importer that read the log */
    int64_t events, merged, ignored, rejected;
    /* How many records the log has, if not the number of events: "40000 lines, 40000 I/Os".
     * `counted` is 0 if the log has no second count. */
    int64_t records, counted;
    const char *record_words, *counted_words;
    int64_t lost;       /* events that the log reports as lost; printed if above 0 */
    const char *device; /* label of the device that the trace was recorded on; "" or NULL: none */
    const char *hash;   /* hash of the trace's content, hex digits; NULL: unknown */
};

struct text;
/* Appends a number and words that end in "s"; for 1, without the "s". */
void printer_append_count(struct text *out, int64_t count, const char *words, const char *after);

/* Appends "trace NAME: FORMAT, N events, N rejected", with other known counts of records. */
void printer_append_ledger(struct text *out, const struct result_trace *trace);

/* Returns what results repeat about a trace; the texts are borrowed from the trace. */
struct result_trace result_trace_of(const struct catalog_trace *trace);

struct downsampling; /* downsample.h */
struct plot_look;    /* plot.h */

/* Description of a result, printed around its rows. All pointers are borrowed until
 * printer_end(). */
struct result {
    const char *report; /* name of the report: "popularity", "traces", "sql", … */
    const char *option; /* option for a part of the report: "slowest", "at", …; NULL: none */
    const char *title;  /* title of the table for people; "": none */
    const char *group;  /* name of the result's group of traces, any bytes; NULL: not grouped */
    /* Column that formats for scripts add to tell results apart: its name ("trace", "user", …;
     * NULL: none), and its value in this result, any bytes (NULL: NULL). In csv, results with equal
     * columns then form one table. */
    const char *part_name, *part;
    bool row_units;         /* true: the last value of each row has its own kind and unit */
    const char *clock_unit; /* unit of durations: "ns", CLOCK_UNIT_COUNTER or CLOCK_UNIT_RECORDS */
    const struct result_trace *traces;
    size_t trace_count;
    const char *const *remarks; /* # lines on the result: any bytes, NUL-terminated, without "# " */
    size_t remark_count;
    const enum remark_class *remark_classes; /* class of each remark; NULL: all are REMARK_PLAIN */
    size_t headline_count; /* the first `headline_count` remarks are headlines: they sum up the
                              rows, and are printed first */
    bool remarks_below; /* true: formats for people print other remarks and traces below the rows */
    bool sorted_below;  /* true: a table sorts remarks below the rows by class */
    const struct column *columns;
    size_t column_count;
    int64_t rows_more; /* number of rows that option --all would add, printed below a table; set
                          after the rows */
    /* Name of a text column that formats for people draw as a tree; the column named in `next`
     * holds the depth. NULL: no tree. */
    const char *indented;
    /* The following members say how to fit a table into a terminal (layout.h). Column names are
     * separated by blanks; each member may be NULL. Text columns that are not named here hold names
     * that users type: these are never cut. */
    const char *brief; /* columns to show, in order, unless the user wants all; NULL: all */
    /* Counts of losses are red if not 0: those in the column of this name, and in rows whose first
     * value is this name. NULL: none. */
    const char *lost;
    const char *order;  /* column that the rows are sorted by: hidden later than others */
    const char *worth;  /* columns to hide late, the last one to hide first */
    const char *key;    /* columns that tell rows apart: hidden later than those in `worth` */
    const char *blank;  /* text columns that may be empty; formats for people print "(none)" for
                           empty texts in other columns; NULL: all may be empty */
    const char *prose;  /* text columns that may wrap between words */
    const char *cut;    /* text columns whose end may be cut off */
    const char *shares; /* what shares that replace counts refer to, after option --share; NULL:
                           counts are printed */
    const char *const *axes;     /* gnuplot: labels of the columns, any bytes, if column names are
                                    placeholders; NULL: the names */
    const char *const *compared; /* gnuplot: names of a comparison's sides, any bytes; NULL: none */
    bool some_classes;           /* gnuplot: option --class chose which I/Os are counted */
    bool remarks_of_all;         /* gnuplot: the remarks also apply to the results after this one */
    const char *plot; /* gnuplot commands that draw the rows (`$data`); NULL: no picture */
    const struct downsampling *downsampling; /* how a picture leaves out rows; NULL: draws all */
};

/* Printed output in memory instead of a file. */
struct printer_memory {
    struct text *text;
    size_t most;  /* limit in bytes; 0: unlimited */
    bool is_full; /* true: the output exceeded the limit, and is empty */
};

struct printer_options {
    struct printer_memory *memory; /* memory to print to; NULL: prints to the file */
    bool many;         /* true: there may be several results, which json prints as an array */
    bool one_picture;  /* gnuplot: draw one picture only; results of several queries are an error */
    bool is_picture;   /* gnuplot draws a picture: a result without rows is an error */
    const char *title; /* gnuplot: title of the picture; NULL: names of report and traces */
    struct text *notes; /* gnuplot: gets the picture's title and # lines, escaped, one per line;
                           borrowed; NULL: not needed */
    bool hashes;        /* gnuplot: true: comments have the hash of each trace */
    bool definitions;   /* table: true: print remarks of class REMARK_DEFINITION */
    /* json: function that appends members to a result's object, after a comma; NULL: none */
    void (*members)(struct text *out, const struct result *result, const void *context);
    const void *context;
    bool color;         /* true: headings and losses may have colours, by escape sequences */
    enum bar_kind bars; /* bars next to shares in a table, if they fit into the terminal */
    int width; /* width of the terminal, in columns, to fit a table into; 0: the table's own width
                */
    const struct plot_look *look; /* size and font of flame graphs (plot_look.h); NULL: default */
    bool is_fragment;             /* html: true: the results become parts of another document */
    bool no_caption;              /* html: true: no caption, since the document has a heading */
    size_t fold;                  /* html: rows after this number are collapsed; 0: none are */
};

struct printer;

/* Functions of a style (an output format). They append to printer->out; the printer notices failed
 * writes. A style that cannot go on sets printer->failure. `close` frees what `state` refers to; it
 * is called exactly once, also after a failure or without a call of `end`. */
struct printer_style {
    const char *name; /* name of the style, as option --format takes it */
    size_t state_size;
    size_t texts;    /* `state` starts with this number of struct text; the printer frees them */
    bool is_machine; /* true: a format for scripts: adds the column result.part_name */
    bool names_none; /* true: for people: prints "(none)" for missing names (result.blank) */
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
    FILE *file;      /* borrowed; NULL: prints to memory */
    struct text out; /* output so far; the printer writes it to the file when it is large */
    const struct result *result; /* result between printer_begin() and printer_end(), else NULL */
    struct result extended; /* copy of the result with the column part_name, if that is added */
    struct column *columns; /* owned; columns of `extended` */
    struct value *values;   /* owned; values of a row with the column part_name */
    size_t results_done;    /* number of completed results */
    int write_error;        /* errno of the first failed write; 0: none failed */
    struct error failure;   /* error that a style found */
    void *state;            /* the style's own state, zeroed at first, style->state_size bytes */
};

/* Returns the style called `name`; NULL if there is none. */
const struct printer_style *printer_style_find(const char *name);

/* Returns the names of all styles, separated by blanks, for messages and help. */
const char *printer_style_names(void);

/* Returns a printer, owned by the caller. */
struct printer *printer_open(const struct printer_style *style, FILE *file,
                             const struct printer_options *options);

/* printer_begin(), printer_row() and printer_end() return false and set `error` if output cannot be
 * written (full disk, closed pipe), so that the caller stops computing rows; or if the style cannot
 * show the result. Then only printer_close() may follow. */
bool printer_begin(struct printer *printer, const struct result *result, struct error *error);
/* `values` has result->column_count elements. */
bool printer_row(struct printer *printer, const struct value *values, struct error *error);
bool printer_end(struct printer *printer, struct error *error);

/* Writes the rest of the output, and frees the printer in any case. Returns false if anything could
 * not be written (full disk, closed pipe). Pass `done` false after an error, the caller's own or of
 * a printer function: then nothing more is written, `error` stays, and false is returned. */
bool printer_close(struct printer *printer, bool done, struct error *error);

/* For styles: writes the output to the file if it is large. Called between fields, so that memory
 * holds at most one large field. Errors are reported at the end of the row. */
void printer_drain(struct printer *printer);

/* For styles: returns the kind of a value: its own, or that of its column. */
enum column_kind printer_value_kind(const struct value *value, const struct column *column);

/* For styles: appends a value as in formats for scripts (tsv, csv, gnuplot), without escaping.
 * Integers and whole durations are digits; shares and reals have six decimals; times are seconds
 * with nine decimals. NULL is empty, a blob is lower-case hex. Non-finite reals are NaN, Inf and
 * -Inf. Only VALUE_TEXT can produce bytes that need escaping. Like the whole program, this needs
 * the "C" locale for LC_NUMERIC (main sets LC_CTYPE only). */
void printer_append_machine(struct text *out, const struct value *value,
                            const struct column *column);

/* For styles: returns a number that says how late the column of that name is hidden in a narrow
 * terminal: the greater, the later. */
size_t printer_column_priority(const struct result *result, const char *name);

/* For styles: returns the unit of a column in formats for scripts; "": none. Borrowed. */
const char *printer_column_unit(const struct column *column, const char *clock_unit);

/* For styles: appends a value as in formats for people (table, md, html), without escaping. Shares
 * are per cent ("12.3 %"). Durations are scaled ("1.50 ms"), or whole numbers if the unit is not
 * ns. Bytes are scaled ("9.5 MiB": exact with one decimal, or three digits). Reals have three
 * digits ("2,013", "68.0", "0.078"), counts have thousands separators ("1,234,567"), times have
 * their unit. All others are as in printer_append_machine(). */
void printer_append_human(struct text *out, const struct value *value, const struct column *column,
                          const char *clock_unit);

/* Appends a number with three significant digits: 68.0; 0.078. All digits before the point are
 * kept: 2,013. There are at most three decimals, unless the result would be zero. */
void printer_append_three_digits(struct text *out, double real);

/* If there are more traces than this, one line stands for all of them instead of a line each. */
#define PRINTER_LEDGER_LINES 100

/* For styles: appends the headlines, one line each, escaped, after the text `before`. */
void printer_append_headlines(struct text *out, const struct result *result, const char *before);

/* For styles: appends the lines on traces and the other remarks like printer_append_headlines(). */
void printer_append_remarks(struct text *out, const struct result *result, const char *before);

/* For styles: appends the remarks, and if `ledger`, the lines on traces, in the order for people:
 * remarks on losses first. Definitions are left out unless printer_options.definitions is set. */
void printer_append_sorted(struct text *out, const struct printer *printer, bool ledger,
                           const char *before);

/* For styles: the number of lines on traces; and whether line number `line` (from 0) of them
 * reports rejected records. */
size_t printer_ledger_lines(const struct result *result);
bool printer_ledger_rejects(const struct result *result, size_t line);

/* For styles: appends `before` and the unit of durations in the result. Appends nothing if the unit
 * is "ns" or the result has no durations. */
void printer_append_unit(struct text *out, const struct result *result, const char *before);

/* For styles: returns whether values of this kind are numbers; formats for people align these
 * right. */
bool printer_kind_is_number(enum column_kind kind);

/* All styles; each has a file of its own. */
extern const struct printer_style printer_style_table, printer_style_tsv, printer_style_csv,
    printer_style_json, printer_style_jsonl, printer_style_markdown, printer_style_latex,
    printer_style_html, printer_style_gnuplot, printer_style_folded;

/* Appends a text as a field of csv. Control characters, backslashes and invalid UTF-8 are escaped
 * (text_append_escaped()). Quotes the text if it contains the separator or a quotation mark, or
 * begins or ends with a blank; also if it is empty, unlike NULL. `escaped` is scratch memory that
 * calls reuse. */
void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length);

/* Appends a quoted JSON string. Control characters are \u00NN. A byte that is not UTF-8 becomes
 * the four characters \xNN, because JSON cannot express it. */
void json_append_string(struct text *out, const char *bytes, size_t length);

/* Appends a value to a key: equal bytes mean equal values, also in keys of several values. */
void row_key_append(struct text *key, const struct value *value);

/* Returns the index of the column with that name; -1 if there is none, or `name` is NULL. */
int column_find(const struct column *columns, size_t count, const char *name);

/* Sets `*column` to the index of the column with that name; returns false if there is none. */
bool result_find_column(const struct result *result, const char *name, size_t *column);

/* Sets an error such as "report chain --slowest has no picture", and then `reason`. */
void printer_refuse_picture(struct printer *printer, const struct result *result,
                            const char *reason);

#endif
