/* Finds the owners of the blocks of many I/Os in a separate thread, without the database, while the
 * caller writes previous results.
 *
 *     io_owners_new()
 *     io_owners_send()       submits an array of I/Os
 *     io_owners_receive()    returns their results in lots (groups); NULL at the end
 *     io_owners_free()       always; ends the thread */
#include "annotate/mapping.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/text.h"
#include "model/event.h"
#include "model/partition.h"
#include "store/trace_tables.h"

/* Limit of sector shifts that an error message lists. */
#define SHIFTS_NAMED 4

/* --- finding the device of the I/Os ----------------------------------------------------------- */

static bool has_device(struct database *database, int64_t trace, int64_t device, bool *has,
                       struct error *error) {
    struct database_query query = database_query(
        database, error, "SELECT 1 FROM main.object WHERE trace = ?1 AND device = ?2 LIMIT 1", "ii",
        trace, device);

    *has = database_next(&query);
    return database_end(&query);
}

/* Finds the device to which I/Os of `from` are remapped; `*below` stays `from` unless there is
 * exactly one. */
static bool find_below(struct database *database, int64_t trace, int64_t from, int64_t *below,
                       struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT min(device) FROM main.remap WHERE trace = ?1 AND \"from\" = ?2"
                       " HAVING count(DISTINCT device) = 1",
                       "ii", trace, from);

    *below = database_next(&query) ? sqlite3_column_int64(query.row, 0) : from;
    return database_end(&query);
}

/* Devices with I/Os in a trace. */
struct device_range {
    /* count: of devices; least, most: lowest and highest, or EVENT_NONE */
    int64_t count, least, most;
};

static bool io_owners_find_range(struct database *database, const struct catalog_trace *trace,
                                 struct device_range *range, struct error *error) {
    struct database_query query = database_query(
        database, error,
        "SELECT count(DISTINCT device), min(device), max(device) FROM main.object WHERE trace = ?1",
        "i", trace->id);

    if (database_next(&query)) {
        range->count = sqlite3_column_int64(query.row, 0);
        range->least = database_column_optional(query.row, 1);
        range->most = database_column_optional(query.row, 2);
    }
    return database_end(&query);
}

/* Finds the device of a trace that has I/Os of only one device; sets an error if it has several. */
static bool find_only(struct database *database, const struct catalog_trace *trace, int64_t *device,
                      struct error *error) {
    struct device_range range = {0};

    if (!io_owners_find_range(database, trace, &range, error)) {
        return false;
    }
    *device = range.least;
    return range.count <= 1 ||
           error_usage(error,
                       "trace %s has I/Os of %lld devices, from %d:%d to %d:%d: name the device of "
                       "the image with import --image-device or map --device",
                       trace->name, (long long)range.count, device_major(range.least),
                       device_minor(range.least), device_major(range.most),
                       device_minor(range.most));
}

/* Sets an error: the trace has no I/Os of the device or of one below it. Lists its devices. */
static bool refuse_device(struct database *database, const struct catalog_trace *trace,
                          int64_t device, struct error *error) {
    struct device_range range = {0};

    if (!io_owners_find_range(database, trace, &range, error)) {
        return false;
    }
    if (range.count == 0) {
        return error_usage(
            error,
            "trace %s has no I/Os of %d:%d, since its log does not name devices; omit --device",
            trace->name, device_major(device), device_minor(device));
    }
    if (range.count == 1) {
        return error_usage(error, "trace %s has no I/Os of %d:%d, only of %d:%d", trace->name,
                           device_major(device), device_minor(device), device_major(range.least),
                           device_minor(range.least));
    }
    return error_usage(error,
                       "trace %s has no I/Os of %d:%d, but of %lld other devices, from %d:%d "
                       "to %d:%d",
                       trace->name, device_major(device), device_minor(device),
                       (long long)range.count, device_major(range.least), device_minor(range.least),
                       device_major(range.most), device_minor(range.most));
}

/* Finds the device with the I/Os of a given device: itself, or the one that it is remapped to. */
static bool find_given(struct database *database, const struct catalog_trace *trace, int64_t given,
                       int64_t *device, struct error *error) {
    bool has;

    *device = given;
    if (!has_device(database, trace->id, given, &has, error)) {
        return false;
    }
    if (!has && (!find_below(database, trace->id, given, device, error) ||
                 !has_device(database, trace->id, *device, &has, error))) {
        return false;
    }
    return has || refuse_device(database, trace, given, error);
}

/* --- using remaps of the log ------------------------------------------------------------------ */

/* Removes the remaps of other devices than `from`. If `from` is EVENT_NONE, keeps all, and fails
 * unless they are of one device. */
static bool keep_remaps_of_device(struct filesystem_location *place, int64_t from,
                                  const char *trace, struct error *error) {
    struct remap *pieces = place->pieces;
    size_t kept = 0;

    for (size_t i = 0; i < place->count; i++) {
        if (from == EVENT_NONE && pieces[i].from != pieces[0].from) {
            return error_usage(
                error,
                "the log of trace %s remaps several devices to %d:%d, such as %d:%d and %d:%d: "
                "choose the device of the image with --device, or give --offset",
                trace, device_major(place->device), device_minor(place->device),
                device_major(pieces[0].from), device_minor(pieces[0].from),
                device_major(pieces[i].from), device_minor(pieces[i].from));
        }
        if (from == EVENT_NONE || pieces[i].from == from) {
            pieces[kept++] = pieces[i];
        }
    }
    place->count = kept;
    place->from = kept > 0 ? pieces[0].from : EVENT_NONE;
    return true;
}

/* Joins adjacent remaps with equal shifts, which appending logs to a trace can cause. */
static void join_equal_remaps(struct filesystem_location *place) {
    struct remap *pieces = place->pieces;
    size_t kept = 0;

    for (size_t i = 1; i < place->count; i++) {
        if (pieces[i].shift == pieces[kept].shift) {
            pieces[kept].last =
                pieces[i].last > pieces[kept].last ? pieces[i].last : pieces[kept].last;
        } else {
            pieces[++kept] = pieces[i];
        }
    }
    place->count = place->count > 0 ? kept + 1 : 0;
}

/* Checks that the remaps form a linear device: shifts are known, sector ranges do not overlap. */
static bool check_linear(const struct filesystem_location *place, const char *trace,
                         struct error *error) {
    const struct remap *pieces = place->pieces;
    struct text seen = {0};
    bool linear = true;

    for (size_t i = 0; i < place->count; i++) {
        linear = linear && pieces[i].shift != EVENT_NONE &&
                 (i == 0 || pieces[i].first > pieces[i - 1].last);
        if (i < SHIFTS_NAMED && pieces[i].shift != EVENT_NONE) {
            text_append_format(&seen, "%s%+lld", i == 0 ? "" : ", ", (long long)pieces[i].shift);
        }
    }
    if (!linear) {
        error_set(error,
                  "trace %s: sectors of %d:%d lie in several places of %d:%d (moved by %s%s), "
                  "mixed as on a striped device: such devices cannot be mapped",
                  trace, device_major(place->from), device_minor(place->from),
                  device_major(place->device), device_minor(place->device), text_string(&seen),
                  place->count > SHIFTS_NAMED ? ", …" : "");
    }
    text_free(&seen);
    return linear;
}

static bool io_owners_find_pieces(struct filesystem_location *place, int64_t from,
                                  struct database *database, const struct catalog_trace *trace,
                                  struct error *error) {
    bool whole;

    if (!remap_table_read(database, trace->id, place->device, place->pieces, &place->count, &whole,
                          error) ||
        (whole && !keep_remaps_of_device(place, from, trace->name, error))) {
        return false;
    }
    /* If the table of remaps is incomplete, the ones in it may look linear only by chance. */
    if (!whole) {
        return error_set(
            error,
            "trace %s: sectors are remapped by more than %d different offsets: striped devices "
            "cannot be mapped; for others, give the place of the file system with --offset",
            trace->name, REMAPS_MOST - 1);
    }
    join_equal_remaps(place);
    return check_linear(place, trace->name, error);
}

/* --- finding where the file system is --------------------------------------------------------- */

bool filesystem_location_find(struct filesystem_location *place,
                              const struct device_request *request, struct database *database,
                              const struct catalog_trace *trace, struct error *error) {
    int64_t from = EVENT_NONE;

    *place = (struct filesystem_location){.device = request->device, .from = EVENT_NONE};
    if (request->device == EVENT_NONE
            ? !find_only(database, trace, &place->device, error)
            : !find_given(database, trace, request->device, &place->device, error)) {
        return false;
    }
    if (place->device != request->device && request->device != EVENT_NONE) {
        from = request->device;
    }
    /* If the given device itself has I/Os, it is the image's device, and remaps are not used. */
    if (request->by_remaps && place->device != EVENT_NONE &&
        (request->device == EVENT_NONE || from != EVENT_NONE) &&
        !io_owners_find_pieces(place, from, database, trace, error)) {
        return false;
    }
    if (place->count == 0) {
        place->pieces[place->count++] =
            (struct remap){.shift = (int64_t)request->offset / IO_SECTOR};
    }
    return true;
}

/* Converts a device's sector to a sector of the file system. Returns false if it is outside. */
static bool device_place_sector(const struct filesystem_location *place, int64_t address,
                                uint64_t *sector) {
    size_t i = 0;

    while (place->count > 1 && i < place->count &&
           (address < place->pieces[i].first || address > place->pieces[i].last)) {
        i++;
    }
    if (i == place->count || address < place->pieces[i].shift) {
        return false;
    }
    *sector = (uint64_t)(address - place->pieces[i].shift);
    return true;
}

/* Number of lots in the ring buffer, and number of I/O parts from which on a lot is full. */
enum { LOTS = 4, ENOUGH_PARTS = 65536 };

/* Parts of an I/O: each has the blocks of one file (or none) and one class. Zeroed: none. */
struct io_parts {
    struct io_part *items; /* owned */
    size_t count, capacity;
    uint64_t blocks; /* number of blocks in all parts */
    size_t files;    /* number of different files, set by parts_join() */
};

struct io_owners {
    struct owner_sources sources;
    const struct filesystem_location *device;
    struct io_parts found; /* owned; parts of the current I/O */
    pthread_t thread;
    bool threaded;        /* true: `thread` finds owners; false: the caller's thread does */
    atomic_bool stopped;  /* true: the thread must end; tested before each I/O */
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t changed;
    const struct io_lookup *ios; /* array passed to io_owners_send() */
    size_t count, next;          /* `next`: index of the first I/O that is not in a lot yet */
    struct io_owner_batch
        *lots; /* owned; ring buffer of LOTS; `full` finished lots from `first` on */
    size_t first, full;
    bool held; /* true: the caller is reading the lot `first` */
};

bool io_lookup_is_write(const struct io_lookup *io) {
    enum io_class class = io_class_of(io->flags);

    return class == IO_WRITE || class == IO_WRITESYNC;
}

bool io_block_range_find(struct io_block_range *place, const struct filesystem_location *device,
                         const struct file_map *map, const struct io_lookup *io) {
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

/* Returns whether blocks have the same owner: the same file (or none) and class. */
static bool same_owner(const struct evidence *left, const struct evidence *right) {
    return left->file == right->file && left->class == right->class;
}

static void lower_evidence(struct evidence *evidence, enum io_evidence word) {
    if (evidence->word < word) {
        evidence->word = word;
    }
}

/* Adds the next `blocks` blocks of the I/O, at least 1, with the same owner. `bytes`: bytes of the
 * I/O in these blocks. */
static void parts_add(struct io_parts *parts, const struct evidence *owner, uint64_t blocks,
                      int64_t bytes) {
    struct io_part *last = parts->count == 0 ? NULL : &parts->items[parts->count - 1];

    if (last == NULL || !same_owner(&last->evidence, owner)) {
        parts->items =
            array_grow(parts->items, parts->count, &parts->capacity, sizeof *parts->items);
        last = &parts->items[parts->count++];
        *last = (struct io_part){.evidence = *owner, .place = parts->blocks};
    }
    lower_evidence(&last->evidence, owner->word);
    last->blocks += blocks;
    last->bytes += bytes;
    parts->blocks += blocks;
}

/* --- joining the parts of an I/O that belong to one file -------------------------------------- */

static int io_owners_by_place(const void *left, const void *right) {
    const struct io_part *a = left, *b = right;

    return ORDER(a->place, b->place);
}

static int io_owners_by_owner(const void *left, const void *right) {
    const struct io_part *a = left, *b = right;
    int order = ORDER(a->evidence.file, b->evidence.file);

    order = order != 0 ? order : ORDER(a->evidence.class, b->evidence.class);
    return order != 0 ? order : io_owners_by_place(a, b);
}

/* Joins neighbouring parts of an I/O that have the same owner. */
static void io_owners_merge(struct io_parts *parts) {
    size_t kept = 0;

    for (size_t i = 1; i < parts->count; i++) {
        const struct io_part *part = &parts->items[i];
        struct io_part *last = &parts->items[kept];

        if (same_owner(&last->evidence, &part->evidence)) {
            lower_evidence(&last->evidence, part->evidence.word);
            last->blocks += part->blocks;
            last->bytes += part->bytes;
        } else {
            parts->items[++kept] = *part;
        }
    }
    parts->count = kept + 1;
}

/* Parts of an I/O on one file, adjacent in the sorted array; or one part without a file. */
struct owned {
    size_t first, count;
    uint64_t blocks, place;
    bool known;
};

/* Returns part `first` and the parts after it on the same file; without a file, only that part. */
static struct owned group_parts_of_owner(const struct io_parts *parts, size_t first) {
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

/* Of a file's parts, returns the index of the one with the most blocks. */
static size_t part_with_most_blocks(const struct io_parts *parts, const struct owned *owned) {
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

/* Joins parts with the same file and class. Puts the part first under which the I/O is counted: the
 * largest part of the file with the most blocks; of equal ones, the first. Parts without a file
 * count only if no part has a file. The other parts are sorted by position. */
static void parts_join(struct io_parts *parts) {
    struct owned best = {0};
    struct io_part first;
    size_t at;

    if (parts->count <= 1) {
        parts->files = parts->count == 1 && parts->items[0].evidence.file != 0;
        return;
    }
    qsort(parts->items, parts->count, sizeof *parts->items, io_owners_by_owner);
    io_owners_merge(parts);
    for (size_t i = 0; i < parts->count;) {
        struct owned owned = group_parts_of_owner(parts, i);

        parts->files += parts->items[i].evidence.file != 0;
        best = best.count == 0 || is_better(&owned, &best) ? owned : best;
        i += owned.count;
    }
    at = part_with_most_blocks(parts, &best);
    first = parts->items[at];
    parts->items[at] = parts->items[0];
    parts->items[0] = first;
    qsort(parts->items + 1, parts->count - 1, sizeof *parts->items, io_owners_by_place);
}

/* --- finding the parts of an I/O -------------------------------------------------------------- */

/* Finds the parts of an I/O. Blocks have no owner if they are behind the file system's end, or if
 * `asked` is false (discards, and I/Os that are too large). */
static void io_owners_find_parts(struct io_owners *owners, const struct io_lookup *io,
                                 const struct io_block_range *place, bool asked) {
    static const struct evidence nobody = {.word = IO_EVIDENCE_NONE};
    const struct evidence_io asking = {io->issued, io->time, io_lookup_is_write(io)};
    uint64_t at = place->first, begin = place->begin;
    uint64_t block_size = owners->sources.map->block_size;

    /* Removes the parts of the previous I/O, but keeps their memory. */
    owners->found.count = owners->found.files = 0;
    owners->found.blocks = 0;
    while (asked && at <= place->last) {
        uint64_t next = place->last + 1, end;
        struct evidence owner = find_block_owner(&owners->sources, at, &asking, &next);

        end = next * block_size < place->end ? next * block_size : place->end;
        parts_add(&owners->found, &owner, next - at, (int64_t)(end - begin));
        begin = end;
        at = next;
    }
    if (begin < place->end) {
        parts_add(&owners->found, &nobody, 1, (int64_t)(place->end - begin));
    }
    parts_join(&owners->found);
}

/* Appends the parts of an I/O to a lot (group of results). */
static void append_parts(struct io_owner_batch *lot, const struct io_parts *found,
                         struct owned_io *owned) {
    size_t needed = lot->part_count + found->count;

    if (needed > lot->part_capacity) {
        lot->parts = xrealloc(lot->parts, 2 * needed * sizeof *lot->parts);
        lot->part_capacity = 2 * needed;
    }
    memcpy(lot->parts + lot->part_count, found->items, found->count * sizeof *found->items);
    owned->first = lot->part_count;
    owned->count = found->count;
    owned->files = found->files;
    lot->part_count = needed;
}

static void find_owners_of_io(struct io_owners *owners, struct io_owner_batch *lot,
                              const struct io_lookup *io) {
    struct owned_io *owned = &lot->ios[lot->count++];
    bool discarded = (io->flags & IO_FLAG_DISCARD) != 0;
    struct io_block_range place;

    *owned = (struct owned_io){.io = io};
    if (io_block_range_find(&place, owners->device, owners->sources.map, io)) {
        owned->too_large = !discarded && place.last - place.first >= MAPPING_BLOCKS;
        io_owners_find_parts(owners, io, &place, !discarded && !owned->too_large);
        append_parts(lot, &owners->found, owned);
    }
}

/* --- the thread that finds owners of I/Os ----------------------------------------------------- */

/* Finds owners for the next lot of I/Os. Called with `lock` held; releases it during the search. */
static void fill_next(struct io_owners *owners) {
    struct io_owner_batch *lot = &owners->lots[(owners->first + owners->full) % LOTS];
    size_t at = owners->next, count = owners->count;

    pthread_mutex_unlock(&owners->lock);
    lot->count = lot->part_count = 0;
    while (!owners->stopped && at < count && lot->count < OWNED_LOT &&
           lot->part_count < ENOUGH_PARTS) {
        find_owners_of_io(owners, lot, &owners->ios[at++]);
    }
    pthread_mutex_lock(&owners->lock);
    owners->next = at;
    owners->full++;
    pthread_cond_broadcast(&owners->changed);
}

static void *io_owners_work(void *context) {
    struct io_owners *owners = context;

    pthread_mutex_lock(&owners->lock);
    while (!owners->stopped) {
        if (owners->next == owners->count || owners->full == LOTS) {
            pthread_cond_wait(&owners->changed, &owners->lock);
        } else {
            fill_next(owners);
        }
    }
    pthread_mutex_unlock(&owners->lock);
    return NULL;
}

struct io_owners *io_owners_new(const struct owner_sources *sources,
                                const struct filesystem_location *device) {
    struct io_owners *owners = xcalloc(1, sizeof *owners);

    owners->sources = *sources;
    owners->device = device;
    owners->lots = xcalloc(LOTS, sizeof *owners->lots);
    pthread_mutex_init(&owners->lock, NULL);
    pthread_cond_init(&owners->changed, NULL);
    owners->threaded = pthread_create(&owners->thread, NULL, io_owners_work, owners) == 0;
    return owners;
}

void io_owners_send(struct io_owners *owners, const struct io_lookup *ios, size_t count) {
    pthread_mutex_lock(&owners->lock);
    owners->ios = ios;
    owners->count = count;
    owners->next = 0;
    pthread_cond_broadcast(&owners->changed);
    pthread_mutex_unlock(&owners->lock);
}

const struct io_owner_batch *io_owners_receive(struct io_owners *owners) {
    const struct io_owner_batch *lot;

    pthread_mutex_lock(&owners->lock);
    if (owners->held) {
        owners->held = false;
        owners->first = (owners->first + 1) % LOTS;
        owners->full--;
        pthread_cond_broadcast(&owners->changed);
    }
    while (owners->full == 0 && owners->next < owners->count) {
        if (owners->threaded) {
            pthread_cond_wait(&owners->changed, &owners->lock);
        } else {
            fill_next(owners);
        }
    }
    owners->held = owners->full > 0;
    lot = owners->held ? &owners->lots[owners->first] : NULL;
    pthread_mutex_unlock(&owners->lock);
    return lot;
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
    free(owners->found.items);
    free(owners->lots);
    free(owners);
}
