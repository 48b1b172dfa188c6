#include "block_io.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* --- fields that text formats share ----------------------------------------------------------- */

bool block_io_parse_number(const char *digits, size_t length, int64_t limit, int64_t *number) {
    *number = 0;
    if (length == 0 || length > 18) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return false;
        }
        *number = *number * 10 + (digits[i] - '0');
    }
    return *number <= limit;
}

bool block_io_parse_time(const char *string, size_t length, int64_t *nanoseconds) {
    const char *point = memchr(string, '.', length);
    int64_t seconds, billionths;

    if (point == NULL || string + length - point != 10 ||
        !block_io_parse_number(string, (size_t)(point - string), INT64_C(2000000000), &seconds) ||
        !block_io_parse_number(point + 1, 9, 999999999, &billionths)) {
        return false;
    }
    *nanoseconds = seconds * 1000000000 + billionths;
    return true;
}

bool block_io_parse_rwbs(const char *letters, size_t length, uint32_t *flags) {
    bool read = false, write = false, sync = false;

    *flags = 0;
    for (size_t i = 0; i < length; i++) {
        switch (letters[i]) {
        case 'R':
            read = true;
            break;
        case 'W':
            write = true;
            break;
        case 'S':
            sync = true;
            break;
        case 'F':
            *flags |= read || write ? IO_FLAG_FUA : IO_FLAG_FLUSH;
            break;
        case 'D':
            *flags |= IO_FLAG_DISCARD;
            break;
        case 'M':
            *flags |= IO_FLAG_METADATA;
            break;
        case 'A':
            *flags |= IO_FLAG_READ_AHEAD;
            break;
        case 'B':
            *flags |= IO_FLAG_BARRIER;
            break;
        case 'N':
            break;
        default:
            return false;
        }
    }
    *flags |= read    ? (sync ? IO_READSYNC : IO_READ)
              : write ? (sync ? IO_WRITESYNC : IO_WRITE)
                      : IO_OTHER;
    return length > 0;
}

/* Between the direction and S. */
static const struct {
    uint32_t flag;
    char letter;
} later_letters[] = {
    {IO_FLAG_FUA, 'F'},
    {IO_FLAG_READ_AHEAD, 'A'},
    {IO_FLAG_BARRIER, 'B'},
};

static bool is_read(uint32_t flags) {
    return io_class_of(flags) == IO_READ || io_class_of(flags) == IO_READSYNC;
}

static bool is_write(uint32_t flags) {
    return io_class_of(flags) == IO_WRITE || io_class_of(flags) == IO_WRITESYNC;
}

void block_io_append_rwbs(uint32_t flags, struct text *out) {
    if (flags & IO_FLAG_FLUSH) {
        text_append_char(out, 'F');
    }
    if (flags & IO_FLAG_DISCARD) {
        text_append_char(out, 'D');
    }
    if (is_read(flags) || is_write(flags)) {
        text_append_char(out, is_read(flags) ? 'R' : 'W');
    } else if (!(flags & IO_FLAG_DISCARD)) {
        text_append_char(out, 'N');
    }
    for (size_t i = 0; i < sizeof later_letters / sizeof later_letters[0]; i++) {
        if (flags & later_letters[i].flag) {
            text_append_char(out, later_letters[i].letter);
        }
    }
    if (io_class_of(flags) == IO_READSYNC || io_class_of(flags) == IO_WRITESYNC) {
        text_append_char(out, 'S');
    }
    if (flags & IO_FLAG_METADATA) {
        text_append_char(out, 'M');
    }
}

/* --- issue to completion ------------------------------------------------------------------------
 */

enum direction {
    DIRECTION_READ,
    DIRECTION_WRITE,
    DIRECTION_DISCARD,
    DIRECTION_OTHER,
    DIRECTION_FLUSH
};

struct request_key {
    int64_t device;
    int64_t sector; /* of a flush: its number */
    int64_t direction;
};

struct outstanding {
    UT_hash_handle hh; /* keeps the order of issue */
    struct request_key key;
    int64_t issued; /* time */
    int64_t blocks;
};

static bool is_bare_flush(const struct block_request *request) {
    return (request->flags & IO_FLAG_FLUSH) != 0 &&
           (request->sector == EVENT_NONE || request->blocks == EVENT_NONE || request->blocks == 0);
}

static struct request_key key_of(const struct block_request *request) {
    struct request_key key;

    memset(&key, 0, sizeof key);
    key.device = request->device;
    key.sector = request->sector;
    key.direction = request->flags & IO_FLAG_DISCARD ? DIRECTION_DISCARD
                    : is_read(request->flags)        ? DIRECTION_READ
                    : is_write(request->flags)       ? DIRECTION_WRITE
                                                     : DIRECTION_OTHER;
    return key;
}

static struct outstanding *find(const struct block_io *state, const struct request_key *key) {
    struct outstanding *found;

    HASH_FIND(hh, state->outstanding, key, sizeof *key, found);
    return found;
}

/* `hh.next` of a spare one leads to the next. */
static void forget(struct block_io *state, struct outstanding *request) {
    HASH_DEL(state->outstanding, request);
    request->hh.next = state->spare;
    state->spare = request;
}

static struct outstanding *new_outstanding(struct block_io *state) {
    struct outstanding *request = state->spare;

    if (request == NULL) {
        return calloc(1, sizeof *request);
    }
    state->spare = request->hh.next;
    return request;
}

static void free_outstanding(struct block_io *state) {
    while (state->outstanding != NULL) {
        forget(state, state->outstanding);
    }
    while (state->spare != NULL) {
        struct outstanding *request = state->spare;

        state->spare = request->hh.next;
        free(request);
    }
}

/* A request that cannot be remembered for lack of memory only loses its latency. */
static void remember(struct block_io *state, const struct request_key *key, int64_t issued,
                     int64_t blocks) {
    struct outstanding *request = find(state, key);

    if (request != NULL) {
        /* Issued again, after a requeue: the last issue counts. */
        request->issued = issued;
        request->blocks = blocks;
        return;
    }
    if (HASH_COUNT(state->outstanding) >= BLOCK_IO_OUTSTANDING) {
        state->given_up++;
        forget(state, state->outstanding);
    }
    request = new_outstanding(state);
    if (request == NULL) {
        return;
    }
    request->key = *key;
    request->issued = issued;
    request->blocks = blocks;
    HASH_ADD(hh, state->outstanding, key, sizeof request->key, request);
    if (!hash_added(request)) {
        free(request);
    }
}

/* The flushes of a device; NULL when there are too many devices. */
static struct flushes *flushes_of(struct block_io *state, int64_t device) {
    for (size_t i = 0; i < state->device_count; i++) {
        if (state->flushes[i].device == device) {
            return &state->flushes[i];
        }
    }
    if (state->device_count == BLOCK_IO_DEVICES) {
        return NULL;
    }
    state->flushes[state->device_count] = (struct flushes){.device = device};
    return &state->flushes[state->device_count++];
}

static void issue(struct block_io *state, const struct block_request *request) {
    struct request_key key = key_of(request);
    int64_t blocks = request->blocks == EVENT_NONE ? 0 : request->blocks;
    struct flushes *flushes;

    if (is_bare_flush(request)) {
        flushes = flushes_of(state, request->device);
        if (flushes != NULL) {
            key.direction = DIRECTION_FLUSH;
            key.sector = flushes->issued++;
            remember(state, &key, request->time, 0);
        }
    } else if (request->sector != EVENT_NONE) {
        remember(state, &key, request->time, blocks);
    }
}

/* The oldest flush of the device that is outstanding. */
static struct outstanding *oldest_flush(struct block_io *state, int64_t device) {
    struct flushes *flushes = flushes_of(state, device);
    struct request_key key;

    if (flushes == NULL || flushes->completed == flushes->issued) {
        return NULL;
    }
    memset(&key, 0, sizeof key);
    key.device = device;
    key.direction = DIRECTION_FLUSH;
    key.sector = flushes->completed++;
    return find(state, &key);
}

/* Takes `blocks` from the request's sector on off the outstanding ones: what is left of the last
 * one stays. */
static void complete(struct block_io *state, struct outstanding *request, int64_t blocks) {
    while (request != NULL) {
        struct request_key rest = request->key;
        int64_t issued = request->issued, left = request->blocks - blocks;
        int64_t covered = request->blocks;

        forget(state, request);
        if (left > 0) {
            rest.sector += blocks;
            remember(state, &rest, issued, left);
            return;
        }
        blocks -= covered;
        rest.sector += covered;
        request = blocks > 0 && covered > 0 ? find(state, &rest) : NULL;
    }
}

/* Issue to completion, EVENT_NONE when the issue was not seen. */
static int64_t latency(struct block_io *state, const struct block_request *request) {
    struct request_key key = key_of(request);
    struct outstanding *issued =
        is_bare_flush(request) ? oldest_flush(state, request->device) : find(state, &key);
    int64_t duration;

    /* A completion without a length that is no flush ends a whole of several requests, which have
     * completed themselves; another I/O may be on its way at its sector. */
    if (!is_bare_flush(request) && request->blocks == 0 &&
        (issued == NULL || issued->blocks != 0)) {
        return EVENT_NONE;
    }
    state->completed++;
    if (issued == NULL || issued->issued > request->time) {
        state->unmatched++;
        return EVENT_NONE;
    }
    duration = request->time - issued->issued;
    complete(state, issued, request->blocks == EVENT_NONE ? 0 : request->blocks);
    return duration;
}

/* --- events
 * ---------------------------------------------------------------------------------------- */

const struct event_meaning block_io_meanings[] = {
    {EVENT_PLACE_DURATION, "", "latency", "clock"},
    {EVENT_PLACE_ACTOR, "", "process", ""},
    {EVENT_PLACE_OBJECT, "", "file", ""},
    {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {0},
};

bool block_io_begin(struct import *import, struct block_io *state, struct error *error) {
    return file_types_init(&state->types, import_config(import), error) &&
           memo_init(&state->processes, error) && memo_init(&state->files, error);
}

/* Whether an entry, filled in unless it was known, has its ids: 0 stands for a failure. */
static bool has_ids(struct memo_entry *entry) {
    if (entry->values[0] != 0 && entry->values[1] != 0) {
        return true;
    }
    memo_forget(entry);
    return false;
}

static bool find_action(struct import *import, struct block_io *state,
                        const struct block_request *request, struct event *event) {
    const struct name_entry name = {.kind = "action",
                                    .code = EVENT_NONE,
                                    .text = request->action,
                                    .length = request->action_length};
    unsigned letter = (unsigned char)request->action[0] - (unsigned)'A';

    if (request->action_length != 1 || letter > 'Z' - 'A') {
        event->operation = import_name(import, &name);
    } else {
        if (state->actions[letter] == 0) {
            state->actions[letter] = import_name(import, &name);
        }
        event->operation = state->actions[letter];
    }
    return event->operation != 0;
}

static bool find_process(struct import *import, struct block_io *state,
                         const struct block_request *request, struct event *event) {
    struct memo_key key = {
        {request->pid, request->process == NULL}, request->process, request->process_length};
    bool known;
    struct memo_entry *entry = memo_find(&state->processes, &key, &known);

    if (!known) {
        entry->values[0] =
            import_actor(import, &(struct actor_entry){1, request->pid, EVENT_NONE, EVENT_NONE,
                                                       request->process, request->process_length});
        entry->values[1] = import_label(import, request->process == NULL ? "" : request->process,
                                        request->process_length);
    }
    if (!has_ids(entry)) {
        return false;
    }
    event->actor = entry->values[0];
    event->process = entry->values[1];
    return true;
}

static bool find_file(struct import *import, struct block_io *state,
                      const struct block_request *request, struct event *event) {
    size_t length = request->file == NULL ? 0 : request->file_length;
    struct memo_key key = {{request->device, (intptr_t)request->file_type}, request->file, length};
    bool known;
    struct memo_entry *entry = memo_find(&state->files, &key, &known);

    if (!known) {
        const char *type = request->file_type != NULL
                               ? request->file_type
                               : file_types_find(&state->types, request->file, length);

        entry->values[0] =
            import_object(import, &(struct object_entry){length > 0 ? request->file : NULL, length,
                                                         type, request->device});
        entry->values[1] = import_label(import, type, strlen(type));
    }
    if (!has_ids(entry)) {
        return false;
    }
    event->object = entry->values[0];
    event->file_type = entry->values[1];
    return true;
}

/* The name of a partition stays where it is. */
static bool find_partition(struct import *import, struct block_io *state,
                           const struct block_request *request, struct event *event) {
    const char *name = import_partition(import, request->device, request->sector);

    if (name != state->partition || state->partition_label == 0) {
        state->partition = name;
        state->partition_label = import_label(import, name, strlen(name));
    }
    event->partition = state->partition_label;
    return event->partition != 0;
}

/* Ids of what the request speaks of. */
static bool find_names(struct import *import, struct block_io *state,
                       const struct block_request *request, struct event *names) {
    return find_action(import, state, request, names) &&
           find_process(import, state, request, names) &&
           find_file(import, state, request, names) &&
           find_partition(import, state, request, names);
}

static bool is_action(const struct block_request *request, char letter) {
    return request->action_length == 1 && request->action[0] == letter;
}

bool block_io_keep(struct import *import, struct block_io *state,
                   const struct block_request *request) {
    struct event names;
    struct event *event;

    if (!find_names(import, state, request, &names) || (event = import_event(import)) == NULL) {
        return false;
    }
    event->time = request->time;
    event->operation = names.operation;
    event->actor = names.actor;
    event->object = names.object;
    event->file_type = names.file_type;
    event->process = names.process;
    event->partition = names.partition;
    event->flags = request->flags;
    event->address = request->sector;
    event->size = request->blocks == EVENT_NONE ? EVENT_NONE : request->blocks * SECTOR_SIZE;
    event->value = request->value;
    if (is_action(request, 'D')) {
        state->issued++;
        issue(state, request);
    } else if (is_action(request, 'C')) {
        event->duration = latency(state, request);
    }
    return true;
}

void block_io_end(struct import *import, struct block_io *state, bool failed) {
    int64_t open = state->given_up + (int64_t)HASH_COUNT(state->outstanding);

    /* A log that holds no issues at all does not miss any. */
    if (!failed && state->issued > 0 && state->unmatched > 0) {
        import_remark(import, "%lld of %lld completions had no matching issue: no latency",
                      (long long)state->unmatched, (long long)state->completed);
    }
    if (!failed && open > 0) {
        import_remark(import, "%lld issued requests had no matching completion", (long long)open);
    }
    free_outstanding(state);
    memo_free(&state->processes);
    memo_free(&state->files);
    file_types_free(&state->types);
}

/* --- dump
 * ------------------------------------------------------------------------------------------- */

void block_io_dump(const struct dump_event *dump, struct text *out) {
    static const char *const block_types[] = {"none",     "data",      "journal",
                                              "metadata", "anonymous", "?"};
    const struct event *event = &dump->event;
    unsigned block_type = io_block_type_of(event->flags);

    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    block_io_append_rwbs(event->flags, out);
    if (event->address != EVENT_NONE) {
        text_append_char(out, ' ');
        text_append_integer(out, event->address);
    }
    if (event->size != EVENT_NONE) {
        text_append_string(out, " + ");
        text_append_integer(out, event->size / SECTOR_SIZE);
    }
    text_append_string(out, " [");
    if (dump->pid != EVENT_NONE) {
        text_append_integer(out, dump->pid);
        text_append_char(out, ' ');
    }
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_string(out, "] ");
    text_append_string(out, block_types[block_type < 5 ? block_type : 5]);
    if (dump->object_length > 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->object, dump->object_length);
    }
    if (event->duration != EVENT_NONE) {
        text_append_string(out, " latency ");
        text_append_seconds(out, event->duration);
    }
}
