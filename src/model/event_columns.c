#include "model/event_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* For each array in struct event_columns: its column, offset, and bytes per element. */
static const struct {
    unsigned field; /* bit of enum event_column; 0: the array always exists */
    unsigned char size;
    size_t offset;
} arrays[] = {
    {0, sizeof(int64_t), offsetof(struct event_columns, time)},
    {0, sizeof(int64_t), offsetof(struct event_columns, id)},
#define X(NAME, field, FORM)                                                                       \
    {EVENT_##NAME, sizeof(EVENT_TYPE_##FORM), offsetof(struct event_columns, field)},
    EVENT_COLUMNS(X)
#undef X
        {EVENT_CPU, sizeof(int64_t), offsetof(struct event_columns, cpu_duration)},
    {EVENT_CPU, sizeof(int64_t), offsetof(struct event_columns, cpu_self)},
    {EVENT_ARGUMENTS, sizeof(uint32_t), offsetof(struct event_columns, arguments_size)},
};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static void **array_at(struct event_columns *columns, size_t i) {
    return (void **)((char *)columns + arrays[i].offset);
}

void **event_columns_array(struct event_columns *columns, unsigned field) {
    size_t i = 0;

    while (i < ARRAYS - 1 && arrays[i].field != field) {
        i++;
    }
    return array_at(columns, i);
}

void event_columns_grow(struct event_columns *columns, unsigned fields, size_t capacity) {
    for (size_t i = 0; i < ARRAYS; i++) {
        void **array = array_at(columns, i);

        if (arrays[i].field == 0 || (fields & arrays[i].field) != 0) {
            *array = xrealloc(*array, capacity * arrays[i].size);
        }
    }
}

void event_columns_free(struct event_columns *columns) {
    for (size_t i = 0; i < ARRAYS; i++) {
        free(*array_at(columns, i));
    }
    *columns = (struct event_columns){0};
}

#define TAKE_INTEGER(value) (value)
#define TAKE_PARENT(value)  ((value) == EVENT_NONE ? EVENT_NONE : first_row + (value))
#define TAKE_ID(value)      (value)
#define TAKE_FLAGS(value)   (value)
#define TAKE_DEPTH(value)   (value)
#define TAKE_BYTES(value)   (value)

#define FILL(field, value)                                                                         \
    for (size_t i = from; columns->field != NULL && i < end; i++) {                                \
        columns->field[i] = (value);                                                               \
    }

/* Copies some events. CPU times are set only for calls that have a CPU duration. */
static void fill_some(struct event_columns *columns, const struct event *events, size_t from,
                      size_t end, int64_t first, int64_t first_row) {
    FILL(id, first_row + first + (int64_t)i)
    FILL(time, events[i].time)
#define X(NAME, field, FORM) FILL(field, TAKE_##FORM(events[i].field))
    EVENT_COLUMNS(X)
#undef X
    FILL(cpu_duration, events[i].cpu_duration)
    FILL(cpu_self, events[i].cpu_duration == EVENT_NONE ? EVENT_NONE : events[i].cpu_self)
}

/* Copies few events at a time, so that they stay in the processor's cache for all columns. */
void event_columns_fill(struct event_columns *columns, const struct event *events, size_t count,
                        int64_t first, int64_t first_row) {
    enum { AT_ONCE = 128 };

    for (size_t from = 0; from < count; from += AT_ONCE) {
        fill_some(columns, events, from, count - from < AT_ONCE ? count : from + AT_ONCE, first,
                  first_row);
    }
}

#undef FILL

/* Inline, so that `size` is a constant for the compiler. */
static inline void move(char *array, size_t size, size_t to, const uint32_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        memmove(array + (to + i) * size, array + from[i] * size, size);
    }
}

void event_columns_move(struct event_columns *columns, size_t to, const uint32_t *from,
                        size_t count) {
    for (size_t i = 0; i < ARRAYS; i++) {
        void *array = *array_at(columns, i);

        if (array != NULL && arrays[i].size == sizeof(uint64_t)) {
            move(array, sizeof(uint64_t), to, from, count);
        } else if (array != NULL) {
            move(array, sizeof(uint32_t), to, from, count);
        }
    }
}
