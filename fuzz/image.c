/* The target `image`: an image of a file system, of any kind and compression that `map` reads. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "filesystem/f2fs_volume.h"
#include "filesystem/image.h"
#include "input/bytes.h"
#include "target.h"

/* Larger superblocks are skipped: image_read() starts a process with limits for them, which is not
 * used here. */
#define MOST_BLOCKS (1u << 20)

/* A map must be the same after it went through a pipe. */
static void check_pipe(const struct file_map *map) {
    int descriptor = memfd_create("map", MFD_CLOEXEC);
    struct file_map copy = {0};
    struct error error = {0};

    if (descriptor < 0 || !file_map_send(map, descriptor) || lseek(descriptor, 0, SEEK_SET) != 0) {
        target_failed("a map cannot be sent");
    }
    if (!file_map_receive(&copy, descriptor, &error)) {
        target_failed("a map that was made is none: %s", error.message);
    }
    if (copy.extents.count != map->extents.count || copy.files.count != map->files.count ||
        copy.pasts.count != map->pasts.count) {
        target_failed("a map that was sent is another one");
    }
    file_map_free(&copy);
    close(descriptor);
}

/* Every block of an extent must be found in it, and every file must have a path. */
static void check_present(const struct file_map *map) {
    struct text path = {0};

    for (size_t i = 0; i < map->extents.count; i++) {
        const struct map_extent *extent = &map->extents.items[i];

        if (file_map_find(map, extent->start) != extent ||
            file_map_find(map, extent->start + extent->length - 1) != extent) {
            target_failed("block %llu is not where it is", (unsigned long long)extent->start);
        }
    }
    for (uint32_t file = 1; file < map->files.count; file++) {
        text_clear(&path);
        file_map_append_path(map, file, &path);
        if (path.length == 0) {
            target_failed("file %u has no path", (unsigned)file);
        }
    }
    text_free(&path);
}

/* A past owner must be found at its time, or a younger one. */
static void check_past(const struct file_map *map) {
    struct text path = {0};

    for (size_t i = 0; i < map->pasts.count; i++) {
        const struct past_owner *past = &map->pasts.items[i];
        const struct past_owner *found = file_map_find_past_owner(map, past->start, past->from);

        if (past->from >= past->until || past->until > map->transaction_count) {
            target_failed("a piece of the past is of no time");
        }
        if (map->pasts.count < MAP_PAST_STEPS && (found == NULL || found->from < past->from)) {
            target_failed("a piece of the past is not found");
        }
        text_clear(&path);
        file_map_append_path_after(map, past->file, past->from, &path);
    }
    text_free(&path);
}

void image_check(const struct file_map *map) {
    check_pipe(map);
    check_present(map);
    check_past(map);
    target_did("map");
    if (map->pasts.count > 0) {
        target_did("past");
    }
}

/* Whether a superblock claims no more blocks than allowed, and for ext no more inodes. */
static bool is_small(int descriptor, uint64_t offset) {
    unsigned char head[2048];
    const unsigned char *super = head + 1024;

    if (pread(descriptor, head, sizeof head, (off_t)offset) != (ssize_t)sizeof head) {
        return false;
    }
    if (f2fs_is_present(head)) {
        return bytes_u64_little(super + 36) <= MOST_BLOCKS;
    }
    return bytes_u32_little(super + 4) <= MOST_BLOCKS && bytes_u32_little(super + 0x150) == 0 &&
           bytes_u32_little(super) <= MOST_BLOCKS;
}

void image_target(const uint8_t *bytes, size_t length) {
    struct image_request request = {.path = target_file(bytes, length)};
    struct file_map map = {0};
    struct error error = {0};
    int descriptor = unpack_image(request.path, &error);
    bool done = descriptor >= 0 &&
                find_filesystem_offset(descriptor, PLACE_NOT_GIVEN, NULL, &request.offset, &error);

    if (done && is_small(descriptor, request.offset)) {
        done = image_read_in_process(&request, descriptor, &map, &error);
        if (done) {
            image_check(&map);
        }
    }
    target_check_message(done, &error);
    file_map_free(&map);
    if (descriptor >= 0) {
        close(descriptor);
    }
}
