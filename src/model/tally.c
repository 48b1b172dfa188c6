#include "model/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/always_inline.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/time_unit.h"

#define CALLS (1u << TRACE_CALLS)
#define IO    (1u << TRACE_IO)
#define SPANS (1u << TRACE_SPANS)

#define BLOCK_COLUMNS "action, class, block_type, partition, file_type"
#define PLACE_COLUMNS "action, class, actor, partition, file_type"
#define PLACE_LABELS  (1u << 3 | 1u << 4)

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
    [TALLY_RWBS_FLAGS] =
        {"letters", IO, "action, letters", {DIMENSION_ACTION, DIMENSION_RWBS_FLAGS}, 0},
    [TALLY_DEPTH] = {"depth", SPANS, "marks, depth", {DIMENSION_MARKS, DIMENSION_DEPTH}, 0},
    [TALLY_FILE_TYPE] = {"file_type",
                         0,
                         "action, class, file_type",
                         {DIMENSION_ACTION, DIMENSION_CLASS, DIMENSION_FILE_TYPE},
                         1u << 2},
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
    [TALLY_EVIDENCE] = {"evidence", 0, "action, map", {DIMENSION_ACTION, DIMENSION_MAP}, 0},
    [TALLY_COPIED] = {"copied",
                      0,
                      "operation, actor, object",
                      {DIMENSION_OPERATION, DIMENSION_ACTOR, DIMENSION_OBJECT},
                      0},
};

/* How a member of an event is converted to a key, the value that it is counted by. */
enum key_form {
    KEY_ZERO,
    KEY_ID,
    KEY_INTEGER,
    KEY_DEPTH,
    KEY_FLAGS,
    KEY_CLASS,
    KEY_BLOCK_TYPE,
    KEY_HOUR,
    KEY_ISSUER,
};

#define ALL (CALLS | IO | SPANS)

/* How each dimension gets its keys. Calls have hundreds of operations, too many to count by in
 * combination with others, while I/O has few actions. The actor of an I/O is a pid: too many for a
 * rollup. */
static const struct {
    enum key_form form;
    unsigned kinds; /* kinds of traces that have this dimension; for others the key is 0 */
    size_t field;   /* offset of the member in struct tally_events */
    uint32_t mask;  /* bits of the flags that make the key */
} dimensions[] = {
#define FIELD(name) offsetof(struct tally_events, name)
    [DIMENSION_NONE] = {KEY_ZERO, 0, 0, 0},
    [DIMENSION_ACTION] = {KEY_ID, IO, FIELD(operation), 0},
    [DIMENSION_CLASS] = {KEY_CLASS, IO, FIELD(flags), IO_CLASS_MASK},
    [DIMENSION_OPERATION] = {KEY_ID, ALL, FIELD(operation), 0},
    [DIMENSION_CALLER] = {KEY_ID, CALLS | SPANS, FIELD(actor), 0},
    [DIMENSION_ACTOR] = {KEY_ID, ALL, FIELD(actor), 0},
    [DIMENSION_ISSUER] = {KEY_ISSUER, ALL, FIELD(issuer), 0},
    [DIMENSION_OBJECT] = {KEY_ID, ALL, FIELD(object), 0},
    [DIMENSION_HOUR] = {KEY_HOUR, ALL, FIELD(time), 0},
    [DIMENSION_SIZE] = {KEY_INTEGER, ALL, FIELD(size), 0},
    [DIMENSION_SECTOR] = {KEY_INTEGER, ALL, FIELD(address), 0},
    [DIMENSION_BLOCK_TYPE] = {KEY_BLOCK_TYPE, ALL, FIELD(flags), IO_BLOCK_MASK << IO_BLOCK_SHIFT},
    [DIMENSION_PARTITION] = {KEY_ID, ALL, FIELD(partition), 0},
    [DIMENSION_FILE_TYPE] = {KEY_ID, ALL, FIELD(file_type), 0},
    [DIMENSION_PROCESS] = {KEY_ID, ALL, FIELD(process), 0},
    [DIMENSION_ORIGIN] = {KEY_FLAGS, ALL, FIELD(flags), IO_ORIGIN_FLAGS},
    [DIMENSION_RWBS_FLAGS] = {KEY_FLAGS, ALL, FIELD(flags), IO_RWBS_FLAGS},
    [DIMENSION_MAP] = {KEY_FLAGS, ALL, FIELD(flags), IO_MAP_FLAGS},
    [DIMENSION_MARKS] = {KEY_FLAGS, ALL, FIELD(flags), UINT32_MAX},
    [DIMENSION_DEPTH] = {KEY_DEPTH, ALL, FIELD(depth), 0},
#undef FIELD
};

unsigned tally_keys(const struct tally_definition *definition) {
    unsigned keys = 0;

    while (keys < TALLY_KEYS && definition->dimensions[keys] != DIMENSION_NONE) {
        keys++;
    }
    return keys;
}

/* Returns whether a tally counts by any of these dimensions; `of`: bits of enum tally_dimension. */
static bool has_dimension(const struct tally_definition *definition, unsigned of) {
    unsigned key = 0;

    while (key < TALLY_KEYS && (of >> definition->dimensions[key] & 1) == 0) {
        key++;
    }
    return key < TALLY_KEYS;
}

bool tally_by_file(const struct tally_definition *definition) {
    return has_dimension(definition, 1u << DIMENSION_OBJECT | 1u << DIMENSION_BLOCK_TYPE |
                                         1u << DIMENSION_FILE_TYPE | 1u << DIMENSION_MAP);
}

bool tally_by_partition(const struct tally_definition *definition) {
    return has_dimension(definition, 1u << DIMENSION_PARTITION);
}

uint32_t tally_flags(const struct tally_definition *definition) {
    /* Whether a row of spans is counted depends on the flags that say whether it is a call. */
    uint32_t flags = definition->rollup_kinds & SPANS ? SPAN_DATA | SPAN_STRAY_EXIT : 0;

    for (unsigned key = 0; key < TALLY_KEYS; key++) {
        flags |= dimensions[definition->dimensions[key]].mask;
    }
    return flags;
}

enum tally_kind tally_find(const char *name) {
    unsigned kind = 0;

    while (kind < TALLY_KINDS && strcmp(tally_definitions[kind].name, name) != 0) {
        kind++;
    }
    return (enum tally_kind)kind;
}

void tally_init(struct tally *tally, enum tally_kind kind) {
    *tally = (struct tally){
        .kind = kind, .dimensions = tally_keys(&tally_definitions[kind]), .most = TALLY_ROWS};
}

void tally_free(struct tally *tally) {
    free(tally->rows);
    tally->rows = NULL;
    tally->capacity = tally->used = 0;
    tally->most = TALLY_ROWS;
}

void tally_clear(struct tally *tally) {
    if (tally->rows != NULL) {
        memset(tally->rows, 0, tally->capacity * sizeof *tally->rows);
    }
    tally->used = 0;
}

static int tally_compare_rows(const void *left, const void *right) {
    const struct tally_row *a = left, *b = right;
    unsigned key = 0;

    while (key < TALLY_KEYS - 1 && a->key[key] == b->key[key]) {
        key++;
    }
    return ORDER(a->key[key], b->key[key]);
}

void tally_sort_rows(struct tally *tally) {
    size_t count = 0;

    for (size_t i = 0; i < tally->capacity; i++) {
        if (tally->rows[i].used) {
            struct tally_row row = tally->rows[i];

            tally->rows[i].used = false;
            tally->rows[count++] = row;
        }
    }
    sort_items(tally->rows, count, sizeof *tally->rows, tally_compare_rows);
}

int64_t tally_hour_origin(int64_t start, int64_t utc_offset) {
    if (start == EVENT_NONE) {
        return 0;
    }
    return sum_saturated(start,
                         utc_offset == EVENT_NONE ? 0 : product_saturated(utc_offset, HOUR / 60));
}

int64_t tally_hour(const struct tally_context *context, int64_t time) {
    int64_t since = sum_saturated(context->hour_origin, time);

    return since / HOUR - (since % HOUR < 0);
}

/* --- computing the keys by which events are counted ------------------------------------------- */

/* The keys of up to TALLY_AT_ONCE events from index `first` on, and which of them are counted. */
struct keys {
    const struct tally_context *context;
    const struct tally_events *events;
    size_t first, count;
    int64_t of[TALLY_AT_ONCE][TALLY_KEYS];
    bool counted[TALLY_AT_ONCE];
};

static int64_t integer_at(struct tally_field field, size_t i) {
    int64_t value;

    memcpy(&value, (const char *)field.first + i * field.stride, sizeof value);
    return value;
}

static uint32_t tally_id_at(struct tally_field field, size_t i) {
    uint32_t value;

    memcpy(&value, (const char *)field.first + i * field.stride, sizeof value);
    return value;
}

#define SET_KEYS(value)                                                                            \
    for (size_t i = 0; i < keys->count; i++) {                                                     \
        size_t at = keys->first + i;                                                               \
                                                                                                   \
        (void)at;                                                                                  \
        keys->of[i][key] = (value);                                                                \
    }

/* Sets key `key` to the event's issuer or, if it has none, to its actor. */
static void set_issuers(struct keys *keys, size_t key, struct tally_field issuer) {
    struct tally_field actor = keys->events->actor;

    issuer = issuer.first == NULL ? actor : issuer;
    SET_KEYS(tally_id_at(issuer, at) != 0 ? tally_id_at(issuer, at) : tally_id_at(actor, at));
}

/* Sets key `key` to the hour. Most events are in the same hour as the event before, so it is only
 * computed when it changes. */
static void set_hours(struct keys *keys, size_t key, struct tally_field time) {
    int64_t hour = 0;
    uint64_t begin = 0;

    for (size_t i = 0; i < keys->count; i++) {
        int64_t since = integer_at(time, keys->first + i);

        if (i == 0 || (uint64_t)since - begin >= (uint64_t)HOUR) {
            hour = tally_hour(keys->context, since);
            begin = (uint64_t)hour * (uint64_t)HOUR - (uint64_t)keys->context->hour_origin;
        }
        keys->of[i][key] = hour;
    }
}

static void set_key(struct keys *keys, size_t key, enum tally_dimension dimension) {
    bool there = (dimensions[dimension].kinds & 1u << keys->context->kind) != 0;
    struct tally_field field;

    memcpy(&field, (const char *)keys->events + dimensions[dimension].field, sizeof field);
    switch (there ? dimensions[dimension].form : KEY_ZERO) {
    case KEY_ZERO:
        SET_KEYS(0);
        break;
    case KEY_ID:
        SET_KEYS(tally_id_at(field, at));
        break;
    case KEY_INTEGER:
        SET_KEYS(integer_at(field, at));
        break;
    case KEY_DEPTH:
        SET_KEYS((int32_t)tally_id_at(field, at));
        break;
    case KEY_FLAGS:
        SET_KEYS(tally_id_at(field, at) & dimensions[dimension].mask);
        break;
    case KEY_CLASS:
        SET_KEYS((int64_t)io_class_of(tally_id_at(field, at)));
        break;
    case KEY_BLOCK_TYPE:
        SET_KEYS((int64_t)io_block_type_of(tally_id_at(field, at)));
        break;
    case KEY_HOUR:
        set_hours(keys, key, field);
        break;
    case KEY_ISSUER:
        set_issuers(keys, key, field);
        break;
    }
}

/* Sets which events the tally counts. */
static void set_counted(struct keys *keys, enum tally_kind kind) {
    const struct tally_events *events = keys->events;
    bool *counted = keys->counted;
    /* Rows of spans that are no calls are counted only by TALLY_DEPTH. */
    bool all = keys->context->kind != TRACE_SPANS || kind == TALLY_DEPTH;

    for (size_t i = 0; i < keys->count; i++) {
        counted[i] = all || span_is_call(tally_id_at(events->flags, keys->first + i));
    }
    if (kind == TALLY_SIZE) {
        for (size_t i = 0; i < keys->count; i++) {
            counted[i] &= integer_at(events->size, keys->first + i) != EVENT_NONE;
        }
    } else if (kind == TALLY_SECTOR) {
        /* A request without data has no sector, though its record may contain a number. */
        for (size_t i = 0; i < keys->count; i++) {
            size_t at = keys->first + i;

            counted[i] &=
                integer_at(events->address, at) != EVENT_NONE && integer_at(events->size, at) != 0;
        }
    }
}

/* --- finding and adding rows of counts -------------------------------------------------------- */

/* The following functions are compiled once per number of dimensions, with loops unrolled. */

ALWAYS_INLINE size_t hash_key(const int64_t key[TALLY_KEYS], unsigned dimensions) {
    static const uint64_t factors[TALLY_KEYS] = {
        UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F), UINT64_C(0x165667B19E3779F9),
        UINT64_C(0xD6E8FEB86659FD93), UINT64_C(0xA0761D6478BD642F),
    };
    uint64_t hash = hash_seed;

    for (unsigned i = 0; i < dimensions; i++) {
        hash += (uint64_t)key[i] * factors[i];
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0xE7037ED1A0B428DB);
    return (size_t)(hash ^ hash >> 29);
}

ALWAYS_INLINE bool same_key(const int64_t left[TALLY_KEYS], const int64_t right[TALLY_KEYS],
                            unsigned dimensions) {
    int64_t different = 0;

    for (unsigned i = 0; i < dimensions; i++) {
        different |= left[i] ^ right[i];
    }
    return different == 0;
}

enum {
    LARGE = 1 << 13, /* capacity, in rows of 64 bytes, from which on rows are prefetched */
    AHEAD = 8,       /* how many keys in advance a row is prefetched */
};

/* Returns the slot of a key in the hash table: its row or, if it has none, an empty slot. The table
 * must have an empty slot. */
ALWAYS_INLINE struct tally_row *find_slot(struct tally_row *rows, size_t capacity,
                                          const int64_t key[TALLY_KEYS], unsigned dimensions) {
    size_t slot = hash_key(key, dimensions) & (capacity - 1);

    while (rows[slot].used && !same_key(rows[slot].key, key, dimensions)) {
        slot = (slot + 1) & (capacity - 1);
    }
    return &rows[slot];
}

static void tally_grow(struct tally *tally) {
    size_t capacity = tally->capacity == 0 ? 64 : 2 * tally->capacity;
    struct tally_row *rows = xzeros(capacity, sizeof *rows);

    for (size_t i = 0; i < tally->capacity; i++) {
        if (tally->rows[i].used) {
            *find_slot(rows, capacity, tally->rows[i].key, tally->dimensions) = tally->rows[i];
        }
    }
    free(tally->rows);
    tally->rows = rows;
    tally->capacity = capacity;
}

/* Returns the row of a key, adding it if new; NULL: the tally is full. In a new row, the elements
 * of `key` from `dimensions` on are 0. */
ALWAYS_INLINE struct tally_row *find_row(struct tally *tally, const int64_t key[TALLY_KEYS],
                                         unsigned dimensions) {
    struct tally_row *row;

    if (2 * tally->used >= tally->capacity && tally->used < tally->most) {
        tally_grow(tally);
    }
    row = find_slot(tally->rows, tally->capacity, key, dimensions);
    if (!row->used) {
        if (tally->used >= tally->most) {
            return NULL;
        }
        row->used = true;
        memcpy(row->key, key, dimensions * sizeof *key);
        tally->used++;
    }
    return row;
}

struct tally_events tally_events_of(const struct event *events) {
#define FIELD(name) .name = { &events->name, sizeof *events }
    return (struct tally_events){FIELD(time),   FIELD(operation), FIELD(actor),   FIELD(issuer),
                                 FIELD(object), FIELD(flags),     FIELD(address), FIELD(size),
                                 FIELD(depth),  FIELD(file_type), FIELD(process), FIELD(partition),
                                 .alike = NULL};
#undef FIELD
}

/* Prefetches the row of a later key, if the table is larger than the processor's cache. */
ALWAYS_INLINE void expect_key(const struct tally *tally, const struct keys *keys, size_t i,
                              unsigned dimensions) {
    if (tally->capacity >= LARGE && i + AHEAD < keys->count) {
        __builtin_prefetch(
            &tally->rows[hash_key(keys->of[i + AHEAD], dimensions) & (tally->capacity - 1)], 1);
    }
}

ALWAYS_INLINE void count_event(struct tally_row *row, const struct tally_events *events,
                               size_t at) {
    int64_t size;

    if (events->alike != NULL) {
        row->count += events->alike[at];
        add_saturated(&row->bytes, events->bytes[at]);
        return;
    }
    row->count++;
    size = integer_at(events->size, at);
    if (size != EVENT_NONE) {
        add_saturated(&row->bytes, size);
    }
}

/* Counts events by their keys. Returns how many were processed before the tally was full. */
ALWAYS_INLINE size_t add_keys(struct tally *tally, const struct keys *keys, unsigned dimensions) {
    struct tally_row *row = NULL;

    for (size_t i = 0; i < keys->count; i++) {
        expect_key(tally, keys, i, dimensions);
        if (!keys->counted[i]) {
            continue;
        }
        /* A tally by hour usually has one row: if the event has its key, no lookup is needed. */
        if (row == NULL || tally->used > 1 || !same_key(row->key, keys->of[i], dimensions)) {
            row = find_row(tally, keys->of[i], dimensions);
        }
        if (row == NULL) {
            return i;
        }
        count_event(row, keys->events, keys->first + i);
    }
    return keys->count;
}

static size_t add_some(struct tally *tally, const struct keys *keys) {
    switch (tally->dimensions) {
    case 1:
        return add_keys(tally, keys, 1);
    case 2:
        return add_keys(tally, keys, 2);
    case 3:
        return add_keys(tally, keys, 3);
    case 4:
        return add_keys(tally, keys, 4);
    default:
        return add_keys(tally, keys, TALLY_KEYS);
    }
}

size_t tally_add(struct tally *tally, const struct tally_context *context,
                 const struct tally_events *events, size_t from, size_t end) {
    struct keys keys;

    keys.context = context;
    keys.events = events;
    while (from < end) {
        size_t added;

        keys.first = from;
        keys.count = end - from < TALLY_AT_ONCE ? end - from : TALLY_AT_ONCE;
        set_counted(&keys, tally->kind);
        for (size_t key = 0; key < tally->dimensions; key++) {
            set_key(&keys, key, tally_definitions[tally->kind].dimensions[key]);
        }
        added = add_some(tally, &keys);
        from += added;
        if (added < keys.count) {
            break;
        }
    }
    return from;
}

bool tally_insert(struct tally *tally, const struct tally_row *from) {
    struct tally_row *row = find_row(tally, from->key, tally->dimensions);

    if (row == NULL) {
        return false;
    }
    row->count += from->count;
    add_saturated(&row->bytes, from->bytes);
    return true;
}

/* --- counting groups of equal I/Os ------------------------------------------------------------ */

static void begin_hour(struct io_groups *groups, const struct tally_context *context,
                       int64_t time) {
    uint64_t hour = (uint64_t)tally_hour(context, time) * (uint64_t)HOUR;

    memset(groups->slots, 0, sizeof groups->slots);
    groups->begins = (int64_t)(hour - (uint64_t)context->hour_origin);
}

/* Returns a group's slot in the hash table: index + 1 of the group, or 0 if it is new. */
static inline uint8_t *tally_find_group(struct io_groups *groups, uint32_t operation,
                                        uint32_t flags) {
    uint64_t hash = ((uint64_t)operation << 32 | flags) * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = hash >> 32 & (IO_GROUP_SLOTS - 1);

    for (;; slot = (slot + 1) & (IO_GROUP_SLOTS - 1)) {
        unsigned number = groups->slots[slot];

        if (number == 0 || (groups->groups[number - 1].operation == operation &&
                            groups->groups[number - 1].flags == flags)) {
            return &groups->slots[slot];
        }
    }
}

static void tally_add_group(struct io_groups *groups, const struct event *event) {
    size_t number = groups->count++;

    groups->groups[number].time = event->time;
    groups->groups[number].operation = event->operation;
    groups->groups[number].flags = event->flags;
    groups->groups[number].file_type = event->file_type;
    groups->groups[number].process = event->process;
    groups->groups[number].partition = event->partition;
    groups->events[number] = 0;
    groups->bytes[number] = 0;
}

size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count) {
    if (groups->count == 0 && count > 0) {
        begin_hour(groups, context, events[0].time);
    }
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        uint8_t *slot = tally_find_group(groups, event->operation, event->flags);

        if (groups->count > 0 &&
            ((uint64_t)event->time - (uint64_t)groups->begins >= (uint64_t)HOUR ||
             (*slot == 0 && groups->count == IO_GROUPS))) {
            return i;
        }
        if (*slot == 0) {
            tally_add_group(groups, event);
            *slot = (uint8_t)groups->count;
        }
        groups->events[*slot - 1]++;
        if (event->size != EVENT_NONE) {
            add_saturated(&groups->bytes[*slot - 1], event->size);
        }
    }
    return count;
}

bool io_groups_have_labels(const struct io_groups *groups, const struct event *events,
                           size_t count) {
    const uint32_t file_type = groups->count > 0 ? groups->groups[0].file_type : events->file_type,
                   process = groups->count > 0 ? groups->groups[0].process : events->process,
                   partition = groups->count > 0 ? groups->groups[0].partition : events->partition;
    uint32_t different = 0;

    for (size_t i = 0; i < count; i++) {
        different |= (events[i].file_type ^ file_type) | (events[i].process ^ process) |
                     (events[i].partition ^ partition);
    }
    return different == 0;
}

struct tally_events io_groups_events(const struct io_groups *groups) {
#define FIELD(name) .name = { &groups->groups->name, sizeof *groups->groups }
    return (struct tally_events){FIELD(time),
                                 FIELD(operation),
                                 FIELD(flags),
                                 FIELD(file_type),
                                 FIELD(process),
                                 FIELD(partition),
                                 .alike = groups->events,
                                 .bytes = groups->bytes};
#undef FIELD
}
