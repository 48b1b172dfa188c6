/* What the logs of a format contain: what each column of `event` means, which facts are stated. */
#ifndef TRACETOOL_MEANING_H
#define TRACETOOL_MEANING_H

#include <stdbool.h>

#include "model/event.h"

/* Meanings: what a column of `event` means depends on the log's format. Reports and exporters check
 * the meaning, never the format. tracetool-schema(7) defines the words. */

/* Meaning of column `time`: time 0 is a time of day on an unknown date. The unit is "ns from N":
 * time 0 is N ns after midnight. */
#define MEANING_TIME_OF_DAY "time of day"

/* The meaning of one column. All strings are constant. `what` NULL ends a list. */
struct event_meaning {
    enum event_place place;
    /* kind of operation (name.kind) whose events have this meaning; "": all operations */
    const char *kind;
    const char *what; /* the meaning: "sector", "offset", "arguments", "result", … */
    const char *unit; /* unit: "512 bytes", "bytes", "clock" (trace.clock_unit); "": no quantity */
};

/* --- facts that logs state -------------------------------------------------------------------- */

/* Facts: what only some formats say about events. If a log does not state a fact, it is unknown, so
 * reports omit what depends on it and never print 0. tracetool-schema(7) defines the words. */

/* The facts, in the order in which reports list them. */
enum fact {
    FACT_SYNCHRONOUS, /* whether an I/O is synchronous (letter S) */
    FACT_FLUSHES,     /* flushes: requests that are neither reads nor writes */
    FACT_DIRECTIONS,  /* whether an I/O reads or writes */
    FACT_BLOCK_TYPES, /* whether an I/O belongs to the journal, metadata or data */
    FACT_FILE_TYPES,  /* types of files, known from names or from the log itself */
    FACT_FILES,       /* which file an event refers to */
    FACT_FILE_NAMES,  /* names of files; known only after all calls are imported */
    FACT_PROCESSES,   /* pid or name of the process of an event */
    FACT_THREADS,     /* which thread made a call */
    FACT_SECTORS,     /* where on the device an I/O is */
    FACT_SIZES,       /* bytes of an I/O or a call */
    FACT_LATENCIES,   /* time from issue to completion of an I/O */
    FACT_WAKEUPS,     /* which thread woke up a thread, and when */
    FACT_INTERRUPTS,  /* time in interrupts, separate from that of the interrupted thread */
    FACT_RESULTS,     /* return values of calls, or their errors */
    FACT_FAST_CALLS,  /* calls faster than a threshold, which some tracers do not log */
    FACT_END,   /* that the log is complete at its end, and not cut off in the middle of a record */
    FACT_TIMES, /* times of events; without them, `time` is only an order */
};
#define FACTS (FACT_TIMES + 1)

#define FACT(name) (1u << FACT_##name)

/* The facts that an importer declares: bits FACT(…). FACTS_DECLARED is always set, so a declaration
 * without facts differs from a missing one. */
#define FACTS_DECLARED       (1u << 31)
#define FACTS_OF_LOG(facts_) (FACTS_DECLARED | (facts_))

/* All facts. */
#define FACTS_ALL (~0u)

/* Facts that all tracers of the kernel's block layer state. */
#define FACTS_OF_BLOCK_LAYER                                                                       \
    FACTS_OF_LOG(FACT(SYNCHRONOUS) | FACT(FLUSHES) | FACT(DIRECTIONS) | FACT(PROCESSES))

/* Returns the facts of a kind of trace (bits FACT(…)) that each format must declare because they do
 * not follow from the columns of `event` it sets. */
unsigned facts_to_declare(enum trace_kind kind);
unsigned facts_depending_on_columns(enum trace_kind kind);

/* Returns the facts of a kind of trace that follow from the columns set (enum event_column). */
unsigned facts_from_columns(enum trace_kind kind, unsigned columns);

/* Returns a fact in words: "synchronous flags". */
const char *fact_words(enum fact fact);

/* Finds a fact by its words, separated by '-' or blanks; returns false if unknown. */
bool fact_find(const char *words, enum fact *fact);

/* Rows of table `meaning` without a column name are about the whole log. For a fact that the log
 * does not state, `what` is this prefix and the fact's words: "no flushes". */
#define FACT_UNKNOWN "no "

#endif
