/* Template of an exporter: make a copy of this file, then change the copy.
 *
 * It compiles with the rest, so it cannot rot, but it is not in src/export/list.c, so nothing is
 * ever exported by it. docs/adding-an-exporter.md goes through the steps.
 *
 * The comment at the top says what the format is, and what becomes of what it cannot hold. This
 * one's:
 *
 * A line an I/O, under a heading: microseconds since the first one, R or W, bytes.
 *
 *     us,op,bytes
 *     145,R,4096
 *
 * What is neither read nor write is left out. */
#include "export/export.h"
#include "model/event.h"

/* Reasons are constant strings, which stand behind "not in it, 3 times: ". Use few of them. */
static const char neither[] = "I/Os that are neither read nor write";

/* What is remembered from one event to the next. It begins zeroed. */
struct template_state {
    bool begun;
    int64_t origin;
};

/* Headings. May be NULL. */
static void begin(struct export_run *run, void *state) {
    export_print(run, "us,op,bytes\n");
}

/* Each event that the filters choose, in order of arrival; with `.steps`, every step of block I/O
 * in order of time. Each is written and counted in `written`, or left out with a reason. Strings of
 * an event are from a log: any bytes. */
static void take(struct export_run *run, void *context, const struct export_event *event) {
    struct template_state *state = context;
    enum io_class class = io_class_of(event->flags);

    if (class == IO_OTHER || class == IO_FLUSH) {
        export_leave_out(run, neither);
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
    .begin = begin,
    .take = take,
};
