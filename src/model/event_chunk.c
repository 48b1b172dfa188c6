#include "model/event_chunk.h"

#include <string.h>

#include "base/hash.h"

/* Fields of a chunk: name, column of `event`, C type, and offset in struct event_columns. */
static const struct {
    const char *name;
    unsigned column;
    enum event_form form;
    size_t offset;
} fields[EVENT_FIELDS] = {
    [EVENT_FIELD_TIME] = {"time", 0, EVENT_FORM_INTEGER, offsetof(struct event_columns, time)},
#define X(NAME, field, FORM)                                                                       \
    [EVENT_FIELD_##                                                                                \
        NAME] = {#field, EVENT_##NAME, EVENT_FORM_##FORM, offsetof(struct event_columns, field)},
    EVENT_COLUMNS(X)
#undef X
        [EVENT_FIELD_CPU_DURATION] = {"cpu_duration", EVENT_CPU, EVENT_FORM_INTEGER,
                                      offsetof(struct event_columns, cpu_duration)},
    [EVENT_FIELD_CPU_SELF] = {"cpu_self", EVENT_CPU, EVENT_FORM_INTEGER,
                              offsetof(struct event_columns, cpu_self)},
};

const char *event_field_name(enum event_field field) {
    return field == EVENT_FIELD_ARGUMENTS ? NULL : fields[field].name;
}

unsigned event_field_column(enum event_field field) {
    return fields[field].column;
}

static uint32_t checksum_of_code(const void *code, size_t size) {
    return (uint32_t)XXH3_64bits(code, size);
}

/* --- encoding the fields of a chunk's events -------------------------------------------------- */

/* By FORM: converts a value to the number to encode, NULL to EVENT_NONE. `own`: the event's id. */
#define NUMBER_INTEGER(value, own) (value)
#define NUMBER_PARENT(value, own)                                                                  \
    ((value) == EVENT_NONE ? EVENT_NONE : (int64_t)((uint64_t)(own) - (uint64_t)(value)))
#define NUMBER_ID(value, own)    ((value) == 0 ? EVENT_NONE : (int64_t)(value))
#define NUMBER_FLAGS(value, own) ((int64_t)(value))
#define NUMBER_DEPTH(value, own) ((value) < 0 ? EVENT_NONE : (int64_t)(value))
#define NUMBER_BYTES(value, own) EVENT_NONE

static void copy_column_values(enum event_field field, const struct event_columns *columns,
                               size_t count, int64_t *values) {
    switch (field) {
    case EVENT_FIELD_TIME:
        memcpy(values, columns->time, count * sizeof *values);
        break;
#define X(NAME, field, FORM)                                                                       \
    case EVENT_FIELD_##NAME:                                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            values[i] = NUMBER_##FORM(columns->field[i], columns->id[i]);                          \
        }                                                                                          \
        break;
        EVENT_COLUMNS(X)
#undef X
    case EVENT_FIELD_CPU_DURATION:
        memcpy(values, columns->cpu_duration, count * sizeof *values);
        break;
    default:
        memcpy(values, columns->cpu_self, count * sizeof *values);
    }
}

/* Encodes the coder's values as a field. If the flags of all events are 0, the field is omitted. */
static void encode_part(struct event_chunk *chunk, struct column_coder *coder,
                        enum event_field field) {
    struct event_chunk_part *part = &chunk->parts[field];

    part->offset = chunk->bytes.length;
    column_encode(&chunk->bytes, coder, chunk->count, field == EVENT_FIELD_TIME, &part->least,
                  &part->most);
    if (field == EVENT_FIELD_FLAGS && part->most == 0) {
        chunk->bytes.length = part->offset;
    }
    part->size = chunk->bytes.length - part->offset;
    part->sum =
        part->size == 0 ? 0 : checksum_of_code(chunk->bytes.bytes + part->offset, part->size);
}

void event_chunk_encode_columns(struct event_chunk *chunk, struct column_coder *coder,
                                const struct event_columns *columns, size_t count,
                                unsigned wanted) {
    text_clear(&chunk->bytes);
    memset(chunk->parts, 0, sizeof chunk->parts);
    chunk->count = count;
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        if (event_field_name((enum event_field)i) != NULL &&
            (fields[i].column == 0 || (fields[i].column & wanted) != 0)) {
            copy_column_values((enum event_field)i, columns, count, coder->values);
            encode_part(chunk, coder, (enum event_field)i);
        }
    }
}

void event_chunk_free(struct event_chunk *chunk) {
    text_free(&chunk->bytes);
    *chunk = (struct event_chunk){0};
}

/* --- decoding the fields of a chunk's events -------------------------------------------------- */

bool event_field_decode(enum event_field field, const struct event_chunk_part *part,
                        const unsigned char *code, struct event_columns *columns, size_t count) {
    void *array = *(void **)((char *)columns + fields[field].offset);
    const enum event_form form = fields[field].form;

    if (code == NULL) {
        for (size_t i = 0; i < count; i++) {
            event_columns_put(array, form, i, EVENT_NONE);
        }
        return true;
    }
    if (checksum_of_code(code, part->size) != part->sum ||
        !column_decode(code, part->size, array, form, count)) {
        return false;
    }
    if (field == EVENT_FIELD_PARENT) {
        /* Parents are encoded as distances from the event's id; this converts them back to ids. */
        for (size_t i = 0; i < count; i++) {
            int64_t distance = columns->parent[i];

            if (distance != EVENT_NONE) {
                columns->parent[i] = (int64_t)((uint64_t)columns->id[i] - (uint64_t)distance);
            }
        }
    }
    return true;
}
