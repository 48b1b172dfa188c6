#include "filesystem/ext_channel.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/search.h"

/* Where libext2fs reads from: the private data of its io_channel. */
struct source {
    int descriptor;
    uint64_t offset;
    const struct ext_overlay *overlay; /* borrowed; blocks to replace, in ascending order */
    size_t overlay_count;
    uint32_t block_size; /* bytes of a block in `overlay` */
};

/* The source for the next channel: libext2fs passes only a name to the function that opens it. The
 * process has one thread, so a static variable is safe. */
static struct source opening;

static errcode_t read_below(const struct source *source, uint64_t from, void *data, size_t length) {
    if (from > INT64_MAX - source->offset) {
        return EXT2_ET_SHORT_READ;
    }
    if (file_read_all(source->descriptor, (int64_t)(source->offset + from), data, length)) {
        return 0;
    }
    return errno != 0 ? errno : EXT2_ET_SHORT_READ;
}

/* Returns the index in `overlay` of the first block at or after `block`. */
static size_t find_over(const struct source *source, uint64_t block) {
    size_t low = 0, high = source->overlay_count;

    SEARCH(low, high, middle, source->overlay[middle].block < block);
    return low;
}

/* Replaces the bytes just read of block `over->block` by its newest contents, from the journal. */
static errcode_t overlay_journal_block(const struct source *source, const struct ext_overlay *over,
                                       uint64_t from, unsigned char *data, size_t length) {
    static const unsigned char magic[] = {0xC0, 0x3B, 0x39, 0x98};
    uint64_t begin = over->block * source->block_size, end = begin + source->block_size;
    uint64_t first = begin > from ? begin : from, last = end < from + length ? end : from + length;
    errcode_t status = read_below(source, over->from * source->block_size + (first - begin),
                                  data + (first - from), (size_t)(last - first));

    for (uint64_t at = first; status == 0 && over->escaped && at < last && at < begin + 4; at++) {
        data[at - from] = magic[at - begin];
    }
    return status;
}

static errcode_t read_bytes(const struct source *source, uint64_t from, void *data, size_t length) {
    errcode_t status = read_below(source, from, data, length);

    if (source->overlay_count == 0) {
        return status;
    }
    for (size_t i = find_over(source, from / source->block_size);
         status == 0 && i < source->overlay_count &&
         source->overlay[i].block * source->block_size < from + length;
         i++) {
        status = overlay_journal_block(source, &source->overlay[i], from, data, length);
    }
    return status;
}

/* Called by libext2fs to read blocks. A negative `count` is a number of bytes. */
static errcode_t read_block64(io_channel channel, unsigned long long block, int count, void *data) {
    size_t length =
        count < 0 ? (size_t) - (int64_t)count : (size_t)count * (size_t)channel->block_size;

    if (block > (unsigned long long)INT64_MAX / (unsigned long long)channel->block_size) {
        return EXT2_ET_SHORT_READ;
    }
    return read_bytes(channel->private_data, block * (unsigned long long)channel->block_size, data,
                      length);
}

static errcode_t ext_channel_read_block(io_channel channel, unsigned long block, int count,
                                        void *data) {
    return read_block64(channel, block, count, data);
}

static errcode_t refuse_block64(io_channel channel, unsigned long long block, int count,
                                const void *data) {
    return EXT2_ET_RO_FILSYS;
}

static errcode_t refuse_block(io_channel channel, unsigned long block, int count,
                              const void *data) {
    return refuse_block64(channel, block, count, data);
}

static errcode_t set_block_size(io_channel channel, int size) {
    channel->block_size = size;
    return 0;
}

static errcode_t ext_channel_flush(io_channel channel) {
    return 0;
}

static errcode_t close_channel(io_channel channel) {
    if (--channel->refcount > 0) {
        return 0;
    }
    free(channel->private_data);
    free(channel->name);
    free(channel);
    return 0;
}

static errcode_t open_channel(const char *name, int flags, io_channel *channel);

static struct struct_io_manager manager = {
    .magic = EXT2_ET_MAGIC_IO_MANAGER,
    .name = "tracetool",
    .open = open_channel,
    .close = close_channel,
    .set_blksize = set_block_size,
    .read_blk = ext_channel_read_block,
    .write_blk = refuse_block,
    .flush = ext_channel_flush,
    .read_blk64 = read_block64,
    .write_blk64 = refuse_block64,
};

static errcode_t open_channel(const char *name, int flags, io_channel *channel) {
    struct source *source = xmalloc(sizeof *source);
    io_channel opened = xcalloc(1, sizeof *opened);

    *source = opening;
    opened->magic = EXT2_ET_MAGIC_IO_CHANNEL;
    opened->manager = &manager;
    opened->name = xstrdup(name);
    opened->block_size = 1024;
    opened->refcount = 1;
    opened->private_data = source;
    *channel = opened;
    return 0;
}

errcode_t ext_channel_open_with_overlay(int descriptor, uint64_t offset,
                                        const struct ext_overlay *overlay, size_t count,
                                        uint32_t block_size, ext2_filsys *filesystem) {
    opening = (struct source){descriptor, offset, overlay, count, block_size};
    /* EXT2_FLAG_IGNORE_SB_ERRORS is not set: with it, libext2fs 1.47.0 divides by numbers of a
     * damaged superblock, which may be 0. */
    return ext2fs_open2("image", NULL, EXT2_FLAG_64BITS | EXT2_FLAG_SOFTSUPP_FEATURES, 0, 0,
                        &manager, filesystem);
}

errcode_t ext_channel_open(int descriptor, uint64_t offset, ext2_filsys *filesystem) {
    return ext_channel_open_with_overlay(descriptor, offset, NULL, 0, 0, filesystem);
}

uint64_t ext_channel_next_data(ext2_filsys filesystem, uint64_t block) {
    const struct source *source = filesystem->io->private_data;
    uint64_t size = filesystem->blocksize;
    off_t data;

    if (block > INT64_MAX / size || block * size > INT64_MAX - source->offset) {
        return block;
    }
    data = lseek(source->descriptor, (off_t)(source->offset + block * size), SEEK_DATA);
    if (data < 0) {
        /* ENXIO: from here to the end of the file there is only a hole */
        return errno == ENXIO ? UINT64_MAX : block;
    }
    data -= (off_t)source->offset;
    return (uint64_t)data / size > block ? (uint64_t)data / size : block;
}
