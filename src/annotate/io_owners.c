#include "annotate/io_owners.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Lots on their way, and parts of a lot that are enough for it. */
enum { LOTS = 4, ENOUGH_PARTS = 65536 };

struct io_owners {
    struct witnesses witnesses;
    const struct device_place *device;
    struct io_parts found; /* owned; of one I/O */
    pthread_t thread;
    bool threaded;        /* else the caller looks up what it takes */
    atomic_bool stopped;  /* also looked at within a lot */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    const struct asked_io *ios; /* that are asked */
    size_t count, next;         /* next: the first that is in no lot yet */
    struct owned_lot *lots; /* owned; a ring of LOTS, of which `full` from `first` on are done */
    size_t first, full;
    bool held; /* the caller has the first one */
    bool failed;
    struct error error;
};

bool asked_io_writes(const struct asked_io *io) {
    enum io_class class = io_class_of(io->flags);

    return class == IO_WRITE || class == IO_WRITESYNC;
}

bool io_place_find(struct io_place *place, const struct device_place *device,
                   const struct file_map *map, const struct asked_io *io) {
    uint64_t block_size = map->block_size, sector;

    if (!device_place_sector(device, io->address, &sector) ||
        sector / (block_size / IO_SECTOR) >= map->blocks) {
        return false;
    }
    place->begin = sector * IO_SECTOR;
    place->end = place->begin + (uint64_t)io->size;
    place->first = place->begin / block_size;
    place->last = (place->end - 1) / block_size;
    if (place->last >= map->blocks) {
        place->last = map->blocks - 1;
    }
    return true;
}

/* --- one I/O -------------------------------------------------------------------------------------
 */

/* Finds its parts. What is discarded or too large is nobody's, as is what lies behind the end of
 * the file system. */
static bool find_parts(struct io_owners *owners, const struct asked_io *io,
                       const struct io_place *place, bool asked, struct error *error) {
    static const struct evidence nobody = {.word = IO_EVIDENCE_NONE};
    const struct evidence_io asking = {io->issued, io->time, asked_io_writes(io)};
    uint64_t at = place->first, begin = place->begin;
    uint64_t block_size = owners->witnesses.map->block_size;
    bool done = true;

    io_parts_clear(&owners->found);
    while (done && asked && at <= place->last) {
        uint64_t next = place->last + 1, end;
        struct evidence owner = evidence_find(&owners->witnesses, at, &asking, &next);

        end = next * block_size < place->end ? next * block_size : place->end;
        done = io_parts_add(&owners->found, &owner, next - at, (int64_t)(end - begin), error);
        begin = end;
        at = next;
    }
    done = done && (begin == place->end ||
                    io_parts_add(&owners->found, &nobody, 1, (int64_t)(place->end - begin), error));
    io_parts_settle(&owners->found);
    return done;
}

/* Puts the parts that were found behind the others of the lot. */
static bool keep_parts(struct owned_lot *lot, const struct io_parts *found, struct owned_io *owned,
                       struct error *error) {
    size_t needed = lot->part_count + found->count;

    if (needed > lot->part_capacity) {
        struct io_part *parts = xrealloc(lot->parts, 2 * needed * sizeof *parts);

        lot->parts = parts;
        lot->part_capacity = 2 * needed;
    }
    memcpy(lot->parts + lot->part_count, found->items, found->count * sizeof *found->items);
    owned->first = lot->part_count;
    owned->count = found->count;
    owned->files = found->files;
    lot->part_count = needed;
    return true;
}

static bool look_up(struct io_owners *owners, struct owned_lot *lot, const struct asked_io *io,
                    struct error *error) {
    struct owned_io *owned = &lot->ios[lot->count++];
    bool discarded = (io->flags & IO_FLAG_DISCARD) != 0;
    struct io_place place;

    *owned = (struct owned_io){.io = io};
    if (!io_place_find(&place, owners->device, owners->witnesses.map, io)) {
        return true;
    }
    owned->too_large = !discarded && place.last - place.first >= MAPPING_BLOCKS;
    return find_parts(owners, io, &place, !discarded && !owned->too_large, error) &&
           keep_parts(lot, &owners->found, owned, error);
}

/* --- the thread ----------------------------------------------------------------------------------
 */

/* Fills the lot behind those that are full, from I/O `from` on; `*done`: to before which. */
static bool fill(struct io_owners *owners, struct owned_lot *lot, size_t from, size_t count,
                 size_t *done, struct error *error) {
    bool found = true;

    lot->count = lot->part_count = 0;
    for (*done = from; found && !owners->stopped && *done < count && lot->count < OWNED_LOT &&
                       lot->part_count < ENOUGH_PARTS;
         ++*done) {
        found = look_up(owners, lot, &owners->ios[*done], error);
    }
    return found;
}

/* With the lock, which is given back meanwhile. */
static void fill_next(struct io_owners *owners) {
    struct owned_lot *lot = &owners->lots[(owners->first + owners->full) % LOTS];
    size_t from = owners->next, count = owners->count, done;
    struct error error = {0};
    bool found;

    pthread_mutex_unlock(&owners->lock);
    found = fill(owners, lot, from, count, &done, &error);
    pthread_mutex_lock(&owners->lock);
    if (found) {
        owners->next = done;
        owners->full++;
    } else {
        owners->failed = true;
        owners->error = error;
    }
    pthread_cond_broadcast(&owners->changed);
}

static void *work(void *context) {
    struct io_owners *owners = context;

    pthread_mutex_lock(&owners->lock);
    while (!owners->stopped && !owners->failed) {
        if (owners->next == owners->count || owners->full == LOTS) {
            pthread_cond_wait(&owners->changed, &owners->lock);
        } else {
            fill_next(owners);
        }
    }
    pthread_mutex_unlock(&owners->lock);
    return NULL;
}

struct io_owners *io_owners_new(const struct witnesses *witnesses,
                                const struct device_place *device, struct error *error) {
    struct io_owners *owners = xcalloc(1, sizeof *owners);

    owners->witnesses = *witnesses;
    owners->device = device;
    owners->lots = xcalloc(LOTS, sizeof *owners->lots);
    if (owners->lots == NULL) {
        free(owners);
        error_no_memory(error);
        return NULL;
    }
    pthread_mutex_init(&owners->lock, NULL);
    pthread_cond_init(&owners->changed, NULL);
    owners->threaded = pthread_create(&owners->thread, NULL, work, owners) == 0;
    return owners;
}

void io_owners_ask(struct io_owners *owners, const struct asked_io *ios, size_t count) {
    pthread_mutex_lock(&owners->lock);
    owners->ios = ios;
    owners->count = count;
    owners->next = 0;
    pthread_cond_broadcast(&owners->changed);
    pthread_mutex_unlock(&owners->lock);
}

bool io_owners_take(struct io_owners *owners, const struct owned_lot **lot, struct error *error) {
    bool done;

    pthread_mutex_lock(&owners->lock);
    if (owners->held) {
        owners->held = false;
        owners->first = (owners->first + 1) % LOTS;
        owners->full--;
        pthread_cond_broadcast(&owners->changed);
    }
    while (owners->full == 0 && owners->next < owners->count && !owners->failed) {
        if (owners->threaded) {
            pthread_cond_wait(&owners->changed, &owners->lock);
        } else {
            fill_next(owners);
        }
    }
    owners->held = owners->full > 0;
    *lot = owners->held ? &owners->lots[owners->first] : NULL;
    done = owners->held || !owners->failed;
    if (!done) {
        *error = owners->error;
    }
    pthread_mutex_unlock(&owners->lock);
    return done;
}

void io_owners_free(struct io_owners *owners) {
    if (owners == NULL) {
        return;
    }
    pthread_mutex_lock(&owners->lock);
    owners->stopped = true;
    pthread_cond_broadcast(&owners->changed);
    pthread_mutex_unlock(&owners->lock);
    if (owners->threaded) {
        pthread_join(owners->thread, NULL);
    }
    pthread_cond_destroy(&owners->changed);
    pthread_mutex_destroy(&owners->lock);
    for (size_t i = 0; i < LOTS; i++) {
        free(owners->lots[i].parts);
    }
    io_parts_free(&owners->found);
    free(owners->lots);
    free(owners);
}
