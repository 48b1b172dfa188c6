/* How a connection waits while another program holds the database.
 *
 * A reader gives up after DATABASE_WAIT; imports with a write-ahead log never block it so long. A
 * writer waits for other writers and for readers as long as they live: SQLite's locks end with
 * their process.
 */
#ifndef TRACETOOL_BUSY_HANDLER_H
#define TRACETOOL_BUSY_HANDLER_H

#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>

/* How long the lock for reading is waited for, in milliseconds. */
#define DATABASE_WAIT 10000
/* As long as it takes. */
#define DATABASE_WAIT_ENDLESS LONG_MAX

/* How a long wait is interrupted and announced. */
struct patience {
    const volatile sig_atomic_t *interrupted; /* not 0 ends the waiting; NULL: nothing does */
    /* Called once, after three seconds, with what the program waits for; NULL: no call. */
    void (*say)(void *context, const char *message);
    void *context;
};

struct busy_handler;

/* Makes `handle` wait, at first for DATABASE_WAIT; `path` is the database's, for messages.
 * `patience` may be NULL, else it must outlive what is returned. Owned by the caller, and to be
 * freed after the handle is closed. */
struct busy_handler *busy_handler_new(sqlite3 *handle, const char *path,
                                      const struct patience *patience);
void busy_handler_free(struct busy_handler *busy);

/* Changes how long every single wait takes at most, in milliseconds; 0: not at all. Returns what it
 * was before. */
long busy_handler_limit(struct busy_handler *busy, long milliseconds);

/* Waits for so many milliseconds, as a part of a longer wait. False when it was interrupted. */
bool busy_handler_pause(struct busy_handler *busy, long milliseconds);

/* How many milliseconds were waited until now, of all waits. */
long busy_handler_time(const struct busy_handler *busy);

/* Whether an interruption ended the waiting. */
bool busy_handler_interrupted(const struct busy_handler *busy);

#endif
