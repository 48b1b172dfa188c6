#include "import/losses.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/saturate.h"
#include "model/event.h"

void losses_free(struct losses *losses) {
    free(losses->cpus);
    free(losses->gaps);
    *losses = (struct losses){0};
}

/* --- CPUs ---------------------------------------------------------------------------------------
 */

/* Where the CPU is among the others, or would be. */
static size_t place_of(const struct losses *losses, int64_t cpu) {
    size_t low = 0, high = losses->cpu_count;

    SEARCH(low, high, middle, losses->cpus[middle].cpu < cpu);
    return low;
}

static bool is_at(const struct losses *losses, size_t place, int64_t cpu) {
    return place < losses->cpu_count && losses->cpus[place].cpu == cpu;
}

static void add_cpu(struct losses *losses, size_t place, int64_t cpu) {
    struct loss_cpu *cpus =
        array_grow(losses->cpus, losses->cpu_count, &losses->cpu_capacity, sizeof *cpus);

    losses->cpus = cpus;
    memmove(&cpus[place + 1], &cpus[place], (losses->cpu_count - place) * sizeof *cpus);
    cpus[place] = (struct loss_cpu){.cpu = cpu, .first = EVENT_NONE, .last = EVENT_NONE};
    losses->cpu_count++;
}

/* The CPU; it is added where it is new. */
static struct loss_cpu *find_cpu(struct losses *losses, int64_t cpu) {
    uint16_t *slot = &losses->slots[(uint64_t)cpu % LOSS_SLOTS];
    size_t place = *slot;

    if (is_at(losses, place, cpu)) {
        return &losses->cpus[place];
    }
    place = place_of(losses, cpu);
    if (!is_at(losses, place, cpu)) {
        /* A place is left for what belongs to no known CPU. */
        if (losses->cpu_count + 1 >= LOSS_CPUS && cpu != EVENT_NONE) {
            return find_cpu(losses, EVENT_NONE);
        }
        add_cpu(losses, place, cpu);
    }
    *slot = (uint16_t)place;
    return &losses->cpus[place];
}

/* --- gaps ---------------------------------------------------------------------------------------
 */

/* Ends the gap before an event at `time`. */
static void end_gap(struct losses *losses, size_t *open, int64_t time) {
    struct loss_gap *gap = &losses->gaps[*open - 1];

    *open = 0;
    if (gap->from != EVENT_NONE && time < gap->from) {
        gap->to = gap->from;
        gap->from = time;
    } else {
        gap->to = time;
    }
}

/* Begins one behind `from`. False: there is no room for it. */
static bool begin_gap(struct losses *losses, int64_t cpu, int64_t from) {
    if (losses->gap_count == LOSS_GAPS) {
        return false;
    }
    losses->gaps =
        array_grow(losses->gaps, losses->gap_count, &losses->gap_capacity, sizeof *losses->gaps);
    losses->gaps[losses->gap_count++] = (struct loss_gap){cpu, from, EVENT_NONE};
    return true;
}

static int64_t last_time(const struct losses *losses) {
    int64_t last = EVENT_NONE;

    for (size_t i = 0; i < losses->cpu_count; i++) {
        last = losses->cpus[i].last > last ? losses->cpus[i].last : last;
    }
    return last;
}

/* The gap of a loss that the CPU has told; that of no known CPU is one of all. */
static void note_gap(struct losses *losses, struct loss_cpu *at) {
    bool all = at->cpu == EVENT_NONE;
    size_t *open = all ? &losses->open_all : &at->open_gap;

    if (*open != 0) {
        return;
    }
    if (begin_gap(losses, at->cpu, all ? last_time(losses) : at->last)) {
        at->last_gap = losses->gap_count;
    }
    *open = at->last_gap;
}

static int by_from(const void *left, const void *right) {
    const struct loss_gap *a = left, *b = right;

    return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
                              : (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

void losses_settle(struct losses *losses) {
    if (losses->gap_count > 1) {
        qsort(losses->gaps, losses->gap_count, sizeof *losses->gaps, by_from);
    }
    losses->open_all = 0;
    for (size_t i = 0; i < losses->cpu_count; i++) {
        losses->cpus[i].open_gap = losses->cpus[i].last_gap = 0;
    }
}

/* --- what importers tell ------------------------------------------------------------------------
 */

void losses_event(struct losses *losses, int64_t cpu, int64_t time) {
    struct loss_cpu *at = find_cpu(losses, cpu);

    if (at->events++ == 0) {
        at->first = at->last = time;
    } else if (time > at->last) {
        at->last = time;
    } else if (time < at->first) {
        at->first = time;
    }
    if (at->open_gap != 0) {
        end_gap(losses, &at->open_gap, time);
    }
    if (losses->open_all != 0) {
        end_gap(losses, &losses->open_all, time);
    }
}

void losses_missing(struct losses *losses, int64_t cpu, int64_t count) {
    struct loss_cpu *at = find_cpu(losses, cpu);

    losses->told = true;
    if (count == EVENT_NONE) {
        at->uncounted++;
    } else {
        add_saturated(&at->lost, count);
    }
    note_gap(losses, at);
}

void losses_overrun(struct losses *losses, int64_t count) {
    struct loss_cpu *at = find_cpu(losses, EVENT_NONE);

    losses->told = losses->overrun = true;
    add_saturated(&losses->overwritten, count);
    add_saturated(&at->lost, count);
}

void losses_forget(struct losses *losses) {
    losses->told = losses->overrun = false;
    losses->overwritten = 0;
    losses->gap_count = 0;
    losses->open_all = 0;
    for (size_t i = 0; i < losses->cpu_count; i++) {
        struct loss_cpu *at = &losses->cpus[i];

        at->lost = at->uncounted = 0;
        at->open_gap = at->last_gap = 0;
    }
}

/* --- what they add up to ------------------------------------------------------------------------
 */

/* Of a log after an overrun, the first and the last CPU to begin; NULL: there are no two. Idle ones
 * do not count. */
static void find_ends(const struct losses *losses, const struct loss_cpu **early,
                      const struct loss_cpu **late) {
    int64_t most = 0;
    size_t known = 0;

    *early = *late = NULL;
    for (size_t i = 0; i < losses->cpu_count; i++) {
        const struct loss_cpu *at = &losses->cpus[i];

        if (at->cpu != EVENT_NONE && at->events > 0) {
            known++;
            most = at->events > most ? at->events : most;
        }
    }
    for (size_t i = 0; losses->overrun && known > 1 && i < losses->cpu_count; i++) {
        const struct loss_cpu *at = &losses->cpus[i];

        if (at->cpu != EVENT_NONE && at->events > 0 && at->events >= (most + 3) / 4) {
            *early = *early == NULL || at->first < (*early)->first ? at : *early;
            *late = *late == NULL || at->first > (*late)->first ? at : *late;
        }
    }
}

int64_t losses_complete_since(const struct losses *losses) {
    const struct loss_cpu *early, *late;

    find_ends(losses, &early, &late);
    return late == NULL ? EVENT_NONE : late->first;
}

struct losses_begin losses_begin(const struct losses *losses) {
    const struct loss_cpu *early, *late;
    struct losses_begin begin = {0};

    find_ends(losses, &early, &late);
    if (late != NULL) {
        begin = (struct losses_begin){early->cpu, late->cpu,
                                      subtract_saturated(late->first, early->first)};
    }
    return begin;
}

int64_t losses_events(const struct losses *losses) {
    int64_t events = 0;

    for (size_t i = 0; i < losses->cpu_count; i++) {
        events += losses->cpus[i].events;
    }
    return events;
}
