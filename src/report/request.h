/* A request for a report, dump or export: traces, filters and options. */
#ifndef TRACETOOL_REQUEST_H
#define TRACETOOL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "select/filter.h"
#include "store/catalog.h"

/* An option that only some reports have, such as --of application or --timeline. */
struct report_option {
    const char *name;
    const char *value; /* value of the option; "" if it has none */
    bool number;       /* true: the value is bound to statements as a number */
};

/* What --by groups traces by; each group has its own result. GROUP_HOUR: the hours of the day. */
enum group_by { GROUP_NONE, GROUP_TRACE, GROUP_USER, GROUP_DEVICE, GROUP_STUDY, GROUP_HOUR };
#define GROUP_KINDS 6

/* Values of --by, indexed by enum group_by; "" for GROUP_NONE. */
extern const char *const group_names[GROUP_KINDS];

/* Source of counts (--counted-by): rollups if they suffice, else events; or only rollups, only
 * columns of events, only SQLite's rows. Tests use it to show that the results are equal. */
enum counted_by { COUNTED_BY_ANY, COUNTED_BY_ROLLUPS, COUNTED_BY_COLUMNS, COUNTED_BY_SQLITE };
#define COUNTED_BY_KINDS 4

/* Values of --counted-by, indexed by enum counted_by; "" for COUNTED_BY_ANY. */
extern const char *const counted_by_names[COUNTED_BY_KINDS];

/* What a user requests. All pointers are borrowed. */
struct report_request {
    const char *report;
    const char *const *traces; /* names of traces or logs; none: all suitable traces */
    size_t trace_count;
    /* Kinds of trace to choose from, as bits of enum trace_kind; 0: all. A log may have several. */
    unsigned kinds;
    const char *study;     /* only traces with this study label; NULL: any */
    struct name_set users; /* only traces with these user labels */
    bool by_trace;         /* true: a separate result for each trace */
    enum group_by group;   /* --by: a separate result for each group */
    enum counted_by counted_by;
    bool delta;   /* for a dump: also prints the time since the previous line */
    bool picture; /* true: for a plot, so the result includes columns with `if picture` */
    bool curve;   /* --cdf: a picture draws a curve, even of few rows */
    bool compare; /* true: for a comparison, so the result includes columns with `if compare` */
    bool people;  /* true: for a human-readable table; numbers in `#` lines may be rounded */
    bool brief;   /* true: for a table without --all, so the report may omit less important rows */
    bool all;     /* --all: includes rows that a report omits by default */
    bool rows_only; /* true: only the rows are read, so the result has no remarks of the query */
    bool alone;     /* true: no other report runs until this one is closed */
    /* Number of blocks of time that split distributions (distribution.h); 0: not split. */
    int blocks;
    /* Bits FACT(…) of model/meaning.h: facts to treat as unknown, even if the logs state them,
     * because the other trace of a comparison lacks them. */
    unsigned unknown;
    /* New names for the groups of distributions (distribution.h); NULL: unchanged. */
    const struct distribution_naming *naming;
    int64_t top; /* limit of rows; 0: all rows */
    const char
        /* Column to sort by, prefixed by + for the opposite order; NULL: the report's own order. */
        *sort;
    struct filter filter;
    const char *clock; /* spans: "wall" or "cpu"; NULL: the trace's first clock */
    const char *open;  /* spans: "leave-out": calls open at the log's end get no end; NULL: "end" */
    const struct report_option *options;
    size_t option_count;
    /* Called before the first row with a line that says which traces are added up (unescaped,
     * without newline); NULL: not called. */
    void (*say)(void *context, const char *line);
    void *say_context;
};

/* Returns the option with this name; NULL if it was not given. */
const struct report_option *request_option(const struct report_request *request, const char *name);

/* Returns whether curves of distributions are needed: for a plot, or with --cdf. */
bool request_wants_curves(const struct report_request *request);

/* Returns whether traces of the requested study and users exist, and one with both; sets an error
 * if not. */
bool request_check_labels(const struct report_request *request, const struct catalog *catalog,
                          struct error *error);

/* Returns whether a request without names includes the trace, by its kind, study and users. */
bool request_includes(const struct report_request *request, const struct catalog_trace *trace);

/* Adds the traces that the request names to `traces`, in this order and without duplicates. If it
 * names none, adds all that request_includes() accepts. `traces` has room for the whole catalog. */
bool request_add_traces(const struct report_request *request, const struct catalog *catalog,
                        const struct catalog_trace **traces, size_t *count, struct error *error);

/* Returns whether the filter and options like --clock apply to the trace; sets an error if not. */
bool request_check_filter(const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error);

/* Returns a copy of the request. If it names neither traces nor kinds, sets `kinds` to the kinds of
 * the traces to which its filter and options apply. */
struct report_request request_fitting(const struct report_request *request,
                                      const struct catalog *catalog);

#endif
