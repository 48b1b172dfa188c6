/* Copies a database with pseudonyms in place of the names in its logs. pseudonymise.c lists all
 * columns with text, and what becomes of them; if one is missing in the list, nothing is copied. */
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

/* What a text is. Equal texts of different kinds get different pseudonyms. An empty text stays
 * empty. */
enum pseudonym_role {
    /* The path of a file. Each part gets its own pseudonym. Slashes, the dot of hidden files,
     * -journal, -wal or -shm after a database, and common extensions (pseudonymise.c) stay. Other
     * objects (pipe, socket:[1234], /dev/…binder) can still be told from files. */
    PSEUDONYM_PATH,
    PSEUDONYM_PROCESS, /* name of a process, thread or application */
    PSEUDONYM_TRACE,
    PSEUDONYM_DEVICE,
    PSEUDONYM_USER,
    PSEUDONYM_STUDY,
    /* Names of functions, word by word, so that a method still begins with its class. Punctuation,
     * single letters, and numbers of up to three digits stay. */
    PSEUDONYM_WORDS,
    PSEUDONYM_HASH, /* a hash: 32 hexadecimal digits */
    PSEUDONYM_UUID, /* a UUID: hexadecimal digits in groups */
    PSEUDONYM_ROLES,
};

struct pseudonyms;

/* Reads the key from the file `path`, 64 hexadecimal digits. If there is no file, makes one with a
 * random key that only its owner can read. `path` NULL: a random key that is not kept. Returns NULL
 * and sets `error` on failure. */
struct pseudonyms *pseudonyms_open(const char *path, struct error *error);

/* Erases the key from memory and frees the state. NULL is allowed. */
void pseudonyms_close(struct pseudonyms *pseudonyms);

/* Appends the pseudonym of `length` bytes of any value. Any thread may call it. */
void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out);

/* Registers SQL functions on a connection: pseudonym_path(text), and the same for _process, _trace,
 * _device, _user, _study, _words, _arguments, _remark, _hash, _uuid; pseudonym_number(integer);
 * pseudonym_operation(kind, text), which replaces words, unless names of that kind stay;
 * pseudonym_code(kind, integer) for the number of such a name. NULL stays NULL, and blobs stay
 * blobs. `pseudonyms` is borrowed while the connection is open. */
bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle);

/* A copy while it is made. */
struct pseudonymise {
    struct new_database made;
    struct catalog catalog; /* traces of the source database, whose rows will be copied */
};

/* Creates a new database `place` for traces of `from`, which is open for reading. Fails if `place`
 * exists. Nothing needs closing after a failure. */
bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error);

/* Copies these traces with the same ids, times, numbers and rollups, and gives the database its
 * final path. Leaves out arguments of calls; of most remarks, keeps only their number. Real names
 * are never written to the new file. Call it once. */
bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error);

/* Call it in any case; deletes a copy that is not complete. */
void pseudonymise_close(struct pseudonymise *copy);

#endif
