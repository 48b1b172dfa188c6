#include "filesystem/image.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "filesystem/ext_reader.h"
#include "filesystem/f2fs_volume.h"
#include "input/bytes.h"
#include "input/input.h"

/* Sending a map from one process to another. */

/* Arrays of struct file_map, in the order in which they are sent after the struct itself. */
static const struct {
    size_t items, count, capacity; /* offsets in struct file_map; capacity 0: no such member */
    size_t size, most;
} arrays[] = {
    {offsetof(struct file_map, extents.items), offsetof(struct file_map, extents.count),
     offsetof(struct file_map, extents.capacity), sizeof(struct map_extent), MAP_MOST_EXTENTS},
    {offsetof(struct file_map, files.items), offsetof(struct file_map, files.count),
     offsetof(struct file_map, files.capacity), sizeof(struct map_file), MAP_MOST_FILES},
    {offsetof(struct file_map, pasts.items), offsetof(struct file_map, pasts.count),
     offsetof(struct file_map, pasts.capacity), sizeof(struct past_owner), MAP_MOST_EXTENTS},
    {offsetof(struct file_map, past_names.items), offsetof(struct file_map, past_names.count),
     offsetof(struct file_map, past_names.capacity), sizeof(struct past_name), MAP_MOST_FILES},
    {offsetof(struct file_map, transactions), offsetof(struct file_map, transaction_count), 0,
     sizeof(struct map_transaction), MAP_MOST_TRANSACTIONS},
    {offsetof(struct file_map, names.bytes), offsetof(struct file_map, names.length),
     offsetof(struct file_map, names.capacity), 1, MAP_MOST_NAMES},
};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static size_t *file_map_pipe_number_at(struct file_map *map, size_t place) {
    return (size_t *)(void *)((char *)map + place);
}

static void **map_array_at(struct file_map *map, size_t place) {
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
        const struct past_owner *past = &map->pasts.items[i];

        if (past->start < start || past->start >= map->blocks ||
            past->length > map->blocks - past->start || past->class >= BLOCK_CLASSES ||
            past->file == 0 || past->file >= map->files.count) {
            return false;
        }
        start = past->start;
    }
    for (size_t i = 0; i < map->past_names.count; i++) {
        const struct past_name *items = map->past_names.items;

        if (!is_among_names(map, items[i].name, items[i].length)) {
            return false;
        }
    }
    return map_names_are_in_order(map);
}

/* Clears pointers in a received struct, which must not be trusted, and checks its numbers. */
static bool copy_numbers(struct file_map *map, struct error *error) {
    unsigned char fast_commits, other_journal;

    memcpy(&fast_commits, (char *)map + offsetof(struct file_map, has_fast_commits), 1);
    memcpy(&other_journal, (char *)map + offsetof(struct file_map, has_other_journal), 1);
    map->has_fast_commits = fast_commits != 0;
    map->has_other_journal = other_journal != 0;
    map->strange = 0;
    map->gone = NULL;
    map->max_ends = NULL;
    for (size_t i = 0; i < ARRAYS; i++) {
        if (*file_map_pipe_number_at(map, arrays[i].count) > arrays[i].most ||
            map->block_size == 0) {
            *map = (struct file_map){0};
            return error_set(error, "it is none");
        }
        *map_array_at(map, arrays[i].items) = NULL;
    }
    return true;
}

/* Receives array `i` of a map. The pointer is NULL if the array is empty. */
static bool receive_array(struct file_map *map, size_t i, int descriptor, struct error *error) {
    size_t count = *file_map_pipe_number_at(map, arrays[i].count), size = arrays[i].size;
    void *items = count == 0 ? NULL : xmalloc(count * size + 1);

    *map_array_at(map, arrays[i].items) = items;
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
    map_make_max_ends(map);
    map_fill_deleted_files(map);
    return true;
}

/* File systems that can be read, for error messages. */
#define KNOWN "ext2, ext3, ext4 or F2FS"

#define SECTOR 512

/* Returns whether a known file system begins at byte `offset`. */
static bool is_known_at(int descriptor, uint64_t offset) {
    unsigned char head[2048];

    return offset <= INT64_MAX - sizeof head &&
           pread(descriptor, head, sizeof head, (off_t)offset) == (ssize_t)sizeof head &&
           (ext_is_present(head) || f2fs_is_present(head));
}

static bool refuse_unknown_file_system(bool known, const char *where, struct error *error) {
    return known || error_set(error, "no " KNOWN " file system %s", where);
}

static uint64_t image_start_of(blkid_partition partition) {
    return (uint64_t)blkid_partition_get_start(partition) * SECTOR;
}

/* Returns whether `wanted` is the name or the number of a partition. */
static bool image_is_called(blkid_partition partition, const char *wanted) {
    const char *name = blkid_partition_get_name(partition);
    char *rest;
    long number = strtol(wanted, &rest, 10);

    return (name != NULL && strcmp(name, wanted) == 0) ||
           (*wanted != '\0' && *rest == '\0' && number == blkid_partition_get_partno(partition));
}

/* Appends "NAME (byte OFFSET)" of a partition, with its number if it has no name. */
static void image_describe(blkid_partition partition, struct text *list) {
    const char *name = blkid_partition_get_name(partition);

    text_append_string(list, list->length == 0 ? "" : ", ");
    if (name != NULL && *name != '\0') {
        text_append_word(list, name);
    } else {
        text_append_integer(list, blkid_partition_get_partno(partition));
    }
    text_append_format(list, " (byte %llu)", (unsigned long long)image_start_of(partition));
}

static bool image_choose_named(int descriptor, blkid_partlist list, const char *wanted,
                               uint64_t *offset, struct error *error) {
    struct text all = {0};

    for (int i = 0; i < blkid_partlist_numof_partitions(list); i++) {
        blkid_partition partition = blkid_partlist_get_partition(list, i);

        if (image_is_called(partition, wanted)) {
            text_free(&all);
            *offset = image_start_of(partition);
            return refuse_unknown_file_system(is_known_at(descriptor, *offset), "in that partition",
                                              error);
        }
        image_describe(partition, &all);
    }
    error_set(error, "there is no partition %s; there are %s", wanted, text_string(&all));
    text_free(&all);
    return false;
}

static bool choose_only(int descriptor, blkid_partlist list, uint64_t *offset,
                        struct error *error) {
    struct text all = {0};
    int count = 0;

    for (int i = 0; i < blkid_partlist_numof_partitions(list); i++) {
        blkid_partition partition = blkid_partlist_get_partition(list, i);

        if (is_known_at(descriptor, image_start_of(partition))) {
            *offset = image_start_of(partition);
            image_describe(partition, &all);
            count++;
        }
    }
    if (count == 0) {
        refuse_unknown_file_system(false, "in any of its partitions", error);
    } else if (count > 1) {
        error_set(error,
                  "%d partitions have " KNOWN "; --partition of map or import says which: %s",
                  count, text_string(&all));
    }
    text_free(&all);
    return count == 1;
}

/* Reads the partition table for a sector size in bytes; NULL if there is none. */
static blkid_partlist image_read_table(blkid_probe probe, unsigned sector_size) {
    blkid_partlist list;

    if (blkid_probe_set_sectorsize(probe, sector_size) != 0) {
        return NULL;
    }
    list = blkid_probe_get_partitions(probe);
    return list != NULL && blkid_partlist_numof_partitions(list) > 0 ? list : NULL;
}

static bool image_choose(int descriptor, blkid_probe probe, const char *partition, uint64_t *offset,
                         struct error *error) {
    blkid_partlist list = NULL;

    if (blkid_probe_set_device(probe, descriptor, 0, 0) == 0) {
        list = image_read_table(probe, SECTOR);
        list = list == NULL ? image_read_table(probe, 4096) : list;
    }
    if (list == NULL) {
        return partition != NULL
                   ? error_set(error, "it has no partitions")
                   : refuse_unknown_file_system(is_known_at(descriptor, 0),
                                                "at byte 0, and no partitions", error);
    }
    return partition != NULL ? image_choose_named(descriptor, list, partition, offset, error)
                             : choose_only(descriptor, list, offset, error);
}

/* Finds the file system that is at byte `given` of the device. The image is of the whole device, or
 * of a part that begins at that byte. */
static bool place_find_of_device(int descriptor, uint64_t given, uint64_t *offset,
                                 struct error *error) {
    *offset = is_known_at(descriptor, given) ? given : 0;
    return refuse_unknown_file_system(is_known_at(descriptor, *offset),
                                      "at that byte, nor at byte 0", error);
}

bool find_filesystem_offset(int descriptor, uint64_t given, const char *partition, uint64_t *offset,
                            struct error *error) {
    blkid_probe probe;
    bool done;

    *offset = given == PLACE_NOT_GIVEN ? 0 : given;
    if (given != PLACE_NOT_GIVEN || (partition == NULL && is_known_at(descriptor, 0))) {
        return refuse_unknown_file_system(is_known_at(descriptor, *offset), "at that byte", error);
    }
    probe = blkid_new_probe();
    done = image_choose(descriptor, probe, partition, offset, error);
    blkid_free_probe(probe);
    return done;
}

/* Layout of Android's sparse images: a header, then chunks of blocks with a header each. The file
 * header has the sizes of both headers, which later versions may enlarge. Little-endian. */
#define SPARSE_MAGIC       0xED26FF3Au
#define SPARSE_HEADER      28
#define SPARSE_CHUNK       12
#define SPARSE_RAW         0xCAC1
#define SPARSE_FILL        0xCAC2
#define SPARSE_SKIP        0xCAC3
#define SPARSE_CHECKSUM    0xCAC4
#define SPARSE_HEADER_MOST 4096

/* Maximum bytes of an unpacked image: a damaged header must not make a larger file. */
#define IMAGE_MOST ((int64_t)1 << 46)

#define PIECE ((size_t)1 << 20)

/* State of unpacking an image into a temporary file. */
struct unpacking {
    struct input *input;  /* owned */
    int descriptor;       /* descriptor of the temporary file */
    int64_t at;           /* offset in the temporary file of the next byte to write */
    int64_t filled;       /* bytes written so far for chunks of type SPARSE_FILL */
    unsigned char *piece; /* owned; buffer of PIECE bytes */
    bool is_unreadable;   /* true: `error` says which file cannot be read */
    struct error *error;
};

static bool is_zero(const unsigned char *bytes, size_t length) {
    return length == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0);
}

/* Writes bytes to the temporary file, or leaves a hole if all are zero. */
static bool write_bytes(struct unpacking *unpacking, const unsigned char *bytes, size_t length) {
    size_t done = is_zero(bytes, length) ? length : 0;

    while (done < length) {
        ssize_t written = pwrite(unpacking->descriptor, bytes + done, length - done,
                                 (off_t)(unpacking->at + (int64_t)done));

        if (written < 0 && errno != EINTR) {
            return error_set(unpacking->error,
                             "cannot write a temporary file: %s; TMPDIR names a "
                             "folder with more room",
                             strerror(errno));
        }
        done += written < 0 ? 0 : (size_t)written;
    }
    unpacking->at += (int64_t)length;
    return true;
}

/* Reads `length` bytes of the decompressed image; fewer only at the end of the image. Does not ask
 * for 0 bytes, as headers without unknown fields have: decompressors take that for the end. */
static bool read_some(struct unpacking *unpacking, unsigned char *bytes, size_t length,
                      size_t *got) {
    size_t some = 1;

    for (*got = 0; some > 0 && *got < length; *got += some) {
        if (!input_read(unpacking->input, bytes + *got, length - *got, &some, unpacking->error)) {
            unpacking->is_unreadable = true;
            return false;
        }
    }
    return true;
}

static bool read_exactly(struct unpacking *unpacking, unsigned char *bytes, size_t length) {
    size_t got;

    return read_some(unpacking, bytes, length, &got) &&
           (got == length || error_set(unpacking->error, "the sparse image ends early"));
}

/* Reads and drops `length` bytes: a checksum, or fields that a later version adds to a header. */
static bool image_pass_over(struct unpacking *unpacking, size_t length) {
    return length <= SPARSE_HEADER_MOST
               ? read_exactly(unpacking, unpacking->piece, length)
               : error_set(
                     unpacking->error,
                     "the header of the sparse image has %zu bytes beyond the known ones; at most "
                     "%d are read",
                     length, SPARSE_HEADER_MOST);
}

/* Writes `length` bytes in pieces of at most PIECE bytes. `reads`: reads each piece from the image;
 * else writes the contents of the buffer each time. */
static bool write_pieces(struct unpacking *unpacking, int64_t length, bool reads) {
    while (length > 0) {
        size_t part = length < (int64_t)PIECE ? (size_t)length : PIECE;

        if ((reads && !read_exactly(unpacking, unpacking->piece, part)) ||
            !write_bytes(unpacking, unpacking->piece, part)) {
            return false;
        }
        length -= (int64_t)part;
    }
    return true;
}

/* Writes a pattern of four bytes repeatedly. The total is limited, as a tiny image could ask for
 * any amount. */
static bool write_pattern(struct unpacking *unpacking, int64_t length) {
    unsigned char pattern[4];

    if (!read_exactly(unpacking, pattern, sizeof pattern)) {
        return false;
    }
    if (is_zero(pattern, sizeof pattern)) {
        unpacking->at += length;
        return true;
    }
    unpacking->filled += length;
    if (unpacking->filled > INPUT_UNPACKED_ALWAYS) {
        return error_set(unpacking->error, "the sparse image has more than %lld bytes of patterns",
                         (long long)INPUT_UNPACKED_ALWAYS);
    }
    for (size_t i = 0; i < PIECE; i++) {
        unpacking->piece[i] = pattern[i % sizeof pattern];
    }
    return write_pieces(unpacking, length, false);
}

static bool write_chunk(struct unpacking *unpacking, unsigned type, int64_t length, int64_t body) {
    if (type == SPARSE_RAW && body == length) {
        return write_pieces(unpacking, length, true);
    }
    if (type == SPARSE_FILL && body == 4) {
        return write_pattern(unpacking, length);
    }
    if (type == SPARSE_SKIP && body == 0) {
        unpacking->at += length;
        return true;
    }
    if (type == SPARSE_CHECKSUM && body == 4) {
        return image_pass_over(unpacking, 4);
    }
    return error_set(unpacking->error,
                     "the sparse image has a chunk of type 0x%04x with %" PRId64
                     " bytes for %" PRId64,
                     type, body, length);
}

static bool write_chunks(struct unpacking *unpacking, const unsigned char *header) {
    unsigned header_size = bytes_u16_little(header + 8), chunk_size = bytes_u16_little(header + 10);
    int64_t block_size = bytes_u32_little(header + 12), blocks = bytes_u32_little(header + 16);

    if (header_size < SPARSE_HEADER || chunk_size < SPARSE_CHUNK || block_size == 0 ||
        block_size % 4 != 0 || blocks > IMAGE_MOST / block_size) {
        return error_set(unpacking->error, "the header of the sparse image is damaged");
    }
    if (!image_pass_over(unpacking, header_size - SPARSE_HEADER)) {
        return false;
    }
    for (uint32_t left = bytes_u32_little(header + 20); left > 0; left--) {
        unsigned char chunk[SPARSE_CHUNK];
        int64_t length, body;

        if (!read_exactly(unpacking, chunk, sizeof chunk) ||
            !image_pass_over(unpacking, chunk_size - SPARSE_CHUNK)) {
            return false;
        }
        length = bytes_u32_little(chunk + 4) * block_size;
        body = (int64_t)bytes_u32_little(chunk + 8) - chunk_size;
        if (bytes_u16_little(chunk) == SPARSE_CHECKSUM) {
            length = 0;
        }
        if (length > blocks * block_size - unpacking->at) {
            return error_set(unpacking->error, "the sparse image has more blocks than it says");
        }
        if (!write_chunk(unpacking, bytes_u16_little(chunk), length, body)) {
            return false;
        }
    }
    unpacking->at = blocks * block_size;
    return true;
}

static bool write_remaining(struct unpacking *unpacking) {
    size_t got;

    do {
        if (!read_some(unpacking, unpacking->piece, PIECE, &got) ||
            !write_bytes(unpacking, unpacking->piece, got)) {
            return false;
        }
        if (unpacking->at > IMAGE_MOST) {
            return error_set(unpacking->error, "it is larger than %lld bytes",
                             (long long)IMAGE_MOST);
        }
    } while (got == PIECE);
    return true;
}

static bool write_image(struct unpacking *unpacking) {
    unsigned char header[SPARSE_HEADER];
    size_t got;

    if (!read_some(unpacking, header, sizeof header, &got)) {
        return false;
    }
    if (got == sizeof header && bytes_u32_little(header) == SPARSE_MAGIC) {
        if (!write_chunks(unpacking, header)) {
            return false;
        }
    } else if (!write_bytes(unpacking, header, got) || !write_remaining(unpacking)) {
        return false;
    }
    return ftruncate(unpacking->descriptor, (off_t)unpacking->at) == 0 ||
           error_set(unpacking->error, "cannot make a temporary file of %lld bytes: %s",
                     (long long)unpacking->at, strerror(errno));
}

static int unpack_file(const char *path, struct error *error) {
    struct unpacking unpacking = {.descriptor = -1, .error = error};
    bool done = false;

    unpacking.input = input_open(path, (struct input_stop){0}, error);
    if (unpacking.input == NULL) {
        return -1;
    }
    unpacking.piece = xmalloc(PIECE);
    unpacking.descriptor = temporary_file_create(NULL, error);
    if (unpacking.descriptor >= 0) {
        done = write_image(&unpacking) ||
               (!unpacking.is_unreadable && error_context(error, "%s", path));
    }
    if (!done && unpacking.descriptor >= 0) {
        close(unpacking.descriptor);
    }
    input_close(unpacking.input);
    free(unpacking.piece);
    return done ? unpacking.descriptor : -1;
}

/* Returns whether a file begins with the magic number of a compressed or sparse image. */
static bool image_is_packed(const unsigned char *head, size_t length) {
    static const struct {
        const char *magic;
        size_t length;
    } packings[] = {
        {"\x1F\x8B", 2}, {"\xFD\x37zXZ", 5}, {"\x28\xB5\x2F\xFD", 4}, {"\x3A\xFF\x26\xED", 4}};

    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        if (length >= packings[i].length &&
            memcmp(head, packings[i].magic, packings[i].length) == 0) {
            return true;
        }
    }
    return false;
}

int unpack_image(const char *path, struct error *error) {
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    unsigned char head[8];
    struct stat status;
    ssize_t got;

    if (descriptor < 0) {
        error_set(error, "%s: %s", path, file_strerror(errno));
        return -1;
    }
    if (fstat(descriptor, &status) != 0 || (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))) {
        error_set(error, "%s: an image is a file or a block device", path);
        close(descriptor);
        return -1;
    }
    got = pread(descriptor, head, sizeof head, 0);
    if (got > 0 && image_is_packed(head, (size_t)got)) {
        close(descriptor);
        return unpack_file(path, error);
    }
    return descriptor;
}

/* Open files that the reader process reads. */
struct opened {
    int image;
    struct journal_file journals[IMAGE_JOURNALS];
    size_t journal_count;
};

static void confine_reader(const struct opened *opened, int output) {
    int kept[IMAGE_JOURNALS + 2] = {opened->image, output};
    size_t count = 2;

    for (size_t i = 0; i < opened->journal_count; i++) {
        kept[count++] = opened->journals[i].descriptor;
    }
    sandbox_process(kept, count, IMAGE_MEMORY, IMAGE_SECONDS);
}

static bool read_filesystem(const struct image_request *request, const struct opened *opened,
                            struct file_map *map, struct error *error) {
    const struct ext_request wanted = {!request->without_journal, opened->journals,
                                       opened->journal_count};
    unsigned char head[2048];

    if (pread(opened->image, head, sizeof head, (off_t)map->offset) != (ssize_t)sizeof head ||
        !f2fs_is_present(head)) {
        return ext_read(opened->image, &wanted, map, error);
    }
    return opened->journal_count == 0
               ? f2fs_read(opened->image, map, error)
               : error_set(error, "%s cannot be a copy of its journal: F2FS has none",
                           opened->journals[0].name);
}

static bool read_opened(const struct image_request *request, const struct opened *opened,
                        struct file_map *map, struct error *error) {
    memset(map, 0, sizeof *map); /* also clears padding, which is sent, too */
    return (request->of_device && request->offset != PLACE_NOT_GIVEN
                ? place_find_of_device(opened->image, request->offset, &map->offset, error)
                : find_filesystem_offset(opened->image, request->offset, request->partition,
                                         &map->offset, error)) &&
           read_filesystem(request, opened, map, error);
}

bool image_read_in_process(const struct image_request *request, int descriptor,
                           struct file_map *map, struct error *error) {
    const struct opened opened = {.image = descriptor};

    return read_opened(request, &opened, map, error);
}

/* Runs in the reader process, and ends it without flushing or closing the program's files. Sends an
 * error and, if that is empty, the map. */
__attribute__((noreturn)) static void read_apart(const struct image_request *request,
                                                 const struct opened *opened, int output) {
    struct file_map map;
    struct error error = {0};
    bool done;

    confine_reader(opened, output);
    done = read_opened(request, opened, &map, &error);
    if (write(output, &error, sizeof error) != (ssize_t)sizeof error ||
        (done && !file_map_send(&map, output))) {
        _exit(EXIT_FAILED);
    }
    _exit(EXIT_DONE);
}

/* Receives an error and, if that is empty, the map. Of a received error only the text is used. */
static bool receive_file_map(int input, struct file_map *map, bool *answered, struct error *error) {
    struct error answer;

    *answered = read(input, &answer, sizeof answer) == (ssize_t)sizeof answer;
    if (!*answered) {
        return false;
    }
    answer.message[sizeof answer.message - 1] = '\0';
    if (answer.status != EXIT_DONE) {
        return error_set(error, "%s", answer.message);
    }
    return file_map_receive(map, input, error) ||
           error_context(error, "the file map that was read from it is invalid");
}

/* Sets an error that says how the reader process ended without sending anything. */
static bool image_explain(int status, struct error *error) {
    if (!WIFSIGNALED(status)) {
        return error_set(error, "the file system could not be read to its end");
    }
    if (WTERMSIG(status) == SIGXCPU) {
        return error_set(error, "its file system was not read within %d s", IMAGE_SECONDS);
    }
    return error_set(error, "the file system is damaged beyond reading (its reader failed: %s)",
                     strsignal(WTERMSIG(status)));
}

static bool read_in_process(const struct image_request *request, const struct opened *opened,
                            struct file_map *map, struct error *error) {
    bool answered = false, done;
    int ends[2], status = 0;
    pid_t process;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    }
    process = fork();
    if (process == 0) {
        close(ends[0]);
        read_apart(request, opened, ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return error_set(error, "cannot start a process: %s", strerror(errno));
    }
    done = receive_file_map(ends[0], map, &answered, error);
    close(ends[0]);
    return wait_sandboxed_process(process, &status, error) &&
           (done || (!answered || WIFSIGNALED(status) ? image_explain(status, error) : false));
}

static bool open_all(const struct image_request *request, struct opened *opened,
                     struct error *error) {
    if (request->journal_count > IMAGE_JOURNALS) {
        return error_usage(error, "there are at most %d copies of a journal", IMAGE_JOURNALS);
    }
    opened->image = unpack_image(request->path, error);
    while (opened->image >= 0 && opened->journal_count < request->journal_count) {
        const char *name = request->journals[opened->journal_count];
        int descriptor = unpack_image(name, error);

        if (descriptor < 0) {
            return false;
        }
        opened->journals[opened->journal_count++] = (struct journal_file){name, descriptor};
    }
    return opened->image >= 0;
}

bool image_read(const struct image_request *request, struct file_map *map, struct error *error) {
    struct opened opened = {.image = -1};
    bool done = open_all(request, &opened, error);

    *map = (struct file_map){0};
    done = done && (read_in_process(request, &opened, map, error) ||
                    error_context(error, "%s", request->path));
    for (size_t i = 0; i < opened.journal_count; i++) {
        close(opened.journals[i].descriptor);
    }
    file_close(opened.image);
    return done;
}

/* Compares two files from the start. This ends early if they differ: images taken at different
 * times already differ in the superblock. */
static bool images_are_equal(int one, int other) {
    char bytes[2][1 << 14];
    ssize_t got;
    off_t at = 0;

    do {
        got = pread(one, bytes[0], sizeof bytes[0], at);
        if (got < 0 || pread(other, bytes[1], sizeof bytes[1], at) != got ||
            memcmp(bytes[0], bytes[1], (size_t)got) != 0) {
            return false;
        }
        at += got;
    } while (got > 0);
    return true;
}

bool image_bytes_are_same(const char *path, const char *other, bool *same, struct error *error) {
    int one = unpack_image(path, error), two = one < 0 ? -1 : unpack_image(other, error);

    *same = one >= 0 && two >= 0 && images_are_equal(one, two);
    file_close(one);
    if (two >= 0) {
        close(two);
    }
    return two >= 0;
}
