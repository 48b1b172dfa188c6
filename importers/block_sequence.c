#include "block_sequence.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct block_sequence_cpu {
    size_t count; /* of the devices */
    struct {
        int64_t device, last;
    } devices[BLOCK_SEQUENCE_DEVICES];
    int64_t last;   /* number of any device */
    bool by_device; /* a number was not above the one before: each device has its own */
};

void block_sequence_free(struct block_sequence *sequence) {
    free(sequence->cpus);
    *sequence = (struct block_sequence){0};
}

/* NULL: it is not followed. */
static struct block_sequence_cpu *find_cpu(struct block_sequence *sequence, int64_t cpu) {
    size_t more = sequence->capacity == 0 ? 4 : sequence->capacity;
    struct block_sequence_cpu *cpus;

    if (cpu < 0 || cpu >= BLOCK_SEQUENCE_CPUS) {
        return NULL;
    }
    if ((size_t)cpu < sequence->capacity) {
        return &sequence->cpus[cpu];
    }
    while (more <= (size_t)cpu) {
        more *= 2;
    }
    cpus = xrealloc(sequence->cpus, more * sizeof *cpus);
    if (cpus == NULL) {
        return NULL;
    }
    memset(cpus + sequence->capacity, 0, (more - sequence->capacity) * sizeof *cpus);
    sequence->cpus = cpus;
    sequence->capacity = more;
    return &cpus[cpu];
}

/* The place of a device whose last number is the one before, of `device` first; else that of
 * `device`, and `*follows` is false; `count`: it has none. */
static size_t find_device(const struct block_sequence_cpu *at, int64_t device, int64_t number,
                          bool *follows) {
    size_t own = at->count, other = at->count;

    for (size_t i = 0; i < at->count; i++) {
        if (at->devices[i].device == device) {
            own = i;
        } else if (at->devices[i].last == number - 1) {
            other = i;
        }
    }
    *follows = own < at->count && at->devices[own].last == number - 1;
    if (!*follows && other < at->count) {
        *follows = true;
        return other;
    }
    return own;
}

void block_sequence_message(struct block_sequence *sequence, int64_t cpu, int64_t device,
                            int64_t number) {
    struct block_sequence_cpu *at = number == 0 ? NULL : find_cpu(sequence, cpu);
    bool follows = false;
    size_t i = at == NULL ? 0 : find_device(at, device, number, &follows);

    if (follows) {
        at->devices[i].last = at->last = number;
    }
}

int64_t block_sequence_follow(struct block_sequence *sequence, int64_t cpu, int64_t device,
                              int64_t number) {
    struct block_sequence_cpu *at = number == 0 ? NULL : find_cpu(sequence, cpu);
    int64_t missing = 0, before;
    bool follows;
    size_t i;

    if (at == NULL) {
        return 0;
    }
    i = find_device(at, device, number, &follows);
    at->by_device |= number <= at->last;
    if (i == at->count) {
        if (at->count == BLOCK_SEQUENCE_DEVICES) {
            return 0;
        }
        at->devices[at->count].device = device;
        at->devices[at->count++].last = number;
    } else {
        before = at->by_device ? at->devices[i].last : at->last;
        missing = follows || number <= before ? 0 : number - before - 1;
        at->devices[i].last = number;
    }
    at->last = number;
    return missing;
}
