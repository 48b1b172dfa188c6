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

/* Writes a line for every selected event of every requested trace: its time in seconds, and text
 * from the trace's importer. With `style`, writes rows with columns instead. */
bool dump_run(struct workspace *workspace, const struct report_request *request,
              const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error);

/* Limit of rows formatted to measure the size of a dump; that of longer ones is extrapolated. */
#define DUMP_MEASURED_ROWS 2000000

/* Sets `*size` to the length in bytes of the dump's lines for the first DUMP_MEASURED_ROWS rows. */
bool dump_text_size(struct workspace *workspace, const struct catalog_trace *trace, int64_t *size,
                    struct error *error);

/* Cache of names of actors (threads, processes), operations and objects (files, devices) by id,
 * both raw and escaped for output. */

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
    const char *raw; /* the name as in `bytes`, but not escaped */
    size_t raw_length;
    /* Columns 1 to 3 of the statement; INT64_MIN: NULL, or the statement lacks the column. */
    int64_t numbers[3];
    const char *kind; /* column 4 of the statement; "": the statement lacks the column */
};

/* Opens a cache. `sql` returns one row for the id ?1: the name, optionally followed by three
 * integers (such as pid and tid) and a kind. */
bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error);
void name_cache_close(struct name_cache *cache);

/* Finds the name of an id; `*text` is valid until the next call. False with `error` on failure. */
bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error);

/* Reads the arguments of a trace's events from the database, where they are stored as bytes. */
struct dump_arguments {
    struct database *database; /* borrowed */
    int64_t trace;
    sqlite3_stmt *rows; /* owned; statement that returns the arguments; NULL: the trace has none */
    int64_t id;         /* id of the statement's current row */
};

bool dump_arguments_open(struct dump_arguments *arguments, const struct selection *selection,
                         struct error *error);

/* Sets `event->arguments` for an event's id; valid until the next call, whose id must be higher. */
bool dump_arguments_read(struct dump_arguments *arguments, int64_t id, struct event *event,
                         struct error *error);

/* A line to write, for the entry or exit of a call. Its pointers are valid during write() only. */
struct dump_line {
    int64_t time; /* log time of the entry or exit; EVENT_NONE: unknown */
    int64_t size; /* size of the call in bytes; EVENT_NONE: unknown */
    const struct name_cache_text *thread, *name;
    const struct text *detail; /* escaped text: indentation, mark, name, arguments */
};

struct dump_lines {
    const struct config *config; /* passed to the importer's function dump_span() */
    void *state;                 /* returned by the importer's begin_dump() */
    void *context;
    /* Writes a line. False to stop: with `error` set, or with `enough` set after enough lines. */
    bool (*write)(void *context, const struct dump_line *line, struct error *error);
    bool enough; /* true: write() stopped because enough lines were written, without an error */
};

/* Passes the dump's lines for the selected events of one trace to `lines`, in time order. Marks
 * calls whose exit is missing or that are open at the end. `events`: limit of rows; 0: all. */
bool dump_spans(const struct selection *selection, int64_t events, struct dump_lines *lines,
                struct error *error);

#endif
