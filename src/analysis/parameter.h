/* Parameters of analyses and of query files, given as options: --length, --within and others. The
 * options are generated from the rows of this table, so that a parameter is defined once. The
 * parameters of a query file (report/query.h) are known when it is loaded. */
#ifndef TRACETOOL_PARAMETER_H
#define TRACETOOL_PARAMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum parameter_type {
    PARAMETER_FLAG,     /* an option without a value */
    PARAMETER_NUMBER,   /* a whole number from `least` to `most` */
    PARAMETER_REAL,     /* any finite number */
    PARAMETER_DURATION, /* a call's duration: 0.01s, or 5 units of a trace's own clock */
    PARAMETER_TIME,     /* any other duration, or a time since the start of a trace */
    PARAMETER_NUMBERS,  /* whole numbers from 0 on, comma-separated: as a text */
    PARAMETER_TEXT,     /* a name, or one of `choices` */
};

/* Definition of a parameter. All strings are constant. */
struct parameter {
    /* Name of the option without --; it means the same in each analysis that has it. */
    const char *name;
    enum parameter_type type;
    const char *argument; /* name of the option's value in the help; NULL for a flag */
    const char *help;
    /* Bounds of a number; an analysis' parameter has a `least` of at least 1; a time has only
     * `least`: 0, 1, or -1 for any sign. */
    int64_t least, most;
    int64_t otherwise; /* value of a number if the option is not given */
    /* The words that a text may be, separated by blanks; NULL: any text. For a time: words that
     * mean the same as no option. */
    const char *choices;
    /* For a text that must occur in a selected trace. `what`: what it names, for the message "no
     * WHAT is called …". `fits`: a SELECT that returns a row if ?1 occurs in trace ?2. */
    const char *what, *fits;
};

/* Value of a parameter. Members that do not apply have their default. */
struct parameter_value {
    bool given;
    int64_t number;   /* of a number: the value or `otherwise`; of a time: ns, 0 if not given */
    int64_t plain;    /* of a time: the number if it has no unit, else -1 */
    double real;      /* of a real number: the value; 0: not given */
    const char *text; /* the value as the user gave it, borrowed; NULL: not given */
};

/* Definitions of options that several analyses have, with the same meaning. */
#define INTERVAL_PARAMETER                                                                         \
    {                                                                                              \
        .name = "interval", .type = PARAMETER_TIME, .argument = "TIME", .choices = "auto",         \
        .least = 1,                                                                                \
        .help = "heatmap, iostat, queue, rate, timeline --per-thread: length of an interval, "     \
                "such as 1s, 10m; auto: some hundred intervals (default, but not of timeline)"     \
    }
#define AT_PARAMETER                                                                               \
    {                                                                                              \
        .name = "at", .type = PARAMETER_TEXT, .argument = "WHERE",                                 \
        .help = "durability: what a power cut at a time would lose; why, chain: only calls above " \
                "a percentile, such as p99"                                                        \
    }
#define Q2C_PARAMETER                                                                              \
    {                                                                                              \
        .name = "q2c", .type = PARAMETER_FLAG,                                                     \
        .help = "latency, percentiles, queue: times from the queueing of the I/O (Q), not from "   \
                "its issue (D)"                                                                    \
    }
#define WINDOW_PARAMETER                                                                           \
    {                                                                                              \
        .name = "window", .type = PARAMETER_TIME, .argument = "TIME", .least = 1,                  \
        .help = "burstiness, footprint: length of a window of time"                                \
    }

/* Reads an option's value `given`. NULL: the option was not given; "": a flag was. Fails with the
 * status for wrong usage if the parameter does not allow the value. */
bool parameter_read(const struct parameter *parameter, const char *given,
                    struct parameter_value *value, struct error *error);

/* Sets `*length` to the duration that was given to an option, at least 1, in units of the trace's
 * clock; `real_clock`: these are nanoseconds. 0: the option was not given. */
bool parameter_length(const struct parameter_value *given, const char *option, bool real_clock,
                      int64_t *length, struct error *error);

#endif
