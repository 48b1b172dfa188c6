#include "store/event_table.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/event_columns.h"
#include "store/column_reader.h"

/* A decoded chunk of events of a trace. Zeroed: none. */
struct decoded_chunk {
    struct event_columns columns;
    unsigned fields;     /* decoded columns: bits of enum event_column */
    int64_t first, last; /* range of the decoded events' ids; last < first: none */
    bool has_flags;      /* true: the trace's kind has flags in its events */
};

struct event_table {
    sqlite3_vtab base;
    struct database *database;  /* borrowed */
    struct decoded_chunk spare; /* columns of the last closed cursor, reused by the next cursor */
};

/* A trace with events in the range that a cursor reads. */
struct trace_range {
    int64_t trace, first, last;
    bool has_flags;
};

struct event_cursor {
    sqlite3_vtab_cursor base;
    struct trace_range *ranges; /* owned */
    size_t range_count, range;  /* number of `ranges`, and index of the current one */
    struct column_reader *reader;
    struct column_chunk piece;
    struct decoded_chunk chunk;
    unsigned fields;  /* columns that the statement reads: bits of enum event_column */
    int64_t id, last; /* id of the current row, and of the last row to return */
    bool is_over;
};

/* Columns of the virtual table: id, time, then those of enum event_place. */
enum { COLUMN_ID, COLUMN_TIME, COLUMN_FIRST_PLACE };

/* --- declaring the virtual table `event` ------------------------------------------------------ */

static int event_table_connect(sqlite3 *handle, void *database, int count, const char *const *words,
                               sqlite3_vtab **table, char **message) {
    struct text sql = {0};
    int status;

    (void)count, (void)words, (void)message;
    text_append_string(&sql, "CREATE TABLE event (id INTEGER PRIMARY KEY, time INTEGER");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        text_append_format(&sql, ", %s %s", event_column_name((enum event_place)place),
                           place == EVENT_PLACE_ARGUMENTS ? "BLOB" : "INTEGER");
    }
    text_append_char(&sql, ')');
    status = sqlite3_declare_vtab(handle, text_string(&sql));
    text_free(&sql);
    if (status == SQLITE_OK) {
        struct event_table *made = xcalloc(1, sizeof *made);

        /* The views of the schema may use the table. */
        sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);
        made->database = database;
        *table = &made->base;
    }
    return status;
}

static int event_table_disconnect(sqlite3_vtab *table) {
    struct event_table *event_table = (struct event_table *)table;

    event_columns_free(&event_table->spare.columns);
    free(event_table);
    return SQLITE_OK;
}

/* Returns a letter for a comparison operator on the id: g for >=, l for <=, the operator itself for
 * =, < and >; 0 for other operators. */
static char event_table_letter_of(unsigned char operator) {
    switch (operator) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return '=';
    case SQLITE_INDEX_CONSTRAINT_GE:
        return 'g';
    case SQLITE_INDEX_CONSTRAINT_GT:
        return '>';
    case SQLITE_INDEX_CONSTRAINT_LE:
        return 'l';
    case SQLITE_INDEX_CONSTRAINT_LT:
        return '<';
    default:
        return 0;
    }
}

static unsigned event_table_fields_of(sqlite3_uint64 columns) {
    unsigned fields = (unsigned)(columns >> COLUMN_FIRST_PLACE) & ((1U << EVENT_PLACES) - 1);

    return fields & ~(unsigned)EVENT_ARGUMENTS;
}

static int event_table_plan(sqlite3_vtab *table, sqlite3_index_info *index) {
    char letters[8] = "";
    int count = 0;
    bool one = false;

    (void)table;
    for (int i = 0; i < index->nConstraint && count < (int)sizeof letters - 1; i++) {
        const struct sqlite3_index_constraint *constraint = &index->aConstraint[i];
        char letter = event_table_letter_of(constraint->op);

        if (constraint->usable && constraint->iColumn <= COLUMN_ID && letter != 0) {
            one |= letter == '=';
            letters[count++] = letter;
            index->aConstraintUsage[i].argvIndex = count;
        }
    }
    index->idxNum = (int)event_table_fields_of(index->colUsed);
    index->idxStr = sqlite3_mprintf("%s", letters);
    index->needToFreeIdxStr = 1;
    index->orderByConsumed =
        index->nOrderBy == 1 && index->aOrderBy[0].iColumn <= COLUMN_ID && !index->aOrderBy[0].desc;
    index->estimatedRows = one ? 1 : count > 1 ? 10000 : count == 1 ? 1000000 : 10000000;
    index->estimatedCost = (double)index->estimatedRows * (one ? 10 : 1);
    index->idxFlags = one ? SQLITE_INDEX_SCAN_UNIQUE : 0;
    return index->idxStr == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

/* --- reading rows of the table `event` from columns ------------------------------------------- */

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    struct event_table *event_table = (struct event_table *)table;
    struct event_cursor *made = xcalloc(1, sizeof *made);

    made->chunk = event_table->spare;
    event_table->spare = (struct decoded_chunk){.last = -1};
    *cursor = &made->base;
    return SQLITE_OK;
}

static void stop_reading(struct event_cursor *cursor) {
    column_reader_close(cursor->reader);
    cursor->reader = NULL;
    column_chunk_free(&cursor->piece);
    free(cursor->ranges);
    cursor->ranges = NULL;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct event_cursor *cursor = (struct event_cursor *)base;
    struct event_table *table = (struct event_table *)base->pVtab;

    stop_reading(cursor);
    event_columns_free(&table->spare.columns);
    table->spare = cursor->chunk;
    free(cursor);
    return SQLITE_OK;
}

static int event_table_failed(struct event_cursor *cursor, const struct error *error) {
    sqlite3_free(cursor->base.pVtab->zErrMsg);
    cursor->base.pVtab->zErrMsg = sqlite3_mprintf("%s", error->message);
    return SQLITE_ERROR;
}

static bool has_row(const struct event_cursor *cursor) {
    const struct decoded_chunk *chunk = &cursor->chunk;

    return cursor->id >= chunk->first && cursor->id <= chunk->last &&
           (cursor->fields & ~chunk->fields) == 0;
}

static bool find_ranges(struct event_cursor *cursor, struct error *error) {
    struct database *database = ((struct event_table *)cursor->base.pVtab)->database;
    size_t capacity = 0;
    struct database_query find = database_query(
        database, error,
        "SELECT id, first_event, last_event, kind IN ('io', 'spans') OR EXISTS (SELECT 1 FROM"
        " main.meaning AS m WHERE m.trace = t.id AND m.\"column\" = 'flags' AND"
        " m.what = 'call') FROM main.trace AS t"
        " WHERE first_event <= ?2 AND last_event >= ?1 ORDER BY first_event",
        "ii", cursor->id, cursor->last);

    cursor->range_count = 0;
    while (database_next(&find)) {
        const int64_t first = sqlite3_column_int64(find.row, 1),
                      last = sqlite3_column_int64(find.row, 2);

        *ARRAY_NEW(cursor->ranges, cursor->range_count, capacity) = (struct trace_range){
            .trace = sqlite3_column_int64(find.row, 0),
            .first = first > cursor->id ? first : cursor->id,
            .last = last < cursor->last ? last : cursor->last,
            .has_flags = sqlite3_column_int(find.row, 3) != 0,
        };
    }
    return database_end(&find);
}

/* Decodes the next chunk that has a row to return. Sets `*some` to whether there is one. */
static bool event_table_read_chunk(struct event_cursor *cursor, bool *some, struct error *error) {
    struct database *database = ((struct event_table *)cursor->base.pVtab)->database;
    struct decoded_chunk *chunk = &cursor->chunk;

    for (*some = false; !*some && cursor->range < cursor->range_count;) {
        const struct trace_range *range = &cursor->ranges[cursor->range];

        if (cursor->reader == NULL &&
            !column_reader_open(&cursor->reader, database, range->trace, range->first, range->last,
                                cursor->fields, error)) {
            return false;
        }
        if (cursor->reader != NULL &&
            !column_reader_next(cursor->reader, &cursor->piece, some, error)) {
            return false;
        }
        if (!*some) {
            column_reader_close(cursor->reader);
            cursor->reader = NULL;
            cursor->range++;
            continue;
        }
        event_columns_free(&chunk->columns);
        *chunk = (struct decoded_chunk){.fields = cursor->fields, .has_flags = range->has_flags};
        event_columns_grow(&chunk->columns, cursor->fields, EVENT_CHUNK);
        /* decoding needs the ids: parents are encoded as differences from them */
        for (size_t i = 0; i < cursor->piece.count; i++) {
            chunk->columns.id[i] = cursor->piece.first + (int64_t)i;
        }
        if (!column_reader_load(cursor->reader, &cursor->piece, error) ||
            !column_chunk_decode(&cursor->piece, 0, &chunk->columns) ||
            !column_chunk_decode(&cursor->piece, cursor->fields, &chunk->columns)) {
            chunk->last = -1;
            return error->message[0] != '\0'
                       ? false
                       : columns_set_damaged_error(database, range->trace, error);
        }
        chunk->first = cursor->piece.first;
        chunk->last = cursor->piece.first + (int64_t)cursor->piece.count - 1;
        cursor->id = cursor->id > chunk->first ? cursor->id : chunk->first;
    }
    return true;
}

/* Moves to the row with id cursor->id, or to the next row after it. */
static int seek_event_row(struct event_cursor *cursor) {
    struct error error = {0};
    bool some = true;

    if (cursor->id <= cursor->last && !has_row(cursor) && cursor->ranges == NULL &&
        !find_ranges(cursor, &error)) {
        return event_table_failed(cursor, &error);
    }
    if (cursor->id <= cursor->last && !has_row(cursor) &&
        !event_table_read_chunk(cursor, &some, &error)) {
        return event_table_failed(cursor, &error);
    }
    cursor->is_over = !some || cursor->id > cursor->last;
    return SQLITE_OK;
}

/* Narrows the cursor's range of ids by a comparison in the statement. */
static void event_table_narrow(struct event_cursor *cursor, char letter, sqlite3_value *value) {
    int64_t id = sqlite3_value_int64(value);

    if (sqlite3_value_type(value) == SQLITE_NULL) {
        cursor->last = 0; /* selects no row: a comparison with NULL is never true */
        return;
    }
    if (sqlite3_value_numeric_type(value) != SQLITE_INTEGER) {
        return; /* does not narrow the range: SQLite itself compares each row with a value that is
                   not an integer */
    }
    if (letter == '=' || letter == 'g' || letter == '>') {
        id += letter == '>' && id < INT64_MAX;
        cursor->id = id > cursor->id ? id : cursor->id;
    }
    id = sqlite3_value_int64(value);
    if (letter == '=' || letter == 'l' || letter == '<') {
        id -= letter == '<' && id > INT64_MIN;
        cursor->last = id < cursor->last ? id : cursor->last;
    }
}

static int event_table_filter(sqlite3_vtab_cursor *base, int fields, const char *letters, int count,
                              sqlite3_value **values) {
    struct event_cursor *cursor = (struct event_cursor *)base;

    stop_reading(cursor);
    cursor->range = 0;
    cursor->fields = (unsigned)fields;
    cursor->id = 1;
    cursor->last = INT64_MAX;
    for (int i = 0; i < count; i++) {
        event_table_narrow(cursor, letters[i], values[i]);
    }
    return seek_event_row(cursor);
}

static int event_table_next(sqlite3_vtab_cursor *base) {
    struct event_cursor *cursor = (struct event_cursor *)base;

    cursor->id++;
    return seek_event_row(cursor);
}

static int is_over(sqlite3_vtab_cursor *base) {
    return ((struct event_cursor *)base)->is_over;
}

static void return_integer(sqlite3_context *context, int64_t value) {
    if (value != EVENT_NONE) {
        sqlite3_result_int64(context, value);
    }
}

#define GIVE_INTEGER(field) return_integer(context, columns->field[at])
#define GIVE_PARENT(field)  return_integer(context, columns->field[at])
#define GIVE_ID(field)                                                                             \
    return_integer(context, columns->field[at] == 0 ? EVENT_NONE : columns->field[at])
#define GIVE_DEPTH(field)                                                                          \
    return_integer(context, columns->field[at] < 0 ? EVENT_NONE : columns->field[at])
#define GIVE_FLAGS(field)                                                                          \
    return_integer(context,                                                                        \
                   columns->field[at] == 0 && !chunk->has_flags ? EVENT_NONE : columns->field[at])
#define GIVE_BYTES(field) (void)0

static int event_table_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
    const struct event_cursor *cursor = (const struct event_cursor *)base;
    const struct decoded_chunk *chunk = &cursor->chunk;
    const struct event_columns *columns = &chunk->columns;
    const size_t at = (size_t)(cursor->id - chunk->first);

    if (number == COLUMN_ID || number == COLUMN_TIME) {
        sqlite3_result_int64(context, number == COLUMN_ID ? cursor->id : columns->time[at]);
        return SQLITE_OK;
    }
    switch ((enum event_place)(number - COLUMN_FIRST_PLACE)) {
#define X(NAME, field, FORM)                                                                       \
    case EVENT_PLACE_##NAME:                                                                       \
        GIVE_##FORM(field);                                                                        \
        break;
        EVENT_COLUMNS(X)
#undef X
    case EVENT_PLACES:
        break;
    }
    return SQLITE_OK;
}

static int event_table_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
    *id = ((struct event_cursor *)base)->id;
    return SQLITE_OK;
}

bool event_table_register(struct database *database) {
    static const sqlite3_module module = {
        .iVersion = 1,
        .xCreate = event_table_connect,
        .xConnect = event_table_connect,
        .xBestIndex = event_table_plan,
        .xDisconnect = event_table_disconnect,
        .xDestroy = event_table_disconnect,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = event_table_filter,
        .xNext = event_table_next,
        .xEof = is_over,
        .xColumn = event_table_column,
        .xRowid = event_table_rowid,
    };

    return sqlite3_create_module(database->handle, "tracetool_event", &module, database) ==
           SQLITE_OK;
}
