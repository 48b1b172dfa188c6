/* CSV format of the MSR Cambridge traces:
 *
 *     Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
 *     128166372003061629,web,0,Read,7014609920,24576,41286
 *
 * Times are in units of 100 ns, timestamps since 1601; offset and size in bytes. There is no
 * heading. The trace's name is written as host. */
#include "export/export.h"
#include "model/event.h"

/* Wall clock for traces without one, 2000-01-01: some programs reject 1970. */
#define SOME_DAY (INT64_C(946684800) * 1000000000)
#define EPOCH    INT64_C(116444736000000000) /* 1970, in 100 ns since 1601 */

static const char neither[] = "I/Os that are neither read nor write";
static const char no_place[] = "I/Os without a sector or without data";
static const char no_response[] = "unknown response times: they are 0";

/* Writes the trace's name without commas and line ends, which would begin another field. */
static void write_host(struct export_run *run) {
    const char *name = run->trace_name;

    for (size_t i = 0; name[i] != '\0'; i++) {
        char byte = name[i];
        bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                     (byte >= 'A' && byte <= 'Z') || byte == '.' || byte == '-';

        export_print(run, "%c", plain ? byte : '_');
    }
}

/* Returns the wall clock at a time of the trace, ns since 1970. For a trace without one, counts
 * from 2000-01-01 and adds a note. */
static int64_t msr_wall_clock(struct export_run *run, int64_t time) {
    static const char unknown[] =
        "times of day, for the trace has no wall clock: they count from 2000";
    int64_t start = run->trace->trace->start;

    if (start == EVENT_NONE) {
        export_exclude(run, unknown);
        start = SOME_DAY;
    }
    return start + time;
}

static void msr_write(struct export_run *run, void *state, const struct export_event *event) {
    enum io_class class = io_class_of(event->flags);
    int64_t response = event->response, ticks;

    if (class == IO_OTHER || class == IO_FLUSH || (event->flags & IO_FLAG_DISCARD)) {
        export_exclude(run, neither);
        return;
    }
    if (event->sector == EVENT_NONE || event->bytes == EVENT_NONE || event->bytes == 0) {
        export_exclude(run, no_place);
        return;
    }
    if (response == EVENT_NONE) {
        export_exclude(run, no_response);
        response = 0;
    }
    run->written++;
    ticks = msr_wall_clock(run, event->arrival) / 100 + EPOCH;
    export_print(run, "%lld,", (long long)ticks);
    write_host(run);
    export_print(run, ",%zu,%s,%lld,%lld,%lld\n", export_find_device(run, event->device)->index,
                 class == IO_READ || class == IO_READSYNC ? "Read" : "Write",
                 (long long)event->sector * 512, (long long)event->bytes,
                 (long long)(response / 100));
}

const struct exporter msr_exporter = {
    .name = "msr",
    .description =
        "CSV as of MSR Cambridge's traces: time, host, disk, type, offset, size, response",
    .note = "the host is the trace's name; disks are numbered from 0, in order of appearance",
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .take = msr_write,
};
