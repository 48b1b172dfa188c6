/* Connection to a store (a ClickHouse server): sends SQL and rows, and receives answers. Requests
 * are repeated after temporary failures, so rows may be stored twice; push.h detects that. */
#ifndef TRACETOOL_REMOTE_CLIENT_H
#define TRACETOOL_REMOTE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "remote/address.h"
#include "remote/rowbinary.h"
#include "remote/schema.h"

/* Limits of answers in bytes: with few rows, and with a row for each trace of a store. */
#define REMOTE_SMALL_ANSWER ((size_t)1 << 20)
#define REMOTE_LARGE_ANSWER ((size_t)256 << 20)

/* Address of a store, and connection options. Strings are borrowed. */
struct remote_options {
    const char *url;
    const char *ca; /* file of trusted certificates; NULL: those of the system */
    bool insecure;  /* true: unencrypted http is also allowed to other machines */
};

struct remote {
    struct remote_address address;
    struct http *http; /* owned */
    bool patient; /* true: repeats requests that read as often as those that write, since rows were
                     already written */
    struct text url;    /* URL of the current request */
    struct text packed; /* compressed body of the current request */
    unsigned version;   /* major version of the server */
    bool overflowed;    /* true: the last answer exceeded its limit and was discarded */
};

/* Parses the URL, connects, and asks for the server's version. User and password come from
 * TRACETOOL_STORE_USER and TRACETOOL_STORE_PASSWORD in the environment; if these are unset or
 * empty, from ~/.netrc. On failure, nothing needs to be closed. */
bool remote_open(struct remote *remote, const struct remote_options *options, struct error *error);

/* Closes the connection, which may be zeroed. */
void remote_close(struct remote *remote);

/* Answer to a statement that only reads, row by row:
 *
 *     struct remote_answer answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error);
 *
 *     while (remote_next(&answer)) {
 *         … rowbinary_u64(&answer.reader) …
 *     }
 *     return remote_end(&answer);
 *
 * After a failure, remote_next() and remote_end() return false. The caller can also report a
 * failure. For invalid bytes, it sets `reader.failed`, and remote_end() sets the error; for all
 * others, it sets `failed` and the error. */
struct remote_answer {
    struct remote *remote;
    struct error *error;
    struct text bytes; /* owned */
    struct rowbinary_reader reader;
    bool failed;
};

/* Sends a statement and frees its text. An answer longer than `most` bytes is a failure. It is also
 * a failure if a server of a cluster does not respond: answers are never partial. */
struct remote_answer remote_query(struct remote *remote, struct text *sql, size_t most,
                                  struct error *error);
bool remote_next(const struct remote_answer *answer);
bool remote_end(struct remote_answer *answer);

/* Runs a statement that returns no rows. */
bool remote_run(struct remote *remote, const char *sql, struct error *error);

/* Sends rows (rowbinary.h) to a table. After success, they are stored on the server that has the
 * table's rows. Up to 1048576 rows of a trace are stored all or not at all. */
bool remote_insert(struct remote *remote, const struct remote_table *table, const struct text *rows,
                   struct error *error);

/* Sets an error: the answer does not have the expected form. Always returns false. */
bool remote_set_answer_error(const struct remote *remote, struct error *error);

#ifdef __clang_analyzer__ /* for analysers: remote_set_answer_error() returns false */
#define remote_set_answer_error(...) (remote_set_answer_error(__VA_ARGS__), false)
#endif

#endif
