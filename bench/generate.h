/* The benchmark's own logs. All of it is deterministic and streams: memory does not grow. */
#ifndef BENCH_GENERATE_H
#define BENCH_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

/* Writes `count` events (records, lines) to stdout. */
void generate_most_binary(uint64_t count);
void generate_most(uint64_t count);
void generate_msr(uint64_t count);
void generate_blkparse_hot(uint64_t count);
void generate_blkparse_different(uint64_t count);
void generate_dwtrace(uint64_t count);
void generate_android_trace(uint64_t count);
void generate_strace(uint64_t count);
void generate_strace_different(uint64_t count);
void generate_strace_equal(uint64_t count);
void generate_strace_processes(uint64_t count);
void generate_ftrace(uint64_t count);
void generate_sched(uint64_t count);
void generate_waits(uint64_t count);
void generate_blktrace_0(uint64_t count); /* file of the first CPU */
void generate_blktrace_1(uint64_t count); /* file of the second CPU */

/* Counts an event, call or error by its name in tracetool, of at most 31 bytes. `generate` writes
 * these counts to a file. */
void count_name(const char *name);

/* --- random numbers ----------------------------------------------------------------------------*/

struct dice {
    uint64_t state;
};

/* Returns 64 random bits: a mixed counter (xor, shift, multiply, twice). */
static inline uint64_t dice_bits(struct dice *dice) {
    uint64_t bits = dice->state += UINT64_C(0x9E3779B97F4A7C15);

    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

/* Returns a number below `limit`, which is below 2^32. */
static inline uint32_t dice_below(struct dice *dice, uint32_t limit) {
    return (uint32_t)((dice_bits(dice) >> 32) * limit >> 32);
}

/* Returns a size, mostly small, sometimes large: mean about `mean`, at most 30 times that. */
static inline uint64_t dice_long(struct dice *dice, uint64_t mean) {
    uint32_t size = dice_below(dice, 16);
    uint64_t scale = size < 12 ? mean / 2 : size < 15 ? 2 * mean : 12 * mean;

    return 1 + scale * dice_below(dice, 1 << 16) / (1 << 16);
}

/* --- block I/O ---------------------------------------------------------------------------------
 */

#define ISSUERS      40
#define ISSUER_PIDS  5 /* of each process */
#define STREAMS      16
#define PROCESS_NAME 16 /* limit in bytes */
#define FIRST_PID    1000

struct request {
    bool write, sync;
    uint32_t sector, blocks, process, pid, type, file;
};

/* Generator of requests to a disk. */
struct disk {
    struct dice dice;
    uint32_t ends[STREAMS]; /* ends of the streams' last requests */
};

struct request next_request(struct disk *disk);
void process_name(char name[PROCESS_NAME + 1], uint32_t process);

/* A request passes through Q, G, I, D and, later, C; several are outstanding at a time. */
struct disk_log {
    struct disk disk;
    uint64_t left; /* remaining events or lines: `put` counts them */
    bool apart;    /* outstanding requests do not overlap */
    void (*put)(struct disk_log *log, const struct request *request, int64_t time, char action);
};

/* Calls `put` until no events remain. */
void play_disk(struct disk_log *log);

/* --- bytes ------------------------------------------------------------------------------------ */

/* Appends a number of `size` bytes, little-endian; returns what follows. */
static inline uint8_t *put_little(uint8_t *at, uint64_t number, int size) {
    for (int i = 0; i < size; i++) {
        *at++ = (uint8_t)(number >> 8 * i);
    }
    return at;
}

/* Write to stdout; exit on failure. */
void put_bytes(const void *bytes, unsigned size);
void put_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
