/* Pseudonyms: other names for what a log names, which keep what research needs of a name and
 * nothing else. The same key gives the same pseudonyms; without the key nobody finds out, by trying
 * names, whose pseudonym one is. A pseudonym is HMAC-SHA-256 of the name, cut to 59 bits and
 * written as 12 letters and digits, the first a letter: of a million names the chance that any two
 * become one is below 1 in 1,000,000.
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

/* What a text is; each kind has pseudonyms of its own. An empty text stays empty. */
enum pseudonym_role {
    /* A file's path: each part of it for itself, with the slashes, the dot of hidden files,
     * -journal, -wal or -shm behind a database, and an extension that many files have
     * (pseudonyms.c lists them). What is no file (pipe, socket:[1234], /dev/…binder) can still
     * be told from files. */
    PSEUDONYM_PATH,
    PSEUDONYM_PROCESS, /* of a process, thread or application */
    PSEUDONYM_TRACE,
    PSEUDONYM_DEVICE,
    PSEUDONYM_USER,
    PSEUDONYM_STUDY,
    /* Names of code: word by word, so that a method still begins with its class; signs, single
     * letters and numbers up to three digits stay. */
    PSEUDONYM_WORDS,
    PSEUDONYM_HASH, /* 32 hexadecimal digits */
    PSEUDONYM_UUID, /* in the form of one */
    PSEUDONYM_ROLES,
};

struct pseudonyms;

/* With the key that the file `path` holds, 64 hexadecimal digits; where there is no such file one
 * is made of random numbers, which only its owner may read. NULL: a random key that nobody keeps.
 * NULL is returned with `error` set on failure. */
struct pseudonyms *pseudonyms_open(const char *path, struct error *error);

/* NULL is welcome. The key is wiped. */
void pseudonyms_close(struct pseudonyms *pseudonyms);

/* Appends the pseudonym of `length` bytes, any. From any thread. */
void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out);

/* Gives the connection the functions pseudonym_path(text), _process, _trace, _device, _user,
 * _study, _words, _arguments, _remark, _hash, _uuid, pseudonym_number(integer),
 * pseudonym_operation(kind, text), which are words unless that name is spared, and
 * pseudonym_code(kind, integer), the number behind such a name. NULL stays NULL, and
 * blobs stay blobs. `pseudonyms` is borrowed as long as the connection is open. */
bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle);

#endif
