/* How a connection waits while another program holds the database.
 *
 * What can be read at no time of DATABASE_WAIT is given up: no import with a write-ahead log needs
 * that. But who has opened the database to write waits for other writers, and for readers, as long
 * as they live: SQLite's locks end with their process.
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

/* What one who waits long wants to know of, and to be told. */
struct patience {
    const volatile sig_atomic_t *interrupted; /* not 0 ends the waiting; NULL: nothing does */
    /* Told once, when it takes longer than three seconds, what it is waited for; NULL: nobody is.
     */
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

/* Waits for so many milliseconds, as a part of a longer wait: it is told what it is waited for.
 * False when it was interrupted. */
bool busy_handler_pause(struct busy_handler *busy, long milliseconds);

/* How many milliseconds were waited until now, of all waits. */
long busy_handler_time(const struct busy_handler *busy);

/* Whether an interruption ended the waiting. */
bool busy_handler_interrupted(const struct busy_handler *busy);

#endif
