/* Events by column: an array for each field, for up to some thousand events in order of id. All
 * code that reads events gets them in this form, whether they come from a batch, from SQLite rows
 * or from event_column. Arrays of fields that were not requested are NULL; id and time always
 * exist. */
#ifndef TRACETOOL_EVENT_COLUMNS_H
#define TRACETOOL_EVENT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

/* Events by column: element i of each array belongs to event i. Units and NULL values are those of
 * struct event; `parent` is the caller's id. Arrays are owned; the bytes of arguments are borrowed,
 * and valid during a callback only. */
struct event_columns {
    int64_t *id, *time;
#define X(NAME, field, FORM) EVENT_TYPE_##FORM *(field);
    EVENT_COLUMNS(X)
#undef X
    int64_t *cpu_duration, *cpu_self;
    uint32_t *arguments_size;
};

/* C type of a column's values: FORM in event.h. */
enum event_form {
    EVENT_FORM_INTEGER,
    EVENT_FORM_PARENT = EVENT_FORM_INTEGER,
    EVENT_FORM_ID,
    EVENT_FORM_FLAGS = EVENT_FORM_ID,
    EVENT_FORM_DEPTH,
    EVENT_FORM_BYTES,
};

/* Stores a value in element `at` of a column's array; EVENT_NONE is stored as the form's NULL
 * value. Does nothing for bytes. */
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

/* Returns the address of the pointer to a column's array (bit of enum event_column; 0: time).
 * EVENT_CPU and EVENT_ARGUMENTS have two arrays; returns that of the first. */
void **event_columns_array(struct event_columns *columns, unsigned field);

/* Increases the capacity to `capacity` events, for id, time and `fields` (bits of enum
 * event_column); contents remain. Zeroed: no capacity. The caller frees the arrays. */
void event_columns_grow(struct event_columns *columns, unsigned fields, size_t capacity);
void event_columns_free(struct event_columns *columns);

/* Copies `count` events into the arrays, without the bytes of arguments. `first`: serial number of
 * the first event. `first_row`: id of the event with serial number 0. */
void event_columns_fill(struct event_columns *columns, const struct event *events, size_t count,
                        int64_t first, int64_t first_row);

/* Moves the `count` events at indices `from` to successive indices from `to` on. `from` must
 * ascend, and from[i] must be at least to + i. */
void event_columns_move(struct event_columns *columns, size_t to, const uint32_t *from,
                        size_t count);

/* Sets the members of `event` from the arrays that exist, at index `i`; others remain unchanged. */
static inline void event_columns_copy_event(const struct event_columns *columns, size_t i,
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
