/* A file as a stream of records, so that the files of a trace can be read side by side. */
#ifndef TRACETOOL_STREAM_H
#define TRACETOOL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/reader.h"

/* Files that may be open at once. Pieces that follow one another are open one at a time, so this is
 * how many may overlap. */
#define STREAM_FILES 256

/* Records of one file that are sorted by time against one another, unless its importer says
 * otherwise, and the bytes that they may have together. */
#define STREAM_WINDOW 256
#define STREAM_BYTES  ((size_t)64 * 1024)

struct stream {
    struct reader *reader;   /* borrowed */
    const void *declaration; /* the importer's; borrowed */
    void *state;             /* the importer's, `stream_state_size` bytes, zeroed at first; owned */
    /* Where the times of formats with a first_time() begin again: its range, of a file behind that
     * place; else 0. */
    int64_t begins;
};

/* A record as it lies in its file. Which bytes it is must be known without parsing it: it may be
 * looked at before its time has come. */
struct stream_record {
    const uint8_t *bytes; /* borrowed; NULL: it is too long to be had */
    size_t length;
    int64_t offset; /* in the file */
    int64_t size;   /* in the file, with what ends it */
};

/* `next_record` of an importer whose records are lines: without their ends, of up to READER_WINDOW
 * bytes. */
bool stream_next_line(struct stream *stream, struct stream_record *record);

#endif
