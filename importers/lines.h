/* What the importers of text share: the lines of a log, and whether its first ones are of a format.
 */
#ifndef TRACETOOL_LINES_H
#define TRACETOOL_LINES_H

#include "import/importer.h"
#include "input/word.h"

/* Reason in the ledger. */
extern const char lines_too_long[];

/* A line, and where it is, for the ledger. */
struct line {
    struct word text;      /* without its end; valid until the next one is read */
    int64_t offset, bytes; /* where it begins, and its length with its end */
};

/* The line that a record of a stream is. */
static inline struct line lines_of_record(const struct stream_record *record) {
    return (struct line){
        {(const char *)record->bytes, record->length}, record->offset, record->size};
}

/* Whether a line is blank, or a comment that begins with #. */
static inline bool lines_is_nothing(struct word line) {
    char first = word_peek(&line);

    return line.length == 0 || first == '#';
}

/* Reads the next line. Those longer than READER_WINDOW are rejected with the reason given and
 * passed over. False at the end of the file, or when reading failed. */
bool lines_next(struct import *import, struct reader *reader, const char *too_long,
                struct line *line);

/* Rejects the line. */
static inline void lines_reject(struct import *import, const struct line *line,
                                const char *reason) {
    import_rejected(import, reason, line->offset, line->bytes);
}

/* What a line says of a file's format. */
enum line_verdict {
    LINE_NOTHING, /* it could stand in any file: blank, a comment */
    LINE_GOOD,
    LINE_BAD
};

/* Whether a file of which so many lines are good and bad may be of the format: not where more than
 * a fifth is bad, unless that is 10 lines at most, as of a small damaged log, and fewer than are
 * good. */
static inline bool lines_fit(int64_t good, int64_t bad) {
    return good > bad && (bad <= 10 || good >= 4 * bad);
}

/* Judges lines of the beginning of a file until 50 of them have said something. A line that is cut
 * off where the bytes end is not read, unless the file ends there (`whole`). Lines are judged
 * as they are, a carriage return at their end included. True when they fit (lines_fit()). */
bool lines_judge(const void *bytes, size_t length, bool whole,
                 enum line_verdict (*judge)(void *context, struct word line), void *context);

/* lines_judge() for an importer's sniff(). */
static inline enum sniff_score
lines_sniff(const struct sniff *sniff, enum line_verdict (*judge)(void *context, struct word line),
            void *context) {
    return lines_judge(sniff->bytes, sniff->length, sniff->whole, judge, context) ? SNIFF_LIKELY
                                                                                  : SNIFF_NO;
}

#endif
