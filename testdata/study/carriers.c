#include "carriers.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RECORD = 600, HEADER = 10, PNAME = 16, TYPE_IO = 1, TYPE_LIFE_SPAN = 2 };
#define NS_PER_SECOND INT64_C(1000000000)

typedef struct {
    unsigned year, month, day, hour, minute, second;
} Date;

/* Of seconds since 1970 on the wall's clock. Years are counted from March on, so that the leap
 * day is the last one.
 */
static Date date_of(int64_t seconds) {
    unsigned days = (unsigned)(seconds / 86400) + 719468; /* since 0000-03-01 */
    unsigned rest = (unsigned)(seconds % 86400);
    unsigned era = days / 146097;
    unsigned of_era = days % 146097;
    unsigned years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * years + years / 4 - years / 100);
    unsigned month = (5 * of_year + 2) / 153;
    Date date = {.day = of_year - (153 * month + 2) / 5 + 1,
                 .hour = rest / 3600,
                 .minute = rest / 60 % 60,
                 .second = rest % 60};
    date.month = month < 10 ? month + 3 : month - 9;
    date.year = era * 400 + years + (date.month <= 2);
    return date;
}

/* year:4, month:4, day:5, hour:5, minute:6, second:6 from the lowest bit on, then nanoseconds */
static uint8_t *put_time(uint8_t *at, int64_t nanoseconds) {
    int64_t seconds = nanoseconds / NS_PER_SECOND;
    int64_t rest = nanoseconds % NS_PER_SECOND;
    Date date;
    if (rest < 0) {
        rest += NS_PER_SECOND;
        seconds--;
    }
    date = date_of(START_LOCAL + seconds);
    at = put_u32(at, (date.year - 2000) | date.month << 4 | date.day << 8 | date.hour << 13 |
                         date.minute << 18 | date.second << 24);
    return put_u32(at, (uint32_t)rest);
}

static uint8_t *put_name(uint8_t *at, const char *name) {
    size_t length = strlen(name);
    at = put_u8(at, (unsigned)length);
    return put_text(at, name, length);
}

/* The header last, as it holds the length of what follows. */
static size_t end_record(uint8_t *record, const uint8_t *end, unsigned type, int64_t nanoseconds) {
    put_u8(record, type);
    put_u8(record + 1, (unsigned)(end - record - HEADER));
    put_time(record + 2, nanoseconds);
    return (size_t)(end - record);
}

static size_t encode_action(uint8_t *record, const Action *action) {
    const Io *io = &action->io;
    uint8_t *at = record + HEADER;
    unsigned with_transaction = io->transaction != 0;
    at = put_u8(at, io->type);
    at = put_u8(at, (unsigned)!action->completes | (unsigned)io->class << 1 |
                        with_transaction << 3 | (unsigned)io->flush << 5);
    at = put_u8(at, DISK_MAJOR);
    at = put_u8(at, DISK_MINOR);
    at = put_u8(at, io->block);
    at = put_u32(at, io->sector);
    at = put_u32(at, io->blocks);
    at = put_name(at, io->process);
    at = put_name(at, io->file);
    if (with_transaction) {
        at = put_u8(at, 1);     /* file system: ext4 */
        at = put_u8(at, 1 | 4); /* fsync, called by SQLite */
        at = put_u32(at, io->transaction);
        at = put_u8(at, 1);
    }
    return end_record(record, at, TYPE_IO, action->time * 1000);
}

static void next_piece(Carriers *carriers, int64_t second) {
    char path[PATH_SIZE];
    Date date = date_of(START_LOCAL + second);
    if (carriers->uio) {
        close_file(carriers->uio);
    }
    set_path(path, "%s/%02u%02u%02u%02u%02u%02u.uio", carriers->directory, date.year - 2000,
             date.month, date.day, date.hour, date.minute, date.second);
    carriers->uio = open_output(path);
    carriers->uio_second = second;
    carriers->uio_length = 0;
}

/* A name holds only one piece, so a full piece goes on to the end of its second. */
static void write_action(Carriers *carriers, const Action *action) {
    uint8_t record[MAX_RECORD];
    int64_t second = action->time / US_PER_SECOND;
    size_t length = encode_action(record, action);
    if (!carriers->uio ||
        (carriers->uio_length >= carriers->piece && second != carriers->uio_second)) {
        next_piece(carriers, second);
    }
    put_bytes(carriers->uio, record, length);
    carriers->uio_length += length;
    carriers->uio_bytes += length;
}

/* Behind all that are not later. */
static void wait_in_order(Carriers *carriers, int64_t time, int completes, const Io *io) {
    size_t at = carriers->waiting_count;
    carriers->waiting = grow(carriers->waiting, at, &carriers->waiting_capacity, sizeof(Action));
    while (at > 0 && carriers->waiting[at - 1].time > time) {
        at--;
    }
    memmove(carriers->waiting + at + 1, carriers->waiting + at,
            (carriers->waiting_count - at) * sizeof(Action));
    carriers->waiting[at] = (Action){time, completes, *io};
    carriers->waiting_count++;
}

/* Nothing that comes later can be before `time`. */
static void write_until(Carriers *carriers, int64_t time) {
    size_t count = 0;
    while (count < carriers->waiting_count && carriers->waiting[count].time < time) {
        write_action(carriers, &carriers->waiting[count++]);
    }
    if (count) {
        carriers->waiting_count -= count;
        memmove(carriers->waiting, carriers->waiting + count,
                carriers->waiting_count * sizeof(Action));
    }
}

static void write_binary(Carriers *carriers, const Io *io) {
    uint8_t record[64];
    char process[PNAME] = {0};
    uint8_t *at = record;
    size_t length = strlen(io->process);
    require(length < PNAME, "%s is too long a name", io->process);
    memcpy(process, io->process, length);
    at = put_u64(at, (uint64_t)(START_UNIX + io->completed / US_PER_SECOND));
    at = put_u64(at, (uint64_t)(io->completed % US_PER_SECOND));
    at = put_u8(at, io->type);
    at = put_u8(at, io->class);
    at = put_u32(at, io->sector);
    at = put_u32(at, io->blocks);
    at = put_u32(at, io->pid);
    at = put_text(at, process, PNAME);
    put_bytes(carriers->binary, record, (size_t)(at - record));
    carriers->binary_bytes += (uint64_t)(at - record);
}

void open_carriers(Carriers *carriers, const char *directory, unsigned user, size_t piece) {
    char path[PATH_SIZE];
    memset(carriers, 0, sizeof *carriers);
    set_path(carriers->directory, "%s/user%u", directory, user + 1);
    make_new_directory(carriers->directory);
    set_path(path, "%s/user%u.most-binary", directory, user + 1);
    carriers->binary = open_output(path);
    carriers->piece = piece;
    carriers->first_issue = INT64_MAX;
}

void carry(Carriers *carriers, const Io *io) {
    write_binary(carriers, io);
    if (io->issued < carriers->first_issue) {
        carriers->first_issue = io->issued;
    }
    wait_in_order(carriers, io->issued, 0, io);
    wait_in_order(carriers, io->completed, 1, io);
    write_until(carriers, io->completed - MAX_LATENCY);
}

void close_carriers(Carriers *carriers) {
    write_until(carriers, INT64_MAX);
    close_file(carriers->binary);
    if (carriers->uio) {
        close_file(carriers->uio);
    }
    free(carriers->waiting);
}

void put_deletion(FILE *file, const Deletion *deletion) {
    uint8_t record[MAX_RECORD];
    uint8_t *at = put_time(record + HEADER, deletion->created);
    at = put_u8(at, deletion->type);
    at = put_u8(at, DISK_MAJOR);
    at = put_u8(at, DISK_MINOR);
    at = put_u64(at, (uint64_t)deletion->size);
    at = put_name(at, deletion->process);
    at = put_name(at, deletion->name);
    put_bytes(file, record, end_record(record, at, TYPE_LIFE_SPAN, deletion->deleted));
}
