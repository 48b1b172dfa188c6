/* The formatter of traces of spans: a line a record, so that a call has two, indented by depth. */
#ifndef TRACETOOL_DUMP_SPANS_H
#define TRACETOOL_DUMP_SPANS_H

#include <stdint.h>

#include "base/text.h"
#include "import/importer.h"
#include "select/selection.h"
#include "store/catalog.h"
#include "store/database.h"

/* Texts of names by id, made ready for output and kept while they are used. */

struct name_cache {
    struct database *database;        /* borrowed */
    sqlite3_stmt *find;               /* owned; ?1 is the id */
    struct name_cache_entry *entries; /* owned hash table */
    const struct name_cache_entry *last;
};

struct name_cache_text {
    const char *bytes; /* escaped (text_append_escaped()), NUL-terminated; "" for none */
    size_t length;
    const char *raw; /* as it is in the database: any bytes */
    size_t raw_length;
    int64_t numbers[3]; /* INT64_MIN: NULL, or not asked for */
    const char *kind;   /* "" for none, or not asked for */
};

/* `sql` gives the text of an id, ?1, in its only row; behind it, three numbers and the kind if they
 * are wanted. */
bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error);
void name_cache_close(struct name_cache *cache);

/* The text of an id, borrowed until the next call. False with `error` set on failure. */
bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error);

/* Argument bytes of events. */
struct dump_arguments {
    struct database *database; /* borrowed */
    int64_t trace;
    sqlite3_stmt *rows; /* owned: to be finalized; NULL: the trace has none */
    int64_t id;         /* of the row at hand */
};

bool dump_arguments_open(struct dump_arguments *arguments, const struct selection *selection,
                         struct error *error);

/* Puts those of the event with that id, which ascend, into `event`: borrowed until the next one. */
bool dump_arguments_take(struct dump_arguments *arguments, int64_t id, struct event *event,
                         struct error *error);

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
