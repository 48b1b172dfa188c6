#include "analysis/exposure.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/saturate.h"

/* A name, and the file to which it will refer on disk when a running sync ends. */
struct kept_name {
    struct name_node *node;
    struct disk_file *file;
};

/* A running sync of a group of writes to a file, or of names. If `relists` is set, it is not a
 * sync, but marks the end (`done`) of the last change of the file or names: from then on a sync can
 * cover them, so they are listed for syncing again. */
struct exposure_sync {
    int64_t done;  /* end of the sync */
    int64_t began; /* begin of the sync; INT64_MIN: a write that is durable by itself (O_DSYNC) */
    /* True: not a sync, but the end of the last change of the file or name, which is then listed
     * again for syncing. */
    bool relists;
    struct disk_file *file; /* file that is synced; NULL: the sync covers names */
    struct file_part part;
    struct kept_name *names; /* owned */
    size_t name_count;
    bool is_syncfs;
};

/* Adds the bytes, files and names now not on disk to the time intervals up to `time`. Call it
 * before a change. */
static void count_synced_until(struct exposure *exposure, int64_t time) {
    struct interval_part part;

    if (exposure->intervals != NULL && time > exposure->now) {
        part = interval_parts(exposure->intervals, exposure->now, time);
        while (interval_next_part(exposure->intervals, &part)) {
            struct exposure_interval *counts = &exposure->interval_counts[part.number];

            counts->area += (double)exposure->bytes * (double)part.length;
            counts->length += (double)part.length;
            counts->most = exposure->bytes > counts->most ? exposure->bytes : counts->most;
            counts->most_files =
                exposure->files > counts->most_files ? exposure->files : counts->most_files;
            counts->most_names =
                exposure->names > counts->most_names ? exposure->names : counts->most_names;
        }
    }
    exposure->now = time > exposure->now ? time : exposure->now;
}

static void exposure_remove_bytes(struct exposure *exposure, struct disk_file *file,
                                  int64_t bytes) {
    exposure->bytes -= bytes < exposure->bytes ? bytes : exposure->bytes;
    file->bytes -= bytes < file->bytes ? bytes : file->bytes;
}

/* Order of the heap. Of two syncs that end at the same time, the one that began later comes last,
 * because it also covers names made after the other began. */
static bool sync_ends_before(const struct exposure_sync *a, const struct exposure_sync *b) {
    return a->done != b->done ? a->done < b->done : a->began < b->began;
}

static void exposure_push(struct exposure *exposure, const struct exposure_sync *sync) {
    *ARRAY_NEW(exposure->heap, exposure->heap_count, exposure->heap_capacity) = *sync;
    HEAP_UP(struct exposure_sync, exposure->heap, exposure->heap_count, sync_ends_before);
}

static struct exposure_sync exposure_pop(struct exposure *exposure) {
    const struct exposure_sync first = exposure->heap[0];

    exposure->heap[0] = exposure->heap[--exposure->heap_count];
    HEAP_DOWN(struct exposure_sync, exposure->heap, exposure->heap_count, sync_ends_before);
    return first;
}

enum { RUNNING_MOST = 4096 /* limit of running syncs that hasten_syncs() checks */ };

/* Called when a sync begins. The new sync also covers everything that running syncs of `file` cover
 * (or of the names in `folder`; or, if both are NULL, all running syncs). So running syncs that
 * would end later get the new sync's end. Does nothing for syncfs, which may be of another file
 * system. */
static void hasten_syncs(struct exposure *exposure, const struct disk_file *file,
                         const struct name_directory *folder, const struct exposure_call *call) {
    for (size_t i = 0; i < exposure->heap_count && i < RUNNING_MOST && !call->is_syncfs; i++) {
        struct exposure_sync *sync = &exposure->heap[i];

        if (sync->done > call->end && sync->began != INT64_MIN && !sync->relists &&
            (file == NULL || sync->file == file) &&
            (folder == NULL || (sync->name_count > 0 && sync->names[0].node->in == folder))) {
            sync->done = call->end;
            HEAP_UP(struct exposure_sync, exposure->heap, i + 1, sync_ends_before);
        }
    }
}

static void list_name(struct exposure *exposure, struct name_node *node) {
    struct name_directory *folder = node->in;

    if (node->listed || folder == NULL) {
        return;
    }
    node->listed = true;
    *ARRAY_NEW(folder->changed, folder->changed_count, folder->changed_capacity) = node;
    if (!folder->listed) {
        folder->listed = true;
        *ARRAY_NEW(exposure->folders, exposure->folder_count, exposure->folder_capacity) = folder;
    }
}

static void list_file(struct exposure *exposure, struct disk_file *file) {
    if (!file->listed) {
        file->listed = true;
        *ARRAY_NEW(exposure->dirty, exposure->dirty_count, exposure->dirty_capacity) = file;
    }
}

/* Records that all of the file is on disk, or that the file is gone, from `time` on. */
static void end_exposure(struct exposure *exposure, struct disk_file *file, int64_t time) {
    add_saturated(&file->exposed, difference_saturated(time, file->exposed_since));
    file->exposed_since = EVENT_NONE;
    exposure->files--;
}

static void end_part(struct exposure *exposure, const struct exposure_sync *sync) {
    struct disk_file *file = sync->file;
    int64_t length = difference_saturated(sync->done, sync->part.since);

    /* The file's last name was removed before the sync ended: its bytes no longer count. */
    if (file->syncing == 0) {
        return;
    }
    file->syncing--;
    exposure_remove_bytes(exposure, file, sync->part.bytes);
    file->longest = length > file->longest ? length : file->longest;
    if (sync->is_syncfs) {
        file->syncfs_began = sync->began > file->syncfs_began ? sync->began : file->syncfs_began;
    }
    /* A later sync also covers what the syncfs covered. A durable write (O_DSYNC) covers only
     * itself. */
    file->by_syncfs = sync->is_syncfs || (file->by_syncfs && sync->began < file->syncfs_began);
    if (sync->part.last == file->last_write) {
        file->synced = sync->done;
    }
    if (sync->began > file->covered) {
        exposure->early += file->covered == INT64_MIN ? file->early : 0;
        file->covered = sync->began;
    }
    if (!file_is_exposed(file)) {
        end_exposure(exposure, file, sync->done);
    }
}

void exposure_store_name(struct exposure *exposure, struct name_node *node,
                         struct disk_file *file) {
    exposure->names -= name_is_exposed(node);
    node->kept = file;
    if (name_is_exposed(node)) {
        exposure->names++;
        list_name(exposure, node);
    }
}

static void end_sync(struct exposure *exposure, const struct exposure_sync *sync) {
    if (sync->name_count > 0 && !sync->relists) {
        sync->names[0].node->in->syncing--;
    }
    if (sync->file != NULL && sync->relists && sync->file->part_count > 0) {
        list_file(exposure, sync->file);
    } else if (sync->file != NULL && !sync->relists) {
        end_part(exposure, sync);
    }
    for (size_t i = 0; i < sync->name_count; i++) {
        struct name_node *node = sync->names[i].node;

        if (sync->relists && name_is_exposed(node)) {
            list_name(exposure, node);
        } else if (!sync->relists && sync->began >= node->stored) {
            node->stored = sync->began;
            node->origin = sync->names[i].file == node->now ? NULL : node->origin;
            exposure_store_name(exposure, node, sync->names[i].file);
            node->by_syncfs = sync->is_syncfs;
        }
    }
    free(sync->names);
}

void exposure_advance(struct exposure *exposure, int64_t time) {
    while (exposure->heap_count > 0 && exposure->heap[0].done <= time) {
        struct exposure_sync sync = exposure_pop(exposure);

        count_synced_until(exposure, sync.done);
        end_sync(exposure, &sync);
    }
    count_synced_until(exposure, time);
}

struct disk_file *exposure_add_file(struct exposure *exposure) {
    struct disk_file *file = xcalloc(1, sizeof *file);

    file->last_write = file->synced = file->exposed_since = file->replaced = EVENT_NONE;
    file->covered = file->fails_until = file->syncfs_began = INT64_MIN;
    file->next = exposure->all;
    exposure->all = file;
    exposure->file_count++;
    return file;
}

static void join_file_parts(struct file_part *to, const struct file_part *from) {
    to->since = from->since < to->since ? from->since : to->since;
    to->end = from->end > to->end ? from->end : to->end;
    to->last = from->last > to->last ? from->last : to->last;
    add_saturated(&to->bytes, from->bytes);
}

/* Adds a group of writes to a file. All groups whose writes have ended are merged into one. If
 * there is still no room, merges the new group into the last one, with the later of their ends. */
static void exposure_add_part(struct disk_file *file, const struct file_part *part, int64_t now) {
    unsigned kept = 0, ended = FILE_PARTS;

    for (unsigned i = 0; i < file->part_count; i++) {
        if (file->parts[i].end <= now && ended < FILE_PARTS) {
            join_file_parts(&file->parts[ended], &file->parts[i]);
            continue;
        }
        ended = file->parts[i].end <= now ? kept : ended;
        file->parts[kept++] = file->parts[i];
    }
    file->part_count = kept;
    if (kept == FILE_PARTS) {
        join_file_parts(&file->parts[FILE_PARTS - 1], part);
    } else {
        file->parts[file->part_count++] = *part;
    }
}

void file_mark_lost(struct disk_file *file) {
    unsigned kept = 0, lost = FILE_PARTS;

    file->lost = true;
    for (unsigned i = 0; i < file->part_count; i++) {
        struct file_part part = file->parts[i];

        part.lost |= part.end != INT64_MAX;
        part.end = INT64_MAX;
        if (part.lost && lost < FILE_PARTS) {
            join_file_parts(&file->parts[lost], &part);
        } else {
            lost = part.lost ? kept : lost;
            file->parts[kept++] = part;
        }
    }
    file->part_count = kept;
}

void exposure_sync_failed(struct exposure *exposure, struct disk_file *file, int64_t time) {
    for (size_t i = 0; file->syncing > 0 && i < exposure->heap_count && i < RUNNING_MOST; i++) {
        struct exposure_sync *sync = &exposure->heap[i];

        if (sync->file == file && sync->done > time && sync->began != INT64_MIN && !sync->relists) {
            exposure_add_part(file, &sync->part, time);
            file->syncing--;
            sync->file = NULL;
        }
    }
    file_mark_lost(file);
}

void file_mark_empty(struct disk_file *file, int64_t time) {
    file->lost = file->unsure = false;
    for (unsigned i = 0; i < file->part_count; i++) {
        file->parts[i].end = file->parts[i].lost ? time : file->parts[i].end;
        file->parts[i].lost = false;
    }
}

void exposure_write(struct exposure *exposure, struct disk_file *file,
                    const struct exposure_call *call, int64_t bytes, bool durable) {
    const struct file_part part = {call->time, call->end, call->time, bytes, false};

    add_saturated(&file->written, bytes);
    file->last_write = call->time;
    file->synced = EVENT_NONE;
    file->maybe_old = false;
    if (file->names == 0) {
        return; /* the file has no name: its data vanishes with its last descriptor */
    }
    if (!file_is_exposed(file)) {
        file->exposed_since = call->time;
        exposure->files++;
    }
    add_saturated(&exposure->bytes, bytes);
    add_saturated(&file->bytes, bytes);
    if (durable) {
        file->syncing++;
        exposure_push(exposure,
                      &(struct exposure_sync){
                          .done = call->end, .began = INT64_MIN, .file = file, .part = part});
        return;
    }
    exposure_add_part(file, &part, call->time);
    list_file(exposure, file);
}

static int64_t cover_file(struct exposure *exposure, struct disk_file *file,
                          const struct exposure_call *call) {
    struct exposure_sync sync = {
        .done = call->end,
        .began = call->time,
        .file = file,
        .part = {.since = INT64_MAX, .last = INT64_MIN},
    };
    unsigned kept = 0;

    for (unsigned i = 0; i < file->part_count; i++) {
        if (file->parts[i].end <= call->time) {
            join_file_parts(&sync.part, &file->parts[i]);
        } else {
            file->parts[kept++] = file->parts[i];
        }
    }
    if (kept == file->part_count) {
        return -1;
    }
    file->part_count = kept;
    file->syncing++;
    sync.is_syncfs = call->is_syncfs;
    exposure_push(exposure, &sync);
    return sync.part.bytes;
}

int64_t exposure_sync_file(struct exposure *exposure, struct disk_file *file,
                           const struct exposure_call *call) {
    int64_t bytes;

    if (file->syncing > 0) {
        hasten_syncs(exposure, file, NULL, call);
    }
    bytes = cover_file(exposure, file, call);
    if (bytes < 0 && file->covered == INT64_MIN) {
        exposure->early += file->early;
        file->covered = SYNCED_IN_VAIN;
    }
    return bytes;
}

int64_t exposure_longest_at_risk(const struct exposure *exposure, const struct disk_file *file,
                                 int64_t time) {
    int64_t since = time;

    for (unsigned i = 0; i < file->part_count; i++) {
        since = file->parts[i].since < since ? file->parts[i].since : since;
    }
    for (size_t i = 0; file->syncing > 0 && i < exposure->heap_count; i++) {
        const struct exposure_sync *sync = &exposure->heap[i];

        if (sync->file == file && !sync->relists && sync->part.since < since) {
            since = sync->part.since;
        }
    }
    since = difference_saturated(time, since);
    return since > file->longest ? since : file->longest;
}

/* Stops counting the bytes of a file that has no name any more. */
static void remove_file(struct exposure *exposure, struct disk_file *file, int64_t time) {
    if (file_is_exposed(file)) {
        file->longest = exposure_longest_at_risk(exposure, file, time);
        exposure_remove_bytes(exposure, file, file->bytes);
        file->part_count = file->syncing = 0;
        end_exposure(exposure, file, time);
    }
}

static struct kept_name *new_kept_name(struct name_node *node) {
    struct kept_name *name = xcalloc(1, sizeof *name);

    *name = (struct kept_name){node, node->now};
    return name;
}

static int64_t cover_names(struct exposure *exposure, struct name_directory *folder,
                           const struct exposure_call *call) {
    struct exposure_sync sync = {
        .done = call->end, .began = call->time, .is_syncfs = call->is_syncfs};

    if (folder->changed_count == 0) {
        return 0;
    }
    sync.names = xcalloc(folder->changed_count, sizeof *sync.names);
    for (size_t i = 0; i < folder->changed_count; i++) {
        struct name_node *node = folder->changed[i];

        node->listed = false;
        if (name_is_exposed(node) && node->settled > call->time) {
            exposure_push(exposure, &(struct exposure_sync){.done = node->settled,
                                                            .relists = true,
                                                            .names = new_kept_name(node),
                                                            .name_count = 1});
        } else if (name_is_exposed(node)) {
            sync.names[sync.name_count++] = (struct kept_name){node, node->now};
        }
    }
    folder->changed_count = 0;
    if (sync.name_count == 0) {
        free(sync.names);
        return 0;
    }
    folder->syncing++;
    exposure_push(exposure, &sync);
    return (int64_t)sync.name_count;
}

int64_t exposure_sync_names(struct exposure *exposure, struct name_directory *folder,
                            const struct exposure_call *call) {
    if (folder->syncing > 0) {
        hasten_syncs(exposure, NULL, folder, call);
    }
    return cover_names(exposure, folder, call);
}

int64_t exposure_sync_name(struct exposure *exposure, struct name_node *node,
                           const struct exposure_call *call) {
    if (!name_is_exposed(node) || node->settled > call->time) {
        return 0;
    }
    node->in->syncing++;
    exposure_push(exposure, &(struct exposure_sync){.done = call->end,
                                                    .began = call->time,
                                                    .names = new_kept_name(node),
                                                    .name_count = 1});
    return 1;
}

/* Arranges that a file is listed for syncing again when the first of its running writes ends. */
static void relist_file(struct exposure *exposure, struct disk_file *file) {
    struct exposure_sync again = {.done = INT64_MAX, .relists = true, .file = file};

    file->listed = false;
    for (unsigned i = 0; i < file->part_count; i++) {
        again.done = file->parts[i].end < again.done ? file->parts[i].end : again.done;
    }
    if (again.done != INT64_MAX) {
        exposure_push(exposure, &again);
    }
}

int64_t exposure_sync_all(struct exposure *exposure, const struct exposure_call *call,
                          int64_t *names) {
    int64_t bytes = -1;

    *names = 0;
    hasten_syncs(exposure, NULL, NULL, call);
    for (size_t i = 0; i < exposure->dirty_count; i++) {
        struct disk_file *file = exposure->dirty[i];
        int64_t covered = cover_file(exposure, file, call);

        if (covered >= 0) {
            bytes = sum_saturated(bytes < 0 ? 0 : bytes, covered);
        }
        relist_file(exposure, file);
    }
    exposure->dirty_count = 0;
    for (size_t i = 0; i < exposure->folder_count; i++) {
        *names += cover_names(exposure, exposure->folders[i], call);
        exposure->folders[i]->listed = false;
    }
    exposure->folder_count = 0;
    return bytes;
}

/* Records that the name `origin` may refer to the file `kept` on disk until the change of `node` is
 * synced. */
static void set_origin(struct exposure *exposure, struct name_node *node, struct name_node *origin,
                       struct disk_file *kept) {
    exposure_store_name(exposure, origin, NULL);
    node->origin = origin;
    node->origin_kept = kept;
}

/* Removes and returns a name's origin. NULL: it has none, or since then a sync has put a file on
 * disk under the origin's name. */
static struct name_node *take_origin(struct name_node *node) {
    struct name_node *origin = node->origin;

    node->origin = NULL;
    return origin == NULL || origin->kept != NULL ? NULL : origin;
}

void exposure_set_name(struct exposure *exposure, struct name_node *node, struct disk_file *file,
                       const struct exposure_call *call, enum name_change how) {
    struct disk_file *before = node->now;
    struct name_node *origin = take_origin(node);

    if (origin != NULL) {
        exposure_store_name(exposure, origin, node->origin_kept);
    }
    if (file != NULL && file == node->kept) {
        set_origin(exposure, node, node, file); /* the name refers to its file on disk again, but
                                                   changes in between may reach the disk first */
    }
    if (file != NULL) {
        file->names++;
    }
    if (before != NULL) {
        node->last = before;
        before->names--;
        if (before->names == 0) {
            remove_file(exposure, before, call->time);
        }
    }
    exposure->names -= name_is_exposed(node);
    node->now = file;
    node->how = how;
    node->settled = call->end;
    if (name_is_exposed(node)) {
        exposure->names++;
        list_name(exposure, node);
    }
}

void exposure_rename(struct exposure *exposure, struct name_node *from, struct name_node *to,
                     struct disk_file *file, const struct exposure_call *call) {
    /* A rename within a directory reaches the disk as a whole or not at all. */
    bool within = from != NULL && to != NULL && from->in == to->in;
    struct name_node *origin = NULL;
    struct disk_file *kept = NULL;

    if (within && from->kept != NULL) {
        origin = from;
        kept = from->kept;
    } else if (within) {
        origin = take_origin(from);
        kept = from->origin_kept;
    }
    if (to != NULL) {
        exposure_set_name(exposure, to, file, call, NAME_RENAMED);
    }
    if (from != NULL) {
        exposure_set_name(exposure, from, NULL, call, NAME_MOVED_AWAY);
    }
    if (within) {
        exposure_store_name(exposure, from, NULL);
        if (origin != NULL) {
            set_origin(exposure, to, origin, kept);
        }
    }
}

void exposure_free_unmarked_files(struct exposure *exposure) {
    struct disk_file **at = &exposure->all;

    for (size_t i = 0; i < exposure->dirty_count; i++) {
        exposure->dirty[i]->marked = true;
    }
    for (size_t i = 0; i < exposure->heap_count; i++) {
        const struct exposure_sync *sync = &exposure->heap[i];

        if (sync->file != NULL) {
            sync->file->marked = true;
        }
        for (size_t j = 0; j < sync->name_count; j++) {
            if (sync->names[j].file != NULL) {
                sync->names[j].file->marked = true;
            }
        }
    }
    while (*at != NULL) {
        struct disk_file *file = *at;

        if (file->marked) {
            file->marked = false;
            at = &file->next;
        } else {
            *at = file->next;
            exposure->file_count--;
            free(file);
        }
    }
}

void exposure_free(struct exposure *exposure) {
    struct disk_file *next;

    for (size_t i = 0; i < exposure->heap_count; i++) {
        free(exposure->heap[i].names);
    }
    for (struct disk_file *file = exposure->all; file != NULL; file = next) {
        next = file->next;
        free(file);
    }
    free(exposure->heap);
    free(exposure->dirty);
    free(exposure->folders);
    *exposure = (struct exposure){0};
}

/* Limit of directories in a path. Renames may nest directories deeper than any path in the log. */
enum { DEEPEST = 4096 };

static struct name_node *exposure_new_node(struct name_directory *in, const char *key,
                                           size_t length) {
    struct name_node *node = xcalloc(1, sizeof *node + length);

    node->in = in;
    node->stored = INT64_MIN;
    node->key_length = length;
    memcpy(node->key, key, length);
    return node;
}

static struct name_node *exposure_step(struct name_tree *tree, struct name_directory *in,
                                       const char *name, size_t length, bool make) {
    struct name_node *node = NULL;

    text_clear(&tree->key);
    text_append(&tree->key, (const char *)&in->number, sizeof in->number);
    text_append(&tree->key, name, length);
    if (tree->nodes != NULL) {
        HASH_FIND(hh, tree->nodes, tree->key.bytes, tree->key.length, node);
    }
    if (node == NULL && make &&
        HASH_COUNT(tree->nodes) < (tree->most > 0 ? tree->most : NAMES_MOST)) {
        node = exposure_new_node(in, tree->key.bytes, tree->key.length);
        HASH_ADD(hh, tree->nodes, key[0], node->key_length, node);
    }
    return node;
}

struct name_node *name_node_follow(struct name_node *node) {
    for (int i = 0;
         i < LINKS_MOST && node != NULL && node->now != NULL && node->now->target != NULL; i++) {
        node = node->now->target;
    }
    return node;
}

struct name_node *name_tree_find(struct name_tree *tree, const char *path, size_t length,
                                 bool make) {
    bool absolute = length > 0 && *path == '/';
    struct name_node **begin = &tree->begins[absolute], *node;
    const char *end = path + length;

    if (*begin == NULL) {
        *begin = exposure_new_node(NULL, absolute ? "/" : ".", 1);
    }
    path += absolute;
    if (path == end || (length == 1 && *path == '.')) {
        return *begin;
    }
    for (node = *begin; node != NULL && path < end; path++) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        const char *after = slash == NULL ? end : slash;

        node = name_node_follow(node);
        if (node->folder == NULL && make) {
            node->folder = xcalloc(1, sizeof *node->folder);
            node->folder->number = ++tree->numbers;
            node->folder->covered = INT64_MIN;
            node->folder->at = node;
            node->folder->next = tree->folders;
            tree->folders = node->folder;
        }
        node = node->folder == NULL
                   ? NULL
                   : exposure_step(tree, node->folder, path, (size_t)(after - path), make);
        path = after;
    }
    return node;
}

void name_tree_move(struct name_tree *tree, struct name_node *from, struct name_node *to) {
    const struct name_node *above = to;

    for (int depth = 0; above != NULL; above = name_node_parent(above)) {
        if (above == from || ++depth == DEEPEST) {
            return;
        }
    }
    if (to != NULL && from->folder != NULL) {
        to->folder = from->folder;
        to->folder->at = to;
        from->folder = NULL;
        tree->moves++;
    }
}

struct path_change {
    uint64_t path; /* hash of all names in the path */
    int64_t times;
    UT_hash_handle hh;
};

/* Returns the hash of a name's path, which is cached until a directory moves. */
static uint64_t path_hash(const struct name_tree *tree, struct name_node *node) {
    const size_t before = sizeof node->in->number;
    struct name_node *parts[DEEPEST];
    uint64_t hash = 0;
    size_t depth = 0;

    if (node->hashed == tree->moves + 1) {
        return node->hash;
    }
    for (; node->in != NULL && depth < DEEPEST; node = node->in->at) {
        parts[depth++] = node;
    }
    while (depth > 0) {
        node = parts[--depth];
        hash =
            seeded_hash_number(hash) + seeded_hash(node->key + before, node->key_length - before);
        node->hash = hash;
        node->hashed = tree->moves + 1;
    }
    return hash;
}

static struct path_change *find_path_change(const struct name_tree *tree, uint64_t hash) {
    struct path_change *change;

    HASH_FIND(hh, tree->changes, &hash, sizeof hash, change);
    return change;
}

void name_tree_add_change(struct name_tree *tree, struct name_node *node) {
    uint64_t hash = path_hash(tree, node);
    struct path_change *change = find_path_change(tree, hash);

    if (change == NULL && HASH_COUNT(tree->changes) < NAMES_MOST) {
        HASH_NEW(tree->changes, path, hash, change);
    }
    if (change != NULL) {
        change->times++;
    }
}

int64_t name_tree_count_changes(const struct name_tree *tree, struct name_node *node) {
    int64_t times = 0;

    for (int i = 0; tree->changes != NULL && node->in != NULL && i < DEEPEST; i++) {
        const struct path_change *change = find_path_change(tree, path_hash(tree, node));

        times += change == NULL ? 0 : change->times;
        node = node->in->at;
    }
    return times;
}

void name_node_append_path(const struct name_node *node, struct text *path) {
    const struct name_node *parts[DEEPEST];
    size_t depth = 0;

    for (; node->in != NULL && depth < DEEPEST; node = node->in->at) {
        parts[depth++] = node;
    }
    if (depth == 0 || *node->key == '/') {
        text_append_char(path, *node->key);
    }
    for (size_t i = depth; i > 0; i--) {
        text_append(path, parts[i - 1]->key + sizeof parts[0]->in->number,
                    parts[i - 1]->key_length - sizeof parts[0]->in->number);
        text_append(path, "/", i > 1);
    }
}

void name_tree_free(struct name_tree *tree) {
    struct name_directory *next;

    HASH_FREE(tree->nodes);
    HASH_FREE(tree->changes);
    for (struct name_directory *folder = tree->folders; folder != NULL; folder = next) {
        next = folder->next;
        free(folder->changed);
        free(folder);
    }
    free(tree->begins[0]);
    free(tree->begins[1]);
    text_free(&tree->key);
    *tree = (struct name_tree){0};
}
