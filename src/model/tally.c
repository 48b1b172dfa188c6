#include "model/tally.h"
#include "base/saturate.h"

#include <stdlib.h>
#include <string.h>

#define HOUR INT64_C(3600000000000)

#define CALLS (1u << TRACE_CALLS)
#define IO    (1u << TRACE_IO)
#define SPANS (1u << TRACE_SPANS)

const struct tally_definition tally_definitions[TALLY_KINDS] = {
    [TALLY_HOUR] = {"hour", CALLS | IO | SPANS, 3, "action, class, hour", 0},
    [TALLY_OPERATION] = {"operation", CALLS | IO | SPANS, 2, "operation, actor", 0},
    [TALLY_SIZE] = {"size", CALLS | IO | SPANS, 3, "action, class, size", 0},
    [TALLY_BLOCK] = {"block", IO, 5, "action, class, block_type, partition, file_type",
                     1u << TALLY_BLOCK_PARTITION | 1u << TALLY_BLOCK_FILE_TYPE},
    [TALLY_PROCESS] = {"process", IO, 3, "action, class, process", 1u << 2},
    [TALLY_ORIGIN] = {"origin", IO, 2, "action, origin", 0},
    [TALLY_LETTERS] = {"letters", IO, 2, "action, letters", 0},
    [TALLY_DEPTH] = {"depth", SPANS, 2, "marks, depth", 0},
    [TALLY_ACTOR] = {"actor", 0, 2, "actor, class", 0},
    [TALLY_ISSUER] = {"issuer", 0, 2, "actor, class", 0},
    [TALLY_OBJECT] = {"object", 0, 1, "object", 0},
    [TALLY_SECTOR] = {"sector", 0, 1, "sector", 0},
    [TALLY_PLACE] = {"place", 0, 5, "action, class, actor, partition, file_type",
                     1u << TALLY_BLOCK_PARTITION | 1u << TALLY_BLOCK_FILE_TYPE},
};

enum tally_kind tally_find(const char *name) {
    unsigned kind = 0;

    while (kind < TALLY_KINDS && strcmp(tally_definitions[kind].name, name) != 0) {
        kind++;
    }
    return (enum tally_kind)kind;
}

void tally_init(struct tally *tally, enum tally_kind kind) {
    *tally = (struct tally){.kind = kind, .most = TALLY_ROWS};
}

void tally_free(struct tally *tally) {
    free(tally->rows);
    tally_init(tally, tally->kind);
}

void tally_clear(struct tally *tally) {
    if (tally->rows != NULL) {
        memset(tally->rows, 0, tally->capacity * sizeof *tally->rows);
    }
    tally->used = 0;
}

int64_t tally_hour_origin(int64_t start, int64_t utc_offset) {
    if (start == EVENT_NONE) {
        return 0;
    }
    return start + (utc_offset == EVENT_NONE ? 0 : utc_offset * (HOUR / 60));
}

int64_t tally_hour(const struct tally_context *context, int64_t time) {
    int64_t since = context->hour_origin + time;

    return since / HOUR - (since % HOUR < 0);
}

/* Fills in the dimensions of an event; false when it has none in this tally. */
static bool event_key(enum tally_kind kind, const struct tally_context *context,
                      const struct event *event, int64_t key[TALLY_KEYS]) {
    bool io = context->kind == TRACE_IO;

    /* Only the depths tell calls and what is none apart. */
    if (context->kind == TRACE_SPANS && kind != TALLY_DEPTH && !span_is_call(event->flags)) {
        return false;
    }
    /* Calls have hundreds of operations, which would multiply the rows; I/O has a few actions. */
    key[0] = io ? event->operation : 0;
    key[1] = io ? (int64_t)io_class_of(event->flags) : 0;
    switch (kind) {
    case TALLY_HOUR:
        key[2] = tally_hour(context, event->time);
        break;
    case TALLY_OPERATION:
        key[0] = event->operation;
        /* An I/O's actor is a pid, of which there are too many. */
        key[1] = io ? 0 : event->actor;
        break;
    case TALLY_SIZE:
        key[2] = event->size;
        return event->size != EVENT_NONE;
    case TALLY_BLOCK:
        key[2] = (int64_t)io_block_type_of(event->flags);
        key[TALLY_BLOCK_PARTITION] = event->partition;
        key[TALLY_BLOCK_FILE_TYPE] = event->file_type;
        break;
    case TALLY_PLACE:
        key[2] = event->actor;
        key[TALLY_BLOCK_PARTITION] = event->partition;
        key[TALLY_BLOCK_FILE_TYPE] = event->file_type;
        break;
    case TALLY_PROCESS:
        key[2] = event->process;
        break;
    case TALLY_ORIGIN:
        key[1] = event->flags & IO_ORIGIN_FLAGS;
        break;
    case TALLY_LETTERS:
        key[1] = event->flags & IO_LETTER_FLAGS;
        break;
    case TALLY_DEPTH:
        key[0] = event->flags;
        key[1] = event->depth;
        break;
    case TALLY_ACTOR:
        key[0] = event->actor;
        break;
    case TALLY_ISSUER:
        key[0] = event->issuer != 0 ? event->issuer : event->actor;
        break;
    case TALLY_OBJECT:
        key[0] = event->object;
        key[1] = 0;
        break;
    case TALLY_SECTOR:
        key[0] = event->address;
        key[1] = 0;
        /* What carries no data is of no sector, whatever its record has in that place. */
        return event->address != EVENT_NONE && event->size != 0;
    }
    return true;
}

/* Dimensions that a tally does not have are 0: there is no need to know how many it has. */
static size_t hash_key(const int64_t key[TALLY_KEYS]) {
    static const uint64_t factors[TALLY_KEYS] = {
        UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F), UINT64_C(0x165667B19E3779F9),
        UINT64_C(0xD6E8FEB86659FD93), UINT64_C(0xA0761D6478BD642F),
    };
    uint64_t hash = 0;

    for (unsigned i = 0; i < TALLY_KEYS; i++) {
        hash += (uint64_t)key[i] * factors[i];
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0xE7037ED1A0B428DB);
    return (size_t)(hash ^ hash >> 29);
}

static bool same_key(const int64_t left[TALLY_KEYS], const int64_t right[TALLY_KEYS]) {
    int64_t different = 0;

    for (unsigned i = 0; i < TALLY_KEYS; i++) {
        different |= left[i] ^ right[i];
    }
    return different == 0;
}

/* The slot of a key: its row, or an empty one. There always is an empty one. */
static struct tally_row *find_slot(struct tally_row *rows, size_t capacity,
                                   const int64_t key[TALLY_KEYS]) {
    size_t slot = hash_key(key) & (capacity - 1);

    while (rows[slot].count != 0 && !same_key(rows[slot].key, key)) {
        slot = (slot + 1) & (capacity - 1);
    }
    return &rows[slot];
}

static bool grow(struct tally *tally) {
    size_t capacity = tally->capacity == 0 ? 64 : 2 * tally->capacity;
    struct tally_row *rows = calloc(capacity, sizeof *rows);

    for (size_t i = 0; rows != NULL && i < tally->capacity; i++) {
        if (tally->rows[i].count != 0) {
            *find_slot(rows, capacity, tally->rows[i].key) = tally->rows[i];
        }
    }
    free(tally->rows);
    tally->rows = rows;
    tally->capacity = rows == NULL ? 0 : capacity;
    return rows != NULL;
}

/* The row of a key, made when there is none; NULL when it has no room. */
static struct tally_row *find_row(struct tally *tally, const int64_t key[TALLY_KEYS]) {
    struct tally_row *row;

    if (2 * tally->used >= tally->capacity && tally->used < tally->most && !grow(tally)) {
        return NULL;
    }
    row = find_slot(tally->rows, tally->capacity, key);
    if (row->count == 0) {
        if (tally->used >= tally->most) {
            return NULL;
        }
        memcpy(row->key, key, sizeof row->key);
        tally->used++;
    }
    return row;
}

bool tally_add(struct tally *tally, const struct tally_context *context,
               const struct event *event) {
    int64_t key[TALLY_KEYS] = {0};
    struct tally_row *row;

    if (!event_key(tally->kind, context, event, key)) {
        return true;
    }
    row = find_row(tally, key);
    if (row == NULL) {
        return false;
    }
    row->count++;
    if (event->size != EVENT_NONE) {
        add_saturated(&row->bytes, event->size);
    }
    return true;
}

bool tally_put(struct tally *tally, const struct tally_row *from) {
    struct tally_row *row = find_row(tally, from->key);

    if (row == NULL) {
        return false;
    }
    row->count += from->count;
    add_saturated(&row->bytes, from->bytes);
    return true;
}
