/* What became of every record: kept, merged, ignored or rejected, by reason and place. */
#ifndef TRACETOOL_LEDGER_H
#define TRACETOOL_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outcome { OUTCOME_MERGED, OUTCOME_IGNORED, OUTCOME_REJECTED };
#define OUTCOMES 3

/* "merged", "ignored", "rejected". */
const char *outcome_name(enum outcome outcome);

struct ledger_line {
    size_t source; /* position of the file among the trace's files */
    enum outcome outcome;
    const char *reason; /* a constant string */
    int64_t count;
    int64_t first_offset;
    int64_t bytes; /* lost */
};

struct ledger {
    struct ledger_line *lines; /* owned */
    size_t line_count, line_capacity;
    size_t source_begin; /* first line of the current source */
    int64_t totals[OUTCOMES];
    int64_t lost_bytes;
    bool failed; /* out of memory at some point */
};

void ledger_free(struct ledger *ledger);

/* Lines from here on belong to a new source. */
void ledger_next_source(struct ledger *ledger);

/* Counts a record of source `source`. `reason` must stay valid. */
void ledger_count(struct ledger *ledger, size_t source, enum outcome outcome, const char *reason,
                  int64_t offset, int64_t bytes);

/* The line with most rejected records, NULL when there is none. */
const struct ledger_line *ledger_worst(const struct ledger *ledger);

#endif
