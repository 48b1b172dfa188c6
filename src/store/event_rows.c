#include "store/event_rows.h"

#include <stdio.h>

#include "store/column_reader.h"

/* How the columns behind id and time are kept, in the order in which they are selected. */
static const enum event_form forms[EVENT_PLACES] = {
#define X(NAME, field, FORM) [EVENT_PLACE_##NAME] = EVENT_FORM_##FORM,
    EVENT_COLUMNS(X)
#undef X
};
enum { FIRST_COLUMN = 2, CPU_COLUMN = FIRST_COLUMN + EVENT_PLACES };

void event_rows_select(struct text *sql, unsigned fields) {
    text_append_string(sql, "SELECT e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (place == EVENT_PLACE_ARGUMENTS && (fields & EVENT_ARGUMENTS) == 0) {
            text_append_string(sql, ", NULL");
        } else {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
    text_append_string(sql, fields & EVENT_CPU ? ", c.duration, c.self" : ", NULL, NULL");
}

/* For the event's id. */
#define NOT_WHOLE                                                                                  \
    "event %lld has something else than a whole number where one belongs; `tracetool check` says " \
    "which traces are damaged"

static bool is_whole(int type) {
    return type == SQLITE_INTEGER || type == SQLITE_NULL;
}

bool event_rows_take(struct database *database, sqlite3_stmt *select, struct event_columns *columns,
                     size_t at, struct error *error) {
    bool whole = is_whole(sqlite3_column_type(select, 1));

    columns->id[at] = sqlite3_column_int64(select, 0);
    columns->time[at] = sqlite3_column_int64(select, 1);
    for (int place = 0; place < EVENT_PLACES; place++) {
        void *array = *event_columns_array(columns, 1u << place);

        whole = whole && (place == EVENT_PLACE_ARGUMENTS ||
                          is_whole(sqlite3_column_type(select, FIRST_COLUMN + place)));
        if (array != NULL) {
            event_columns_put(array, forms[place], at,
                              database_column_optional(select, FIRST_COLUMN + place));
        }
    }
    if (columns->cpu_duration != NULL) {
        whole = whole && is_whole(sqlite3_column_type(select, CPU_COLUMN)) &&
                is_whole(sqlite3_column_type(select, CPU_COLUMN + 1));
        columns->cpu_duration[at] = database_column_optional(select, CPU_COLUMN);
        columns->cpu_self[at] = database_column_optional(select, CPU_COLUMN + 1);
    }
    if (columns->arguments != NULL) {
        const int column = FIRST_COLUMN + EVENT_PLACE_ARGUMENTS;

        columns->arguments[at] = sqlite3_column_blob(select, column);
        columns->arguments_size[at] = (uint32_t)sqlite3_column_bytes(select, column);
    }
    return whole || error_set(error, "%s: " NOT_WHOLE, database->path, (long long)columns->id[at]);
}

void event_rows_select_only(struct text *sql, unsigned fields) {
    text_append_string(sql, "SELECT e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (fields >> place & 1) {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
}

bool event_rows_take_only(struct database *database, sqlite3_stmt *select, unsigned fields,
                          struct event_columns *columns, size_t at, struct error *error) {
    bool whole = is_whole(sqlite3_column_type(select, 1));
    int column = FIRST_COLUMN;

    columns->id[at] = sqlite3_column_int64(select, 0);
    columns->time[at] = sqlite3_column_int64(select, 1);
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (fields >> place & 1) {
            whole = whole && is_whole(sqlite3_column_type(select, column));
            event_columns_put(*event_columns_array(columns, 1u << place), forms[place], at,
                              database_column_optional(select, column++));
        }
    }
    return whole || error_set(error, "%s: " NOT_WHOLE, database->path, (long long)columns->id[at]);
}

void event_rows_append_condition(struct text *sql) {
    text_append_string(sql, "event_is_whole(e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (place != EVENT_PLACE_ARGUMENTS) {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
    text_append_string(sql, ")");
}

static void event_is_whole(sqlite3_context *context, int count, sqlite3_value **values) {
    char message[256];

    for (int i = 1; i < count; i++) {
        if (!is_whole(sqlite3_value_type(values[i]))) {
            snprintf(message, sizeof message, NOT_WHOLE, (long long)sqlite3_value_int64(values[0]));
            sqlite3_result_error(context, message, -1);
            return;
        }
    }
    sqlite3_result_int(context, 1);
}

bool event_rows_register(sqlite3 *handle) {
    return sqlite3_create_function(handle, "event_is_whole", -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                                   NULL, event_is_whole, NULL, NULL) == SQLITE_OK;
}

/* --- the pass ------------------------------------------------------------------------------------
 */

static sqlite3_stmt *prepare_select(const struct event_pass *pass, struct error *error) {
    struct text sql = {0};
    sqlite3_stmt *select;

    event_rows_select_only(&sql, pass->fields);
    text_append_string(&sql, " FROM main.event AS e WHERE e.id BETWEEN ?1 AND ?2 ORDER BY e.id");
    select = database_take(pass->database, text_string(&sql), error);
    text_free(&sql);
    if (select != NULL) {
        sqlite3_bind_int64(select, 1, pass->range.first);
        sqlite3_bind_int64(select, 2, pass->range.last);
    }
    return select;
}

static bool pass_over_rows(const struct event_pass *pass, struct event_columns *columns,
                           void *context, struct error *error) {
    sqlite3_stmt *select = prepare_select(pass, error);
    bool row = true, done = select != NULL;

    while (done && row) {
        size_t count = 0;

        while (done && row && count < EVENT_CHUNK) {
            done = database_step(pass->database, select, &row, error) &&
                   (!row || event_rows_take_only(pass->database, select, pass->fields, columns,
                                                 count++, error));
        }
        done = done && (count == 0 || pass->visit(context, columns, count, error));
    }
    database_keep(pass->database, select);
    return done;
}

static bool decode(const struct event_pass *pass, const struct column_piece *piece,
                   struct event_columns *columns, struct error *error) {
    for (size_t i = 0; i < piece->count && !pass->untimed; i++) {
        columns->id[i] = piece->first + (int64_t)i;
    }
    return ((pass->untimed || column_piece_decode(piece, 0, columns)) &&
            column_piece_decode(piece, pass->fields, columns)) ||
           columns_damaged(pass->database, pass->range.trace, error);
}

static bool pass_over_columns(const struct event_pass *pass, struct column_reader *reader,
                              struct event_columns *columns, void *context, struct error *error) {
    struct column_piece piece = {0};
    bool some = true, done = true;

    while (done && some) {
        done = column_reader_next(reader, &piece, &some, error) &&
               (!some || (column_reader_load(reader, &piece, error) &&
                          decode(pass, &piece, columns, error) &&
                          pass->visit(context, columns, piece.count, error)));
    }
    column_piece_free(&piece);
    return done;
}

bool event_pass_run(const struct event_pass *pass, void *context, struct error *error) {
    const struct column_range *range = &pass->range;
    struct column_reader *reader = NULL;
    struct event_columns columns = {0};
    bool done;

    if (range->last < range->first) {
        return true;
    }
    event_columns_grow(&columns, pass->fields, EVENT_CHUNK);
    done = (pass->of_rows || column_reader_open(&reader, pass->database, range->trace, range->first,
                                                range->last, pass->fields, error)) &&
           (reader != NULL ? pass_over_columns(pass, reader, &columns, context, error)
                           : pass_over_rows(pass, &columns, context, error));
    column_reader_close(reader);
    event_columns_free(&columns);
    return done;
}
