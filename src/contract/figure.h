/* Figures: numbers of a trace by name, for contracts.
 *
 *     calls(fsync)                       a word of the list, and what it is of
 *     p99(openat, process=sqlite*)       with filters as reports take them
 *     errors(openat, ENOENT)
 *     files("*.db").fsyncs               REPORT(ROW…, FILTER=VALUE…).COLUMN
 *     latency.read.p99                   REPORT.ROW.COLUMN, another spelling
 *
 * A figure is a cell of a report, or a sum, a minimum or a maximum of cells: it cannot differ from
 * what the report says. A row is chosen by its name, in which each * fits anything; quotation marks
 * stand around names with blanks, dots, commas or brackets, and "" for one inside of them.
 */
#ifndef TRACETOOL_FIGURE_H
#define TRACETOOL_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/printer.h"
#include "report/query_set.h"
#include "report/request.h"

/* Names, and filters, of one figure at most. */
#define FIGURE_MOST 64

/* What is made of the cells of several rows. */
enum figure_fold {
    FOLD_ONE, /* there has to be one row */
    FOLD_SUM,
    FOLD_ROWS, /* how many rows have a name */
    FOLD_RATIO /* the sum of one column by that of another */
};

/* For which ways of writing a word a source is. */
enum figure_rows { ROWS_ANY, ROWS_NAMED, ROWS_ALL };

/* Where a figure is. Strings are constant, or in the pool. */
struct figure_source {
    const char *report;
    const char *by;     /* --by; NULL: not given */
    const char *row;    /* the last of the keys has to be this; NULL: any */
    const char *keys;   /* columns that names of rows are compared with, blank-separated */
    const char *column; /* of a ratio two, with a / between */
    enum figure_fold fold;
    enum figure_rows rows;
};

#define FIGURE_SOURCES 3

/* A row of the list. */
struct figure_word {
    const char *name;
    const char *argument; /* what may stand in the brackets; NULL: only filters */
    enum column_kind kind;
    unsigned kinds; /* bit set of enum trace_kind: of others it says nothing */
    const char *help;
    struct figure_source sources[FIGURE_SOURCES]; /* the first that a trace has; ends with NULL */
};

/* Ends with a NULL name. */
extern const struct figure_word figure_words[];

/* A name that chooses rows, by one of the key's columns. */
struct figure_name {
    const char *name;
    size_t column; /* among the keys of the source */
};

/* A filter, or an option of the report, as it stands in the brackets. */
struct figure_option {
    const char *name, *value; /* value: "" where there is none */
    const char *at;           /* where it stands */
};

struct figure {
    const struct figure_word *word; /* NULL: a cell */
    struct figure_source sources[FIGURE_SOURCES];
    const char *path;      /* dotted: the key of the row, blank-separated; NULL: not given */
    enum column_kind kind; /* COLUMN_ANY: the row says it */
    unsigned kinds;
    bool new; /* how many rows have names that no figure of the contracts has */
    struct figure_name names[FIGURE_MOST];
    size_t name_count;
    struct figure_option given[FIGURE_MOST];
    size_t given_count;
    /* What these mean. */
    struct filter filter;
    const struct report_option *options;
    size_t option_count;
    const char *key; /* all that was given, in one string: equal ones are the same */
};

/* Something that is read from left to right, for messages. */
struct figure_reader {
    const char *text; /* all of it */
    const char *at;
    const struct query_set *queries; /* all of them */
    struct pool *pool;               /* what figures are made in */
    /* Sets filter and options of a figure, as the command line of its report would (NULL: that of
     * any). */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error);
    void *context;
    struct error *error;
};

/* Says what is wrong, and at which place of the text. Always false. */
bool figure_wrong(const struct figure_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void figure_skip_blanks(struct figure_reader *reader);

/* Goes behind the word, and blanks before it, if it stands there. */
bool figure_accept(struct figure_reader *reader, const char *word);

/* The report of that name, which stands at a place; borrowed. NULL with the error set: there is
 * none. */
const char *figure_report(struct figure_reader *reader, const char *at, const char *name);

/* Whether the text begins with a word of the list, and not with a report of that name. */
bool figure_is_word(const char *text);

/* Reads a figure, and goes behind it. */
bool figure_read(struct figure_reader *reader, struct figure *figure);

/* Adds a filter, or an option of its report; `at` is where it stands. */
bool figure_add_option(struct figure_reader *reader, const char *at, struct figure *figure,
                       const char *name, const char *value);

/* To be called behind the last of these. */
bool figure_finish(struct figure_reader *reader, struct figure *figure);

#ifdef __clang_analyzer__ /* as in error.h */
#define figure_wrong(...) (figure_wrong(__VA_ARGS__), false)
#endif

#endif
