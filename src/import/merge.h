/* Merges streams of records by time.
 *
 * Records of equal time come in order of their streams, those of one stream in the order in which
 * they stand there. A stream that is out of order is sorted within a window of some records first;
 * a record that is later than that comes as soon as it is read. A stream is not asked for anything
 * before the time at which it is said to begin, so that pieces that follow one another are open one
 * after the other.
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

/* Sorts the records of a log by time: an external sort in a temporary file of SQLite's, so that
 * memory does not grow with the log. Records of one time keep the order in which they were added.
 */

struct record_sort;

/* `interrupted` ends a long sort when it is set; NULL: never. NULL with `error` set on failure. */
struct record_sort *record_sort_open(const volatile sig_atomic_t *interrupted, struct error *error);

/* Adds a record of that stream; its bytes are copied. */
bool record_sort_add(struct record_sort *sort, size_t stream, int64_t time,
                     const struct stream_record *record, struct error *error);

/* The next record in order of time, borrowed until the next call; `*some` is false behind the last.
 * Nothing is added any more. */
bool record_sort_next(struct record_sort *sort, size_t *stream, struct stream_record *record,
                      bool *some, struct error *error);

void record_sort_close(struct record_sort *sort);

/* --- merging -------------------------------------------------------------------------------------
 */

/* Where records come from. */
struct merge_input {
    void *context;
    /* The next record of a stream, borrowed until the next call for that stream, and its time;
     * EVENT_NONE: it has none, and belongs right behind the one before it. `*some` is false at the
     * stream's end, after which it is not asked again. False with `error` set on failure. */
    bool (*next)(void *context, size_t stream, struct stream_record *record, int64_t *time,
                 bool *some, struct error *error);
};

struct merge;

/* Merges `count` streams, which begin at `first_times` or later (INT64_MIN: not known). Each is
 * sorted within `window` records; 0: they are taken as they come. */
struct merge *merge_open(const struct merge_input *input, const int64_t *first_times, size_t count,
                         unsigned window);
void merge_close(struct merge *merge);

/* The next record of all, borrowed until the next call, and the stream it is from; `*some` is false
 * when all have ended. */
bool merge_next(struct merge *merge, size_t *stream, struct stream_record *record, bool *some,
                struct error *error);

/* How many records have come later than the window could put right. */
int64_t merge_late(const struct merge *merge);

#endif
