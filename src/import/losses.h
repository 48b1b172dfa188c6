/* Losses that the log itself tells: by CPU, and between which times.
 *
 * Importers report each event's CPU and time, and each loss where the log tells it. The pairing of
 * issues and completions (import/pairing.h) reads the result at the end of the import.
 */
#ifndef TRACETOOL_LOSSES_H
#define TRACETOOL_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct import;

/* One loss: after the event of that CPU at `from` and before its event at `to`. */
struct loss_gap {
    int64_t cpu;  /* EVENT_NONE: of all CPUs */
    int64_t from; /* EVENT_NONE: before the first event */
    int64_t to;   /* EVENT_NONE: behind the last event */
};

/* What is known of one CPU. */
struct loss_cpu {
    int64_t cpu;
    int64_t events;      /* in the log */
    int64_t lost;        /* told; 0: none */
    bool uncounted;      /* a loss was told without a number */
    int64_t first, last; /* times of its events */
};

/* A zeroed one is ready. Fields are its own, but for readers at the end of an import. */
struct losses {
    struct loss_cpu *cpus; /* owned; by number */
    size_t cpu_count, cpu_capacity;
    struct loss_gap *gaps; /* owned; in order of `from`, at most LOSS_GAPS; later ones are joined */
    size_t gap_count, gap_capacity;
    bool told;    /* any loss */
    bool overrun; /* a ring buffer overwrote its oldest events */
};

#define LOSS_GAPS 65536

/* The next event of a CPU (EVENT_NONE: not known), in the order of the log. */
void import_cpu_event(struct import *import, int64_t cpu, int64_t time);

/* Events of a CPU (EVENT_NONE: of any) are missing between its event before and its next one.
 * `count` EVENT_NONE: the log does not say how many. The ledger gets the count. */
void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset);

/* The ring buffers overwrote `count` events before the first one that is in the log. */
void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset);

/* After an overrun: the time from which all CPUs are there, the latest first event of those CPUs
 * that have at least a quarter of the events of the one with most. EVENT_NONE: no overrun, or one
 * CPU. */
int64_t losses_complete_since(const struct losses *losses);

void losses_free(struct losses *losses);

#endif
