/* Events as columns: one array per field, for up to some thousand events in order of id.
 *
 * All scans of events use this form, whether they come from database pages, SQLite or stored
 * columns. Arrays of fields that were not requested are NULL; id and time always exist.
 */
#ifndef TRACETOOL_EVENT_COLUMNS_H
#define TRACETOOL_EVENT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

/* Element i of every array belongs to event i; units and missing values as in struct event.
 * `parent` is the id of the calling event. The arrays are owned; argument bytes are borrowed for
 * the duration of a visitor's call. */
struct event_columns {
    int64_t *id, *time;
#define X(NAME, field, FORM) EVENT_TYPE_##FORM *(field);
    EVENT_COLUMNS(X)
#undef X
    int64_t *cpu_duration, *cpu_self;
    uint32_t *arguments_size;
};

/* Type of a column's values: FORM in event.h. */
enum event_form {
    EVENT_FORM_INTEGER,
    EVENT_FORM_PARENT = EVENT_FORM_INTEGER,
    EVENT_FORM_ID,
    EVENT_FORM_FLAGS = EVENT_FORM_ID,
    EVENT_FORM_DEPTH,
    EVENT_FORM_BYTES,
};

/* Stores a value (EVENT_NONE: missing) into element `at` of a column's array; ignored for bytes. */
static inline void event_columns_put(void *array, enum event_form form, size_t at, int64_t value) {
    switch (form) {
    case EVENT_FORM_INTEGER:
        ((int64_t *)array)[at] = value;
        break;
    case EVENT_FORM_ID:
        ((uint32_t *)array)[at] = value == EVENT_NONE ? 0 : (uint32_t)value;
        break;
    case EVENT_FORM_DEPTH:
        ((int32_t *)array)[at] = value == EVENT_NONE ? -1 : (int32_t)value;
        break;
    case EVENT_FORM_BYTES:
        break;
    }
}

/* Returns the array pointer of a field (one bit of enum event_column, 0: time). EVENT_CPU and
 * EVENT_ARGUMENTS have two arrays; this is the first. */
void **event_columns_array(struct event_columns *columns, unsigned field);

/* Grows the arrays of `fields` (bits of enum event_column), id and time to `capacity` events,
 * keeping their content. Zeroed columns have no room. The caller frees the arrays. */
void event_columns_grow(struct event_columns *columns, unsigned fields, size_t capacity);
void event_columns_free(struct event_columns *columns);

/* Copies `count` events into the existing arrays, except argument bytes. `first` is the serial
 * number of the first event, `first_row` the id of serial number 0. */
void event_columns_fill(struct event_columns *columns, const struct event *events, size_t count,
                        int64_t first, int64_t first_row);

/* Moves the `count` events at the positions `from` to `to` and the following positions. `from`
 * increases and is not below `to`. */
void event_columns_move(struct event_columns *columns, size_t to, const uint32_t *from,
                        size_t count);

/* Copies event `i` from the existing columns; the other fields of `event` stay. */
static inline void event_columns_take(const struct event_columns *columns, size_t i,
                                      struct event *event) {
#define TAKE(field)                                                                                \
    if (columns->field != NULL) {                                                                  \
        event->field = columns->field[i];                                                          \
    }
#define X(NAME, field, FORM) TAKE(field)
    event->time = columns->time[i];
    EVENT_COLUMNS(X)
    TAKE(cpu_duration)
    TAKE(cpu_self)
    TAKE(arguments_size)
#undef X
#undef TAKE
}

#endif
