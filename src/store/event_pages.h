/* The rows of the table `event`, read from the pages of the database file without SQLite's machine,
 * which takes several times as long for a row.
 *
 * SQLite's file format is documented and fixed (https://www.sqlite.org/fileformat2.html, sections
 * 1.2, 1.3, 1.6 and 2.1). The pages are only read while the connection holds SQLite's own lock for
 * reading, so what they hold is what a SELECT at the same moment sees. Where that cannot be had,
 * there are no event pages, and the caller asks SQLite.
 */
#ifndef TRACETOOL_EVENT_PAGES_H
#define TRACETOOL_EVENT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "store/database.h"

struct event_pages;

/* Makes ready to read the rows with ids from `first` to `last`, of which later calls see the state
 * of this moment. `*pages` is NULL, without an error, when the file cannot be read so: it keeps a
 * write-ahead log, was moved, or this connection is changing it. Owned by the caller. */
bool event_pages_open(struct event_pages **pages, struct database *database, int64_t first,
                      int64_t last, struct error *error);
void event_pages_close(struct event_pages *pages);

/* How many pages hold the rows. */
size_t event_pages_count(const struct event_pages *pages);

/* Reads pages; each thread has its own. */
struct event_page_reader;

/* For at most so many pages at once rows of one operation are read, or of any (EVENT_NONE), and of
 * their fields those of `fields` (bit set of enum event_column, but EVENT_CPU, which lies in
 * another table), id and time. NULL when out of memory; owned by the caller, and to be freed before
 * the pages are closed. */
struct event_page_reader *event_page_reader_new(const struct event_pages *pages, size_t at_once,
                                                unsigned fields, int64_t operation);
void event_page_reader_free(struct event_page_reader *reader);

/* Reads the rows of the pages from number `first`, the first is 0, up to before `behind`. They are
 * in order of id, and stay, with their argument bytes, until the next call; the columns are the
 * reader's, and the caller may leave some of the events out of them. Fails where the file is
 * damaged. */
bool event_pages_read(struct event_page_reader *reader, size_t first, size_t behind,
                      struct event_columns **columns, size_t *count, struct error *error);

#endif
