/* A log as it was played: the calls in order, before any carrier. */
#ifndef PALMIST_LOG_H
#define PALMIST_LOG_H

#include "traps.h"

typedef struct {
    uint32_t tick;
    uint32_t application;
    uint16_t trap;
    uint16_t size;
    size_t arguments; /* where they begin in the log's pool */
} Call;

typedef struct {
    Call *calls;
    size_t count;
    size_t capacity;
    Buffer pool;
    int configured; /* reports name the applications and know the 735 calls */
} Log;

enum { CALL_HEADER = 12 };

/* Adds a call with the last `size` bytes of the pool as arguments. */
void log_add_from_pool(Log *log, uint16_t trap, uint32_t tick, uint32_t application, size_t size);
void log_add(Log *log, uint16_t trap, uint32_t tick, uint32_t application, const void *arguments,
             size_t size);
/* Adds a call with made-up arguments. */
void log_add_random(Log *log, const Trap *trap, uint32_t tick, uint32_t application,
                    Random *random);
const uint8_t *call_arguments(const Log *log, const Call *call);
/* The call as the logger stored it. */
void append_call(Buffer *out, const Log *log, const Call *call);
void log_free(Log *log);

/* The full-size sessions with the figures of the thesis. */
Log play_representative(void);
Log play_pinemark(void);
/* Small ones: every oddity of the format; three boots; well-formed calls to be damaged. */
Log play_small(void);
Log play_reset(void);
Log play_undamaged(void);

enum { PINEMARK_CALLS = 185361, PINEMARK_OWN_CALLS = 177589, REPRESENTATIVE_CALLS = 68608 };
#define PINEMARK_APPLICATION 0x0001c0d4

/* Abort unless the session has what the thesis says about it. */
void check_representative(const Log *log);
void check_pinemark(const Log *log);

#endif
