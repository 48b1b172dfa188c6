/* Rows of counts by key. They are kept in memory up to a limit, then flushed to a table, where the
 * query adds up rows with equal keys. */
#ifndef TRACETOOL_KEYED_ROWS_H
#define TRACETOOL_KEYED_ROWS_H

#include "analysis/analysis.h"

/* Rows found again without the hash table, which costs two cache misses. */
#define KEYED_RECENT 4096

struct keyed_slot {
    uint32_t hash;   /* hash of the row's key */
    uint32_t number; /* number of the row, from 1; 0: an empty slot */
};

struct keyed_rows {
    struct analysis_context *context;
    size_t key_size, row_size; /* bytes; a row begins with its key: words of 4 bytes, no holes */
    size_t most;               /* limit of rows in memory, over all threads */
    const void *blank;         /* initial value of a new row after its key; NULL: zeroed */
    /* Writes a row into the table. */
    void (*write)(struct analysis_context *context, const void *row);
    void (*add)(void *row,
                const void *from); /* adds a row to the one with the same key; NULL: one thread */
    char *rows;                    /* owned; `count` rows, in order of creation */
    size_t count, capacity;
    struct keyed_slot *slots;      /* owned hash table */
    size_t slot_count;             /* a power of two, or 0 */
    uint32_t recent[KEYED_RECENT]; /* numbers of rows found before, from 1; 0: none */
};

/* Returns the row of a key, and creates it if missing. The pointer is valid until the next lookup.
 */
void *keyed_rows_find(struct keyed_rows *rows, const void *key);

/* Writes all rows to the table and discards them. */
void keyed_rows_flush(struct keyed_rows *rows);

void keyed_rows_free(struct keyed_rows *rows);

/* Common first member of analyses' states, with hooks: adds up the rows of all threads, and writes
 * them at the end of each trace. */
struct keyed_state {
    struct analysis_context *context;
    struct keyed_rows rows;
};

void keyed_state_merge(void *keyed_state, void *from);
void keyed_state_end_trace(void *keyed_state);
void keyed_state_free(void *keyed_state);

#endif
