#include "blktrace_record.h"

#include "base/time_unit.h"
#include "block_request.h"
#include "input/bytes.h"

enum {
    NEWEST_NUMBER = 31, /* highest version accepted; a larger byte may be a text character */
    SHORT_HEADER = 48,  /* bytes of a record's header in version 7 */
};

static const char cut_off[] = "cut off: the record ends with the file";
static const char bad_time[] = "time beyond 63 years";
static const char bad_sector[] = "sector out of range";
static const char bad_length[] = "longer than 8 GiB";
static const char bad_cgroup[] = "no room for the cgroup that the flags announce";

size_t blktrace_header_size(const struct blktrace_form *form) {
    return form->version == BLKTRACE_OLDEST ? SHORT_HEADER : BLKTRACE_HEADER;
}

bool blktrace_is_magic(const uint8_t *bytes, struct blktrace_form *form) {
    uint32_t big = bytes_u32_big(bytes), little = bytes_u32_little(bytes);

    form->big = (big & ~UINT32_C(0xFF)) == BLKTRACE_MAGIC;
    form->version = (form->big ? big : little) & 0xFF;
    return (form->big || (little & ~UINT32_C(0xFF)) == BLKTRACE_MAGIC) && form->version > 0 &&
           form->version <= NEWEST_NUMBER;
}

/* Returns the offset of a field: `in_short` in version 7, `in_long` in version 8. */
static size_t blktrace_record_place_of(const struct blktrace_form *form, size_t in_short,
                                       size_t in_long) {
    return form->version == BLKTRACE_OLDEST ? in_short : in_long;
}

size_t blktrace_size(const uint8_t *bytes, const struct blktrace_form *form) {
    if (bytes_u32(bytes, form->big) != BLKTRACE_MAGIC + form->version ||
        bytes_u32(bytes + blktrace_record_place_of(form, 40, 44), form->big) >= BLKTRACE_CPUS) {
        return 0;
    }
    return blktrace_header_size(form) +
           bytes_u16(bytes + blktrace_record_place_of(form, 46, 50), form->big);
}

/* Removes the cgroup id before the payload; it is not used. */
static bool strip_cgroup(struct blktrace_record *record) {
    if ((record->action & BLKTRACE_HAS_CGROUP) == 0) {
        return true;
    }
    if (record->payload_length < BLKTRACE_CGROUP) {
        return false;
    }
    record->action &= ~(uint64_t)BLKTRACE_HAS_CGROUP;
    record->payload += BLKTRACE_CGROUP;
    record->payload_length -= BLKTRACE_CGROUP;
    return true;
}

const char *blktrace_parse(const uint8_t *bytes, size_t length, const struct blktrace_form *form,
                           struct blktrace_record *record) {
    size_t header = blktrace_header_size(form);

    if (length < header || length < blktrace_size(bytes, form)) {
        return cut_off;
    }
    *record = (struct blktrace_record){
        .sequence = bytes_u32(bytes + 4, form->big),
        .time = bytes_u64(bytes + 8, form->big),
        .sector = bytes_u64(bytes + 16, form->big),
        .bytes = bytes_u32(bytes + 24, form->big),
        .action = form->version == BLKTRACE_OLDEST ? bytes_u32(bytes + 28, form->big)
                                                   : bytes_u64(bytes + 32, form->big),
        .pid = bytes_u32(bytes + blktrace_record_place_of(form, 32, 28), form->big),
        .device = bytes_u32(bytes + blktrace_record_place_of(form, 36, 40), form->big),
        .cpu = bytes_u32(bytes + blktrace_record_place_of(form, 40, 44), form->big),
        .error = bytes_u16(bytes + blktrace_record_place_of(form, 44, 48), form->big),
        .payload = bytes + header,
        .payload_length = length - header,
    };
    if (record->time > (uint64_t)(BLOCK_IO_SECONDS * SECOND)) {
        return bad_time;
    }
    if (record->sector > BLOCK_IO_SECTORS && record->sector != UINT64_MAX) {
        return bad_sector;
    }
    if (record->bytes / SECTOR_SIZE > BLOCK_IO_BLOCKS) {
        return bad_length;
    }
    return strip_cgroup(record) ? NULL : bad_cgroup;
}
