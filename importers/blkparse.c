/* blkparse: block I/O as blktrace's blkparse prints it by default, and as the kernel's own blk
 * tracer does (`echo blk > current_tracer`, option blk_classic).
 *
 * One event a line, padded with blanks; the kernel leaves out the sequence number:
 *
 *       8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]
 *       7,0    1  4291.947653681 32519  D  RM 64 + 8 [python3]
 *
 * device as major,minor; CPU; sequence number; seconds.nanoseconds; pid; action (blktrace's
 * letters); rwbs; and a tail, in which sectors and lengths count 512 bytes:
 *
 *     Q  WS 123 + 8 [process]           an I/O
 *     Q FWS [process]                   of no length: the first part of a flush
 *     C  WS 123 + 8 [0]                 completed, or with R requeued: an error number
 *     C WSM 123 [0]                     of no length
 *     C  WS 123 + 8 (   54321) [0]      blkparse -t: time since it was issued, not needed here
 *     D   R 36 (12 00 00 ..) [process]  SCSI command: bytes, and the command
 *     A  WS 123 + 8 <- (8,1) 99         remapped: from device and sector
 *     X   W 123 / 131 [process]         split, and where
 *     P   N [process]                   plugged
 *     U   N [process] 3                 unplugged, and how many requests; UT: by a timer
 *     m   N cfq workload slice:100      message
 *
 * The kernel's lines come after a heading of lines with `#`; where it ran out of room there are
 * lines `CPU:1 [LOST 25 EVENTS]`. blkparse ends with tables of sums. Sources: blkparse_fmt.c and
 * blkparse.c of blktrace, kernel/trace/blktrace.c of Linux.
 *
 * Quirks: an error number is printed as the lower 16 bits of it, so EIO is 65531. The pid of a
 * completion is of whoever was interrupted; the process is taken from its issue instead. The
 * kernel's time is that since it started. A process name may contain blanks and brackets.
 *
 * Fills: event (time, duration, operation, actor, object, flags, address, size, value), name (kind
 * action), actor (pid and process), object (device).
 */
#include <stdlib.h>
#include <string.h>

#include "block_io.h"
#include "kept.h"
#include "lines.h"
#include "model/partition.h"

#include "base/hash.h"

enum {
    MAJOR_LIMIT = 4095, /* as the kernel's own device numbers */
    MINOR_LIMIT = 1048575,
    PROCESS_LENGTH = 64,   /* remembered; the kernel's names have up to 15 bytes */
    PENDING_LIMIT = 65536, /* requests whose issuer is remembered */
    DEVICE_LIMIT = 64,     /* devices told apart, and ways from one to another */
    DEVICES_NAMED = 8,     /* in a remark */
    ERROR_BITS = 0x10000,  /* error numbers are printed without their upper bits */
    ERROR_HIGHEST = 4095,
    KEPT = 1,
};

/* Reasons in the ledger. */
static const char bad_line[] = "not a line of blkparse";
static const char bad_begin[] = "device, CPU or sequence number is damaged";
static const char bad_time[] = "time is not seconds.nanoseconds";
static const char bad_pid[] = "process ID is not a number";
static const char bad_action[] = "action is not one or two capital letters";
static const char bad_rwbs[] = "unknown letter in rwbs";
static const char bad_number[] = "sector, length or error is not a number in range";
static const char bad_tail[] = "no [process], [error] or <- (device) where it belongs";
static const char too_early[] = "time before the first event";
static const char message[] = "message (action m)";
static const char summary[] = "summary of blkparse";
static const char lost_events[] = "mark of lost events";

/* --- one line --------------------------------------------------------------------------------- */

/* Who did something to a request. */
struct issuer {
    bool known;
    uint8_t length;
    int64_t pid;
    char process[PROCESS_LENGTH];
};

struct parsed {
    struct block_request request; /* time as it is in the file */
    struct issuer issuer;         /* whom the request may be given to; set by keep() */
    int64_t from;                 /* device it was remapped from; EVENT_NONE */
    bool is_message;
};

/* Some kernels print a request without a sector as sector -1. */
static bool next_sector(struct word *rest, int64_t *sector) {
    if (word_accept(rest, "18446744073709551615")) {
        *sector = EVENT_NONE;
        return true;
    }
    return word_next_number(rest, BLOCK_IO_SECTORS, sector);
}

/* major,minor */
static bool next_device(struct word *rest, int64_t *device) {
    int64_t major, minor;

    if (!word_next_number(rest, MAJOR_LIMIT, &major) || !word_accept(rest, ",") ||
        !word_next_number(rest, MINOR_LIMIT, &minor)) {
        return false;
    }
    *device = device_number((uint32_t)major, (uint32_t)minor);
    return true;
}

static bool has_action(const struct block_request *request, char letter) {
    return request->action_length == 1 && request->action[0] == letter;
}

/* Actions whose bracket holds an error number. */
static bool has_error(const struct block_request *request) {
    return has_action(request, 'C') || has_action(request, 'R');
}

/* P, U, UT: about the queue, not about a request. */
static bool is_plug(const struct block_request *request) {
    return request->action[0] == 'P' || request->action[0] == 'U';
}

/* Up to the action's letters, and those of rwbs. */
static const char *parse_head(struct word *rest, struct parsed *parsed) {
    struct block_request *request = &parsed->request;
    struct word word, cpu;
    int64_t ignored;

    if (!next_device(rest, &request->device)) {
        return bad_begin;
    }
    cpu = word_next(rest);
    word = word_next(rest);
    if (!word_number(cpu, UINT32_MAX, &ignored)) {
        return bad_begin;
    }
    if (memchr(word.bytes, '.', word.length) == NULL) {
        /* A sequence number, which only blkparse prints. */
        if (!word_number(word, UINT32_MAX, &ignored)) {
            return bad_begin;
        }
        word = word_next(rest);
    }
    if (!word_seconds(word, 9, 9, BLOCK_IO_SECONDS, &request->time)) {
        return bad_time;
    }
    word = word_next(rest);
    if (!word_number(word, UINT32_MAX, &request->pid)) {
        return bad_pid;
    }
    word = word_next(rest);
    parsed->is_message = word_is(word, "m");
    if (!parsed->is_message && !word_is_capitals(word, BLOCK_IO_ACTION)) {
        return bad_action;
    }
    request->action = word.bytes;
    request->action_length = word.length;
    word = word_next(rest);
    return block_io_parse_rwbs(word, &request->flags) || parsed->is_message ? NULL : bad_rwbs;
}

/* Sector and length, or what stands there instead. */
static const char *parse_extent(struct word *rest, struct block_request *request) {
    const char *close;

    /* Whatever shows no length has none; plugs are not about a request at all. */
    request->blocks = is_plug(request) ? EVENT_NONE : 0;
    if (word_is_digit(word_peek(rest))) {
        if (!next_sector(rest, &request->sector)) {
            return bad_number;
        }
        if (word_accept(rest, "+")) {
            if (!word_next_number(rest, BLOCK_IO_BLOCKS, &request->blocks)) {
                return bad_number;
            }
        } else if (word_accept(rest, "/")) {
            request->blocks = EVENT_NONE;
            if (!next_sector(rest, &request->value)) {
                return bad_number;
            }
        } else if (!has_error(request)) {
            /* A SCSI command: so many bytes, no sector. */
            request->blocks = request->sector == EVENT_NONE ? 0 : request->sector / SECTOR_SIZE;
            request->blocks = request->blocks > BLOCK_IO_BLOCKS ? 0 : request->blocks;
            request->sector = EVENT_NONE;
        }
    }
    if (word_accept(rest, "(")) { /* the command, or the time since the issue */
        close = memchr(rest->bytes, ')', rest->length);
        if (close == NULL) {
            return bad_tail;
        }
        word_skip(rest, (size_t)(close - rest->bytes) + 1);
    }
    return NULL;
}

/* -5, and 65531 for the same */
static bool parse_error(struct word word, int64_t *error) {
    if (!word_signed(word, -(int64_t)UINT32_MAX, UINT32_MAX, error)) {
        return false;
    }
    if (*error >= ERROR_BITS - ERROR_HIGHEST && *error < ERROR_BITS) {
        *error -= ERROR_BITS;
    }
    return true;
}

/* The bracket, which reaches to the last one on the line, for names may contain brackets. */
static const char *parse_bracket(struct word *rest, struct block_request *request) {
    const char *close;
    struct word inside;

    if (!word_accept(rest, "[") || (close = memrchr(rest->bytes, ']', rest->length)) == NULL) {
        return bad_tail;
    }
    inside = (struct word){rest->bytes, (size_t)(close - rest->bytes)};
    word_skip(rest, inside.length + 1);
    if (has_error(request)) {
        if (!parse_error(inside, &request->value)) {
            return bad_number;
        }
        /* Whom the interrupt met: nothing to do with the request. */
        request->pid = EVENT_NONE;
    } else {
        request->process = inside.bytes;
        request->process_length = inside.length;
    }
    if (is_plug(request) && word_is_digit(word_peek(rest)) &&
        !word_next_number(rest, UINT32_MAX, &request->value)) {
        return bad_number;
    }
    return word_trim_left(*rest).length == 0 ? NULL : bad_tail;
}

/* (8,1) 99 */
static const char *parse_origin(struct word *rest, struct parsed *parsed) {
    int64_t sector;

    if (!word_accept(rest, "(") || !next_device(rest, &parsed->from) || !word_accept(rest, ")")) {
        return bad_tail;
    }
    if (!next_sector(rest, &sector)) {
        return bad_number;
    }
    return word_trim_left(*rest).length == 0 ? NULL : bad_tail;
}

/* NULL when the line is good, else the reason why not. */
static const char *parse_line(struct word rest, struct parsed *parsed) {
    const char *damage;

    *parsed = (struct parsed){
        .request = {.device = EVENT_NONE,
                    .sector = EVENT_NONE,
                    .blocks = EVENT_NONE,
                    .pid = EVENT_NONE,
                    .value = EVENT_NONE},
        .from = EVENT_NONE,
    };
    if ((damage = parse_head(&rest, parsed)) != NULL || parsed->is_message) {
        return damage;
    }
    if ((damage = parse_extent(&rest, &parsed->request)) != NULL) {
        return damage;
    }
    if (word_accept(&rest, "<-")) {
        return parse_origin(&rest, parsed);
    }
    return parse_bracket(&rest, &parsed->request);
}

/* --- lines that are no events -------------------------------------------------------------------
 */

enum line_kind {
    LINE_EMPTY,   /* blank, or a heading */
    LINE_EVENT,   /* to be parsed */
    LINE_LOST,    /* the kernel had no room for events */
    LINE_SUMMARY, /* what blkparse and blktrace say before and after the events */
    LINE_OTHER,
};

/* How lines of summaries begin, behind blanks. */
static const char *const summary_begins[] = {
    "CPU",
    "Total (",
    "Throughput (",
    "Events (",
    "Skips:",
    "Input file ",
    "Device:",
    "Reads Queued:",
    "Read Dispatches:",
    "Reads Requeued:",
    "Reads Completed:",
    "Read Merges:",
    "Read depth:",
    "PC Read",
    "IO unplugs:",
    "Allocation wait:",
    "Dispatch wait:",
    "Completion wait:",
};

/* `process (pid)` or `process (pid, ...)`: heads a table of blkparse -s. */
static bool is_process_heading(struct word rest) {
    const char *open;
    int64_t pid;

    if (rest.length < 4 || !word_ends(rest, ")") || word_is_blank(*rest.bytes)) {
        return false;
    }
    open = memrchr(rest.bytes, '(', rest.length);
    if (open == NULL || open == rest.bytes || open[-1] != ' ') {
        return false;
    }
    word_skip(&rest, (size_t)(open - rest.bytes) + 1);
    return word_next_number(&rest, UINT32_MAX, &pid) &&
           (word_accept(&rest, ", ...)") || word_accept(&rest, ")"));
}

/* `*lost` is how many events the line says are lost. */
static enum line_kind kind_of(struct word rest, int64_t *lost) {
    struct word whole = rest;
    char first = word_peek(&rest);
    int64_t cpu;

    *lost = 0;
    if (rest.length == 0 || first == '#') {
        return LINE_EMPTY;
    }
    if (word_is_digit(first)) {
        return LINE_EVENT;
    }
    if (word_accept(&rest, "CPU:")) {
        return word_next_number(&rest, UINT32_MAX, &cpu) && word_accept(&rest, "[LOST") &&
                       word_next_number(&rest, INT32_MAX, lost) && word_accept(&rest, "EVENTS]")
                   ? LINE_LOST
                   : LINE_OTHER;
    }
    for (size_t i = 0; i < sizeof summary_begins / sizeof summary_begins[0]; i++) {
        if (word_accept(&rest, summary_begins[i])) {
            return LINE_SUMMARY;
        }
    }
    return is_process_heading(whole) ? LINE_SUMMARY : LINE_OTHER;
}

/* --- who issued what completes ------------------------------------------------------------------
 */

struct pending_key {
    int64_t device;
    int64_t sector; /* EVENT_NONE: the flushes of the device */
};

/* A request, or part of one, that is on its way. */
struct pending {
    UT_hash_handle hh; /* keeps the order of arrival */
    struct pending_key key;
    struct issuer queued, issued; /* by Q, by D */
    int64_t blocks;               /* of D */
    int64_t flushes;              /* Q without a length that are on their way */
    bool in_parts;                /* flush, data, flush: completes part by part and as a whole */
};

struct device_use {
    int64_t device, completed;
};

struct remap {
    int64_t from, to;
};

struct blkparse {
    struct block_io block_io; /* first: block_io_…() are given the address */
    bool begun;               /* an event has been seen */
    int64_t base;             /* its time */
    int64_t lost;             /* events the kernel had no room for */
    struct pending *pending;  /* owned */
    struct device_use devices[DEVICE_LIMIT];
    size_t device_count;
    struct remap remaps[DEVICE_LIMIT];
    size_t remap_count;
};

static struct pending *find_pending(const struct blkparse *state, int64_t device, int64_t sector) {
    struct pending_key key;
    struct pending *found;

    memset(&key, 0, sizeof key);
    key.device = device;
    key.sector = sector;
    HASH_FIND(hh, state->pending, &key, sizeof key, found);
    return found;
}

static void forget_pending(struct blkparse *state, struct pending *pending) {
    HASH_DEL(state->pending, pending);
    free(pending);
}

/* What is there for the sector, or something new; NULL when out of memory, which only loses the
 * name of a process. */
static struct pending *make_pending(struct blkparse *state, int64_t device, int64_t sector) {
    struct pending *pending = find_pending(state, device, sector);

    if (pending != NULL) {
        return pending;
    }
    if (HASH_COUNT(state->pending) >= PENDING_LIMIT) {
        forget_pending(state, state->pending);
    }
    pending = calloc(1, sizeof *pending);
    if (pending == NULL) {
        return NULL;
    }
    pending->key.device = device;
    pending->key.sector = sector;
    HASH_ADD(hh, state->pending, key, sizeof pending->key, pending);
    if (!hash_added(pending)) {
        free(pending);
        return NULL;
    }
    return pending;
}

static void set_issuer(struct issuer *issuer, const struct block_request *request) {
    issuer->known = request->process_length <= PROCESS_LENGTH;
    if (issuer->known) {
        issuer->pid = request->pid;
        issuer->length = (uint8_t)request->process_length;
        memcpy(issuer->process, request->process, request->process_length);
    }
}

static void queue_or_issue(struct blkparse *state, const struct block_request *request) {
    bool empty = request->blocks == 0;
    struct pending *pending;

    if (request->process == NULL || (request->sector == EVENT_NONE && !empty) ||
        (pending = make_pending(state, request->device, empty ? EVENT_NONE : request->sector)) ==
            NULL) {
        return;
    }
    if (has_action(request, 'D')) {
        set_issuer(&pending->issued, request);
        pending->blocks = request->blocks;
    } else {
        set_issuer(&pending->queued, request);
        pending->in_parts = (request->flags & (IO_FLAG_FLUSH | IO_FLAG_FUA)) != 0;
        pending->flushes += empty;
    }
}

/* Part of another request from now on, with which it completes. */
static void merge(struct blkparse *state, const struct block_request *request) {
    struct pending *pending = find_pending(state, request->device, request->sector);

    if (pending != NULL && request->sector != EVENT_NONE && !pending->issued.known) {
        forget_pending(state, pending);
    }
}

/* A completion without a length is either of a flush that was issued for others, or of all that was
 * asked for with it, when the parts are done. */
static void complete_empty(struct blkparse *state, const struct block_request *request,
                           struct issuer *issuer) {
    struct pending *whole = find_pending(state, request->device, request->sector);
    struct pending *flushes = find_pending(state, request->device, EVENT_NONE);

    if (request->flags & IO_FLAG_FLUSH) {
        if (flushes != NULL) {
            *issuer = flushes->issued;
            flushes->issued.known = false;
        }
    } else if (whole != NULL && whole != flushes && whole->in_parts) {
        *issuer = whole->queued;
        forget_pending(state, whole);
    } else if (flushes != NULL && flushes->flushes > 0) {
        *issuer = flushes->queued;
        flushes->flushes--;
    }
}

static void complete_blocks(struct blkparse *state, const struct block_request *request,
                            struct issuer *issuer) {
    struct pending *pending = find_pending(state, request->device, request->sector);
    struct pending *rest;
    int64_t left;

    if (pending == NULL || request->sector == EVENT_NONE) {
        return;
    }
    *issuer = pending->issued.known ? pending->issued : pending->queued;
    left = pending->issued.known ? pending->blocks - request->blocks : 0;
    if (pending->issued.known && pending->in_parts) {
        pending->issued.known = false;
    } else {
        forget_pending(state, pending);
    }
    /* Completed in pieces: the next one begins where this one ends. */
    if (left > 0 &&
        (rest = make_pending(state, request->device, request->sector + request->blocks)) != NULL) {
        rest->issued = *issuer;
        rest->blocks = left;
    }
}

/* Follows who issues what; a completion is given the process that issued it (D), or, when that is
 * not known, asked for it (Q). The name lies in `issuer`. */
static void follow(struct blkparse *state, struct block_request *request, struct issuer *issuer) {
    issuer->known = false;
    if (has_action(request, 'Q') || has_action(request, 'D')) {
        queue_or_issue(state, request);
    } else if (has_action(request, 'M') || has_action(request, 'F')) {
        merge(state, request);
    } else if (has_action(request, 'C')) {
        if (request->blocks == 0) {
            complete_empty(state, request, issuer);
        } else {
            complete_blocks(state, request, issuer);
        }
        if (issuer->known) {
            request->pid = issuer->pid;
            request->process = issuer->process;
            request->process_length = issuer->length;
        }
    }
}

/* --- devices over devices ------------------------------------------------------------------------
 */

static struct device_use *find_device(struct blkparse *state, int64_t device) {
    for (size_t i = 0; i < state->device_count; i++) {
        if (state->devices[i].device == device) {
            return &state->devices[i];
        }
    }
    return NULL;
}

static void count_completion(struct blkparse *state, int64_t device) {
    struct device_use *use = find_device(state, device);

    if (use == NULL && state->device_count < DEVICE_LIMIT) {
        use = &state->devices[state->device_count++];
        *use = (struct device_use){.device = device};
    }
    if (use != NULL) {
        use->completed++;
    }
}

static void note_remap(struct blkparse *state, int64_t from, int64_t to) {
    for (size_t i = 0; i < state->remap_count; i++) {
        if (state->remaps[i].from == from && state->remaps[i].to == to) {
            return;
        }
    }
    if (state->remap_count < DEVICE_LIMIT) {
        state->remaps[state->remap_count++] = (struct remap){from, to};
    }
}

static int device_major(int64_t device) {
    return (int)(device >> 20);
}

static int device_minor(int64_t device) {
    return (int)(device & MINOR_LIMIT);
}

static void remark_devices(struct import *import, struct blkparse *state) {
    struct text list = {0};

    for (size_t i = 0; i < state->device_count && i < DEVICES_NAMED; i++) {
        text_append_format(
            &list, "%s%d:%d (%lld)", i == 0 ? "" : ", ", device_major(state->devices[i].device),
            device_minor(state->devices[i].device), (long long)state->devices[i].completed);
    }
    if (state->device_count > DEVICES_NAMED) {
        text_append_string(&list, ", …");
    }
    if (state->device_count > 1) {
        import_remark(import, "completions on %zu devices: %s", state->device_count,
                      text_string(&list));
    }
    text_free(&list);
    for (size_t i = 0; i < state->remap_count; i++) {
        struct remap remap = state->remaps[i];

        if (remap.from != remap.to && find_device(state, remap.from) != NULL &&
            find_device(state, remap.to) != NULL) {
            import_remark(import,
                          "device %d:%d lies over %d:%d and both complete: the same I/O counts "
                          "on each; --device chooses one",
                          device_major(remap.from), device_minor(remap.from),
                          device_major(remap.to), device_minor(remap.to));
        }
    }
}

/* --- events --------------------------------------------------------------------------------------
 */

/* Keeps the event of a good line. `*damage` is set when its time does not fit. */
static bool keep(struct import *import, struct blkparse *state, struct parsed *parsed,
                 const char **damage) {
    struct block_request *request = &parsed->request;

    if (!state->begun) {
        state->begun = true;
        state->base = request->time;
    }
    if (request->time < state->base) {
        *damage = too_early;
        return true;
    }
    request->time -= state->base;
    follow(state, request, &parsed->issuer);
    if (has_action(request, 'C')) {
        count_completion(state, request->device);
    } else if (parsed->from != EVENT_NONE) {
        note_remap(state, parsed->from, request->device);
    }
    return block_io_keep(import, &state->block_io, request);
}

/* One line, whatever it is. False: stop. */
static bool read_line(struct import *import, struct blkparse *state, const struct line *line) {
    const char *damage = bad_line;
    struct parsed parsed;
    int64_t lost;

    switch (kind_of(line->text, &lost)) {
    case LINE_EMPTY:
        return true;
    case LINE_LOST:
        state->lost += lost;
        import_ignored(import, lost_events, line->offset);
        return true;
    case LINE_SUMMARY:
        import_ignored(import, summary, line->offset);
        return true;
    case LINE_OTHER:
        break;
    case LINE_EVENT:
        damage = parse_line(line->text, &parsed);
        if (damage == NULL && parsed.is_message) {
            import_ignored(import, message, line->offset);
            return true;
        }
        if (damage == NULL && !keep(import, state, &parsed, &damage)) {
            return false;
        }
        break;
    }
    if (damage != NULL) {
        lines_reject(import, line, damage);
    }
    return true;
}

static bool read_blkparse(struct import *import, void *state, struct reader *reader,
                          struct error *error) {
    struct line line;

    (void)error;
    while (lines_next(import, reader, lines_too_long, &line)) {
        if (!read_line(import, state, &line)) {
            return false;
        }
    }
    return true;
}

/* Times of files that are appended count from the same moment. */
static void list_kept(struct blkparse *blkparse, struct kept kept[KEPT]) {
    kept[0] = (struct kept){.key = "base", .number = &blkparse->base, .most = INT64_MAX};
}

static bool begin_blkparse(struct import *import, void *state, struct error *error) {
    struct blkparse *blkparse = state;
    struct kept kept[KEPT];

    import_variant(import, "text");
    list_kept(blkparse, kept);
    return kept_read(import, kept, KEPT, &blkparse->begun, error) &&
           block_io_begin(import, &blkparse->block_io, error);
}

static bool end_blkparse(struct import *import, void *state, bool failed, struct error *error) {
    struct blkparse *blkparse = state;
    struct pending *pending = NULL, *next;
    struct kept kept[KEPT];

    if (!failed && blkparse->lost > 0) {
        import_remark(import, "%lld events were lost while tracing", (long long)blkparse->lost);
    }
    if (!failed) {
        remark_devices(import, blkparse);
    }
    HASH_ITER(hh, blkparse->pending, pending, next) {
        forget_pending(blkparse, pending);
    }
    block_io_end(import, &blkparse->block_io, failed);
    list_kept(blkparse, kept);
    return failed || !blkparse->begun || kept_write(import, kept, KEPT, error);
}

/* --- dump ----------------------------------------------------------------------------------------
 */

/* Says what `value` is, too. */
static void dump_blkparse(const struct dump_event *dump, struct text *out) {
    int64_t value = dump->event.value;

    block_io_dump(dump, out);
    if (value == EVENT_NONE || value == 0) {
        return;
    }
    text_append_string(out, dump->operation[0] == 'U'   ? " requests "
                            : dump->operation[0] == 'X' ? " split at "
                                                        : " error ");
    text_append_integer(out, value);
}

/* --- what it is ----------------------------------------------------------------------------------
 */

/* Most of the first lines are events. Headings, and what blkparse says before and after, say
 * nothing. */
static enum line_verdict judge(void *context, struct word line) {
    struct parsed parsed;
    int64_t lost;

    (void)context;
    switch (kind_of(line, &lost)) {
    case LINE_EVENT:
        return parse_line(line, &parsed) == NULL ? LINE_GOOD : LINE_BAD;
    case LINE_OTHER:
        return LINE_BAD;
    default:
        return LINE_NOTHING;
    }
}

static enum sniff_score sniff_blkparse(const struct sniff *sniff) {
    return lines_sniff(sniff, judge, NULL);
}

const struct importer blkparse_importer = {
    .name = "blkparse",
    .description = "block I/O as blkparse or the kernel's blk tracer prints it",
    .variants = "text",
    .kind = TRACE_IO,
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE,
    .state_size = sizeof(struct blkparse),
    .sniff = sniff_blkparse,
    .begin = begin_blkparse,
    .read = read_blkparse,
    .end = end_blkparse,
    .dump = dump_blkparse,
};
