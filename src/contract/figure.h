/* Figures: numbers of a trace by name, for contracts.
 *
 *     calls(fsync)                       a named figure, and its arguments
 *     p99(openat, process=sqlite*)       with filters as in reports
 *     errors(openat, ENOENT)
 *     files("*.db").fsyncs               REPORT(ROW…, FILTER=VALUE…).COLUMN
 *     latency.read.p99                   REPORT.ROW.COLUMN, another spelling
 *
 * A figure is a cell of a report, or a sum, a minimum or a maximum of cells, so it always agrees
 * with the report. A row is selected by its name, in which * matches anything. Names with blanks,
 * dots, commas or brackets are quoted by "; a " inside is doubled. */
#ifndef TRACETOOL_FIGURE_H
#define TRACETOOL_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/printer.h"
#include "report/query_set.h"
#include "report/request.h"

/* Limit of names, and of filters, in a figure. */
#define FIGURE_MOST 64

/* How the cells of several rows become one number. */
enum figure_fold {
    FOLD_ONE, /* they do not: exactly one row must match */
    FOLD_SUM,
    FOLD_MOST,
    FOLD_LEAST,
    FOLD_ROWS,  /* number of rows that have a name in the column */
    FOLD_NAMES, /* number of different names in the column */
    FOLD_RATIO  /* sum of one column divided by the sum of another */
};

/* For which spellings of a figure a source is used: all, those with names, or those with none. */
enum figure_rows { ROWS_ANY, ROWS_NAMED, ROWS_ALL };

/* Where a figure comes from: cells of a report. Strings are constant, or in the pool. */
struct figure_source {
    const char *report;
    const char *by;     /* value of --by for the report; NULL: not given */
    const char *row;    /* value that the last key must have; NULL: any */
    const char *keys;   /* columns with which names in brackets are compared, blank-separated */
    const char *column; /* column of the report; for FOLD_RATIO two columns, separated by / */
    enum figure_fold fold;
    enum figure_rows rows;
};

#define FIGURE_SOURCES 4

/* A figure with a name of its own, such as `calls`. */
struct figure_word {
    const char *name;
    const char *argument; /* what brackets after the figure may have; NULL: only filters */
    enum column_kind kind;
    unsigned kinds; /* kinds of traces that have the figure: bit set of enum trace_kind */
    const char *help;
    /* Sources of the number: the first suitable one is used. A NULL ends the list. */
    struct figure_source sources[FIGURE_SOURCES];
};

/* Returns whether a figure's word (NULL: none) is the one for findings. */
bool figure_is_finding(const struct figure_word *word);

/* All figures with names of their own; the last name is NULL. */
extern const struct figure_word figure_words[];

/* Appends the names of kinds of traces, given as bits by enum trace_kind. */
void figure_append_kinds(struct text *text, unsigned kinds);

/* A name in brackets, which selects rows by one of the key columns. */
struct figure_name {
    const char *name;
    size_t column; /* index of the key column, among the keys of the source */
};

/* A filter, or an option of the report, in the brackets of a figure. */
struct figure_option {
    const char *name, *value; /* `value` is "" if there is none */
    const char *at;           /* position in the text, for messages */
};

struct figure {
    const struct figure_word *word; /* the figure's word; NULL: a cell of a report */
    struct figure_source sources[FIGURE_SOURCES];
    bool dotted; /* true: written as REPORT.ROW.COLUMN, where `_` in a name also means a blank */
    enum column_kind kind; /* kind of the number; COLUMN_ANY: it depends on the row */
    unsigned kinds;
    bool new; /* true: counts the rows whose names no other figure of the contracts has */
    struct figure_name names[FIGURE_MOST];
    size_t name_count;
    struct figure_option given[FIGURE_MOST];
    size_t given_count;
    /* What the filters and options in the brackets mean. */
    struct filter filter;
    const struct report_option *options;
    size_t option_count;
    /* All filters and options as one string: if two are equal, they mean the same. */
    const char *key;
};

/* A text that is parsed from left to right, and the position in it, for messages. */
struct figure_reader {
    const char *text; /* begin of the whole text */
    const char *at;
    const struct query_set *queries; /* all queries */
    struct pool *pool;               /* pool that owns the figures' strings */
    /* Sets the filters and options of a figure, like its report's command line (NULL: any
     * report). */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error);
    void *context;
    struct error *error;
};

/* Sets an error that tells the position in the text. Always returns false. */
bool figure_set_error(const struct figure_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void figure_skip_blanks(struct figure_reader *reader);

/* Skips blanks, and then the word, if it comes next. Returns whether it does. */
bool figure_skip_word(struct figure_reader *reader, const char *word);

/* Returns the report with a name, borrowed. `at`: position of the name, for messages. NULL with the
 * error set if there is none. */
const char *figure_find_report(struct figure_reader *reader, const char *at, const char *name);

/* Returns whether a text begins with the name of a figure in figure_words, and not of a report. */
bool figure_is_word(const char *text);

/* Parses a figure and moves on to the text after it. */
bool figure_read(struct figure_reader *reader, struct figure *figure);

/* Adds a filter, or an option of the figure's report. `at`: its position in the text. */
bool figure_add_option(struct figure_reader *reader, const char *at, struct figure *figure,
                       const char *name, const char *value);

/* Ends a figure. Called after the last filter or option was added. */
bool figure_finish(struct figure_reader *reader, struct figure *figure);

#ifdef __clang_analyzer__ /* for the analyser: the same as in error.h */
#define figure_set_error(...) (figure_set_error(__VA_ARGS__), false)
#endif

#endif
