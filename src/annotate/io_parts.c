#include "annotate/io_parts.h"

#include <stdlib.h>

#include "base/memory.h"

/* What is nobody's is of one class. */
static bool same_owner(const struct evidence *left, const struct evidence *right) {
    return left->file == right->file && left->class == right->class;
}

static void take_weaker(struct evidence *evidence, enum io_evidence word) {
    if (evidence->word < word) {
        evidence->word = word;
    }
}

void io_parts_clear(struct io_parts *parts) {
    parts->count = parts->files = 0;
    parts->blocks = 0;
}

void io_parts_free(struct io_parts *parts) {
    free(parts->items);
    *parts = (struct io_parts){0};
}

/* A new part behind the others; NULL when memory ran out. */
static struct io_part *new_part(struct io_parts *parts, struct error *error) {
    if (parts->items == NULL || parts->count == parts->capacity) {
        size_t capacity = 2 * parts->capacity + 64;
        struct io_part *items = xrealloc(parts->items, capacity * sizeof *items);

        parts->items = items;
        parts->capacity = capacity;
    }
    return &parts->items[parts->count++];
}

bool io_parts_add(struct io_parts *parts, const struct evidence *owner, uint64_t blocks,
                  int64_t bytes, struct error *error) {
    struct io_part *last = parts->count == 0 ? NULL : &parts->items[parts->count - 1];

    if (last == NULL || !same_owner(&last->evidence, owner)) {
        last = new_part(parts, error);
        if (last == NULL) {
            return false;
        }
        *last = (struct io_part){.evidence = *owner, .place = parts->blocks};
    }
    take_weaker(&last->evidence, owner->word);
    last->blocks += blocks;
    last->bytes += bytes;
    parts->blocks += blocks;
    return true;
}

/* --- putting together ----------------------------------------------------------------------------
 */

static int compare_numbers(uint64_t left, uint64_t right) {
    return left < right ? -1 : left > right;
}

static int by_place(const void *left, const void *right) {
    const struct io_part *a = left, *b = right;

    return compare_numbers(a->place, b->place);
}

static int by_owner(const void *left, const void *right) {
    const struct io_part *a = left, *b = right;
    int order = compare_numbers(a->evidence.file, b->evidence.file);

    order = order != 0 ? order : compare_numbers(a->evidence.class, b->evidence.class);
    return order != 0 ? order : by_place(a, b);
}

/* Makes one of those of one owner, which follow one another. */
static void merge(struct io_parts *parts) {
    size_t kept = 0;

    for (size_t i = 1; i < parts->count; i++) {
        const struct io_part *part = &parts->items[i];
        struct io_part *last = &parts->items[kept];

        if (same_owner(&last->evidence, &part->evidence)) {
            take_weaker(&last->evidence, part->evidence.word);
            last->blocks += part->blocks;
            last->bytes += part->bytes;
        } else {
            parts->items[++kept] = *part;
        }
    }
    parts->count = kept + 1;
}

/* Some parts of one file, or one part of no file. */
struct owned {
    size_t first, count;
    uint64_t blocks, place;
    bool known;
};

/* Those that follow one another from `first` on. */
static struct owned take_owned(const struct io_parts *parts, size_t first) {
    const struct io_part *items = parts->items;
    struct owned owned = {
        .first = first,
        .place = items[first].place,
        .known = items[first].evidence.word != IO_EVIDENCE_NONE,
    };

    do {
        const struct io_part *part = &items[first + owned.count++];

        owned.blocks += part->blocks;
        owned.place = part->place < owned.place ? part->place : owned.place;
    } while (items[first].evidence.file != 0 && first + owned.count < parts->count &&
             items[first + owned.count].evidence.file == items[first].evidence.file);
    return owned;
}

static bool is_better(const struct owned *owned, const struct owned *than) {
    if (owned->known != than->known) {
        return owned->known;
    }
    return owned->blocks != than->blocks ? owned->blocks > than->blocks
                                         : owned->place < than->place;
}

/* The part of the file that most of its blocks are of. */
static size_t largest(const struct io_parts *parts, const struct owned *owned) {
    size_t best = owned->first;

    for (size_t i = owned->first; i < owned->first + owned->count; i++) {
        const struct io_part *part = &parts->items[i], *than = &parts->items[best];

        if (part->blocks > than->blocks ||
            (part->blocks == than->blocks && part->place < than->place)) {
            best = i;
        }
    }
    return best;
}

void io_parts_settle(struct io_parts *parts) {
    struct owned best = {0};
    struct io_part first;
    size_t at;

    if (parts->count <= 1) {
        parts->files = parts->count == 1 && parts->items[0].evidence.file != 0;
        return;
    }
    qsort(parts->items, parts->count, sizeof *parts->items, by_owner);
    merge(parts);
    for (size_t i = 0; i < parts->count;) {
        struct owned owned = take_owned(parts, i);

        parts->files += parts->items[i].evidence.file != 0;
        best = best.count == 0 || is_better(&owned, &best) ? owned : best;
        i += owned.count;
    }
    at = largest(parts, &best);
    first = parts->items[at];
    parts->items[at] = parts->items[0];
    parts->items[0] = first;
    qsort(parts->items + 1, parts->count - 1, sizeof *parts->items, by_place);
}
