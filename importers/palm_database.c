#include "palm_database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/bytes.h"
#include "base/memory.h"

static bool is_printable(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < 0x20 || bytes[i] == 0x7F) {
            return false;
        }
    }
    return true;
}

bool palm_database_has_type(const uint8_t *header, const char *type, const char *creator) {
    return memcmp(header + 60, type, 4) == 0 && memcmp(header + 64, creator, 4) == 0;
}

bool palm_database_sniff(const uint8_t *bytes, size_t length, bool whole) {
    size_t name_length, entries;
    uint32_t first;

    if (length < PALM_HEADER_SIZE) {
        return false;
    }
    name_length = strnlen((const char *)bytes, 32);
    if (name_length == 0 || name_length == 32 || !is_printable(bytes, name_length) ||
        !is_printable(bytes + 60, 8) || bytes_u32_big(bytes + 72) != 0) {
        return false;
    }
    entries = (size_t)bytes_u16_big(bytes + 76) *
              (bytes_u16_big(bytes + 32) & PALM_ATTRIBUTE_RESOURCES ? PALM_RESOURCE_ENTRY_SIZE
                                                                    : PALM_ENTRY_SIZE);
    if (entries == 0 || length < PALM_HEADER_SIZE + 4 || bytes_u16_big(bytes + 32) & 1) {
        return true;
    }
    first = bytes_u32_big(bytes + PALM_HEADER_SIZE);
    return first >= PALM_HEADER_SIZE && (!whole || first <= length);
}

static void copy_escaped(char *to, size_t capacity, const uint8_t *bytes, size_t length) {
    struct text text = {0};

    text_append_escaped(&text, (const char *)bytes, length);
    snprintf(to, capacity, "%s", text_string(&text));
    text_free(&text);
}

/* Checks the offset of each record. A valid offset is in the file, after the list of records, and
 * not below the last valid offset. It must not exceed the next record's offset, if that is
 * plausible. A wrong offset affects only its own record. */
static void judge_places(struct palm_database *database, int64_t file_size) {
    int64_t earliest = PALM_HEADER_SIZE + (int64_t)PALM_ENTRY_SIZE * database->listed;

    for (uint16_t i = 0; i < database->listed; i++) {
        struct palm_record *record = &database->records[i];
        int64_t next = i + 1 < database->listed ? database->records[i + 1].offset : INT64_MAX;

        record->good = (file_size < 0 || record->offset < file_size) &&
                       record->offset >= earliest && (record->offset <= next || next <= earliest);
        earliest = record->good ? record->offset : earliest;
    }
}

/* Returns the number of entries in the list of records. It is that of the header if the file has
 * room for so many. Otherwise the list ends where the first record begins. */
static uint16_t plausible_count(const struct palm_database *database, struct reader *reader) {
    int64_t size = reader_size(reader);
    const uint8_t *entry;
    uint32_t first;

    if (size < 0 || PALM_HEADER_SIZE + (int64_t)PALM_ENTRY_SIZE * database->count <= size ||
        !reader_need(reader, PALM_ENTRY_SIZE, &entry)) {
        return database->count;
    }
    first = bytes_u32_big(entry);
    return first < PALM_HEADER_SIZE + PALM_ENTRY_SIZE || first > size
               ? database->count
               : (uint16_t)((first - PALM_HEADER_SIZE) / PALM_ENTRY_SIZE);
}

bool palm_database_read(struct palm_database *database, struct reader *reader,
                        struct error *error) {
    const uint8_t *header;

    *database = (struct palm_database){0};
    if (!reader_need(reader, PALM_HEADER_SIZE, &header)) {
        return error_set(error, "the header of the Palm database is cut short");
    }
    copy_escaped(database->name, sizeof database->name, header, strnlen((const char *)header, 32));
    copy_escaped(database->type, sizeof database->type, header + 60, 4);
    copy_escaped(database->creator, sizeof database->creator, header + 64, 4);
    database->count = bytes_u16_big(header + 76);
    database->resources = (bytes_u16_big(header + 32) & PALM_ATTRIBUTE_RESOURCES) != 0;
    if (bytes_u32_big(header + 72) != 0) {
        return error_set(error, "the Palm database has a chained record list, which nothing writes "
                                "to a file: it is damaged");
    }
    reader_take(reader, PALM_HEADER_SIZE);
    if (!database->resources) {
        uint16_t count = plausible_count(database, reader);

        database->records = xcalloc((size_t)count + 1, sizeof *database->records);
        while (database->listed < count) {
            const uint8_t *entry;

            if (!reader_need(reader, PALM_ENTRY_SIZE, &entry)) {
                break;
            }
            database->records[database->listed++].offset = bytes_u32_big(entry);
            reader_take(reader, PALM_ENTRY_SIZE);
        }
        judge_places(database, reader_size(reader));
    }
    return true;
}

void palm_database_free(struct palm_database *database) {
    free(database->records);
    *database = (struct palm_database){0};
}

int64_t palm_database_record_end(const struct palm_database *database, uint16_t index,
                                 const struct reader *reader) {
    int64_t size = reader_size(reader);

    for (unsigned i = index + 1u; i < database->listed; i++) {
        if (database->records[i].good) {
            return database->records[i].offset;
        }
    }
    return size < 0 ? INT64_MAX : size;
}
