#include "carriers.h"

#include <stdlib.h>
#include <string.h>

/* The database was made on 2001-04-10 at 12:00; Palm OS counts from 1904. */
#define SECONDS_1904_TO_1970 2082844800u
#define DEVICE_TIME          (986904000u + SECONDS_1904_TO_1970)

static size_t call_length(const Call *call) {
    return CALL_HEADER + (size_t)call->size;
}

/* How many calls go into the record that begins with call number first. */
static size_t calls_that_fit(const Log *log, const Packing *packing, size_t first) {
    size_t used = 2;
    size_t count = 0;
    while (first + count < log->count) {
        used += call_length(&log->calls[first + count]);
        if (used > packing->capacity) {
            break;
        }
        count++;
        if (count == packing->calls_per_record) {
            break;
        }
    }
    require(count > 0, "a call is larger than a record");
    return count;
}

/* Which calls each record holds: a plan, without offsets yet. */
static void plan_record(Image *image, size_t calls) {
    require(image->record_count < MAX_RECORDS, "too many records");
    image->first_calls[image->record_count + 1] = image->first_calls[image->record_count] + calls;
    image->record_count++;
}

static void plan_records(Image *image, const Log *log, const Packing *packing) {
    size_t next = 0;
    while (next < log->count) {
        size_t count = calls_that_fit(log, packing, next);
        if (packing->empty_records) {
            plan_record(image, 0);
        }
        plan_record(image, count);
        next += count;
    }
    if (packing->empty_records) {
        plan_record(image, 0);
    }
}

/* Fills up to end with what an earlier round of the logger left there: whole
 * calls, the last one overwritten in its middle. They must never be read.
 */
static void append_stale(Buffer *out, size_t end, Random *random) {
    uint32_t tick = random_between(random, 100, 60000);
    Log stale = {0};
    while (out->length < end) {
        const Trap *trap = &popular_traps[random_below(random, 60)];
        tick += random_below(random, 3);
        log_add_random(&stale, trap, tick, 0x00013579, random);
        append_call(out, &stale, &stale.calls[stale.count - 1]);
    }
    out->length = end;
    log_free(&stale);
}

static void append_record(Image *image, size_t record, const Log *log, const Packing *packing,
                          Random *random) {
    size_t start = image->file.length;
    image->records[record] = start;
    buffer_u16(&image->file, 0);
    for (size_t i = image->first_calls[record]; i < image->first_calls[record + 1]; i++) {
        image->calls[i] = image->file.length;
        append_call(&image->file, log, &log->calls[i]);
    }
    set_u16(image->file.bytes + start, (unsigned)(image->file.length - start));
    if (packing->record_size) {
        require(image->file.length <= start + packing->record_size, "a record is too small");
        append_stale(&image->file, start + packing->record_size, random);
    }
}

/* Header and directory; the entries' offsets are filled in later. */
static void append_pdb_header(Image *image) {
    Buffer *file = &image->file;
    char name[32] = "ProjDB";
    buffer_append(file, name, sizeof name);
    buffer_u16(file, 0x0008); /* attributes: backup */
    buffer_u16(file, 1);      /* version */
    buffer_u32(file, DEVICE_TIME);
    buffer_u32(file, DEVICE_TIME + 7200);
    buffer_u32(file, DEVICE_TIME + 9000);
    buffer_u32(file, (uint32_t)image->record_count); /* modification number */
    buffer_u32(file, 0);                             /* no appInfo */
    buffer_u32(file, 0);                             /* no sortInfo */
    buffer_text(file, "DataProj");
    buffer_u32(file, 0x00A1B000); /* seed of the unique IDs */
    buffer_u32(file, 0);
    buffer_u16(file, (unsigned)image->record_count);
    for (size_t i = 0; i < image->record_count; i++) {
        buffer_u32(file, 0);
        buffer_u32(file, 0x40A1B001 + (uint32_t)i); /* dirty, and a unique ID */
    }
    buffer_u16(file, 0); /* filler */
}

Image build_image(const Log *log, const Packing *packing) {
    Image image = {.calls = NULL};
    Random random = {UINT64_C(0x5374616C65)};
    image.calls = allocate(log->count, sizeof *image.calls);
    plan_records(&image, log, packing);
    if (packing->carrier == PDB) {
        append_pdb_header(&image);
    }
    for (size_t i = 0; i < image.record_count; i++) {
        append_record(&image, i, log, packing, &random);
        if (packing->carrier == PDB) {
            set_u32(image.file.bytes + PDB_HEADER + PDB_ENTRY * i, (uint32_t)image.records[i]);
        }
    }
    return image;
}

void image_free(Image *image) {
    free(image->calls);
    buffer_free(&image->file);
}

static void append_hex(Buffer *out, const uint8_t *bytes, size_t length, int upper) {
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    buffer_reserve(out, 2 * length);
    for (size_t i = 0; i < length; i++) {
        buffer_u8(out, (unsigned char)digits[bytes[i] >> 4]);
        buffer_u8(out, (unsigned char)digits[bytes[i] & 15]);
    }
}

/* form: 0 as in the full-size logs, 1 without 0x, 2 with the name. */
static void append_line(Buffer *out, const Log *log, const Call *call, unsigned form) {
    const char *gap = form == 2 ? "\t" : form == 1 ? "  " : " ";
    if (form == 2 && trap_name_is_unique(call->trap)) {
        buffer_text(out, trap_name(call->trap).text);
    } else {
        buffer_printf(out, form == 1 ? "%04X" : "0x%04X", call->trap);
    }
    buffer_printf(out, form == 1 ? "%s%u%s%x%s%u" : "%s%u%s0x%08x%s%u", gap, (unsigned)call->tick,
                  gap, (unsigned)call->application, gap, call->size);
    if (call->size) {
        buffer_text(out, gap);
        append_hex(out, call_arguments(log, call), call->size, form == 1);
    }
}

void write_text(Buffer *out, const Log *log, int mixed) {
    buffer_text(out, "# Palmist log: trap, ticks, application ID, argument size, arguments\n");
    for (size_t i = 0; i < log->count; i++) {
        append_line(out, log, &log->calls[i], mixed ? (unsigned)(i % 3) : 0);
        if (mixed && i % 11 == 5) {
            buffer_text(out, " # a comment behind a call");
        }
        buffer_text(out, "\n");
        if (mixed && i % 13 == 7) {
            buffer_text(out, "\n  # a comment of its own, after an empty line\n");
        }
    }
}

void write_log(Buffer *out, const Log *log, Carrier carrier) {
    Packing packing = {.carrier = carrier, .capacity = CONDUIT_RECORD};
    Image image;
    if (carrier == TEXT) {
        write_text(out, log, 0);
        return;
    }
    if (carrier != RAW) {
        packing.record_size = CONDUIT_RECORD;
    }
    image = build_image(log, &packing);
    buffer_append(out, image.file.bytes, image.file.length);
    image_free(&image);
}
