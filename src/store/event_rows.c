#include "store/event_rows.h"

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

void event_rows_take(sqlite3_stmt *select, struct event_columns *columns, size_t at) {
    columns->id[at] = sqlite3_column_int64(select, 0);
    columns->time[at] = sqlite3_column_int64(select, 1);
    for (int place = 0; place < EVENT_PLACES; place++) {
        void *array = *event_columns_array(columns, 1u << place);

        if (array != NULL) {
            event_columns_put(array, forms[place], at,
                              database_column_optional(select, FIRST_COLUMN + place));
        }
    }
    if (columns->cpu_duration != NULL) {
        columns->cpu_duration[at] = database_column_optional(select, CPU_COLUMN);
        columns->cpu_self[at] = database_column_optional(select, CPU_COLUMN + 1);
    }
    if (columns->arguments != NULL) {
        const int column = FIRST_COLUMN + EVENT_PLACE_ARGUMENTS;

        columns->arguments[at] = sqlite3_column_blob(select, column);
        columns->arguments_size[at] = (uint32_t)sqlite3_column_bytes(select, column);
    }
}
