/* Copies a database with pseudonyms for the names in its logs. Every text column
 * needs a decision: pseudonymise.c lists them all; an unlisted column prevents the copy. */
#ifndef TRACETOOL_PSEUDONYMISE_H
#define TRACETOOL_PSEUDONYMISE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copy/new_database.h"
#include "store/catalog.h"
#include "base/error.h"
#include "base/text.h"
#include "input/word.h"

/* Kind of a text; each kind has separate pseudonyms. An empty text stays empty. */
enum pseudonym_role {
    /* A file's path, each component separately. Keeps slashes, the dot of hidden files, -journal,
     * -wal or -shm after a database, and common extensions (listed in pseudonymise.c). Other
     * objects (pipe, socket:[1234], /dev/…binder) stay distinguishable from files. */
    PSEUDONYM_PATH,
    PSEUDONYM_PROCESS, /* process, thread or application */
    PSEUDONYM_TRACE,
    PSEUDONYM_DEVICE,
    PSEUDONYM_USER,
    PSEUDONYM_STUDY,
    /* Names of code, word by word, so that a method still begins with its class. Punctuation,
     * single letters and numbers of up to three digits stay. */
    PSEUDONYM_WORDS,
    PSEUDONYM_HASH, /* 32 hexadecimal digits */
    PSEUDONYM_UUID, /* formatted as a UUID */
    PSEUDONYM_ROLES,
};

struct pseudonyms;

/* Uses the key in the file `path`, 64 hexadecimal digits; if the file is missing, creates it with a
 * random key, readable only by its owner. `path` NULL: a random key that is not kept. Returns NULL
 * with `error` set on failure. */
struct pseudonyms *pseudonyms_open(const char *path, struct error *error);

/* Wipes the key. NULL is allowed. */
void pseudonyms_close(struct pseudonyms *pseudonyms);

/* Appends the pseudonym of any `length` bytes. Thread-safe. */
void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out);

/* Registers SQL functions on the connection: pseudonym_path(text), _process, _trace, _device,
 * _user, _study, _words, _arguments, _remark, _hash, _uuid; pseudonym_number(integer);
 * pseudonym_operation(kind, text), which uses words unless that name is spared; and
 * pseudonym_code(kind, integer) for the code of such a name. NULL stays NULL, and blobs stay blobs.
 * `pseudonyms` is borrowed while the connection is open. */
bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle);

/* A copy being made. */
struct pseudonymise {
    struct new_database made;
    struct catalog catalog; /* catalog of the source database, as its rows will be */
};

/* Creates a new database `place` for traces of `from`, which is open for reading. Fails if `place`
 * exists; then nothing needs closing. */
bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error);

/* Copies these traces of the catalog, with the same ids, times, numbers and rollups, and moves the
 * database to its final path. Omits arguments of calls, and keeps only the number of remarks. No
 * real name is ever written to it. Call once. */
bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error);

/* Must always be called; discards an incomplete copy. */
void pseudonymise_close(struct pseudonymise *copy);

#endif
