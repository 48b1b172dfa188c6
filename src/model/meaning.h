/* What a format's logs contain: meanings of the `event` columns, and facts. */
#ifndef TRACETOOL_MEANING_H
#define TRACETOOL_MEANING_H

#include <stdbool.h>

#include "model/event.h"

/* Meaning of an `event` column in a trace, since a column's content depends on the format. Reports
 * and exporters test for a meaning, not a format. tracetool-schema(7) defines the words. */

/* Column `time`: time 0 is a time of day of an unknown date. The unit is "ns from N": N nanoseconds
 * from midnight to time 0. */
#define MEANING_TIME_OF_DAY "time of day"

/* One meaning of a column. All strings are constant. A list ends with `what` NULL. */
struct event_meaning {
    enum event_place place;
    /* Applies to events whose operation has this kind (name.kind); "": all with the column. */
    const char *kind;
    const char *what; /* meaning of the column: "sector", "offset", "arguments", "result", … */
    const char *unit; /* unit of the column: "512 bytes", "bytes", "clock" (trace.clock_unit), "":
                         not a quantity */
};

/* --- facts -------------------------------------------------------------------------------------
 */

/* Facts: properties of events that only some formats record. If a log lacks a fact, its value is
 * unknown: reports omit it and never print 0. tracetool-schema(7) defines the words. */

/* The facts, in the order in which reports list them. */
enum fact {
    FACT_SYNCHRONOUS, /* whether an I/O is synchronous */
    FACT_FLUSHES,     /* flush requests, separate from reads and writes */
    FACT_DIRECTIONS,  /* whether an I/O reads or writes */
    FACT_BLOCK_TYPES, /* journal, metadata, data */
    FACT_FILE_TYPES,  /* types of files, by their names or from the log */
    FACT_FILES,       /* which file an event is about */
    FACT_FILE_NAMES,  /* name of any file; found at the end of an import of calls */
    FACT_PROCESSES,   /* pid or name of the process */
    FACT_THREADS,     /* threads of calls */
    FACT_SECTORS,     /* location of an I/O on the device */
    FACT_SIZES,       /* bytes transferred by an I/O or a call */
    FACT_LATENCIES,   /* issue to completion of an I/O */
    FACT_WAKEUPS,     /* which thread woke a thread, and when */
    FACT_INTERRUPTS,  /* time in interrupts, separate from the interrupted thread */
    FACT_RESULTS,     /* what calls returned, or their errors */
    FACT_FAST_CALLS,  /* calls faster than a threshold of the tracer */
    FACT_END,         /* the end of each file: no file of the log ends inside a record */
    FACT_TIMES,       /* when events were; without them `time` only orders */
};
#define FACTS (FACT_TIMES + 1)

#define FACT(name) (1u << FACT_##name)

/* Set of FACT(…) declared by an importer. The extra bit distinguishes an empty set from a missing
 * declaration. */
#define FACTS_DECLARED       (1u << 31)
#define FACTS_OF_LOG(facts_) (FACTS_DECLARED | (facts_))

/* All facts. */
#define FACTS_ALL (~0u)

/* Facts recorded by every step of the kernel's block layer. */
#define FACTS_OF_BLOCK_LAYER                                                                       \
    FACTS_OF_LOG(FACT(SYNCHRONOUS) | FACT(FLUSHES) | FACT(DIRECTIONS) | FACT(PROCESSES))

/* Sets of FACT(…) for a kind: those that a format must declare, and those that follow from its
 * `event` columns. */
unsigned facts_to_declare(enum trace_kind kind);
unsigned facts_by_columns(enum trace_kind kind);

/* Facts of a kind that follow from a set of columns (enum event_column). */
unsigned facts_of_columns(enum trace_kind kind, unsigned columns);

/* Plain term for a fact: "synchronous flags". */
const char *fact_words(enum fact fact);

/* Finds a fact by its term, with '-' or blanks between words; false if unknown. */
bool fact_find(const char *words, enum fact *fact);

/* Rows of the table `meaning` with an empty "column" apply to the whole log. This prefix of `what`
 * marks a missing fact: "no flushes". */
#define FACT_UNKNOWN "no "

#endif
