/* Outcome of every record: kept, merged, ignored or rejected, by file, reason and position; and the
 * number of records that the log reports as lost.
 *
 * Each file of a trace has its own lines, also if files are read in parallel. */
#ifndef TRACETOOL_LEDGER_H
#define TRACETOOL_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lost records are only reported by the log and were never in the file. Earlier records are also
 * counted by their other outcome, kept or not; the same for the last two. */
enum outcome {
    OUTCOME_MERGED,
    OUTCOME_IGNORED,
    OUTCOME_REJECTED,
    OUTCOME_LOST,
    OUTCOME_EARLIER,
    OUTCOME_SPLIT, /* records that made a second event */
    OUTCOME_PEELED /* lines that were stripped (input/peel.h) */
};
#define OUTCOMES 7

struct ledger_line {
    size_t source; /* index of the file among the trace's files */
    enum outcome outcome;
    const char *reason; /* a constant string */
    int64_t count;
    int64_t first_offset; /* smallest */
    int64_t bytes;        /* bytes lost */
    size_t next;          /* the source's next line: its index plus 1; 0: last */
};

struct ledger {
    struct ledger_line *lines; /* owned; in order of their first records */
    size_t line_count, line_capacity;
    size_t *firsts; /* owned: the first line of each source: its index plus 1; 0: none */
    size_t source_capacity;
    int64_t totals[OUTCOMES];
    int64_t lost_bytes;
};

void ledger_free(struct ledger *ledger);

/* Adds the counts of another ledger's line. */
void ledger_add(struct ledger *ledger, const struct ledger_line *line);

/* Returns the line with most rejected records; NULL if there are none. */
const struct ledger_line *ledger_worst(const struct ledger *ledger);

#endif
