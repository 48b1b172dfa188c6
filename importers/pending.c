#include "pending.h"

#include <stdlib.h>

#include "base/memory.h"

/* The key of the element that is none. */
enum { STAGE_NONE = -1 };

/* uthash gives its table back with the last element and makes another one for the next, which is
 * most of the work where one request is on its way at a time. So one element, the first, stays. */
static void keep_table(struct pending_table *table) {
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
    return first == NULL || place == PENDING_FIRST ? first : first->last;
}

static struct pending *new_entry(struct pending_table *table) {
    struct pending *entry = table->spare;

    if (entry == NULL) {
        return xmalloc(table->size);
    }
    table->spare = entry->newer;
    return entry;
}

/* Makes an entry the first of its key, before `second`, which may be NULL. */
static void put_first(struct pending_table *table, struct pending *entry, struct pending *second) {
    entry->before = NULL;
    entry->next = second;
    entry->last = second == NULL ? entry : second->last;
    if (second != NULL) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is there has neighbours. */
        HASH_DEL(table->by_key, second);
        second->before = entry;
    }
    HASH_ADD(hh, table->by_key, key, sizeof entry->key, entry);
}

static void put_last(struct pending *entry, struct pending *first) {
    entry->next = NULL;
    entry->before = first->last;
    first->last->next = entry;
    first->last = entry;
}

struct pending *pending_add(struct pending_table *table, const struct pending_key *key,
                            enum pending_place place) {
    struct pending *entry, *first;

    keep_table(table);
    first = pending_find(table, key, PENDING_FIRST);
    entry = new_entry(table);
    entry->key = *key;
    if (first != NULL && place == PENDING_LAST) {
        put_last(entry, first);
    } else {
        put_first(table, entry, first);
    }
    entry->older = table->newest;
    entry->newer = NULL;
    *(table->newest == NULL ? &table->oldest : &table->newest->newer) = entry;
    table->newest = entry;
    table->count++;
    return entry;
}

/* The entry is the first of its key: the next takes its place. */
static void remove_first(struct pending_table *table, struct pending *entry) {
    struct pending *second = entry->next;

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is there has neighbours. */
    HASH_DEL(table->by_key, entry);
    if (second != NULL) {
        second->before = NULL;
        second->last = entry->last;
        HASH_ADD(hh, table->by_key, key, sizeof second->key, second);
    }
}

static void remove_other(struct pending_table *table, struct pending *entry) {
    struct pending *first;

    entry->before->next = entry->next;
    if (entry->next != NULL) {
        entry->next->before = entry->before;
        return;
    }
    first = pending_find(table, &entry->key, PENDING_FIRST);
    first->last = entry->before;
}

void pending_remove(struct pending_table *table, struct pending *entry) {
    if (entry->before == NULL) {
        remove_first(table, entry);
    } else {
        remove_other(table, entry);
    }
    *(entry->older == NULL ? &table->oldest : &entry->older->newer) = entry->newer;
    *(entry->newer == NULL ? &table->newest : &entry->newer->older) = entry->older;
    table->count--;
    entry->newer = table->spare;
    table->spare = entry;
}

void pending_free(struct pending_table *table) {
    struct pending *none;

    while (table->oldest != NULL) {
        pending_remove(table, table->oldest);
    }
    while (table->spare != NULL) {
        struct pending *entry = table->spare;

        table->spare = entry->newer;
        free(entry);
    }
    none = table->by_key;
    if (none != NULL) {
        HASH_DEL(table->by_key, none);
        free(none);
    }
}
