#include "store/column_reader.h"

#include <endian.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/event_rows.h"

/* Cursor over the rows of `event_column` for one field, in order of events. */
struct field_cursor {
    sqlite3_stmt *rows; /* owned; NULL: the field is not read */
    bool row;           /* true: `rows` has a current row */
    int64_t rowid;      /* rowid of the field's row for the chunk that was read last */
};

struct column_reader {
    struct database *database; /* borrowed */
    int64_t trace;
    int64_t origin; /* id of the trace's first event */
    int64_t next;   /* position in the trace of the next chunk's first event */
    int64_t last;   /* position in the trace of the last requested event */
    struct field_cursor fields[EVENT_FIELDS];
    sqlite3_blob *blob; /* owned; open row with encoded values; NULL until the first are loaded */
};

/* --- opening a reader of a trace's columns ---------------------------------------------------- */

/* Sets `reader->next` to the start of the chunk with the event at position `place` in the trace. */
static bool find_start(struct column_reader *reader, int64_t place, struct error *error) {
    struct database_query query = database_query(
        reader->database, error,
        "SELECT max(first) FROM main.event_column WHERE trace = ?1 AND field = 'time'"
        " AND first <= ?2",
        "ii", reader->trace, place);

    reader->next = database_next(&query) ? sqlite3_column_int64(query.row, 0) : 0;
    return database_end(&query);
}

static bool step_field(struct column_reader *reader, struct field_cursor *field,
                       struct error *error) {
    return database_step(reader->database, field->rows, &field->row, error);
}

static bool open_fields(struct column_reader *reader, unsigned fields, struct error *error) {
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        struct field_cursor *field = &reader->fields[i];
        unsigned column = event_field_column((enum event_field)i);
        const char *name = event_field_name((enum event_field)i);

        if (name == NULL || (column != 0 && (fields & column) == 0)) {
            continue;
        }
        /* An index covers these columns, so SQLite does not read the large column `data`. */
        field->rows =
            database_acquire_statement(reader->database,
                                       "SELECT first, count, least, most, sum, fields, rowid"
                                       " FROM main.event_column WHERE trace = ?1 AND field = ?2"
                                       " AND first >= ?3 ORDER BY first",
                                       error);
        if (field->rows == NULL) {
            return false;
        }
        sqlite3_bind_int64(field->rows, 1, reader->trace);
        sqlite3_bind_text(field->rows, 2, name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(field->rows, 3, reader->next);
        if (!step_field(reader, field, error)) {
            return false;
        }
    }
    return true;
}

/* Finds the trace's range of event ids. Sets `*there` to false, without an error, if the trace has
 * no rows in event_column. */
static bool column_reader_find_columns(struct column_reader *reader, bool *there,
                                       struct error *error) {
    struct column_range range = {.trace = reader->trace};
    enum column_state state;

    if (!database_query_integer(reader->database,
                                "SELECT first_event FROM main.trace WHERE id = ?1", reader->trace,
                                0, &range.first, error) ||
        !database_query_integer(reader->database, "SELECT last_event FROM main.trace WHERE id = ?1",
                                reader->trace, -1, &range.last, error) ||
        !column_table_state(reader->database, &range, &state, error)) {
        return false;
    }
    reader->origin = range.first;
    *there = state != COLUMNS_NONE;
    return state != COLUMNS_DAMAGED ||
           columns_set_damaged_error(reader->database, reader->trace, error);
}

bool column_reader_open(struct column_reader **opened, struct database *database, int64_t trace,
                        int64_t first, int64_t last, unsigned fields, struct error *error) {
    struct column_reader *reader = xcalloc(1, sizeof *reader);
    bool there = false, done;

    *opened = NULL;
    reader->database = database;
    reader->trace = trace;
    done = column_reader_find_columns(reader, &there, error);
    reader->last = last < first ? -1 : last - reader->origin;
    done = done && (!there || (find_start(reader, first - reader->origin, error) &&
                               open_fields(reader, fields, error)));
    if (done && there) {
        *opened = reader;
    } else {
        column_reader_close(reader);
    }
    return done;
}

void column_reader_close(struct column_reader *reader) {
    if (reader != NULL) {
        for (unsigned i = 0; i < EVENT_FIELDS; i++) {
            database_release_statement(reader->database, reader->fields[i].rows);
        }
        sqlite3_blob_close(reader->blob);
        free(reader);
    }
}

/* --- reading chunks of events ----------------------------------------------------------------- */

/* Copies a field's smallest and largest value and checksum from the current row of event_column to
 * `piece`, and steps to the field's next row. */
static bool read_column_row(struct column_reader *reader, enum event_field name,
                            struct column_chunk *piece, bool *sound, struct error *error) {
    struct event_chunk_part *part = &piece->parts[name];
    struct field_cursor *field = &reader->fields[name];
    const struct column_key key = {
        .field = name,
        .trace = reader->trace,
        .first = sqlite3_column_int64(field->rows, 0),
        .count = sqlite3_column_int64(field->rows, 1),
        .least = sqlite3_column_int64(field->rows, 2),
        .most = sqlite3_column_int64(field->rows, 3),
        .fields = sqlite3_column_int64(field->rows, 5),
    };
    int64_t sum = sqlite3_column_int64(field->rows, 4);

    *sound = key.first == reader->next && key.count == (int64_t)piece->count &&
             column_checksum_matches(&key, sum);
    part->least = key.least;
    part->most = key.most;
    part->size = 1; /* above 0: the chunk has the field; the real size is set when the encoded
                       values are loaded */
    part->sum = (uint32_t)sum;
    field->rowid = sqlite3_column_int64(field->rows, 6);
    return step_field(reader, field, error);
}

/* Reads a field's row for the chunk. `has`: the row of field `time` says that the chunk has this
 * field. Sets `*sound` to false if there is a row but `has` is false, or the reverse. */
static bool read_column_part(struct column_reader *reader, enum event_field name, bool has,
                             struct column_chunk *piece, bool *sound, struct error *error) {
    const struct field_cursor *field = &reader->fields[name];
    bool there;

    piece->parts[name] = (struct event_chunk_part){0};
    if (field->rows == NULL) {
        return true;
    }
    there = field->row && sqlite3_column_int64(field->rows, 0) <= reader->next;
    *sound = there == has;
    return !there || !has || read_column_row(reader, name, piece, sound, error);
}

bool column_reader_next(struct column_reader *reader, struct column_chunk *piece, bool *some,
                        struct error *error) {
    const struct field_cursor *time = &reader->fields[EVENT_FIELD_TIME];
    int64_t count = time->row ? sqlite3_column_int64(time->rows, 1) : 0;
    int64_t fields = time->row ? sqlite3_column_int64(time->rows, 5) : 0;
    bool sound = time->row && sqlite3_column_int64(time->rows, 0) == reader->next && count > 0 &&
                 count <= EVENT_CHUNK;

    *some = reader->next <= reader->last;
    if (!*some) {
        return true;
    }
    piece->first = reader->origin + reader->next;
    piece->count = sound ? (size_t)count : 0;
    for (unsigned i = 0; sound && i < EVENT_FIELDS; i++) {
        if (!read_column_part(reader, (enum event_field)i, (fields >> i & 1) != 0, piece, &sound,
                              error)) {
            return false;
        }
    }
    reader->next += (int64_t)piece->count;
    return sound || columns_set_damaged_error(reader->database, reader->trace, error);
}

/* Opens the encoded values (column `data`) of the row of event_column with this rowid. */
static bool open_blob(struct column_reader *reader, int64_t rowid) {
    return (reader->blob == NULL
                ? sqlite3_blob_open(reader->database->handle, "main", "event_column", "data", rowid,
                                    0, &reader->blob)
                : sqlite3_blob_reopen(reader->blob, rowid)) == SQLITE_OK;
}

static bool load_part(struct column_reader *reader, struct column_chunk *piece, unsigned field,
                      struct error *error) {
    struct event_chunk_part *part = &piece->parts[field];
    char *bytes;
    int size;

    if (!open_blob(reader, reader->fields[field].rowid)) {
        /* SQLite sets no error of its own if `data` holds a number or NULL instead of bytes: then
         * the row is damaged. */
        return sqlite3_errcode(reader->database->handle) == SQLITE_ERROR
                   ? columns_set_damaged_error(reader->database, reader->trace, error)
                   : database_set_error(reader->database, error);
    }
    size = sqlite3_blob_bytes(reader->blob);
    if (size > COLUMN_CODE_MOST) {
        return columns_set_damaged_error(reader->database, reader->trace, error);
    }
    bytes = text_reserve(&piece->bytes, (size_t)size + COLUMN_CODE_PADDING);
    if (sqlite3_blob_read(reader->blob, bytes, size, 0) != SQLITE_OK) {
        return database_set_error(reader->database, error);
    }
    part->offset = piece->bytes.length;
    part->size = (size_t)size;
    piece->bytes.length += (size_t)size;
    return size > 0 || columns_set_damaged_error(reader->database, reader->trace, error);
}

bool column_reader_load(struct column_reader *reader, struct column_chunk *piece,
                        struct error *error) {
    text_clear(&piece->bytes);
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        if (piece->parts[i].size > 0 && !load_part(reader, piece, i, error)) {
            return false;
        }
    }
    return true;
}

bool column_chunk_decode(const struct column_chunk *piece, unsigned fields,
                         struct event_columns *columns) {
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        enum event_field field = (enum event_field)i;
        unsigned column = event_field_column(field);
        const struct event_chunk_part *part = &piece->parts[field];
        const char *code = part->size == 0 ? NULL : piece->bytes.bytes + part->offset;

        if (event_field_name(field) != NULL &&
            (column == 0 ? fields == 0 : (fields & column) != 0) &&
            !event_field_decode(field, part, (const unsigned char *)code, columns, piece->count)) {
            return false;
        }
    }
    return true;
}

void column_chunk_free(struct column_chunk *piece) {
    text_free(&piece->bytes);
    *piece = (struct column_chunk){0};
}

/* --- passes over all events ------------------------------------------------------------------- */

static bool column_reader_begin_rows(struct event_stream *stream, struct error *error) {
    const struct event_pass *pass = &stream->pass;
    struct text sql = {0};

    event_rows_select(&sql, pass->fields);
    text_append_string(&sql, " FROM main.event AS e WHERE e.id BETWEEN ?1 AND ?2 ORDER BY e.id");
    stream->query =
        database_query_text(pass->database, error, &sql, "ii", pass->range.first, pass->range.last);
    return !stream->query.failed;
}

static bool column_reader_next_rows(struct event_stream *stream, size_t *count,
                                    struct error *error) {
    struct database_query *query = &stream->query;

    for (*count = 0; *count < EVENT_CHUNK && database_next(query); ++*count) {
        query->failed = !event_rows_read(stream->pass.database, query->row, stream->pass.fields,
                                         &stream->columns, *count, error);
    }
    return !query->failed;
}

static bool column_reader_decode(const struct event_pass *pass, const struct column_chunk *piece,
                                 struct event_columns *columns, struct error *error) {
    for (size_t i = 0; i < piece->count && !pass->untimed; i++) {
        columns->id[i] = piece->first + (int64_t)i;
    }
    return ((pass->untimed || column_chunk_decode(piece, 0, columns)) &&
            column_chunk_decode(piece, pass->fields, columns)) ||
           columns_set_damaged_error(pass->database, pass->range.trace, error);
}

static bool next_piece(struct event_stream *stream, size_t *count, struct error *error) {
    bool some;

    *count = 0;
    if (!column_reader_next(stream->reader, &stream->piece, &some, error)) {
        return false;
    }
    *count = some ? stream->piece.count : 0;
    return !some || (column_reader_load(stream->reader, &stream->piece, error) &&
                     column_reader_decode(&stream->pass, &stream->piece, &stream->columns, error));
}

bool event_stream_open(struct event_stream *stream, const struct event_pass *pass,
                       struct error *error) {
    const struct column_range *range = &pass->range;

    *stream = (struct event_stream){.pass = *pass, .ended = range->last < range->first};
    if (stream->ended) {
        return true;
    }
    event_columns_grow(&stream->columns, pass->fields, EVENT_CHUNK);
    return (pass->of_rows || column_reader_open(&stream->reader, pass->database, range->trace,
                                                range->first, range->last, pass->fields, error)) &&
           (stream->reader != NULL || column_reader_begin_rows(stream, error));
}

bool event_stream_next(struct event_stream *stream, size_t *count, struct error *error) {
    bool done = true;

    *count = 0;
    if (!stream->ended) {
        done =
            (stream->reader != NULL ? next_piece : column_reader_next_rows)(stream, count, error);
        /* Fewer rows than EVENT_CHUNK are the last ones. Stops here, because stepping an SQLite
         * statement after its last row would run it again. */
        stream->ended = *count == 0 || !done || (stream->reader == NULL && *count < EVENT_CHUNK);
    }
    return done;
}

bool event_stream_close(struct event_stream *stream) {
    bool done = stream->query.row == NULL || database_end(&stream->query);

    column_reader_close(stream->reader);
    column_chunk_free(&stream->piece);
    event_columns_free(&stream->columns);
    *stream = (struct event_stream){.ended = true};
    return done;
}

bool event_pass_run(const struct event_pass *pass, void *context, struct error *error) {
    struct event_stream stream;
    bool done = event_stream_open(&stream, pass, error);
    size_t count = 0;

    do {
        done = done && event_stream_next(&stream, &count, error) &&
               (count == 0 || pass->visit(context, &stream.columns, count, error));
    } while (done && count > 0);
    return event_stream_close(&stream) && done;
}
