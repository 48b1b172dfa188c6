#include "input/spill_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

enum { BUFFER_SIZE = 256 * 1024 };

struct spill_file {
    int descriptor; /* descriptor of the file; -1 once the input owns it */
    char *folder;   /* directory of the file, for messages */
    uint8_t *buffer;
    size_t buffered; /* number of bytes in `buffer` that are not written yet */
    int64_t size;
    struct input *input; /* input that reads the file back; NULL while the file is being written */
};

struct spill_file *spill_file_open(struct error *error) {
    struct spill_file *spill = xcalloc(1, sizeof *spill);

    spill->buffer = xmalloc(BUFFER_SIZE);
    spill->descriptor = temporary_file_create(&spill->folder, error);
    if (spill->descriptor >= 0) {
        return spill;
    }
    spill_file_close(spill);
    return NULL;
}

void spill_file_close(struct spill_file *spill) {
    if (spill == NULL) {
        return;
    }
    file_close(spill->descriptor);
    input_close(spill->input);
    free(spill->buffer);
    free(spill->folder);
    free(spill);
}

static bool spill_file_flush(struct spill_file *spill, struct error *error) {
    if (!file_write_all(spill->descriptor, spill->buffer, spill->buffered)) {
        return error_set(
            error,
            "cannot write a temporary file of %lld bytes in %s: %s; set TMPDIR to another folder",
            (long long)spill->size, spill->folder, strerror(errno));
    }
    spill->buffered = 0;
    return true;
}

bool spill_file_append(struct spill_file *spill, const void *bytes, size_t length,
                       struct error *error) {
    const uint8_t *from = bytes;

    while (length > 0) {
        size_t room = BUFFER_SIZE - spill->buffered;
        size_t count = length < room ? length : room;

        memcpy(spill->buffer + spill->buffered, from, count);
        spill->buffered += count;
        spill->size += (int64_t)count;
        from += count;
        length -= count;
        if (spill->buffered == BUFFER_SIZE && !spill_file_flush(spill, error)) {
            return false;
        }
    }
    return true;
}

bool spill_file_truncate(struct spill_file *spill, int64_t size, struct error *error) {
    int64_t written = spill->size - (int64_t)spill->buffered;

    spill->size = size;
    spill->buffered = size > written ? (size_t)(size - written) : 0;
    if (size < written && (ftruncate(spill->descriptor, size) != 0 ||
                           lseek(spill->descriptor, size, SEEK_SET) != size)) {
        return error_set(error, "cannot cut the temporary file in %s: %s", spill->folder,
                         strerror(errno));
    }
    return true;
}

bool spill_file_replay(struct spill_file *spill, struct reader *reader, int64_t offset,
                       struct error *error) {
    if (!spill_file_flush(spill, error)) {
        return false;
    }
    if (lseek(spill->descriptor, 0, SEEK_SET) != 0) {
        return error_set(error, "cannot read the temporary file in %s: %s", spill->folder,
                         strerror(errno));
    }
    spill->input = input_open_descriptor(spill->descriptor, "temporary file");
    spill->descriptor = -1;
    if (!reader_init(reader, spill->input, error)) {
        return false;
    }
    reader->offset = offset;
    return true;
}
