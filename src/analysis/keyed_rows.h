/* Hash table of rows of counters, each with a key. Rows are in memory up to a limit; then all are
 * written to a database table, where the query adds up rows with equal keys. */
#ifndef TRACETOOL_KEYED_ROWS_H
#define TRACETOOL_KEYED_ROWS_H

#include <string.h>

#include "analysis/analysis.h"

/* Size of a cache of recent rows, which avoids the hash table and its two cache misses. */
#define KEYED_RECENT 4096

struct keyed_slot {
    uint32_t hash;   /* hash of the row's key */
    uint32_t number; /* number of the row, from 1; 0: the slot is empty */
};

/* What rows a table has, and how they are written. */
struct keyed_kind {
    /* In bytes; a row begins with its key, which consists of words of 4 bytes without padding. */
    size_t key_size, row_size;
    size_t most;       /* limit of rows in memory, over all threads of the analysis */
    const void *blank; /* initial value of the part of a row after its key; NULL: zeroed */
    /* Writes a row to the database table. */
    void (*write)(struct analysis_context *context, const void *row);
    void (*add)(void *row,
                /* Adds the counters of `from` to the row of equal key. NULL if the analysis has
                   only one thread. */
                const void *from);
};

struct keyed_rows {
    struct analysis_context *context;
    struct keyed_kind kind;
    char *rows; /* owned; `count` rows, in order of creation */
    size_t count, capacity;
    struct keyed_slot *slots;      /* owned hash table */
    size_t slot_count;             /* number of slots: a power of two, or 0 */
    uint32_t recent[KEYED_RECENT]; /* cache by hash: number of a row, from 1; 0: none */
};

/* Returns a row by its number, from 1. */
static inline char *keyed_rows_row_at(const struct keyed_rows *rows, size_t number) {
    return rows->rows + (number - 1) * rows->kind.row_size;
}

/* Returns whether a row has a key. Compares words of 4 bytes, in half the time of memcmp(). */
static inline bool keyed_rows_has_key(const struct keyed_rows *rows, size_t number, const void *key,
                                      size_t key_size) {
    const char *row = keyed_rows_row_at(rows, number);
    uint32_t differs = 0;

    for (size_t at = 0; at < key_size; at += sizeof differs) {
        uint32_t left, right;

        memcpy(&left, row + at, sizeof left);
        memcpy(&right, (const char *)key + at, sizeof right);
        differs |= left ^ right;
    }
    return differs == 0;
}

/* Finds the row with a key in the hash table, or adds it. Returns the row's number. */
uint32_t keyed_rows_number_of(struct keyed_rows *rows, const void *key);

/* Finds or adds the row of a key, as keyed_rows_find(), but twice as fast if `key_size`, the size
 * of the rows' keys, is a constant. Keys that collide in the cache `recent` cost a lookup in the
 * hash table. */
static inline void *keyed_rows_find_sized(struct keyed_rows *rows, const void *key,
                                          size_t key_size) {
    uint32_t mixed = 0, word, *recent;

    for (size_t at = 0; at < key_size; at += sizeof word) {
        memcpy(&word, (const char *)key + at, sizeof word);
        mixed = (mixed ^ word) * UINT32_C(0x9E3779B1);
    }
    recent = &rows->recent[mixed / (UINT32_MAX / KEYED_RECENT + 1)];
    if (*recent == 0 || !keyed_rows_has_key(rows, *recent, key, key_size)) {
        *recent = keyed_rows_number_of(rows, key);
    }
    return keyed_rows_row_at(rows, *recent);
}

/* Returns the row of a key, and creates it if missing. Valid until the next lookup. */
void *keyed_rows_find(struct keyed_rows *rows, const void *key);

/* Writes all rows to the database table, and removes them from memory. */
void keyed_rows_flush(struct keyed_rows *rows);

void keyed_rows_free(struct keyed_rows *rows);

/* First member of the state of analyses that count by key, which use the functions below as
 * begin(), merge(), end_trace() and free(). These make an empty table of rows of analysis.keyed,
 * add up the threads' rows, write them after each trace, and free them. */
struct keyed_state {
    struct analysis_context *context;
    struct keyed_rows rows;
};

void keyed_state_begin(void *keyed_state);
void keyed_state_merge(void *keyed_state, void *from);
void keyed_state_end_trace(void *keyed_state);
void keyed_state_free(void *keyed_state);

#endif
