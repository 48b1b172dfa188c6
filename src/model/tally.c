#include "model/tally.h"
#include "base/saturate.h"

#include <stdlib.h>
#include <string.h>

#define HOUR INT64_C(3600000000000)

#define CALLS (1u << TRACE_CALLS)
#define IO    (1u << TRACE_IO)
#define SPANS (1u << TRACE_SPANS)

#define BLOCK_COLUMNS "action, class, block_type, partition, file_type"
#define PLACE_COLUMNS "action, class, actor, partition, file_type"
#define PLACE_LABELS  (1u << TALLY_BLOCK_PARTITION | 1u << TALLY_BLOCK_FILE_TYPE)

const struct tally_definition tally_definitions[TALLY_KINDS] = {
    [TALLY_HOUR] = {"hour",
                    CALLS | IO | SPANS,
                    "action, class, hour",
                    {DIMENSION_ACTION, DIMENSION_CLASS, DIMENSION_HOUR},
                    0},
    [TALLY_OPERATION] = {"operation",
                         CALLS | IO | SPANS,
                         "operation, actor",
                         {DIMENSION_OPERATION, DIMENSION_CALLER},
                         0},
    [TALLY_SIZE] = {"size",
                    CALLS | IO | SPANS,
                    "action, class, size",
                    {DIMENSION_ACTION, DIMENSION_CLASS, DIMENSION_SIZE},
                    0},
    [TALLY_BLOCK] = {"block",
                     IO,
                     BLOCK_COLUMNS,
                     {DIMENSION_ACTION, DIMENSION_CLASS, DIMENSION_BLOCK_TYPE, DIMENSION_PARTITION,
                      DIMENSION_FILE_TYPE},
                     PLACE_LABELS},
    [TALLY_PROCESS] = {"process",
                       IO,
                       "action, class, process",
                       {DIMENSION_ACTION, DIMENSION_CLASS, DIMENSION_PROCESS},
                       1u << 2},
    [TALLY_ORIGIN] = {"origin", IO, "action, origin", {DIMENSION_ACTION, DIMENSION_ORIGIN}, 0},
    [TALLY_LETTERS] = {"letters", IO, "action, letters", {DIMENSION_ACTION, DIMENSION_LETTERS}, 0},
    [TALLY_DEPTH] = {"depth", SPANS, "marks, depth", {DIMENSION_MARKS, DIMENSION_DEPTH}, 0},
    [TALLY_ACTOR] = {"actor", 0, "actor, class", {DIMENSION_ACTOR, DIMENSION_CLASS}, 0},
    [TALLY_ISSUER] = {"issuer", 0, "actor, class", {DIMENSION_ISSUER, DIMENSION_CLASS}, 0},
    [TALLY_OBJECT] = {"object", 0, "object", {DIMENSION_OBJECT}, 0},
    [TALLY_FILE] = {"file",
                    0,
                    "operation, class, object",
                    {DIMENSION_OPERATION, DIMENSION_CLASS, DIMENSION_OBJECT},
                    0},
    [TALLY_SECTOR] = {"sector", 0, "sector", {DIMENSION_SECTOR}, 0},
    [TALLY_PLACE] = {"place",
                     0,
                     PLACE_COLUMNS,
                     {DIMENSION_ACTION, DIMENSION_CLASS, DIMENSION_ACTOR, DIMENSION_PARTITION,
                      DIMENSION_FILE_TYPE},
                     PLACE_LABELS},
};

unsigned tally_keys(const struct tally_definition *definition) {
    unsigned keys = 0;

    while (keys < TALLY_KEYS && definition->dimensions[keys] != DIMENSION_NONE) {
        keys++;
    }
    return keys;
}

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

/* What a dimension of an event is. */
static int64_t dimension_of(enum tally_dimension dimension, const struct tally_context *context,
                            const struct event *event) {
    bool io = context->kind == TRACE_IO;

    switch (dimension) {
    case DIMENSION_NONE:
        break;
    /* Calls have hundreds of operations, which would multiply the rows; I/O has a few actions. */
    case DIMENSION_ACTION:
        return io ? event->operation : 0;
    case DIMENSION_CLASS:
        return io ? (int64_t)io_class_of(event->flags) : 0;
    case DIMENSION_OPERATION:
        return event->operation;
    /* An I/O's actor is a pid, of which there are too many for a rollup. */
    case DIMENSION_CALLER:
        return io ? 0 : event->actor;
    case DIMENSION_ACTOR:
        return event->actor;
    case DIMENSION_ISSUER:
        return event->issuer != 0 ? event->issuer : event->actor;
    case DIMENSION_OBJECT:
        return event->object;
    case DIMENSION_HOUR:
        return tally_hour(context, event->time);
    case DIMENSION_SIZE:
        return event->size;
    case DIMENSION_SECTOR:
        return event->address;
    case DIMENSION_BLOCK_TYPE:
        return (int64_t)io_block_type_of(event->flags);
    case DIMENSION_PARTITION:
        return event->partition;
    case DIMENSION_FILE_TYPE:
        return event->file_type;
    case DIMENSION_PROCESS:
        return event->process;
    case DIMENSION_ORIGIN:
        return event->flags & IO_ORIGIN_FLAGS;
    case DIMENSION_LETTERS:
        return event->flags & IO_LETTER_FLAGS;
    case DIMENSION_MARKS:
        return event->flags;
    case DIMENSION_DEPTH:
        return event->depth;
    }
    return 0;
}

/* Whether an event counts in a tally. */
static bool is_counted(enum tally_kind kind, const struct tally_context *context,
                       const struct event *event) {
    /* Only the depths tell calls and what is none apart. */
    if (context->kind == TRACE_SPANS && kind != TALLY_DEPTH && !span_is_call(event->flags)) {
        return false;
    }
    switch (kind) {
    case TALLY_SIZE:
        return event->size != EVENT_NONE;
    /* What carries no data is of no sector, whatever its record has in that place. */
    case TALLY_SECTOR:
        return event->address != EVENT_NONE && event->size != 0;
    default:
        return true;
    }
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
    const enum tally_dimension *dimensions = tally_definitions[tally->kind].dimensions;
    int64_t key[TALLY_KEYS] = {0};
    struct tally_row *row;

    if (!is_counted(tally->kind, context, event)) {
        return true;
    }
    for (size_t i = 0; i < TALLY_KEYS && dimensions[i] != DIMENSION_NONE; i++) {
        key[i] = dimension_of(dimensions[i], context, event);
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
