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

/* One loss: after the CPU's event at `from` and before its event at `to`. If the time of the later
 * event is smaller, as between two recordings, `from` and `to` are swapped. */
struct loss_gap {
    int64_t cpu;  /* number of the CPU; EVENT_NONE: all CPUs */
    int64_t from; /* time of the CPU's last event before the loss; EVENT_NONE: there is none */
    int64_t to;   /* time of the CPU's first event after the loss; EVENT_NONE: there is none */
};

/* Events and losses of one CPU. */
struct loss_cpu {
    int64_t cpu;         /* EVENT_NONE: events and losses of unknown CPU */
    int64_t events;      /* number of the CPU's events in the log */
    int64_t lost;        /* number of the CPU's events reported as lost; 0: none */
    int64_t uncounted;   /* number of losses reported without a number of events */
    int64_t first, last; /* smallest and largest time of the CPU's events; EVENT_NONE: none */
    size_t open_gap;     /* index plus 1 of the CPU's gap that has no `to` yet; 0: none */
    size_t last_gap;     /* index plus 1 of the CPU's latest gap; 0: it has none */
};

/* Size of the CPU lookup table. */
#define LOSS_SLOTS 64

/* Events and losses of the CPUs of a log. Initially zeroed. Members are private until the end of
 * the import. */
struct losses {
    struct loss_cpu *cpus; /* owned; sorted by CPU number, unknown CPU first */
    size_t cpu_count, cpu_capacity;
    struct loss_gap *gaps; /* owned; sorted by `from`; gaps beyond LOSS_GAPS are joined */
    size_t gap_count, gap_capacity;
    bool reported; /* true: a loss was reported */
    bool overrun;  /* true: a ring buffer overwrote its oldest events */
    /* number of overwritten events; also included in `lost` of the unknown CPU */
    int64_t overwritten;
    uint16_t slots[LOSS_SLOTS]; /* cache: index in `cpus`, by the lowest bits of a CPU's number */
    size_t open_all; /* index plus 1 of the gap of all CPUs that has no `to` yet; 0: none */
};

/* Limit of recorded gaps (times of losses). If there are more losses, each extends its CPU's latest
 * gap. */
#define LOSS_GAPS 65536

/* Limit of CPUs; events and losses of further CPUs are counted for the unknown CPU. */
#define LOSS_CPUS 8192

/* Sorts the gaps by time. Must be called after the last event. */
void losses_finish(struct losses *losses);

/* After an overrun (a ring buffer overwrote its oldest events), returns the time from which the log
 * has the events of all CPUs. Ignores CPUs with less than a quarter of the busiest CPU's events.
 * EVENT_NONE: no overrun, or one CPU. */
int64_t losses_complete_since(const struct losses *losses);

/* Returns the number of events of all CPUs in the log. */
int64_t losses_count_events(const struct losses *losses);

/* Times at which the events of the CPUs begin, in a log whose oldest events were overwritten. */
struct losses_begin {
    int64_t early_cpu; /* CPU whose events begin first, of those with at least a quarter of the
                          busiest CPU's events */
    int64_t late_cpu;  /* CPU whose events begin last, of those with at least a quarter of the
                          busiest CPU's events */
    int64_t by; /* time between the first events of early_cpu and late_cpu; 0: no difference, no
                   overrun, or one CPU */
};

struct losses_begin losses_begin(const struct losses *losses);

void losses_free(struct losses *losses);

#endif
