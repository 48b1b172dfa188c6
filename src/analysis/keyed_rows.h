/* Rows of what is counted by keys: as many in memory as there is room for; then they go to a table,
 * where the query adds up those of equal keys. */
#ifndef TRACETOOL_KEYED_ROWS_H
#define TRACETOOL_KEYED_ROWS_H

#include "analysis/analysis.h"

struct keyed_slot {
    uint32_t hash;   /* of the row's key */
    uint32_t number; /* of the row, from 1; 0: an empty slot */
};

struct keyed_rows {
    struct analysis_context *context;
    size_t key_size, row_size; /* bytes; a row begins with its key: words of 4 bytes, no holes */
    size_t most;               /* rows in memory, over all threads */
    const void *blank;         /* what a new row is behind its key; NULL: zeroed */
    /* Writes a row into the table. */
    void (*write)(struct analysis_context *context, const void *row);
    void (*add)(void *row, const void *from); /* adds a row to that of its key; NULL: one thread */
    char *rows;                               /* owned: `count` of them, in the order they came */
    size_t count, capacity;
    struct keyed_slot *slots; /* owned hash table */
    size_t slot_count;        /* a power of two, or 0 */
    size_t last;              /* number of the row that was found last, from 1 */
};

/* The row of a key, which is made where there is none: it stays until the next is looked for. */
void *keyed_rows_find(struct keyed_rows *rows, const void *key);

/* Writes all rows, and forgets them. */
void keyed_rows_flush(struct keyed_rows *rows);

void keyed_rows_free(struct keyed_rows *rows);

/* What the state of an analysis may begin with, and hooks for it: rows of all threads are added up,
 * and written when their trace ends. */
struct keyed_state {
    struct analysis_context *context;
    struct keyed_rows rows;
};

void keyed_state_merge(void *keyed_state, void *from);
void keyed_state_end_trace(void *keyed_state);
void keyed_state_free(void *keyed_state);

#endif
