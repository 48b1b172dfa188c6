/* Events as rows of an SQLite table: its b-tree pages, which an in-memory database serves
 * (store/row_pages.h).
 *
 * Format: https://www.sqlite.org/fileformat2.html#b_tree_pages. The first page is the interior page
 * that lists the leaves, or the only leaf.
 */
#ifndef TRACETOOL_BATCH_PAGES_H
#define TRACETOOL_BATCH_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"

/* Page size in bytes. */
#define BATCH_PAGE ((size_t)65536)

/* Page number of the first page in its file, after the schema's page. */
#define BATCH_PAGES_FIRST 2

/* Maximum number of leaves: one interior page lists them in 15 bytes each. */
#define BATCH_LEAVES (BATCH_PAGE / 15 - 100)

/* Empty when zeroed. Reusable for other events. */
struct batch_pages {
    unsigned char *bytes;    /* owned; all pages */
    size_t count, capacity;  /* in pages */
    int64_t *last;           /* owned; largest id of each leaf; room for BATCH_LEAVES */
    unsigned char *record;   /* owned; buffer for the record being built */
    size_t cells, used_from; /* leaf being filled: number of cells, start of the lowest one */
    bool fit;                /* every event has a row */
};

/* Builds the rows of events with the given `columns` (enum event_column). `first` is the id of the
 * first event, `first_row` the id of serial number 0, to which parents refer. `fit` is false if a
 * record is too long for a page or there are no events. */
void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row);

/* A row: its id and SQLite's record. */
struct batch_row {
    int64_t id;
    const unsigned char *record;
    size_t length;
};

/* Calls `visit` for each row in order until it returns false; returns the last result. The pages
 * must `fit`.
 */
bool batch_pages_each(const struct batch_pages *pages,
                      bool (*visit)(void *context, const struct batch_row *row,
                                    struct error *error),
                      void *context, struct error *error);

/* Build pages from rows of batch_pages_each(), with increasing ids. The rows must not need more
 * than BATCH_LEAVES pages. */
void batch_pages_begin(struct batch_pages *pages);
void batch_pages_add(struct batch_pages *pages, const struct batch_row *row);
void batch_pages_end(struct batch_pages *pages);

void batch_pages_free(struct batch_pages *pages);

#endif
