#include "store/argument_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/text.h"

/* Maximum bytes of an unpacked pack. */
#define MOST_BYTES ((size_t)64 * 1024 * 1024)

/* Batches with fewer bytes per event are not packed: a position in the row takes four. */
enum { FEWEST_BYTES = 16 };

/* --- writing ---------------------------------------------------------------------------------- */

/* Whether an event's arguments go into the pack. `latest` is the largest time before it. */
static bool is_packable(const struct event *event, int64_t *latest) {
    if (event->time < *latest) {
        return false;
    }
    *latest = event->time;
    return event->arguments != NULL && event->arguments_size > 0 &&
           memchr(event->arguments, '\0', event->arguments_size) == NULL;
}

/* Returns the size of the frame; 0 if it would exceed `room`. */
static size_t compress(const struct text *raw, void *frame, size_t room) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t size;

    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size = ZSTD_compress2(context, frame, room, raw->bytes, raw->length);
    ZSTD_freeCCtx(context);
    return ZSTD_isError(size) ? 0 : size;
}

void argument_pack_make(struct batch *batch, int64_t first) {
    struct text raw = {0};
    int64_t latest = batch->earlier;

    if (first < EVENT_CHUNK || first > UINT32_MAX - BATCH_EVENTS) {
        return;
    }
    for (size_t i = 0; i < batch->event_count; i++) {
        const struct event *event = &batch->events[i];

        if (is_packable(event, &latest)) {
            text_append(&raw, (const char *)event->arguments, event->arguments_size);
        }
        text_append_char(&raw, '\0');
    }
    if (raw.length >= batch->event_count * (FEWEST_BYTES + 1) && raw.length <= MOST_BYTES) {
        batch->packed.length =
            compress(&raw, text_reserve(&batch->packed, raw.length / 2), raw.length / 2);
    }
    batch->packed_first = first;
    latest = batch->earlier;
    for (size_t i = 0; batch->packed.length > 0 && i < batch->event_count; i++) {
        if (is_packable(&batch->events[i], &latest)) {
            batch->events[i].arguments = EVENT_PACKED;
            batch->events[i].arguments_size = (uint32_t)(first + (int64_t)i);
        }
    }
    text_free(&raw);
}

bool argument_pack_write(struct database *database, int64_t trace, const struct batch *batch,
                         struct error *error) {
    return batch->packed.length == 0 ||
           database_change(database, error, "INSERT INTO argument_pack VALUES (?1, ?2, ?3, ?4)",
                           "iiib", trace, batch->packed_first, (int64_t)batch->event_count,
                           batch->packed.bytes, batch->packed.length);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* An unpacked pack. Empty when zeroed. */
struct pack {
    int64_t trace, first;
    size_t count;
    char *bytes;  /* owned */
    size_t *ends; /* owned; offset of the NUL of each position */
};

/* Packs kept: a query may join calls with calls of another part of the trace. */
enum { KEPT = 4 };

/* State of event_arguments(). */
struct unpacker {
    struct database *database; /* borrowed */
    struct pack kept[KEPT];
    unsigned oldest;                        /* index of the pack that is replaced next */
    int64_t trace, first_event, last_event; /* trace of the last event, and its ids */
    unsigned version; /* SQLite's number of the database's state when the above was read */
};

static void free_pack(struct pack *pack) {
    free(pack->bytes);
    free(pack->ends);
    *pack = (struct pack){0};
}

static void free_unpacker(void *unpacker) {
    for (size_t i = 0; i < KEPT; i++) {
        free_pack(&((struct unpacker *)unpacker)->kept[i]);
    }
    free(unpacker);
}

/* Finds the ends of the arguments. False if there are more or fewer than `pack->count`. */
static bool find_ends(struct pack *pack, size_t length) {
    size_t at = 0;

    pack->ends = xmalloc(pack->count * sizeof *pack->ends);
    for (size_t i = 0; i < pack->count; i++) {
        const char *end = memchr(pack->bytes + at, '\0', length - at);

        if (end == NULL) {
            return false;
        }
        pack->ends[i] = (size_t)(end - pack->bytes);
        at = pack->ends[i] + 1;
    }
    return at == length;
}

/* Unpacks a frame with `pack->count` arguments. False if it is damaged. */
static bool unpack(struct pack *pack, const void *frame, size_t size) {
    const unsigned long long length = ZSTD_getFrameContentSize(frame, size);

    if (length == 0 || length > MOST_BYTES || pack->count > length) {
        return false; /* ZSTD_CONTENTSIZE_ERROR and _UNKNOWN are large numbers */
    }
    pack->bytes = xmalloc(length);
    return ZSTD_decompress(pack->bytes, length, frame, size) == length &&
           find_ends(pack, (size_t)length);
}

/* Sets the trace of an event. False if it has none. */
static bool find_trace(struct unpacker *unpacker, int64_t id, struct error *error) {
    struct database_query find;

    if (id >= unpacker->first_event && id <= unpacker->last_event) {
        return true;
    }
    find = database_query(unpacker->database, error,
                          "SELECT id, first_event, last_event FROM main.trace"
                          " WHERE first_event <= ?1 AND last_event >= ?1",
                          "i", id);
    unpacker->last_event = unpacker->first_event - 1;
    if (database_next(&find)) {
        unpacker->trace = sqlite3_column_int64(find.row, 0);
        unpacker->first_event = sqlite3_column_int64(find.row, 1);
        unpacker->last_event = sqlite3_column_int64(find.row, 2);
    }
    return database_end(&find) && id <= unpacker->last_event;
}

/* Reads the pack of a position in place of the oldest one. NULL if there is none, or damaged. */
static const struct pack *read_pack(struct unpacker *unpacker, int64_t position,
                                    struct error *error) {
    struct pack *pack = &unpacker->kept[unpacker->oldest];
    struct database_query find =
        database_query(unpacker->database, error,
                       "SELECT first, count, data FROM main.argument_pack"
                       " WHERE trace = ?1 AND first <= ?2 AND count > ?2 - first"
                       " ORDER BY first DESC LIMIT 1",
                       "ii", unpacker->trace, position);
    bool whole = false;

    free_pack(pack);
    if (database_next(&find)) {
        pack->trace = unpacker->trace;
        pack->first = sqlite3_column_int64(find.row, 0);
        pack->count = (size_t)sqlite3_column_int64(find.row, 1);
        whole = unpack(pack, sqlite3_column_blob(find.row, 2),
                       (size_t)sqlite3_column_bytes(find.row, 2));
    }
    if (!database_end(&find) || !whole) {
        free_pack(pack);
        return NULL;
    }
    unpacker->oldest = (unpacker->oldest + 1) % KEPT;
    return pack;
}

/* Forgets what was read if the database has changed since. */
static void follow_changes(struct unpacker *unpacker) {
    unsigned version = 0;

    sqlite3_file_control(unpacker->database->handle, "main", SQLITE_FCNTL_DATA_VERSION, &version);
    if (version != unpacker->version) {
        for (size_t i = 0; i < KEPT; i++) {
            free_pack(&unpacker->kept[i]);
        }
        unpacker->last_event = unpacker->first_event - 1;
        unpacker->version = version;
    }
}

static const struct pack *find_pack(struct unpacker *unpacker, int64_t id, int64_t position,
                                    struct error *error) {
    follow_changes(unpacker);
    if (!find_trace(unpacker, id, error)) {
        return NULL;
    }
    for (size_t i = 0; i < KEPT; i++) {
        const struct pack *pack = &unpacker->kept[i];

        if (pack->count > 0 && pack->trace == unpacker->trace && position >= pack->first &&
            position - pack->first < (int64_t)pack->count) {
            return pack;
        }
    }
    return read_pack(unpacker, position, error);
}

/* event_arguments(id, arguments) */
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
        const size_t begin = at == 0 ? 0 : pack->ends[at - 1] + 1;

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

/* argument_pack_is_whole(count, data) */
static void is_whole(sqlite3_context *context, int count, sqlite3_value **values) {
    struct pack pack = {.count = (size_t)sqlite3_value_int64(values[0])};

    sqlite3_result_int(context, unpack(&pack, sqlite3_value_blob(values[1]),
                                       (size_t)sqlite3_value_bytes(values[1])));
    free_pack(&pack);
}

bool argument_pack_register(struct database *database) {
    const int how = SQLITE_UTF8 | SQLITE_INNOCUOUS;
    struct unpacker *unpacker = xcalloc(1, sizeof *unpacker);

    unpacker->database = database;
    unpacker->last_event = -1;
    return sqlite3_create_function_v2(database->handle, "event_arguments", 2, how, unpacker,
                                      event_arguments, NULL, NULL, free_unpacker) == SQLITE_OK &&
           sqlite3_create_function(database->handle, "argument_pack_is_whole", 2, how, NULL,
                                   is_whole, NULL, NULL) == SQLITE_OK;
}

/* --- views ------------------------------------------------------------------------------------ */

/* Creates temp.call with the text of main.call: in it, `event` is then temp.event. */
static bool show_calls(struct database *database, struct error *error) {
    struct text sql = {0};
    struct database_query find = database_query(
        database, error,
        "SELECT replace(sql, 'CREATE VIEW call', 'CREATE TEMP VIEW call') FROM main.sqlite_schema"
        " WHERE type = 'view' AND name = 'call'",
        "");
    bool done;

    if (database_next(&find)) {
        text_append_string(&sql, database_column_text(find.row, 0));
    }
    done = database_end(&find) && database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

bool argument_pack_show(struct database *database, struct error *error) {
    static const char view[] = "CREATE TEMP VIEW event AS SELECT id, time"
#define COLUMN_INTEGER(field) ", " #field
#define COLUMN_PARENT(field)  ", " #field
#define COLUMN_ID(field)      ", " #field
#define COLUMN_FLAGS(field)   ", " #field
#define COLUMN_DEPTH(field)   ", " #field
#define COLUMN_BYTES(field)   ", event_arguments(id, " #field ") AS " #field
#define X(NAME, field, FORM)  COLUMN_##FORM(field)
        EVENT_COLUMNS(X)
#undef X
            " FROM main.event";
    int64_t packs;

    return database_integer(database, "SELECT EXISTS (SELECT 1 FROM main.argument_pack)", 0, 0,
                            &packs, error) &&
           (packs == 0 || (database_run(database, view, error) && show_calls(database, error)));
}
