/* fio's I/O logs, versions 3 and 2, for `fio --read_iolog`.
 *
 *     fio version 3 iolog          fio version 2 iolog
 *     0 replay.0 add               replay.0 add
 *     0 replay.0 open              replay.0 open
 *     145 replay.0 read 4096 512   replay.0 wait 145 0
 *                                  replay.0 read 4096 512
 *
 * Version 3 starts lines with the microseconds since the start; version 2 waits for the
 * microseconds since the previous action.
 *
 * - Block I/O: a block device is a file replay.N, in order of first events. Discards are trims, the
 *   device's own flushes are syncs.
 * - System calls: a file is replay.N, or has its own name with --real-paths. All threads are
 * merged. Reads and writes have the number of bytes transferred; their offset must be known. */
#include <stdlib.h>

#include "base/hash.h"
#include "export/export.h"
#include "export/file_calls.h"
#include "model/event.h"
#include "base/memory.h"

static const char neither[] = "I/Os that are neither read, write, discard nor flush";
static const char ends[] = "completions of requests with a flush";
static const char no_place[] = "I/Os without a sector or without data";
static const char other_call[] = "calls that neither read, write nor sync";
static const char no_data[] = "reads and writes of no bytes";
static const char no_file[] = "calls on objects that are not files, or unknown";

/* A file that was opened in the output. */
struct fio_file {
    UT_hash_handle hh;
    int64_t object;
    char *name; /* owned */
};

struct fio_state {
    bool begun;
    bool timed;     /* true: version 3, with a time in each line */
    int64_t origin; /* time of the first action, in ns of the trace */
    int64_t last;   /* microseconds from `origin` to the last action */
    struct text name;
    struct fio_file *files; /* owned hash table; for calls: opened files, by object */
};

static const char *fio_action_of_event(struct export_run *run, const struct export_event *event) {
    bool has_place = event->sector != EVENT_NONE && event->bytes != EVENT_NONE && event->bytes > 0;
    enum io_class class = io_class_of(event->flags);

    if (class == IO_FLUSH) {
        if (event->flags & IO_FLAG_FLUSH) {
            return "sync";
        }
        export_exclude(run, ends);
        return NULL;
    }
    if (!has_place) {
        export_exclude(run, no_place);
        return NULL;
    }
    if (event->flags & IO_FLAG_DISCARD) {
        return "trim";
    }
    if (class == IO_OTHER) {
        export_exclude(run, neither);
        return NULL;
    }
    return class == IO_READ || class == IO_READSYNC ? "read" : "write";
}

static void write_word(struct export_run *run, const struct fio_state *state, const char *file,
                       const char *word) {
    if (state->timed) {
        export_print(run, "%lld ", (long long)state->last);
    }
    export_print(run, "%s %s\n", file, word);
}

/* Writes an action on a file. `new_file`: first opens the file. */
static void write_action(struct export_run *run, struct fio_state *state, bool new_file,
                         int64_t time, const char *file, const char *action, int64_t offset,
                         int64_t length) {
    if (!state->begun) {
        state->begun = true;
        state->origin = time;
    }
    time = (time - state->origin) / 1000;
    if (state->timed) {
        state->last = time;
    }
    if (new_file) {
        write_word(run, state, file, "add");
        write_word(run, state, file, "open");
    }
    if (state->timed) {
        export_print(run, "%lld ", (long long)time);
    } else if (time > state->last) {
        export_print(run, "%s wait %lld 0\n", file, (long long)(time - state->last));
    }
    state->last = time;
    run->written++;
    export_print(run, "%s %s %lld %lld\n", file, action, (long long)offset, (long long)length);
}

static void fio_write_io(struct export_run *run, struct fio_state *state,
                         const struct export_event *event) {
    const char *action = fio_action_of_event(run, event);
    const struct export_device *device;
    bool sync;
    char file[32];

    if (action == NULL) {
        return;
    }
    sync = action[0] == 's';
    device = export_find_device(run, event->device);
    snprintf(file, sizeof file, "replay.%zu", device->index);
    write_action(run, state, device->is_new, event->arrival, file, action,
                 sync ? 0 : event->sector * 512, sync ? 0 : event->bytes);
}

/* Returns the file of a call. `*is_new`: true if it is not opened in the output yet. */
static const struct fio_file *fio_find_file(struct export_run *run, struct fio_state *state,
                                            const struct export_event *event, bool *is_new) {
    struct fio_file *file;
    bool own;

    HASH_FIND(hh, state->files, &event->object, sizeof event->object, file);
    *is_new = file == NULL;
    if (file != NULL) {
        return file;
    }
    text_clear(&state->name);
    file_call_set_path(run, event, &state->name, &own);
    file = xmalloc(sizeof *file);
    *file = (struct fio_file){
        .object = event->object,
        .name = xstrdup(text_string(&state->name)),
    };
    HASH_ADD(hh, state->files, object, sizeof file->object, file);
    return file;
}

static void write_call(struct export_run *run, struct fio_state *state,
                       const struct export_event *event, enum file_call call) {
    static const char *const actions[] = {
        [FILE_CALL_READ] = "read",    [FILE_CALL_WRITE] = "write",
        [FILE_CALL_READ_AT] = "read", [FILE_CALL_WRITE_AT] = "write",
        [FILE_CALL_SYNC] = "sync",    [FILE_CALL_SYNC_DATA] = "datasync",
        [FILE_CALL_UNLINK] = NULL,
    };
    bool transfers = file_call_transfers(call), is_new;
    const char *obstacle = actions[call] == NULL ? other_call
                           : !file_call_is_file(event)
                               ? no_file
                               : file_call_why_unreplayable(event, call, INT64_MAX, true);
    const struct fio_file *file;

    if (obstacle == NULL && transfers && event->value == 0) {
        obstacle = no_data;
    }
    if (obstacle != NULL) {
        export_exclude(run, obstacle);
        return;
    }
    file = fio_find_file(run, state, event, &is_new);
    write_action(run, state, is_new, event->time, file->name, actions[call],
                 transfers ? event->sector : 0, transfers ? event->value : 0);
}

/* Writes a call on a file; a call that copies becomes a read and a write. */
static void fio_write_call(struct export_run *run, struct fio_state *state,
                           const struct export_event *event) {
    enum file_call call = file_call_of(event);
    struct export_event read = *event;
    int64_t written = run->written;

    if (call != FILE_CALL_COPY) {
        write_call(run, state, event, call);
        return;
    }
    read.object = event->source;
    read.sector = event->source_sector;
    read.file = event->source_file;
    read.file_length = event->source_length;
    write_call(run, state, &read, FILE_CALL_READ_AT);
    write_call(run, state, event, FILE_CALL_WRITE_AT);
    run->written = run->written > written ? written + 1 : written; /* a copy counts as one event */
}

static void fio_begin(struct export_run *run, void *context) {
    struct fio_state *state = context;

    state->timed = true;
    export_print(run, "fio version 3 iolog\n");
}

static void begin_old(struct export_run *run, void *context) {
    export_print(run, "fio version 2 iolog\n");
}

static void fio_write(struct export_run *run, void *context, const struct export_event *event) {
    (run->trace->trace->kind == TRACE_IO ? fio_write_io : fio_write_call)(run, context, event);
}

static void fio_end(struct export_run *run, void *context) {
    const struct fio_state *state = context;
    char device[32];

    for (size_t i = 0; i < run->device_count; i++) {
        snprintf(device, sizeof device, "replay.%zu", i);
        write_word(run, state, device, "close");
    }
    for (const struct fio_file *file = state->files; file != NULL; file = file->hh.next) {
        write_word(run, state, file->name, "close");
    }
}

static void fio_free_state(void *context) {
    struct fio_state *state = context;
    struct fio_file *file, *next;

    HASH_ITER(hh, state->files, file, next) {
        HASH_DEL(state->files, file);
        free(file->name);
        free(file);
    }
    text_free(&state->name);
}

/* Defines the exporter of a version. begin() differs, as it writes the version's first line. */
#define FIO(NAME, DESCRIPTION, BEGIN)                                                              \
    {                                                                                              \
        .name = (NAME), .description = (DESCRIPTION), .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO, \
        .sectors = true, .real_paths = true, .state_size = sizeof(struct fio_state),               \
        .begin = (BEGIN), .take = fio_write, .end = fio_end, .free = fio_free_state,               \
    }

const struct exporter fio_exporter =
    FIO("fio", "fio's I/O log, version 3 (fio 3.31 and later), for fio --read_iolog", fio_begin);
const struct exporter fio_old_exporter =
    FIO("fio-2", "fio's I/O log, version 2, for all of fio", begin_old);
