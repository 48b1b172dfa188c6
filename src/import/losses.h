/* Losses that the log itself tells: by CPU, and between which times.
 *
 * Importers report each event's CPU and time, and each loss where the log tells it, by the
 * functions of import/metadata.h. The pairing of issues and completions (import/pairing.h) reads
 * the result at the end of the import: struct import_run.losses.
 */
#ifndef TRACETOOL_LOSSES_H
#define TRACETOOL_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One loss: after the event of that CPU at `from` and before its event at `to`. Where the log's
 * time goes back across the loss, as between two recordings, `from` and `to` are where these
 * overlap. */
struct loss_gap {
    int64_t cpu;  /* EVENT_NONE: of all CPUs */
    int64_t from; /* EVENT_NONE: before the first event */
    int64_t to;   /* EVENT_NONE: behind the last event */
};

/* What is known of one CPU. */
struct loss_cpu {
    int64_t cpu;         /* EVENT_NONE: of events and losses of which the log names no CPU */
    int64_t events;      /* in the log */
    int64_t lost;        /* told; 0: none */
    int64_t uncounted;   /* losses that were told without a number */
    int64_t first, last; /* smallest and largest time of its events; EVENT_NONE: there are none */
    size_t open_gap;     /* its gap that has no `to` yet: index and 1; 0: none */
    size_t last_gap;     /* its latest gap: index and 1; 0: none */
};

/* CPUs of a bit pattern are found at once. */
#define LOSS_SLOTS 64

/* A zeroed one is ready. Fields are its own, but for readers at the end of an import. */
struct losses {
    struct loss_cpu *cpus; /* owned; by number, that of no known CPU first */
    size_t cpu_count, cpu_capacity;
    struct loss_gap *gaps; /* owned; in order of `from`, at most LOSS_GAPS; later ones are joined */
    size_t gap_count, gap_capacity;
    bool told;                  /* any loss */
    bool overrun;               /* a ring buffer overwrote its oldest events */
    int64_t overwritten;        /* that many of them, in the `lost` of no known CPU */
    uint16_t slots[LOSS_SLOTS]; /* by the lowest bits of a CPU's number: its place in `cpus` */
    size_t open_all;            /* the gap of all CPUs that has no `to` yet: index and 1; 0: none */
};

/* Gaps that are kept. Of a CPU that has further ones, the latest is made longer. */
#define LOSS_GAPS 65536

/* CPUs that are followed. Events and losses of further ones are those of no known CPU. */
#define LOSS_CPUS 8192

/* Puts the gaps in order, when the last event was told. */
void losses_settle(struct losses *losses);

/* After an overrun: the time from which all CPUs are there, the latest first event of those CPUs
 * that have at least a quarter of the events of the one with most. EVENT_NONE: no overrun, or one
 * CPU. */
int64_t losses_complete_since(const struct losses *losses);

/* Events of all CPUs. */
int64_t losses_events(const struct losses *losses);

/* What is known of the begin of a log after an overrun. */
struct losses_begin {
    int64_t early_cpu; /* the first one of those that have a quarter of the events, … */
    int64_t late_cpu;  /* … and the last, … */
    int64_t by;        /* … which begins so much later; 0: all begin at once, or as above */
};

struct losses_begin losses_begin(const struct losses *losses);

void losses_free(struct losses *losses);

#endif
