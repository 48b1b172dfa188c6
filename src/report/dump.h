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

/* Writes a line for every selected event of every requested trace: seconds, then the importer's
 * text. With `style`, writes rows of a result. */
bool dump_run(struct workspace *workspace, const struct report_request *request,
              const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error);

/* Limit of rows formatted to measure the size of text; the rest is estimated. */
#define DUMP_MEASURED_ROWS 2000000

/* Computes the size in bytes of the lines for the first DUMP_MEASURED_ROWS rows of a trace of
 * spans. */
bool dump_text_size(struct workspace *workspace, const struct catalog_trace *trace, int64_t *size,
                    struct error *error);

/* Cache of names by id, escaped for output. */

struct name_cache {
    struct database *database;        /* borrowed */
    sqlite3_stmt *find;               /* owned; ?1 is the id */
    struct name_cache_entry *entries; /* owned hash table */
    const struct name_cache_entry *last;
};

struct name_cache_text {
    const char *bytes; /* escaped (text_append_escaped()), NUL-terminated; "" for none */
    size_t length;
    const char *raw; /* raw bytes of the database */
    size_t raw_length;
    int64_t numbers[3]; /* INT64_MIN: NULL, or not requested */
    const char *kind;   /* "" for none, or not requested */
};

/* `sql` returns the text of the id ?1 in its only row, optionally followed by three numbers and the
 * kind. */
bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error);
void name_cache_close(struct name_cache *cache);

/* Returns the text of an id, borrowed until the next call. False with `error` set on failure. */
bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error);

/* Reader of events' argument bytes. */
struct dump_arguments {
    struct database *database; /* borrowed */
    int64_t trace;
    sqlite3_stmt *rows; /* owned; NULL: the trace has none */
    int64_t id;         /* id of the current row */
};

bool dump_arguments_open(struct dump_arguments *arguments, const struct selection *selection,
                         struct error *error);

/* Reads the arguments of the event `id` into `event`, borrowed until the next call. Ids must
 * increase. */
bool dump_arguments_read(struct dump_arguments *arguments, int64_t id, struct event *event,
                         struct error *error);

/* A record to write. Its pointers are borrowed for the call. */
struct dump_line {
    int64_t time; /* EVENT_NONE: unknown */
    int64_t size; /* EVENT_NONE: unknown */
    const struct name_cache_text *thread, *name;
    const struct text *detail; /* escaped: indentation, mark, name, arguments */
};

struct dump_lines {
    const struct config *config; /* for the importer, if it describes records */
    void *state;                 /* state made by the importer's begin_dump() */
    void *context;
    /* Returning false stops: with `error` set, or because enough is written. */
    bool (*write)(void *context, const struct dump_line *line, struct error *error);
    bool enough; /* set by write() when it stops without an error */
};

/* Passes the records of a selection of one trace to `lines`, in time order. A call with a missing
 * exit, or open at the end, has a line that says so. `events`: maximum rows, 0: all. */
bool dump_spans(const struct selection *selection, int64_t events, struct dump_lines *lines,
                struct error *error);

#endif
