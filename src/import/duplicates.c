#include "import/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* So much is read of every file; most differ there. */
enum { BEGINNING = 64 * 1024 };

struct candidate {
    size_t position;            /* among the sources */
    char hash[INPUT_HASH_SIZE]; /* of its beginning, then of all of it */
    int64_t size;               /* of the file; -1: packed */
    bool whole;                 /* the hash is of all of it */
    bool known;                 /* it could be read */
};

/* Hashes up to `limit` bytes of a source. What cannot be read is not known, and no error. */
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
    /* An empty file is passed over for that. */
    candidate->known = read && input_bytes_read(input) > 0;
    candidate->whole = got == 0;
    if (candidate->known) {
        candidate->size = input_packing(input)[0] != '\0' ? -1 : input_packed_size(input);
        input_hash(input, candidate->hash);
    }
    input_close(input);
    return !stop.stop(stop.context);
}

/* By hash, those of one hash by size, packed ones first, then as the trace has them. */
static int compare_candidates(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    if (order == 0 && a->size != b->size) {
        order = a->size < b->size ? -1 : 1;
    }
    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

static int compare_contents(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

/* Whether the beginnings leave it open that another candidate has the same content: `packed`, one
 * of equal beginning is packed, so that sizes say nothing. */
static bool may_be_double(const struct candidate *candidates, size_t count, size_t i, bool packed) {
    const struct candidate *one = &candidates[i];
    const struct candidate *before = i > 0 ? one - 1 : NULL;
    const struct candidate *behind = i + 1 < count ? one + 1 : NULL;
    bool like_before = before != NULL && strcmp(before->hash, one->hash) == 0;
    bool like_behind = behind != NULL && strcmp(behind->hash, one->hash) == 0;

    return (like_before && (packed || before->size == one->size)) ||
           (like_behind && (packed || behind->size == one->size));
}

/* Hashes wholly what may be double. Sorted, a packed candidate is the first of its beginning. */
static bool hash_wholly(const struct import_run *run, struct candidate *candidates, size_t count,
                        uint8_t *buffer, struct input_stop stop) {
    bool *wanted = xcalloc(count + 1, sizeof *wanted);
    bool packed = false, done = wanted != NULL;

    for (size_t i = 0; done && i < count; i++) {
        if (i == 0 || strcmp(candidates[i - 1].hash, candidates[i].hash) != 0) {
            packed = candidates[i].size < 0;
        }
        wanted[i] = may_be_double(candidates, count, i, packed);
    }
    for (size_t i = 0; done && i < count; i++) {
        struct candidate *candidate = &candidates[i];

        if (wanted[i] && !candidate->whole) {
            done = hash_source(run, candidate, INT64_MAX, buffer, stop);
        }
        candidate->known = candidate->known && wanted[i] && candidate->whole;
    }
    free(wanted);
    return done;
}

/* Those that are known come to the front; returns how many they are. */
static size_t keep_known(struct candidate *candidates, size_t count) {
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (candidates[i].known) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

static bool find(struct import_run *run, struct candidate *candidates, uint8_t *buffer,
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
    count = keep_known(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    if (!hash_wholly(run, candidates, count, buffer, stop)) {
        return false;
    }
    count = keep_known(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_contents);
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

bool duplicates_find(struct import_run *run, struct input_stop stop, struct error *error) {
    struct candidate *candidates = xcalloc(run->source_count + 1, sizeof *candidates);
    uint8_t *buffer = xmalloc(BEGINNING);
    bool done;

    if (candidates == NULL || buffer == NULL) {
        done = error_no_memory(error);
    } else {
        done = find(run, candidates, buffer, stop) ||
               (stop.stop(stop.context) ? false : error_no_memory(error));
    }
    free(buffer);
    free(candidates);
    return done;
}

static int compare_sources(const void *left, const void *right) {
    const struct import_source *const *a = left, *const *b = right;
    int order = strcmp((*a)->hash, (*b)->hash);

    return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

bool duplicates_refuse(const struct import_run *run, struct error *error) {
    const struct import_source **used = xcalloc(run->source_count + 1, sizeof *used);
    size_t count = 0;
    bool done = used != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < run->source_count; i++) {
        if (run->sources[i].used) {
            used[count++] = &run->sources[i];
        }
    }
    if (done) {
        qsort(used, count, sizeof(const struct import_source *), compare_sources);
    }
    for (size_t i = 1; done && i < count; i++) {
        if (strcmp(used[i - 1]->hash, used[i]->hash) == 0) {
            done = error_set(error,
                             "%s: its content is that of %s; leave one of them out, or --again "
                             "counts it once more",
                             used[i]->name, used[i - 1]->name);
        }
    }
    free(used);
    return done;
}
