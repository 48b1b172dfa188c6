/* Makes the test data of the formats androtrace and most-binary: good and damaged files, and what
 * must be read from them. It shares nothing with tracetool, and gives the same bytes everywhere.
 *
 *     cc -std=c11 -O2 -o generate testdata/androtrace/generate.c
 *     ./generate androtrace testdata/androtrace
 *     ./generate most-binary testdata/most-binary
 *
 * README.md describes the files.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SECOND INT64_C(1000000000)
#define NONE   INT64_MIN

enum { RECORDS = 4096, FILE_LIMIT = 1 << 20, NAME_LIMIT = 256, TYPES = 15 };

static const char *root; /* where everything is written */

/* --- what was played -------------------------------------------------------------------------- */

enum kind { IO = 1, LIFESPAN, SQLITE, SUSPEND };

struct record {
    enum kind kind;
    int64_t time; /* nanoseconds since 2014-01-01 00:00 on the device's clock */
    /* I/O */
    bool issued, discard, flush, ws;
    int rwbs, major, minor, block_type, file_type, sync;
    uint32_t sector, blocks, transaction, pid;
    int64_t latency; /* what a reader must find out; NONE: nothing */
    char first[NAME_LIMIT], second[NAME_LIMIT];
    /* life-span */
    int64_t age; /* NONE: creation not known */
    int64_t size;
    /* SQLite, suspend */
    int id, step;
    uint32_t operation;
};

static struct record records[RECORDS];
static size_t record_count;

static uint32_t seed;

/* Below `limit`. */
static uint32_t dice(uint32_t limit) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * limit >> 24);
}

static struct record *add(enum kind kind, int64_t time) {
    struct record *record = &records[record_count++];

    if (record_count == RECORDS) {
        abort();
    }
    *record = (struct record){.kind = kind, .time = time, .latency = NONE, .age = NONE};
    return record;
}

static const char *const processes[] = {"mmcblk0",  "jbd2/mmcblk0p28", "com.kakao.talk",
                                        "Binder_3", "kworker/u:1",     "0123456789abcdef"};
static const char *const files[] = {
    "",          "talk.db",          "talk.db-journal",   "talk.db-wal", "talk.db-shm",
    "photo.jpg", "libmain.so",       "prefs.xml",         "x.tmp",       "a file with blanks",
    "",          "140426190000.uio", "140426190000.ufls", "140426.um",   "140426.umd"};

/* One request: issued, and completed some milliseconds later. */
static void play_request(int64_t time, uint32_t number) {
    int64_t latency = 200000 + (int64_t)dice(40000000);
    struct record *issue = add(IO, time), *complete;
    int type = (int)dice(TYPES);

    issue->issued = true;
    issue->rwbs = (int)dice(4);
    issue->major = 179;
    issue->minor = 20 + (int)dice(3);
    issue->block_type = (int)dice(5);
    issue->file_type = type;
    issue->sector = 1000 + number * 4096;
    issue->blocks = 8u << dice(7);
    issue->ws = issue->rwbs == 3 && dice(2) == 0;
    issue->sync = issue->ws ? (int)dice(8) : 0;
    issue->transaction = issue->ws ? 4000000000u + number : 0;
    issue->discard = issue->rwbs == 1 && dice(8) == 0;
    issue->flush = issue->rwbs == 3 && dice(4) == 0;
    strcpy(issue->first, processes[dice(6)]);
    strcpy(issue->second, files[type]);
    if (number == 7) {
        /* A body of more than 255 bytes: its size does not fit into the header. */
        memset(issue->second, 'n', 251);
        strcpy(issue->second + 251, ".jpg");
        issue->file_type = 5;
    }
    complete = add(IO, time + latency);
    *complete = *issue;
    complete->issued = false;
    complete->time = time + latency;
    complete->latency = latency;
}

static void play_lifespan(int64_t time) {
    struct record *record = add(LIFESPAN, time);

    record->file_type = 1 + (int)dice(9);
    record->major = 179;
    record->minor = 21;
    record->size = (int64_t)dice(1 << 20) * 4099;
    strcpy(record->first, processes[dice(6)]);
    strcpy(record->second, files[record->file_type]);
    switch (dice(6)) {
    case 0:
        record->age = NONE; /* creation 0 */
        break;
    case 1:
        record->age = -5 * SECOND; /* created after it was deleted, says the file */
        break;
    default:
        record->age = (int64_t)dice(100000) * 12345678;
    }
}

static void play_sqlite(int64_t time) {
    struct record *record = add(SQLITE, time);

    record->id = (int)dice(256) - 128;
    record->operation = dice(1024);
    strcpy(record->first, dice(2) ? "/data/data/com.kakao.talk/databases" : "/data/data/x/");
    strcpy(record->second, files[1 + dice(4)]);
}

/* `hours` hours from 19:00 on, a request or something else every few minutes. */
static void play(int hours, bool everything) {
    int64_t time = 115 * 86400 * SECOND + 19 * 3600 * SECOND + 123456789; /* 2014-04-26 */
    int64_t end = time + hours * 3600 * SECOND;

    for (uint32_t number = 0; time < end; number++) {
        play_request(time, number);
        time += (60 + (int64_t)dice(900)) * SECOND + dice(1000000000);
        if (everything && number % 4 == 1) {
            play_lifespan(time - SECOND / 2);
        }
        if (everything && number % 5 == 2) {
            play_sqlite(time - SECOND / 4);
        }
        if (everything && number % 3 == 1) {
            add(SUSPEND, time - SECOND / 8)->step = 1 + (int)dice(10);
        }
    }
}

/* --- bytes ------------------------------------------------------------------------------------ */

struct file {
    uint8_t bytes[FILE_LIMIT];
    size_t length;
    size_t begins[RECORDS]; /* of records */
    size_t count;
};

static struct file file;

static void put(uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) {
        file.bytes[file.length++] = (uint8_t)(number >> 8 * i);
    }
}

static void put_string(const char *string) {
    put(strlen(string), 1);
    memcpy(file.bytes + file.length, string, strlen(string));
    file.length += strlen(string);
}

struct date {
    int year, month, day, hour, minute, second, nsec;
};

static struct date date_of(int64_t time) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t seconds = time / SECOND;
    int day = (int)(seconds / 86400);
    struct date date = {2014,
                        1,
                        1,
                        (int)(seconds / 3600 % 24),
                        (int)(seconds / 60 % 60),
                        (int)(seconds % 60),
                        (int)(time % SECOND)};

    while (day >= lengths[date.month - 1]) {
        day -= lengths[date.month - 1];
        date.month++;
    }
    date.day += day;
    return date;
}

static void put_date(int64_t time) {
    struct date date = date_of(time);

    put((uint32_t)(date.year - 2000) | (uint32_t)date.month << 4 | (uint32_t)date.day << 8 |
            (uint32_t)date.hour << 13 | (uint32_t)date.minute << 18 | (uint32_t)date.second << 24,
        4);
    put((uint32_t)date.nsec, 4);
}

static void put_io(const struct record *record) {
    put((uint64_t)record->file_type, 1);
    put((uint64_t)(record->issued | record->rwbs << 1 | record->ws << 3 | record->discard << 4 |
                   record->flush << 5),
        1);
    put((uint64_t)record->major, 1);
    put((uint64_t)record->minor, 1);
    put((uint64_t)record->block_type, 1);
    put(record->sector, 4);
    put(record->blocks, 4);
    put_string(record->first);
    put_string(record->second);
    if (record->ws) {
        put(1, 1);
        put((uint64_t)record->sync, 1);
        put(record->transaction, 4);
        put(2, 1);
    }
}

static void put_lifespan(const struct record *record) {
    if (record->age == NONE) {
        put(0, 8);
    } else {
        put_date(record->time - record->age);
    }
    put((uint64_t)record->file_type, 1);
    put((uint64_t)record->major, 1);
    put((uint64_t)record->minor, 1);
    put((uint64_t)record->size, 8);
    put_string(record->first);
    put_string(record->second);
}

enum sizes { SIZE_RIGHT, SIZE_ZERO, SIZE_WRONG };

static void put_record(const struct record *record, enum sizes sizes) {
    size_t begin = file.length;

    file.begins[file.count++] = begin;
    put(record->kind, 1);
    put(0, 1);
    put_date(record->time);
    switch (record->kind) {
    case IO:
        put_io(record);
        break;
    case LIFESPAN:
        put_lifespan(record);
        break;
    case SQLITE:
        put((uint64_t)record->id, 1);
        put(record->operation, 4);
        put_string(record->first);
        put_string(record->second);
        break;
    case SUSPEND:
        put((uint64_t)record->step, 1);
    }
    file.bytes[begin + 1] = (uint8_t)(sizes == SIZE_ZERO    ? 0
                                      : sizes == SIZE_RIGHT ? file.length - begin - 10
                                                            : file.length - begin - 7);
}

static void put_records(size_t from, size_t to, enum sizes sizes) {
    file.length = file.count = 0;
    for (size_t i = from; i < to; i++) {
        put_record(&records[i], sizes);
    }
}

enum encoding { UNIX, YYYYMMDD, YYMMDD };

static void put_binary(enum encoding encoding) {
    file.length = file.count = 0;
    for (size_t i = 0; i < record_count; i++) {
        const struct record *record = &records[i];
        struct date date = date_of(record->time);
        uint64_t decimal = (uint64_t)date.year % (encoding == YYMMDD ? 100 : 10000);
        char name[17] = "";

        decimal = decimal * 100 + (uint64_t)date.month;
        decimal = decimal * 100 + (uint64_t)date.day;
        decimal = decimal * 100 + (uint64_t)date.hour;
        decimal = decimal * 100 + (uint64_t)date.minute;
        decimal = decimal * 100 + (uint64_t)date.second;
        file.begins[file.count++] = file.length;
        put(encoding == UNIX ? 1388534400 + (uint64_t)(record->time / SECOND) : decimal, 8);
        put((uint64_t)date.nsec / 1000, 8);
        put((uint64_t)record->file_type, 1);
        put((uint64_t)record->rwbs, 1);
        put(record->sector, 4);
        put(record->blocks, 4);
        put(record->pid, 4);
        strcpy(name, record->first);
        memcpy(file.bytes + file.length, name, 16);
        file.length += 16;
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static FILE *open_file(const char *format, va_list arguments, const char *suffix) {
    char name[512], path[1200];
    FILE *stream;

    vsnprintf(name, sizeof name, format, arguments);
    snprintf(path, sizeof path, "%s/%s%s", root, name, suffix);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    stream = fopen(path, "wb");
    if (stream == NULL) {
        perror(path);
        exit(1);
    }
    return stream;
}

static void close_file(FILE *stream) {
    if (fclose(stream) != 0) {
        perror("cannot write");
        exit(1);
    }
}

__attribute__((format(printf, 1, 2))) static void write_file(const char *format, ...) {
    va_list arguments;
    FILE *stream;

    va_start(arguments, format);
    stream = open_file(format, arguments, "");
    va_end(arguments);
    fwrite(file.bytes, 1, file.length, stream);
    close_file(stream);
}

/* reason NULL: nothing is rejected. */
static void write_expected(const char *name, size_t events, const char *reason, size_t count,
                           size_t offset, const char *second, size_t second_offset) {
    char path[600];
    FILE *stream;

    snprintf(path, sizeof path, "%s/damaged/%s.expected", root, name);
    stream = fopen(path, "w");
    if (stream == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(stream, "events\t%zu\nrejected\t%zu\n", events, count + (second != NULL));
    fprintf(stream, "reason\t%s\t%zu\t%zu\n", reason, count, offset);
    if (second != NULL) {
        fprintf(stream, "reason\t%s\t1\t%zu\n", second, second_offset);
    }
    close_file(stream);
}

static void write_damaged(const char *name, size_t events, const char *reason, size_t offset) {
    write_file("damaged/%s", name);
    write_expected(name, events, reason, 1, offset, NULL, 0);
}

/* --- what a reader must find ------------------------------------------------------------------ */

static const char *const type_names[TYPES] = {
    "other",      "sqlite-db",  "sqlite-journal", "sqlite-wal", "sqlite-temp",
    "multimedia", "executable", "resource",       "temp",       "other",
    "anonymous",  "tracer",     "tracer",         "tracer",     "tracer"};
static const char *const block_names[] = {"metadata", "journal", "data", "anonymous", "none"};
static const char *const steps[] = {"",
                                    "PM_SUSPEND_ON",
                                    "PM_SUSPEND_MEM",
                                    "SUSPEND_ROUTINE_START",
                                    "SUSPEND_ROUTINE_END",
                                    "SYNCING_FS",
                                    "SYNCING_DONE",
                                    "SUSPEND_FAILED",
                                    "SUSPEND_ENTER",
                                    "WAKEUP",
                                    "SUSPEND_FAILED_FREEZE"};
/* read, readsync, write, writesync */
static const int class_of[] = {0, 2, 1, 3};

static FILE *open_expected(const char *folder, ...) {
    va_list arguments;
    FILE *stream;

    va_start(arguments, folder);
    stream = open_file(folder, arguments, "");
    va_end(arguments);
    return stream;
}

/* Carries no data: a flush of its own, or a write of no length. */
static bool is_flush(const struct record *record) {
    return record->blocks == 0 && !record->discard && (record->flush || record->rwbs % 2 == 1);
}

static void number(FILE *stream, int64_t value) {
    if (value != NONE) {
        fprintf(stream, "%" PRId64, value);
    }
    fputc('\t', stream);
}

/* The bits of event.flags: class, block type, flush, discard, fsync, fdatasync, sqlite, and the
 * letters W and S of a flush. */
static int64_t flags_of(const struct record *record, bool binary) {
    static const int block_bits[] = {3, 2, 1, 4, 0};

    if (record->kind != IO) {
        return 0;
    }
    return (is_flush(record)  ? 5 | record->rwbs % 2 << 15 | record->rwbs / 2 << 16
            : record->discard ? 4
                              : class_of[record->rwbs]) |
           (binary ? 0 : block_bits[record->block_type]) << 3 | record->flush << 6 |
           record->discard << 8 | record->sync << 12;
}

static const char *sqlite_type(const char *name) {
    for (int i = 1; i < 5; i++) {
        if (strcmp(name, files[i]) == 0) {
            return type_names[i];
        }
    }
    abort();
}

/* time kind text flags address size duration value process file type device */
static void write_event(FILE *stream, const struct record *record, bool binary, int64_t origin) {
    bool io = record->kind == IO;
    char text[32] = "delete";

    number(stream, record->time - origin);
    if (io) {
        strcpy(text, record->issued ? "D" : "C");
    } else if (record->kind == SQLITE) {
        snprintf(text, sizeof text, "sqlite-%u", record->operation >> 6 & 15);
    } else if (record->kind == SUSPEND) {
        strcpy(text, steps[record->step]);
    }
    fprintf(stream, "%s\t%s\t",
            io                         ? "action"
            : record->kind == LIFESPAN ? "lifespan"
            : record->kind == SQLITE   ? "sqlite"
                                       : "suspend",
            text);
    number(stream, flags_of(record, binary));
    number(stream, io ? record->sector : NONE);
    number(stream, io                         ? (int64_t)record->blocks * 512
                   : record->kind == LIFESPAN ? record->size
                                              : NONE);
    number(stream, io ? record->latency : record->age < 0 ? NONE : record->age);
    number(stream, io && record->ws         ? (int64_t)record->transaction
                   : record->kind == SQLITE ? (int64_t)record->operation
                                            : NONE);
    number(stream, binary ? (int64_t)record->pid : record->kind == SQLITE ? record->id : NONE);
    fprintf(stream, "%s\t", io || record->kind == LIFESPAN ? record->first : "");
    if (record->kind == SQLITE) {
        bool slash = record->first[strlen(record->first) - 1] == '/';

        fprintf(stream, "%s%s%s\t%s\t\n", record->first, slash ? "" : "/", record->second,
                sqlite_type(record->second));
    } else if (record->kind == SUSPEND) {
        fprintf(stream, "\t\t\n");
    } else {
        fprintf(stream, "%s\t%s\t", binary ? "" : record->second, type_names[record->file_type]);
        if (!binary) {
            fprintf(stream, "%d", record->major << 20 | record->minor);
        }
        fputc('\n', stream);
    }
}

/* In order of time; the order of equal times is that of the file. */
static void write_events(const char *folder, bool binary, size_t from, size_t to) {
    FILE *stream = open_expected("expected/%s/events.tsv", folder);
    static size_t order[RECORDS];

    for (size_t i = from; i < to; i++) {
        size_t at = i;

        while (at > from && records[order[at - 1]].time > records[i].time) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    for (size_t i = from; i < to; i++) {
        write_event(stream, &records[order[i]], binary, records[from].time);
    }
    close_file(stream);
}

/* Read, readsync, write, writesync, flush, other. */
enum { SHOWN = 6 };

static int shown_class(const struct record *record) {
    return is_flush(record) ? 4 : record->discard ? 5 : class_of[record->rwbs];
}

struct count {
    const char *name;
    int64_t classes[SHOWN], total, bytes;
};

static void count(struct count *counts, const char *name, const struct record *record) {
    while (counts->name != NULL && strcmp(counts->name, name) != 0) {
        counts++;
    }
    counts->name = name;
    counts->classes[shown_class(record)]++;
    counts->total++;
    counts->bytes += (int64_t)record->blocks * 512;
}

static int compare_counts(const void *left, const void *right) {
    const struct count *a = left, *b = right;

    return a->total != b->total ? (a->total < b->total ? 1 : -1) : strcmp(a->name, b->name);
}

static void write_classes(FILE *stream, const struct count *count) {
    for (int i = 0; i < SHOWN; i++) {
        fprintf(stream, "\t%" PRId64, count->classes[i]);
    }
    fprintf(stream, "\t%" PRId64, count->total);
}

static void write_counts(const char *folder, const char *report, struct count *counts,
                         const struct count *all) {
    FILE *stream = open_expected("expected/%s/%s.tsv", folder, report);
    size_t rows = 0;

    while (counts[rows].name != NULL) {
        rows++;
    }
    qsort(counts, rows, sizeof *counts, compare_counts);
    for (size_t i = 0; i < rows; i++) {
        fprintf(stream, "%s", counts[i].name);
        write_classes(stream, &counts[i]);
        fprintf(stream, "\t%.6f\t%" PRId64 "\t%.6f\n", (double)counts[i].total / (double)all->total,
                counts[i].bytes, (double)counts[i].bytes / (double)all->bytes);
    }
    close_file(stream);
}

static void write_rw(const char *folder, const struct count classes[SHOWN],
                     const struct count *all) {
    static const char *const names[] = {"read", "readsync", "write", "writesync", "flush", "other"};
    FILE *stream = open_expected("expected/%s/rw.tsv", folder);

    for (int i = 0; i < SHOWN; i++) {
        fprintf(stream, "%s\t%" PRId64 "\t%.6f\t%" PRId64 "\t%.6f\n", names[i], classes[i].total,
                (double)classes[i].total / (double)all->total, classes[i].bytes,
                (double)classes[i].bytes / (double)all->bytes);
    }
    close_file(stream);
}

/* The reports over completions of records from..to. */
static void write_reports(const char *folder, bool binary, size_t from, size_t to) {
    struct count all = {0}, rw[SHOWN] = {0}, hours[24] = {0};
    struct count types[TYPES + 1] = {0}, blocks[6] = {0};
    FILE *stream;

    for (size_t i = from; i < to; i++) {
        const struct record *record = &records[i];

        if (record->kind == IO && !record->issued) {
            count(&all, "", record);
            count(&rw[shown_class(record)], "", record);
            count(&hours[record->time / SECOND / 3600 % 24], "", record);
            count(types, type_names[record->file_type], record);
            count(blocks, block_names[binary ? 4 : record->block_type], record);
        }
    }
    write_events(folder, binary, from, to);
    write_rw(folder, rw, &all);
    write_counts(folder, "filetype", types, &all);
    write_counts(folder, "blocktype", blocks, &all);
    stream = open_expected("expected/%s/hourly.tsv", folder);
    for (int i = 0; i < 24; i++) {
        fprintf(stream, "%d", i);
        write_classes(stream, &hours[i]);
        fprintf(stream, "\t%.6f\n", (double)hours[i].total / (double)all.total);
    }
    close_file(stream);
}

/* --- AndroTrace ------------------------------------------------------------------------------- */

static size_t keep_only(enum kind kind) {
    size_t kept = 0;

    for (size_t i = 0; i < record_count; i++) {
        if (records[i].kind == kind) {
            records[kept++] = records[i];
        }
    }
    return record_count = kept;
}

/* A place to begin a new file at that no request is under way at. */
static size_t split_at(size_t at) {
    while (records[at - 1].kind == IO && records[at - 1].issued) {
        at++;
    }
    return at;
}

static void good_androtrace(void) {
    size_t first, second;

    seed = 1;
    play(26, true);
    first = split_at(record_count / 3);
    second = split_at(2 * record_count / 3);
    put_records(0, record_count, SIZE_RIGHT);
    write_file("ok/session.uio");
    put_records(0, record_count, SIZE_ZERO);
    write_file("ok/size-zero.uio");
    put_records(0, record_count, SIZE_WRONG);
    write_file("ok/size-wrong.uio");
    write_reports("session", false, 0, record_count);

    put_records(0, first, SIZE_RIGHT);
    write_file("ok/split/140426190000.uio");
    put_records(first, second, SIZE_RIGHT);
    write_file("ok/split/140427020000.uio");
    put_records(second, record_count, SIZE_RIGHT);
    write_file("ok/split/140427120000.uio");

    /* As the daemon leaves a folder when the battery is empty: the last record is not whole. */
    put_records(0, first, SIZE_RIGHT);
    write_file("damaged/split-cut/140426190000.uio");
    put_records(first, second, SIZE_RIGHT);
    write_file("damaged/split-cut/140427020000.uio");
    put_records(second, record_count, SIZE_RIGHT);
    file.length--;
    write_file("damaged/split-cut/140427120000.uio");
    write_expected("split-cut", record_count - 1, "truncated", 1, file.begins[file.count - 1], NULL,
                   0);

    keep_only(LIFESPAN);
    put_records(0, record_count, SIZE_RIGHT);
    write_file("ok/deleted.ufls");
    write_events("deleted", false, 0, record_count);
}

/* Fourteen records; the one at VICTIM is damaged: request, request, life-span, SQLite,
 * suspend, …; all have names but suspends. */
enum { VICTIM = 6 };

static void small_androtrace(enum kind kind, enum sizes sizes) {
    int64_t time = 100 * 86400 * SECOND;

    seed = 5;
    record_count = 0;
    for (int i = 0; i < 14; i++, time += 3 * SECOND) {
        enum kind what = i == VICTIM ? kind : (enum kind)(1 + i % 4);

        if (what == IO) {
            play_request(time, (uint32_t)i + 100);
            record_count--; /* the issue only */
            strcpy(records[record_count - 1].first, "process");
            strcpy(records[record_count - 1].second, "talk.db");
        } else if (what == LIFESPAN) {
            play_lifespan(time);
            records[record_count - 1].age = SECOND;
        } else if (what == SQLITE) {
            play_sqlite(time);
        } else {
            add(SUSPEND, time)->step = 9;
        }
    }
    put_records(0, record_count, sizes);
}

/* Sets a byte `at` bytes behind the begin of the record. */
static void change(const char *name, enum kind kind, enum sizes sizes, size_t at, uint8_t byte,
                   const char *reason) {
    small_androtrace(kind, sizes);
    file.bytes[file.begins[VICTIM] + at] = byte;
    write_damaged(name, record_count - 1, reason, file.begins[VICTIM]);
}

static void remove_bytes(size_t at, size_t count) {
    memmove(file.bytes + at, file.bytes + at + count, file.length - at - count);
    file.length -= count;
}

static void insert_bytes(size_t at, size_t count) {
    memmove(file.bytes + at + count, file.bytes + at, file.length - at);
    memset(file.bytes + at, 0xFF, count);
    file.length += count;
}

static void cut(const char *name, enum kind kind, enum sizes sizes, size_t at) {
    small_androtrace(kind, sizes);
    file.length = file.begins[VICTIM] + at;
    write_damaged(name, VICTIM, "truncated", file.begins[VICTIM]);
}

static void damaged_androtrace(void) {
    change("bad-type.uio", IO, SIZE_RIGHT, 0, 9, "bad-type");
    change("bad-type-size-zero.uio", IO, SIZE_ZERO, 0, 9, "bad-type");
    change("month-13.uio", IO, SIZE_RIGHT, 2, 0xDE, "bad-date");
    change("month-13-size-zero.uio", SQLITE, SIZE_ZERO, 2, 0xDE, "bad-date");
    change("day-0.uio", LIFESPAN, SIZE_RIGHT, 3, 0x40, "bad-date");
    change("second-63.uio", SUSPEND, SIZE_RIGHT, 5, 0x3F, "bad-date");
    change("nsec.uio", IO, SIZE_RIGHT, 9, 0xFF, "bad-date");
    change("creation.uio", LIFESPAN, SIZE_RIGHT, 10, 0xDE, "bad-date");
    change("file-type.uio", IO, SIZE_ZERO, 10, 15, "bad-code");
    change("block-type.uio", IO, SIZE_RIGHT, 14, 5, "bad-code");
    change("extension.uio", LIFESPAN, SIZE_RIGHT, 18, 15, "bad-code");
    change("negative-size.uio", LIFESPAN, SIZE_ZERO, 28, 0x80, "bad-code");
    change("suspend-step.uio", SUSPEND, SIZE_RIGHT, 10, 11, "bad-code");
    change("name-length.uio", IO, SIZE_RIGHT, 23, 40, "bad-length");
    change("name-length-size-zero.uio", IO, SIZE_ZERO, 23, 40, "bad-length");
    change("name-to-the-end.uio", IO, SIZE_RIGHT, 23, 255, "bad-length");
    change("name-to-the-end-size-zero.uio", IO, SIZE_ZERO, 23, 255, "bad-length");
    cut("cut-header.uio", IO, SIZE_RIGHT, 4);
    cut("cut-body.uio", IO, SIZE_RIGHT, 16);
    cut("cut-name.uio", IO, SIZE_RIGHT, 27);
    cut("cut-name-size-zero.uio", IO, SIZE_ZERO, 27);
    cut("cut-suspend.uio", SUSPEND, SIZE_RIGHT, 10);
    small_androtrace(IO, SIZE_RIGHT);
    insert_bytes(file.begins[VICTIM], 100);
    write_damaged("inserted.uio", record_count, "bad-type", file.begins[VICTIM]);
    small_androtrace(IO, SIZE_RIGHT);
    remove_bytes(file.begins[VICTIM], 1);
    write_damaged("lost.uio", record_count - 1, "bad-type", file.begins[VICTIM]);
    small_androtrace(IO, SIZE_RIGHT);
    file.bytes[file.begins[3] + 2] = 0xDE;
    file.bytes[file.begins[9] + 2] = 0xDE;
    file.length -= 3;
    write_file("damaged/several.uio");
    write_expected("several.uio", record_count - 3, "bad-date", 2, file.begins[3], "truncated",
                   file.begins[13]);
}

/* --- the real-time tracer's binary records ---------------------------------------------------- */

/* Completions only, in microseconds; the second is a little before the first. */
static void play_binary(int hours) {
    size_t kept = 0;

    record_count = 0;
    seed = 3;
    play(hours, false);
    for (size_t i = 0; i < record_count; i++) {
        struct record *record = &records[kept];

        if (!records[i].issued) {
            *record = records[i];
            record->time -= record->time % 1000;
            record->latency = NONE;
            record->ws = record->discard = record->flush = false;
            record->sync = 0;
            record->pid = 1000 + dice(9);
            kept++;
        }
    }
    record_count = kept;
    records[1].time = records[0].time - 1500000;
}

static void good_binary(void) {
    static const char *const names[] = {"unix", "yyyymmdd", "yymmdd"};

    play_binary(26);
    for (int i = 0; i < 3; i++) {
        put_binary((enum encoding)i);
        write_file("ok/%s.bin", names[i]);
    }
    write_reports("session", true, 0, record_count);
}

static void change_binary(const char *name, size_t at, uint8_t byte, const char *reason) {
    put_binary(YYYYMMDD);
    file.bytes[file.begins[VICTIM] + at] = byte;
    write_damaged(name, record_count - 1, reason, file.begins[VICTIM]);
}

static void damaged_binary(void) {
    size_t begin;

    play_binary(4);
    change_binary("time.bin", 7, 1, "bad-time");
    change_binary("usec.bin", 12, 1, "bad-usec");
    change_binary("file-type.bin", 16, 15, "bad-type");
    change_binary("rwbs.bin", 17, 4, "bad-rwbs");
    begin = file.begins[VICTIM];
    put_binary(UNIX);
    file.length = file.begins[record_count - 1] + 45;
    write_damaged("cut.bin", record_count - 1, "truncated", file.begins[record_count - 1]);
    put_binary(UNIX);
    insert_bytes(begin, 5);
    write_damaged("inserted.bin", record_count, "bad-time", begin);
    put_binary(YYMMDD);
    remove_bytes(begin, 5);
    write_damaged("lost.bin", record_count - 1, "bad-time", begin);
    put_binary(YYMMDD);
    file.bytes[begin + 16] = file.bytes[begin + 46 + 16] = 99;
    write_file("damaged/two.bin");
    write_expected("two.bin", record_count - 2, "bad-type", 2, begin, NULL, 0);
    put_binary(YYMMDD);
    for (size_t i = 0; i < 10; i++) {
        file.bytes[begin + 46 * i + 16] = 99;
    }
    write_damaged("ten.bin", record_count - 10, "bad-type", begin);
    put_binary(YYMMDD);
    file.bytes[file.begins[record_count - 1] + 17] = 99;
    write_damaged("last.bin", record_count - 1, "bad-rwbs", file.begins[record_count - 1]);
}

static void fail_files(void) {
    file.length = 0;
    put(0, 8);
    file.length = 4600;
    memset(file.bytes, 0, file.length);
    write_file("fail/zeros.bin");
    seed = 77;
    for (size_t i = 0; i < 4600; i++) {
        file.bytes[i] = (uint8_t)dice(256);
    }
    write_file("fail/random.bin");
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 3) {
        fprintf(stderr, "usage: generate androtrace|most-binary DIRECTORY\n");
        return 2;
    }
    root = arguments[2];
    if (strcmp(arguments[1], "androtrace") == 0) {
        good_androtrace();
        damaged_androtrace();
    } else {
        good_binary();
        damaged_binary();
    }
    fail_files();
    return 0;
}
