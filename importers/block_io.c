#include "block_io.h"

#include <string.h>

#include "syscalls.h"

/* A phone uses some 40,000 files, each of them many times. */
#define FILES_REMEMBERED ((size_t)1 << 16)

/* --- events ----------------------------------------------------------------------------------- */

const char block_io_both_ends[] = "issue and completion of one request";
const char block_io_unaligned[] =
    "%lld addresses are no whole sector: they count as the sector that they lie in";

const struct event_meaning block_io_meanings[] = {
    BLOCK_IO_MEANINGS,
    {0},
};

const struct event_meaning block_io_device_meanings[] = {
    {EVENT_PLACE_DURATION, "", "latency", "clock"},
    {EVENT_PLACE_ACTOR, "", "process", ""},
    {EVENT_PLACE_OBJECT, "", "device", ""},
    {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {0},
};

void block_io_begin(struct import *import, struct block_io *state) {
    state->files.most = FILES_REMEMBERED;
    import_file_types(import, &state->types);
}

/* Finds the actor of a process, and its label. */
static const struct lookup_cache_entry *block_io_find_actor(struct import *import,
                                                            struct block_io *state, int64_t pid,
                                                            const char *process, size_t length) {
    struct lookup_cache_key key = {{pid, process == NULL}, process, length};
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&state->processes, &key, &known);

    if (!known) {
        entry->values[0] = import_actor(
            import, &(struct actor_entry){1, pid, EVENT_NONE, EVENT_NONE, process, length});
        entry->values[1] = import_label(import, process == NULL ? "" : process, length);
    }
    return entry;
}

static void block_io_find_process(struct import *import, struct block_io *state,
                                  const struct block_request *request, struct event *event) {
    const struct lookup_cache_entry *asker =
        block_io_find_actor(import, state, request->pid, request->process, request->process_length);

    event->actor = asker->values[0];
    event->process = asker->values[1];
    event->issuer = request->issuer == NULL
                        ? 0
                        : block_io_find_actor(import, state, request->issuer_pid, request->issuer,
                                              request->issuer_length)
                              ->values[0];
}

static void block_io_find_file(struct import *import, struct block_io *state,
                               const struct block_request *request, struct event *event) {
    size_t length = request->file == NULL ? 0 : request->file_length;
    struct lookup_cache_key key = {
        {request->device, (intptr_t)request->file_type}, request->file, length};
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&state->files, &key, &known);

    if (!known) {
        const char *type = request->file_type != NULL
                               ? request->file_type
                               : file_types_find(&state->types, request->file, length);

        entry->values[0] = import_object(import, &(struct object_entry){
                                                     .name = length > 0 ? request->file : NULL,
                                                     .length = length,
                                                     .type = type,
                                                     .device = request->device,
                                                 });
        entry->values[1] = import_label(import, type, strlen(type));
    }
    event->object = entry->values[0];
    event->file_type = entry->values[1];
}

/* Finds the object of a partition; the partition's name stays valid. */
static uint32_t find_partition(struct import *import, struct block_io *state,
                               const struct block_request *request) {
    const char *name = import_partition(import, request->device, request->sector);

    if (name != state->partition || state->partition_label == 0) {
        state->partition = name;
        state->partition_label = import_label(import, name, strlen(name));
    }
    return state->partition_label;
}

struct event *block_io_keep(struct import *import, struct block_io *state,
                            const struct block_request *request) {
    struct event names = {
        .operation =
            import_word(import, "action", (struct word){request->action, request->action_length})};
    struct event *event;

    block_io_find_process(import, state, request, &names);
    block_io_find_file(import, state, request, &names);
    names.partition = find_partition(import, state, request);
    event = import_event(import);
    event->time = request->time;
    event->operation = names.operation;
    event->actor = names.actor;
    event->object = names.object;
    event->file_type = names.file_type;
    event->process = names.process;
    event->issuer = names.issuer;
    event->partition = names.partition;
    event->flags = block_kept_flags(request);
    event->address = request->sector;
    event->size = request->blocks == EVENT_NONE
                      ? EVENT_NONE
                      : request->blocks * SECTOR_SIZE + request->more_bytes;
    event->value = request->value;
    block_latency_see(&state->latency, request->time);
    if (request->tells_latency) {
        event->duration = block_has_action(request, 'C') ? request->latency : EVENT_NONE;
    } else if (block_has_action(request, 'D')) {
        block_latency_issue(&state->latency, request);
    } else if (block_has_action(request, 'R')) {
        block_latency_requeue(&state->latency, request);
    } else if (block_has_action(request, 'C')) {
        event->duration = block_latency_complete(&state->latency, request);
        if (request->was_asked && request->asked <= request->time) {
            event->response = request->time - request->asked;
        }
    }
    return event;
}

void block_io_keep_action(struct import *import, struct block_io *state,
                          struct block_request *request, const char *action, int64_t time) {
    request->action = action;
    request->action_length = 1;
    request->time = time;
    block_io_keep(import, state, request);
}

void block_io_end(struct import *import, struct block_io *state, bool failed) {
    if (!failed) {
        block_latency_remark(import, &state->latency);
    }
    block_latency_free(&state->latency);
    lookup_cache_free(&state->processes);
    lookup_cache_free(&state->files);
    file_types_free(&state->types);
}

/* --- times with a date ------------------------------------------------------------------------ */

int64_t block_io_since(struct import *import, struct block_start *start, int64_t time) {
    if (!start->begun) {
        start->begun = true;
        start->origin = time;
        if (!start->undated) {
            import_start(import, time);
        }
    }
    return time - start->origin;
}

void block_dated_begin(struct import *import, void *state) {
    block_io_begin(import, &((struct block_dated *)state)->io);
}

void block_dated_end(struct import *import, void *state, bool failed) {
    block_io_end(import, &((struct block_dated *)state)->io, failed);
}

/* Appended files use the same time 0. */
const struct resume_value block_dated_resume[] = {
    {"origin", offsetof(struct block_dated, start.origin), 0, INT64_MAX, false},
    {0},
};

/* --- dump ------------------------------------------------------------------------------------- */

/* Appends " [pid name]". */
static void block_io_append_process(int64_t pid, const char *name, size_t length,
                                    struct text *out) {
    dump_number(out, " [", pid);
    text_append_string(out, pid == EVENT_NONE ? " [" : " ");
    text_append_escaped(out, name, length);
    text_append_char(out, ']');
}

void block_io_dump(const struct dump_event *dump, struct text *out) {
    const struct event *event = &dump->event;
    unsigned block_type = io_block_type_of(event->flags);

    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    block_append_rwbs(event->flags, out);
    dump_number(out, " ", event->address);
    dump_number(out, " + ", event->size == EVENT_NONE ? EVENT_NONE : event->size / SECTOR_SIZE);
    block_io_append_process(dump->pid, dump->actor, dump->actor_length, out);
    text_append_char(out, ' ');
    text_append_string(out, block_type < IO_BLOCK_TYPES ? io_block_type_words[block_type] : "?");
    dump_bytes(out, " ", dump->object, dump->object_length);
    if (event->duration != EVENT_NONE) {
        text_append_string(out, " latency ");
        text_append_seconds(out, event->duration);
    }
    if (event->issuer != 0) {
        text_append_string(out, dump->operation[0] == 'I' ? " inserted by" : " dispatched by");
        block_io_append_process(dump->issuer_pid, dump->issuer, dump->issuer_length, out);
    }
}
