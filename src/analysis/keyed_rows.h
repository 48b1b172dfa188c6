/* Rows of what is counted by keys: as many in memory as there is room for; then they go to a table,
 * where the query adds up those of equal keys. */
#ifndef TRACETOOL_KEYED_ROWS_H
#define TRACETOOL_KEYED_ROWS_H

#include "analysis/analysis.h"

struct keyed_rows {
    struct analysis_context *context;
    size_t key_size, row_size; /* bytes; a row begins with its key, which has no holes */
    size_t most;               /* rows in memory, over all threads */
    const void *blank;         /* what a new row is behind its key; NULL: zeroed */
    /* Writes a row into the table. */
    void (*write)(struct analysis_context *context, const void *row);
    struct keyed_row *rows, *last; /* owned hash table; that which was found last */
};

/* The row of a key, which is made where there is none: it stays until the next is looked for. */
void *keyed_rows_find(struct keyed_rows *rows, const void *key);

/* Has all rows of `from` added to those of their keys, and forgets them. */
void keyed_rows_merge(struct keyed_rows *rows, struct keyed_rows *from,
                      void (*add)(void *row, const void *from));

/* Writes all rows, and forgets them. */
void keyed_rows_flush(struct keyed_rows *rows);

void keyed_rows_free(struct keyed_rows *rows);

#endif
