/* How the rows of two traces are compared: a line `-- compare: METHOD WORD=COLUMN…` of a query
 * file's header.
 *
 *     -- compare: counts value=count            how often each thing occurs
 *     -- compare: sizes value=count             the same, of numbers of bytes
 *     -- compare: times calls=calls time=self   calls and the time that they took
 *     -- compare: clock value=total seconds=s   counts of hours
 *     -- compare: values group=part             values whose distributions are in temp.distribution
 *     -- compare: rows value=value signed=s     each row for itself
 *     -- compare: tree                          paths of calls: rows with the columns depth, name,
 *                                               calls, total and self, depth first
 *
 * `alone` behind it keeps the report out of what changed most.
 *
 * `key=COLUMN,…` names the columns that say which rows of the two are about the same thing; without
 * it they are those of the line `-- key:`. tracetool-config(5) says more.
 */
#ifndef TRACETOOL_QUERY_COMPARE_H
#define TRACETOOL_QUERY_COMPARE_H

#include <stdbool.h>

#include "base/error.h"

enum compare_method {
    COMPARE_NOT, /* the file does not say */
    COMPARE_COUNTS,
    COMPARE_SIZES,
    COMPARE_TIMES,
    COMPARE_CLOCK,
    COMPARE_VALUES,
    COMPARE_ROWS,
    COMPARE_TREE,
};

/* Names of columns, which blanks part where there are several; NULL: not given. The strings are
 * parts of the line. */
struct query_compare {
    enum compare_method method;
    bool alone; /* only where it is asked for, not among all reports */
    const char *key;
    const char *value; /* counts, sizes, clock; rows: NULL: all numbers beside the key */
    const char *calls; /* times, tree; NULL: how often is not known */
    const char *time;  /* times, tree */
    const char *total; /* tree: time with what was called */
    const char *group; /* values: what temp.distribution calls what the row is of */
    const char
        *has_sign;       /* rows, `signed`: not 0 where the value may be negative; NULL: none may */
    const char *seconds; /* clock: how long the hour was observed; NULL: not known */
};

/* Parses what stands behind `compare:`, and cuts it into strings. Says what is wrong with it; that
 * the columns are there is the caller's to see. */
bool query_compare_parse(struct query_compare *compare, char *line, struct error *error);

/* What a header calls the method. */
const char *query_compare_method(enum compare_method method);

#endif
