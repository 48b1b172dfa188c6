/* What became of every record: kept, merged, ignored or rejected, by file, reason and place; and
 * how many the log says are not in it.
 *
 * Each file of a trace has lines of its own, whichever of the files are read side by side. */
#ifndef TRACETOOL_LEDGER_H
#define TRACETOOL_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was lost was never a record of the file: the log only tells of it. What is earlier than the
 * record before it is kept or not as any other, and counted there, too; likewise the last two. */
enum outcome {
    OUTCOME_MERGED,
    OUTCOME_IGNORED,
    OUTCOME_REJECTED,
    OUTCOME_LOST,
    OUTCOME_EARLIER,
    OUTCOME_SPLIT, /* records that made a second event */
    OUTCOME_PEELED /* lines from which something was taken off (input/peel.h) */
};
#define OUTCOMES 7

struct ledger_line {
    size_t source; /* position of the file among the trace's files */
    enum outcome outcome;
    const char *reason; /* a constant string */
    int64_t count;
    int64_t first_offset; /* smallest */
    int64_t bytes;        /* lost */
    size_t next;          /* the source's next line: its index and 1; 0: this is the last */
};

struct ledger {
    struct ledger_line *lines; /* owned; in order of their first records */
    size_t line_count, line_capacity;
    size_t *firsts; /* owned: by source, its first line: index and 1; 0: it has none */
    size_t source_capacity;
    int64_t totals[OUTCOMES];
    int64_t lost_bytes;
};

void ledger_free(struct ledger *ledger);

/* Adds what a line of another ledger counts. */
void ledger_add(struct ledger *ledger, const struct ledger_line *line);

/* The line with most rejected records, NULL when there is none. */
const struct ledger_line *ledger_worst(const struct ledger *ledger);

#endif
