/* fio's I/O logs, versions 3 and 2, for `fio --read_iolog`.
 *
 *     fio version 3 iolog          fio version 2 iolog
 *     0 replay.0 add               replay.0 add
 *     0 replay.0 open              replay.0 open
 *     145 replay.0 read 4096 512   replay.0 wait 145 0
 *                                  replay.0 read 4096 512
 *
 * Version 3 has microseconds since the start in front, version 2 waits for those since the action
 * before. A block device is a file replay.N, by the order of first events. Discards are trims, the
 * device's own flushes are syncs. */
#include "export/export.h"
#include "model/event.h"

static const char neither[] = "I/Os that are neither read, write, discard nor flush";
static const char ends[] = "ends of requests that asked for a flush";
static const char no_place[] = "I/Os without a sector or without data";

struct fio_state {
    bool begun;
    int64_t origin; /* time of the first I/O */
    int64_t last;   /* us of the last one since then */
};

static const char *action_of(struct export_run *run, const struct export_event *event) {
    bool has_place = event->sector != EVENT_NONE && event->bytes != EVENT_NONE && event->bytes > 0;
    enum io_class class = io_class_of(event->flags);

    if (class == IO_FLUSH) {
        if (event->flags & IO_FLAG_FLUSH) {
            return "sync";
        }
        export_leave_out(run, ends);
        return NULL;
    }
    if (!has_place) {
        export_leave_out(run, no_place);
        return NULL;
    }
    if (event->flags & IO_FLAG_DISCARD) {
        return "trim";
    }
    if (class == IO_OTHER) {
        export_leave_out(run, neither);
        return NULL;
    }
    return class == IO_READ || class == IO_READSYNC ? "read" : "write";
}

static bool write_action(struct export_run *run, bool timed, int64_t time, size_t file,
                         const char *action, const struct export_event *event,
                         struct error *error) {
    bool sync = action[0] == 's';

    if (timed && !export_print(run, error, "%lld ", (long long)time)) {
        return false;
    }
    return export_print(run, error, "replay.%zu %s %lld %lld\n", file, action,
                        sync ? 0LL : (long long)event->sector * 512,
                        sync ? 0LL : (long long)event->bytes);
}

static bool write_opening(struct export_run *run, bool timed, int64_t time, size_t file,
                          struct error *error) {
    static const char *const words[] = {"add", "open"};

    for (size_t i = 0; i < 2; i++) {
        if ((timed && !export_print(run, error, "%lld ", (long long)time)) ||
            !export_print(run, error, "replay.%zu %s\n", file, words[i])) {
            return false;
        }
    }
    return true;
}

static bool take_as(struct export_run *run, struct fio_state *state, bool timed,
                    const struct export_event *event, struct error *error) {
    const char *action = action_of(run, event);
    bool is_new;
    int64_t time;
    size_t file;

    if (action == NULL) {
        return true;
    }
    if (!state->begun) {
        state->begun = true;
        state->origin = event->arrival;
    }
    time = (event->arrival - state->origin) / 1000;
    file = export_device(run, event->device, &is_new);
    if (is_new && !write_opening(run, timed, time, file, error)) {
        return false;
    }
    if (!timed && time > state->last &&
        !export_print(run, error, "replay.%zu wait %lld 0\n", file,
                      (long long)(time - state->last))) {
        return false;
    }
    state->last = time;
    run->written++;
    return write_action(run, timed, time, file, action, event, error);
}

static bool end_as(struct export_run *run, const struct fio_state *state, bool timed,
                   struct error *error) {
    for (size_t i = 0; i < run->device_count; i++) {
        if ((timed && !export_print(run, error, "%lld ", (long long)state->last)) ||
            !export_print(run, error, "replay.%zu close\n", i)) {
            return false;
        }
    }
    return true;
}

static bool begin(struct export_run *run, void *state, struct error *error) {
    (void)state;
    return export_print(run, error, "fio version 3 iolog\n");
}

static bool take(struct export_run *run, void *state, const struct export_event *event,
                 struct error *error) {
    return take_as(run, state, true, event, error);
}

static bool end(struct export_run *run, void *state, struct error *error) {
    return end_as(run, state, true, error);
}

static bool begin_old(struct export_run *run, void *state, struct error *error) {
    (void)state;
    return export_print(run, error, "fio version 2 iolog\n");
}

static bool take_old(struct export_run *run, void *state, const struct export_event *event,
                     struct error *error) {
    return take_as(run, state, false, event, error);
}

static bool end_old(struct export_run *run, void *state, struct error *error) {
    return end_as(run, state, false, error);
}

const struct exporter fio_exporter = {
    .name = "fio",
    .description = "fio's I/O log, version 3 (fio 3.31 and later), for fio --read_iolog",
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .state_size = sizeof(struct fio_state),
    .begin = begin,
    .take = take,
    .end = end,
};

const struct exporter fio_old_exporter = {
    .name = "fio-2",
    .description = "fio's I/O log, version 2, for all of fio",
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .state_size = sizeof(struct fio_state),
    .begin = begin_old,
    .take = take_old,
    .end = end_old,
};
