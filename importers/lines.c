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
    return lines_fit(good, bad);
}
