/* Reads lines of text logs, and recognises formats by the first lines. Shared by importers of
 * text. */
#ifndef TRACETOOL_LINES_H
#define TRACETOOL_LINES_H

#include "import/importer.h"
#include "input/word.h"

/* Reason (ledger.reason) for rejecting a line beyond READER_WINDOW bytes. */
extern const char lines_too_long[];

/* A line and where it is in the file, for the ledger if the line is rejected. */
struct line {
    struct word text;      /* the line without its end; valid until the next line is read */
    int64_t offset, bytes; /* offset of the line's start in the file; length with the line end */
};

/* Returns the line in a record of a stream that is read by lines. */
static inline struct line lines_of_record(const struct stream_record *record) {
    return (struct line){
        {(const char *)record->bytes, record->length}, record->offset, record->size};
}

/* Returns whether a line is blank, or a comment that begins with #. */
static inline bool lines_is_blank_or_comment(struct word line) {
    char first = word_peek(&line);

    return line.length == 0 || first == '#';
}

/* Reads the next line. Lines longer than READER_WINDOW are rejected with the reason `too_long`, and
 * skipped. False at the end of the file, or after a read error. */
bool lines_next(struct import *import, struct reader *reader, const char *too_long,
                struct line *line);

/* Adds the line to the ledger as rejected. */
static inline void lines_reject(struct import *import, const struct line *line,
                                const char *reason) {
    import_rejected(import, reason, line->offset, line->bytes);
}

/* Verdict on a line: whether it has a certain format. */
enum line_verdict {
    LINE_NOTHING, /* a line that any format may have: blank, or a comment */
    LINE_GOOD,
    LINE_BAD
};

/* Returns whether a file may have a format, by the numbers of its good and bad lines. Good lines
 * must outnumber bad ones. At most a fifth may be bad; up to 10 bad lines are accepted, for small
 * damaged logs. */
static inline bool lines_fit_format(int64_t good, int64_t bad) {
    return good > bad && (bad <= 10 || good >= 4 * bad);
}

/* Judges the first lines of a file, until 50 of them are good or bad. Skips a line cut off by the
 * end of the bytes, unless the file ends there (`whole`). Lines still have a carriage return at
 * their end. True if the file may have the format (lines_fit_format()). */
bool lines_judge(const void *bytes, size_t length, bool whole,
                 enum line_verdict (*judge)(void *context, struct word line), void *context);

/* Implements sniff() of an importer: `judge` decides for each line. */
static inline enum sniff_score
lines_sniff(const struct sniff *sniff, enum line_verdict (*judge)(void *context, struct word line),
            void *context) {
    return lines_judge(sniff->bytes, sniff->length, sniff->whole, judge, context) ? SNIFF_LIKELY
                                                                                  : SNIFF_NO;
}

/* Reads records of fixed size that have no magic number. After a damaged record, the next good one
 * is searched. Shared by the importers of such binary logs. */

struct fixed_records {
    size_t size; /* bytes of a record, at most 1024 */
    /* Returns whether the bytes look like a good record; used to find one after damage. */
    bool (*is_record)(const void *context, const uint8_t *bytes);
    const void *context; /* passed to is_record(); borrowed */
};

/* Reads the records of a file and passes them to `take`, which returns NULL, or why a record is
 * bad. If the record after a bad one is good, only the bad one is rejected. Otherwise all bytes up
 * to the next good record are rejected; it may begin at any offset. */
void fixed_records_read(struct import *import, const struct fixed_records *records,
                        struct reader *reader,
                        const char *(*take)(struct import *import, void *context,
                                            const uint8_t *bytes, int64_t offset),
                        void *context);

#endif
