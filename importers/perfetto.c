#include "perfetto.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "input/bytes.h"

enum {
    PACKET_TAG = 0x0a,
    HEAD_MOST = 11, /* bytes of a packet's tag and length */
    CPU_MOST = 4096,
    COMM_SIZE = 16,
    STRING_MOST = 4096, /* bytes */
    LIST_MOST = 16,     /* numbers */
    SNIFFED = 3,        /* packets */
    FIELDS = 12,        /* of an event that are printed */
    BUNDLE_EVENTS = 1 << 21,
    BUNDLE_NAMES = 1 << 16,
    THREADS_MOST = 1 << 18,
};

/* Fields of a packet. */
enum {
    PACKET_FTRACE = 1,
    PACKET_TREE = 2,
    PACKET_CLOCKS = 6,
    PACKET_INTERNED = 12, /* may come in the packet that uses it, as defaults may */
    PACKET_ZLIB = 50,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_ZSTD = 133,
};

/* Fields of a bundle. */
enum { BUNDLE_CPU = 1, BUNDLE_EVENT, BUNDLE_LOST, BUNDLE_COMPACT };

/* Fields of an event; further ones are its message. */
enum { EVENT_TIME = 1, EVENT_PID = 2, EVENT_SWITCH = 4, EVENT_FLAGS_OF_KERNEL = 5 };

/* Fields of sched_switch. */
enum { SWITCHED_TO_NAME = 5, SWITCHED_TO_PID, SWITCHED_TO_PRIO };

/* Columns of compact_sched. */
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
    COLUMNS,
    COLUMNS_OF_EVENT = 5,
};

/* --- the wire format -------------------------------------------------------------------------- */

struct wire_field {
    uint64_t number, value; /* value: of a numeric field */
    struct wire bytes;      /* value of other fields; empty: numeric */
};

static bool read_varint(struct wire *wire, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
        uint8_t byte = *wire->at++;

        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    wire->damaged = true;
    return false;
}

/* Reads the next field. False at the end, or if it is damaged. */
static bool read_field(struct wire *wire, struct wire_field *field) {
    uint64_t tag, length = 0;

    *field = (struct wire_field){0};
    if (wire->damaged || wire->at == wire->end || !read_varint(wire, &tag)) {
        return false;
    }
    field->number = tag >> 3;
    switch (field->number == 0 ? 7 : tag & 7) {
    case 0:
        return read_varint(wire, &field->value);
    case 1:
        length = 8;
        break;
    case 2:
        if (!read_varint(wire, &length)) {
            return false;
        }
        break;
    case 5:
        length = 4;
        break;
    default:
        wire->damaged = true;
        return false;
    }
    if (length > (uint64_t)(wire->end - wire->at)) {
        wire->damaged = true;
        return false;
    }
    field->bytes = (struct wire){wire->at, wire->at + length, false};
    wire->at += length;
    return true;
}

static struct wire wire_of(const void *bytes, size_t length) {
    const uint8_t *at = bytes;

    return (struct wire){at, length > 0 ? at + length : at, false};
}

/* --- events ----------------------------------------------------------------------------------- */

/* An event of ftrace: its field number, its name, and the format in which the kernel prints it. A
 * conversion is %, a letter and the number of the field (1 to 9, then a and on). The letters: d, u,
 * x and o for a number, s for a string, v for a device, i for the name of a softirq, m for the
 * mapping of blocks, l for the numbers of a list. */
struct event_text {
    uint64_t field;
    const char *name, *text;
};

#define WAKEUP   "comm=%s1 pid=%d2 prio=%d3 target_cpu=%d5"
#define REQUEST  "%v1 %s5 %d4 (%s7) %u2 + %d3 [%s6]"
#define FINISHED "%v1 %s5 (%s6) %u2 + %d3 [%d4]"
#define BIO      "%v1 %s4 %u2 + %d3 [%s5]"
#define EXT4     "dev %v1 ino %u2 "
#define MAPPED   EXT4 "flags %d3 lblk %d5 pblk %u4 len %d6 mflags %m7 ret %d8"
#define F2FS     "dev = (%v1), ino = %u2, "

static const struct event_text event_texts[] = {
    {3, "tracing_mark_write", "%s2"},
    {4, "sched_switch",
     "prev_comm=%s1 prev_pid=%d2 prev_prio=%d3 prev_state=%d4 ==> next_comm=%s5 next_pid=%d6 "
     "next_prio=%d7"},
    {11, "cpu_frequency", "state=%d1 cpu_id=%d2"},
    {13, "cpu_idle", "state=%d1 cpu_id=%d2"},
    {17, "sched_wakeup", WAKEUP},
    {20, "sched_waking", WAKEUP},
    {21, "ipi_entry", "(%s1)"},
    {22, "ipi_exit", "(%s1)"},
    {24, "softirq_entry", "vec=%d1 [action=%i1]"},
    {25, "softirq_exit", "vec=%d1 [action=%i1]"},
    {36, "irq_handler_entry", "irq=%d1 name=%s2"},
    {37, "irq_handler_exit", "irq=%d1 ret=%d2"},
    {41, "ext4_da_write_begin", EXT4 "pos %d3 len %d4 flags %d5"},
    {42, "ext4_da_write_end", EXT4 "pos %d3 len %d4 copied %d5"},
    {43, "ext4_sync_file_enter", EXT4 "parent %u3 datasync %d4"},
    {44, "ext4_sync_file_exit", EXT4 "ret %d3"},
    {45, "block_rq_issue", REQUEST},
    {114, "sched_wakeup_new", WAKEUP},
    {115, "block_bio_backmerge", BIO},
    {117, "block_bio_complete", "%v1 %s5 %u2 + %d3 [%d4]"},
    {118, "block_bio_frontmerge", BIO},
    {119, "block_bio_queue", BIO},
    {120, "block_bio_remap", "%v1 %s6 %u2 + %d3 <- (%v4) %u5"},
    {122, "block_getrq", BIO},
    {123, "block_plug", "[%s1]"},
    {125, "block_rq_complete", FINISHED},
    {126, "block_rq_insert", REQUEST},
    {128, "block_rq_remap", "%v1 %s7 %u2 + %d3 <- (%v4) %u5 %d6"},
    {129, "block_rq_requeue", FINISHED},
    {131, "block_split", "%v1 %s4 %u2 / %u3 [%s5]"},
    {133, "block_unplug", "[%s2] %d1"},
    {135, "ext4_allocate_blocks", EXT4 "flags %db len %d4 block %u3 lblk %d5"},
    {136, "ext4_allocate_inode", EXT4 "dir %u3 mode 0%o4"},
    {144, "ext4_direct_IO_enter", EXT4 "pos %d3 len %u4 rw %d5"},
    {145, "ext4_direct_IO_exit", EXT4 "pos %d3 len %u4 rw %d5 ret %d6"},
    {167, "ext4_ext_map_blocks_exit", MAPPED},
    {178, "ext4_free_blocks", EXT4 "mode 0%o6 block %u3 count %u4 flags %d5"},
    {179, "ext4_free_inode", EXT4 "mode 0%o6 uid %d3 gid %d4 blocks %u5"},
    {183, "ext4_ind_map_blocks_exit", MAPPED},
    {189, "ext4_journalled_write_end", EXT4 "pos %d3 len %d4 copied %d5"},
    {207, "ext4_readpage", EXT4 "page_index %u3"},
    {217, "ext4_unlink_enter", EXT4 "size %d4 parent %u3"},
    {218, "ext4_unlink_exit", EXT4 "ret %d3"},
    {219, "ext4_write_begin", EXT4 "pos %d3 len %d4 flags %d5"},
    {230, "ext4_write_end", EXT4 "pos %d3 len %d4 copied %d5"},
    {237, "sched_process_exec", "filename=%s1 pid=%d2 old_pid=%d3"},
    {238, "sched_process_exit", "comm=%s1 pid=%d2 prio=%d4"},
    {239, "sched_process_fork", "comm=%s1 pid=%d2 child_comm=%s3 child_pid=%d4"},
    {251, "f2fs_readpage", F2FS "page_index = 0x%x3"},
    {255, "f2fs_sync_file_enter", F2FS "pino = %u3, i_mode = 0x%x4, i_size = %d5"},
    {256, "f2fs_sync_file_exit", F2FS "datasync = %d4, ret = %d5"},
    {271, "f2fs_write_begin", F2FS "pos = %d3, len = %d4, flags = %d5"},
    {273, "f2fs_write_end", F2FS "pos = %d3, len = %d4, copied = %d5"},
    {329, "sys_enter", "NR %d1 (%l2)"},
    {330, "sys_exit", "NR %d1 = %d2"},
};

/* Names of packets and events that are only counted. Others are counted by number. */
struct field_name {
    uint64_t field;
    const char *name;
};

static const struct field_name packet_names[] = {

    {7, "sys_stats"},
    {9, "process_stats"},
    {11, "track_event"},
    {33, "trace_config"},
    {34, "ftrace_stats"},
    {35, "trace_stats"},
    {36, "synchronization_marker"},
    {37, "profile_packet"},
    {38, "battery"},
    {39, "android_log"},
    {40, "power_rails"},
    {43, "process_descriptor"},
    {44, "thread_descriptor"},
    {45, "system_info"},
    {46, "trigger"},
    {47, "packages_list"},
    {52, "gpu_counter_event"},
    {56, "heap_graph"},
    {60, "track_descriptor"},
    {66, "perf_sample"},
    {67, "cpu_info"},
    {69, "service_event"},
    {70, "initial_display_state"},
    {76, "frame_timeline_event"},
    {89, "trace_uuid"},
    {128, "gpu_info"},
    {130, "interrupt_info"},
};

static const struct field_name event_names[] = {
    {12, "cpu_frequency_limits"},
    {14, "clock_enable"},
    {15, "clock_disable"},
    {16, "clock_set_rate"},
    {18, "sched_blocked_reason"},
    {19, "sched_cpu_hotplug"},
    {23, "ipi_raise"},
    {26, "softirq_raise"},
    {50, "binder_transaction"},
    {51, "binder_transaction_received"},
    {52, "binder_set_priority"},
    {53, "binder_lock"},
    {54, "binder_locked"},
    {55, "binder_unlock"},
    {56, "workqueue_activate_work"},
    {57, "workqueue_execute_end"},
    {58, "workqueue_execute_start"},
    {59, "workqueue_queue_work"},
    {80, "tracing_mark_write"},
    {97, "mm_filemap_add_to_page_cache"},
    {98, "mm_filemap_delete_from_page_cache"},
    {113, "suspend_resume"},
    {121, "block_dirty_buffer"},
    {132, "block_touch_buffer"},
    {232, "ext4_writepages"},
    {235, "task_newtask"},
    {236, "task_rename"},
    {240, "sched_process_free"},
    {242, "sched_process_wait"},
    {272, "f2fs_write_checkpoint"},
    {313, "rss_stat"},
    {323, "binder_transaction_alloc_buf"},
    {324, "signal_deliver"},
    {325, "signal_generate"},
    {326, "oom_score_adj_update"},
    {327, "generic"},
    {332, "gpu_frequency"},
    {340, "gpu_mem_total"},
    {341, "thermal_temperature"},
    {359, "rss_stat_throttled"},
    {406, "ufshcd_command"},
    {407, "ufshcd_clk_gating"},
    {414, "dma_fence_init"},
    {416, "dma_fence_signaled"},
    {419, "f2fs_iostat"},
    {437, "funcgraph_entry"},
    {438, "funcgraph_exit"},
    {491, "sched_migrate_task"},
    {496, "f2fs_gc_begin"},
    {497, "f2fs_gc_end"},
};

/* The kernel's names of softirqs, by number. */
static const char *const softirqs[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                       "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};

enum item_kind { ITEM_LOSS, ITEM_EVENT, ITEM_SWITCH, ITEM_WAKING, ITEM_PACKET, ITEM_DAMAGE };

/* An item: it becomes a line. */
struct perfetto_item {
    int64_t time;
    uint32_t order; /* in the bundle, from 1 */
    enum item_kind kind;
    union {
        struct {
            const uint8_t *at; /* borrowed */
            uint32_t length;
        } event;
        int32_t
            columns[4];  /* for switches and wakeups: thread, priority, name, state or processor */
        uint64_t packet; /* field number of a packet that is only counted */
    };
};

/* A thread that the trace has named. */
struct perfetto_thread {
    int64_t tid, pid; /* pid 0: unknown */
    char name[COMM_SIZE];
    UT_hash_handle hh;
};

/* The thread that a processor runs. */
struct perfetto_cpu {
    int64_t tid; /* EVENT_NONE: unknown */
    int64_t priority;
    bool lost; /* events are missing before the next one */
    char name[COMM_SIZE];
};

static struct perfetto_cpu *cpu_of(struct perfetto *state, uint64_t number) {
    while (state->cpu_count <= number) {
        state->cpus = xreallocarray(state->cpus, state->cpu_count + 1, sizeof *state->cpus);
        state->cpus[state->cpu_count++] = (struct perfetto_cpu){.tid = EVENT_NONE};
    }
    return &state->cpus[number];
}

/* Returns the last field of a message with that number; zeros if it has none. */
static struct wire_field find_field(struct wire message, uint64_t number) {
    struct wire_field field, found = {0};

    while (read_field(&message, &field)) {
        found = field.number == number ? field : found;
    }
    return found;
}

/* Appends the first line of a string, at most STRING_MOST bytes. */
static void append_string(struct text *out, struct wire bytes) {
    size_t length = (size_t)(bytes.end - bytes.at);

    length = length < STRING_MOST ? length : STRING_MOST;
    for (size_t i = 0; i < length && bytes.at[i] != '\n' && bytes.at[i] != '\0'; i++) {
        text_append_char(out, (char)bytes.at[i]);
    }
}

/* Appends a device number, encoded as by makedev() of the C library. */
static void append_device(struct text *out, uint64_t device) {
    text_append_format(out, "%u,%u", (unsigned)(device >> 8 & 0xfff),
                       (unsigned)(device >> 12 & 0xfff00) | (unsigned)(device & 0xff));
}

/* Appends the letters of the mapping of blocks by ext4, from the kernel's bits of a buffer. */
static void append_mapping(struct text *out, uint64_t flags) {
    static const struct {
        uint64_t bit;
        char letter;
    } letters[] = {{0x20, 'N'}, {0x10, 'M'}, {0x800, 'U'}, {0x200, 'B'}};

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if ((flags & letters[i].bit) != 0) {
            text_append_char(out, letters[i].letter);
        }
    }
}

/* Appends the numbers of a repeated field. */
static void append_list(struct text *out, struct wire message, uint64_t number) {
    struct wire_field field;
    int count = 0;

    while (count < LIST_MOST && read_field(&message, &field)) {
        if (field.number == number && field.bytes.at == NULL) {
            text_append_format(out, count++ == 0 ? "%llx" : ", %llx",
                               (unsigned long long)field.value);
        }
    }
}

static void append_field(struct text *out, char how, const struct wire_field *field) {
    switch (how) {
    case 's':
        append_string(out, field->bytes);
        break;
    case 'i':
        text_append_string(
            out, field->value < sizeof softirqs / sizeof *softirqs ? softirqs[field->value] : "");
        break;
    case 'v':
        append_device(out, field->value);
        break;
    case 'm':
        append_mapping(out, field->value);
        break;
    case 'u':
        text_append_format(out, "%llu", (unsigned long long)field->value);
        break;
    case 'x':
        text_append_format(out, "%llx", (unsigned long long)field->value);
        break;
    case 'o':
        text_append_format(out, "%llo", (unsigned long long)field->value);
        break;
    default:
        text_append_integer(out, (int64_t)field->value);
    }
}

/* Returns whether a name may precede the columns of a line. */
static bool is_plain(const char *name) {
    return name[strcspn(name, "[\n")] == '\0' && strstr(name, ": ") == NULL && *name != '\0';
}

/* Appends `NAME-TID (PID) [CPU] TIME: EVENT: `, with the process if it is known. The name from the
 * last switch of the processor takes precedence. */
static void append_head(struct text *out, const struct perfetto *state, int64_t tid, int64_t time,
                        const char *event) {
    const struct perfetto_cpu *cpu = &state->cpus[state->cpu];
    const struct perfetto_thread *thread;
    const char *name = "<...>";

    HASH_FIND(hh, state->threads, &tid, sizeof tid, thread);
    if (tid == 0) {
        name = "<idle>";
    } else if (cpu->tid == tid && is_plain(cpu->name)) {
        name = cpu->name;
    } else if (thread != NULL && is_plain(thread->name)) {
        name = thread->name;
    }
    text_append_format(out, "%s-%lld ", name, (long long)tid);
    if (thread != NULL && thread->pid != 0) {
        text_append_format(out, "(%lld) ", (long long)thread->pid);
    }
    text_append_format(out, "[%03u] %lld.%09lld: %s: ", (unsigned)state->cpu,
                       (long long)(time / SECOND), (long long)(time % SECOND), event);
}

/* Appends the text that the kernel prints for an event with that message. */
static void append_body(struct text *out, const char *text, struct wire message) {
    struct wire_field fields[FIELDS] = {{0}}, field;
    struct wire rest = message;

    while (read_field(&rest, &field)) {
        if (field.number < FIELDS) {
            fields[field.number] = field;
        }
    }
    for (; *text != '\0'; text++) {
        int number;

        if (*text != '%') {
            text_append_char(out, *text);
            continue;
        }
        number = text[2] <= '9' ? text[2] - '0' : text[2] - 'a' + 10;
        if (text[1] == 'l') {
            append_list(out, message, (uint64_t)number);
        } else {
            append_field(out, text[1], &fields[number]);
        }
        text += 2;
    }
}

/* Appends the name or the number under which a field is counted. */
static void append_note(struct text *out, const struct field_name *names, size_t count,
                        const char *kind, uint64_t field) {
    text_append_char(out, '#');
    for (size_t i = 0; i < count; i++) {
        if (names[i].field == field) {
            text_append_string(out, names[i].name);
            return;
        }
    }
    text_append_format(out, "%s_%llu", kind, (unsigned long long)field);
}

static void copy_name(char *to, struct wire name) {
    size_t length = (size_t)(name.end - name.at);

    memset(to, 0, COMM_SIZE);
    if (length > 0) {
        memcpy(to, name.at, length < COMM_SIZE ? length : COMM_SIZE - 1);
    }
}

/* Sets the thread that a processor runs. */
static void note_switch(struct perfetto_cpu *cpu, int64_t tid, int64_t priority, struct wire name) {
    cpu->tid = tid;
    cpu->priority = priority;
    copy_name(cpu->name, name);
}

/* Appends the line of an event in a message of its own. */
static void append_event(struct text *out, struct perfetto *state,
                         const struct perfetto_item *item) {
    struct wire event = wire_of(item->event.at, item->event.length);
    struct wire_field field, body = {0};
    int64_t tid = 0;

    while (read_field(&event, &field)) {
        if (field.number == EVENT_PID) {
            tid = (int64_t)(field.value & INT32_MAX);
        } else if (field.number > EVENT_PID && field.number != EVENT_FLAGS_OF_KERNEL) {
            body = field;
        }
    }
    for (size_t i = 0; i < sizeof event_texts / sizeof *event_texts; i++) {
        if (event_texts[i].field == body.number) {
            append_head(out, state, tid, item->time, event_texts[i].name);
            append_body(out, event_texts[i].text, body.bytes);
            if (body.number == EVENT_SWITCH) {
                note_switch(&state->cpus[state->cpu],
                            (int32_t)find_field(body.bytes, SWITCHED_TO_PID).value,
                            (int32_t)find_field(body.bytes, SWITCHED_TO_PRIO).value,
                            find_field(body.bytes, SWITCHED_TO_NAME).bytes);
            }
            return;
        }
    }
    append_note(out, event_names, sizeof event_names / sizeof *event_names, "event", body.number);
}

static struct wire name_at(const struct perfetto *state, int32_t index) {
    return index >= 0 && (size_t)index < state->name_count ? state->names[index] : (struct wire){0};
}

static void append_waking(struct text *out, const struct perfetto *state,
                          const struct perfetto_cpu *cpu, const struct perfetto_item *item) {
    append_head(out, state, cpu->tid == EVENT_NONE ? 0 : cpu->tid, item->time, "sched_waking");
    text_append_string(out, "comm=");
    append_string(out, name_at(state, item->columns[2]));
    text_append_format(out, " pid=%d prio=%d target_cpu=%d", item->columns[0], item->columns[1],
                       item->columns[3]);
}

/* Appends a switch and sets the thread that the processor runs. */
static void append_switch(struct text *out, const struct perfetto *state, struct perfetto_cpu *cpu,
                          const struct perfetto_item *item) {
    struct wire name = name_at(state, item->columns[2]);

    if (cpu->tid == EVENT_NONE) {
        text_append_string(out, "#first_switch_of_a_processor");
    } else {
        append_head(out, state, cpu->tid, item->time, "sched_switch");
        text_append_format(out, "prev_comm=%s prev_pid=%lld prev_prio=%lld prev_state=%d ==> ",
                           cpu->name, (long long)cpu->tid, (long long)cpu->priority,
                           item->columns[3]);
        text_append_string(out, "next_comm=");
        append_string(out, name);
        text_append_format(out, " next_pid=%d next_prio=%d", item->columns[0], item->columns[1]);
    }
    note_switch(cpu, item->columns[0], item->columns[1], name);
}

static void append_item(struct text *out, struct perfetto *state,
                        const struct perfetto_item *item) {
    struct perfetto_cpu *cpu = cpu_of(state, state->cpu);

    switch (item->kind) {
    case ITEM_LOSS:
        cpu->tid = EVENT_NONE;
        append_head(out, state, 0, item->time, PERFETTO_LOST);
        break;
    case ITEM_EVENT:
        append_event(out, state, item);
        break;
    case ITEM_SWITCH:
        append_switch(out, state, cpu, item);
        break;
    case ITEM_WAKING:
        append_waking(out, state, cpu, item);
        break;
    case ITEM_PACKET:
        append_note(out, packet_names, sizeof packet_names / sizeof *packet_names, "packet",
                    item->packet);
        break;
    case ITEM_DAMAGE:
        text_append_char(out, '#');
    }
}

/* --- bundles ---------------------------------------------------------------------------------- */

static struct perfetto_item *new_item(struct perfetto *state, enum item_kind kind, uint64_t time) {
    struct perfetto_item *item = ARRAY_NEW(state->items, state->item_count, state->item_room);

    *item = (struct perfetto_item){
        .time = (int64_t)time, .order = (uint32_t)state->item_count, .kind = kind};
    return item;
}

/* Returns whether one more event with that time can be added. */
static bool has_room(const struct perfetto *state, uint64_t time) {
    return state->item_count < BUNDLE_EVENTS && time <= INT64_MAX / 8;
}

/* Reads a value of each column. False if a column has ended or is damaged. */
static bool next_of_columns(struct wire *columns, const int *wanted, uint64_t *values) {
    for (int i = 0; i < COLUMNS_OF_EVENT; i++) {
        struct wire *column = &columns[wanted[i]];

        if (column->at == column->end || !read_varint(column, &values[i])) {
            return false;
        }
    }
    return true;
}

/* Adds the events of a set of columns, times first. False if they are damaged. */
static bool add_columns(struct perfetto *state, struct wire *columns, enum item_kind kind,
                        const int *wanted) {
    uint64_t values[COLUMNS_OF_EVENT], time = 0;

    while (next_of_columns(columns, wanted, values)) {
        struct perfetto_item *item;

        time += values[0];
        if (values[0] > INT64_MAX / 8 || !has_room(state, time)) {
            return false;
        }
        item = new_item(state, kind, time);
        for (int i = 1; i < COLUMNS_OF_EVENT; i++) {
            item->columns[i - 1] = (int32_t)values[i];
        }
    }
    for (int i = 0; i < COLUMNS_OF_EVENT; i++) {
        if (columns[wanted[i]].at != columns[wanted[i]].end || columns[wanted[i]].damaged) {
            return false;
        }
    }
    return true;
}

/* Adds the events of compact_sched. False if it is damaged. */
static bool read_compact(struct perfetto *state, struct wire compact) {
    static const int switches[] = {SWITCH_TIME, SWITCH_PID, SWITCH_PRIO, SWITCH_NAME, SWITCH_STATE};
    static const int wakings[] = {WAKING_TIME, WAKING_PID, WAKING_PRIO, WAKING_NAME, WAKING_CPU};
    struct wire columns[COLUMNS] = {{0}};
    struct wire_field field;
    bool whole;

    while (read_field(&compact, &field)) {
        if (field.number == NAMES && state->name_count < BUNDLE_NAMES) {
            *ARRAY_NEW(state->names, state->name_count, state->name_room) = field.bytes;
        } else if (field.number < COLUMNS) {
            columns[field.number] = field.bytes;
        }
    }
    whole = add_columns(state, columns, ITEM_SWITCH, switches);
    return add_columns(state, columns, ITEM_WAKING, wakings) && whole && !compact.damaged;
}

/* Adds an event. False if it is damaged. */
static bool read_event(struct perfetto *state, struct wire event) {
    uint64_t time = find_field(event, EVENT_TIME).value;
    struct perfetto_item *item;

    if (!has_room(state, time)) {
        return false;
    }
    item = new_item(state, ITEM_EVENT, time);
    item->event.at = event.at;
    item->event.length = (uint32_t)(event.end - event.at);
    return true;
}

static int compare_items(const void *left, const void *right) {
    const struct perfetto_item *a = left, *b = right;

    return a->time != b->time ? ORDER(a->time, b->time) : ORDER(a->order, b->order);
}

/* Sorts the events of a bundle. A loss precedes the first of them. */
static void sort_items(struct perfetto *state) {
    struct perfetto_cpu *cpu = cpu_of(state, state->cpu);

    if (cpu->lost && state->item_count > 0) {
        uint64_t first = UINT64_MAX;

        for (size_t i = 0; i < state->item_count; i++) {
            uint64_t time = (uint64_t)state->items[i].time;

            first = time < first ? time : first;
        }
        new_item(state, ITEM_LOSS, first)->order = 0;
        cpu->lost = false;
    }
    if (state->item_count > 0) {
        qsort(state->items, state->item_count, sizeof *state->items, compare_items);
    }
}

static void read_bundle(struct perfetto *state, struct wire message) {
    struct wire_field field;
    uint64_t cpu = 0;
    bool whole = true, lost = false;

    state->name_count = 0;
    while (read_field(&message, &field)) {
        switch (field.number) {
        case BUNDLE_CPU:
            cpu = field.value;
            break;
        case BUNDLE_EVENT:
            whole = read_event(state, field.bytes) && whole;
            break;
        case BUNDLE_LOST:
            lost = field.value != 0;
            break;
        case BUNDLE_COMPACT:
            whole = read_compact(state, field.bytes) && whole;
            break;
        }
    }
    whole = whole && !message.damaged && cpu < CPU_MOST;
    if (cpu < CPU_MOST) {
        state->cpu = cpu;
        cpu_of(state, cpu)->lost |= lost;
        sort_items(state);
    } else {
        state->item_count = 0;
    }
    if (!whole) {
        new_item(state, ITEM_DAMAGE, 0);
    }
}

/* --- packets ---------------------------------------------------------------------------------- */

/* Sets the wall clock from the first snapshot of the clocks, relative to the boot clock. */
static void read_clocks(struct perfetto *state, struct wire message) {
    enum { CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME, REALTIME = 1, BOOTTIME = 6 };
    struct wire_field field;
    uint64_t wall = 0, boot = 0;

    while (read_field(&message, &field)) {
        uint64_t id = find_field(field.bytes, CLOCK_ID).value,
                 time = find_field(field.bytes, CLOCK_TIME).value;

        if (field.number == CLOCK && time <= INT64_MAX / 2) {
            wall = id == REALTIME ? time : wall;
            boot = id == BOOTTIME ? time : boot;
        }
    }
    if (state->text.realtime == EVENT_NONE && wall > 0 && boot > 0) {
        state->text.realtime = (int64_t)wall;
        state->text.told_at = (int64_t)boot;
    }
}

static void tell_thread(struct perfetto *state, uint64_t number, uint64_t pid, struct wire name) {
    struct perfetto_thread *thread;
    int64_t tid = (int64_t)(number & INT32_MAX);

    HASH_FIND(hh, state->threads, &tid, sizeof tid, thread);
    if (thread == NULL && HASH_COUNT(state->threads) < THREADS_MOST) {
        thread = xcalloc(1, sizeof *thread);
        thread->tid = tid;
        HASH_ADD(hh, state->threads, tid, sizeof tid, thread);
    }
    if (thread != NULL) {
        thread->pid = (int64_t)(pid & INT32_MAX);
        copy_name(thread->name, name);
    }
}

/* Reads a process. A command line of one word may be its name; of kernel threads it is. */
static void read_process(struct perfetto *state, struct wire process) {
    enum { ID = 1, WORD = 3 };
    struct wire_field field;
    struct wire name = {0};
    uint64_t pid = 0;
    int words = 0;

    while (read_field(&process, &field)) {
        if (field.number == ID) {
            pid = field.value;
        } else if (field.number == WORD) {
            words++;
            name = field.bytes;
        }
    }
    if (words != 1 || name.end - name.at >= COMM_SIZE || (name.at < name.end && *name.at == '/')) {
        name = (struct wire){0};
    }
    tell_thread(state, pid, pid, name);
}

/* Reads the threads and processes of a process tree. */
static void read_tree(struct perfetto *state, struct wire message) {
    enum { PROCESS = 1, THREAD, TID = 1, NAME, PID };
    struct wire_field field;

    while (read_field(&message, &field)) {
        if (field.number == PROCESS) {
            read_process(state, field.bytes);
        } else if (field.number == THREAD) {
            tell_thread(state, find_field(field.bytes, TID).value,
                        find_field(field.bytes, PID).value, find_field(field.bytes, NAME).bytes);
        }
    }
}

/* Reads the thread of a track. False if the track has none. */
static bool read_track(struct perfetto *state, struct wire message) {
    enum { THREAD = 4, PID = 1, TID, NAME = 5 };
    struct wire thread = find_field(message, THREAD).bytes;

    if (thread.at == thread.end) {
        return false;
    }
    tell_thread(state, find_field(thread, TID).value, find_field(thread, PID).value,
                find_field(thread, NAME).bytes);
    return true;
}

/* Unpacks bytes packed by zlib. False if they are damaged, or too many. */
static bool inflate_all(struct wire packed, struct text *out) {
    z_stream stream = {.next_in = (Bytef *)packed.at, .avail_in = (uInt)(packed.end - packed.at)};
    int status = inflateInit(&stream);

    while (status == Z_OK && out->length < PERFETTO_PACKET_MOST) {
        stream.next_out = (Bytef *)text_reserve(out, READER_WINDOW);
        stream.avail_out = READER_WINDOW;
        status = inflate(&stream, Z_NO_FLUSH);
        out->length += READER_WINDOW - stream.avail_out;
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

/* The same for zstd. */
static bool unzstd_all(struct wire packed, struct text *out) {
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {.src = packed.at, .size = (size_t)(packed.end - packed.at)};
    size_t status = 1;
    bool goes_on = stream != NULL;

    while (goes_on && out->length < PERFETTO_PACKET_MOST) {
        ZSTD_outBuffer piece = {.dst = text_reserve(out, READER_WINDOW), .size = READER_WINDOW};

        status = ZSTD_decompressStream(stream, &piece, &in);
        out->length += piece.pos;
        goes_on = !ZSTD_isError(status) && (in.pos < in.size || piece.pos == piece.size);
    }
    ZSTD_freeDStream(stream);
    return status == 0 && !goes_on;
}

/* Reads a field of a packet. */
static void take_field(struct perfetto *state, const struct wire_field *field, bool nested) {
    bool is_zlib = field->number == PACKET_ZLIB;

    if (field->number == PACKET_FTRACE) {
        read_bundle(state, field->bytes);
    } else if (field->number == PACKET_CLOCKS) {
        read_clocks(state, field->bytes);
    } else if (field->number == PACKET_TREE) {
        read_tree(state, field->bytes);
    } else if (field->number == PACKET_TRACK && read_track(state, field->bytes)) {
        return;
    } else if ((is_zlib || field->number == PACKET_ZSTD) && !nested) {
        text_clear(&state->unpacked);
        state->cut = !(is_zlib ? inflate_all : unzstd_all)(field->bytes, &state->unpacked);
        state->levels[LEVEL_UNPACKED] =
            wire_of(text_string(&state->unpacked), state->unpacked.length);
    } else if (field->bytes.at != NULL && field->number != PACKET_INTERNED &&
               field->number != PACKET_DEFAULTS) {
        new_item(state, ITEM_PACKET, 0)->packet = field->number;
    }
}

/* Reads the next field of the levels in memory. False if there is none. */
static bool take_next(struct perfetto *state) {
    for (int level = PERFETTO_LEVELS; level-- > 0;) {
        struct wire *wire = &state->levels[level];
        struct wire_field field;

        if (!read_field(wire, &field)) {
            bool damaged = wire->damaged || (level == LEVEL_UNPACKED && state->cut);

            *wire = (struct wire){0};
            if (damaged) {
                state->cut = false;
                new_item(state, ITEM_DAMAGE, 0);
                return true;
            }
            continue;
        }
        if (level == LEVEL_UNPACKED) {
            state->levels[LEVEL_UNPACKED_PACKET] = field.bytes;
        } else {
            take_field(state, &field, level == LEVEL_UNPACKED_PACKET);
        }
        return true;
    }
    return false;
}

/* Reads the head of the packet at the cursor: lengths of head and packet. False if it is none. */
static bool packet_head(const uint8_t *bytes, size_t count, size_t *head, uint64_t *length) {
    struct wire wire = wire_of(bytes, count < HEAD_MOST ? count : HEAD_MOST);

    if (count == 0 || *wire.at++ != PACKET_TAG || !read_varint(&wire, length)) {
        return false;
    }
    *head = (size_t)(wire.at - bytes);
    return true;
}

/* Reads the bytes of a packet, as far as the file has them. False if bytes are missing, or too
 * many. */
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

/* Reads the next packet. False at the end of the file. */
static bool next_packet(struct perfetto *state, struct reader *reader) {
    size_t count = reader_fill(reader, HEAD_MOST), head;
    uint64_t length;

    state->offset = reader_offset(reader);
    if (count == 0) {
        return false;
    }
    if (!packet_head(reader_bytes(reader), count, &head, &length)) {
        reader_skip(reader, INT64_MAX); /* the start of the next packet is unknown */
        new_item(state, ITEM_DAMAGE, 0);
    } else {
        reader_take(reader, head);
        if (fill_packet(state, reader, length)) {
            state->levels[LEVEL_PACKET] =
                wire_of(text_string(&state->packet), state->packet.length);
        } else {
            new_item(state, ITEM_DAMAGE, 0);
        }
    }
    state->left = reader_offset(reader) - state->offset;
    return true;
}

/* Subtracts the bytes of an item from those of its packet, so that no byte is lost twice. */
static int64_t take_bytes(struct perfetto *state, const struct perfetto_item *item) {
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

    while (state->item_at == state->item_count) {
        state->item_at = state->item_count = 0;
        if (!take_next(state) && !next_packet(state, stream->reader)) {
            return false;
        }
    }
    item = &state->items[state->item_at++];
    text_clear(&state->line);
    append_item(&state->line, state, item);
    *record = (struct stream_record){(const uint8_t *)text_string(&state->line), state->line.length,
                                     state->offset, take_bytes(state, item)};
    return true;
}

bool perfetto_open(struct stream *stream, struct error *error) {
    struct perfetto *state = stream->state;

    (void)error;
    state->text.realtime = EVENT_NONE;
    state->text.has_events = true;
    return true;
}

void perfetto_close(struct stream *stream) {
    struct perfetto *state = stream->state;

    text_free(&state->packet);
    text_free(&state->unpacked);
    text_free(&state->line);
    HASH_FREE(state->threads);
    free(state->names);
    free(state->cpus);
    free(state->items);
}

enum sniff_score perfetto_sniff(const struct sniff *sniff) {
    size_t at = 0;

    for (int i = 0; i < SNIFFED && at < sniff->length; i++) {
        struct wire packet;
        struct wire_field field;
        uint64_t length;
        size_t head;

        if (!packet_head(sniff->bytes + at, sniff->length - at, &head, &length) || length == 0 ||
            length > PERFETTO_PACKET_MOST) {
            return SNIFF_NO;
        }
        if (length > sniff->length - at - head) {
            return i > 0 ? SNIFF_LIKELY : SNIFF_NO;
        }
        packet = wire_of(sniff->bytes + at + head, length);
        while (read_field(&packet, &field)) {
        }
        if (packet.damaged) {
            return SNIFF_NO;
        }
        at += head + length;
    }
    return SNIFF_LIKELY;
}
