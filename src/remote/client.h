/* A store that is spoken to: statements there, rows or an answer back. What fails for a moment is
 * tried again; that something was stored twice so is for push.h to find. */
#ifndef TRACETOOL_REMOTE_CLIENT_H
#define TRACETOOL_REMOTE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "remote/address.h"
#include "remote/rowbinary.h"
#include "remote/schema.h"

/* Bytes of an answer that has few rows, and of one with all of a store's traces. */
#define REMOTE_SMALL_ANSWER ((size_t)1 << 20)
#define REMOTE_LARGE_ANSWER ((size_t)256 << 20)

/* Where a store is and how it is reached. Borrowed strings. */
struct remote_options {
    const char *url;
    const char *ca; /* NULL: certificates that the system trusts */
    bool insecure;  /* http to other machines, too */
};

struct remote {
    struct remote_address address;
    struct http *http;  /* owned */
    bool patient;       /* reading is tried as often as writing: something was written */
    struct text url;    /* of the request that runs */
    struct text packed; /* body of the request that runs */
    unsigned version;   /* the first number of the server's */
    bool overflowed;    /* the last answer was larger than allowed, and not taken */
};

/* Takes the URL apart and asks for the server's version. User and password are those of
 * TRACETOOL_STORE_USER and TRACETOOL_STORE_PASSWORD, else (not set, or empty) of ~/.netrc. On
 * failure nothing needs closing. */
bool remote_open(struct remote *remote, const struct remote_options *options, struct error *error);

/* It may be zeroed. */
void remote_close(struct remote *remote);

/* The answer to a statement that only reads, row by row:
 *
 *     struct remote_answer answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error);
 *
 *     while (remote_next(&answer)) {
 *         … rowbinary_u64(&answer.reader) …
 *     }
 *     return remote_end(&answer);
 *
 * A failure ends the rows, and remote_end() is false then; so does setting `failed`, or
 * `reader.failed` where the bytes are none that can be the answer, which remote_end() says. */
struct remote_answer {
    struct remote *remote;
    struct error *error;
    struct text bytes; /* owned */
    struct rowbinary_reader reader;
    bool failed;
};

/* Asks, and frees the statement. The answer has at most `most` bytes: nothing of it when a server
 * behind this one does not answer. */
struct remote_answer remote_query(struct remote *remote, struct text *sql, size_t most,
                                  struct error *error);
bool remote_next(const struct remote_answer *answer);
bool remote_end(struct remote_answer *answer);

/* Runs a statement that gives nothing back. */
bool remote_run(struct remote *remote, const char *sql, struct error *error);

/* Sends rows (rowbinary.h) to the table; they are on the server that keeps them when it returns. Of
 * up to 1048576 rows of one trace all are there or none. */
bool remote_insert(struct remote *remote, const struct remote_table *table, const struct text *rows,
                   struct error *error);

/* Says that the answer was none to what was asked. Always false. */
bool remote_misanswered(const struct remote *remote, struct error *error);

#ifdef __clang_analyzer__ /* as in error.h */
#define remote_misanswered(...) (remote_misanswered(__VA_ARGS__), false)
#endif

#endif
