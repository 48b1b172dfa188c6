/* Merges streams of records by time.
 *
 * Records of equal time come in order of their streams, those of one stream in their original
 * order. A stream that is out of order is first sorted within a window of records; a record that is
 * later than the window comes as soon as it is read. A stream is not read before its given start,
 * so that consecutive files are opened one at a time.
 */
#ifndef TRACETOOL_MERGE_H
#define TRACETOOL_MERGE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/importer.h"

/* --- sorting -------------------------------------------------------------------------------------
 */

/* Sorts the records of a log by time: an external sort in SQLite's temporary file, with bounded
 * memory. Stable.
 */

struct record_sort;

/* Setting `interrupted` ends a long sort; NULL: never. NULL with `error` set on failure. */
struct record_sort *record_sort_open(const volatile sig_atomic_t *interrupted, struct error *error);

/* Adds a record of a stream, copying its bytes. */
bool record_sort_add(struct record_sort *sort, size_t stream, int64_t time,
                     const struct stream_record *record, struct error *error);

/* Returns the next record in time order, borrowed until the next call; `*some` is false at the end.
 * Nothing can be added afterwards. */
bool record_sort_next(struct record_sort *sort, size_t *stream, struct stream_record *record,
                      bool *some, struct error *error);

void record_sort_close(struct record_sort *sort);

/* --- merging -------------------------------------------------------------------------------------
 */

/* Source of records. */
struct merge_input {
    void *context;
    /* Returns the next record of a stream, borrowed until the next call for that stream, and its
     * time. EVENT_NONE: it has no time and directly follows the one before. `*some` is false at the
     * stream's end, after which it is not called again. False with `error` set on failure. */
    bool (*next)(void *context, size_t stream, struct stream_record *record, int64_t *time,
                 bool *some, struct error *error);
};

struct merge;

/* Merges `count` streams, which start at `first_times` or later (INT64_MIN: unknown). Each is
 * sorted within `window` records; 0: unsorted. */
struct merge *merge_open(const struct merge_input *input, const int64_t *first_times, size_t count,
                         unsigned window);
void merge_close(struct merge *merge);

/* Returns the next record, borrowed until the next call, and its stream; `*some` is false when all
 * have ended. */
bool merge_next(struct merge *merge, size_t *stream, struct stream_record *record, bool *some,
                struct error *error);

/* Returns the number of records beyond the reach of the window. */
int64_t merge_late(const struct merge *merge);

#endif
