/* Counts what was played, asserts what is promised, and says what the reports must print. Shares
 * no code with the plan: partitions are found by sector, everything else is read off the I/Os.
 */
#ifndef STUDY_EXPECT_H
#define STUDY_EXPECT_H

#include "study.h"

#include <stddef.h>

enum { MAX_GROUPS = 40 };

/* One row of a report by anything. */
typedef struct {
    const char *name;
    uint64_t counts[CLASSES];
    uint64_t total, bytes;
} Group;

typedef struct {
    Group groups[MAX_GROUPS];
    size_t count;
} Groups;

/* Whether I/Os go on where the one before of the same direction ended. */
typedef struct {
    uint64_t sequential[2], random[2];
    uint64_t ends[2]; /* 0: none yet */
} Locality;

typedef struct {
    uint64_t total, bytes;
    uint64_t counts[CLASSES], class_bytes[CLASSES];
    uint64_t hours[HOURS][CLASSES];
    uint64_t plus_at_six; /* I/Os of Google Plus from 06:00 to 07:00 */
    Groups partitions, types, blocks, processes;
    Groups types_within[PARTITIONS], processes_within[PARTITIONS];
    uint64_t sizes[MAX_BLOCKS + 1];
    Locality all, data_only;
    uint64_t latencies[CLASSES][MAX_LATENCY + 1];
    int64_t first_completion, last_completion, first_issue;
} Counts;

void count_io(Counts *counts, const Io *io);
/* Aborts when a published figure does not hold. */
void check_promises(const Counts *counts, unsigned user);
/* Of both users' I/Os together. */
void check_promises_of_both(const Counts counts[USERS]);
/* Lengths of the logs: of form D, and of all pieces of form E. */
void write_expectations(const char *directory, Counts *counts, uint64_t binary_bytes,
                        uint64_t uio_bytes);

#endif
