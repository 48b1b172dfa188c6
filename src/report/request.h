/* A request for a report or a dump: traces, events and options. */
#ifndef TRACETOOL_REQUEST_H
#define TRACETOOL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "select/filter.h"
#include "store/catalog.h"

/* An option that only some reports take: --of application, --length 3, --timeline. */
struct report_option {
    const char *name;
    const char *value; /* value of the option; "" if it has none */
    bool number;       /* true: the value is bound to statements as a number */
};

/* What --by groups traces by; each group has its own result. With GROUP_HOUR, a group is the events
 * of all traces in one hour of the day. */
enum group_by { GROUP_NONE, GROUP_TRACE, GROUP_USER, GROUP_DEVICE, GROUP_STUDY, GROUP_HOUR };
#define GROUP_KINDS 6

/* Words of --by, by enum group_by; GROUP_NONE has none. */
extern const char *const group_names[GROUP_KINDS];

/* What counts come from, by --counted-by: rollups if they suffice, else events; or only rollups,
 * only columns of events, only SQLite's rows. Tests use it to show that the results are equal. */
enum counted_by { COUNTED_BY_ANY, COUNTED_BY_ROLLUPS, COUNTED_BY_COLUMNS, COUNTED_BY_SQLITE };
#define COUNTED_BY_KINDS 4

/* Words of --counted-by, by enum counted_by; COUNTED_BY_ANY has none. */
extern const char *const counted_by_names[COUNTED_BY_KINDS];

/* What a user requests. All pointers are borrowed. */
struct report_request {
    const char *report;
    const char *const *traces; /* names of traces; none: all traces that suit */
    size_t trace_count;
    /* Kinds of trace that the name of a log stands for: bits of enum trace_kind; 0: all. */
    unsigned kinds;
    const char *study;     /* only traces of this study; NULL: of all */
    struct name_set users; /* only traces with these labels for users */
    bool by_trace;         /* true: each trace has its own result */
    enum group_by group;   /* what groups are made of; each has its own result */
    enum counted_by counted_by;
    bool delta;   /* for a dump: also prints the time since the previous line */
    bool picture; /* true: a plot shows the rows, so the result has the columns for plots, too */
    bool compare; /* true: a comparison reads the rows, so the result has its columns, too */
    bool people;  /* true: the output is a table for people, in which `#` lines may be rounded */
    bool brief;   /* true: less important rows are left out: a table without --all */
    bool all;     /* --all: includes what a report leaves out by default */
    bool alone;   /* true: no other report runs until this one is closed */
    /* Number of blocks into which distributions are divided (distribution.h); 0: none. */
    int blocks;
    /* Bits FACT(…) of model/meaning.h: facts that count as unknown, even if the logs state them,
     * because the other side of a comparison lacks them. */
    unsigned unknown;
    /* New names for the groups of distributions (distribution.h); NULL: unchanged. */
    const struct distribution_naming *naming;
    int64_t top; /* limit of rows; 0: all rows */
    const char
        /* Column to sort by, after + for the opposite order; NULL: the order of the report. */
        *sort;
    struct filter filter;
    const char *clock; /* for spans: "wall" or "cpu"; NULL: the trace's first clock */
    const char *open; /* for spans: "leave-out": calls open at the end have no times; NULL: "end" */
    const struct report_option *options;
    size_t option_count;
    /* Gets a line of raw bytes with advice before the first row; NULL: nothing is called. */
    void (*say)(void *context, const char *line);
    void *say_context;
};

/* Returns the option with a name; NULL if it was not given. */
const struct report_option *request_option(const struct report_request *request, const char *name);

/* Returns whether curves of distributions are needed: for a plot, or with --cdf. */
bool request_wants_curves(const struct report_request *request);

/* Returns whether traces of the requested study and users exist, and some with both; or an
 * error. */
bool request_check_labels(const struct report_request *request, const struct catalog *catalog,
                          struct error *error);

/* Returns whether the request includes a trace that it does not name: by kind, study and users. */
bool request_includes(const struct report_request *request, const struct catalog_trace *trace);

/* Adds the traces that the request names, or includes, to `traces`, in this order and without
 * duplicates. `traces` has room for all traces of the catalog. */
bool request_add_traces(const struct report_request *request, const struct catalog *catalog,
                        const struct catalog_trace **traces, size_t *count, struct error *error);

/* Returns whether the filter and the clock apply to the trace; sets an error if not. */
bool request_check_filter(const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error);

/* Returns the request, with `kinds` set to those of the traces to choose from. If it names neither
 * traces nor kinds, these are the kinds of the traces to which its filter and clock apply. */
struct report_request request_fitting(const struct report_request *request,
                                      const struct catalog *catalog);

#endif
