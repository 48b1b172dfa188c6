/* Events as columns: one array a field, of some thousand events at most, in order of id.
 *
 * Whoever passes over events gets them so, wherever they come from: from the pages of the database,
 * from SQLite, or from columns that are kept as such. Arrays of fields that were not asked for are
 * NULL; id and time are always there.
 */
#ifndef TRACETOOL_EVENT_COLUMNS_H
#define TRACETOOL_EVENT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

/* Element i of every array belongs to event i; units and what stands for nothing are those of
 * struct event. In `parent` is the id of the calling event. The arrays are owned, but the argument
 * bytes are borrowed, for as long as a visitor is called with them. */
struct event_columns {
    int64_t *id, *time;
#define X(NAME, field, FORM) EVENT_TYPE_##FORM *(field);
    EVENT_COLUMNS(X)
#undef X
    int64_t *cpu_duration, *cpu_self;
    uint32_t *arguments_size;
};

/* How the values of a column are kept: FORM of columns.h. */
enum event_form {
    EVENT_FORM_INTEGER,
    EVENT_FORM_PARENT = EVENT_FORM_INTEGER,
    EVENT_FORM_ID,
    EVENT_FORM_FLAGS = EVENT_FORM_ID,
    EVENT_FORM_DEPTH,
    EVENT_FORM_BYTES,
};

/* Puts a value, EVENT_NONE for none, where element `at` of a column's array is; none of bytes. */
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

/* The array of a field (one bit of enum event_column, 0: time) among the columns. EVENT_CPU and
 * EVENT_ARGUMENTS are two each: this is the first. */
void **event_columns_array(struct event_columns *columns, unsigned field);

/* Makes room for `capacity` events in the arrays of `fields` (bit set of enum event_column), id and
 * time; what the first of them hold stays. Columns that are zeroed have no room. The
 * caller frees the arrays. */
void event_columns_grow(struct event_columns *columns, unsigned fields, size_t capacity);
void event_columns_free(struct event_columns *columns);

/* Puts `count` events into the arrays that there are, but those of argument bytes. The first one
 * has the serial number `first`; 0 is that of the event with the id `first_row`. */
void event_columns_fill(struct event_columns *columns, const struct event *events, size_t count,
                        int64_t first, int64_t first_row);

/* Moves the `count` events at the places `from`, which ascend and are not before `to`, to the
 * places from `to` on. */
void event_columns_move(struct event_columns *columns, size_t to, const uint32_t *from,
                        size_t count);

/* Puts event `i` into `event`, as far as there are columns: the other fields stay. */
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
