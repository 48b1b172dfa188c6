/* Client of a store: sends statements and rows, and receives answers. Temporary failures are
 * retried; push.h detects rows that were stored twice as a result. */
#ifndef TRACETOOL_REMOTE_CLIENT_H
#define TRACETOOL_REMOTE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "remote/address.h"
#include "remote/rowbinary.h"
#include "remote/schema.h"

/* Limits in bytes: of an answer with few rows, and of one with all of a store's traces. */
#define REMOTE_SMALL_ANSWER ((size_t)1 << 20)
#define REMOTE_LARGE_ANSWER ((size_t)256 << 20)

/* Address and access options of a store. Strings are borrowed. */
struct remote_options {
    const char *url;
    const char *ca; /* file of trusted certificates; NULL: the system's */
    bool insecure;  /* allow http to other machines, too */
};

struct remote {
    struct remote_address address;
    struct http *http;  /* owned */
    bool patient;       /* retry reads as often as writes, because something was written */
    struct text url;    /* URL of the running request */
    struct text packed; /* body of the running request */
    unsigned version;   /* major version of the server */
    bool overflowed;    /* the last answer exceeded the limit and was discarded */
};

/* Parses the URL and asks for the server's version. User and password come from
 * TRACETOOL_STORE_USER and TRACETOOL_STORE_PASSWORD, or, if not set or empty, from ~/.netrc. On
 * failure nothing needs closing. */
bool remote_open(struct remote *remote, const struct remote_options *options, struct error *error);

/* Closes the connection; it may be zeroed. */
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

/* Sends the statement and frees it. Answers above `most` bytes are discarded. There is no partial
 * answer: if a server of a cluster does not respond, the query fails. */
struct remote_answer remote_query(struct remote *remote, struct text *sql, size_t most,
                                  struct error *error);
bool remote_next(const struct remote_answer *answer);
bool remote_end(struct remote_answer *answer);

/* Runs a statement without an answer. */
bool remote_run(struct remote *remote, const char *sql, struct error *error);

/* Sends rows (rowbinary.h) to the table. When it returns, they are on the server that stores them.
 * Up to 1048576 rows of one trace are stored atomically. */
bool remote_insert(struct remote *remote, const struct remote_table *table, const struct text *rows,
                   struct error *error);

/* Reports that the answer does not fit the question. Always returns false. */
bool remote_misanswered(const struct remote *remote, struct error *error);

#ifdef __clang_analyzer__ /* as in error.h */
#define remote_misanswered(...) (remote_misanswered(__VA_ARGS__), false)
#endif

#endif
