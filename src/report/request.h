/* What is asked of a report, or of a dump: which traces, which of their events, which options. */
#ifndef TRACETOOL_REQUEST_H
#define TRACETOOL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "select/filter.h"
#include "store/catalog.h"

/* A report option of the user's beside the common ones: --of application, --length 3, --timeline.
 */
struct report_option {
    const char *name;
    const char *value; /* "" for one without a value */
    bool number;       /* the value is a number, and is bound as one */
};

/* By what traces are put into groups, each of which has a result of its own: --by. By hour each
 * group is the events of all traces in that hour of the day. */
enum group_by { GROUP_NONE, GROUP_TRACE, GROUP_USER, GROUP_DEVICE, GROUP_STUDY, GROUP_HOUR };
#define GROUP_KINDS 6

/* The word behind --by; GROUP_NONE has none. */
extern const char *const group_names[GROUP_KINDS];

/* What counts: rollups where they answer, else events; or only rollups, only the columns of events,
 * only their rows in SQLite. They give the same, as tests show: --counted-by. */
enum counted_by { COUNTED_BY_ANY, COUNTED_BY_ROLLUPS, COUNTED_BY_COLUMNS, COUNTED_BY_SQLITE };
#define COUNTED_BY_KINDS 4

/* The word behind --counted-by; COUNTED_BY_ANY has none. */
extern const char *const counted_by_names[COUNTED_BY_KINDS];

/* All is borrowed. */
struct report_request {
    const char *report;
    const char *const *traces; /* names; none: all that fit */
    size_t trace_count;
    const char *study;     /* only traces of this study; NULL: all */
    struct name_set users; /* only traces with these labels of users */
    bool by_trace;         /* a result for each trace */
    enum group_by group;   /* a result for each group */
    enum counted_by counted_by;
    bool delta;   /* of a dump: the time since the line before, too */
    bool picture; /* the rows are to be drawn: with the columns that are for that */
    bool compare; /* the rows are to be compared: likewise */
    bool people;  /* for a table: `#` lines need not have all digits */
    bool brief;   /* only the more important rows: of a table, without --all */
    bool all;     /* --all: also what a report leaves out without it */
    bool alone;   /* no other report is made before this one is closed */
    int blocks;   /* distributions are cut into so many blocks (distribution.h); 0: not */
    /* Facts that are left out though the logs state them, FACT(…) of model/meaning.h: of a
     * comparison, those that the other side does not. */
    unsigned unknown;
    /* What groups of distributions are called (distribution.h); NULL: as they are. */
    const struct distribution_naming *naming;
    int64_t top;      /* 0: all rows */
    const char *sort; /* the column that rows are sorted by, behind a + for the other way; NULL: the
                         report's own order */
    struct filter filter;
    const char *clock; /* spans: "wall" or "cpu"; NULL: the first one a trace has */
    const char *open;  /* spans: "leave-out": calls open at the end have no times; NULL: "end" */
    const struct report_option *options;
    size_t option_count;
    /* Who is told, in a line of any bytes, what is worth knowing before the first row; NULL:
     * nobody. */
    void (*say)(void *context, const char *line);
    void *say_context;
};

/* The option of that name, NULL when it was not given. */
const struct report_option *request_option(const struct report_request *request, const char *name);

/* Whether distributions are wanted as curves: for a picture, or with --cdf. */
bool request_wants_curves(const struct report_request *request);

/* The group that a trace is in, by its label; "" for one without. Borrowed from the trace. */
const char *request_group(const struct report_request *request, const struct catalog_trace *trace);

/* Whether there are traces of the study and of each user that the request names, and some of both;
 * says so if not. */
bool request_check_labels(const struct report_request *request, const struct catalog *catalog,
                          struct error *error);

/* Whether the request is about a trace that it does not name: of its study and users. */
bool request_includes(const struct report_request *request, const struct catalog_trace *trace);

/* Adds those traces of the catalog to `traces`, which has room for all, that the request names, or
 * includes, in this order, and that are not among them yet. */
bool request_add_traces(const struct report_request *request, const struct catalog *catalog,
                        const struct catalog_trace **traces, size_t *count, struct error *error);

/* Tells the traces apart that several requests are about together (catalog_tell_apart()). What a
 * request names and is not there is left to who makes its report. */
bool request_tell_apart(const struct report_request *requests, size_t count,
                        struct catalog *catalog, struct database *database, struct error *error);

/* Whether the filter and the clock make sense for the trace; says so if not. */
bool request_check_filter(const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error);

#endif
