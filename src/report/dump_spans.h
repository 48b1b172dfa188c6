/* The formatter of traces of spans: a line a record, so that a call has two, indented by depth. */
#ifndef TRACETOOL_DUMP_SPANS_H
#define TRACETOOL_DUMP_SPANS_H

#include "import/importer.h"
#include "store/catalog.h"
#include "report/name_cache.h"
#include "select/selection.h"

/* A record to be written. What it points to is borrowed for the call. */
struct dump_line {
    int64_t time; /* EVENT_NONE: not known */
    int64_t size; /* EVENT_NONE: not known */
    const struct name_cache_text *thread, *name;
    const struct text *detail; /* escaped: indentation, mark, name, arguments */
};

struct dump_lines {
    const struct config *config; /* for the importer, as far as it says something of records */
    void *state;                 /* likewise, what its begin_dump() made */
    void *context;
    /* False: stop; either with `error` set or because nothing more is wanted. */
    bool (*write)(void *context, const struct dump_line *line, struct error *error);
    bool enough; /* set by write(): that it wants no more is no failure */
};

/* Gives the records of a selection, which is of one trace, in order of time. A call whose exit is
 * missing, or that is open at the end, has a line that says so. `events`: at most so many rows, 0:
 * all. */
bool dump_spans(const struct selection *selection, int64_t events, struct dump_lines *lines,
                struct error *error);

#endif
