#include "store/waiting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

enum {
    SHORTEST_NAP = 1, /* milliseconds; a transaction of a few rows takes no longer */
    LONGEST_NAP = 25,
    TOLD_AFTER = 3000,
};

struct waiting {
    const struct patience *patience; /* NULL: a reader */
    char *path;                      /* owned */
    long limit;
    long waited; /* milliseconds, of all waits */
    bool told;
};

static void nap(long milliseconds) {
    /* A signal ends it early, so that an interruption is seen at once. */
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

bool waiting_interrupted(const struct waiting *waiting) {
    return waiting->patience != NULL && waiting->patience->interrupted != NULL &&
           *waiting->patience->interrupted;
}

static void tell(struct waiting *waiting) {
    char message[512];

    if (waiting->told || waiting->waited < TOLD_AFTER || waiting->patience == NULL ||
        waiting->patience->say == NULL) {
        return;
    }
    snprintf(message, sizeof message, "%s: waiting for another program that uses it",
             waiting->path);
    waiting->patience->say(waiting->patience->context, message);
    waiting->told = true;
}

static long take_nap(struct waiting *waiting, long milliseconds) {
    tell(waiting);
    nap(milliseconds);
    waiting->waited += milliseconds;
    return milliseconds;
}

/* SQLite's busy handler; `count` waits came before it for the same lock. */
static int wait_for_lock(void *context, int count) {
    struct waiting *waiting = context;
    long length = SHORTEST_NAP + count < LONGEST_NAP ? SHORTEST_NAP + count : LONGEST_NAP;
    /* 1 + 2 + … up to the longest, then always that. */
    long before = count < LONGEST_NAP ? (long)count * (count + 1) / 2
                                      : (long)LONGEST_NAP * (count - LONGEST_NAP / 2);

    if (before >= waiting->limit || waiting_interrupted(waiting)) {
        return 0;
    }
    take_nap(waiting, length);
    return !waiting_interrupted(waiting);
}

bool waiting_pause(struct waiting *waiting, long milliseconds) {
    while (milliseconds > 0 && !waiting_interrupted(waiting)) {
        milliseconds -= take_nap(waiting, LONGEST_NAP);
    }
    return !waiting_interrupted(waiting);
}

long waiting_limit(struct waiting *waiting, long milliseconds) {
    long before = waiting->limit;

    waiting->limit = milliseconds;
    return before;
}

long waiting_time(const struct waiting *waiting) {
    return waiting->waited;
}

struct waiting *waiting_new(sqlite3 *handle, const char *path, const struct patience *patience) {
    struct waiting *waiting = xcalloc(1, sizeof *waiting);

    if (waiting == NULL || (waiting->path = xstrdup(path)) == NULL) {
        free(waiting);
        return NULL;
    }
    waiting->patience = patience;
    waiting->limit = DATABASE_WAIT;
    sqlite3_busy_handler(handle, wait_for_lock, waiting);
    return waiting;
}

void waiting_free(struct waiting *waiting) {
    if (waiting != NULL) {
        free(waiting->path);
    }
    free(waiting);
}
