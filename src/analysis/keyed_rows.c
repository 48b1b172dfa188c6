#include "analysis/keyed_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

/* Returns the slot of a key; if it has no row, an empty slot. Slots store hashes, because comparing
 * them avoids reading most rows with other keys (a cache miss each). */
static struct keyed_slot *keyed_rows_find_slot(const struct keyed_rows *rows, const void *key,
                                               uint32_t hash) {
    size_t mask = rows->slot_count - 1;
    struct keyed_slot *slot = &rows->slots[hash & mask];

    while (slot->number != 0 && (slot->hash != hash || !keyed_rows_has_key(rows, slot->number, key,
                                                                           rows->kind.key_size))) {
        slot = &rows->slots[(size_t)(slot + 1 - rows->slots) & mask];
    }
    return slot;
}

/* Doubles the number of slots. Reads no rows: keys differ, and slots store hashes. */
static void keyed_rows_add_slots(struct keyed_rows *rows) {
    const size_t count = rows->slot_count == 0 ? FIRST_SLOTS : 2 * rows->slot_count;
    struct keyed_slot *slots = xzeros(count, sizeof *slots);

    for (size_t i = 0; i < rows->slot_count; i++) {
        size_t at = rows->slots[i].hash & (count - 1);

        if (rows->slots[i].number != 0) {
            while (slots[at].number != 0) {
                at = (at + 1) & (count - 1);
            }
            slots[at] = rows->slots[i];
        }
    }
    free(rows->slots);
    rows->slots = slots;
    rows->slot_count = count;
}

static size_t keyed_rows_add_row(struct keyed_rows *rows, const void *key, uint32_t hash) {
    char *row;

    if (rows->count >= rows->kind.most / rows->context->states) {
        keyed_rows_flush(rows);
    }
    /* makes room for one more row, with at most half of the slots in use */
    if (rows->count == rows->capacity) {
        rows->rows = array_grow(rows->rows, rows->count, &rows->capacity, rows->kind.row_size);
    }
    if (rows->count >= rows->slot_count / 2) {
        keyed_rows_add_slots(rows);
    }
    row = keyed_rows_row_at(rows, ++rows->count);
    if (rows->kind.blank != NULL) {
        memcpy(row, rows->kind.blank, rows->kind.row_size);
    } else {
        memset(row, 0, rows->kind.row_size);
    }
    memcpy(row, key, rows->kind.key_size);
    *keyed_rows_find_slot(rows, key, hash) = (struct keyed_slot){hash, (uint32_t)rows->count};
    return rows->count;
}

uint32_t keyed_rows_number_of(struct keyed_rows *rows, const void *key) {
    const uint32_t hash = (uint32_t)seeded_hash(key, rows->kind.key_size);
    size_t number = rows->slot_count == 0 ? 0 : keyed_rows_find_slot(rows, key, hash)->number;

    return (uint32_t)(number == 0 ? keyed_rows_add_row(rows, key, hash) : number);
}

void *keyed_rows_find(struct keyed_rows *rows, const void *key) {
    return keyed_rows_find_sized(rows, key, rows->kind.key_size);
}

void keyed_rows_flush(struct keyed_rows *rows) {
    sqlite3_mutex *lock = database_lock(rows->context->database);

    for (size_t number = 1; number <= rows->count; number++) {
        rows->kind.write(rows->context, keyed_rows_row_at(rows, number));
    }
    sqlite3_mutex_leave(lock);
    keyed_rows_free(rows);
}

void keyed_rows_free(struct keyed_rows *rows) {
    free(rows->rows);
    free(rows->slots);
    rows->rows = NULL;
    rows->slots = NULL;
    rows->count = rows->capacity = rows->slot_count = 0;
    memset(rows->recent, 0, sizeof rows->recent);
}

void keyed_state_begin(void *keyed_state) {
    struct keyed_state *state = keyed_state;

    state->rows =
        (struct keyed_rows){.context = state->context, .kind = *state->context->analysis->keyed};
}

void keyed_state_merge(void *keyed_state, void *from) {
    struct keyed_state *state = keyed_state, *other = from;

    for (size_t number = 1; number <= other->rows.count; number++) {
        const char *row = keyed_rows_row_at(&other->rows, number);

        state->rows.kind.add(keyed_rows_find(&state->rows, row), row);
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
