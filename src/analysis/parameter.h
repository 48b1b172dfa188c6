/* Parameters of analyses and of query files, given as options: --length, --within and others.
 * Options and their help are generated from struct parameter, so each parameter is defined once.
 * Those of query files (report/query.h) become known when the file is loaded. */
#ifndef TRACETOOL_PARAMETER_H
#define TRACETOOL_PARAMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum parameter_type {
    PARAMETER_FLAG,     /* an option without a value */
    PARAMETER_NUMBER,   /* a whole number from `least` to `most` */
    PARAMETER_REAL,     /* any finite number */
    PARAMETER_DURATION, /* duration of a call: 0.01s, or 5 in units of the trace's clock */
    PARAMETER_TIME,     /* a duration that is no call's, or a time since the begin of a trace */
    PARAMETER_NUMBERS,  /* whole numbers from 0 up, separated by commas; the value is their text */
    PARAMETER_TEXT,     /* a name, or one of `choices` */
};

/* Definition of a parameter. All strings are constant. */
struct parameter {
    /* Name of the option without --. Analyses that share a name must mean the same by it. */
    const char *name;
    enum parameter_type type;
    const char *argument; /* name of the option's value in the help; NULL for a flag */
    const char *help;
    /* Limits of a number; `least` is at least 1 for parameters of analyses. For a time, only
     * `least` is used: 0, 1, or -1 if negative times are allowed. */
    int64_t least, most;
    int64_t otherwise; /* value of a number if the option is not given */
    /* Words that a text may be, separated by blanks; NULL: any text. For a time: words with the
     * same effect as omitting the option. */
    const char *choices;
    /* For a text that must occur in a selected trace. `what`: its kind, for the message "no WHAT is
     * called …". `fits`: a SELECT that returns a row if text ?1 occurs in trace ?2. */
    const char *what, *fits;
};

/* Value of a parameter. Members for other types have their default. */
struct parameter_value {
    bool given;
    int64_t number;   /* number: the value or `otherwise`; time: ns, 0 if not given */
    int64_t plain;    /* time: the number, if given without a unit; else -1 */
    double real;      /* real number: the value; 0: not given */
    const char *text; /* the value as typed, borrowed; NULL: not given */
};

/* Definitions of options that several analyses have, with the same meaning. */
#define INTERVAL_PARAMETER                                                                         \
    {                                                                                              \
        .name = "interval", .type = PARAMETER_TIME, .argument = "TIME", .choices = "auto",         \
        .least = 1,                                                                                \
        .help = "heatmap, iostat, queue, rate, timeline --per-thread: length of an interval, "     \
                "such as 1s, 10m; auto: a few hundred intervals (default, except for timeline)"    \
    }
#define AT_PARAMETER                                                                               \
    {                                                                                              \
        .name = "at", .type = PARAMETER_TEXT, .argument = "WHERE",                                 \
        .help = "durability: what a power cut at this time would lose; why, chain: only calls "    \
                "above a percentile, such as p99"                                                  \
    }
#define Q2C_PARAMETER                                                                              \
    {                                                                                              \
        .name = "q2c", .type = PARAMETER_FLAG,                                                     \
        .help = "latency, percentiles, queue: count times from queue (Q), not from issue (D)"      \
    }
#define WINDOW_PARAMETER                                                                           \
    {                                                                                              \
        .name = "window", .type = PARAMETER_TIME, .argument = "TIME", .least = 1,                  \
        .help = "burstiness, footprint: length of a window of time"                                \
    }

/* Reads the value `given` of an option. NULL: the option was not given; "": a flag was given.
 * Returns false with the status for wrong usage if the value is not allowed. */
bool parameter_read(const struct parameter *parameter, const char *given,
                    struct parameter_value *value, struct error *error);

/* Sets `*length` to the duration given to an option, at least 1, in units of the trace's clock
 * (nanoseconds if `real_clock`); 0: the option was not given. */
bool parameter_length(const struct parameter_value *given, const char *option, bool real_clock,
                      int64_t *length, struct error *error);

#endif
