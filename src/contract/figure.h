/* Figures: named numbers of a trace, for contracts.
 *
 *     calls(fsync)                       a named figure, and its arguments
 *     p99(openat, process=sqlite*)       with filters as in reports
 *     errors(openat, ENOENT)
 *     files("*.db").fsyncs               REPORT(ROW…, FILTER=VALUE…).COLUMN
 *     latency.read.p99                   REPORT.ROW.COLUMN, another spelling
 *
 * A figure is a cell of a report, or a sum, minimum or maximum of cells, so it always agrees with
 * the report. A row is selected by its name, in which * matches anything. Names with blanks, dots,
 * commas or brackets are quoted by "; a " inside is doubled. */
#ifndef TRACETOOL_FIGURE_H
#define TRACETOOL_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/printer.h"
#include "report/query_set.h"
#include "report/request.h"

/* Limits of the number of names and of filters in a figure. */
#define FIGURE_MOST 64

/* How cells of several rows are combined into a number. */
enum figure_fold {
    FOLD_ONE, /* not combined: exactly one row must match */
    FOLD_SUM,
    FOLD_MOST,
    FOLD_LEAST,
    FOLD_ROWS,  /* number of rows with a value in the column */
    FOLD_NAMES, /* number of different values in the column */
    FOLD_RATIO  /* sum of one column divided by the sum of another column */
};

/* Figures to which a source applies: ROWS_NAMED: those with names in brackets; ROWS_ALL: those
 * without such names; ROWS_ANY: all. */
enum figure_rows { ROWS_ANY, ROWS_NAMED, ROWS_ALL };

/* The report cells that a figure (a number in a contract) is computed from. Strings are literals,
 * or belong to the string pool. */
struct figure_source {
    const char *report;
    const char *by;   /* value of --by for the report; NULL: not given */
    const char *row;  /* required value of the last key column; NULL: any */
    const char *keys; /* columns to which names in brackets apply, in order, separated by spaces */
    const char *column; /* column of the report; for FOLD_RATIO two columns, separated by / */
    enum figure_fold fold;
    enum figure_rows rows;
};

#define FIGURE_SOURCES 4

/* A figure with a name, such as `calls`, for which the user need not know the report. */
struct figure_word {
    const char *name;
    const char *argument; /* syntax of the argument, for help; NULL: only filters */
    enum column_kind kind;
    unsigned kinds; /* kinds of traces that have the figure: bit set of enum trace_kind */
    const char *help;
    /* Sources of the number: the first one that the trace has is used. Ended by a NULL report. */
    struct figure_source sources[FIGURE_SOURCES];
};

/* Returns whether `word` (may be NULL) is the figure "finding". */
bool figure_is_finding(const struct figure_word *word);

/* All named figures, ended by an element with a NULL name. */
extern const struct figure_word figure_words[];

/* Appends the names of kinds of traces (bit set of enum trace_kind). */
void figure_append_kinds(struct text *text, unsigned kinds);

/* A name in brackets, which selects rows by one of the key columns. */
struct figure_name {
    const char *name;
    size_t column; /* index of the column in the key columns of the source */
};

/* A filter or an option of the report, given in the brackets of a figure. */
struct figure_option {
    const char *name, *value; /* `value` is "" if there is none */
    const char *at;           /* position in the text of the contract, for error messages */
};

struct figure {
    const struct figure_word *word; /* named figure; NULL: a cell of a report */
    struct figure_source sources[FIGURE_SOURCES];
    bool dotted; /* true: written as REPORT.ROW.COLUMN; `_` in a name also matches a space */
    enum column_kind kind; /* kind of the number; COLUMN_ANY: it depends on the row */
    unsigned kinds;
    bool new; /* true: NAME.new, the number of rows whose names no other contract matches */
    struct figure_name names[FIGURE_MOST];
    size_t name_count;
    struct figure_option given[FIGURE_MOST];
    size_t given_count;
    /* Parsed filters and options of the brackets. */
    struct filter filter;
    const struct report_option *options;
    size_t option_count;
    /* All filters and options as one string, to find figures with the same ones. */
    const char *key;
};

/* Parser state for the text of a contract. */
struct figure_reader {
    const char *text; /* beginning of the text */
    const char *at;
    const struct query_set *queries; /* queries of all reports */
    struct pool *pool;               /* pool for the strings of figures */
    /* Sets filters and options of a figure, as on the command line of its report (NULL: any
     * report). Returns false with the error set if they are wrong. */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error);
    void *context;
    struct error *error;
};

/* Sets an error that names the position in the text. Always returns false. */
bool figure_set_error(const struct figure_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void figure_skip_blanks(struct figure_reader *reader);

/* Skips blanks, and then the word if it follows. Returns whether it followed. */
bool figure_skip_word(struct figure_reader *reader, const char *word);

/* Returns the report with that name, borrowed. `at`: position of the name in the text. Returns NULL
 * with the error set if there is no such report. */
const char *figure_find_report(struct figure_reader *reader, const char *at, const char *name);

/* Returns whether a text begins with a named figure (figure_words), not with a report. */
bool figure_is_word(const char *text);

/* Parses a figure, and sets reader->at to the text after it. */
bool figure_read(struct figure_reader *reader, struct figure *figure);

/* Adds a filter, or an option of the figure's report. `at`: position of the option in the text.
 * Returns false with the error set if there are too many, or the value is wrong. */
bool figure_add_option(struct figure_reader *reader, const char *at, struct figure *figure,
                       const char *name, const char *value);

/* Completes a figure after the last filter or option was added: parses them all, and sets `key`. */
bool figure_finish(struct figure_reader *reader, struct figure *figure);

#ifdef __clang_analyzer__ /* for static analysers: figure_set_error() returns false */
#define figure_set_error(...) (figure_set_error(__VA_ARGS__), false)
#endif

#endif
