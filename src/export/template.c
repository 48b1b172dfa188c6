/* Template of an exporter: copy this file, then change the copy.
 *
 * It is compiled with the rest, so it stays correct, but it is not in src/export/list.c, so it is
 * never used. docs/adding-an-exporter.md explains the steps.
 *
 * The first comment describes the format, and how the exporter treats what the format cannot
 * express. For this one:
 *
 * A line per I/O, with a heading: microseconds since the first one, R or W, bytes.
 *
 *     us,op,bytes
 *     145,R,4096
 *
 * I/Os that are neither read nor write are omitted. */
#include "export/export.h"
#include "model/event.h"

/* Reasons for leaving out events: constant strings, printed after "not in it, 3 times: ". */
static const char neither[] = "I/Os that are neither read nor write";

/* State of the exporter between events; zeroed at the start. */
struct template_state {
    bool begun;
    int64_t origin;
};

/* Writes the beginning of the output. An exporter may have no such function. */
static void template_begin(struct export_run *run, void *state) {
    export_print(run, "us,op,bytes\n");
}

/* Writes a selected event and counts it in `written`, or leaves it out with a reason. Events come
 * in order of arrival; with `.steps`, each step of block I/O in order of time. Strings are from the
 * log: any bytes. */
static void template_write(struct export_run *run, void *context,
                           const struct export_event *event) {
    struct template_state *state = context;
    enum io_class class = io_class_of(event->flags);

    if (class == IO_OTHER || class == IO_FLUSH) {
        export_exclude(run, neither);
        return;
    }
    if (!state->begun) {
        state->begun = true;
        state->origin = event->arrival;
    }
    run->written++;
    export_print(run, "%lld,%c,%lld\n", (long long)((event->arrival - state->origin) / 1000),
                 class == IO_READ || class == IO_READSYNC ? 'R' : 'W',
                 (long long)(event->bytes == EVENT_NONE ? 0 : event->bytes));
}

extern const struct exporter template_exporter;

const struct exporter template_exporter = {
    .name = "template",
    .description = "a line an I/O: microseconds, R or W, bytes",
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .state_size = sizeof(struct template_state),
    .begin = template_begin,
    .take = template_write,
};
