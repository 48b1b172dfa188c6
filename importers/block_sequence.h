/* Sequence numbers of block I/O: the tracer numbers the records of each device by CPU, from 1 on,
 * so that a number that is not there tells of a record that is not there. Text of blkparse has
 * them.
 *
 * A remap may be printed with the device that it leads to, and other programs number all devices of
 * a CPU together: a number is missing only where it follows on none of that CPU's.
 */
#ifndef TRACETOOL_BLOCK_SEQUENCE_H
#define TRACETOOL_BLOCK_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

/* CPUs whose numbers are followed, and devices of each. */
#define BLOCK_SEQUENCE_CPUS    4096
#define BLOCK_SEQUENCE_DEVICES 16

struct block_sequence_cpu;

/* A zeroed one is ready. */
struct block_sequence {
    struct block_sequence_cpu *cpus; /* owned; by number */
    size_t capacity;
};

/* How many records are missing between the one before of that CPU and this one. Number 0: it has
 * none. */
int64_t block_sequence_follow(struct block_sequence *sequence, int64_t cpu, int64_t device,
                              int64_t number);

/* A message, which has no number as the tracer writes it, and whose number else counts only where
 * it follows on another. */
void block_sequence_message(struct block_sequence *sequence, int64_t cpu, int64_t device,
                            int64_t number);

void block_sequence_free(struct block_sequence *sequence);

#endif
