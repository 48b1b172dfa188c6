#include "perfetto.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "input/bytes.h"
#include "input/unpack.h"

enum {
    PACKET_TAG = 0x0a,
    HEAD_MOST = 11, /* maximum bytes of the tag and length before a packet */
    CPU_MOST = 4096,
    SNIFFED = 3, /* number of packets read to detect the format */
    /* After so many fields without an event, an empty record is returned, so that the import can be
       interrupted. */
    FIELDS_AT_ONCE = 1 << 16,
    BUNDLE_EVENTS = 1 << 21,
    BUNDLE_NAMES = 1 << 16,
};

/* Field numbers of a packet (TracePacket). */
enum {
    PACKET_FTRACE = 1,
    PACKET_TREE = 2,
    PACKET_CLOCKS = 6,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12, /* names and defaults, for this packet and later ones of its sequence */
    PACKET_PROCESS = 43,  /* descriptor of a process, from older versions of Chrome */
    PACKET_THREAD = 44,
    PACKET_SYSTEM = 45,
    PACKET_ZLIB = 50,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_ZSTD = 133,
};

/* Field numbers of a bundle of ftrace events (FtraceEventBundle). */
enum {
    BUNDLE_CPU = 1,
    BUNDLE_EVENT,
    BUNDLE_LOST,
    BUNDLE_COMPACT,
    BUNDLE_CLOCK,
    BUNDLE_CLOCK_TIME,
    BUNDLE_BOOT_TIME,
};

/* Numbers of ftrace clocks whose times can be converted. The other clocks are per CPU. */
enum { CLOCK_OF_BOOT = 0, CLOCK_MONOTONIC_RAW = 4 };

/* Bits of an event's flags: the kernel's context, as in the flags column of ftrace's text. */
enum { FLAG_IRQS_OFF = 1, FLAG_RESCHED = 4, FLAG_HARDIRQ = 8, FLAG_SOFTIRQ = 16, FLAG_NMI = 64 };

/* Field numbers of an event (FtraceEvent). Other fields are messages of one event type each. */
enum {
    EVENT_TIME = 1,
    EVENT_PID = 2,
    EVENT_SWITCH = 4,
    EVENT_COMMON_FLAGS = 5,
    EVENT_BLOCKED = 18
};

/* Field numbers of sched_switch. */
enum { SWITCHED_TO_NAME = 5, SWITCHED_TO_PID, SWITCHED_TO_PRIO };

/* Field of sched_blocked_reason: the number of an interned function name. */
enum { BLOCKED_IN = 2 };

/* Field numbers of compact_sched; each field is a column of values. */
enum {
    SWITCH_TIME = 1,
    SWITCH_STATE,
    SWITCH_PID,
    SWITCH_PRIO,
    NAMES,
    SWITCH_NAME,
    WAKING_TIME,
    WAKING_PID,
    WAKING_CPU,
    WAKING_PRIO,
    WAKING_NAME,
    WAKING_FLAGS,
    COLUMNS,
    COLUMNS_OF_EVENT = 5, /* columns of a switch or wakeup; newer wakeups have a sixth, flags */
};

/* --- events as lines -------------------------------------------------------------------------- */

enum item_kind {
    ITEM_LOSS, /* the kernel lost events */
    ITEM_DROP, /* Perfetto dropped packets with events */
    ITEM_EVENT,
    ITEM_SWITCH,
    ITEM_WAKING,
    ITEM_MARK,
    ITEM_PACKET,
    ITEM_DAMAGE
};

/* An item from which a line is made: an event, a loss, a mark, or a packet to be counted only. */
struct perfetto_item {
    int64_t time;
    uint32_t order; /* index of the event in its bundle, from 1 */
    enum item_kind kind;
    union {
        struct {
            const uint8_t *at; /* bytes of the event's message, borrowed */
            uint32_t length;
        } event;
        int32_t
            /* of a switch or wakeup: tid, priority, name, state or CPU, flags */
            columns[5];
        uint64_t packet; /* field number of a packet that is only counted */
    };
};

/* A CPU and the thread that runs on it. */
struct perfetto_cpu {
    int64_t tid; /* EVENT_NONE: unknown */
    int64_t priority;
    bool lost;    /* true: the kernel lost events before the CPU's next bundle */
    bool dropped; /* true: before the CPU's next bundle, Perfetto dropped packets with events */
    char name[PERFETTO_COMM];
};

static struct perfetto_cpu *find_or_add_cpu(struct perfetto *state, uint64_t number) {
    while (state->cpu_count <= number) {
        state->cpus = xreallocarray(state->cpus, state->cpu_count + 1, sizeof *state->cpus);
        state->cpus[state->cpu_count++] = (struct perfetto_cpu){.tid = EVENT_NONE};
    }
    return &state->cpus[number];
}

/* Returns whether a thread's name can begin a line: no part of it looks like the next columns. */
static bool perfetto_is_plain(const char *name) {
    return name[strcspn(name, "[\n")] == '\0' && strstr(name, ": ") == NULL && *name != '\0';
}

/* Appends the flags column of a line, for an event in an interrupt. */
static void append_sched_flags(struct text *out, uint64_t flags) {
    bool hard = (flags & FLAG_HARDIRQ) != 0, soft = (flags & FLAG_SOFTIRQ) != 0;
    char letter = (flags & FLAG_NMI) != 0 ? hard ? 'Z' : 'z' : hard ? soft ? 'H' : 'h' : 's';

    if (hard || soft || (flags & FLAG_NMI) != 0) {
        text_append_char(out, (flags & FLAG_IRQS_OFF) != 0 ? 'd' : '.');
        text_append_char(out, (flags & FLAG_RESCHED) != 0 ? 'n' : '.');
        text_append_char(out, letter);
        text_append_string(out, ". ");
    }
}

/* Appends ` NAME-TID (PID) [CPU] FLAGS TIME: EVENT: `, without parts that are unknown. The name in
 * the CPU's last switch takes precedence over names from elsewhere. */
static void perfetto_append_head(struct text *out, const struct perfetto *state, int64_t tid,
                                 uint64_t flags, int64_t time, const char *event) {
    const struct perfetto_cpu *cpu = &state->cpus[state->cpu];
    const struct perfetto_thread *thread = perfetto_names_thread(&state->known, tid);
    const char *name = "<...>";

    if (tid == 0) {
        name = "<idle>";
    } else if (cpu->tid == tid && perfetto_is_plain(cpu->name)) {
        name = cpu->name;
    } else if (thread != NULL && perfetto_is_plain(thread->name)) {
        name = thread->name;
    }
    text_append_char(out, ' ');
    text_append_string(out, name);
    text_append_char(out, '-');
    text_append_integer(out, tid);
    text_append_char(out, ' ');
    if (thread != NULL && thread->pid != 0) {
        text_append_char(out, '(');
        text_append_integer(out, thread->pid);
        text_append_string(out, ") ");
    }
    text_append_char(out, '[');
    text_append_integer(out, (int64_t)state->cpu);
    text_append_string(out, "] ");
    append_sched_flags(out, flags);
    text_append_format(out, "%lld.%09lld: %s: ", (long long)(time / SECOND),
                       (long long)(time % SECOND), event);
}

/* Implements `complete` of ftrace_text: if a line lacks name or process of its thread, sets those
 * that were read after the event. */
static void complete_line(const struct ftrace_text *file, struct ftrace_line *line) {
    const struct perfetto *state = (const struct perfetto *)file;
    bool nameless = line->task.length == 0 || word_is(line->task, "<...>");
    const struct perfetto_thread *thread;

    if (line->tid <= 0 || (!nameless && line->pid != EVENT_NONE)) {
        return;
    }
    thread = perfetto_names_thread(&state->known, line->tid);
    if (thread != NULL) {
        line->pid = line->pid == EVENT_NONE && thread->pid != 0 ? thread->pid : line->pid;
        line->task = nameless ? word_of(thread->name) : line->task;
    }
}

/* Appends a line for a packet or event that is only counted: `#NAME`, or `#WHAT_NUMBER` if the
 * field number is unknown. */
static void append_note(struct text *out, const struct perfetto_kind *kind, const char *what,
                        uint64_t field) {
    text_append_char(out, '#');
    if (kind != NULL) {
        text_append_string(out, kind->name);
    } else {
        text_append_format(out, "%s_%llu", what, (unsigned long long)field);
    }
}

/* Sets the thread that runs on a CPU from now on. */
static void note_switch(struct perfetto_cpu *cpu, int64_t tid, int64_t priority, struct wire name) {
    cpu->tid = tid;
    cpu->priority = priority;
    perfetto_names_copy(cpu->name, name);
}

/* Appends the line of an event that is a message of its own, unlike those of compact_sched. */
static void perfetto_append_event(struct text *out, struct perfetto *state,
                                  const struct perfetto_item *item) {
    struct wire event = wire_of_bytes(item->event.at, item->event.length);
    struct wire_field field, body = {0};
    const struct perfetto_kind *kind;
    struct perfetto_cpu *cpu = &state->cpus[state->cpu];
    struct perfetto_message message;
    int64_t tid = 0;
    uint64_t flags = 0;

    while (wire_next(&event, &field)) {
        if (field.number == EVENT_PID) {
            tid = (int64_t)(field.value & INT32_MAX);
            if (cpu->tid == EVENT_NONE) {
                note_switch(cpu, tid, 0, (struct wire){0});
            }
        } else if (field.number == EVENT_COMMON_FLAGS) {
            flags = field.value;
        } else if (field.number > EVENT_PID) {
            body = field;
        }
    }
    kind = perfetto_event_kind(body.number);
    if (kind == NULL || kind->text == NULL) {
        append_note(out, kind, "event", body.number);
        return;
    }
    perfetto_message_read(&message, body.bytes);
    if (body.number == EVENT_BLOCKED) {
        message.fields[BLOCKED_IN].bytes =
            perfetto_names_find(&state->known, PERFETTO_FUNCTION, message.fields[BLOCKED_IN].value);
    }
    perfetto_append_head(out, state, tid, flags, item->time, kind->name);
    perfetto_message_append(out, kind->text, &message);
    if (body.number == EVENT_SWITCH) {
        note_switch(cpu, (int32_t)message.fields[SWITCHED_TO_PID].value,
                    (int32_t)message.fields[SWITCHED_TO_PRIO].value,
                    message.fields[SWITCHED_TO_NAME].bytes);
    }
}

static struct wire name_at(const struct perfetto *state, int32_t index) {
    return index >= 0 && (size_t)index < state->name_count ? state->names[index] : (struct wire){0};
}

static void append_waking(struct text *out, const struct perfetto *state,
                          const struct perfetto_cpu *cpu, const struct perfetto_item *item) {
    perfetto_append_head(out, state, cpu->tid == EVENT_NONE ? 0 : cpu->tid,
                         (uint64_t)item->columns[4], item->time, "sched_waking");
    text_append_string(out, "comm=");
    perfetto_string_append(out, name_at(state, item->columns[2]));
    text_append_format(out, " pid=%d prio=%d target_cpu=%d", item->columns[0], item->columns[1],
                       item->columns[3]);
}

/* Appends the line of a switch, and notes the thread that the CPU runs from then on. If the thread
 * before is unknown, the line is one of the thread after it: that one runs from then on. */
static void append_switch(struct text *out, const struct perfetto *state, struct perfetto_cpu *cpu,
                          const struct perfetto_item *item) {
    struct wire name = name_at(state, item->columns[2]);

    if (cpu->tid == EVENT_NONE) {
        note_switch(cpu, item->columns[0], item->columns[1], name);
        perfetto_append_head(out, state, cpu->tid, 0, item->time, PERFETTO_FIRST_SWITCH);
    } else {
        perfetto_append_head(out, state, cpu->tid, 0, item->time, "sched_switch");
        text_append_string(out, "prev_comm=");
        perfetto_string_append(out, wire_of_bytes(cpu->name, strlen(cpu->name)));
        text_append_format(out, " prev_pid=%lld prev_prio=%lld prev_state=%d ==> ",
                           (long long)cpu->tid, (long long)cpu->priority, item->columns[3]);
        text_append_string(out, "next_comm=");
        perfetto_string_append(out, name);
        text_append_format(out, " next_pid=%d next_prio=%d", item->columns[0], item->columns[1]);
    }
    note_switch(cpu, item->columns[0], item->columns[1], name);
}

/* Appends a line that is no event, but has its place among the events: `WHAT-0 [CPU] TIME: `. */
static void perfetto_append_mark(struct text *out, const char *what, uint64_t cpu, int64_t time) {
    text_append_format(out, "%s-0 [%u] %lld.%09lld: ", what, (unsigned)cpu,
                       (long long)(time / SECOND), (long long)(time % SECOND));
}

static void append_event_of_message(struct text *out, struct perfetto *state,
                                    const struct perfetto_item *item) {
    struct perfetto_cpu *cpu = find_or_add_cpu(state, state->cpu);

    switch (item->kind) {
    case ITEM_LOSS:
    case ITEM_DROP:
        cpu->tid = EVENT_NONE;
        perfetto_append_mark(out, item->kind == ITEM_LOSS ? PERFETTO_LOST : PERFETTO_DROPPED,
                             state->cpu, item->time);
        break;
    case ITEM_EVENT:
        perfetto_append_event(out, state, item);
        break;
    case ITEM_SWITCH:
        append_switch(out, state, cpu, item);
        break;
    case ITEM_WAKING:
        append_waking(out, state, cpu, item);
        break;
    case ITEM_MARK:
        text_append(out, text_string(&state->mark), state->mark.length);
        break;
    case ITEM_PACKET:
        append_note(out, perfetto_packet_kind(item->packet), "packet", item->packet);
        break;
    case ITEM_DAMAGE:
        text_append_char(out, '#');
    }
}

/* --- bundles of events ------------------------------------------------------------------------ */

static struct perfetto_item *new_bundle_event(struct perfetto *state, enum item_kind kind,
                                              uint64_t time) {
    struct perfetto_item *item = ARRAY_NEW(state->items, state->item_count, state->item_room);

    *item = (struct perfetto_item){
        .time = (int64_t)time, .order = (uint32_t)state->item_count, .kind = kind};
    return item;
}

/* Returns whether the bundle has room for another event, and its time is in range. */
static bool perfetto_has_room(const struct perfetto *state, uint64_t time) {
    return state->item_count < BUNDLE_EVENTS && time <= PERFETTO_TIME_MOST;
}

/* Reads the next value of each of `count` columns. Returns false at the end or at damage. */
static bool next_of_columns(struct wire *columns, const int *wanted, int count, uint64_t *values) {
    for (int i = 0; i < count; i++) {
        struct wire *column = &columns[wanted[i]];

        if (column->at == column->end || !wire_varint(column, &values[i])) {
            return false;
        }
    }
    return true;
}

/* Adds events from `count` columns; the first one has differences of times. False on damage. */
static bool perfetto_add_columns(struct perfetto *state, struct wire *columns, enum item_kind kind,
                                 const int *wanted, int count) {
    uint64_t values[COLUMNS_OF_EVENT + 1] = {0}, time = 0;

    while (next_of_columns(columns, wanted, count, values)) {
        struct perfetto_item *item;

        time += values[0];
        if (values[0] > PERFETTO_TIME_MOST || !perfetto_has_room(state, time)) {
            return false;
        }
        item = new_bundle_event(state, kind, time);
        for (int i = 1; i <= COLUMNS_OF_EVENT; i++) {
            item->columns[i - 1] = (int32_t)values[i];
        }
    }
    for (int i = 0; i < count; i++) {
        if (columns[wanted[i]].at != columns[wanted[i]].end || columns[wanted[i]].damaged) {
            return false;
        }
    }
    return true;
}

/* Adds the scheduling events of compact_sched. Returns false if it is damaged. */
static bool read_compact(struct perfetto *state, struct wire compact) {
    static const int switches[] = {SWITCH_TIME, SWITCH_PID, SWITCH_PRIO, SWITCH_NAME, SWITCH_STATE};
    static const int wakings[] = {WAKING_TIME, WAKING_PID, WAKING_PRIO,
                                  WAKING_NAME, WAKING_CPU, WAKING_FLAGS};
    struct wire columns[COLUMNS] = {{0}};
    struct wire_field field;
    bool whole;

    while (wire_next(&compact, &field)) {
        if (field.number == NAMES && state->name_count < BUNDLE_NAMES) {
            *ARRAY_NEW(state->names, state->name_count, state->name_room) = field.bytes;
        } else if (field.number < COLUMNS) {
            columns[field.number] = field.bytes;
        }
    }
    whole = perfetto_add_columns(state, columns, ITEM_SWITCH, switches, COLUMNS_OF_EVENT);
    return perfetto_add_columns(state, columns, ITEM_WAKING, wakings,
                                COLUMNS_OF_EVENT + (columns[WAKING_FLAGS].at != NULL)) &&
           whole && !compact.damaged;
}

/* Adds an event of a bundle. Returns false if its time is out of range or the bundle is full. */
static bool perfetto_read_event(struct perfetto *state, struct wire event) {
    uint64_t time = wire_find(event, EVENT_TIME).value;
    struct perfetto_item *item;

    if (!perfetto_has_room(state, time)) {
        return false;
    }
    item = new_bundle_event(state, ITEM_EVENT, time);
    item->event.at = event.at;
    item->event.length = (uint32_t)(event.end - event.at);
    return true;
}

static int compare_items(const void *left, const void *right) {
    const struct perfetto_item *a = left, *b = right;

    return a->time != b->time ? ORDER(a->time, b->time) : ORDER(a->order, b->order);
}

/* Sorts the events of a bundle by time. If events before it were lost, adds an item for the loss
 * before the first event, at the same time. */
static void sort_bundle_events(struct perfetto *state) {
    struct perfetto_cpu *cpu = find_or_add_cpu(state, state->cpu);

    if ((cpu->lost || cpu->dropped) && state->item_count > 0) {
        uint64_t first = UINT64_MAX;

        for (size_t i = 0; i < state->item_count; i++) {
            uint64_t time = (uint64_t)state->items[i].time;

            first = time < first ? time : first;
        }
        new_bundle_event(state, cpu->lost ? ITEM_LOSS : ITEM_DROP, first)->order = 0;
        cpu->lost = cpu->dropped = false;
    }
    sort_items(state->items, state->item_count, sizeof *state->items, compare_items);
}

/* Converts the times of a bundle's events from its clock to the boot clock. */
static void move_events_to_boot_clock(struct perfetto *state, struct wire message) {
    uint64_t clock = wire_find(message, BUNDLE_CLOCK).value,
             time = wire_find(message, BUNDLE_CLOCK_TIME).value,
             boot = wire_find(message, BUNDLE_BOOT_TIME).value;
    int64_t *shift = &state->shifts[clock < PERFETTO_CLOCKS ? clock : PERFETTO_CLOCKS - 1];

    if (clock == CLOCK_OF_BOOT) {
        return;
    }
    if (*shift == EVENT_NONE && time > 0 && boot > 0 && time <= PERFETTO_TIME_MOST &&
        boot <= PERFETTO_TIME_MOST) {
        *shift = (int64_t)boot - (int64_t)time;
    }
    state->undated |= *shift == EVENT_NONE;
    for (size_t i = 0; i < state->item_count && *shift != EVENT_NONE; i++) {
        int64_t moved = state->items[i].time + *shift;

        state->items[i].time = moved > 0 ? moved : 0;
    }
}

static void read_bundle(struct perfetto *state, struct wire message) {
    struct wire_field field;
    struct wire rest = message;
    uint64_t cpu = 0;
    bool whole = true, lost = false;

    state->name_count = 0;
    while (wire_next(&rest, &field)) {
        switch (field.number) {
        case BUNDLE_CPU:
            cpu = field.value;
            break;
        case BUNDLE_EVENT:
            whole = perfetto_read_event(state, field.bytes) && whole;
            break;
        case BUNDLE_LOST:
            lost = field.value != 0;
            break;
        case BUNDLE_COMPACT:
            whole = read_compact(state, field.bytes) && whole;
            break;
        }
    }
    whole = whole && !rest.damaged && cpu < CPU_MOST;
    if (cpu < CPU_MOST) {
        state->cpu = cpu;
        find_or_add_cpu(state, cpu)->lost |= lost;
        move_events_to_boot_clock(state, message);
        sort_bundle_events(state);
    } else {
        state->item_count = 0;
    }
    if (!whole) {
        new_bundle_event(state, ITEM_DAMAGE, 0);
    }
}

/* --- packets ---------------------------------------------------------------------------------- */

/* Sets two values from the first snapshot of clocks that has them: the wall clock, and the offset
 * from the raw monotonic clock to the boot clock. */
static void perfetto_read_clocks(struct perfetto *state, struct wire message) {
    enum { CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME, REALTIME = 1, RAW = 5, BOOTTIME = 6 };
    struct wire_field field;
    uint64_t times[BOOTTIME + 1] = {0};

    while (wire_next(&message, &field)) {
        uint64_t id = wire_find(field.bytes, CLOCK_ID).value,
                 time = wire_find(field.bytes, CLOCK_TIME).value;

        if (field.number == CLOCK && id <= BOOTTIME && time <= INT64_MAX / 2) {
            times[id] = time;
        }
    }
    if (state->text.realtime == EVENT_NONE && times[REALTIME] > 0 && times[BOOTTIME] > 0) {
        state->text.realtime = (int64_t)times[REALTIME];
        state->text.told_at = (int64_t)times[BOOTTIME];
    }
    if (state->shifts[CLOCK_MONOTONIC_RAW] == EVENT_NONE && times[RAW] > 0 &&
        times[RAW] <= PERFETTO_TIME_MOST && times[BOOTTIME] > 0 &&
        times[BOOTTIME] <= PERFETTO_TIME_MOST) {
        state->shifts[CLOCK_MONOTONIC_RAW] = (int64_t)times[BOOTTIME] - (int64_t)times[RAW];
    }
}

/* Unpacks bytes packed by zlib. Returns false if they are damaged or exceed `most` bytes. */
static bool unpack_zlib_bytes(struct wire packed, size_t most, struct text *out) {
    z_stream stream = {.next_in = (Bytef *)packed.at, .avail_in = (uInt)(packed.end - packed.at)};
    int status = inflateInit(&stream);

    while (status == Z_OK && out->length < most) {
        stream.next_out = (Bytef *)text_reserve(out, READER_WINDOW);
        stream.avail_out = READER_WINDOW;
        status = inflate(&stream, Z_NO_FLUSH);
        out->length += READER_WINDOW - stream.avail_out;
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

/* Unpacks bytes packed by zstd. Returns false if they are damaged or exceed `most` bytes. */
static bool unpack_zstd_bytes(struct wire packed, size_t most, struct text *out) {
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {.src = packed.at, .size = (size_t)(packed.end - packed.at)};
    size_t status = 1;
    bool goes_on = stream != NULL;

    while (goes_on && out->length < most) {
        ZSTD_outBuffer piece = {.dst = text_reserve(out, READER_WINDOW), .size = READER_WINDOW};

        status = ZSTD_decompressStream(stream, &piece, &in);
        out->length += piece.pos;
        goes_on = !ZSTD_isError(status) && (in.pos < in.size || piece.pos == piece.size);
    }
    ZSTD_freeDStream(stream);
    return status == 0 && !goes_on;
}

static void begin_packet(struct perfetto *state, struct wire packet) {
    perfetto_tracks_begin_packet(&state->tracks, packet);
    state->known.generation = state->tracks.generation;
    perfetto_names_read_packet(&state->known, packet);
    if (state->tracks.dropped && wire_find(packet, PACKET_FTRACE).number != 0) {
        for (size_t i = 0; i < state->cpu_count; i++) {
            state->cpus[i].dropped = true;
        }
    }
}

/* Converts a track event to a line. Returns false if it has no line, and is only counted. */
static bool read_track_event(struct perfetto *state, struct wire event) {
    text_clear(&state->mark);
    if (!perfetto_tracks_append_event(&state->tracks, &state->known, event, &state->mark)) {
        return false;
    }
    new_bundle_event(state, ITEM_MARK, 0);
    return true;
}

/* Reads the time zone, and the processor type, as a line of perf script. Returns false if the
 * message lacks the latter. */
static bool read_system_info(struct perfetto *state, struct wire message) {
    enum { NAMES_OF_SYSTEM = 1, ZONE = 7, MACHINE = 4, DAY_MINUTES = 24 * 60 };
    struct wire names = wire_find(message, NAMES_OF_SYSTEM).bytes,
                machine = wire_find(names, MACHINE).bytes;
    const struct wire_field zone = wire_find(message, ZONE);
    const int64_t minutes = (int64_t)zone.value;

    if (zone.number != 0 && minutes > -DAY_MINUTES && minutes < DAY_MINUTES) {
        state->text.has_zone = true;
        state->text.zone = minutes;
    }
    if (machine.at == machine.end) {
        return false;
    }
    text_clear(&state->mark);
    text_append_string(&state->mark, PERFETTO_PROCESSOR);
    perfetto_string_append(&state->mark, machine);
    new_bundle_event(state, ITEM_MARK, 0);
    return true;
}

static void perfetto_parse_field(struct perfetto *state, const struct wire_field *field,
                                 bool nested) {
    enum { TRACK_THREAD = 4 };
    bool is_zlib = field->number == PACKET_ZLIB;

    if (field->number == PACKET_FTRACE) {
        read_bundle(state, field->bytes);
    } else if (field->number == PACKET_CLOCKS) {
        perfetto_read_clocks(state, field->bytes);
    } else if (field->number == PACKET_TREE) {
        perfetto_names_read_process_tree(&state->known, field->bytes);
    } else if (field->number == PACKET_TRACK) {
        perfetto_names_describe_thread(&state->known, wire_find(field->bytes, TRACK_THREAD).bytes);
        perfetto_tracks_describe(&state->tracks, field->bytes);
    } else if (field->number == PACKET_PROCESS) {
        perfetto_names_describe_process(&state->known, field->bytes);
    } else if (field->number == PACKET_THREAD) {
        perfetto_names_describe_thread(&state->known, field->bytes);
    } else if ((field->number == PACKET_TRACK_EVENT && read_track_event(state, field->bytes)) ||
               (field->number == PACKET_SYSTEM && read_system_info(state, field->bytes))) {
        return;
    } else if ((is_zlib || field->number == PACKET_ZSTD) && !nested) {
        /* Limits the unpacked bytes: few packed bytes in a malicious log could fill the memory. */
        size_t size = (size_t)(field->bytes.end - field->bytes.at);
        size_t most = size < PERFETTO_PACKET_MOST / (size_t)INPUT_UNPACKED_TIMES
                          ? READER_WINDOW + size * (size_t)INPUT_UNPACKED_TIMES
                          : PERFETTO_PACKET_MOST;

        text_clear(&state->unpacked);
        state->cut = !(is_zlib ? unpack_zlib_bytes : unpack_zstd_bytes)(field->bytes, most,
                                                                        &state->unpacked);
        state->levels[LEVEL_UNPACKED] =
            wire_of_bytes(text_string(&state->unpacked), state->unpacked.length);
    } else if (field->bytes.at != NULL && field->number != PACKET_INTERNED &&
               field->number != PACKET_DEFAULTS) {
        new_bundle_event(state, ITEM_PACKET, 0)->packet = field->number;
    }
}

/* Reads the next field of the innermost message with unread bytes. False if none is left. */
static bool perfetto_parse_next(struct perfetto *state) {
    for (int level = PERFETTO_LEVELS; level-- > 0;) {
        struct wire *wire = &state->levels[level];
        struct wire_field field;

        if (!wire_next(wire, &field)) {
            bool damaged = wire->damaged || (level == LEVEL_UNPACKED && state->cut);

            *wire = (struct wire){0};
            if (damaged) {
                state->cut = false;
                new_bundle_event(state, ITEM_DAMAGE, 0);
                return true;
            }
            continue;
        }
        if (level == LEVEL_UNPACKED) {
            state->levels[LEVEL_UNPACKED_PACKET] = field.bytes;
            begin_packet(state, field.bytes);
        } else {
            perfetto_parse_field(state, &field, level == LEVEL_UNPACKED_PACKET);
        }
        return true;
    }
    return false;
}

/* Reads tag and length of a packet, `*head` bytes in all. Returns false if there is no packet. */
static bool read_packet_head(const uint8_t *bytes, size_t count, size_t *head, uint64_t *length) {
    struct wire wire = wire_of_bytes(bytes, count < HEAD_MOST ? count : HEAD_MOST);

    if (count == 0 || *wire.at++ != PACKET_TAG || !wire_varint(&wire, length)) {
        return false;
    }
    *head = (size_t)(wire.at - bytes);
    return true;
}

/* Reads a packet of `length` bytes. Returns false if that is too long, or the file is shorter. */
static bool fill_packet(struct perfetto *state, struct reader *reader, uint64_t length) {
    text_clear(&state->packet);
    if (length > PERFETTO_PACKET_MOST) {
        reader_skip(reader, length < INT64_MAX ? (int64_t)length : INT64_MAX);
        return false;
    }
    while (state->packet.length < length) {
        size_t rest = length - state->packet.length;
        size_t some = reader_fill(reader, rest < READER_WINDOW ? rest : READER_WINDOW);

        some = some < rest ? some : rest;
        if (some == 0) {
            return false;
        }
        text_append(&state->packet, (const char *)reader_bytes(reader), some);
        reader_take(reader, some);
    }
    return true;
}

/* Reads the part of a packet before the end of the file: whole events of its bundle, or packets in
 * it. They come first in a packet. */
static void read_cut_packet(struct perfetto *state) {
    struct wire rest = wire_of_bytes(text_string(&state->packet), state->packet.length);
    struct wire_field field = {0};
    uint64_t tag, length;

    if (wire_varint(&rest, &tag) && (tag & 7) == 2 && wire_varint(&rest, &length)) {
        field = (struct wire_field){.number = tag >> 3, .bytes = rest};
    }
    if (field.number == PACKET_ZLIB || field.number == PACKET_ZSTD) {
        perfetto_parse_field(state, &field, false); /* is damaged at its end */
        return;
    }
    if (field.number == PACKET_FTRACE) {
        read_bundle(state, field.bytes);
    }
    if (state->item_count == 0 || state->items[state->item_count - 1].kind != ITEM_DAMAGE) {
        new_bundle_event(state, ITEM_DAMAGE, 0);
    }
}

/* Reads the next packet of the file. Returns false at its end. */
static bool next_packet(struct perfetto *state, struct reader *reader) {
    size_t count = reader_fill(reader, HEAD_MOST), head;
    uint64_t length;

    state->offset = reader_offset(reader);
    if (count == 0) {
        return false;
    }
    if (!read_packet_head(reader_bytes(reader), count, &head, &length)) {
        reader_skip(reader, INT64_MAX); /* it is unknown where the next packet begins */
        new_bundle_event(state, ITEM_DAMAGE, 0);
    } else {
        reader_take(reader, head);
        if (fill_packet(state, reader, length)) {
            state->levels[LEVEL_PACKET] =
                wire_of_bytes(text_string(&state->packet), state->packet.length);
            begin_packet(state, state->levels[LEVEL_PACKET]);
        } else {
            read_cut_packet(state);
        }
    }
    state->left = reader_offset(reader) - state->offset;
    return true;
}

/* Returns how many bytes of the packet are counted for an item. No byte is counted for two items,
 * since the bytes of rejected ones are added up. */
static int64_t perfetto_take_bytes(struct perfetto *state, const struct perfetto_item *item) {
    int64_t bytes = item->kind == ITEM_DAMAGE  ? state->left
                    : item->kind == ITEM_EVENT ? item->event.length
                                               : 0;

    bytes = bytes < state->left ? bytes : state->left;
    state->left -= bytes;
    return bytes;
}

bool perfetto_next(struct stream *stream, struct stream_record *record) {
    struct perfetto *state = stream->state;
    const struct perfetto_item *item;

    for (int fields = 0; state->item_at == state->item_count; fields++) {
        if (fields == FIELDS_AT_ONCE) {
            *record = (struct stream_record){.bytes = (const uint8_t *)"", .offset = state->offset};
            return true;
        }
        state->item_at = state->item_count = 0;
        if (!perfetto_parse_next(state) && !next_packet(state, stream->reader)) {
            bool ended = state->ended;

            state->text.realtime = state->undated ? EVENT_NONE : state->text.realtime;
            state->ended = true;
            text_clear(&state->line);
            perfetto_append_mark(&state->line, PERFETTO_END, 0, state->latest);
            *record = (struct stream_record){.bytes = (const uint8_t *)text_string(&state->line),
                                             .length = state->line.length,
                                             .offset = state->offset};
            return !ended;
        }
    }
    item = &state->items[state->item_at++];
    state->latest = item->time > state->latest ? item->time : state->latest;
    text_clear(&state->line);
    append_event_of_message(&state->line, state, item);
    *record = (struct stream_record){.bytes = (const uint8_t *)text_string(&state->line),
                                     .length = state->line.length,
                                     .offset = state->offset,
                                     .size = perfetto_take_bytes(state, item)};
    return true;
}

bool perfetto_open(struct stream *stream, struct error *error) {
    struct perfetto *state = stream->state;

    (void)error;
    state->text.realtime = EVENT_NONE;
    state->text.has_events = true;
    state->text.complete = complete_line;
    for (int i = 0; i < PERFETTO_CLOCKS; i++) {
        state->shifts[i] = EVENT_NONE;
    }
    return true;
}

void perfetto_close(struct stream *stream) {
    struct perfetto *state = stream->state;

    text_free(&state->packet);
    text_free(&state->unpacked);
    text_free(&state->line);
    perfetto_names_free(&state->known);
    perfetto_tracks_free(&state->tracks);
    text_free(&state->mark);
    free(state->names);
    free(state->cpus);
    free(state->items);
}

/* Returns whether the start of a packet is that of a compressed packet. */
static bool begins_compressed(const uint8_t *bytes, size_t count, uint64_t length) {
    struct wire wire = wire_of_bytes(bytes, count);
    uint64_t tag, size;

    return wire_varint(&wire, &tag) && wire_varint(&wire, &size) && size < length &&
           wire.end - wire.at >= 4 &&
           ((tag == (PACKET_ZLIB << 3 | 2) && (*wire.at & 0x0f) == Z_DEFLATED) ||
            (tag == (PACKET_ZSTD << 3 | 2) && bytes_u32_little(wire.at) == ZSTD_MAGICNUMBER));
}

enum sniff_score perfetto_sniff(const struct sniff *sniff) {
    size_t at = 0;
    int i;

    for (i = 0; i < SNIFFED && at < sniff->length; i++) {
        struct wire packet;
        struct wire_field field;
        uint64_t length;
        size_t head;

        if (!read_packet_head(sniff->bytes + at, sniff->length - at, &head, &length) ||
            length == 0 || length > PERFETTO_PACKET_MOST) {
            return SNIFF_NO;
        }
        if (length > sniff->length - at - head) {
            return i > 0 || begins_compressed(sniff->bytes + at + head, sniff->length - at - head,
                                              length)
                       ? SNIFF_LIKELY
                       : SNIFF_NO;
        }
        packet = wire_of_bytes(sniff->bytes + at + head, length);
        while (wire_next(&packet, &field)) {
        }
        if (packet.damaged) {
            return SNIFF_NO;
        }
        at += head + length;
    }
    /* Three packets are more than other bytes have by chance, such as one call of Palmist's. */
    return i == SNIFFED ? SNIFF_SURE : SNIFF_LIKELY;
}
