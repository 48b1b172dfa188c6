#include "block_request.h"

bool block_parse_rwbs(struct word letters, uint32_t *flags) {
    bool read = false, write = false, sync = false;

    *flags = 0;
    for (size_t i = 0; i < letters.length; i++) {
        switch (letters.bytes[i]) {
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
    return letters.length > 0;
}

int64_t block_error(int64_t kept) {
    enum { BITS = 0x10000, HIGHEST = 4095 };

    return kept >= BITS - HIGHEST && kept < BITS ? kept - BITS : kept;
}

static bool is_sync(uint32_t flags) {
    return io_class_of(flags) == IO_READSYNC || io_class_of(flags) == IO_WRITESYNC;
}

/* Whether a request carries no data but asks for a flush, or is the completion of one: it has F in
 * front, or it is a write of no length (second completions have no F). A SCSI command, which has no
 * sector, is none. */
static bool block_is_flush(const struct block_request *request) {
    return request->blocks == 0 && request->more_bytes == 0 &&
           (request->flags & IO_FLAG_DISCARD) == 0 &&
           ((request->flags & IO_FLAG_FLUSH) != 0 ||
            (block_is_write(request->flags) && request->sector != EVENT_NONE));
}

uint32_t block_kept_flags(const struct block_request *request) {
    uint32_t flags = request->flags;

    if (!block_is_flush(request)) {
        return flags;
    }
    return (flags & ~IO_CLASS_MASK) | IO_FLUSH |
           (block_is_write(flags) ? IO_FLAG_FLUSH_WRITE : 0u) |
           (is_sync(flags) ? IO_FLAG_FLUSH_SYNC : 0u);
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
    for (size_t i = 0; i < sizeof later_letters / sizeof later_letters[0]; i++) {
        if (flags & later_letters[i].flag) {
            text_append_char(out, later_letters[i].letter);
        }
    }
    if (is_sync(flags) || (flags & IO_FLAG_FLUSH_SYNC) != 0) {
        text_append_char(out, 'S');
    }
    if (flags & IO_FLAG_METADATA) {
        text_append_char(out, 'M');
    }
}
