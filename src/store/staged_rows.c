#include "store/staged_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/event_chunk.h"
#include "input/spill_file.h"

/* Maximum bytes of records placed together, not counting the last one. */
#define PLACED_BYTES ((size_t)2 * 1024 * 1024)

struct staged_rows {
    struct row_pages *pages;  /* borrowed */
    struct spill_file *spill; /* owned; NULL before the first row */
};

/* Header of each record. */
struct staged_header {
    int64_t id;
    uint64_t length;
};

struct staged_rows *staged_rows_new(struct row_pages *pages) {
    struct staged_rows *staged = pages == NULL ? NULL : xcalloc(1, sizeof *staged);

    if (staged != NULL) {
        staged->pages = pages;
    }
    return staged;
}

void staged_rows_free(struct staged_rows *staged) {
    if (staged != NULL) {
        spill_file_close(staged->spill);
        free(staged);
    }
}

static bool add_row(void *context, const struct batch_row *row, struct error *error) {
    const struct staged_header header = {row->id, row->length};

    return spill_file_append(context, &header, sizeof header, error) &&
           spill_file_append(context, row->record, row->length, error);
}

bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error) {
    if (staged->spill == NULL && (staged->spill = spill_file_open(error)) == NULL) {
        return false;
    }
    return batch_pages_each(rows, add_row, staged->spill, error);
}

/* Moves the next rows, up to the size of a batch, into pages. False if there are none. */
static bool next_rows(struct reader *reader, struct batch_pages *rows, int64_t behind) {
    const uint8_t *bytes;
    struct staged_header header;
    size_t count = 0, size = 0;

    batch_pages_begin(rows);
    while (count < EVENT_CHUNK && size < PLACED_BYTES &&
           reader_need(reader, sizeof header, &bytes)) {
        memcpy(&header, bytes, sizeof header);
        reader_take(reader, sizeof header);
        if (!reader_need(reader, header.length, &bytes)) {
            return false;
        }
        batch_pages_add(rows, &(struct batch_row){header.id + behind, bytes, header.length});
        reader_take(reader, header.length);
        size += header.length;
        count++;
    }
    batch_pages_end(rows);
    return count > 0;
}

bool staged_rows_place(struct staged_rows *staged, int64_t behind, struct error *error) {
    struct batch_pages rows = {0};
    struct reader reader = {0};
    bool done;

    if (staged == NULL || staged->spill == NULL) {
        return true;
    }
    done = spill_file_replay(staged->spill, &reader, 0, error);
    while (done && next_rows(&reader, &rows, behind)) {
        done = row_pages_write(staged->pages, &rows, error);
    }
    done = done && !reader_failed(&reader);
    reader_free(&reader);
    batch_pages_free(&rows);
    return done;
}
