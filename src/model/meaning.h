/* What the logs of a format state: what the columns of `event` mean, and facts. */
#ifndef TRACETOOL_MEANING_H
#define TRACETOOL_MEANING_H

#include <stdbool.h>

#include "model/event.h"

/* What a column of `event` means in a trace: the same column holds different things in different
 * formats. Reports and exporters ask for a meaning, not for a format. The words are those of
 * tracetool-schema(7). */

/* Of column `time`: time 0 is a time of day, whose day is not known. The unit is "ns from N", N
 * being the nanoseconds from midnight to time 0. */
#define MEANING_TIME_OF_DAY "time of day"

/* One meaning of a column. All strings are constant. A list ends with one whose `what` is NULL. */
struct event_meaning {
    enum event_place place;
    /* Of events whose operation is of this kind (name.kind); "": of all that have the column. */
    const char *kind;
    const char *what; /* "sector", "offset", "arguments", "result", … */
    const char *unit; /* "512 bytes", "bytes", "clock" (trace.clock_unit), "": it is no quantity */
};

/* --- facts -------------------------------------------------------------------------------------
 */

/* Facts: what the logs of a format can state of their events, and others cannot. Where a log cannot
 * state a fact, its value is unknown: reports leave it out and never print 0. The words are those
 * of tracetool-schema(7). */

/* Numbered in the order in which reports list them. */
enum fact {
    FACT_SYNCHRONOUS, /* whether an I/O is synchronous */
    FACT_FLUSHES,     /* requests to flush, apart from reads and writes */
    FACT_DIRECTIONS,  /* whether an I/O reads or writes */
    FACT_BLOCK_TYPES, /* journal, metadata, data */
    FACT_FILE_TYPES,  /* which follow from the names of files, or stand in the log */
    FACT_FILES,       /* names of files */
    FACT_PROCESSES,   /* pid or name of the process */
    FACT_THREADS,     /* of calls */
    FACT_SECTORS,     /* where on the device an I/O is done */
    FACT_SIZES,       /* how many bytes an I/O or a call moves */
    FACT_LATENCIES,   /* time from issue to completion of an I/O */
    FACT_WAKEUPS,     /* who woke a thread, and when */
    FACT_INTERRUPTS,  /* what is done in interrupts, apart from the thread that they interrupt */
};
#define FACTS (FACT_INTERRUPTS + 1)

#define FACT(name) (1u << FACT_##name)

/* Facts that an importer declares, a set of FACT(…). The mark tells "none" from "forgotten". */
#define FACTS_DECLARED       (1u << 31)
#define FACTS_OF_LOG(facts_) (FACTS_DECLARED | (facts_))

/* Every fact there is. */
#define FACTS_ALL (~0u)

/* Facts of block I/O as every step of the kernel's block layer states them. */
#define FACTS_OF_BLOCK_LAYER                                                                       \
    FACTS_OF_LOG(FACT(SYNCHRONOUS) | FACT(FLUSHES) | FACT(DIRECTIONS) | FACT(PROCESSES))

/* Facts that a format of that kind must declare, and those that follow from the columns of `event`
 * that it sets: sets of FACT(…). */
unsigned facts_to_declare(enum trace_kind kind);
unsigned facts_by_columns(enum trace_kind kind);

/* Of the latter, those that the columns (enum event_column) give. */
unsigned facts_of_columns(enum trace_kind kind, unsigned columns);

/* What people call the fact: "synchronous flags". */
const char *fact_words(enum fact fact);

/* The fact called so, with '-' or a blank between words; false when there is none. */
bool fact_find(const char *words, enum fact *fact);

/* Rows of the table `meaning` whose "column" is empty are of the whole log. This begins `what` of
 * those that name a fact that is not in the log: "no flushes". */
#define FACT_UNKNOWN "no "

#endif
