#include "ftrace_device.h"

#include <stdio.h>
#include <string.h>

#include "model/partition.h"

enum {
    NAME_BYTES = 80, /* maximum bytes of a device's name */
    MOST_HELD = BLOCK_OUTSTANDING,
    LOGICAL_BLOCK = 8, /* sectors in a logical block of UFS */
    FAILED = -5,       /* error of a failed command: EIO */
    TIMED_OUT = -110,  /* error of a command without an answer: ETIMEDOUT */
    READ_10 = 0x28,
    UNMAP = 0x42,
    OPCODES = 0xFF,
};

/* Reasons (ledger.reason) for rejecting or ignoring lines of commands. */
static const char bad_command[] = "fields are not those of a command to a device";
static const char other_step[] = "step of a command that neither sends nor ends it";
static const char not_begun[] = "command that a driver refused, without its begin";

/* A command as one line describes it. Numbers that the line lacks are EVENT_NONE. */
struct command {
    enum ftrace_device_layer layer;
    bool ends, refused;
    int64_t error;  /* negative error number; 0: none */
    int64_t device; /* number given to the name of the device */
    uint32_t name;
    int64_t tag, bytes, address, blocks, opcode, group, queue;
};

/* In tables `asked` and `handed`: a block request. In `sent`: a command, with process and flags of
 * the block request that it executes. */
struct held {
    struct pending pending;
    struct block_request request;
    char process[BLOCK_PROCESS];
    bool matched;
    struct pending_key block; /* key of the command's block request in `answered` */
    /* Time when the block request was issued; in table `answered`, duration of its command, ns. */
    int64_t asked;
    /* in table `answered`: driver layer that logged the command's end */
    enum ftrace_device_layer layer;
    int64_t queue;
};

/* --- parsing lines of commands ---------------------------------------------------------------- */

static bool ftrace_device_find_device(struct ftrace_device *state, struct command *command,
                                      struct word name) {
    if (!device_names_find(&state->names, name, &command->name)) {
        return false;
    }
    command->device = device_number(DEVICE_MAJORS, command->name - 1);
    return true;
}

/* Parses a number, `4096`, `-1` or `0x28 (READ_10)`; negative numbers mean that there is none. */
static bool parse_number(struct word value, int64_t most, int64_t *number) {
    struct word word = word_next(&value);
    uint64_t bits;

    if (word_begins(word, "0x")) {
        bool good = word_hex(word, (uint64_t)most, &bits);

        *number = (int64_t)bits;
        return good;
    }
    if (!word_signed(word, -1, most, number)) {
        return false;
    }
    *number = *number < 0 ? EVENT_NONE : *number;
    return true;
}

/* Parses the fields of a UFS command, `tag: 7, DB: 0x0, …`. */
static bool parse_ufs_fields(struct word rest, struct command *command) {
    const struct {
        const char *key;
        int64_t most, *number;
    } fields[] = {
        {"tag", UINT32_MAX, &command->tag},
        {"size", (int64_t)BLOCK_IO_BLOCKS * SECTOR_SIZE, &command->bytes},
        {"opcode", OPCODES, &command->opcode},
        {"group_id", UINT8_MAX, &command->group},
        {"hwq_id", INT16_MAX, &command->queue},
    };

    while (rest.length > 0) {
        struct word value = word_field(&rest, ','), key = word_trim(word_field(&value, ':'));

        if (word_is(key, "LBA") && !block_text_parse_sector(&value, &command->address)) {
            return false;
        }
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
            if (word_is(key, fields[i].key) &&
                !parse_number(value, fields[i].most, fields[i].number)) {
                return false;
            }
        }
    }
    return command->tag != EVENT_NONE && command->opcode != EVENT_NONE;
}

/* Parses a line of a UFS driver. Returns NULL if it is a command, otherwise a reason to ignore or
 * reject it. */
static const char *ftrace_device_parse_ufs(struct ftrace_device *state, struct word rest,
                                           struct command *command) {
    struct word step = word_trim(word_field(&rest, ':')), name = word_of("ufs");
    const char *tag = memmem(rest.bytes, rest.length, "tag:", 4);
    char made[NAME_BYTES];

    command->layer = FTRACE_UFS;
    command->ends = word_has(step, "comp");
    if (!command->ends && !word_has(step, "send")) {
        return other_step;
    }
    if (tag == NULL) {
        return bad_command;
    }
    step = word_trim(word_between(rest.bytes, tag));
    if (step.length > 1 && step.length < NAME_BYTES - sizeof "ufs:") {
        name = (struct word){made, (size_t)snprintf(made, sizeof made, "ufs:%.*s",
                                                    (int)step.length - 1, step.bytes)};
    }
    word_skip(&rest, (size_t)(tag - rest.bytes));
    return parse_ufs_fields(rest, command) && ftrace_device_find_device(state, command, name)
               ? NULL
               : bad_command;
}

/* Returns the number after `key` at the start of a word; EVENT_NONE if the key is missing. */
static int64_t ftrace_device_find_number(struct word fields, const char *key, int64_t most) {
    const char *begin = fields.bytes;
    int64_t number = EVENT_NONE;

    while (word_cut_first(&fields, key, NULL)) {
        const char *at = fields.bytes - strlen(key);

        if (at == begin || at[-1] == ' ') {
            return word_next_number(&fields, most, &number) ? number : EVENT_NONE;
        }
    }
    return EVENT_NONE;
}

static bool is_good(struct word result, const char *key, const char *good) {
    struct word value;

    if (!word_cut_first(&result, key, NULL)) {
        return true;
    }
    value = word_next(&result);
    return word_begins(value, good) || word_begins(value, "0x0)") || word_is(value, "0x0");
}

static bool parse_scsi(struct ftrace_device *state, struct word fields, struct command *command) {
    static const char *const parts[] = {"host_no=", "channel=", "id=", "lun="};
    struct word raw = fields, result = fields, name;
    char made[NAME_BYTES] = "scsi";
    uint64_t opcode;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int64_t number = ftrace_device_find_number(fields, parts[i], UINT32_MAX);
        size_t length = strlen(made);

        if (number == EVENT_NONE) {
            return false;
        }
        snprintf(made + length, sizeof made - length, ":%lld", (long long)number);
    }
    if (!word_cut_first(&raw, "raw=", NULL)) {
        return false;
    }
    name = word_next(&raw);
    name.length = name.length < 2 ? name.length : 2; /* the opcode has two digits; `)` may follow */
    if (!word_hex(name, OPCODES, &opcode)) {
        return false;
    }
    command->opcode = (int64_t)opcode;
    command->tag = ftrace_device_find_number(fields, "driver_tag=", UINT32_MAX);
    command->tag = command->tag != EVENT_NONE
                       ? command->tag
                       : ftrace_device_find_number(fields, "tag=", UINT32_MAX);
    command->address = ftrace_device_find_number(fields, "lba=", BLOCK_IO_SECTORS);
    command->blocks = ftrace_device_find_number(fields, "txlen=", BLOCK_IO_BLOCKS / LOGICAL_BLOCK);
    if (word_cut_first(&result, "result=(", NULL) &&
        (!is_good(result, "host=", "DID_OK") || !is_good(result, "status=", "SAM_STAT_GOOD"))) {
        command->error = FAILED;
    }
    return ftrace_device_find_device(state, command, word_of(made));
}

/* --- held requests and commands --------------------------------------------------------------- */

static void ftrace_device_hold(struct pending_table *table, const struct pending_key *key,
                               struct held *held) {
    const struct block_request *request = &held->request;
    size_t length = request->process_length;

    table->size = sizeof *held;
    if (table->count >= MOST_HELD) {
        pending_remove(table, table->oldest);
    }
    length = request->process == NULL ? 0 : length < BLOCK_PROCESS ? length : BLOCK_PROCESS;
    if (length > 0) {
        memmove(held->process, request->process, length);
    }
    held->request.process_length = length;
    pending_add(table, key, PENDING_LAST, &held->pending);
}

/* Removes the oldest entry of a key. False if there is none. */
static bool remove_oldest_held_request(struct pending_table *table, const struct pending_key *key,
                                       struct held *held) {
    struct held *found = (struct held *)pending_find(table, key, PENDING_FIRST);

    if (found == NULL) {
        return false;
    }
    *held = *found;
    if (held->request.process != NULL) {
        held->request.process = held->process;
    }
    pending_remove(table, &found->pending);
    return true;
}

/* Returns the key of a request. Requests without a sector are matched in order of issue. */
static struct pending_key ftrace_device_key_of(uint32_t flags, int64_t device, int64_t sector) {
    enum io_class class = io_class_of(flags);
    bool placed = class != IO_OTHER && class != IO_FLUSH && sector != EVENT_NONE;

    return (struct pending_key){
        .stage = placed                           ? (class == IO_READ || class == IO_READSYNC)
                 : (flags & IO_FLAG_DISCARD) != 0 ? 2
                                                  : 3,
        .device = device,
        .sector = placed ? sector : 0,
    };
}

void ftrace_device_follow_request(struct ftrace_device *state, const struct block_request *request,
                                  struct event *event) {
    struct pending_key key = ftrace_device_key_of(block_stored_flags(request), 0, request->sector),
                       block = key;
    struct held held = {.request = *request};

    block.device = request->device;
    if (block_has_action(request, 'D')) {
        while (remove_oldest_held_request(&state->answered, &block, &(struct held){0})) {
        }
        ftrace_device_hold(&state->asked, &key, &held);
    } else if (block_has_action(request, 'R')) {
        struct pending *newest = pending_find(&state->asked, &key, PENDING_LAST);

        if (newest != NULL) {
            pending_remove(&state->asked, newest);
        }
    } else if (block_has_action(request, 'C')) {
        bool found = remove_oldest_held_request(&state->answered, &block, &held);

        if (found && held.asked >= 0) {
            event->self = held.asked;
        }
        if ((found && held.layer == FTRACE_UFS) ||
            remove_oldest_held_request(&state->handed, &key, &held) || found) {
            return;
        }
        remove_oldest_held_request(&state->asked, &key, &held);
    }
}

/* --- matching commands with block requests ---------------------------------------------------- */

static uint32_t ftrace_device_flags_of(int64_t opcode) {
    uint32_t flags = 0;
    const char *letters = "N";

    switch (opcode) {
    case 0x08: /* SCSI commands READ(6), READ(10), READ(12), READ(16) */
    case READ_10:
    case 0xA8:
    case 0x88:
        letters = "R";
        break;
    case 0x0A: /* WRITE */
    case 0x2A:
    case 0xAA:
    case 0x8A:
        letters = "W";
        break;
    case 0x35: /* SYNCHRONIZE CACHE */
    case 0x91:
        letters = "FN";
        break;
    case UNMAP:
        letters = "D";
        break;
    default:
        break;
    }
    block_parse_rwbs(word_of(letters), &flags);
    return flags;
}

/* Sets sector and length of a command in sectors; `unit` is the number of sectors per LBA. */
static void set_command_sectors(const struct command *command, int64_t unit,
                                struct block_request *request) {
    request->sector =
        command->address == EVENT_NONE || command->address > BLOCK_IO_SECTORS / LOGICAL_BLOCK
            ? EVENT_NONE
            : command->address * unit;
    request->blocks = command->bytes != EVENT_NONE    ? command->bytes / SECTOR_SIZE
                      : command->blocks != EVENT_NONE ? command->blocks * unit
                                                      : 0;
    request->more_bytes = command->bytes != EVENT_NONE ? command->bytes % SECTOR_SIZE : 0;
    if (io_class_of(request->flags) == IO_OTHER && (request->flags & IO_FLAG_DISCARD) == 0) {
        request->sector = EVENT_NONE;
    }
}

/* Moves the block request that a command executes from table `handed` or `asked` to `held`. Returns
 * false if there is none. */
static bool ftrace_device_pop_asked(struct ftrace_device *state, const struct command *command,
                                    const struct block_request *request, struct held *held) {
    struct pending_key key = ftrace_device_key_of(block_stored_flags(request), 0, request->sector);

    return (command->layer == FTRACE_UFS &&
            remove_oldest_held_request(&state->handed, &key, held)) ||
           remove_oldest_held_request(&state->asked, &key, held);
}

/* Finds the block request that a command executes, and by its sector how many sectors an LBA has.
 * Returns false if there is no such request. */
static bool match_block_request(struct ftrace_device *state, const struct command *command,
                                struct block_request *request, struct held *held) {
    static const int64_t units[] = {LOGICAL_BLOCK, 1};
    uint8_t *known = &state->units[command->name];

    for (size_t i = 0; *known == 0 && i < sizeof units / sizeof units[0]; i++) {
        set_command_sectors(command, units[i], request);
        if (ftrace_device_pop_asked(state, command, request, held)) {
            *known = ftrace_device_key_of(request->flags, 0, request->sector).stage < 2
                         ? (uint8_t)units[i]
                         : 0;
            return true;
        }
    }
    if (*known == 0 && command->address != EVENT_NONE && command->bytes != EVENT_NONE &&
        command->address % LOGICAL_BLOCK != 0) {
        *known = LOGICAL_BLOCK;
    }
    set_command_sectors(command,
                        *known != 0                    ? *known
                        : command->layer == FTRACE_UFS ? LOGICAL_BLOCK
                                                       : 1,
                        request);
    if (*known == 0 && request->sector != EVENT_NONE) {
        state->assumed[command->layer] = true;
    }
    return ftrace_device_pop_asked(state, command, request, held);
}

/* Returns the key of a command. Commands without a tag are distinguished by operation and
 * sector. */
static struct pending_key key_of_command(const struct command *command) {
    bool tagged = command->tag != EVENT_NONE;

    return (struct pending_key){.stage = (int64_t)command->layer << 1 | tagged,
                                .device = command->device,
                                .sector = tagged ? command->tag : command->address,
                                .thread = command->opcode};
}

static void ftrace_device_add(struct import *io, struct ftrace_device *state,
                              struct block_trace *trace, const struct command *command,
                              struct held *held) {
    int64_t above = held->matched ? held->block.device : EVENT_NONE;
    struct event *event;
    char text[NAME_BYTES];
    int length;

    held->request.action = command->refused ? "R" : command->ends ? "C" : "D";
    held->request.action_length = 1;
    event = block_trace_add_command(io, trace, &held->request, above);
    event->depth = held->queue == EVENT_NONE ? -1 : (int32_t)held->queue;
    if (command->ends && held->matched && held->request.time >= held->asked) {
        event->response = held->request.time - held->asked;
    }
    length = snprintf(text, sizeof text, "opcode 0x%02llx tag %lld", (long long)command->opcode,
                      (long long)(command->tag == EVENT_NONE ? -1 : command->tag));
    if (command->group != EVENT_NONE && command->group != 0) {
        length += snprintf(text + length, sizeof text - (size_t)length, " group 0x%llx",
                           (long long)command->group);
    }
    import_arguments(io, event, (const uint8_t *)text, (uint32_t)length);
    state->queues |= held->queue != EVENT_NONE;
    state->matched |= held->matched;
}

/* Makes the request of a command from the command's line. If the command executes a block request,
 * sets that one's flags and process. */
static void begin_command(struct ftrace_device *state, const struct command *command,
                          const struct ftrace_line *line, struct held *held) {
    struct block_request *request = &held->request;
    struct held asked;

    *held = (struct held){.request = block_request_empty, .queue = command->queue};
    request->time = line->time;
    request->flags = ftrace_device_flags_of(command->opcode);
    request->device = command->device;
    request->tells_latency = true;
    request->latency = EVENT_NONE;
    held->matched = match_block_request(state, command, request, &asked);
    if (!held->matched) {
        /* At the command's end, the running process is unrelated to it. */
        request->flags |= (uint32_t)(command->ends ? IO_ORIGIN_UNKNOWN : IO_ORIGIN_ISSUED)
                          << IO_ORIGIN_SHIFT;
        request->pid = command->ends ? EVENT_NONE : line->tid;
        request->process = command->ends ? NULL : line->task.bytes;
        request->process_length = command->ends ? 0 : line->task.length;
        return;
    }
    if (command->layer == FTRACE_SCSI) {
        struct pending_key place = asked.pending.key;

        ftrace_device_hold(&state->handed, &place, &asked);
    }
    held->block = ftrace_device_key_of(block_stored_flags(&asked.request), asked.request.device,
                                       asked.request.sector);
    held->asked = asked.request.time;
    request->flags = asked.request.flags | IO_FLAG_BELOW;
    request->pid = asked.request.pid;
    request->process_length = asked.request.process_length;
    request->process = asked.request.process == NULL
                           ? NULL
                           : memcpy(held->process, asked.process, sizeof held->process);
    if (request->sector == EVENT_NONE || request->blocks == 0) {
        request->sector = asked.request.sector;
        request->blocks = asked.request.blocks;
    }
}

static void send_command(struct import *io, struct ftrace_device *state, struct block_trace *trace,
                         const struct command *command, const struct ftrace_line *line) {
    struct pending_key key = key_of_command(command);
    struct held held;

    while (remove_oldest_held_request(&state->sent, &key, &held)) {
        state->reused++;
    }
    begin_command(state, command, line, &held);
    ftrace_device_add(io, state, trace, command, &held);
    ftrace_device_hold(&state->sent, &key, &held);
}

static void end_command(struct import *io, struct ftrace_device *state, struct block_trace *trace,
                        const struct command *command, const struct ftrace_line *line) {
    struct pending_key key = key_of_command(command);
    struct held held, answer;

    if (remove_oldest_held_request(&state->sent, &key, &held)) {
        held.request.latency =
            line->time >= held.request.time ? line->time - held.request.time : EVENT_NONE;
    } else {
        begin_command(state, command, line, &held);
        state->endless++;
    }
    held.request.time = line->time;
    held.request.value = command->error != 0 ? command->error : EVENT_NONE;
    ftrace_device_add(io, state, trace, command, &held);
    /* If SCSI and UFS log the command, the end logged first is used: the lower driver's. */
    if (held.matched && pending_find(&state->answered, &held.block, PENDING_FIRST) == NULL) {
        answer = held;
        answer.asked = held.request.latency;
        answer.layer = command->layer;
        ftrace_device_hold(&state->answered, &held.block, &answer);
    }
}

/* Undoes the start of a command that the driver refused; its block request then waits for the next
 * command. Returns false if the start is not in the log. */
static bool refuse_command(struct import *io, struct ftrace_device *state,
                           struct block_trace *trace, const struct command *command,
                           const struct ftrace_line *line) {
    struct pending_key key = key_of_command(command), place;
    struct held held, asked;

    if (!remove_oldest_held_request(&state->sent, &key, &held)) {
        return false;
    }
    place = ftrace_device_key_of(block_stored_flags(&held.request), 0, held.request.sector);
    if (held.matched && remove_oldest_held_request(&state->handed, &place, &asked)) {
        ftrace_device_hold(&state->asked, &place, &asked);
    }
    held.request.time = line->time;
    ftrace_device_add(io, state, trace, command, &held);
    return true;
}

struct ftrace_outcome ftrace_device_handle(struct import *io, struct ftrace_device *state,
                                           struct block_trace *trace,
                                           const struct ftrace_line *line) {
    struct command command = {.tag = EVENT_NONE,
                              .bytes = EVENT_NONE,
                              .address = EVENT_NONE,
                              .blocks = EVENT_NONE,
                              .opcode = EVENT_NONE,
                              .group = EVENT_NONE,
                              .queue = EVENT_NONE};
    const char *damage;

    if (word_is(line->event, "ufshcd_command")) {
        damage = ftrace_device_parse_ufs(state, line->fields, &command);
    } else if (word_is(line->event, "scsi_dispatch_cmd_start") ||
               word_is(line->event, "scsi_dispatch_cmd_done") ||
               word_is(line->event, "scsi_dispatch_cmd_error") ||
               word_is(line->event, "scsi_dispatch_cmd_timeout")) {
        command.refused = word_ends(line->event, "error");
        command.ends = !command.refused && !word_ends(line->event, "start");
        damage = parse_scsi(state, line->fields, &command) ? NULL : bad_command;
        command.error = word_ends(line->event, "timeout") ? TIMED_OUT : command.error;
    } else {
        return ftrace_other;
    }
    if (damage != NULL) {
        return damage == other_step ? ftrace_ignored(damage) : ftrace_damaged(damage);
    }
    if (command.refused) {
        return refuse_command(io, state, trace, &command, line) ? ftrace_taken
                                                                : ftrace_ignored(not_begun);
    }
    (command.ends ? end_command : send_command)(io, state, trace, &command, line);
    return ftrace_taken;
}

void ftrace_device_end(struct import *io, struct ftrace_device *state, bool failed) {
    static const struct event_meaning queue = {EVENT_PLACE_DEPTH, "", "queue", ""},
                                      took = {EVENT_PLACE_SELF, "", "device", "clock"};

    if (!failed) {
        if (state->queues) {
            import_add_meaning(io, &queue);
        }
        if (state->matched) {
            import_add_meaning(io, &took);
        }
        device_names_add_remark(io, &state->names, DEVICE_MAJORS);
        if (state->assumed[FTRACE_UFS]) {
            import_remark(io, "LBAs of UFS are taken for blocks of 4 KiB: no request in the log "
                              "shows the unit, and older kernels count 512 bytes");
        }
        if (state->assumed[FTRACE_SCSI]) {
            import_remark(io, "LBAs of SCSI are taken for blocks of 512 bytes: no request in the "
                              "log shows the unit");
        }
        import_remark_count(io, state->reused,
                            "%lld command{s} to a device {has|have} no end in the log: {its|their} "
                            "tag was used again before one");
        import_remark_count(io, state->endless,
                            "%lld end{s} of commands to a device {has|have} no begin in the log");
    }
    pending_free(&state->asked);
    pending_free(&state->handed);
    pending_free(&state->sent);
    pending_free(&state->answered);
    device_names_free(&state->names);
}
