/* Reads the files of an import: finds their order and format, and counts the events of each. */
#ifndef TRACETOOL_READING_H
#define TRACETOOL_READING_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/reader.h"

/* A file of the log while it is open. */
struct open_source {
    struct input *input; /* owned; NULL: not open */
    struct reader reader;
};

/* Fills `run->sources` with the files. Orders them by the first time in each, if the format has
 * first_time(). */
bool sources_init(struct import_run *run, const char *const *paths, size_t count,
                  struct error *error);
void sources_free(struct import_run *run);

/* Closes the file. A zeroed struct is allowed. */
void source_close(struct open_source *source);

/* Opens files from index `run->source` on, until one has a known format; `run->source` becomes its
 * index. */
bool sources_open_first(struct import_run *run, struct open_source *source, struct error *error);

/* Switches to another file. Attributes what was counted so far to the previous file. `reader`: NULL
 * if no file follows. */
void sources_switch_file(struct import_run *run, size_t position, struct reader *reader);

/* Reads all files from index `run->source` on, one after another or in parallel. Runs in the
 * importer's thread. `first`: the first file, already open; it is closed. `state`: the importer's
 * state. Returns false on failure, with `run->error` set, and also if the import needs no more
 * input. */
bool import_read(struct import_run *run, void *state, struct open_source *first);

/* --- sorting of records before parsing -------------------------------------------------------- */

/* Sorts the records of a log by time. A stable external sort, in SQLite's temporary file, with
 * bounded memory. */

struct record_sort;

/* Begins to sort. A nonzero `*interrupted` ends a long sort; NULL: no interruption. Returns NULL
 * with `error` set on failure. */
struct record_sort *record_sort_open(const volatile sig_atomic_t *interrupted, struct error *error);

/* Adds a record of a stream, copying its bytes. */
bool record_sort_add(struct record_sort *sort, size_t stream, int64_t time,
                     const struct stream_record *record, struct error *error);

/* Returns the next record in order of time, borrowed until the next call. Sets `*some` to false at
 * the end. No record can be added afterwards. */
bool record_sort_next(struct record_sort *sort, size_t *stream, struct stream_record *record,
                      bool *some, struct error *error);

void record_sort_close(struct record_sort *sort);

/* --- merging of streams by time --------------------------------------------------------------- */

/* Supplies the records of the streams to be merged. */
struct merge_input {
    void *context;
    /* Returns the next record of a stream and its time. The record is borrowed until the next call
     * for this stream; a parsed record stays valid as long as a record of read_ahead_next(). Time
     * EVENT_NONE: the record directly follows the one before. At the stream's end sets `*some` to
     * false; it is not called again after that. Returns false with `error` set on failure. */
    bool (*next)(void *context, size_t stream, struct stream_record *record, int64_t *time,
                 bool *some, struct error *error);
};

struct merge;

/* Begins to merge `count` streams by time. `first_times`: by stream, a time before which it has no
 * records, so that it is not read earlier (INT64_MIN: unknown). Each stream is first sorted within
 * `window` records; 0: not sorted. */
struct merge *merge_open(const struct merge_input *input, const int64_t *first_times, size_t count,
                         unsigned window);
void merge_close(struct merge *merge);

/* Returns the next record, borrowed until the next call, and its stream's number. Sets `*some` to
 * false when all streams have ended. */
bool merge_next(struct merge *merge, size_t *stream, struct stream_record *record, bool *some,
                struct error *error);

/* Returns the number of records that are out of order because the window was too small. */
int64_t merge_count_late_records(const struct merge *merge);

/* When files are appended to a trace, sets the numbers of importer.resume in `state` from the text
 * stored with the trace. Returns false with an error set if the text or a number is invalid. */
bool resume_state_read(struct import_run *run, void *state);

/* Makes the text that is stored with the trace for a later append: the numbers of importer.resume,
 * then the text of import_save_state(). */
void resume_state_write(struct import_run *run, void *state);

#endif
