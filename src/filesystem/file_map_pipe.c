/* A map on its way from one process to another. */
#include "filesystem/file_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* What is sent ahead of the arrays. */
struct head {
    uint64_t blocks, offset, unreadable, disputed, amount, written;
    uint32_t block_size, cluster, root, log_blocks, unused_journals, has_fast_commits;
    uint8_t uuid[16];
    uint64_t extents, files, live, names, transactions, pasts, past_names;
};

static bool write_all(int descriptor, const void *bytes, size_t length) {
    const char *at = bytes;

    while (length > 0) {
        ssize_t written = write(descriptor, at, length);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        at += written;
        length -= (size_t)written;
    }
    return true;
}

bool file_map_send(const struct file_map *map, int descriptor) {
    struct head head;

    memset(&head, 0, sizeof head);
    head.blocks = map->blocks;
    head.offset = map->offset;
    head.unreadable = map->unreadable;
    head.disputed = map->disputed;
    head.amount = map->amount;
    head.written = map->written;
    head.block_size = map->block_size;
    head.cluster = map->cluster;
    head.root = map->root;
    head.log_blocks = map->log_blocks;
    head.unused_journals = map->unused_journals;
    head.has_fast_commits = map->has_fast_commits;
    memcpy(head.uuid, map->uuid, sizeof head.uuid);
    head.extents = map->extents.count;
    head.files = map->files.count;
    head.live = map->live;
    head.transactions = map->transaction_count;
    head.pasts = map->pasts.count;
    head.past_names = map->past_names.count;
    head.names = map->names.length;
    return write_all(descriptor, &head, sizeof head) &&
           write_all(descriptor, map->extents.items,
                     map->extents.count * sizeof *map->extents.items) &&
           write_all(descriptor, map->files.items, map->files.count * sizeof *map->files.items) &&
           write_all(descriptor, map->transactions,
                     map->transaction_count * sizeof *map->transactions) &&
           write_all(descriptor, map->pasts.items, map->pasts.count * sizeof *map->pasts.items) &&
           write_all(descriptor, map->past_names.items,
                     map->past_names.count * sizeof *map->past_names.items) &&
           write_all(descriptor, map->names.bytes, map->names.length);
}

static bool read_all(int descriptor, void *bytes, size_t length) {
    char *at = bytes;

    while (length > 0) {
        ssize_t got = read(descriptor, at, length);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* An array of `count` elements out of the pipe; of none, NULL. */
static bool read_array(int descriptor, void **items, size_t count, size_t size,
                       struct error *error) {
    *items = count == 0 ? NULL : xmalloc(count * size);
    return read_all(descriptor, *items, count * size) || error_set(error, "it ends early");
}

static bool extents_are_sound(const struct file_map *map) {
    uint64_t end = 0;

    for (size_t i = 0; i < map->extents.count; i++) {
        const struct map_extent *extent = &map->extents.items[i];

        if (extent->start < end || extent->length == 0 || extent->start >= map->blocks ||
            extent->length > map->blocks - extent->start || extent->class >= BLOCK_CLASSES ||
            (extent->file != 0 && extent->file >= map->files.count)) {
            return false;
        }
        end = extent->start + extent->length;
    }
    return true;
}

static bool is_among_names(const struct file_map *map, uint32_t name, uint16_t length) {
    return name <= map->names.length && length <= map->names.length - name;
}

static bool files_are_sound(const struct file_map *map) {
    const struct map_file *files = map->files.items;

    for (size_t i = 0; i < map->files.count; i++) {
        if (!is_among_names(map, files[i].name, files[i].length) ||
            files[i].touched > map->transaction_count ||
            (i == 0 ? files[i].inode != 0
                    : i < map->live && files[i].inode <= files[i - 1].inode)) {
            return false;
        }
    }
    return map->live <= map->files.count;
}

static bool past_is_sound(const struct file_map *map) {
    uint64_t start = 0;

    for (size_t i = 0; i < map->pasts.count; i++) {
        const struct map_past *past = &map->pasts.items[i];

        if (past->start < start || past->start >= map->blocks ||
            past->length > map->blocks - past->start || past->class >= BLOCK_CLASSES ||
            past->file == 0 || past->file >= map->files.count) {
            return false;
        }
        start = past->start;
    }
    for (size_t i = 0; i < map->past_names.count; i++) {
        const struct map_past_name *items = map->past_names.items;

        if (!is_among_names(map, items[i].name, items[i].length)) {
            return false;
        }
    }
    return map_names_are_in_order(map);
}

static bool receive_past(struct file_map *map, const struct head *head, int descriptor,
                         struct error *error) {
    void *items;
    bool done =
        read_array(descriptor, &items, head->transactions, sizeof *map->transactions, error);

    map->transactions = items;
    map->transaction_count = head->transactions;
    if (!done) {
        return false;
    }
    done = read_array(descriptor, &items, head->pasts, sizeof *map->pasts.items, error);
    map->pasts = (struct map_pasts){items, head->pasts, head->pasts};
    if (!done) {
        return false;
    }
    done = read_array(descriptor, &items, head->past_names, sizeof *map->past_names.items, error);
    map->past_names = (struct map_past_names){items, head->past_names, head->past_names};
    return done;
}

static bool receive_arrays(struct file_map *map, const struct head *head, int descriptor,
                           struct error *error) {
    void *items;
    bool done = read_array(descriptor, &items, head->extents, sizeof *map->extents.items, error);

    map->extents = (struct map_extents){items, head->extents, head->extents};
    if (!done) {
        return false;
    }
    done = read_array(descriptor, &items, head->files, sizeof *map->files.items, error);
    map->files = (struct map_files){items, head->files, head->files};
    map->live = head->live;
    if (!done || !receive_past(map, head, descriptor, error)) {
        return false;
    }
    text_reserve(&map->names, head->names + 1);
    map->names.length = head->names;
    return read_all(descriptor, map->names.bytes, head->names) || error_set(error, "it ends early");
}

bool file_map_receive(struct file_map *map, int descriptor, struct error *error) {
    struct head head;

    *map = (struct file_map){0};
    if (!read_all(descriptor, &head, sizeof head) || head.extents > MAP_MOST_EXTENTS ||
        head.files > MAP_MOST_FILES || head.names > MAP_MOST_NAMES ||
        head.transactions > MAP_MOST_TRANSACTIONS || head.pasts > MAP_MOST_EXTENTS ||
        head.past_names > MAP_MOST_FILES || head.block_size == 0) {
        return error_set(error, "it is none");
    }
    map->blocks = head.blocks;
    map->offset = head.offset;
    map->unreadable = head.unreadable;
    map->disputed = head.disputed;
    map->amount = head.amount;
    map->written = head.written;
    map->block_size = head.block_size;
    map->cluster = head.cluster;
    map->root = head.root;
    map->log_blocks = head.log_blocks;
    map->unused_journals = head.unused_journals;
    map->has_fast_commits = head.has_fast_commits != 0;
    memcpy(map->uuid, head.uuid, sizeof map->uuid);
    if (!receive_arrays(map, &head, descriptor, error)) {
        return false;
    }
    if (!extents_are_sound(map) || !files_are_sound(map) || !past_is_sound(map)) {
        return error_set(error, "it is damaged");
    }
    map_make_reach(map);
    map_make_gone(map);
    return true;
}
