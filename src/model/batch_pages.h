/* Events as rows of a table of SQLite's: the pages of the table, which a database in memory has
 * (store/row_pages.h).
 *
 * https://www.sqlite.org/fileformat2.html#b_tree_pages describes them. The first one lists the
 * leaves behind it, or is the only leaf itself.
 */
#ifndef TRACETOOL_BATCH_PAGES_H
#define TRACETOOL_BATCH_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"

/* Bytes of a page. */
#define BATCH_PAGE ((size_t)65536)

/* The number of the first one in its file: that of the schema is before it. */
#define BATCH_PAGES_FIRST 2

/* Leaves, at most: those that one page can list, with 15 bytes for each. */
#define BATCH_LEAVES (BATCH_PAGE / 15 - 100)

/* Zeroed: none. To be used again for other events. */
struct batch_pages {
    unsigned char *bytes;   /* owned; of all pages */
    size_t count, capacity; /* pages: that there are, and that have room */
    int64_t *last;          /* owned; of each leaf: the largest id, and room for BATCH_LEAVES */
    unsigned char *record;  /* owned; room for one that is being made */
    size_t cells,
        used_from; /* of the leaf that is being filled: how many, where the lowest begins */
    bool fit;      /* all events have their row */
};

/* Makes the rows of events, of which `columns` (enum event_column) are set; the first one has the
 * id `first`. `first_row` is the id of the event with serial number 0, by which callers are given.
 * `fit` is false then when one is too long for a page, or when there are no events. */
void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row);

/* A row: its id, and the record that SQLite keeps of it. */
struct batch_row {
    int64_t id;
    const unsigned char *record;
    size_t length;
};

/* Calls a function for each row of pages that fit, in order, until it is false, and returns that.
 */
bool batch_pages_each(const struct batch_pages *pages,
                      bool (*visit)(void *context, const struct batch_row *row,
                                    struct error *error),
                      void *context, struct error *error);

/* Makes pages of rows that batch_pages_each() gave, with ids that grow; no more of them than
 * BATCH_LEAVES pages hold. */
void batch_pages_begin(struct batch_pages *pages);
void batch_pages_add(struct batch_pages *pages, const struct batch_row *row);
void batch_pages_end(struct batch_pages *pages);

void batch_pages_free(struct batch_pages *pages);

#endif
