#include "model/event_columns.h"

#include <stdlib.h>
#include <string.h>

/* Where the arrays are, and how large an element is. */
static const struct {
    unsigned field; /* of enum event_column; 0: always there */
    unsigned char size;
    size_t offset;
} arrays[] = {
    {0, sizeof(int64_t), offsetof(struct event_columns, time)},
    {0, sizeof(int64_t), offsetof(struct event_columns, id)},
    {EVENT_DURATION, sizeof(int64_t), offsetof(struct event_columns, duration)},
    {EVENT_SELF, sizeof(int64_t), offsetof(struct event_columns, self)},
    {EVENT_CPU, sizeof(int64_t), offsetof(struct event_columns, cpu_duration)},
    {EVENT_CPU, sizeof(int64_t), offsetof(struct event_columns, cpu_self)},
    {EVENT_ADDRESS, sizeof(int64_t), offsetof(struct event_columns, address)},
    {EVENT_SIZE, sizeof(int64_t), offsetof(struct event_columns, size)},
    {EVENT_VALUE, sizeof(int64_t), offsetof(struct event_columns, value)},
    {EVENT_PARENT, sizeof(int64_t), offsetof(struct event_columns, parent)},
    {EVENT_OPERATION, sizeof(uint32_t), offsetof(struct event_columns, operation)},
    {EVENT_ACTOR, sizeof(uint32_t), offsetof(struct event_columns, actor)},
    {EVENT_OBJECT, sizeof(uint32_t), offsetof(struct event_columns, object)},
    {EVENT_FLAGS, sizeof(uint32_t), offsetof(struct event_columns, flags)},
    {EVENT_DEPTH, sizeof(int32_t), offsetof(struct event_columns, depth)},
    {EVENT_ARGUMENTS, sizeof(const uint8_t *), offsetof(struct event_columns, arguments)},
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

enum event_form event_columns_form(unsigned field) {
    const unsigned ids = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS;

    return field == EVENT_DEPTH ? EVENT_AS_DEPTH : field & ids ? EVENT_AS_ID : EVENT_AS_INTEGER;
}

bool event_columns_grow(struct event_columns *columns, unsigned fields, size_t capacity) {
    for (size_t i = 0; i < ARRAYS; i++) {
        void **array = array_at(columns, i);
        void *grown;

        if (arrays[i].field != 0 && (fields & arrays[i].field) == 0) {
            continue;
        }
        grown = realloc(*array, capacity * arrays[i].size);
        if (grown == NULL) {
            return false;
        }
        *array = grown;
    }
    return true;
}

void event_columns_free(struct event_columns *columns) {
    for (size_t i = 0; i < ARRAYS; i++) {
        free(*array_at(columns, i));
    }
    *columns = (struct event_columns){0};
}

/* Elements of 8 or of 4 bytes, whatever they stand for: the size is a constant to the compiler. */
static void move_wide(char *array, size_t to, const uint32_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        memmove(array + 8 * (to + i), array + 8 * (size_t)from[i], 8);
    }
}

static void move_narrow(char *array, size_t to, const uint32_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        memmove(array + 4 * (to + i), array + 4 * (size_t)from[i], 4);
    }
}

void event_columns_move(struct event_columns *columns, size_t to, const uint32_t *from,
                        size_t count) {
    for (size_t i = 0; i < ARRAYS; i++) {
        void *array = *array_at(columns, i);

        if (array != NULL && arrays[i].size == 8) {
            move_wide(array, to, from, count);
        } else if (array != NULL) {
            move_narrow(array, to, from, count);
        }
    }
}
