#include "import/stream.h"

bool stream_next_line(struct stream *stream, struct stream_record *record) {
    const char *line;
    enum reader_line kind = reader_line(stream->reader, &line, &record->length, &record->offset);

    record->bytes = kind == READER_LINE ? (const uint8_t *)line : NULL;
    record->size = reader_offset(stream->reader) - record->offset;
    return kind != READER_END;
}
