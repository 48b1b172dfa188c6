/* Transfer of a map between processes. */
#include "filesystem/file_map.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* Arrays of a map; they are sent after it, in this order. */
static const struct {
    size_t items, count, capacity; /* offsets of the array's members; capacity 0: none */
    size_t size, most;
} arrays[] = {
    {offsetof(struct file_map, extents.items), offsetof(struct file_map, extents.count),
     offsetof(struct file_map, extents.capacity), sizeof(struct map_extent), MAP_MOST_EXTENTS},
    {offsetof(struct file_map, files.items), offsetof(struct file_map, files.count),
     offsetof(struct file_map, files.capacity), sizeof(struct map_file), MAP_MOST_FILES},
    {offsetof(struct file_map, pasts.items), offsetof(struct file_map, pasts.count),
     offsetof(struct file_map, pasts.capacity), sizeof(struct map_past), MAP_MOST_EXTENTS},
    {offsetof(struct file_map, past_names.items), offsetof(struct file_map, past_names.count),
     offsetof(struct file_map, past_names.capacity), sizeof(struct map_past_name), MAP_MOST_FILES},
    {offsetof(struct file_map, transactions), offsetof(struct file_map, transaction_count), 0,
     sizeof(struct map_transaction), MAP_MOST_TRANSACTIONS},
    {offsetof(struct file_map, names.bytes), offsetof(struct file_map, names.length),
     offsetof(struct file_map, names.capacity), 1, MAP_MOST_NAMES},
};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static size_t *file_map_pipe_number_at(struct file_map *map, size_t place) {
    return (size_t *)(void *)((char *)map + place);
}

static void **items_at(struct file_map *map, size_t place) {
    return (void **)(void *)((char *)map + place);
}

bool file_map_send(const struct file_map *map, int descriptor) {
    bool done = file_write_all(descriptor, map, sizeof *map);

    for (size_t i = 0; done && i < ARRAYS; i++) {
        const void *items;
        size_t count;

        memcpy(&items, (const char *)map + arrays[i].items, sizeof items);
        memcpy(&count, (const char *)map + arrays[i].count, sizeof count);
        done = file_write_all(descriptor, items, count * arrays[i].size);
    }
    return done;
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

/* Copies only numbers of the received structure: nothing else is trusted. */
static bool copy_numbers(struct file_map *map, struct error *error) {
    unsigned char fast_commits;

    memcpy(&fast_commits, (char *)map + offsetof(struct file_map, has_fast_commits), 1);
    map->has_fast_commits = fast_commits != 0;
    map->strange = 0;
    map->gone = NULL;
    map->reach = NULL;
    for (size_t i = 0; i < ARRAYS; i++) {
        if (*file_map_pipe_number_at(map, arrays[i].count) > arrays[i].most ||
            map->block_size == 0) {
            *map = (struct file_map){0};
            return error_set(error, "it is none");
        }
        *items_at(map, arrays[i].items) = NULL;
    }
    return true;
}

/* Receives an array; NULL if it is empty. */
static bool receive_array(struct file_map *map, size_t i, int descriptor, struct error *error) {
    size_t count = *file_map_pipe_number_at(map, arrays[i].count), size = arrays[i].size;
    void *items = count == 0 ? NULL : xmalloc(count * size + 1);

    *items_at(map, arrays[i].items) = items;
    if (arrays[i].capacity != 0) {
        *file_map_pipe_number_at(map, arrays[i].capacity) = count;
    }
    return file_read_all(descriptor, -1, items, count * size) || error_set(error, "it ends early");
}

bool file_map_receive(struct file_map *map, int descriptor, struct error *error) {
    bool done;

    *map = (struct file_map){0};
    done = file_read_all(descriptor, -1, map, sizeof *map) || error_set(error, "it is none");
    if (!done) {
        *map = (struct file_map){0};
    }
    done = done && copy_numbers(map, error);
    for (size_t i = 0; done && i < ARRAYS; i++) {
        done = receive_array(map, i, descriptor, error);
    }
    if (!done) {
        return false;
    }
    if (!extents_are_sound(map) || !files_are_sound(map) || !past_is_sound(map)) {
        return error_set(error, "it is damaged");
    }
    map_make_reach(map);
    map_make_gone(map);
    return true;
}
