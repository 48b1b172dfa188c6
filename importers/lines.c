#include "lines.h"

#include <string.h>

enum { JUDGED_LINES = 50 };

const char lines_too_long[] = "line longer than 262144 bytes";

bool lines_next(struct import *import, struct reader *reader, const char *too_long,
                struct line *line) {
    enum reader_line kind;

    while ((kind = reader_line(reader, &line->text.bytes, &line->text.length, &line->offset)) !=
           READER_END) {
        line->bytes = reader_offset(reader) - line->offset;
        if (kind == READER_LINE) {
            return true;
        }
        lines_reject(import, line, too_long);
    }
    return false;
}

bool lines_judge(const void *bytes, size_t length, bool whole,
                 enum line_verdict (*judge)(void *context, struct word line), void *context) {
    const char *at = bytes, *end = at + length;
    int good = 0, bad = 0;

    while (at < end && good + bad < JUDGED_LINES) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        enum line_verdict verdict;

        if (newline == NULL && !whole) {
            break;
        }
        verdict =
            judge(context, (struct word){at, (size_t)((newline == NULL ? end : newline) - at)});
        good += verdict == LINE_GOOD;
        bad += verdict == LINE_BAD;
        at = newline == NULL ? end : newline + 1;
    }
    return lines_fit_format(good, bad);
}

enum { LOOK_AHEAD = 8 }; /* number of records checked after a damaged record */

/* Returns whether only single records are damaged: a good record follows at the same alignment. */
static bool is_aligned(const struct fixed_records *records, const uint8_t *bytes, size_t length) {
    for (size_t i = 1; i <= LOOK_AHEAD && (i + 1) * records->size <= length; i++) {
        if (records->is_record(records->context, bytes + i * records->size)) {
            return true;
        }
    }
    return false;
}

static void fixed_records_reject(struct import *import, const struct fixed_records *records,
                                 struct reader *reader, const char *damage) {
    size_t available = reader_fill(reader, (size_t)(LOOK_AHEAD + 1) * records->size);
    int64_t offset = reader_offset(reader);
    /* After the last record of the file there is no other one to check the alignment with. */
    bool last = available / records->size <= 1 && available % records->size == 0;

    if (last || is_aligned(records, reader_bytes(reader), available)) {
        reader_take(reader, records->size);
    } else {
        /* Move to the next start of a record, or to the end of the file, after bytes were lost or
         * added. Each byte is read once, so the search takes linear time. */
        const uint8_t *bytes;

        reader_take(reader, 1);
        while (reader_need(reader, records->size, &bytes) &&
               !records->is_record(records->context, bytes)) {
            reader_take(reader, 1);
        }
        if (!reader_need(reader, records->size, &bytes)) {
            reader_skip(reader, (int64_t)records->size);
        }
    }
    import_rejected(import, damage, offset, reader_offset(reader) - offset);
}

void fixed_records_read(struct import *import, const struct fixed_records *records,
                        struct reader *reader,
                        const char *(*take)(struct import *import, void *context,
                                            const uint8_t *bytes, int64_t offset),
                        void *context) {
    static const char truncated[] = "cut short by the end of the file";
    const uint8_t *bytes;
    size_t rest;

    while (reader_need(reader, records->size, &bytes)) {
        const char *damage = take(import, context, bytes, reader_offset(reader));

        if (damage != NULL) {
            fixed_records_reject(import, records, reader, damage);
        } else {
            reader_take(reader, records->size);
        }
    }
    rest = reader_fill(reader, records->size);
    if (rest > 0 && !reader_failed(reader)) {
        import_rejected(import, truncated, reader_offset(reader), (int64_t)rest);
        reader_take(reader, rest);
    }
}
