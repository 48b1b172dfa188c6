/* Pseudonyms: replacements for names in a log that keep only what research needs. The same key
 * gives the same pseudonyms; without the key, trying names does not reveal whose pseudonym one is.
 *
 * A pseudonym is the HMAC-SHA-256 of the name, cut to 59 bits and written as 12 letters and digits,
 * the first a letter. For a million names, the probability of any collision is below 1 in
 * 1,000,000.
 */
#ifndef TRACETOOL_PSEUDONYMS_H
#define TRACETOOL_PSEUDONYMS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "input/word.h"

/* Kind of a text; each kind has separate pseudonyms. An empty text stays empty. */
enum pseudonym_role {
    /* A file's path, each component separately. Keeps slashes, the dot of hidden files, -journal,
     * -wal or -shm after a database, and common extensions (listed in pseudonyms.c). Other objects
     * (pipe, socket:[1234], /dev/…binder) stay distinguishable from files. */
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

#endif
