/* Lines of text logs: reading, and recognising a format by the first ones. Shared by the importers
 * of text. */
#ifndef TRACETOOL_LINES_H
#define TRACETOOL_LINES_H

#include "import/importer.h"
#include "input/word.h"

/* Reason in the ledger. */
extern const char lines_too_long[];

/* A line and its place, for the ledger. */
struct line {
    struct word text;      /* the line without its end; valid until the next line is read */
    int64_t offset, bytes; /* start, and length with the end of line */
};

/* Returns the line in a record of a stream. */
static inline struct line lines_of_record(const struct stream_record *record) {
    return (struct line){
        {(const char *)record->bytes, record->length}, record->offset, record->size};
}

/* Returns whether a line is blank, or a comment that begins with #. */
static inline bool lines_is_nothing(struct word line) {
    char first = word_peek(&line);

    return line.length == 0 || first == '#';
}

/* Reads the next line. Rejects and skips lines longer than READER_WINDOW, with the reason
 * `too_long`. False at the end of the file, or after a read error. */
bool lines_next(struct import *import, struct reader *reader, const char *too_long,
                struct line *line);

/* Rejects the line. */
static inline void lines_reject(struct import *import, const struct line *line,
                                const char *reason) {
    import_rejected(import, reason, line->offset, line->bytes);
}

/* Whether a line fits a file's format. */
enum line_verdict {
    LINE_NOTHING, /* fits any format: blank, a comment */
    LINE_GOOD,
    LINE_BAD
};

/* Returns whether a file with these numbers of good and bad lines may have the format. Good lines
 * must outnumber bad ones, and at most a fifth may be bad. Up to 10 bad lines are always accepted,
 * for small damaged logs. */
static inline bool lines_fit_format(int64_t good, int64_t bad) {
    return good > bad && (bad <= 10 || good >= 4 * bad);
}

/* Judges the first lines of a file until 50 are good or bad. Skips a line cut off by the end of the
 * bytes, unless the file ends there (`whole`). Lines keep a carriage return at their end. True if
 * they fit (lines_fit_format()). */
bool lines_judge(const void *bytes, size_t length, bool whole,
                 enum line_verdict (*judge)(void *context, struct word line), void *context);

/* lines_judge() for an importer's sniff(). */
static inline enum sniff_score
lines_sniff(const struct sniff *sniff, enum line_verdict (*judge)(void *context, struct word line),
            void *context) {
    return lines_judge(sniff->bytes, sniff->length, sniff->whole, judge, context) ? SNIFF_LIKELY
                                                                                  : SNIFF_NO;
}

/* Resynchronisation for fixed-size records without a magic number: finds the next good record after
 * a damaged one. Shared by the importers of such binary logs. */

struct fixed_records {
    size_t size; /* bytes of a record, at most 1024 */
    /* Returns whether the bytes look like a good record. */
    bool (*is_record)(const void *context, const uint8_t *bytes);
    const void *context; /* argument of is_record(); borrowed */
};

/* Reads the records of a file. `take` returns NULL, or why a record is bad. Then, if a good record
 * follows at the same alignment, only that record is rejected; else all bytes up to the next good
 * one. */
void fixed_records_read(struct import *import, const struct fixed_records *records,
                        struct reader *reader,
                        const char *(*take)(struct import *import, void *context,
                                            const uint8_t *bytes, int64_t offset),
                        void *context);

#endif
