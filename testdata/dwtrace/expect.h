/* Expected reports of the played program. */
#ifndef DWTRACE_EXPECT_H
#define DWTRACE_EXPECT_H

#include "account.h"

struct view {
    bool timed;           /* the log has timestamps */
    bool names;           /* symbols.yaml is known */
    unsigned nanoseconds; /* of a counter unit; 0: not known */
};

/* A file of sections, each a line `$ WHAT` and the rows of it: `ledger`, `marks`, `rows`, and
 * many reports with their options. */
void write_expected(const char *path, const struct account *account, const struct view *view);

/* The report `functions` without options, in counter units, from the figures alone. `prefix`
 * stands before each row. */
void write_functions(FILE *file, const char *prefix, const struct account *account, bool timed);

/* Rows of the table of events: prefix, time, thread, number of the function, duration. */
void write_rows(FILE *file, const char *prefix, const struct account *account,
                const struct view *view);

/* Records of the log: prefix, time (without timestamps position), thread, function, type. */
void write_records(FILE *file, const char *prefix, const struct account *account, bool timed);

#endif
