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

/* Limits of names and of filters per figure. */
#define FIGURE_MOST 64

/* How the cells of several rows are combined. */
enum figure_fold {
    FOLD_ONE, /* exactly one row is required */
    FOLD_SUM,
    FOLD_MOST,
    FOLD_LEAST,
    FOLD_ROWS,  /* number of rows that have a name */
    FOLD_NAMES, /* number of different names */
    FOLD_RATIO  /* the sum of one column divided by that of another */
};

/* Spellings of a named figure for which a source applies. */
enum figure_rows { ROWS_ANY, ROWS_NAMED, ROWS_ALL };

/* Source of a figure. Strings are constant, or in the pool. */
struct figure_source {
    const char *report;
    const char *by;     /* --by; NULL: not given */
    const char *row;    /* required last key; NULL: any */
    const char *keys;   /* columns that row names are compared with, blank-separated */
    const char *column; /* column of the report; for a ratio two columns, separated by / */
    enum figure_fold fold;
    enum figure_rows rows;
};

#define FIGURE_SOURCES 3

/* A named figure, such as `calls`. */
struct figure_word {
    const char *name;
    const char *argument; /* arguments allowed in the brackets; NULL: only filters */
    enum column_kind kind;
    unsigned kinds; /* bit set of enum trace_kind: kinds that it applies to */
    const char *help;
    struct figure_source sources[FIGURE_SOURCES]; /* the first available one is used; NULL ends */
};

/* Whether the word (NULL: none) is the figure of a finding. */
bool figure_is_finding(const struct figure_word *word);

/* All named figures; ends with a NULL name. */
extern const struct figure_word figure_words[];

/* Appends the names of kinds of traces. `kinds`: bits by enum trace_kind. */
void figure_append_kinds(struct text *text, unsigned kinds);

/* A name that selects rows, by one of the key's columns. */
struct figure_name {
    const char *name;
    size_t column; /* index among the keys of the source */
};

/* A filter or an option of the report, as written in the brackets. */
struct figure_option {
    const char *name, *value; /* value: "" if there is none */
    const char *at;           /* position in the text */
};

struct figure {
    const struct figure_word *word; /* NULL: a cell of a report */
    struct figure_source sources[FIGURE_SOURCES];
    bool dotted;           /* REPORT.ROW.COLUMN: `_` in a name also means a blank */
    enum column_kind kind; /* COLUMN_ANY: the row has its own kind */
    unsigned kinds;
    bool new; /* true: counts rows whose names no other figure of the contracts has */
    struct figure_name names[FIGURE_MOST];
    size_t name_count;
    struct figure_option given[FIGURE_MOST];
    size_t given_count;
    /* Meaning of the filters and options. */
    struct filter filter;
    const struct report_option *options;
    size_t option_count;
    const char *key; /* filters and options as one string: equal strings mean the same */
};

/* A text that is parsed from left to right, with its position for messages. */
struct figure_reader {
    const char *text; /* the whole text, from its beginning */
    const char *at;
    const struct query_set *queries; /* all queries */
    struct pool *pool;               /* the pool that figures are allocated in */
    /* Sets a figure's filters and options, as the command line of its report would (NULL: of any
     * report). */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error);
    void *context;
    struct error *error;
};

/* Reports an error with its position in the text. Always returns false. */
bool figure_wrong(const struct figure_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void figure_skip_blanks(struct figure_reader *reader);

/* Skips blanks and the word, if it comes next. */
bool figure_accept(struct figure_reader *reader, const char *word);

/* Returns the report of that name, borrowed. The name's position is for messages. NULL with the
 * error set if there is none. */
const char *figure_report(struct figure_reader *reader, const char *at, const char *name);

/* Returns whether the text begins with the name of a figure in figure_words, not of a report. */
bool figure_is_word(const char *text);

/* Parses a figure and advances past it. */
bool figure_read(struct figure_reader *reader, struct figure *figure);

/* Adds a filter, or an option of the figure's report; `at` is its position. */
bool figure_add_option(struct figure_reader *reader, const char *at, struct figure *figure,
                       const char *name, const char *value);

/* Ends a figure. Call this after the last filter or option. */
bool figure_finish(struct figure_reader *reader, struct figure *figure);

#ifdef __clang_analyzer__ /* as in error.h */
#define figure_wrong(...) (figure_wrong(__VA_ARGS__), false)
#endif

#endif
