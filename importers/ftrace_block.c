/* Fields of block events, in four forms (include/trace/events/block.h of Linux):
 *
 *     block_rq_issue: 7,0 RA 4096 () 411520 + 8 be,0,4 [mount]     a request
 *     block_rq_complete: 7,0 RA () 411520 + 8 be,0,4 [0]           its completion: error number
 *     block_bio_queue: 7,0 RA 411520 + 8 [mount]                   an I/O
 *     block_bio_remap: 7,0 RA 411520 + 8 <- (259,0) 409472         new place <- old place
 *
 * The number before "()" is the length in bytes; it is used only for a request without sectors. A
 * command that a driver sends to the device is printed inside "()". The priority (`be,0,4`),
 * printed since Linux 6.9, is one word. Letters of rwbs that blktrace lacks are replaced by letters
 * of blktrace. */
#include "ftrace_block.h"

#include <string.h>

#include "import/emit.h"
#include "model/allocation.h"

enum { LETTERS = 16 };

/* Reasons (ledger.reason) for rejecting or ignoring lines of block events. */
static const char allocation[] = "block allocation event, kept for map";
static const char bad_allocation[] = "fields are not those of the event of blocks or inodes";
static const char bad_fields[] = "fields are not those of the block event";
static const char bad_letters[] = "unknown letter in rwbs";
static const char bad_numbers[] = "sector or length is not a number in range";
static const char doubled[] = "block event that says what block_rq_issue and _complete say";
static const char doubled_bio[] = "block_bio_complete of a device that completes requests";
static const char buffer[] = "block event of a buffer, not of an I/O";
static const char of_zone[] = "block event of zones";
static const char traced[] = "line of the tracer blk; the log has the block events, too";
static const char message[] = "message (action m)";

enum form {
    FORM_REQUEST, /* fields with bytes, a driver's command and a priority */
    FORM_BIO,
    FORM_REMAP,
    FORM_PLUG, /* fields with only the process and a number of requests */
    FORM_IGNORED,
};

static const struct block_event {
    const char *name;
    enum form form;
    const char *action;
    const char *reason; /* reason why the event is ignored; NULL: the event is not ignored */
} events[] = {
    /* The list must be sorted by name, for a binary search. */
    {"blkdev_zone_mgmt", FORM_IGNORED, NULL, of_zone},
    {"block_bio_backmerge", FORM_BIO, "M", NULL},
    {"block_bio_complete", FORM_BIO, "C", NULL},
    {"block_bio_frontmerge", FORM_BIO, "F", NULL},
    {"block_bio_queue", FORM_BIO, "Q", NULL},
    {"block_bio_remap", FORM_REMAP, "A", NULL},
    {"block_dirty_buffer", FORM_IGNORED, NULL, buffer},
    {"block_getrq", FORM_BIO, "G", NULL},
    {"block_io_done", FORM_IGNORED, NULL, doubled},
    {"block_io_start", FORM_IGNORED, NULL, doubled},
    {"block_plug", FORM_PLUG, "P", NULL},
    {"block_rq_complete", FORM_REQUEST, "C", NULL},
    {"block_rq_error", FORM_IGNORED, NULL, doubled},
    {"block_rq_insert", FORM_REQUEST, "I", NULL},
    {"block_rq_issue", FORM_REQUEST, "D", NULL},
    {"block_rq_merge", FORM_REQUEST, "M", NULL},
    {"block_rq_remap", FORM_REMAP, "A", NULL},
    {"block_rq_requeue", FORM_REQUEST, "R", NULL},
    {"block_split", FORM_BIO, "X", NULL},
    {"block_touch_buffer", FORM_IGNORED, NULL, buffer},
    {"block_unplug", FORM_PLUG, "U", NULL},
};

/* --- parsing fields of block events ----------------------------------------------------------- */

/* Parses rwbs. Zone operations (ZR …) are neither reads nor writes, but ZA is an append, a write.
 * E, a secure erase, follows D; Z, written zeroes, follows W; U, an atomic write, comes last. */
static bool parse_letters(struct word word, uint32_t *flags) {
    char letters[LETTERS];
    size_t length = 0;

    if (word.length > LETTERS) {
        return false;
    }
    if (word_begins(word, "Z") && !word_begins(word, "ZA")) {
        return block_parse_rwbs(word_of("N"), flags);
    }
    for (size_t i = 0; i < word.length; i++) {
        char letter = word.bytes[i];

        if (letter == 'Z' && (i == 0 || word.bytes[i - 1] != 'W')) {
            letters[length++] = 'W';
            i++;
        } else if (letter == 'Z' || (letter == 'E' && i > 0 && word.bytes[i - 1] == 'D') ||
                   (letter == 'U' && i > 0 && i == word.length - 1)) {
            continue;
        } else {
            letters[length++] = letter;
        }
    }
    return block_parse_rwbs((struct word){letters, length}, flags);
}

/* Parses `4096 ()`: bytes of a request, and a driver's command in brackets. */
static const char *parse_command(struct word *rest, int64_t *bytes, bool *is_command) {
    const char *close;

    *bytes = 0;
    if (word_is_digit(word_peek(rest)) &&
        !word_next_number(rest, (int64_t)BLOCK_IO_BLOCKS * SECTOR_SIZE, bytes)) {
        return bad_numbers;
    }
    if (!word_accept(rest, "(") || (close = memchr(rest->bytes, ')', rest->length)) == NULL) {
        return bad_fields;
    }
    *is_command = close > rest->bytes;
    word_skip(rest, (size_t)(close - rest->bytes) + 1);
    return NULL;
}

/* Parses sector and length, `411520 + 8`, or for a split `411520 / 411528`. */
static const char *ftrace_block_parse_extent(struct word *rest, struct block_request *request) {
    if (!block_text_parse_sector(rest, &request->sector)) {
        return bad_numbers;
    }
    if (word_accept(rest, "+")) {
        return word_next_number(rest, BLOCK_IO_BLOCKS, &request->blocks) ? NULL : bad_numbers;
    }
    if (!block_has_action(request, 'X') || !word_accept(rest, "/")) {
        return bad_fields;
    }
    return block_text_parse_sector(rest, &request->value) ? NULL : bad_numbers;
}

/* Changes a request to what blkparse prints. A driver's command has bytes but no sector. A request
 * without a length has a sector only if it is a completion. */
static void ftrace_block_normalise(struct block_request *request, int64_t bytes, bool is_command) {
    bool no_data = io_class_of(request->flags) == IO_OTHER && request->blocks == 0 &&
                   request->sector <= 0 &&
                   (request->flags & (IO_FLAG_FLUSH | IO_FLAG_DISCARD)) == 0;

    if (is_command || no_data) {
        request->sector = EVENT_NONE;
        request->blocks = bytes / SECTOR_SIZE;
    }
    if (request->blocks == 0 && !block_has_action(request, 'C')) {
        request->sector = EVENT_NONE;
    }
}

/* Parses the fields of a request after device and rwbs: bytes, command, sector and length,
 * priority, process. */
static const char *parse_request(struct word *rest, struct block_request *request) {
    const char *damage;
    int64_t bytes;
    bool is_command;

    if ((damage = parse_command(rest, &bytes, &is_command)) != NULL ||
        (damage = ftrace_block_parse_extent(rest, request)) != NULL) {
        return damage;
    }
    if (word_peek(rest) != '[') {
        word_next(rest); /* skip the request's priority */
    }
    ftrace_block_normalise(request, bytes, is_command);
    return block_text_parse_bracket(rest, request);
}

static const char *ftrace_block_parse_fields(struct word rest, enum form form,
                                             struct block_request *request) {
    const char *damage;

    if (form == FORM_PLUG) {
        return block_text_parse_bracket(&rest, request);
    }
    if (!block_text_parse_device(&rest, &request->device)) {
        return bad_fields;
    }
    if (!parse_letters(word_next(&rest), &request->flags)) {
        return bad_letters;
    }
    if (form == FORM_REQUEST) {
        return parse_request(&rest, request);
    }
    if ((damage = ftrace_block_parse_extent(&rest, request)) != NULL) {
        return damage;
    }
    ftrace_block_normalise(request, 0, false);
    if (form == FORM_BIO) {
        return block_text_parse_bracket(&rest, request);
    }
    return word_accept(&rest, "<-") ? block_text_parse_origin(&rest, true, request) : bad_fields;
}

/* --- duplicate completions -------------------------------------------------------------------- */

static bool is_completing(const struct ftrace_block *state, int64_t device) {
    for (size_t i = 0; i < state->completing_count; i++) {
        if (state->completing[i] == device) {
            return true;
        }
    }
    return false;
}

/* Returns whether the completion of a bio repeats the completion of its request. On devices without
 * requests, such as device mappers, completions of bios are the only ones and are imported. */
static bool is_doubled(struct ftrace_block *state, const struct block_event *event,
                       const struct block_request *request) {
    if (!block_has_action(request, 'C')) {
        return false;
    }
    if (event->form == FORM_REQUEST) {
        if (!is_completing(state, request->device) &&
            state->completing_count < FTRACE_BLOCK_DEVICES) {
            state->completing[state->completing_count++] = request->device;
        }
        return false;
    }
    if (!is_completing(state, request->device)) {
        return false;
    }
    state->doubled++;
    return true;
}

/* --- block events as requests ----------------------------------------------------------------- */

/* Returns whether the line is from the tracer blk, which prints blktrace's actions without the name
 * of an event: `7,0 A RA 411520 + 8 …`. */
static bool ftrace_block_is_traced(const struct ftrace_line *line) {
    struct word rest = line->fields;
    int64_t device;

    return line->event.length == 0 && block_text_parse_device(&rest, &device) && rest.length > 0 &&
           word_is_blank(*rest.bytes);
}

static struct ftrace_outcome parse_traced(const struct ftrace_line *line,
                                          struct block_request *request) {
    struct word rest = line->fields;
    const char *damage;
    bool is_message;

    block_text_parse_device(&rest, &request->device);
    damage = block_text_parse_action(&rest, request, &is_message);
    return damage != NULL ? ftrace_damaged(damage)
           : is_message   ? ftrace_ignored(message)
                          : ftrace_taken;
}

struct ftrace_outcome ftrace_block_parse(struct ftrace_block *state, const struct ftrace_line *line,
                                         bool has_events, struct block_request *request) {
    const struct block_event *event;
    const char *damage;

    *request = block_request_empty;
    request->time = line->time;
    request->pid = line->tid;
    if (ftrace_block_is_traced(line)) {
        state->traced += has_events;
        return has_events ? ftrace_ignored(traced) : parse_traced(line, request);
    }
    event = ftrace_line_event(line, events, sizeof events / sizeof events[0], sizeof events[0]);
    if (event == NULL) {
        return ftrace_other;
    }
    if (event->form == FORM_IGNORED) {
        state->accounted += word_begins(line->event, "block_io_");
        return ftrace_ignored(event->reason);
    }
    request->action = event->action;
    request->action_length = 1;
    request->flags = IO_OTHER;
    if ((damage = ftrace_block_parse_fields(line->fields, event->form, request)) != NULL) {
        return ftrace_damaged(damage);
    }
    return is_doubled(state, event, request) ? ftrace_ignored(doubled_bio) : ftrace_taken;
}

void ftrace_block_add_remarks(struct import *import, const struct ftrace_block *state) {
    import_remark_count(
        import, state->doubled,
        "%lld completion{s} of I/Os {was|were} skipped (block_bio_complete): the log has "
        "the completions of their requests");
    import_remark_count(import, state->traced,
                        "%lld line{s} of the tracer blk {is|are} skipped: the log has the same "
                        "events as block events");
}

/* Events about the owners of file system blocks:
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
 * Block numbers are those of the file system. Blocks that ext4 allocates hold data of the file if
 * HINT_DATA is set; older kernels print flags as a number. Blocks freed as METADATA may be
 * attributes shared by several files, so no inode is set. f2fs names files only for data pages.
 * When a page is written to another place, its old block becomes free. */

#define BLOCK_LIMIT (INT64_C(1) << 48)

/* Highest block address of f2fs; higher numbers have other meanings. */
#define F2FS_LAST_ADDRESS INT64_C(0xFFFFFFFD)

/* Bits of flags that older kernels print as numbers. */
enum { HINT_DATA = 0x20, FREE_METADATA = 1 };

/* --- periods without records of allocations --------------------------------------------------- */

/* Adds a gap and returns its index plus 1. Returns 0 if there are too many: all records from that
 * time on then count as lost. */
static size_t ftrace_block_add_gap(struct ftrace_allocations *state, int64_t from, int64_t to) {
    if (state->gap_count == FTRACE_ALLOCATION_GAPS) {
        state->rest_from = state->more && state->rest_from < from ? state->rest_from : from;
        state->more = true;
        return 0;
    }
    state->gaps[state->gap_count++] = (struct ftrace_gap){from, to};
    return state->gap_count;
}

/* Ends a gap at `time`. Events may be slightly out of order, so a gap never ends before its start,
 * and its end never moves back. */
static void ftrace_block_end_gap(struct ftrace_allocations *state, size_t *which, int64_t time) {
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
    recording->begin = recording->overwritten ? ftrace_block_add_gap(state, from, time) : 0;
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

/* Handles an event of a recording that continues although other recordings have begun since. The
 * recording did record in the breaks after its last event, so removes them. Then the overwritten
 * records at the start of those other recordings may have any earlier time. */
static void continue_recording(struct ftrace_allocations *state,
                               struct ftrace_recording *recording) {
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

void ftrace_allocations_note_time(struct ftrace_allocations *state,
                                  struct ftrace_recording *recording,
                                  const struct ftrace_line *line) {
    bool known = line->cpu >= 0 && line->cpu < FTRACE_ALLOCATION_CPUS;

    if (recording->begun) {
        continue_recording(state, recording);
    } else {
        begin_recording(state, recording, line->time);
    }
    state->begun = true;
    recording->last = line->time;
    state->last = line->time > state->last ? line->time : state->last;
    ftrace_block_end_gap(state, &state->doubt, line->time);
    if (!known) {
        return;
    }
    if (!recording->cpus[line->cpu]) {
        size_t begin = recording->begin;

        recording->cpus[line->cpu] = true;
        ftrace_block_end_gap(state, &begin, line->time);
    }
    state->cpus[line->cpu].last = line->time;
    ftrace_block_end_gap(state, &state->cpus[line->cpu].gap, line->time);
}

void ftrace_allocations_note_loss(struct ftrace_allocations *state, int64_t cpu) {
    bool known = cpu >= 0 && cpu < FTRACE_ALLOCATION_CPUS;

    if (!known) {
        ftrace_block_add_gap(state, 0, INT64_MAX);
    } else if (state->cpus[cpu].gap == 0) {
        state->cpus[cpu].gap = ftrace_block_add_gap(state, state->cpus[cpu].last, INT64_MAX);
    }
}

void ftrace_allocations_mark_unknown(struct ftrace_allocations *state, int64_t from, int64_t to) {
    ftrace_block_add_gap(state, from, to < from ? from : to);
}

/* Adds a gap for a line that cannot be read. Its time may equal that of the event before or after
 * it, so the gap extends beyond both. */
void ftrace_allocations_note_damage(struct ftrace_allocations *state) {
    if (state->doubt == 0) {
        state->doubt =
            ftrace_block_add_gap(state, state->last > 0 ? state->last - 1 : 0, state->last + 1);
    }
}

static void ftrace_block_record_gap(struct import *import, const struct ftrace_gap *gap) {
    struct allocation record = {.what = ALLOCATION_LOST, .time = gap->from, .mode = EVENT_NONE};

    import_allocation(import, &record);
    if (gap->to != INT64_MAX) {
        record.what = ALLOCATION_REGAINED;
        record.time = gap->to < gap->from ? gap->from : gap->to;
        import_allocation(import, &record);
    }
}

void ftrace_allocations_end(struct import *import, const struct ftrace_allocations *state) {
    struct ftrace_gap rest = {state->rest_from, INT64_MAX};

    if (state->kept == 0) {
        return;
    }
    for (size_t i = 0; i < state->gap_count; i++) {
        ftrace_block_record_gap(import, &state->gaps[i]);
    }
    for (size_t i = 0; i < state->break_count; i++) {
        ftrace_block_record_gap(import, &state->breaks[i].gap);
    }
    if (state->more) {
        ftrace_block_record_gap(import, &rest);
    }
}

/* --- parsing fields of allocation events ------------------------------------------------------ */

/* Returns whether a flag is set after `flags `, where flags are words or a number. */
static bool ftrace_block_has_flag(struct word fields, const char *name, int64_t bit) {
    struct word value, word;
    int64_t number;

    if (!ftrace_field(fields, "flags", &value)) {
        return false;
    }
    word = word_next(&value);
    return word_number(word, INT64_MAX, &number)
               ? (number & bit) != 0
               : memmem(word.bytes, word.length, name, strlen(name)) != NULL;
}

/* Parses the mode of an inode, `mode 0100644`. */
static bool parse_mode(struct word fields, int64_t *mode) {
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

static bool parse_place(struct word fields, const char *block, const char *count,
                        struct allocation *record) {
    record->block = record->count = EVENT_NONE;
    return ftrace_field_number(fields, block, 0, BLOCK_LIMIT, &record->block) &&
           ftrace_field_number(fields, count, 0, UINT32_MAX, &record->count) &&
           record->block != EVENT_NONE && record->count != EVENT_NONE;
}

/* --- allocation events ------------------------------------------------------------------------ */

/* Parses an event into records, at most two; `*count` is their number. Sets device and inode in the
 * first one only. Returns false if the event is damaged. */
typedef bool parse_function(struct word fields, struct allocation *records, size_t *count);

static bool parse_allocation(struct word fields, struct allocation *records, size_t *count) {
    records->what = ftrace_block_has_flag(fields, "HINT_DATA", HINT_DATA) ? ALLOCATION_DATA
                                                                          : ALLOCATION_METADATA;
    *count = 1;
    return parse_place(fields, "block", "len", records);
}

static bool parse_freed(struct word fields, struct allocation *records, size_t *count) {
    records->what = ALLOCATION_FREED;
    if (ftrace_block_has_flag(fields, "METADATA", FREE_METADATA)) {
        records->inode = 0;
    }
    *count = 1;
    return parse_mode(fields, &records->mode) && parse_place(fields, "block", "count", records);
}

/* Parses a mapping of a file's range to blocks. A range without blocks gives no record. */
static bool parse_mapping(struct word fields, struct allocation *records, size_t *count) {
    int64_t result = 0;
    struct word flags;

    records->what = ALLOCATION_HELD;
    if (!parse_place(fields, "pblk", "len", records) ||
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
    return parse_mode(fields, &records->mode);
}

static bool parse_deleted(struct word fields, struct allocation *records, size_t *count) {
    records->what = ALLOCATION_DELETED;
    *count = 1;
    return parse_mode(fields, &records->mode);
}

/* Parses a page of f2fs that is read or written. A write to another place frees the old block. */
static bool ftrace_block_parse_page(struct word fields, struct allocation *records, size_t *count) {
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
    if (!parse_place(fields, "blkaddr", "len", records) ||
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
} allocation_events[] = {
    /* The list must be sorted by name, for a binary search. */
    {"ext4_allocate_blocks", parse_allocation},
    {"ext4_allocate_inode", parse_created},
    {"ext4_ext_map_blocks_exit", parse_mapping},
    {"ext4_free_blocks", parse_freed},
    {"ext4_free_inode", parse_deleted},
    {"ext4_ind_map_blocks_exit", parse_mapping},
    {"f2fs_map_blocks", parse_mapped},
    {"f2fs_submit_folio_bio", ftrace_block_parse_page},
    {"f2fs_submit_folio_write", ftrace_block_parse_page},
    {"f2fs_submit_page_bio", ftrace_block_parse_page},
    {"f2fs_submit_page_write", ftrace_block_parse_page},
};

struct ftrace_outcome ftrace_block_allocations_handle(struct import *import,
                                                      struct ftrace_allocations *state,
                                                      const struct ftrace_line *line) {
    const struct allocation_event *event = ftrace_line_event(
        line, allocation_events, sizeof allocation_events / sizeof allocation_events[0],
        sizeof allocation_events[0]);
    struct allocation records[2] = {
        {.time = line->time, .inode = EVENT_NONE, .mode = EVENT_NONE},
    };
    size_t count = 0;

    if (event == NULL) {
        return ftrace_other;
    }
    if (!ftrace_field_device(line->fields, &records->device) ||
        !ftrace_field_number(line->fields, "ino", 1, UINT32_MAX, &records->inode) ||
        records->inode == EVENT_NONE || !event->parse(line->fields, records, &count)) {
        ftrace_allocations_note_damage(state);
        return ftrace_damaged(bad_allocation);
    }
    /* Add the second record first: it frees the page's old block. That block may be the new one,
     * too, which must not stay free. */
    while (count > 0) {
        const struct allocation *record = &records[--count];

        /* An event with 0 blocks is a failed allocation. */
        if (record->count > 0 || record->what >= ALLOCATION_CREATED) {
            import_allocation(import, record);
            state->kept++;
        }
    }
    return ftrace_ignored(allocation);
}
