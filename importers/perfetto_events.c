/* Names of Perfetto's packets and of ftrace events by field number, and the text that the kernel
 * prints for an event.
 *
 * Sources: google/perfetto, protos/perfetto/trace; the kernel's include/trace/events. */
#include "perfetto.h"

#include "base/search.h"

enum {
    STRING_MOST = 4096, /* maximum bytes of a string that is printed */
    LIST_MOST = 16,     /* maximum numbers of a list that are printed */
};

#define WAKEUP      "comm=%s1 pid=%d2 prio=%d3 target_cpu=%d5"
#define REQUEST     "%v1 %s5 %d4 (%s7) %u2 + %d3 [%s6]"
#define FINISHED    "%v1 %s5 (%s6) %u2 + %d3 [%d4]"
#define BIO         "%v1 %s4 %u2 + %d3 [%s5]"
#define EXT4        "dev %v1 ino %u2 "
#define MAPPED      EXT4 "flags %d3 lblk %d5 pblk %u4 len %d6 mflags %m7 ret %d8"
#define F2FS_DEVICE "dev = (%v1), "
#define F2FS        F2FS_DEVICE "ino = %u2, "
#define F2FS_SEGMENTS(nodes, dents, imeta, sections, segments, reserved, prefree)                  \
    "nodes = %d" nodes ", dents = %d" dents ", imeta = %d" imeta ", free_sec:%u" sections          \
    ", free_seg:%u" segments ", rsv_seg:%d" reserved ", prefree_seg:%u" prefree
#define ANDROID_FS_BEGIN                                                                           \
    "entry_name %s6, offset %d5, bytes %d1, cmdline %s2, pid %d7, i_size %d3, ino %u4"
#define ANDROID_FS_END "ino %u2, offset %d3, bytes %d1"

/* Ftrace events, sorted by field number for a binary search, as are the packets below. */
static const struct perfetto_kind events[] = {
    {3, "tracing_mark_write", "%s2"},
    {4, "sched_switch",
     "prev_comm=%s1 prev_pid=%d2 prev_prio=%d3 prev_state=%d4 ==> next_comm=%s5 next_pid=%d6 "
     "next_prio=%d7"},
    {11, "cpu_frequency", "state=%d1 cpu_id=%d2"},
    {12, "cpu_frequency_limits", NULL},
    {13, "cpu_idle", "state=%d1 cpu_id=%d2"},
    {14, "clock_enable", NULL},
    {15, "clock_disable", NULL},
    {16, "clock_set_rate", NULL},
    {17, "sched_wakeup", WAKEUP},
    {18, "sched_blocked_reason", "pid=%d1 iowait=%d3 caller=%s2"},
    {19, "sched_cpu_hotplug", NULL},
    {20, "sched_waking", WAKEUP},
    {21, "ipi_entry", "(%s1)"},
    {22, "ipi_exit", "(%s1)"},
    {23, "ipi_raise", NULL},
    {24, "softirq_entry", "vec=%d1 [action=%i1]"},
    {25, "softirq_exit", "vec=%d1 [action=%i1]"},
    {26, "softirq_raise", NULL},
    {36, "irq_handler_entry", "irq=%d1 name=%s2"},
    {37, "irq_handler_exit", "irq=%d1 ret=%d2"},
    {41, "ext4_da_write_begin", EXT4 "pos %d3 len %d4 flags %d5"},
    {42, "ext4_da_write_end", EXT4 "pos %d3 len %d4 copied %d5"},
    {43, "ext4_sync_file_enter", EXT4 "parent %u3 datasync %d4"},
    {44, "ext4_sync_file_exit", EXT4 "ret %d3"},
    {45, "block_rq_issue", REQUEST},
    {50, "binder_transaction", NULL},
    {51, "binder_transaction_received", NULL},
    {52, "binder_set_priority", NULL},
    {53, "binder_lock", NULL},
    {54, "binder_locked", NULL},
    {55, "binder_unlock", NULL},
    {56, "workqueue_activate_work", NULL},
    {57, "workqueue_execute_end", NULL},
    {58, "workqueue_execute_start", NULL},
    {59, "workqueue_queue_work", NULL},
    {80, "tracing_mark_write", NULL},
    {97, "mm_filemap_add_to_page_cache", NULL},
    {98, "mm_filemap_delete_from_page_cache", NULL},
    {113, "suspend_resume", NULL},
    {114, "sched_wakeup_new", WAKEUP},
    {115, "block_bio_backmerge", BIO},
    {117, "block_bio_complete", "%v1 %s5 %u2 + %d3 [%d4]"},
    {118, "block_bio_frontmerge", BIO},
    {119, "block_bio_queue", BIO},
    {120, "block_bio_remap", "%v1 %s6 %u2 + %d3 <- (%v4) %u5"},
    {121, "block_dirty_buffer", NULL},
    {122, "block_getrq", BIO},
    {123, "block_plug", "[%s1]"},
    {125, "block_rq_complete", FINISHED},
    {126, "block_rq_insert", REQUEST},
    {128, "block_rq_remap", "%v1 %s7 %u2 + %d3 <- (%v4) %u5 %d6"},
    {129, "block_rq_requeue", FINISHED},
    {131, "block_split", "%v1 %s4 %u2 / %u3 [%s5]"},
    {132, "block_touch_buffer", NULL},
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
    {232, "ext4_writepages", NULL},
    {235, "task_newtask", NULL},
    {236, "task_rename", NULL},
    {237, "sched_process_exec", "filename=%s1 pid=%d2 old_pid=%d3"},
    {238, "sched_process_exit", "comm=%s1 pid=%d2 prio=%d4"},
    {239, "sched_process_fork", "comm=%s1 pid=%d2 child_comm=%s3 child_pid=%d4"},
    {240, "sched_process_free", NULL},
    {242, "sched_process_wait", NULL},
    {251, "f2fs_readpage", F2FS "page_index = 0x%x3"},
    {255, "f2fs_sync_file_enter", F2FS "pino = %u3, i_mode = 0x%x4, i_size = %d5"},
    {256, "f2fs_sync_file_exit", F2FS "datasync = %d4, ret = %d5"},
    {268, "f2fs_unlink_enter",
     F2FS_DEVICE "dir ino = %u2, i_size = %d3, i_blocks = %u4, name = %s5"},
    {269, "f2fs_unlink_exit", F2FS "ret = %d3"},
    {271, "f2fs_write_begin", F2FS "pos = %d3, len = %d4, flags = %d5"},
    {272, "f2fs_write_checkpoint", F2FS_DEVICE "checkpoint for %c4%w2, state = %s3"},
    {273, "f2fs_write_end", F2FS "pos = %d3, len = %d4, copied = %d5"},
    {313, "rss_stat", NULL},
    {323, "binder_transaction_alloc_buf", NULL},
    {324, "signal_deliver", NULL},
    {325, "signal_generate", NULL},
    {326, "oom_score_adj_update", NULL},
    {327, "generic", NULL},
    {329, "sys_enter", "NR %d1 (%l2)"},
    {330, "sys_exit", "NR %d1 = %d2"},
    {332, "gpu_frequency", NULL},
    {340, "gpu_mem_total", NULL},
    {341, "thermal_temperature", NULL},
    {359, "rss_stat_throttled", NULL},
    {406, "ufshcd_command",
     "%s6%ya: %s1: tag: %u7, DB: 0x%x2, size: %d8, IS: %u3, LBA: %u4, opcode: 0x%x5, group_id: "
     "0x%x9"},
    {407, "ufshcd_clk_gating", "%s1: gating state changed to %k2"},
    {414, "dma_fence_init", NULL},
    {416, "dma_fence_signaled", NULL},
    {419, "f2fs_iostat",
     "dev = (%v9), app [write=%u8 (direct=%u3, buffered=%u1), mapped=%u5], fs [data=%ue, node=%um, "
     "meta=%uk, discard=%uf], gc [data=%uh, node=%ui], cp [data=%ub, node=%ud, meta=%uc], app "
     "[read=%u7 (direct=%u4, buffered=%u2), mapped=%u6], fs [data=%ug, (gc_data=%uj, cdata=%ua), "
     "node=%un, meta=%ul]"},
    {420, "f2fs_iostat_latency", NULL},
    {431, "android_fs_dataread_end", ANDROID_FS_END},
    {432, "android_fs_dataread_start", ANDROID_FS_BEGIN},
    {433, "android_fs_datawrite_end", ANDROID_FS_END},
    {434, "android_fs_datawrite_start", ANDROID_FS_BEGIN},
    {435, "android_fs_fsync_end", ANDROID_FS_END},
    {436, "android_fs_fsync_start", "entry_name %s4, cmdline %s1, pid %d5, i_size %d2, ino %u3"},
    {437, "funcgraph_entry", NULL},
    {438, "funcgraph_exit", NULL},
    {491, "sched_migrate_task", NULL},
    {495, "f2fs_background_gc", NULL},
    {496, "f2fs_gc_begin",
     F2FS_DEVICE "gc_type = %gb, sync = %d2, background = %d3, no_background_GC = %dc, "
                 "nr_free_secs = %ud, " F2FS_SEGMENTS("4", "5", "6", "7", "8", "9", "a")},
    {497, "f2fs_gc_end",
     F2FS_DEVICE "ret = %d2, seg_freed = %d3, sec_freed = %d4, " F2FS_SEGMENTS("5", "6", "7", "8",
                                                                               "9", "a", "b")},
};

static const struct perfetto_kind packets[] = {
    {7, "sys_stats", NULL},
    {9, "process_stats", NULL},
    {11, "track_event", NULL},
    {33, "trace_config", NULL},
    {34, "ftrace_stats", NULL},
    {35, "trace_stats", NULL},
    {36, "synchronization_marker", NULL},
    {37, "profile_packet", NULL},
    {38, "battery", NULL},
    {39, "android_log", NULL},
    {40, "power_rails", NULL},
    {45, "system_info", NULL},
    {46, "trigger", NULL},
    {47, "packages_list", NULL},
    {52, "gpu_counter_event", NULL},
    {56, "heap_graph", NULL},
    {60, "track_descriptor", NULL},
    {66, "perf_sample", NULL},
    {67, "cpu_info", NULL},
    {69, "service_event", NULL},
    {70, "initial_display_state", NULL},
    {76, "frame_timeline_event", NULL},
    {89, "trace_uuid", NULL},
    {128, "gpu_info", NULL},
    {130, "interrupt_info", NULL},
};

/* Names for numbers from 0 on, by the letter in the format (perfetto_kind.text). Newer kernels use
 * other numbers above 1 for steps of UFS. A number that a message lacks gets no name. */
static const struct {
    char letter;
    const char *names[10];
} lists[] = {
    {'g', {"Background GC", "Foreground GC"}},
    {'i',
     {"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER",
      "RCU"}},
    {'k', {"CLKS_OFF", "CLKS_ON", "REQ_CLKS_OFF", "REQ_CLKS_ON"}},
    {'w', {"consistency", "clean umount"}},
    {'y', {"send_req", "complete_rsp", "dev_complete"}},
};

/* Names for bits, by the letter in the format: m: ext4's mappings, c: reasons of checkpoints. */
static const struct {
    char letter;
    uint64_t bit;
    const char *name;
} bits[] = {
    {'m', 0x20, "N"},     {'m', 0x10, "M"},     {'m', 0x800, "U"},  {'m', 0x200, "B"},
    {'c', 1, "Umount"},   {'c', 2, "Fastboot"}, {'c', 4, "Sync"},   {'c', 8, "Recovery"},
    {'c', 16, "Discard"}, {'c', 32, "Trimmed"}, {'c', 64, "Pause"}, {'c', 128, "Resize"},
};

const struct perfetto_kind *perfetto_event_kind(uint64_t field) {
    return field > UINT32_MAX
               ? NULL
               : search_id(events, sizeof events / sizeof *events, sizeof *events, (uint32_t)field);
}

const struct perfetto_kind *perfetto_packet_kind(uint64_t field) {
    return field > UINT32_MAX ? NULL
                              : search_id(packets, sizeof packets / sizeof *packets,
                                          sizeof *packets, (uint32_t)field);
}

void perfetto_message_read(struct perfetto_message *message, struct wire bytes) {
    struct wire_field field;

    *message = (struct perfetto_message){.bytes = bytes};
    while (wire_next(&bytes, &field)) {
        if (field.number < PERFETTO_FIELDS) {
            message->fields[field.number] = field;
        }
    }
}

void perfetto_string_append(struct text *out, struct wire bytes) {
    size_t length = (size_t)(bytes.end - bytes.at);

    length = length < STRING_MOST ? length : STRING_MOST;
    for (size_t i = 0; i < length; i++) {
        if (bytes.at[i] == '\n' || bytes.at[i] == '\0') {
            length = i;
        }
    }
    if (length > 0) {
        text_append(out, (const char *)bytes.at, length);
    }
}

/* Appends the name of a number, or the names of its bits. */
static void perfetto_events_append_names(struct text *out, char letter,
                                         const struct wire_field *field) {
    size_t length = out->length;

    for (size_t i = 0; i < sizeof lists / sizeof *lists && field->number != 0; i++) {
        if (lists[i].letter == letter &&
            field->value < sizeof lists[i].names / sizeof *lists[i].names &&
            lists[i].names[field->value] != NULL) {
            text_append_string(out, lists[i].names[field->value]);
        }
    }
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (bits[i].letter == letter && (field->value & bits[i].bit) != 0) {
            text_append_string(out, letter == 'c' && out->length > length ? "|" : "");
            text_append_string(out, bits[i].name);
        }
    }
}

/* Appends the numbers of a repeated field. */
static void perfetto_events_append_list(struct text *out, struct wire message, uint64_t number) {
    struct wire_field field;
    int count = 0;

    while (count < LIST_MOST && wire_next(&message, &field)) {
        if (field.number == number && field.bytes.at == NULL) {
            text_append_format(out, count++ == 0 ? "%llx" : ", %llx",
                               (unsigned long long)field.value);
        }
    }
}

static void perfetto_events_append_field(struct text *out, char how,
                                         const struct wire_field *field) {
    switch (how) {
    case 's':
        perfetto_string_append(out, field->bytes);
        break;
    case 'v':
        /* A device number as by makedev() of the C library. */
        text_append_integer(out, (int64_t)(field->value >> 8 & 0xfff));
        text_append_char(out, ',');
        text_append_integer(out, (int64_t)((field->value >> 12 & 0xfff00) | (field->value & 0xff)));
        break;
    case 'u':
        if (field->value > INT64_MAX) {
            text_append_format(out, "%llu", (unsigned long long)field->value);
        } else {
            text_append_integer(out, (int64_t)field->value);
        }
        break;
    case 'x':
        text_append_format(out, "%llx", (unsigned long long)field->value);
        break;
    case 'o':
        text_append_format(out, "%llo", (unsigned long long)field->value);
        break;
    case 'd':
        text_append_integer(out, (int64_t)field->value);
        break;
    default:
        perfetto_events_append_names(out, how, field);
    }
}

void perfetto_message_append(struct text *out, const char *text,
                             const struct perfetto_message *message) {
    const char *next;

    for (; (next = strchr(text, '%')) != NULL; text = next + 3) {
        int number = next[2] <= '9' ? next[2] - '0' : next[2] - 'a' + 10;

        text_append(out, text, (size_t)(next - text));
        if (next[1] == 'l') {
            perfetto_events_append_list(out, message->bytes, (uint64_t)number);
        } else {
            perfetto_events_append_field(out, next[1], &message->fields[number]);
        }
    }
    text_append_string(out, text);
}
