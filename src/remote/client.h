/* Connection to a store (a ClickHouse server): sends SQL and rows, and receives answers. Requests
 * are repeated after temporary failures, so rows may be stored twice: push.h finds that out. */
#ifndef TRACETOOL_REMOTE_CLIENT_H
#define TRACETOOL_REMOTE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "remote/address.h"
#include "remote/rowbinary.h"
#include "remote/schema.h"

/* Limits of answers in bytes: of one with few rows, and of one with all traces of a store. */
#define REMOTE_SMALL_ANSWER ((size_t)1 << 20)
#define REMOTE_LARGE_ANSWER ((size_t)256 << 20)

/* Address of a store and how to connect to it. Strings are borrowed. */
struct remote_options {
    const char *url;
    const char *ca; /* file of trusted certificates; NULL: those of the system */
    bool insecure;  /* true: http without encryption may be used to other machines, too */
};

struct remote {
    struct remote_address address;
    struct http *http;  /* owned */
    bool patient;       /* true: reads are repeated as often as writes, since rows were written */
    struct text url;    /* URL of the current request */
    struct text packed; /* compressed body of the current request */
    unsigned version;   /* major version of the server */
    bool overflowed;    /* true: the last answer was longer than its limit, and was thrown away */
};

/* Parses the URL and connects: asks for the server's version. User and password come from the
 * environment (TRACETOOL_STORE_USER, TRACETOOL_STORE_PASSWORD), or if these are not set or empty,
 * from ~/.netrc. Nothing needs closing on failure. */
bool remote_open(struct remote *remote, const struct remote_options *options, struct error *error);

/* Closes the connection; a zeroed one is allowed. */
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
 * A failure ends the rows; remote_end() then returns false. The caller may end them, too: it sets
 * `failed` after setting the error, or `reader.failed` for impossible bytes. Then remote_end() sets
 * the error. */
struct remote_answer {
    struct remote *remote;
    struct error *error;
    struct text bytes; /* owned */
    struct rowbinary_reader reader;
    bool failed;
};

/* Sends a statement and frees it. Answers longer than `most` bytes are thrown away. An answer is
 * complete, or the query fails: also if a server of a cluster does not respond. */
struct remote_answer remote_query(struct remote *remote, struct text *sql, size_t most,
                                  struct error *error);
bool remote_next(const struct remote_answer *answer);
bool remote_end(struct remote_answer *answer);

/* Runs a statement that returns no rows. */
bool remote_run(struct remote *remote, const char *sql, struct error *error);

/* Sends rows (rowbinary.h) to a table. When this returns, the server that keeps the rows has them.
 * Up to 1048576 rows of a trace are stored all or not at all. */
bool remote_insert(struct remote *remote, const struct remote_table *table, const struct text *rows,
                   struct error *error);

/* Sets the error that an answer does not fit the question. Always returns false. */
bool remote_set_answer_error(const struct remote *remote, struct error *error);

#ifdef __clang_analyzer__ /* see error.h for the reason */
#define remote_set_answer_error(...) (remote_set_answer_error(__VA_ARGS__), false)
#endif

#endif
