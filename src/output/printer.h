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

/* What a column holds, which decides how it is written. */
enum column_kind {
    COLUMN_ANY,      /* by the value's own type (a user's SQL); a real with 15 digits */
    COLUMN_TEXT,     /* bytes from outside: every style makes them harmless */
    COLUMN_PATH,     /* likewise, of a file; a terminal cuts its middle */
    COLUMN_INTEGER,  /* a number of something; its thousands are grouped for people */
    COLUMN_NUMBER,   /* a number that names something, as a pid or an hour */
    COLUMN_REAL,     /* six decimals */
    COLUMN_SHARE,    /* a fraction, six decimals; per cent with two decimals for people */
    COLUMN_BYTES,    /* an integer; scaled with a unit for people */
    COLUMN_DURATION, /* whole nanoseconds (or counter units); scaled with a unit for people */
    COLUMN_TIME,     /* nanoseconds since the start of the trace, written as seconds with nine
                        decimals; by machines as whole ones where the unit says "ns" */
};

static inline bool column_kind_is_text(enum column_kind kind) {
    return kind == COLUMN_TEXT || kind == COLUMN_PATH;
}

struct column {
    const char *name; /* one word, by which scripts know it */
    const char *unit; /* "bytes", "ns", "s", "fraction", …; "" for none */
    enum column_kind kind;
};

/* What a remark tells, by which a table orders them. */
enum remark_class {
    REMARK_PLAIN,      /* a figure, or how to get one */
    REMARK_LOSS,       /* what the log lacks: first of all */
    REMARK_EXCLUDED,   /* what is not in the rows */
    REMARK_DEFINITION, /* what a word means: only where it is asked for */
};

/* What bars of shares are made of. */
enum bar_kind {
    BAR_NONE,
    BAR_ASCII, /* # */
    BAR_BLOCKS /* the block characters of Unicode, an eighth of a column and up */
};

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct value {
    enum value_type type;
    enum column_kind kind; /* COLUMN_ANY: as the column says; else this row's own (summary) */
    const char *unit;      /* of such a row; NULL: that of the kind */
    int64_t integer;       /* VALUE_INTEGER */
    double real;           /* VALUE_REAL */
    const char *bytes;     /* VALUE_TEXT and VALUE_BLOB; borrowed for the call; any bytes */
    size_t length;         /* of bytes */
};

static inline struct value value_text(const char *string) {
    return (struct value){.type = VALUE_TEXT, .bytes = string, .length = strlen(string)};
}

static inline struct value value_integer(int64_t integer) {
    return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* NAN: NULL. */
static inline struct value value_real(double real) {
    return (struct value){.type = isnan(real) ? VALUE_NULL : VALUE_REAL, .real = real};
}

struct catalog_trace; /* store/catalog.h */

/* The import ledger of a trace, as far as every result repeats it. */
struct result_trace {
    const char *name;   /* any bytes, NUL-terminated */
    const char *format; /* the importer's name */
    int64_t events, merged, ignored, rejected;
    /* What the log has, where that is another number than that of the events: "40000 lines, 40000
     * I/Os". `counted` is 0 where it is not. */
    int64_t records, counted;
    const char *record_words, *counted_words;
    int64_t lost;       /* the log says that they are not in it; told where there are any */
    const char *device; /* label; "" or NULL for none */
    const char *hash;   /* of its content, hex digits; NULL: not known */
};

/* Appends "trace NAME: FORMAT, N events, N rejected", with what else is known of its records. */
struct text;
void printer_append_ledger(struct text *out, const struct result_trace *trace);

/* Its texts are the trace's own. */
struct result_trace result_trace_of(const struct catalog_trace *trace);

struct downsampling; /* downsample.h */
struct plot_look;    /* plot.h */

/* What stands above the rows. All of it is borrowed until printer_end(). */
struct result {
    const char *report; /* "popularity", "traces", "sql", … */
    const char *title;  /* for people, "" for none */
    const char *group;  /* the group of traces that it is of, any bytes; NULL: there are none */
    /* What forms for machines tell the result from others by, in a column of its own behind those
     * of the result: its name ("trace", "user", …), NULL: none; and what stands in it, any bytes,
     * NULL: NULL. Results with the same columns then are one table in csv. */
    const char *part_name, *part;
    bool row_units;         /* the last values of rows have kinds, and units, of their own */
    const char *clock_unit; /* unit of COLUMN_DURATION: "ns", CLOCK_UNIT_COUNTER or _RECORDS */
    const struct result_trace *traces;
    size_t trace_count;
    const char *const *remarks; /* any bytes, NUL-terminated, without the "# " */
    size_t remark_count;
    const enum remark_class *remark_classes; /* of each; NULL: all are plain */
    size_t headline_count; /* so many of them, the first, are what the rows show: above all else */
    bool remarks_below;    /* forms for people have traces and all other remarks below the rows */
    bool sorted_below;     /* a table has them there by class (printer_append_sorted()) */
    const struct column *columns;
    size_t column_count;
    int64_t rows_more; /* so many rows --all adds, known with the rows: a table says so below */
    /* Name of a column of text that people see as a tree by the row's depth, an integer in the
     * column of that name; NULL: none. */
    const char *indented;
    /* How a table finds room on a terminal (layout.h), names of columns parted by blanks, each NULL
     * for none. Texts that are not named here are what people type, and stay whole. */
    const char *brief; /* only these, in this order, unless all are asked for; NULL: all */
    /* In colours: the column and the rows (by their first value) of this name tell what was lost,
     * and are red unless it is 0; NULL: none. */
    const char *lost;
    const char *order;  /* what the rows are sorted by: shown before other columns are */
    const char *worth;  /* likewise, the worthiest first … */
    const char *key;    /* … but behind those that tell rows apart */
    const char *blank;  /* texts that may be empty; others are "(none)" then in forms for people;
                           NULL: all may */
    const char *prose;  /* texts that are broken between words */
    const char *cut;    /* texts that may be cut */
    const char *shares; /* what counts are shares of, as after --share; NULL: they are counts */
    const char *const *axes; /* gnuplot: what the columns are called, any bytes, where their names
                                are only places; NULL: as their names */
    const char *const *compared; /* gnuplot: what the two sides of a comparison are called, any
                                    bytes; NULL: it is none */
    bool some_classes;           /* gnuplot: --class names those that are counted */
    bool remarks_of_all;         /* gnuplot: the remarks are of the results that follow, too */
    const char *plot; /* gnuplot commands that draw `$data`; NULL where there is no picture */
    const struct downsampling *downsampling; /* which rows a picture needs; NULL: all */
};

/* Memory that is printed to instead of a file. */
struct printer_memory {
    struct text *text;
    size_t most;  /* bytes; 0: any number */
    bool is_full; /* there are more: then nothing is kept */
};

struct printer_options {
    struct printer_memory *memory; /* NULL: the file is printed to */
    bool many;                     /* several results may come: json is an array */
    bool one_picture;   /* gnuplot writes a file that holds one picture: results of several queries
                           are refused */
    bool is_picture;    /* gnuplot draws: where there are no rows, that is an error */
    const char *title;  /* gnuplot: instead of the report's and the traces' names; NULL: these */
    struct text *notes; /* gnuplot: what the picture is of and its # lines are appended here,
                           harmless, a line each; borrowed; NULL: nobody wants them */
    bool hashes;        /* gnuplot: comments say the hash of each trace */
    bool definitions;   /* table: with remarks that define words */
    bool color;         /* escape sequences are welcome, for headings and what was lost */
    enum bar_kind bars; /* what a table draws shares with where it fits into a terminal */
    int width; /* columns of the terminal, which a table fits into; 0: it is as wide as it is
                  (no terminal, or all was asked for) */
    const struct plot_look *look; /* flame graphs (plot.h); NULL: as usual */
    bool is_fragment;             /* html: results are parts of somebody else's document */
    bool no_caption;              /* html: whose heading says already what they are of */
    size_t fold;                  /* html: rows beyond so many are folded; 0: none */
};

struct printer;

/* The functions of a style. They append to printer->out; that a write failed is found by the
 * printer. A style that cannot go on sets printer->failure. `state` is theirs: `close` frees what
 * hangs on it, and is called exactly once, also after a failure or when a result was never ended.
 */
struct printer_style {
    const char *name; /* as after --format */
    size_t state_size;
    size_t texts;    /* with which the state begins: the printer frees them */
    bool is_machine; /* has a column for what people see otherwise: the part */
    bool names_none; /* for people: what has no name is "(none)" (result.blank) */
    void (*open)(struct printer *printer); /* may be NULL, as may `end` and `close` */
    void (*begin)(struct printer *printer, const struct result *result);
    void (*row)(struct printer *printer, const struct value *values);
    void (*end)(struct printer *printer);
    void (*close)(struct printer *printer);
};

/* For the styles: what they work with. */
struct printer {
    const struct printer_style *style;
    struct printer_options options;
    FILE *file;                  /* borrowed; NULL where memory is printed to */
    struct text out;             /* append here; flushed by the printer when it is large */
    const struct result *result; /* between begin and end, else NULL */
    struct result extended;      /* what it points to, where there is a further column … */
    struct column *columns;      /* … behind these; owned */
    struct value *values;        /* of a row, with that of the further column; owned */
    size_t results_done;         /* results ended so far */
    int write_error;             /* errno of the first write that failed, else 0 */
    struct error failure;        /* of the style */
    void *state;                 /* zeroed, style->state_size bytes */
};

/* The style called `name`, NULL when there is none. */
const struct printer_style *printer_style_find(const char *name);

/* Names of all styles, blank-separated, for messages and help. */
const char *printer_style_names(void);

/* Returns an owned printer. */
struct printer *printer_open(const struct printer_style *style, FILE *file,
                             const struct printer_options *options);

/* These three return false with `error` set when output could not be written (so that nobody
 * computes rows for a full disk or a closed pipe) or when the style cannot show the result; then
 * only printer_close() may follow. */
bool printer_begin(struct printer *printer, const struct result *result, struct error *error);
/* `values` has result->column_count elements. */
bool printer_row(struct printer *printer, const struct value *values, struct error *error);
bool printer_end(struct printer *printer, struct error *error);

/* Finishes the output, flushes, frees the printer whatever happened. False when anything could not
 * be written (full disk, closed pipe), and where `done` is: after an error of the caller's own, or
 * one of the functions above, nothing more is written, and `error` stays as it is. */
bool printer_close(struct printer *printer, bool done, struct error *error);

/* For the styles: writes what was appended when there is much of it; between two fields, so that
 * memory holds no more than one that is large. What fails is told at the end of the row. */
void printer_drain(struct printer *printer);

/* For the styles: the kind that decides for this value. */
enum column_kind printer_value_kind(const struct value *value, const struct column *column);

/* For the styles: appends a value in the machine form (tsv, csv, gnuplot), without escaping:
 * integers and whole durations in digits, shares and reals with six decimals, times as seconds
 * with nine, NULL as nothing, a blob as lower-case hex. Reals that are no numbers are NaN, Inf and
 * -Inf. Only VALUE_TEXT can give bytes that need escaping. Like all of the program it needs the
 * "C" locale for LC_NUMERIC (main sets LC_CTYPE only). */
void printer_append_machine(struct text *out, const struct value *value,
                            const struct column *column);

/* For the styles: how late the column of that name is left out where a terminal has no room for
 * all: the greater, the later. */
size_t printer_column_worth(const struct result *result, const char *name);

/* For the styles: the unit of what is in the column in the machine form; "" for none. Borrowed. */
const char *printer_column_unit(const struct column *column, const char *clock_unit);

/* For the styles: appends a value in the form for people (table, md, html), without escaping:
 * shares in per cent ("12.3 %"), durations scaled ("1.50 ms"; whole when the unit is not ns),
 * bytes scaled ("9.5 MiB": exact with one decimal, or three digits), bytes a second likewise, reals
 * with three digits ("2,013", "68.0", "0.078"), numbers of something grouped ("1,234,567"), times
 * with their unit, the rest as in the machine form. */
void printer_append_human(struct text *out, const struct value *value, const struct column *column,
                          const char *clock_unit);

/* Appends three digits, but all before the point, and three decimals at most unless that were
 * nothing: 2,013; 68.0; 0.078. */
void printer_append_three_digits(struct text *out, double real);

/* Of so many traces each has a line of the ledger; more are told in one line. */
#define PRINTER_LEDGER_LINES 100

/* For the styles: appends the headlines, one line each, escaped: `before`, the text, `after`. */
void printer_append_headlines(struct text *out, const struct result *result, const char *before,
                              const char *after);

/* For the styles: appends the ledger and the remarks that are no headlines, likewise. */
void printer_append_remarks(struct text *out, const struct result *result, const char *before,
                            const char *after);

/* For the styles: the same for people who want to see the rows: losses come first, and definitions
 * only where the printer's options want them. */
void printer_append_sorted(struct text *out, const struct printer *printer, bool ledger,
                           const char *before, const char *after);

/* For the styles: how many of these lines are of the ledger, and whether that line of it, from 0,
 * tells of rejected records. */
size_t printer_ledger_lines(const struct result *result);
bool printer_ledger_rejects(const struct result *result, size_t line);

/* For the styles: appends a line that tells the unit of the durations in `result`, with `before` in
 * front, if that is not "ns" and there may be durations; else nothing. */
void printer_append_unit(struct text *out, const struct result *result, const char *before);

/* For the styles: whether values of this kind are numbers, which people like aligned right. */
bool printer_kind_is_number(enum column_kind kind);

/* The styles, each in a file of its own. */
extern const struct printer_style printer_style_table, printer_style_tsv, printer_style_csv,
    printer_style_json, printer_style_jsonl, printer_style_markdown, printer_style_latex,
    printer_style_html, printer_style_gnuplot, printer_style_folded;

/* Appends a text as one field. Control characters, backslashes and invalid UTF-8 are escaped as
 * text_append_escaped() does; quotation marks stand around it where the separator or a quotation
 * mark is in it, where it begins or ends with a blank, and where it is empty, so that it can be
 * told from NULL. `escaped` is memory that is used again from call to call. */
void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length);

/* Appends a string in its quotation marks. Control characters are \u00NN; a byte that is not UTF-8
 * becomes the four characters \xNN, since JSON has no way to say it. */
void json_append_string(struct text *out, const char *bytes, size_t length);

#endif
