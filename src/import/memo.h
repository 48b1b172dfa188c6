/* What was found out about a string and two numbers the last time they occurred together.
 *
 * Logs say the same thing again and again. A memo stands before rules and dictionaries and answers
 * without them; it forgets one content for another, and is never wrong.
 */
#ifndef TRACETOOL_MEMO_H
#define TRACETOOL_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define MEMO_NUMBERS 2
#define MEMO_VALUES  2

struct memo_key {
    int64_t numbers[MEMO_NUMBERS];
    const char *bytes; /* may be NULL when `length` is 0 */
    size_t length;
};

/* How many contents a memo has room for at most, 128 bytes each. */
#define MEMO_ENTRIES 16384

/* A zeroed one may be freed. */
struct memo {
    void *memory;               /* owned */
    struct memo_entry *entries; /* in it */
    struct memo_entry *last;    /* that was found: most ask for the same once more. NULL: none */
    size_t count;               /* for contents; one more is for strings that are too long */
    size_t most;                /* what `count` grows to */
    size_t news;                /* contents that were not known, since it grew */
};

/* What the caller found out: `values`, which stay where they are until the next memo_find(). */
struct memo_entry {
    uint32_t values[MEMO_VALUES];
    /* Private. */
    int64_t numbers[MEMO_NUMBERS];
    uint32_t length; /* with 1 added; 0: unused */
    char bytes[100];
};

/* `count`, a power of two from 2 on, is the room that it has at most: MEMO_ENTRIES, or more where
 * more is said again and again. It begins small, and grows by what is said. False with `error` set
 * when out of memory. */
bool memo_init(struct memo *memo, size_t count, struct error *error);

/* The entry of a key. When `*known` is false the caller must fill in its values, or call
 * memo_forget() when that fails. */
struct memo_entry *memo_find(struct memo *memo, const struct memo_key *key, bool *known);
void memo_forget(struct memo_entry *entry);
void memo_free(struct memo *memo);

#endif
