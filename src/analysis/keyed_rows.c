#include "analysis/keyed_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct keyed_row {
    UT_hash_handle hh;
    _Alignas(max_align_t) char bytes[];
};

void *keyed_rows_find(struct keyed_rows *rows, const void *key) {
    struct keyed_row *row = rows->last;

    if (row != NULL && memcmp(row->bytes, key, rows->key_size) == 0) {
        return row->bytes;
    }
    HASH_FIND(hh, rows->rows, key, rows->key_size, row);
    if (row == NULL) {
        if (HASH_COUNT(rows->rows) >= rows->most / rows->context->states) {
            keyed_rows_flush(rows);
        }
        row = xcalloc(1, sizeof *row + rows->row_size);
        if (rows->blank != NULL) {
            memcpy(row->bytes, rows->blank, rows->row_size);
        }
        memcpy(row->bytes, key, rows->key_size);
        HASH_ADD_KEYPTR(hh, rows->rows, row->bytes, rows->key_size, row);
    }
    rows->last = row;
    return row->bytes;
}

void keyed_rows_flush(struct keyed_rows *rows) {
    analysis_lock(true);
    for (const struct keyed_row *row = rows->rows; row != NULL; row = row->hh.next) {
        rows->write(rows->context, row->bytes);
    }
    analysis_lock(false);
    keyed_rows_free(rows);
}

void keyed_rows_free(struct keyed_rows *rows) {
    struct keyed_row *row, *next;

    rows->last = NULL;
    HASH_ITER(hh, rows->rows, row, next) {
        HASH_DEL(rows->rows, row);
        free(row);
    }
}

void keyed_state_merge(void *keyed_state, void *from) {
    struct keyed_state *state = keyed_state, *other = from;

    for (const struct keyed_row *row = other->rows.rows; row != NULL; row = row->hh.next) {
        state->rows.add(keyed_rows_find(&state->rows, row->bytes), row->bytes);
    }
    keyed_rows_free(&other->rows);
}

void keyed_state_end_trace(void *keyed_state) {
    struct keyed_state *state = keyed_state;

    keyed_rows_flush(&state->rows);
}

void keyed_state_free(void *keyed_state) {
    struct keyed_state *state = keyed_state;

    keyed_rows_free(&state->rows);
}
