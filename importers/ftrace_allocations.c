/* Events that say whose blocks of a file system are:
 *
 *     ext4_allocate_blocks: dev 7,1 ino 12 flags HINT_DATA len 8 block 33280 lblk 0 goal …
 *     ext4_ext_map_blocks_exit: dev 7,1 ino 12 flags CREATE lblk 0 pblk 33280 len 8 mflags NM ret 8
 *     ext4_free_blocks: dev 7,1 ino 12 mode 0100644 block 33280 count 8 flags
 *     ext4_allocate_inode: dev 7,1 ino 12 dir 2 mode 0100644
 *     ext4_free_inode: dev 7,1 ino 12 mode 0100644 uid 0 gid 0 blocks 0
 *     f2fs_submit_page_write: dev = (7,1), ino = 12, page_index = 0x0, oldaddr = 0x1400,
 *         newaddr = 0x1405, rw = WRITE(S), type = WARM_DATA
 *     f2fs_map_blocks: dev = (7,1), ino = 12, file offset = 0, start blkaddr = 0x1405, len = 0x1,
 *         …, err = 0
 *
 * Blocks are the file system's. Those that ext4 gives a file are for what it holds where
 * HINT_DATA is among the flags, which older kernels print as a number. What it frees as METADATA
 * may be attributes that several files share, so that it says of no inode. f2fs names files for its
 * pages of data only; where a page is written to another place, the old one is free.
 */
#include "ftrace_allocations.h"

#include <string.h>

#include "ftrace_fields.h"
#include "import/emit.h"
#include "model/allocation.h"

#define BLOCK_LIMIT (INT64_C(1) << 48)

/* Addresses of f2fs above are none. */
#define F2FS_LAST_ADDRESS INT64_C(0xFFFFFFFD)

/* Flags that older kernels print as numbers. */
enum { HINT_DATA = 0x20, FREE_METADATA = 1 };

/* --- records that were lost ------------------------------------------------------------------- */

/* 1 and which gap it is; 0: there are too many, and all from then on is lost. */
static size_t add_gap(struct ftrace_allocations *state, int64_t from, int64_t to) {
    if (state->gap_count == FTRACE_ALLOCATION_GAPS) {
        state->rest_from = state->more && state->rest_from < from ? state->rest_from : from;
        state->more = true;
        return 0;
    }
    state->gaps[state->gap_count++] = (struct ftrace_gap){from, to};
    return state->gap_count;
}

/* Events may be slightly out of order: no gap ends before it begins, nor earlier than it did. */
static void end_gap(struct ftrace_allocations *state, size_t *which, int64_t time) {
    struct ftrace_gap *gap = *which == 0 ? NULL : &state->gaps[*which - 1];

    if (gap != NULL && (gap->to == INT64_MAX || gap->to < time)) {
        gap->to = time < gap->from ? gap->from : time;
    }
    *which = 0;
}

static void begin_recording(struct ftrace_allocations *state, struct ftrace_recording *recording,
                            int64_t time) {
    int64_t from = state->begun ? state->last : 0;

    recording->begun = true;
    recording->begin = recording->overwritten ? add_gap(state, from, time) : 0;
    if (!state->begun) {
        return;
    }
    if (state->break_count == FTRACE_ALLOCATION_GAPS) {
        state->rest_from = state->more && state->rest_from < from ? state->rest_from : from;
        state->more = true;
        return;
    }
    state->breaks[state->break_count++] = (struct ftrace_break){{from, time}, recording->begin};
    recording->breaks = state->break_count;
}

/* A recording that goes on covers the breaks since its last event. What was overwritten at the
 * begin of those that began meanwhile is then of any time before. */
static void go_on(struct ftrace_allocations *state, struct ftrace_recording *recording) {
    while (state->break_count > recording->breaks &&
           state->breaks[state->break_count - 1].gap.from >= recording->last) {
        size_t begin = state->breaks[--state->break_count].begin;

        if (begin != 0) {
            state->gaps[begin - 1].from = 0;
        }
    }
    if (recording->breaks > state->break_count) {
        recording->breaks = state->break_count;
    }
}

void ftrace_allocations_see(struct ftrace_allocations *state, struct ftrace_recording *recording,
                            const struct ftrace_line *line) {
    bool known = line->cpu >= 0 && line->cpu < FTRACE_ALLOCATION_CPUS;

    if (recording->begun) {
        go_on(state, recording);
    } else {
        begin_recording(state, recording, line->time);
    }
    state->begun = true;
    recording->last = line->time;
    state->last = line->time > state->last ? line->time : state->last;
    end_gap(state, &state->doubt, line->time);
    if (!known) {
        return;
    }
    if (!recording->cpus[line->cpu]) {
        size_t begin = recording->begin;

        recording->cpus[line->cpu] = true;
        end_gap(state, &begin, line->time);
    }
    state->cpus[line->cpu].last = line->time;
    end_gap(state, &state->cpus[line->cpu].gap, line->time);
}

void ftrace_allocations_lost(struct ftrace_allocations *state, int64_t cpu) {
    bool known = cpu >= 0 && cpu < FTRACE_ALLOCATION_CPUS;

    if (!known) {
        add_gap(state, 0, INT64_MAX);
    } else if (state->cpus[cpu].gap == 0) {
        state->cpus[cpu].gap = add_gap(state, state->cpus[cpu].last, INT64_MAX);
    }
}

void ftrace_allocations_missing(struct ftrace_allocations *state, int64_t from, int64_t to) {
    add_gap(state, from, to < from ? from : to);
}

/* It may be of the same time as the events around it: neither is believed. */
void ftrace_allocations_doubt(struct ftrace_allocations *state) {
    if (state->doubt == 0) {
        state->doubt = add_gap(state, state->last > 0 ? state->last - 1 : 0, state->last + 1);
    }
}

static bool keep_gap(struct import *import, const struct ftrace_gap *gap) {
    struct allocation record = {.what = ALLOCATION_LOST, .time = gap->from, .mode = EVENT_NONE};

    if (!import_allocation(import, &record)) {
        return false;
    }
    record.what = ALLOCATION_REGAINED;
    record.time = gap->to < gap->from ? gap->from : gap->to;
    return gap->to == INT64_MAX || import_allocation(import, &record);
}

bool ftrace_allocations_end(struct import *import, const struct ftrace_allocations *state) {
    struct ftrace_gap rest = {state->rest_from, INT64_MAX};

    if (state->kept == 0) {
        return true;
    }
    for (size_t i = 0; i < state->gap_count; i++) {
        if (!keep_gap(import, &state->gaps[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < state->break_count; i++) {
        if (!keep_gap(import, &state->breaks[i].gap)) {
            return false;
        }
    }
    return !state->more || keep_gap(import, &rest);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Whether a flag is among those behind `flags `, which may be a number. */
static bool has_flag(struct word fields, const char *name, int64_t bit) {
    struct word value, word;
    int64_t number;

    if (!ftrace_field(fields, "flags", &value)) {
        return false;
    }
    word = word_next(&value);
    if (word_number(word, INT64_MAX, &number)) {
        return (number & bit) != 0;
    }
    return memmem(word.bytes, word.length, name, strlen(name)) != NULL;
}

/* `mode 0100644` */
static bool take_mode(struct word fields, int64_t *mode) {
    struct word value, word;

    if (!ftrace_field(fields, "mode", &value)) {
        return true;
    }
    word = word_next(&value);
    *mode = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (word.bytes[i] < '0' || word.bytes[i] > '7' || word.length > 8) {
            return false;
        }
        *mode = *mode << 3 | (word.bytes[i] - '0');
    }
    return word.length > 0;
}

static bool take_place(struct word fields, const char *block, const char *count,
                       struct allocation *record) {
    record->block = record->count = EVENT_NONE;
    return ftrace_field_number(fields, block, 0, BLOCK_LIMIT, &record->block) &&
           ftrace_field_number(fields, count, 0, UINT32_MAX, &record->count) &&
           record->block != EVENT_NONE && record->count != EVENT_NONE;
}

/* --- events ----------------------------------------------------------------------------------- */

/* Makes records of an event, whose device and inode are known: at most two, `*count`. False: it is
 * damaged. */
typedef bool parse_function(struct word fields, struct allocation *records, size_t *count);

static bool parse_allocation(struct word fields, struct allocation *records, size_t *count) {
    records->what =
        has_flag(fields, "HINT_DATA", HINT_DATA) ? ALLOCATION_DATA : ALLOCATION_METADATA;
    *count = 1;
    return take_place(fields, "block", "len", records);
}

static bool parse_freed(struct word fields, struct allocation *records, size_t *count) {
    records->what = ALLOCATION_FREED;
    if (has_flag(fields, "METADATA", FREE_METADATA)) {
        records->inode = 0;
    }
    *count = 1;
    return take_mode(fields, &records->mode) && take_place(fields, "block", "count", records);
}

/* Where nothing is mapped, it says of no block. */
static bool parse_mapping(struct word fields, struct allocation *records, size_t *count) {
    int64_t result = 0;
    struct word flags;

    records->what = ALLOCATION_HELD;
    if (!take_place(fields, "pblk", "len", records) ||
        !ftrace_field_number(fields, "ret", -INT64_MAX, INT64_MAX, &result)) {
        return false;
    }
    if (!ftrace_field(fields, "mflags", &flags)) {
        return true;
    }
    flags = word_next(&flags);
    *count = result > 0 && flags.length > 0 &&
             (memchr(flags.bytes, 'M', flags.length) != NULL ||
              memchr(flags.bytes, 'U', flags.length) != NULL);
    return true;
}

static bool parse_created(struct word fields, struct allocation *records, size_t *count) {
    records->what = ALLOCATION_CREATED;
    *count = 1;
    return take_mode(fields, &records->mode);
}

static bool parse_deleted(struct word fields, struct allocation *records, size_t *count) {
    records->what = ALLOCATION_DELETED;
    *count = 1;
    return take_mode(fields, &records->mode);
}

/* A page that is read or written; of what it was written over before, the place is free. */
static bool parse_page(struct word fields, struct allocation *records, size_t *count) {
    struct word type, direction;
    int64_t before = 0;

    records->block = EVENT_NONE;
    records->count = 1;
    if (!ftrace_field_number(fields, "newaddr", 0, INT64_MAX, &records->block) ||
        !ftrace_field_number(fields, "oldaddr", 0, INT64_MAX, &before) ||
        records->block == EVENT_NONE || !ftrace_field(fields, "type", &type) ||
        !ftrace_field(fields, "rw", &direction)) {
        return false;
    }
    type = word_next(&type);
    if (memmem(type.bytes, type.length, "DATA", 4) == NULL) {
        records->what = ALLOCATION_METADATA;
        records->inode = 0;
    } else {
        records->what =
            word_begins(word_next(&direction), "READ") ? ALLOCATION_HELD : ALLOCATION_DATA;
    }
    records[1] = records[0];
    records[1].what = ALLOCATION_FREED;
    records[1].block = before;
    if (records->block == 0 || records->block > F2FS_LAST_ADDRESS) {
        *count = 0;
    } else {
        *count = before == 0 || before > F2FS_LAST_ADDRESS || before == records->block ? 1 : 2;
    }
    return true;
}

static bool parse_mapped(struct word fields, struct allocation *records, size_t *count) {
    int64_t failure = 0;

    records->what = ALLOCATION_HELD;
    if (!take_place(fields, "blkaddr", "len", records) ||
        !ftrace_field_number(fields, "err", INT32_MIN, INT32_MAX, &failure)) {
        return false;
    }
    *count = failure == 0 && records->block != 0 && records->count > 0 &&
             records->block + records->count <= F2FS_LAST_ADDRESS + 1;
    return true;
}

static const struct allocation_event {
    const char *name;
    parse_function *parse;
} events[] = {
    /* In order of name. */
    {"ext4_allocate_blocks", parse_allocation},  {"ext4_allocate_inode", parse_created},
    {"ext4_ext_map_blocks_exit", parse_mapping}, {"ext4_free_blocks", parse_freed},
    {"ext4_free_inode", parse_deleted},          {"ext4_ind_map_blocks_exit", parse_mapping},
    {"f2fs_map_blocks", parse_mapped},           {"f2fs_submit_folio_bio", parse_page},
    {"f2fs_submit_folio_write", parse_page},     {"f2fs_submit_page_bio", parse_page},
    {"f2fs_submit_page_write", parse_page},
};

enum ftrace_allocation_taken ftrace_allocations_take(struct import *import,
                                                     struct ftrace_allocations *state,
                                                     const struct ftrace_line *line) {
    const struct allocation_event *event =
        ftrace_line_event(line, events, sizeof events / sizeof events[0], sizeof events[0]);
    struct allocation records[2] = {
        {.time = line->time, .inode = EVENT_NONE, .mode = EVENT_NONE},
    };
    size_t count = 0;

    if (event == NULL) {
        return FTRACE_ALLOCATION_OTHER;
    }
    if (!ftrace_field_device(line->fields, &records->device) ||
        !ftrace_field_number(line->fields, "ino", 1, UINT32_MAX, &records->inode) ||
        records->inode == EVENT_NONE || !event->parse(line->fields, records, &count)) {
        return FTRACE_ALLOCATION_DAMAGED;
    }
    /* Freed first: f2fs may write a page where it was. */
    while (count > 0) {
        const struct allocation *record = &records[--count];

        if (record->count == 0 && record->what < ALLOCATION_CREATED) {
            continue; /* an allocation that failed */
        }
        if (!import_allocation(import, record)) {
            return FTRACE_ALLOCATION_STOP;
        }
        state->kept++;
    }
    return FTRACE_ALLOCATION_TAKEN;
}
