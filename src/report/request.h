/* Request for a report or a dump: traces, events and options. */
#ifndef TRACETOOL_REQUEST_H
#define TRACETOOL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "select/filter.h"
#include "store/catalog.h"

/* A report-specific option: --of application, --length 3, --timeline. */
struct report_option {
    const char *name;
    const char *value; /* "" for one without a value */
    bool number;       /* bind the value as a number */
};

/* How --by groups traces; each group has its own result. With GROUP_HOUR, a group is the events of
 * all traces in that hour of the day. */
enum group_by { GROUP_NONE, GROUP_TRACE, GROUP_USER, GROUP_DEVICE, GROUP_STUDY, GROUP_HOUR };
#define GROUP_KINDS 6

/* Words of --by, by enum group_by; none for GROUP_NONE. */
extern const char *const group_names[GROUP_KINDS];

/* Source of counts, --counted-by: rollups if they suffice, otherwise events; or only rollups, only
 * columns of events, only SQLite's rows. Tests show that the results are equal. */
enum counted_by { COUNTED_BY_ANY, COUNTED_BY_ROLLUPS, COUNTED_BY_COLUMNS, COUNTED_BY_SQLITE };
#define COUNTED_BY_KINDS 4

/* Words of --counted-by, by enum counted_by; none for COUNTED_BY_ANY. */
extern const char *const counted_by_names[COUNTED_BY_KINDS];

/* All pointers are borrowed. */
struct report_request {
    const char *report;
    const char *const *traces; /* names; none: all suitable traces */
    size_t trace_count;
    unsigned kinds;        /* which of a log's traces its name stands for, bits of enum
                              trace_kind; 0: all */
    const char *study;     /* only traces of this study; NULL: all */
    struct name_set users; /* only traces with these user labels */
    bool by_trace;         /* true: each trace has its own result */
    enum group_by group;   /* a result per group */
    enum counted_by counted_by;
    bool delta;   /* dump: also the time since the previous line */
    bool picture; /* the rows are for a plot: the result has the plot's columns, too */
    bool compare; /* the rows are for a comparison: the result has its columns, too */
    bool people;  /* true: the output is a table for people, in which `#` lines may be rounded */
    bool brief;   /* true: only the more important rows are wanted: a table without --all */
    bool all;     /* --all: also what a report omits by default */
    bool alone;   /* true: no other report runs until this one is closed */
    int blocks;   /* number of blocks of distributions (distribution.h); 0: none */
    /* Facts to omit although the logs state them, FACT(…) of model/meaning.h: those missing from
     * the other side of a comparison. */
    unsigned unknown;
    /* Names of distributions' groups (distribution.h); NULL: unchanged. */
    const struct distribution_naming *naming;
    int64_t top; /* limit of rows; 0: all rows */
    const char
        *sort; /* column to sort by, after + for the opposite order; NULL: the report's order */
    struct filter filter;
    const char *clock; /* spans: "wall" or "cpu"; NULL: the trace's first clock */
    const char *open;  /* spans: "leave-out": calls open at the end have no times; NULL: "end" */
    const struct report_option *options;
    size_t option_count;
    /* Receives a line of raw bytes with advice before the first row; NULL: nobody. */
    void (*say)(void *context, const char *line);
    void *say_context;
};

/* Returns the option of that name; NULL if not given. */
const struct report_option *request_option(const struct report_request *request, const char *name);

/* Whether curves of distributions are needed: for a plot, or with --cdf. */
bool request_wants_curves(const struct report_request *request);

/* Whether traces of the requested study and users exist, and some of both. Sets an error if not. */
bool request_check_labels(const struct report_request *request, const struct catalog *catalog,
                          struct error *error);

/* Whether the request includes a trace that it does not name: by its kind, study and users. */
bool request_includes(const struct report_request *request, const struct catalog_trace *trace);

/* Adds the catalog's traces that the request names, or includes, to `traces`, in this order and
 * without duplicates. `traces` has room for all. */
bool request_add_traces(const struct report_request *request, const struct catalog *catalog,
                        const struct catalog_trace **traces, size_t *count, struct error *error);

/* Whether the filter and the clock apply to the trace. Sets an error if not. */
bool request_check_filter(const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error);

/* Returns the request with the kinds of the traces to choose from. If it names neither traces nor
 * kinds, these are the kinds of the traces to which its filter and clock apply. */
struct report_request request_fitting(const struct report_request *request,
                                      const struct catalog *catalog);

#endif
