/* Sorts the records of a log by time: an external sort in a temporary file of SQLite's, so that
 * memory does not grow with the log. Records of one time keep the order in which they were added.
 */
#ifndef TRACETOOL_RECORD_SORT_H
#define TRACETOOL_RECORD_SORT_H

#include <signal.h>

#include "base/error.h"
#include "import/stream.h"

struct record_sort;

/* `interrupted` ends a long sort when it is set; NULL: never. NULL with `error` set on failure. */
struct record_sort *record_sort_open(const volatile sig_atomic_t *interrupted, struct error *error);

/* Adds a record, whose bytes are copied, of the stream of that number. */
bool record_sort_add(struct record_sort *sort, size_t stream, int64_t time,
                     const struct stream_record *record, struct error *error);

/* The next record in order of time, borrowed until the next call; `*some` is false behind the last.
 * Nothing is added any more. */
bool record_sort_next(struct record_sort *sort, size_t *stream, struct stream_record *record,
                      bool *some, struct error *error);

void record_sort_close(struct record_sort *sort);

#endif
