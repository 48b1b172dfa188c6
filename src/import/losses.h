/* Losses reported by the log: by CPU, with the times between which they occurred.
 *
 * Importers report each event's CPU and time, and each loss at its position, with the functions of
 * import/metadata.h. The pairing of issues and completions (import/pairing.h) reads the result at
 * the end of the import: struct import_run.losses.
 */
#ifndef TRACETOOL_LOSSES_H
#define TRACETOOL_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One loss: after the CPU's event at `from` and before its event at `to`. If the log's time goes
 * back across the loss, as between two recordings, `from` and `to` are the bounds of the overlap.
 */
struct loss_gap {
    int64_t cpu;  /* number of the CPU; EVENT_NONE: all CPUs */
    int64_t from; /* EVENT_NONE: before the first event */
    int64_t to;   /* EVENT_NONE: after the last event */
};

/* Data of one CPU. */
struct loss_cpu {
    int64_t cpu;         /* EVENT_NONE: events and losses of unknown CPU */
    int64_t events;      /* events in the log */
    int64_t lost;        /* events reported as lost; 0: none */
    int64_t uncounted;   /* losses reported without a number */
    int64_t first, last; /* smallest and largest time of its events; EVENT_NONE: none */
    size_t open_gap;     /* index plus 1 of the CPU's gap that has no `to` yet; 0: none */
    size_t last_gap;     /* index plus 1 of the CPU's latest gap; 0: none */
};

/* Size of the CPU lookup table. */
#define LOSS_SLOTS 64

/* Initially zeroed. Members are private until the end of the import. */
struct losses {
    struct loss_cpu *cpus; /* owned; by number, unknown CPU first */
    size_t cpu_count, cpu_capacity;
    struct loss_gap *gaps; /* owned; sorted by `from`, at most LOSS_GAPS; later ones are joined */
    size_t gap_count, gap_capacity;
    bool reported;       /* true: a loss was reported */
    bool overrun;        /* a ring buffer overwrote its oldest events */
    int64_t overwritten; /* number of overwritten events, included in `lost` of the unknown CPU */
    uint16_t slots[LOSS_SLOTS]; /* index in `cpus` by the lowest bits of a CPU's number */
    size_t open_all;            /* the gap of all CPUs without a `to` yet: index plus 1; 0: none */
};

/* Maximum gaps kept; then a CPU's latest gap is extended. */
#define LOSS_GAPS 65536

/* Maximum CPUs; events and losses of others count for the unknown CPU. */
#define LOSS_CPUS 8192

/* Sorts the gaps, after the last event. */
void losses_finish(struct losses *losses);

/* After an overrun: time from which all CPUs are complete, the latest first event of CPUs with at
 * least a quarter of the busiest one's events. EVENT_NONE: no overrun, or a single CPU. */
int64_t losses_complete_since(const struct losses *losses);

/* Number of events of all CPUs. */
int64_t losses_events(const struct losses *losses);

/* Start of a log after an overrun. */
struct losses_begin {
    int64_t early_cpu; /* first CPU to start, of those with a quarter of the busiest one's events */
    int64_t late_cpu;  /* last of these CPUs to start */
    int64_t by; /* time between these starts; 0: all start together, no overrun, or one CPU */
};

struct losses_begin losses_begin(const struct losses *losses);

void losses_free(struct losses *losses);

#endif
