/* Parameters of analyses and of query files: what --length, --within and the like may be given.
 *
 * The options of the command line are made of the rows of analyses, so that a new parameter is said
 * once. Those of a query file (report/query.h) are known when it is loaded.
 */
#ifndef TRACETOOL_PARAMETER_H
#define TRACETOOL_PARAMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum parameter_type {
    PARAMETER_FLAG,     /* takes no value */
    PARAMETER_NUMBER,   /* a whole number from `least` to `most` */
    PARAMETER_REAL,     /* any finite number */
    PARAMETER_DURATION, /* a time that a call took: 0.01s, or 5 units of a trace's own clock */
    PARAMETER_TIME,     /* the same of anything, or since the start of a trace */
    PARAMETER_NUMBERS,  /* whole numbers from 0 on, with commas between: as a text */
    PARAMETER_TEXT,     /* a name, or one of `choices` */
};

/* All strings are constant. */
struct parameter {
    const char *name; /* of the option, without --; what it means is the same wherever it occurs */
    enum parameter_type type;
    const char *argument; /* what help calls the value; NULL for a flag */
    const char *help;
    int64_t least, most; /* of a number; of an analysis', `least` is at least 1 */
    int64_t otherwise;   /* a number that was not given */
    /* Of a text: blank-separated; NULL: any. Of a time: words that stand for none, as if the option
     * were not given. */
    const char *choices;
    /* Of a text that must occur in at least one of the selected traces: what it is, for the message
     * "no WHAT is called …", and a SELECT that gives a row when ?1 occurs in trace ?2. */
    const char *what, *fits;
};

/* A value, or what stands for none. */
struct parameter_value {
    bool given;
    int64_t number;   /* of a number: the value or `otherwise`; of a time: ns, 0 when not given */
    int64_t plain;    /* of a time: the number when it has no unit, else -1 */
    double real;      /* 0 when not given */
    const char *text; /* borrowed; NULL: not given */
};

/* Options of several analyses, which mean the same in all of them. */
#define INTERVAL_PARAMETER                                                                         \
    {                                                                                              \
        .name = "interval", .type = PARAMETER_TIME, .argument = "TIME", .choices = "auto",         \
        .help = "heatmap, iostat, queue, rate, timeline --per-thread: how long an interval is: "   \
                "1s, 10m, "                                                                        \
                "or auto, some hundred: the default but for timeline"                              \
    }
#define AT_PARAMETER                                                                               \
    {                                                                                              \
        .name = "at", .type = PARAMETER_TEXT, .argument = "WHERE",                                 \
        .help = "durability: what a power cut at that time would lose; why: only calls beyond "    \
                "that percentile: p99"                                                             \
    }
#define Q2C_PARAMETER                                                                              \
    {                                                                                              \
        .name = "q2c", .type = PARAMETER_FLAG,                                                     \
        .help =                                                                                    \
            "latency, percentiles, queue: from where the I/O was asked for (Q), not issued (D)"    \
    }
#define WINDOW_PARAMETER                                                                           \
    {                                                                                              \
        .name = "window", .type = PARAMETER_TIME, .argument = "TIME",                              \
        .help = "burstiness, footprint: how long a window of time is"                              \
    }

/* Reads a value out of what an option was given: NULL: the option was not given, "" for a flag.
 * Fails, with the status of wrong usage, where the row does not allow it. */
bool parameter_read(const struct parameter *parameter, const char *given,
                    struct parameter_value *value, struct error *error);

/* The length of time that an option called so was given, at least 1, in units of the trace's clock,
 * which is a `real_clock` where these are nanoseconds; 0: it was not given. */
bool parameter_length(const struct parameter_value *given, const char *option, bool real_clock,
                      int64_t *length, struct error *error);

#endif
