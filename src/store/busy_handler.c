#include "store/busy_handler.h"

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

struct busy_handler {
    const struct patience *patience; /* NULL: a reader */
    char *path;                      /* owned */
    long limit;
    long waited; /* milliseconds, of all waits */
    bool told;
};

bool busy_handler_interrupted(const struct busy_handler *busy) {
    return busy->patience != NULL && busy->patience->interrupted != NULL &&
           *busy->patience->interrupted;
}

static void tell(struct busy_handler *busy) {
    char message[512];

    if (busy->told || busy->waited < TOLD_AFTER || busy->patience == NULL ||
        busy->patience->say == NULL) {
        return;
    }
    snprintf(message, sizeof message, "%s: waiting for another program that uses it", busy->path);
    busy->patience->say(busy->patience->context, message);
    busy->told = true;
}

static long take_nap(struct busy_handler *busy, long milliseconds) {
    tell(busy);
    /* A signal ends it early, so that an interruption is seen at once. */
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
    busy->waited += milliseconds;
    return milliseconds;
}

/* SQLite's busy handler; `count` waits came before it for the same lock. */
static int wait_for_lock(void *context, int count) {
    struct busy_handler *busy = context;
    long length = SHORTEST_NAP + count < LONGEST_NAP ? SHORTEST_NAP + count : LONGEST_NAP;
    /* 1 + 2 + … up to the longest, then always that. */
    long before = count < LONGEST_NAP ? (long)count * (count + 1) / 2
                                      : (long)LONGEST_NAP * (count - LONGEST_NAP / 2);

    if (before >= busy->limit || busy_handler_interrupted(busy)) {
        return 0;
    }
    take_nap(busy, length);
    return !busy_handler_interrupted(busy);
}

bool busy_handler_pause(struct busy_handler *busy, long milliseconds) {
    while (milliseconds > 0 && !busy_handler_interrupted(busy)) {
        milliseconds -= take_nap(busy, LONGEST_NAP);
    }
    return !busy_handler_interrupted(busy);
}

long busy_handler_limit(struct busy_handler *busy, long milliseconds) {
    long before = busy->limit;

    busy->limit = milliseconds;
    return before;
}

long busy_handler_time(const struct busy_handler *busy) {
    return busy->waited;
}

struct busy_handler *busy_handler_new(sqlite3 *handle, const char *path,
                                      const struct patience *patience) {
    struct busy_handler *busy = xcalloc(1, sizeof *busy);

    busy->path = xstrdup(path);
    busy->patience = patience;
    busy->limit = DATABASE_WAIT;
    sqlite3_busy_handler(handle, wait_for_lock, busy);
    return busy;
}

void busy_handler_free(struct busy_handler *busy) {
    if (busy != NULL) {
        free(busy->path);
    }
    free(busy);
}
