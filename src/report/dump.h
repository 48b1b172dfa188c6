/* Prints the events of a trace as text, in time order. */
#ifndef TRACETOOL_DUMP_H
#define TRACETOOL_DUMP_H

#include <stdint.h>
#include <stdio.h>

#include "report/request.h"
#include "report/workspace.h"
#include "base/text.h"
#include "import/importer.h"
#include "select/selection.h"
#include "store/catalog.h"
#include "store/database.h"

/* Writes a line for every selected event of every requested trace: seconds, then the text that its
 * importer makes. With `style`, writes rows of a result instead. */
bool dump_run(struct workspace *workspace, const struct report_request *request,
              const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error);

/* Limit of rows that are formatted to measure the size of a text, which is then estimated. */
#define DUMP_MEASURED_ROWS 2000000

/* Sets `*size` to the length of the lines for the first DUMP_MEASURED_ROWS rows of a trace. */
bool dump_text_size(struct workspace *workspace, const struct catalog_trace *trace, int64_t *size,
                    struct error *error);

/* Cache of names by id, escaped for output. */

struct name_cache {
    struct database *database;        /* borrowed */
    sqlite3_stmt *find;               /* owned; statement that returns the name of the id ?1 */
    struct name_cache_entry *entries; /* owned hash table: names by id */
    const struct name_cache_entry *last;
};

struct name_cache_text {
    /* Name, escaped by text_append_escaped() and NUL-terminated; "" if there is none. */
    const char *bytes;
    size_t length;
    const char *raw; /* the same name as raw bytes of the database */
    size_t raw_length;
    /* Numbers that the statement returns; INT64_MIN: NULL, or the statement has none. */
    int64_t numbers[3];
    const char *kind; /* kind that the statement returns; "": none */
};

/* Opens a cache. `sql` returns one row for the id ?1: its text, optionally followed by three
 * numbers and a kind. */
bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error);
void name_cache_close(struct name_cache *cache);

/* Returns the text of an id, borrowed until the next call. False with `error` set on failure. */
bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error);

/* Reads the arguments of events, which are stored as bytes. */
struct dump_arguments {
    struct database *database; /* borrowed */
    int64_t trace;
    sqlite3_stmt *rows; /* owned; statement that returns the arguments; NULL: the trace has none */
    int64_t id;         /* id of the statement's current row */
};

bool dump_arguments_open(struct dump_arguments *arguments, const struct selection *selection,
                         struct error *error);

/* Sets the arguments of event `id` in `event`, borrowed until the next call. Ids must ascend. */
bool dump_arguments_read(struct dump_arguments *arguments, int64_t id, struct event *event,
                         struct error *error);

/* A line to write, for the entry or exit of a call. Pointers are borrowed while it is written. */
struct dump_line {
    int64_t time; /* time of the entry or exit; EVENT_NONE: unknown */
    int64_t size; /* size of the call; EVENT_NONE: unknown */
    const struct name_cache_text *thread, *name;
    const struct text *detail; /* escaped text: indentation, mark, name, arguments */
};

struct dump_lines {
    const struct config *config; /* for the importer, if it describes the lines */
    void *state;                 /* state that the importer's begin_dump() has made */
    void *context;
    /* Writes a line. False: stop, with `error` set or, if enough lines are written, `enough`. */
    bool (*write)(void *context, const struct dump_line *line, struct error *error);
    bool enough; /* true: write() has stopped without an error */
};

/* Passes the lines for a selection of one trace to `lines`, in order of time. If the exit of a call
 * is missing, or the call is open at the end, a line says so. `events`: limit of rows, 0: all. */
bool dump_spans(const struct selection *selection, int64_t events, struct dump_lines *lines,
                struct error *error);

#endif
