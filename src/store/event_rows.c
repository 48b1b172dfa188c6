#include "store/event_rows.h"

#include <stdio.h>

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
