/* oracleGeneral, the binary traces of cache simulators (libCacheSim), and the same as CSV.
 *
 * Each I/O is split into a request per block of 4096 bytes. A request is 24 bytes, little-endian:
 *
 *     0 u32   time, seconds since the first one
 *     4 u64   object: device << 52 | number of the block on it; the device by the order of first
 *             events
 *    12 u32   size, 4096
 *    16 i64   the number, from 1, of the next request for the same object; -1: none
 *
 * CSV: time,object,size,op,next, with a heading of these names. SQLite finds the next requests; its
 * sort spills to files. */
#include "base/time_unit.h"
#include "export/export.h"
#include "model/event.h"

enum {
    BLOCK = 4096,
    SECTOR = 512,
    DEVICE_SHIFT = 52,
    ORACLE_DEVICES = 2048, /* maximum devices of an export */
};

/* Limit of requests per I/O: Linux makes no I/O above 32 MiB, but a damaged log may have one. */
#define REQUESTS_MOST 65536

static const char neither[] = "I/Os that are neither read nor write";
static const char no_place[] = "I/Os without a sector or without data";
static const char too_large[] = "I/Os of more than 65536 blocks";
static const char too_far[] = "I/Os beyond block 2^52 of their device";
static const char too_many[] = "I/Os on devices beyond the 2048th";

struct oracle_state {
    sqlite3_stmt *insert; /* owned */
    bool begun;
    int64_t origin; /* arrival of the first I/O */
};

static void oracle_begin(struct export_run *run, void *context) {
    struct oracle_state *state = context;

    state->insert = export_create_table(
        run, "export_request", "(number INTEGER PRIMARY KEY, time, object, op)",
        "INSERT INTO temp.export_request (time, object, op) VALUES (?1, ?2, ?3)");
}

/* Range of blocks of 4096 bytes that an I/O touches. */
struct blocks {
    int64_t first, last;
};

static struct blocks oracle_blocks_of(const struct export_event *event) {
    int64_t within = event->sector % (BLOCK / SECTOR);
    int64_t first = event->sector / (BLOCK / SECTOR);

    return (struct blocks){first,
                           first + (within + (event->bytes - 1) / SECTOR) / (BLOCK / SECTOR)};
}

static void oracle_add_blocks(struct export_run *run, struct oracle_state *state,
                              const struct export_event *event, const struct blocks *blocks,
                              uint64_t device, bool reads) {

    for (int64_t block = blocks->first; !run->failed && block <= blocks->last; block++) {
        sqlite3_bind_int64(state->insert, 1, (event->arrival - state->origin) / SECOND);
        sqlite3_bind_int64(state->insert, 2, (int64_t)(device << DEVICE_SHIFT | (uint64_t)block));
        sqlite3_bind_int(state->insert, 3, reads);
        export_insert(run, state->insert);
    }
}

static void oracle_write(struct export_run *run, void *context, const struct export_event *event) {
    struct oracle_state *state = context;
    enum io_class class = io_class_of(event->flags);
    struct blocks blocks;
    uint64_t device;

    if (class == IO_OTHER || class == IO_FLUSH || (event->flags & IO_FLAG_DISCARD)) {
        export_exclude(run, neither);
        return;
    }
    if (event->sector == EVENT_NONE || event->bytes == EVENT_NONE || event->bytes <= 0) {
        export_exclude(run, no_place);
        return;
    }
    blocks = oracle_blocks_of(event);
    if (blocks.last - blocks.first >= REQUESTS_MOST || blocks.last >> DEVICE_SHIFT != 0) {
        export_exclude(run, blocks.last - blocks.first >= REQUESTS_MOST ? too_large : too_far);
        return;
    }
    device = export_find_device(run, event->device)->index;
    if (device >= ORACLE_DEVICES) {
        export_exclude(run, too_many);
        return;
    }
    if (!state->begun) {
        state->begun = true;
        state->origin = event->arrival;
    }
    run->written++;
    oracle_add_blocks(run, state, event, &blocks, device, class == IO_READ || class == IO_READSYNC);
}

static void write_binary(struct export_run *run, sqlite3_stmt *row) {
    uint8_t request[24];

    export_store_little_endian(request, (uint64_t)sqlite3_column_int64(row, 0), 4);
    export_store_little_endian(request + 4, (uint64_t)sqlite3_column_int64(row, 1), 8);
    export_store_little_endian(request + 12, BLOCK, 4);
    export_store_little_endian(request + 16, (uint64_t)sqlite3_column_int64(row, 3), 8);
    export_write(run, request, sizeof request);
}

static void oracle_write_line(struct export_run *run, sqlite3_stmt *row) {
    export_print(run, "%lld,%llu,%d,%s,%lld\n", (long long)sqlite3_column_int64(row, 0),
                 (unsigned long long)sqlite3_column_int64(row, 1), BLOCK,
                 sqlite3_column_int(row, 2) ? "read" : "write",
                 (long long)sqlite3_column_int64(row, 3));
}

static void write_requests(struct export_run *run,
                           void (*write)(struct export_run *, sqlite3_stmt *)) {
    sqlite3_stmt *rows = export_query_rows(run, "SELECT time, object, op, ifnull(lead(number) "
                                                "OVER (PARTITION BY object ORDER BY number), -1)"
                                                " FROM temp.export_request ORDER BY number");

    while (export_next(run, rows)) {
        write(run, rows);
    }
}

static void oracle_end(struct export_run *run, void *context) {
    write_requests(run, write_binary);
}

static void end_csv(struct export_run *run, void *context) {
    export_print(run, "time,object,size,op,next\n");
    write_requests(run, oracle_write_line);
}

static void oracle_free_state(void *context) {
    sqlite3_finalize(((struct oracle_state *)context)->insert);
}

const struct exporter oracle_exporter = {
    .name = "oracleGeneral",
    .description = "oracleGeneral's binary requests by blocks of 4 KiB, for libCacheSim",
    .binary = true,
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .state_size = sizeof(struct oracle_state),
    .begin = oracle_begin,
    .take = oracle_write,
    .end = oracle_end,
    .free = oracle_free_state,
};

const struct exporter oracle_csv_exporter = {
    .name = "oracleGeneral-csv",
    .description = "the same as CSV: time, object, size, op, next",
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .state_size = sizeof(struct oracle_state),
    .begin = oracle_begin,
    .take = oracle_write,
    .end = end_csv,
    .free = oracle_free_state,
};
