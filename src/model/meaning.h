/* What the logs of a format contain: what each column of `event` means, and which facts they
 * state. */
#ifndef TRACETOOL_MEANING_H
#define TRACETOOL_MEANING_H

#include <stdbool.h>

#include "model/event.h"

/* What a column of the table `event` means in a trace, as it depends on the log's format. Reports
 * and exporters ask for a meaning, not for a format. tracetool-schema(7) defines the words. */

/* Meaning of column `time`: time 0 is a time of day, of an unknown date. The unit is "ns from N":
 * from midnight to time 0 it is N nanoseconds. */
#define MEANING_TIME_OF_DAY "time of day"

/* What one column means. All strings are constant. `what` is NULL at the end of a list. */
struct event_meaning {
    enum event_place place;
    /* kind of the operation (column `kind` of `name`) that this is for; "": all operations */
    const char *kind;
    const char *what; /* what it means: "sector", "offset", "arguments", "result", … */
    const char *unit; /* unit of the values: "512 bytes", "bytes", "clock" (trace.clock_unit); "":
                         no quantity */
};

/* --- facts that logs state -------------------------------------------------------------------- */

/* Facts: what only some formats tell about events. If a log does not state a fact, it is unknown:
 * reports leave it out, and never print 0. tracetool-schema(7) defines the words. */

/* The facts, in the order in which reports list them. */
enum fact {
    FACT_SYNCHRONOUS, /* whether an I/O is synchronous (letter S) */
    FACT_FLUSHES,     /* flushes, as requests besides reads and writes */
    FACT_DIRECTIONS,  /* whether an I/O reads or writes */
    FACT_BLOCK_TYPES, /* whether an I/O is of the journal, metadata or data */
    FACT_FILE_TYPES,  /* types of files, from names or the log itself */
    FACT_FILES,       /* which file an event is about */
    FACT_FILE_NAMES,  /* names of files; decided when all calls are imported */
    FACT_PROCESSES,   /* pid or name of the process of an event */
    FACT_THREADS,     /* which thread made a call */
    FACT_SECTORS,     /* where on the device an I/O is */
    FACT_SIZES,       /* bytes of an I/O or a call */
    FACT_LATENCIES,   /* time from issue to completion of an I/O */
    FACT_WAKEUPS,     /* which thread woke a thread, and when */
    FACT_INTERRUPTS,  /* time in interrupts, apart from the interrupted thread */
    FACT_RESULTS,     /* what calls returned, or their errors */
    FACT_FAST_CALLS,  /* also calls that are faster than a tracer's threshold */
    FACT_END,         /* the log's end: no file of the log ends in the middle of a record */
    FACT_TIMES,       /* times of events; without it, `time` only gives their order */
};
#define FACTS (FACT_TIMES + 1)

#define FACT(name) (1u << FACT_##name)

/* The facts that an importer declares: bits FACT(…). One more bit tells no facts from no
 * declaration. */
#define FACTS_DECLARED       (1u << 31)
#define FACTS_OF_LOG(facts_) (FACTS_DECLARED | (facts_))

/* All facts. */
#define FACTS_ALL (~0u)

/* Facts that every part of the kernel's block layer knows. */
#define FACTS_OF_BLOCK_LAYER                                                                       \
    FACTS_OF_LOG(FACT(SYNCHRONOUS) | FACT(FLUSHES) | FACT(DIRECTIONS) | FACT(PROCESSES))

/* Facts (bits FACT(…)) of a kind of trace: those that each format must declare, and those that
 * follow from the columns of `event` that it sets. */
unsigned facts_to_declare(enum trace_kind kind);
unsigned facts_by_columns(enum trace_kind kind);

/* Returns the facts of a kind of trace that follow from columns (enum event_column). */
unsigned facts_of_columns(enum trace_kind kind, unsigned columns);

/* Returns words for a fact: "synchronous flags". */
const char *fact_words(enum fact fact);

/* Finds a fact by its words, with '-' or blanks between them; returns false if unknown. */
bool fact_find(const char *words, enum fact *fact);

/* Rows of the table `meaning` without a column name are about the whole log. `what` begins with
 * this if the log does not state a fact: "no flushes". */
#define FACT_UNKNOWN "no "

#endif
