#include "block_request.h"

#include "model/partition.h"

/* --- rwbs flags ------------------------------------------------------------------------------- */

bool block_parse_rwbs(struct word rwbs, uint32_t *flags) {
    bool read = false, write = false, sync = false;

    *flags = 0;
    for (size_t i = 0; i < rwbs.length; i++) {
        switch (rwbs.bytes[i]) {
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
    return rwbs.length > 0;
}

int64_t block_restore_error_number(int64_t kept) {
    enum { BITS = 0x10000, HIGHEST = 4095 };

    return kept >= BITS - HIGHEST && kept < BITS ? kept - BITS : kept;
}

static bool block_request_is_sync(uint32_t flags) {
    return io_class_of(flags) == IO_READSYNC || io_class_of(flags) == IO_WRITESYNC;
}

/* Returns whether the request is a flush without data, or its completion. A flush has F in front in
 * rwbs. The completion of a whole flush request has no F, so a write without a length is one, too.
 * A SCSI command without a sector is no flush. */
static bool block_is_flush(const struct block_request *request) {
    return request->blocks == 0 && request->more_bytes == 0 &&
           (request->flags & IO_FLAG_DISCARD) == 0 &&
           ((request->flags & IO_FLAG_FLUSH) != 0 ||
            (block_is_write(request->flags) && request->sector != EVENT_NONE));
}

uint32_t block_stored_flags(const struct block_request *request) {
    uint32_t flags = request->flags;

    if (!block_is_flush(request)) {
        return flags;
    }
    return (flags & ~IO_CLASS_MASK) | IO_FLUSH |
           (block_is_write(flags) ? IO_FLAG_FLUSH_WRITE : 0u) |
           (block_request_is_sync(flags) ? IO_FLAG_FLUSH_SYNC : 0u);
}

/* Flags whose letters come after the direction (R, W) and before S in rwbs. */
static const struct {
    uint32_t flag;
    char letter;
} later_flags[] = {
    {IO_FLAG_FUA, 'F'},
    {IO_FLAG_READ_AHEAD, 'A'},
    {IO_FLAG_BARRIER, 'B'},
};

void block_append_rwbs(uint32_t flags, struct text *out) {
    bool write = block_is_write(flags) || (flags & IO_FLAG_FLUSH_WRITE) != 0;

    if (flags & IO_FLAG_FLUSH) {
        text_append_char(out, 'F');
    }
    if (flags & IO_FLAG_DISCARD) {
        text_append_char(out, 'D');
    }
    if (block_is_read(flags) || write) {
        text_append_char(out, block_is_read(flags) ? 'R' : 'W');
    } else if (!(flags & IO_FLAG_DISCARD)) {
        text_append_char(out, 'N');
    }
    for (size_t i = 0; i < sizeof later_flags / sizeof later_flags[0]; i++) {
        if (flags & later_flags[i].flag) {
            text_append_char(out, later_flags[i].letter);
        }
    }
    if (block_request_is_sync(flags) || (flags & IO_FLAG_FLUSH_SYNC) != 0) {
        text_append_char(out, 'S');
    }
    if (flags & IO_FLAG_METADATA) {
        text_append_char(out, 'M');
    }
}

/* --- parsing text ----------------------------------------------------------------------------- */

enum {
    MAJOR_LIMIT = 4095, /* highest major and minor number of a device in Linux */
    MINOR_LIMIT = 1048575,
};

/* Reasons (ledger.reason) for rejecting records. */
static const char bad_action[] = "action is not one or two capital letters";
static const char bad_rwbs[] = "unknown letter in rwbs";
static const char bad_number[] = "sector, length or error is not a number in range";
static const char bad_tail[] = "no [process], [error] or <- (device) where it belongs";

const struct block_request block_request_empty = {
    .device = EVENT_NONE,
    .sector = EVENT_NONE,
    .blocks = EVENT_NONE,
    .pid = EVENT_NONE,
    .value = EVENT_NONE,
    .from_device = EVENT_NONE,
    .from_sector = EVENT_NONE,
};

bool block_text_parse_sector(struct word *rest, int64_t *sector) {
    if (word_accept(rest, "18446744073709551615")) {
        *sector = EVENT_NONE;
        return true;
    }
    return word_next_number(rest, BLOCK_IO_SECTORS, sector);
}

bool block_text_parse_device(struct word *rest, int64_t *device) {
    int64_t major, minor;

    if (!word_next_number(rest, MAJOR_LIMIT, &major) || !word_accept(rest, ",") ||
        !word_next_number(rest, MINOR_LIMIT, &minor)) {
        return false;
    }
    *device = device_number((uint32_t)major, (uint32_t)minor);
    return true;
}

/* Returns whether a line with this action has an error number in brackets, not a process. */
static bool has_error(const struct block_request *request) {
    return block_has_action(request, 'C') || block_has_action(request, 'R');
}

/* Returns whether the action is plug or unplug (P, U, UT), which concern a queue, not a request. */
static bool is_plug(const struct block_request *request) {
    return request->action[0] == 'P' || request->action[0] == 'U';
}

/* Parses sector and length, the two sectors of a split, or the bytes of a SCSI command. */
static const char *block_request_parse_extent(struct word *rest, struct block_request *request) {
    const char *close;

    /* Without a length in the line, a request has 0 blocks; a plug or unplug, an unknown number. */
    request->blocks = is_plug(request) ? EVENT_NONE : 0;
    if (word_is_digit(word_peek(rest))) {
        if (!block_text_parse_sector(rest, &request->sector)) {
            return bad_number;
        }
        if (word_accept(rest, "+")) {
            if (!word_next_number(rest, BLOCK_IO_BLOCKS, &request->blocks)) {
                return bad_number;
            }
        } else if (word_accept(rest, "/")) {
            request->blocks = EVENT_NONE;
            if (!block_text_parse_sector(rest, &request->value)) {
                return bad_number;
            }
        } else if (!has_error(request)) {
            /* A SCSI command has bytes but no sector. */
            request->blocks = request->sector == EVENT_NONE ? 0 : request->sector / SECTOR_SIZE;
            request->blocks = request->blocks > BLOCK_IO_BLOCKS ? 0 : request->blocks;
            request->sector = EVENT_NONE;
        }
    }
    if (word_accept(rest, "(")) { /* bytes of the command, or the time since the issue */
        close = memchr(rest->bytes, ')', rest->length);
        if (close == NULL) {
            return bad_tail;
        }
        word_skip(rest, (size_t)(close - rest->bytes) + 1);
    }
    return NULL;
}

/* Parses an error number; -5 may be printed as its lower 16 bits, 65531. */
static bool block_request_parse_error(struct word word, int64_t *error) {
    if (!word_signed(word, -(int64_t)UINT32_MAX, UINT32_MAX, error)) {
        return false;
    }
    *error = block_restore_error_number(*error);
    return true;
}

const char *block_text_parse_bracket(struct word *rest, struct block_request *request) {
    const char *close;
    struct word inside;

    if (!word_accept(rest, "[") || (close = memrchr(rest->bytes, ']', rest->length)) == NULL) {
        return bad_tail;
    }
    inside = word_between(rest->bytes, close);
    word_skip(rest, inside.length + 1);
    if (has_error(request)) {
        if (!block_request_parse_error(inside, &request->value)) {
            return bad_number;
        }
        /* The pid of a completion is that of the interrupted process, not the request's. */
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

const char *block_text_parse_origin(struct word *rest, bool counted,
                                    struct block_request *request) {
    int64_t ignored;

    if (!word_accept(rest, "(") || !block_text_parse_device(rest, &request->from_device) ||
        !word_accept(rest, ")")) {
        return bad_tail;
    }
    if (!block_text_parse_sector(rest, &request->from_sector) ||
        (counted && word_is_digit(word_peek(rest)) &&
         !word_next_number(rest, UINT32_MAX, &ignored))) {
        return bad_number;
    }
    return word_trim_left(*rest).length == 0 ? NULL : bad_tail;
}

/* Parses the text that follows rwbs. */
static const char *parse_tail(struct word *rest, struct block_request *request) {
    const char *damage = block_request_parse_extent(rest, request);

    if (damage != NULL) {
        return damage;
    }
    return word_accept(rest, "<-") ? block_text_parse_origin(rest, false, request)
                                   : block_text_parse_bracket(rest, request);
}

const char *block_text_parse_action(struct word *rest, struct block_request *request,
                                    bool *is_message) {
    struct word word = word_next(rest);

    *is_message = word_is(word, "m");
    if (!*is_message && !word_is_capitals(word, BLOCK_IO_ACTION)) {
        return bad_action;
    }
    request->action = word.bytes;
    request->action_length = word.length;
    word = word_next(rest);
    if (!block_parse_rwbs(word, &request->flags) && !*is_message) {
        return bad_rwbs;
    }
    return *is_message ? NULL : parse_tail(rest, request);
}
