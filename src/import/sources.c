#include "import/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- equal files ---------------------------------------------------------------------------------
 */

/* Bytes read of every file; most differ there. */
enum { BEGINNING = 64 * 1024 };

struct candidate {
    size_t position;            /* index among the sources */
    char hash[INPUT_HASH_SIZE]; /* hash of its beginning, later of the whole file */
    bool whole;                 /* the hash is of the whole file */
    bool wanted;                /* another one has the same hash */
    bool known;                 /* it could be read */
};

/* Hashes up to `limit` bytes of a source. If it cannot be read, it is not `known`; not an error. */
static bool hash_source(const struct import_run *run, struct candidate *candidate, int64_t limit,
                        uint8_t *buffer, struct input_stop stop) {
    const struct import_source *source = &run->sources[candidate->position];
    struct error ignored = {0};
    struct input *input = input_open(source->path, stop, &ignored);
    size_t got = 1;
    bool read = input != NULL;

    while (read && got > 0 && input_bytes_read(input) < limit && !stop.stop(stop.context)) {
        int64_t left = limit - input_bytes_read(input);

        read =
            input_read(input, buffer, left < BEGINNING ? (size_t)left : BEGINNING, &got, &ignored);
    }
    /* An empty file is skipped for being empty. */
    candidate->known = read && input_bytes_read(input) > 0;
    candidate->whole = got == 0;
    if (candidate->known) {
        input_hash(input, candidate->hash);
    }
    input_close(input);
    return !stop.stop(stop.context);
}

/* Sorts by hash, equal ones in the trace's order. */
static int compare_candidates(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

/* Hashes the whole files of those with equal beginnings; only they can be duplicates. */
static bool hash_wholly(const struct import_run *run, struct candidate *candidates, size_t count,
                        uint8_t *buffer, struct input_stop stop) {
    bool done = true;

    for (size_t i = 1; i < count; i++) {
        if (strcmp(candidates[i - 1].hash, candidates[i].hash) == 0) {
            candidates[i - 1].wanted = candidates[i].wanted = true;
        }
    }
    for (size_t i = 0; done && i < count; i++) {
        struct candidate *candidate = &candidates[i];

        if (candidate->wanted && !candidate->whole) {
            done = hash_source(run, candidate, INT64_MAX, buffer, stop);
        }
        candidate->known = candidate->known && candidate->wanted && candidate->whole;
    }
    return done;
}

/* Moves the known ones to the front; returns their number. */
static size_t move_known_first(struct candidate *candidates, size_t count) {
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (candidates[i].known) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

static bool sources_find(struct import_run *run, struct candidate *candidates, uint8_t *buffer,
                         struct input_stop stop) {
    size_t count = 0, first = 0;

    for (size_t i = 0; i < run->source_count; i++) {
        candidates[count].position = i;
        if (!input_is_file(run->sources[i].path)) {
            continue;
        }
        if (!hash_source(run, &candidates[count++], BEGINNING, buffer, stop)) {
            return false;
        }
    }
    count = move_known_first(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    if (!hash_wholly(run, candidates, count, buffer, stop)) {
        return false;
    }
    count = move_known_first(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(candidates[first].hash, candidates[i].hash) != 0) {
            first = i;
        } else {
            run->sources[candidates[i].position].same_as =
                run->sources[candidates[first].position].name;
        }
    }
    return true;
}

bool duplicates_find(struct import_run *run, struct input_stop stop) {
    struct candidate *candidates = xcalloc(run->source_count + 1, sizeof *candidates);
    uint8_t *buffer = xmalloc(BEGINNING);
    bool done = sources_find(run, candidates, buffer, stop);

    free(buffer);
    free(candidates);
    return done;
}

static int compare_hashes(const void *left, const void *right) {
    const struct import_source *const *a = left, *const *b = right;
    int order = strcmp((*a)->hash, (*b)->hash);

    return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

bool duplicates_refuse(const struct import_run *run, struct error *error) {
    const struct import_source **used = xcalloc(run->source_count + 1, sizeof *used);
    size_t count = 0;
    bool done = true;

    for (size_t i = 0; i < run->source_count; i++) {
        if (run->sources[i].used) {
            used[count++] = &run->sources[i];
        }
    }
    qsort(used, count, sizeof(const struct import_source *), compare_hashes);
    for (size_t i = 1; done && i < count; i++) {
        if (strcmp(used[i - 1]->hash, used[i]->hash) == 0) {
            done = error_set(
                error,
                "%s: same content as %s; leave one of them out, or count it twice with --again",
                used[i]->name, used[i - 1]->name);
        }
    }
    free(used);
    return done;
}
