#include "annotate/turns.h"
#include "base/memory.h"

#include <stdlib.h>

/* Blocks of one write that are looked at: nodes are written in pieces that are not larger. */
#define TURN_BLOCKS 65536

void turns_open(struct turns *turns, const struct file_map *map) {
    *turns = (struct turns){.map = map, .newest = INT64_MAX};
}

void turns_close(struct turns *turns) {
    free(turns->times);
    *turns = (struct turns){0};
}

/* The place of checkpoints that the blocks are in; 0: none. */
static uint64_t find_place(const struct turns *turns, uint64_t first, uint64_t last) {
    const struct file_map *map = turns->map;

    for (size_t i = map->transaction_count; i > 0 && i + 2 > map->transaction_count; i--) {
        uint64_t place = map->transactions[i - 1].commit;

        if (last >= place && first < place + map->turns) {
            return place;
        }
    }
    return 0;
}

/* Writes to one place, without one to the other between them, are of one checkpoint; the last of
 * them, which comes first, ends it. */
static bool note_checkpoint(struct turns *turns, uint64_t place, int64_t time,
                            struct error *error) {
    int64_t *times;

    if (turns->count > 0 && turns->place == place) {
        return true;
    }
    times = array_grow(turns->times, turns->count, &turns->capacity, sizeof *times);
    turns->times = times;
    turns->first = turns->count == 0 ? place : turns->first;
    turns->place = place;
    turns->times[turns->count++] = time;
    return true;
}

/* A node that lies there still, and was written at the latest now, tells which checkpoint was the
 * last by then, and so which the newest of the trace is. Where it was written once more after the
 * trace it tells of a later one: so the least is taken. */
static void note_node(struct turns *turns, uint64_t block) {
    const struct file_map *map = turns->map;
    const struct map_past *past =
        file_map_find_past(map, block, (uint32_t)(map->transaction_count - 1));

    if (past != NULL && !past->doubtful &&
        (past->class == BLOCK_INODE || past->class == BLOCK_TREE || past->class == BLOCK_XATTR)) {
        int64_t newest = (int64_t)past->from - 1 + (int64_t)turns->count;

        turns->newest = newest < turns->newest ? newest : turns->newest;
    }
}

bool turns_note(struct turns *turns, uint64_t first, uint64_t last, int64_t time,
                struct error *error) {
    uint64_t place = find_place(turns, first, last);

    if (place != 0) {
        return note_checkpoint(turns, place, time, error);
    }
    for (uint64_t block = first; block <= last && last - first < TURN_BLOCKS; block++) {
        note_node(turns, block);
    }
    return true;
}

bool turns_settle(const struct turns *turns, int64_t *times, size_t *timed) {
    const struct file_map *map = turns->map;
    int64_t count = (int64_t)map->transaction_count, newest = turns->newest;

    *timed = 0;
    if (newest >= count || (turns->count > 0 && map->transactions[newest].commit != turns->first)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (i <= newest && newest - i < (int64_t)turns->count) {
            times[i] = turns->times[newest - i];
            ++*timed;
        } else {
            times[i] = i <= newest ? INT64_MIN : INT64_MAX;
        }
    }
    return true;
}
