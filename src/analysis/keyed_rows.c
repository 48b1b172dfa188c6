#include "analysis/keyed_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

static char *row_at(const struct keyed_rows *rows, size_t number) {
    return rows->rows + (number - 1) * rows->row_size;
}

static bool has_key(const struct keyed_rows *rows, size_t number, const void *key) {
    return memcmp(row_at(rows, number), key, rows->key_size) == 0;
}

static uint32_t hash_of(const struct keyed_rows *rows, const void *key) {
    return (uint32_t)seeded_hash(key, rows->key_size);
}

/* The slot of the key: its row's, or an empty one, which there always is. */
static struct keyed_slot *find_slot(const struct keyed_rows *rows, const void *key, uint32_t hash) {
    size_t mask = rows->slot_count - 1, at = hash & mask;

    while (rows->slots[at].number != 0 &&
           (rows->slots[at].hash != hash || !has_key(rows, rows->slots[at].number, key))) {
        at = (at + 1) & mask;
    }
    return &rows->slots[at];
}

/* Twice the slots, or the first. */
static void add_slots(struct keyed_rows *rows) {
    size_t before = rows->slot_count, mask = before == 0 ? FIRST_SLOTS - 1 : 2 * before - 1;
    struct keyed_slot *slots = xcalloc(mask + 1, sizeof *slots);

    for (size_t i = 0; i < before; i++) {
        size_t at = rows->slots[i].hash & mask;

        while (rows->slots[i].number != 0 && slots[at].number != 0) {
            at = (at + 1) & mask;
        }
        slots[at] = rows->slots[i].number != 0 ? rows->slots[i] : slots[at];
    }
    free(rows->slots);
    rows->slots = slots;
    rows->slot_count = mask + 1;
}

/* At most half of the slots are in use. */
static void make_room(struct keyed_rows *rows) {
    if (rows->count == rows->capacity) {
        rows->rows = array_grow(rows->rows, rows->count, &rows->capacity, rows->row_size);
    }
    if (rows->count >= rows->slot_count / 2) {
        add_slots(rows);
    }
}

static size_t add_row(struct keyed_rows *rows, const void *key, uint32_t hash) {
    char *row;

    if (rows->count >= rows->most / rows->context->states) {
        keyed_rows_flush(rows);
    }
    make_room(rows);
    row = row_at(rows, ++rows->count);
    if (rows->blank != NULL) {
        memcpy(row, rows->blank, rows->row_size);
    } else {
        memset(row, 0, rows->row_size);
    }
    memcpy(row, key, rows->key_size);
    *find_slot(rows, key, hash) = (struct keyed_slot){(uint32_t)rows->count, hash};
    return rows->count;
}

void *keyed_rows_find(struct keyed_rows *rows, const void *key) {
    if (rows->last == 0 || !has_key(rows, rows->last, key)) {
        uint32_t hash = hash_of(rows, key);

        rows->last = rows->slot_count == 0 ? 0 : find_slot(rows, key, hash)->number;
        if (rows->last == 0) {
            rows->last = add_row(rows, key, hash);
        }
    }
    return row_at(rows, rows->last);
}

void keyed_rows_expect(const struct keyed_rows *rows, const void *keys, size_t count) {
    const struct keyed_slot *slots[KEYED_ROWS_AHEAD];

    for (size_t i = 0; rows->slot_count > 0 && i < count; i++) {
        const char *key = (const char *)keys + i * rows->key_size;

        slots[i] = &rows->slots[hash_of(rows, key) & (rows->slot_count - 1)];
        __builtin_prefetch(slots[i]);
    }
    for (size_t i = 0; rows->slot_count > 0 && i < count; i++) {
        if (slots[i]->number != 0) {
            const char *row = row_at(rows, slots[i]->number);

            __builtin_prefetch(row, 1);
            __builtin_prefetch(row + rows->row_size - 1, 1); /* may be in another line */
        }
    }
}

void keyed_rows_flush(struct keyed_rows *rows) {
    analysis_lock(true);
    for (size_t number = 1; number <= rows->count; number++) {
        rows->write(rows->context, row_at(rows, number));
    }
    analysis_lock(false);
    keyed_rows_free(rows);
}

void keyed_rows_free(struct keyed_rows *rows) {
    free(rows->rows);
    free(rows->slots);
    rows->rows = NULL;
    rows->slots = NULL;
    rows->count = rows->capacity = rows->slot_count = rows->last = 0;
}

void keyed_state_merge(void *keyed_state, void *from) {
    struct keyed_state *state = keyed_state, *other = from;

    for (size_t number = 1; number <= other->rows.count; number++) {
        const char *row = row_at(&other->rows, number);

        state->rows.add(keyed_rows_find(&state->rows, row), row);
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
