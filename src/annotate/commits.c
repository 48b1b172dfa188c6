#include "annotate/commits.h"

#include <stdlib.h>

#include "base/memory.h"

/* How far apart the device's clock and the trace may see a transaction, beyond the nearest one: it
 * is written after it was dated. ns. */
#define CLOCKS_APART INT64_C(5000000000)

static int by_block(const void *left, const void *right) {
    const struct commit_place *a = left, *b = right;

    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    return a->transaction < b->transaction ? -1 : a->transaction > b->transaction;
}

bool commits_open(struct commits *commits, const struct file_map *map, struct error *error) {
    size_t count = map->transaction_count;

    *commits = (struct commits){.map = map, .count = count, .oldest = count};
    turns_open(&commits->turns, map);
    commits->places = xmalloc((count + 1) * sizeof *commits->places);
    commits->times = xmalloc((count + 1) * sizeof *commits->times);
    for (size_t i = 0; i < count; i++) {
        commits->places[i] = (struct commit_place){map->transactions[i].commit, (uint32_t)i};
        commits->times[i] = INT64_MIN;
    }
    if (count > 0) {
        qsort(commits->places, count, sizeof *commits->places, by_block);
    }
    return true;
}

void commits_close(struct commits *commits) {
    free(commits->places);
    free(commits->times);
    turns_close(&commits->turns);
    *commits = (struct commits){0};
}

/* The newest transaction before the oldest that has a time whose commit lies in that block;
 * `count`: there is none. */
static size_t find_older(const struct commits *commits, uint64_t block) {
    size_t low = 0, high = commits->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct commit_place *place = &commits->places[middle];

        if (place->block < block ||
            (place->block == block && place->transaction < commits->oldest)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && commits->places[low - 1].block == block ? commits->places[low - 1].transaction
                                                              : commits->count;
}

bool commits_note(struct commits *commits, uint64_t first, uint64_t last, int64_t time,
                  struct error *error) {
    const struct map_transaction *transactions = commits->map->transactions;
    size_t found, newer = commits->oldest < commits->count ? commits->oldest : commits->count - 1;

    if (commits->map->turns != 0) {
        return turns_note(&commits->turns, first, last, time, error);
    }
    found = find_older(commits, last);

    /* What is written between two commits is not a whole journal. */
    if (found < commits->count &&
        transactions[newer].place - transactions[found].place < commits->map->log_blocks) {
        commits->times[found] = time;
        commits->oldest = found;
    }
    return true;
}

/* The least that the device's clock is ahead of the trace's; INT64_MAX: it says nothing. */
static int64_t least_ahead(const struct commits *commits) {
    int64_t least = INT64_MAX;

    for (size_t i = 0; i < commits->count; i++) {
        int64_t wall = commits->map->transactions[i].wall;

        if (commits->times[i] != INT64_MIN && wall != 0 && wall - commits->times[i] < least) {
            least = wall - commits->times[i];
        }
    }
    return least;
}

/* One whose write is missing was committed at the latest with the one behind it; those before all
 * others, before the trace. */
static void fill_gaps(struct commits *commits, size_t end) {
    size_t first = 0;

    while (first < end && commits->times[first] == INT64_MIN) {
        first++;
    }
    for (size_t i = end; i > first; i--) {
        if (commits->times[i - 1] == INT64_MIN) {
            commits->times[i - 1] = i < commits->count ? commits->times[i] : INT64_MAX;
        }
    }
}

void commits_settle(struct commits *commits) {
    int64_t least = least_ahead(commits);
    size_t end = 0, known = 0; /* known: behind the last that has a time */

    if (commits->map->turns != 0) {
        if (!turns_settle(&commits->turns, commits->times, &commits->timed)) {
            commits->count = 0;
        }
        return;
    }
    for (; end < commits->count; end++) {
        int64_t wall = commits->map->transactions[end].wall, time = commits->times[end];

        if (time == INT64_MIN) {
            continue;
        }
        if (wall != 0 && wall - time - least > CLOCKS_APART) {
            break;
        }
        known = end + 1;
        commits->timed++;
    }
    for (size_t i = end; i < commits->count; i++) {
        commits->times[i] = INT64_MAX;
    }
    if (commits->timed == 0 || 2 * commits->timed < known - commits->oldest) {
        commits->count = commits->timed = 0;
    }
    fill_gaps(commits, end);
}

size_t commits_before(const struct commits *commits, int64_t time) {
    size_t low = 0, high = commits->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (commits->times[middle] < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t commits_horizon(const struct commits *commits) {
    return commits->count > 0 ? commits->times[0] : INT64_MAX;
}
