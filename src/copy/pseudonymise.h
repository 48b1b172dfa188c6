/* Copies a database with pseudonyms instead of names from its logs. pseudonymise.c lists all text
 * columns and their replacement. If a column is not listed, nothing is copied. */
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

/* Kind of a text. Equal texts of different kinds get different pseudonyms. "" is not replaced. */
enum pseudonym_role {
    /* Path of a file. Each component gets its own pseudonym. Not replaced are slashes, the dot of
       hidden files, the suffixes -journal, -wal and -shm of databases, and common extensions
       (pseudonymise.c). Other objects (pipe, socket:[1234], /dev/…binder) can still be
       distinguished from files. */
    PSEUDONYM_PATH,
    PSEUDONYM_PROCESS, /* name of a process, thread or application */
    PSEUDONYM_TRACE,
    PSEUDONYM_DEVICE,
    PSEUDONYM_USER,
    PSEUDONYM_STUDY,
    /* Names of functions, word by word, so that a method's name still begins with its class.
       Punctuation, single letters, and numbers of up to three digits are not replaced. */
    PSEUDONYM_WORDS,
    PSEUDONYM_TEST, /* what a measured value is of: as PSEUDONYM_WORDS, but system calls that Linux
                       has, and numbers, are not replaced */
    PSEUDONYM_HASH, /* a hash: 32 hexadecimal digits */
    PSEUDONYM_UUID, /* a UUID: hexadecimal digits in groups */
    PSEUDONYM_ROLES,
};

struct pseudonyms;

/* Reads the key, 64 hexadecimal digits, from the file `path`. If it does not exist, creates it with
 * a random key, readable only by its owner. `path` NULL: uses a random key that is not stored.
 * Returns NULL with `error` set on failure. */
struct pseudonyms *pseudonyms_open(const char *path, struct error *error);

/* Erases the key from memory and frees the state. NULL is allowed. */
void pseudonyms_close(struct pseudonyms *pseudonyms);

/* Appends the pseudonym of `length` bytes, which may have any values. Thread-safe. */
void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out);

/* Registers SQL functions on a connection: pseudonym_path(text), and likewise _process, _trace,
 * _device, _user, _study, _words, _test, _hash and _uuid; pseudonym_number(integer);
 * pseudonym_operation(kind, text), which replaces the text, unless names of that kind are kept
 * unchanged; pseudonym_code(kind, integer) for the number of such a name. NULL stays NULL, and
 * blobs stay blobs. remark_has_names(text): 0 if a remark has only numbers, else 1. `pseudonyms` is
 * borrowed until the connection is closed. */
bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle);

/* A copy that is being made. */
struct pseudonymise {
    struct new_database made;
    struct catalog catalog; /* traces of the source database, attached for copying */
};

/* Creates a new database `place` for traces of `from`, which is open for reading. Fails if `place`
 * exists. On failure, nothing needs to be closed. */
bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error);

/* Copies the given traces with the same ids, times, numbers and rollups, and renames the database
 * to its final path. Arguments of calls are not copied; most remarks are only counted. Real names
 * are never written to the new file. Call it once. */
bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error);

/* Frees the state of copying, and deletes an incomplete copy. Always call it. */
void pseudonymise_close(struct pseudonymise *copy);

#endif
