#include "pending.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "base/memory.h"

/* Value of `stage` in the key of a dummy entry, which is always in the table. */
enum { STAGE_NONE = -1 };

/* Keeps a dummy entry in the table. uthash frees its memory with the last entry and allocates it
 * again for the next. That would take most of the time if one request at a time is in flight. */
static void keep_table_allocated(struct pending_table *table) {
    struct pending *none;

    if (table->by_key == NULL) {
        none = xcalloc(1, sizeof *none);
        none->key.stage = STAGE_NONE;
        HASH_ADD(hh, table->by_key, key, sizeof none->key, none);
    }
}

struct pending *pending_find(const struct pending_table *table, const struct pending_key *key,
                             enum pending_place place) {
    struct pending *first;

    HASH_FIND(hh, table->by_key, key, sizeof *key, first);
    return first == NULL || place == PENDING_FIRST ? first : first->before;
}

void pending_add(struct pending_table *table, const struct pending_key *key,
                 enum pending_place place, const struct pending *as) {
    struct pending *entry = memcpy(xmalloc(table->size), as, table->size), *first;

    keep_table_allocated(table);
    entry->key = *key;
    first = pending_find(table, key, PENDING_FIRST);
    if (first != NULL && place == PENDING_LAST) {
        DL_APPEND2(first, entry, before, next);
    } else {
        if (first != NULL) {
            HASH_DEL(table->by_key, first);
        }
        DL_PREPEND2(first, entry, before, next);
        HASH_ADD(hh, table->by_key, key, sizeof entry->key, entry);
    }
    DL_APPEND2(table->oldest, entry, older, newer);
    table->count++;
}

void pending_remove(struct pending_table *table, struct pending *entry) {
    struct pending *first = entry;

    if (entry->before->next == NULL) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is there has neighbours. */
        HASH_DEL(table->by_key, entry);
        DL_DELETE2(first, entry, before, next);
        if (first != NULL) {
            HASH_ADD(hh, table->by_key, key, sizeof first->key, first);
        }
    } else {
        first = pending_find(table, &entry->key, PENDING_FIRST);
        DL_DELETE2(first, entry, before, next);
    }
    DL_DELETE2(table->oldest, entry, older, newer);
    table->count--;
    free(entry);
}

void pending_free(struct pending_table *table) {
    struct pending *none;

    while (table->oldest != NULL) {
        pending_remove(table, table->oldest);
    }
    none = table->by_key;
    if (none != NULL) {
        HASH_DEL(table->by_key, none);
        free(none);
    }
}
