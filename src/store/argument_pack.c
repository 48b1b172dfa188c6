#include "store/argument_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/text.h"

/* Limit of a pack's uncompressed size: twice the bytes of arguments in a usual batch of events. */
#define MOST_BYTES (2 * BATCH_BYTES)

/* Arguments are packed only if a batch has at least this many bytes of them per event. Packing
 * fewer would save little: the number that replaces them in each row takes up to four bytes. */
enum { FEWEST_BYTES = 16 };

/* --- packing arguments ------------------------------------------------------------------------ */

/* Returns whether an event's arguments can be packed: they contain no NUL, and no event before it
 * in the batch has a later time. `latest`: largest time of the events before; updated. */
static bool is_packable(const struct event *event, int64_t *latest) {
    if (event->time < *latest) {
        return false;
    }
    *latest = event->time;
    return event->arguments != NULL && event->arguments_size > 0 &&
           memchr(event->arguments, '\0', event->arguments_size) == NULL;
}

/* Compresses `raw` to a Zstandard frame and returns the frame's size; 0 if it exceeds `room`. */
static size_t compress(const struct text *raw, void *frame, size_t room) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t size;

    if (context == NULL) {
        return 0;
    }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size = ZSTD_compress2(context, frame, room, raw->bytes, raw->length);
    ZSTD_freeCCtx(context);
    return ZSTD_isError(size) ? 0 : size;
}

void argument_pack_make(struct batch *batch, int64_t first) {
    bool is_in_pack[BATCH_EVENTS] = {false};
    struct text raw = {0};
    int64_t latest = batch->earlier;

    if (first < EVENT_CHUNK || first > UINT32_MAX - BATCH_EVENTS) {
        return;
    }
    for (size_t i = 0; i < batch->event_count; i++) {
        const struct event *event = &batch->events[i];

        is_in_pack[i] = is_packable(event, &latest);
        if (is_in_pack[i]) {
            text_append(&raw, (const char *)event->arguments, event->arguments_size);
        }
        text_append_char(&raw, '\0');
    }
    if (raw.length >= batch->event_count * (FEWEST_BYTES + 1) && raw.length <= MOST_BYTES) {
        batch->packed.length =
            compress(&raw, text_reserve(&batch->packed, raw.length / 2), raw.length / 2);
    }
    batch->packed_first = first;
    for (size_t i = 0; batch->packed.length > 0 && i < batch->event_count; i++) {
        if (is_in_pack[i]) {
            batch->events[i].arguments = EVENT_PACKED;
            batch->events[i].arguments_size = (uint32_t)(first + (int64_t)i);
        }
    }
    text_free(&raw);
}

bool argument_pack_write(struct database *database, int64_t trace, const struct batch *batch,
                         struct error *error) {
    return batch->packed.length == 0 ||
           database_run_bound(database, error, "INSERT INTO argument_pack VALUES (?1, ?2, ?3, ?4)",
                              "iiib", trace, batch->packed_first, (int64_t)batch->event_count,
                              batch->packed.bytes, batch->packed.length);
}

/* --- unpacking arguments ---------------------------------------------------------------------- */

/* A pack (compressed arguments of a batch of calls), decompressed. Zeroed: none. */
struct pack {
    int64_t trace, first;
    size_t count;
    char *bytes;    /* owned */
    uint32_t *ends; /* owned; offset of the NUL after each call's arguments */
    uint64_t used;  /* value of the counter `uses` when the pack was last used; the largest is the
                       most recent */
};

/* Number of decompressed packs in the cache. Rows of one trace in order of time may need several:
 * one for each log appended to the trace. */
enum { KEPT = 16 };

/* State of the SQL function event_arguments(). */
struct unpacker {
    struct database *database; /* borrowed */
    struct pack kept[KEPT];
    uint64_t uses;
    int64_t trace, first_event, last_event; /* `trace`: trace whose arguments were read last;
                                               first_event, last_event: range of its event ids */
    unsigned version; /* SQLite's data version when packs were cached; if it differs now, the
                         database has changed */
};

static void free_pack(struct pack *pack) {
    free(pack->bytes);
    free(pack->ends);
    *pack = (struct pack){0};
}

static void forget_trace(struct unpacker *unpacker) {
    unpacker->first_event = 0;
    unpacker->last_event = -1;
}

/* Frees all cached packs, and forgets which trace was read last. */
static void forget(struct unpacker *unpacker) {
    for (size_t i = 0; i < KEPT; i++) {
        free_pack(&unpacker->kept[i]);
    }
    forget_trace(unpacker);
}

static void free_unpacker(void *unpacker) {
    forget(unpacker);
    free(unpacker);
}

/* Finds the NUL after each call's arguments in a decompressed pack. Returns false if there are more
 * or fewer than `pack->count`. */
static bool find_ends(struct pack *pack, size_t length) {
    size_t at = 0;

    pack->ends = xmalloc(pack->count * sizeof *pack->ends);
    for (size_t i = 0; i < pack->count; i++) {
        const char *end = memchr(pack->bytes + at, '\0', length - at);

        if (end == NULL) {
            return false;
        }
        pack->ends[i] = (uint32_t)(end - pack->bytes);
        at = pack->ends[i] + 1;
    }
    return at == length;
}

/* Decompresses a row (first, count, data) of argument_pack. Returns false if it is damaged. */
static bool unpack(struct pack *pack, sqlite3_value *const row[3]) {
    const int64_t first = sqlite3_value_int64(row[0]), count = sqlite3_value_int64(row[1]);
    const void *frame = sqlite3_value_blob(row[2]);
    const size_t size = (size_t)sqlite3_value_bytes(row[2]);
    unsigned long long length;

    if (sqlite3_value_type(row[0]) != SQLITE_INTEGER || first < 0 || first > UINT32_MAX ||
        sqlite3_value_type(row[1]) != SQLITE_INTEGER || count < 1 || count > EVENT_CHUNK ||
        sqlite3_value_type(row[2]) != SQLITE_BLOB || size == 0) {
        return false;
    }
    length = ZSTD_getFrameContentSize(frame, size); /* size unknown: a number above MOST_BYTES */
    if (length < (uint64_t)count || length > MOST_BYTES) {
        return false;
    }
    pack->first = first;
    pack->count = (size_t)count;
    pack->bytes = xmalloc(length);
    return ZSTD_decompress(pack->bytes, length, frame, size) == length &&
           find_ends(pack, (size_t)length);
}

/* Finds the trace with the event `id`, and sets `trace`, first_event and last_event of `unpacker`
 * to it. Returns false if there is none. */
static bool find_trace(struct unpacker *unpacker, int64_t id, struct error *error) {
    struct database_query find;

    if (id >= unpacker->first_event && id <= unpacker->last_event) {
        return true;
    }
    find = database_query(unpacker->database, error,
                          "SELECT id, first_event, last_event FROM main.trace"
                          " WHERE first_event <= ?1 AND last_event >= ?1",
                          "i", id);
    forget_trace(unpacker);
    if (database_next(&find)) {
        unpacker->trace = sqlite3_column_int64(find.row, 0);
        unpacker->first_event = sqlite3_column_int64(find.row, 1);
        unpacker->last_event = sqlite3_column_int64(find.row, 2);
    }
    return database_end(&find) && id >= unpacker->first_event && id <= unpacker->last_event;
}

/* Returns whether the pack (compressed arguments of consecutive calls) has those of the call at
 * this position in the trace. */
static bool has_position(const struct pack *pack, int64_t trace, int64_t position) {
    return pack->count > 0 && pack->trace == trace && position >= pack->first &&
           position - pack->first < (int64_t)pack->count;
}

/* Reads and caches the pack that has the arguments of the call at a position in the trace; frees
 * the least recently used pack of the cache. Returns NULL if there is no such pack, or it is
 * damaged. */
static struct pack *read_pack(struct unpacker *unpacker, int64_t position, struct error *error) {
    struct pack *pack = &unpacker->kept[0];
    struct database_query find =
        database_query(unpacker->database, error,
                       "SELECT first, count, data FROM main.argument_pack"
                       " WHERE trace = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1",
                       "ii", unpacker->trace, position);
    bool whole = false;

    for (size_t i = 1; i < KEPT; i++) {
        pack = unpacker->kept[i].used < pack->used ? &unpacker->kept[i] : pack;
    }
    free_pack(pack);
    if (database_next(&find)) {
        sqlite3_value *const row[] = {sqlite3_column_value(find.row, 0),
                                      sqlite3_column_value(find.row, 1),
                                      sqlite3_column_value(find.row, 2)};

        pack->trace = unpacker->trace;
        whole = unpack(pack, row);
    }
    if (database_end(&find) && whole && has_position(pack, unpacker->trace, position)) {
        return pack;
    }
    free_pack(pack);
    return NULL;
}

static const struct pack *find_pack(struct unpacker *unpacker, int64_t id, int64_t position,
                                    struct error *error) {
    struct pack *pack = NULL;
    unsigned version = 0;

    sqlite3_file_control(unpacker->database->handle, "main", SQLITE_FCNTL_DATA_VERSION, &version);
    if (version != unpacker->version) {
        forget(unpacker);
        unpacker->version = version;
    }
    if (!find_trace(unpacker, id, error)) {
        return NULL;
    }
    for (size_t i = 0; i < KEPT && pack == NULL; i++) {
        pack =
            has_position(&unpacker->kept[i], unpacker->trace, position) ? &unpacker->kept[i] : NULL;
    }
    pack = pack != NULL ? pack : read_pack(unpacker, position, error);
    if (pack != NULL) {
        pack->used = ++unpacker->uses;
    }
    return pack;
}

/* SQL function event_arguments(id, arguments): returns an event's arguments, unpacked if they are
 * packed. */
static void event_arguments(sqlite3_context *context, int count, sqlite3_value **values) {
    struct unpacker *unpacker = sqlite3_user_data(context);
    const int64_t id = sqlite3_value_int64(values[0]), position = sqlite3_value_int64(values[1]);
    struct error error = {0};
    const struct pack *pack;

    if (sqlite3_value_type(values[1]) != SQLITE_INTEGER) {
        sqlite3_result_value(context, values[1]);
        return;
    }
    pack = find_pack(unpacker, id, position, &error);
    if (pack != NULL) {
        const size_t at = (size_t)(position - pack->first);
        const uint32_t begin = at == 0 ? 0 : pack->ends[at - 1] + 1;

        sqlite3_result_blob(context, pack->bytes + begin, (int)(pack->ends[at] - begin),
                            SQLITE_TRANSIENT);
        return;
    }
    if (error.message[0] == '\0') {
        error_set(&error, "the arguments of event %lld are damaged; `tracetool check` says more",
                  (long long)id);
    }
    sqlite3_result_error(context, error.message, -1);
}

/* SQL function argument_pack_is_whole(first, count, data): 1 if a pack can be unpacked, else 0. */
static void is_whole(sqlite3_context *context, int count, sqlite3_value **values) {
    struct pack pack = {0};

    sqlite3_result_int(context, unpack(&pack, values));
    free_pack(&pack);
}

bool argument_pack_register(struct database *database) {
    const int how = SQLITE_UTF8 | SQLITE_INNOCUOUS;
    struct unpacker *unpacker = xcalloc(1, sizeof *unpacker);

    unpacker->database = database;
    forget_trace(unpacker);
    return sqlite3_create_function_v2(database->handle, "event_arguments", 2, how, unpacker,
                                      event_arguments, NULL, NULL, free_unpacker) == SQLITE_OK &&
           sqlite3_create_function(database->handle, "argument_pack_is_whole", 3, how, NULL,
                                   is_whole, NULL, NULL) == SQLITE_OK;
}
