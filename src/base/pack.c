#include "base/pack.h"

#include <limits.h>
#include <zlib.h>

#include "base/memory.h"

/* Parameters of zlib; 16 added to the window bits selects the gzip format. */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8, CHUNK = 1 << 30 };

/* Passes the bytes to zlib in chunks, because it takes less than 4 GiB at a time. */
static int pack_chunks(z_stream *stream, const unsigned char *bytes, size_t length) {
    int result = Z_OK;

    while (result == Z_OK) {
        size_t some = length < CHUNK ? length : CHUNK;

        stream->next_in = (unsigned char *)bytes; /* zlib does not write to these bytes */
        stream->avail_in = (uInt)some;
        bytes += some;
        length -= some;
        do {
            result = deflate(stream, length == 0 ? Z_FINISH : Z_NO_FLUSH);
        } while (result == Z_OK && stream->avail_in > 0);
    }
    return result;
}

void pack_gzip(const void *bytes, size_t length, enum pack_effort effort, struct text *packed) {
    const int level = effort == PACK_FAST ? Z_BEST_SPEED : Z_BEST_COMPRESSION;
    z_stream stream = {0};
    size_t room;
    char *place;

    text_clear(packed);
    if (deflateInit2(&stream, level, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        out_of_memory();
    }
    room = deflateBound(&stream, length);
    place = text_reserve(packed, room);
    stream.next_out = (unsigned char *)place;
    stream.avail_out = (uInt)room;
    if (room > UINT_MAX || pack_chunks(&stream, bytes, length) != Z_STREAM_END) {
        out_of_memory();
    }
    packed->length += stream.total_out;
    deflateEnd(&stream);
}
