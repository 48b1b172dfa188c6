#include "store/column_table.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "store/event_rows.h"
#include "base/hash.h"
#include "base/memory.h"

static uint32_t sum_of_key(const struct column_key *key) {
    struct {
        uint64_t numbers[6]; /* the hashed values: trace, first, count, least, most, fields;
                                little-endian */
        char name[16];       /* room for the longest field name, cpu_duration */
    } bytes = {.numbers = {htole64((uint64_t)key->trace), htole64((uint64_t)key->first),
                           htole64((uint64_t)key->count), htole64((uint64_t)key->least),
                           htole64((uint64_t)key->most), htole64((uint64_t)key->fields)}};
    const char *name = event_field_name(key->field);
    size_t length = strnlen(name, sizeof bytes.name);

    memcpy(bytes.name, name, length);
    return (uint32_t)XXH3_64bits(&bytes, sizeof bytes.numbers + length);
}

bool column_checksum_matches(const struct column_key *key, int64_t sum) {
    return (uint64_t)sum >> 32 == sum_of_key(key);
}

/* Columns that may change when the end of a call is recorded. */
#define ENDING_COLUMNS                                                                             \
    ((unsigned)(EVENT_DURATION | EVENT_SELF | EVENT_VALUE | EVENT_SIZE | EVENT_FLAGS | EVENT_CPU))

/* End of the error message about damaged rows of event_column. */
#define ANEW "; `tracetool check --repair` rebuilds them"

/* Number of recorded ends of calls at which they are written to event_column. */
enum { ENDINGS = 65536 };

/* State for reading and writing rows of event_column, each of which holds one field of a chunk. */
struct column_parts {
    struct database *database; /* borrowed */
    int64_t trace;
    struct event_chunk chunk;     /* owned */
    struct column_coder *coder;   /* owned; allocated when needed, like `columns` and `code` */
    struct event_columns columns; /* owned; decoded fields of up to EVENT_CHUNK events */
    unsigned fields;              /* fields for which `columns` has memory: enum event_column */
    uint32_t held;    /* fields that the current chunk has: bits 1 << enum event_field */
    struct text code; /* owned; encoded values of one row */
};

/* The recorded end of a call. */
struct noted_ending {
    int64_t place;        /* the call's position in the trace; first member, for compare_int64() */
    struct ending ending; /* values at the end of the call, without bytes of arguments */
};

struct column_writer {
    struct column_parts parts;
    unsigned columns;
    struct noted_ending *endings; /* owned; at most ENDINGS elements */
    size_t count, capacity;
};

/* --- rows of the table event_column ----------------------------------------------------------- */

static void close_parts(struct column_parts *parts) {
    event_chunk_free(&parts->chunk);
    event_columns_free(&parts->columns);
    text_free(&parts->code);
    free(parts->coder);
}

/* Allocates the coder, and memory for the decoded values of `fields`. */
static void need_columns(struct column_parts *parts, unsigned fields) {
    if (parts->coder == NULL) {
        parts->coder = xmalloc(sizeof *parts->coder);
    }
    if ((fields & ~parts->fields) != 0) {
        parts->fields |= fields;
        event_columns_grow(&parts->columns, parts->fields, EVENT_CHUNK);
    }
}

/* Returns whether `columns` (enum event_column) includes this field. The field `time` is always
 * included. */
static bool column_table_is_of(enum event_field field, unsigned columns) {
    return event_field_name(field) != NULL &&
           (event_field_column(field) == 0 || (event_field_column(field) & columns) != 0);
}

/* Runs a statement with the values of a row of event_column bound to its parameters: trace, field,
 * first, then the others. */
static bool run_with_part(struct column_parts *parts, const char *sql, enum event_field field,
                          int64_t first, const struct event_chunk *chunk, struct error *error) {
    const struct event_chunk_part *part = &chunk->parts[field];
    const struct column_key key = {
        .field = field,
        .trace = parts->trace,
        .first = first,
        .count = (int64_t)chunk->count,
        .least = part->least,
        .most = part->most,
        .fields = field == EVENT_FIELD_TIME ? (int64_t)parts->held : 0,
    };

    return database_run_bound(parts->database, error, sql, "isiiiiiob", key.trace,
                              event_field_name(field), first, key.count, key.least, key.most,
                              /* checksum of the row: the upper half is for all values but the
                                 encoded ones, the lower half for these */
                              (int64_t)((uint64_t)sum_of_key(&key) << 32 | part->sum),
                              field == EVENT_FIELD_TIME ? key.fields : EVENT_NONE,
                              chunk->bytes.bytes + part->offset, part->size);
}

static bool insert_part(struct column_parts *parts, enum event_field field, int64_t first,
                        const struct event_chunk *chunk, struct error *error) {
    return run_with_part(parts,
                         "INSERT INTO main.event_column"
                         " (trace, field, first, count, least, most, sum, fields, data)"
                         " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                         field, first, chunk, error);
}

/* Sets the bit in `held` of each field in `columns` to whether the chunk has the field. */
static void note_parts(struct column_parts *parts, const struct event_chunk *chunk,
                       unsigned columns) {
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        if (column_table_is_of((enum event_field)i, columns)) {
            parts->held &= ~(1u << i);
            parts->held |= (uint32_t)(chunk->parts[i].size > 0) << i;
        }
    }
}

/* Inserts the rows of event_column for the fields of a chunk that belong to `columns`. */
static bool write_chunk(struct column_parts *parts, int64_t first, const struct event_chunk *chunk,
                        unsigned columns, struct error *error) {
    parts->held = 0;
    note_parts(parts, chunk, columns);
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        enum event_field field = (enum event_field)i;

        if (chunk->parts[i].size > 0 && column_table_is_of(field, columns) &&
            !insert_part(parts, field, first, chunk, error)) {
            return false;
        }
    }
    return true;
}

/* Updates a chunk's rows of event_column after the chunk was read and changed. */
static bool rewrite_chunk(struct column_parts *parts, int64_t first, unsigned columns,
                          struct error *error) {
    const struct event_chunk *chunk = &parts->chunk;

    note_parts(parts, chunk, columns);
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        enum event_field field = (enum event_field)i;
        bool done = true;

        if (!column_table_is_of(field, columns)) {
            continue;
        }
        if (chunk->parts[i].size == 0) {
            done = database_run_bound(
                parts->database, error,
                "DELETE FROM main.event_column WHERE trace = ?1 AND field = ?2 AND first = ?3",
                "isi", parts->trace, event_field_name(field), first);
        } else {
            done = run_with_part(parts,
                                 "UPDATE main.event_column SET count = ?4, least = ?5, most = ?6,"
                                 " sum = ?7, fields = ?8, data = ?9"
                                 " WHERE trace = ?1 AND field = ?2 AND first = ?3",
                                 field, first, chunk, error) &&
                   (sqlite3_changes(parts->database->handle) > 0 ||
                    insert_part(parts, field, first, chunk, error));
        }
        if (!done) {
            return false;
        }
    }
    return true;
}

/* Reads the encoded values of a field, and their checksum, from the current row of `select`. Sets
 * `*sound` to whether the checksum is right. */
static void read_chunk_part(struct column_parts *parts, sqlite3_stmt *select,
                            enum event_field field, int64_t first, size_t count,
                            struct event_chunk_part *part, bool *sound) {
    const struct column_key key = {
        .field = field,
        .trace = parts->trace,
        .first = first,
        .count = (int64_t)count,
        .least = sqlite3_column_int64(select, 2),
        .most = sqlite3_column_int64(select, 3),
        .fields = sqlite3_column_int64(select, 5),
    };
    int64_t sum = sqlite3_column_int64(select, 4);

    *sound = sqlite3_column_int64(select, 1) == key.count && column_checksum_matches(&key, sum);
    part->least = key.least;
    part->most = key.most;
    part->sum = (uint32_t)sum;
    part->size = (size_t)sqlite3_column_bytes(select, 0);
    if (field == EVENT_FIELD_TIME) {
        parts->held = (uint32_t)key.fields;
    }
    text_clear(&parts->code);
    text_append(&parts->code, sqlite3_column_blob(select, 0), part->size);
    text_reserve(&parts->code, COLUMN_CODE_PADDING);
}

/* Reads and decodes one field of the chunk that begins at position `first`. `part`: set to the
 * row's values; size 0: no row. Sets `*sound` to false if the values cannot be decoded, or if there
 * is a row although the row of field `time` does not list the field, or the reverse. The field
 * `time` must be read first. */
static bool read_part(struct column_parts *parts, enum event_field field, int64_t first,
                      size_t count, struct event_chunk_part *part, bool *sound,
                      struct error *error) {
    struct database_query query =
        database_query(parts->database, error,
                       "SELECT data, count, least, most, sum, fields FROM main.event_column"
                       " WHERE trace = ?1 AND field = ?2 AND first = ?3",
                       "isi", parts->trace, event_field_name(field), first);
    bool there = database_next(&query);

    *part = (struct event_chunk_part){0};
    *sound = true;
    if (there) {
        read_chunk_part(parts, query.row, field, first, count, part, sound);
    }
    *sound =
        *sound && !query.failed && there == (parts->held >> field & 1) &&
        event_field_decode(field, part, there ? (const unsigned char *)parts->code.bytes : NULL,
                           &parts->columns, count);
    return database_end(&query);
}

/* Reads and decodes all fields of a chunk. Sets `*damaged` to the first damaged field;
 * EVENT_FIELDS: none is. */
static bool column_table_read_chunk(struct column_parts *parts, int64_t first, size_t count,
                                    struct event_chunk_part extents[EVENT_FIELDS],
                                    enum event_field *damaged, struct error *error) {
    _Static_assert(EVENT_FIELD_TIME == 0, "read_part() reads the times first");

    *damaged = EVENT_FIELDS;
    for (unsigned i = 0; i < EVENT_FIELDS && *damaged == EVENT_FIELDS; i++) {
        enum event_field field = (enum event_field)i;
        bool sound = true;

        if (column_table_is_of(field, parts->fields) &&
            !read_part(parts, field, first, count, &extents[i], &sound, error)) {
            return false;
        }
        *damaged = sound ? EVENT_FIELDS : field;
    }
    return true;
}

/* Finds the chunk with the event at position `place` in the trace. Sets `*count` to 0 if there is
 * none, or its number of events is impossible. */
static bool find_chunk(struct column_parts *parts, int64_t place, int64_t *first, size_t *count,
                       struct error *error) {
    struct database_query query =
        database_query(parts->database, error,
                       "SELECT first, count FROM main.event_column WHERE trace = ?1"
                       " AND field = 'time' AND first BETWEEN 0 AND ?2 ORDER BY first DESC LIMIT 1",
                       "ii", parts->trace, place);

    *count = 0;
    if (database_next(&query)) {
        int64_t events = sqlite3_column_int64(query.row, 1);

        *first = sqlite3_column_int64(query.row, 0);
        if (events > 0 && events <= EVENT_CHUNK && place - *first < events) {
            *count = (size_t)events;
        }
    }
    return database_end(&query);
}

/* --- writing columns during an import --------------------------------------------------------- */

struct column_writer *column_writer_new(struct database *database, int64_t trace,
                                        unsigned columns) {
    struct column_writer *writer = xcalloc(1, sizeof *writer);

    writer->parts.database = database;
    writer->parts.trace = trace;
    writer->columns = columns;
    return writer;
}

void column_writer_free(struct column_writer *writer) {
    if (writer != NULL) {
        close_parts(&writer->parts);
        free(writer->endings);
        free(writer);
    }
}

bool column_writer_write(struct column_writer *writer, int64_t first,
                         const struct event_chunk *chunk, struct error *error) {
    return write_chunk(&writer->parts, first, chunk, writer->columns, error);
}

bool column_writer_end(struct column_writer *writer, int64_t place, const struct ending *ending,
                       struct error *error) {
    if (writer->count == ENDINGS && !column_writer_finish(writer, error)) {
        return false;
    }
    if (ending->object != 0) {
        need_columns(&writer->parts, EVENT_OBJECT);
    }
    if (ending->operation != 0) {
        need_columns(&writer->parts, EVENT_OPERATION);
    }
    writer->endings =
        array_grow(writer->endings, writer->count, &writer->capacity, sizeof *writer->endings);
    writer->endings[writer->count] = (struct noted_ending){place, *ending};
    writer->endings[writer->count++].ending.arguments = NULL;
    return true;
}

static void append_ending(struct event_columns *columns, size_t at, const struct ending *ending) {
    columns->duration[at] = ending->duration;
    columns->self[at] = ending->self;
    columns->value[at] = ending->value;
    columns->size[at] = ending->size;
    columns->flags[at] = ending->flags;
    if (ending->object != 0) {
        columns->object[at] = ending->object;
    }
    if (ending->operation != 0) {
        columns->operation[at] = ending->operation;
    }
    if (ending->cpu_duration != EVENT_NONE) {
        columns->cpu_duration[at] = ending->cpu_duration;
        columns->cpu_self[at] = ending->cpu_self;
    }
}

/* Writes the recorded ends of all calls in one chunk, from index `at` of `endings` on. Sets
 * `*after` to the index after the last one written. */
static bool column_table_write_endings(struct column_writer *writer, size_t at, size_t *after,
                                       struct error *error) {
    struct column_parts *parts = &writer->parts;
    unsigned columns = ENDING_COLUMNS & ~(writer->columns & EVENT_CPU ? 0u : (unsigned)EVENT_CPU);
    struct event_chunk_part extents[EVENT_FIELDS];
    enum event_field damaged;
    int64_t first;
    size_t count;

    if (!find_chunk(parts, writer->endings[at].place, &first, &count, error) ||
        (count > 0 && !column_table_read_chunk(parts, first, count, extents, &damaged, error))) {
        return false;
    }
    if (count == 0 || damaged != EVENT_FIELDS) {
        return error_set(error,
                         "%s: events that this import had stored there were damaged before it "
                         "ended; the disk may be faulty",
                         parts->database->path);
    }
    for (*after = at; *after < writer->count; ++*after) {
        const struct noted_ending *noted = &writer->endings[*after];

        if (noted->place - first >= (int64_t)count) {
            break;
        }
        append_ending(&parts->columns, (size_t)(noted->place - first), &noted->ending);
        columns |= noted->ending.object != 0 ? (unsigned)EVENT_OBJECT : 0;
        columns |= noted->ending.operation != 0 ? (unsigned)EVENT_OPERATION : 0;
    }
    event_chunk_encode_columns(&parts->chunk, parts->coder, &parts->columns, count, columns);
    return rewrite_chunk(parts, first, columns, error);
}

bool column_writer_finish(struct column_writer *writer, struct error *error) {
    if (writer->count == 0) {
        return true;
    }
    need_columns(&writer->parts, ENDING_COLUMNS);
    qsort(writer->endings, writer->count, sizeof *writer->endings, compare_int64);
    for (size_t at = 0; at < writer->count;) {
        if (!column_table_write_endings(writer, at, &at, error)) {
            return false;
        }
    }
    writer->count = 0;
    return true;
}

/* --- making columns of an existing trace ------------------------------------------------------ */

bool column_table_state(struct database *database, const struct column_range *range,
                        enum column_state *state, struct error *error) {
    struct database_query query = database_query(
        database, error,
        "SELECT count(*), sum(count), min(first), max(first + count) FROM main.event_column"
        " WHERE trace = ?1 AND field = 'time'",
        "i", range->trace);
    int64_t events = range->last - range->first + 1;

    if (database_next(&query)) {
        *state = sqlite3_column_int64(query.row, 0) == 0 ? COLUMNS_NONE
                 : sqlite3_column_int64(query.row, 1) == events &&
                         sqlite3_column_int64(query.row, 2) == 0 &&
                         sqlite3_column_int64(query.row, 3) == events
                     ? COLUMNS_WHOLE
                     : COLUMNS_DAMAGED;
    }
    return database_end(&query);
}

bool columns_set_damaged_error(struct database *database, int64_t trace, struct error *error) {
    struct database_query query =
        database_query(database, error, "SELECT name FROM main.trace WHERE id = ?1", "i", trace);
    bool row = database_next(&query);

    if (!query.failed) {
        error_set(error,
                  "%s: the columns of trace %s are damaged; tracetool check --repair rebuilds them",
                  database->path, row ? (const char *)sqlite3_column_text(query.row, 0) : "?");
    }
    database_end(&query);
    return false;
}

bool column_table_remove(struct database *database, int64_t trace, struct error *error) {
    return database_run_bound(database, error, "DELETE FROM main.event_column WHERE trace = ?1",
                              "i", trace);
}

/* State while a trace's rows of `event` are read and encoded for event_column. */
struct column_rows {
    struct column_parts parts;
    sqlite3_stmt *select;        /* owned */
    struct event_columns events; /* owned; room for EVENT_CHUNK events */
};

static void close_rows(struct column_rows *rows) {
    if (rows->select != NULL) {
        database_release_statement(rows->parts.database, rows->select);
    }
    close_parts(&rows->parts);
    event_columns_free(&rows->events);
}

static bool column_table_open_rows(struct column_rows *rows, struct database *database,
                                   int64_t trace, struct error *error) {
    struct text sql = {0};

    rows->parts.database = database;
    rows->parts.trace = trace;
    need_columns(&rows->parts, EVENT_ROWS_ALL);
    event_columns_grow(&rows->events, EVENT_ROWS_ALL, EVENT_CHUNK);
    event_rows_select(&sql, EVENT_ROWS_ALL);
    text_append_string(&sql, " FROM main.event AS e LEFT JOIN main.cpu_time AS c ON c.event = e.id"
                             " WHERE e.id BETWEEN ?1 AND ?2 ORDER BY e.id");
    rows->select = database_acquire_statement(database, text_string(&sql), error);
    text_free(&sql);
    return rows->select != NULL;
}

/* Reads and encodes up to `count` rows of `event`, from id `first` on. Sets `*whole` to whether no
 * id was missing. */
static bool column_table_read_rows(struct column_rows *rows, int64_t first, size_t count,
                                   bool *whole, struct error *error) {
    struct column_parts *parts = &rows->parts;
    size_t at = 0;
    bool row = true, done = true;

    sqlite3_bind_int64(rows->select, 1, first);
    sqlite3_bind_int64(rows->select, 2, first + (int64_t)count - 1);
    while (done && row && at < count) {
        done = database_step(parts->database, rows->select, &row, error);
        if (done && row) {
            done = event_rows_read(parts->database, rows->select, EVENT_ROWS_ALL, &rows->events,
                                   at++, error);
        }
    }
    sqlite3_reset(rows->select);
    *whole = at == count;
    event_chunk_encode_columns(&parts->chunk, parts->coder, &rows->events, at, EVENT_ROWS_ALL);
    return done;
}

static bool make_chunks(struct column_rows *rows, const struct column_range *range, bool *whole,
                        struct error *error) {
    *whole = true;
    for (int64_t at = range->first; at <= range->last && *whole; at += EVENT_CHUNK) {
        size_t count =
            range->last - at < EVENT_CHUNK ? (size_t)(range->last - at + 1) : EVENT_CHUNK;

        if (!column_table_read_rows(rows, at, count, whole, error) ||
            !write_chunk(&rows->parts, at - range->first, &rows->parts.chunk, EVENT_ROWS_ALL,
                         error)) {
            return false;
        }
    }
    return true;
}

/* If rows of `event` are missing, deletes the rows of event_column that it has written. */
bool column_table_rebuild(struct database *database, const struct column_range *range,
                          struct error *error) {
    struct column_rows rows = {0};
    bool whole, done = column_table_remove(database, range->trace, error) &&
                       column_table_open_rows(&rows, database, range->trace, error) &&
                       make_chunks(&rows, range, &whole, error) &&
                       (whole || column_table_remove(database, range->trace, error));

    close_rows(&rows);
    return done;
}

/* --- changing events in columns --------------------------------------------------------------- */

struct column_changer {
    struct column_parts parts;
    struct column_range range;
    unsigned columns;
    int64_t first; /* position in the trace of the first event in the loaded chunk */
    size_t count;  /* number of events in the loaded chunk; 0: no chunk is loaded */
    bool damaged;  /* true: the chunk is damaged; column_changer_finish() rebuilds event_column */
};

struct column_changer *column_changer_new(struct database *database,
                                          const struct column_range *range, unsigned columns) {
    struct column_changer *changer = xcalloc(1, sizeof *changer);

    changer->parts.database = database;
    changer->parts.trace = range->trace;
    changer->range = *range;
    changer->columns = columns;
    need_columns(&changer->parts, columns);
    return changer;
}

void column_changer_free(struct column_changer *changer) {
    if (changer != NULL) {
        close_parts(&changer->parts);
        free(changer);
    }
}

static void append_change(struct event_columns *columns, size_t at,
                          const struct event_change *change) {
    if (columns->operation != NULL) {
        columns->operation[at] = change->operation;
    }
    if (columns->actor != NULL) {
        columns->actor[at] = change->actor;
    }
    if (columns->object != NULL) {
        columns->object[at] = change->object;
    }
    if (columns->flags != NULL) {
        columns->flags[at] = change->flags;
    }
    if (columns->duration != NULL) {
        columns->duration[at] = change->duration;
    }
    if (columns->response != NULL) {
        columns->response[at] = change->response;
    }
}

/* Writes the loaded chunk with its changes, if there is one, and unloads it. */
static bool column_table_write_held(struct column_changer *changer, struct error *error) {
    struct column_parts *parts = &changer->parts;
    size_t count = changer->count;

    changer->count = 0;
    if (count == 0 || changer->damaged) {
        return true;
    }
    event_chunk_encode_columns(&parts->chunk, parts->coder, &parts->columns, count,
                               changer->columns);
    return rewrite_chunk(parts, changer->first, changer->columns, error);
}

bool column_changer_finish(struct column_changer *changer, struct error *error) {
    bool damaged = changer->damaged;

    changer->damaged = false;
    return column_table_write_held(changer, error) &&
           (!damaged || column_table_rebuild(changer->parts.database, &changer->range, error));
}

/* Writes the loaded chunk, and loads the chunk with the event at position `place` in the trace.
 * Sets changer->count to 0 if there is none: the trace has no rows in event_column. */
static bool load_chunk_of_event(struct column_changer *changer, int64_t place,
                                struct error *error) {
    struct event_chunk_part extents[EVENT_FIELDS];
    enum event_field damaged = EVENT_FIELDS;

    if (!column_table_write_held(changer, error) ||
        !find_chunk(&changer->parts, place, &changer->first, &changer->count, error) ||
        (changer->count > 0 &&
         !column_table_read_chunk(&changer->parts, changer->first, changer->count, extents,
                                  &damaged, error))) {
        return false;
    }
    changer->damaged = damaged != EVENT_FIELDS;
    return true;
}

bool column_changer_set(struct column_changer *changer, const struct event_change *changes,
                        size_t count, struct error *error) {
    for (size_t i = 0; i < count && !changer->damaged; i++) {
        int64_t place = changes[i].id - changer->range.first;

        if (place - changer->first >= (int64_t)changer->count &&
            !load_chunk_of_event(changer, place, error)) {
            return false;
        }
        if (changer->count > 0 && !changer->damaged) {
            append_change(&changer->parts.columns, (size_t)(place - changer->first), &changes[i]);
        }
    }
    return true;
}

/* Returns true if a field has equal values in two chunks encoded by the same coder, and its
 * smallest and largest value in the table, `said`, are right. */
static bool column_table_is_same(const struct event_chunk *a, const struct event_chunk *b,
                                 unsigned field, const struct event_chunk_part *said) {
    const struct event_chunk_part *one = &a->parts[field], *other = &b->parts[field];

    return one->size == other->size && (one->size > 0) == (said->size > 0) &&
           (one->size == 0 ||
            (memcmp(a->bytes.bytes + one->offset, b->bytes.bytes + other->offset, one->size) == 0 &&
             said->least == one->least && said->most == one->most));
}

/* Compares a chunk of event_column with `event`. Adds the number of its fields to `*parts`. */
static bool compare_chunk(struct column_rows *rows, const struct column_range *range, int64_t first,
                          size_t count, int64_t *parts, struct text *what, struct error *error) {
    struct event_chunk_part said[EVENT_FIELDS] = {{0}};
    int64_t id = range->first + first;
    struct event_chunk kept = {0};
    enum event_field damaged;
    bool whole, done = true;

    for (size_t i = 0; i < count; i++) {
        rows->parts.columns.id[i] = id + (int64_t)i;
    }
    if (!column_table_read_chunk(&rows->parts, first, count, said, &damaged, error)) {
        return false;
    }
    if (damaged != EVENT_FIELDS) {
        text_append_format(what, "its columns are damaged: %s of the events from %lld on" ANEW,
                           event_field_name(damaged), (long long)id);
        return true;
    }
    event_chunk_encode_columns(&kept, rows->parts.coder, &rows->parts.columns, count,
                               EVENT_ROWS_ALL);
    done = column_table_read_rows(rows, id, count, &whole, error);
    for (unsigned i = 0; done && i < EVENT_FIELDS; i++) {
        *parts += said[i].size > 0;
        if (what->length == 0 && !column_table_is_same(&rows->parts.chunk, &kept, i, &said[i])) {
            text_append_format(
                what,
                "its columns do not agree with its events: %s of the events from %lld on" ANEW,
                event_field_name((enum event_field)i), (long long)id);
        }
    }
    event_chunk_free(&kept);
    return done;
}

static bool compare_chunks(struct column_rows *rows, const struct column_range *range,
                           struct text *what, struct error *error) {
    int64_t parts = 0, kept;

    for (int64_t at = range->first; at <= range->last && what->length == 0;) {
        int64_t first;
        size_t count;

        if (!find_chunk(&rows->parts, at - range->first, &first, &count, error)) {
            return false;
        }
        if (count == 0 || first != at - range->first) {
            text_append_format(what, "its columns do not hold event %lld" ANEW, (long long)at);
        } else if (!compare_chunk(rows, range, first, count, &parts, what, error)) {
            return false;
        }
        at += (int64_t)count;
    }
    if (!database_query_integer(rows->parts.database,
                                "SELECT count(*) FROM main.event_column WHERE trace = ?1",
                                range->trace, 0, &kept, error)) {
        return false;
    }
    if (what->length == 0 && kept != parts) {
        text_append_string(what, "its columns hold more than its events" ANEW);
    }
    return true;
}

bool column_table_compare(struct database *database, const struct column_range *range,
                          struct text *what, struct error *error) {
    struct column_rows rows = {0};
    enum column_state state = COLUMNS_NONE;
    bool done = column_table_state(database, range, &state, error);

    if (done && state != COLUMNS_NONE) {
        done = column_table_open_rows(&rows, database, range->trace, error) &&
               compare_chunks(&rows, range, what, error);
    }
    close_rows(&rows);
    return done;
}
