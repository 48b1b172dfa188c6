#include "model/batch_pages.h"

#include <stdlib.h>
#include <string.h>

#include "model/event_record.h"
#include "base/memory.h"

/* A leaf begins with a header and the places of its cells, which fill it from its end on. A cell is
 * the length of the record, the id and the record. The page above the leaves has the number and the
 * largest id of each in its cells, but of the last one only the number. */
enum {
    LEAF = 0x0d,
    LEAF_HEADER = 8,
    INTERIOR = 0x05,
    INTERIOR_HEADER = 12,
    CELL_PLACE = 2,   /* bytes */
    CELL_HEADER = 18, /* bytes, at most: two numbers */
    ROOT = 1,         /* pages before the leaves */
    AT_FIRST = 16,    /* pages, for which there is memory */
};

#define LONGEST (BATCH_PAGE - 35) /* record; longer ones lie on several pages */

static void put_u16(unsigned char *bytes, size_t number) {
    bytes[0] = (unsigned char)(number >> 8);
    bytes[1] = (unsigned char)number;
}

static void put_u32(unsigned char *bytes, size_t number) {
    put_u16(bytes, number >> 16);
    put_u16(bytes + 2, number & 0xffff);
}

static unsigned char *leaf_at(const struct batch_pages *pages, size_t leaf) {
    return pages->bytes + (ROOT + leaf) * BATCH_PAGE;
}

static size_t count_leaves(const struct batch_pages *pages) {
    return pages->count - ROOT;
}

/* `used_from` can be a whole page, which 0 stands for. */
static void put_header(unsigned char *page, unsigned char kind, size_t cells, size_t used_from) {
    memset(page, 0, LEAF_HEADER);
    page[0] = kind;
    put_u16(page + 3, cells);
    put_u16(page + 5, used_from & 0xffff);
}

static void end_leaf(const struct batch_pages *pages) {
    if (pages->count > ROOT) {
        put_header(leaf_at(pages, count_leaves(pages) - 1), LEAF, pages->cells, pages->used_from);
    }
}

static bool grow(struct batch_pages *pages, size_t needed) {
    size_t capacity = pages->capacity == 0 ? AT_FIRST : pages->capacity;
    unsigned char *bytes;

    if (needed <= pages->capacity) {
        return true;
    }
    while (capacity < needed) {
        capacity *= 2;
    }
    bytes = xrealloc(pages->bytes, capacity * BATCH_PAGE);
    if (bytes == NULL) {
        return false;
    }
    pages->bytes = bytes;
    pages->capacity = capacity;
    return true;
}

static bool begin_leaf(struct batch_pages *pages) {
    end_leaf(pages);
    pages->cells = 0;
    pages->used_from = BATCH_PAGE;
    return grow(pages, ++pages->count);
}

static bool add_cell(struct batch_pages *pages, int64_t id, const struct event_record *record) {
    unsigned char header[CELL_HEADER];
    size_t length = event_record_varint(header, record->length), above;
    unsigned char *page;

    length += event_record_varint(header + length, (uint64_t)id);
    above = LEAF_HEADER + (pages->cells + 1) * CELL_PLACE;
    if ((pages->count == ROOT || above + length + record->length > pages->used_from) &&
        !begin_leaf(pages)) {
        return false;
    }
    page = leaf_at(pages, count_leaves(pages) - 1);
    pages->used_from -= length + record->length;
    memcpy(page + pages->used_from, header, length);
    memcpy(page + pages->used_from + length, record->bytes, record->length);
    put_u16(page + LEAF_HEADER + pages->cells++ * CELL_PLACE, pages->used_from);
    pages->last[count_leaves(pages) - 1] = id;
    return true;
}

/* The leaf that was filled last. What is free in it nobody reads. */
static void copy_leaf(const struct batch_pages *pages, unsigned char *to) {
    const unsigned char *leaf = leaf_at(pages, count_leaves(pages) - 1);

    memcpy(to, leaf, LEAF_HEADER + pages->cells * CELL_PLACE);
    memcpy(to + pages->used_from, leaf + pages->used_from, BATCH_PAGE - pages->used_from);
}

/* The page that speaks of the leaves; a single one stands there itself. */
static void put_root(struct batch_pages *pages) {
    unsigned char *root = pages->bytes;
    size_t used_from = BATCH_PAGE, cells = count_leaves(pages) - 1;

    if (cells == 0) {
        copy_leaf(pages, root);
        pages->count = ROOT;
        return;
    }
    for (size_t i = 0; i < cells; i++) {
        unsigned char key[CELL_HEADER];
        size_t length = event_record_varint(key, (uint64_t)pages->last[i]);

        used_from -= 4 + length;
        put_u32(root + used_from, BATCH_PAGES_FIRST + ROOT + i);
        memcpy(root + used_from + 4, key, length);
        put_u16(root + INTERIOR_HEADER + i * CELL_PLACE, used_from);
    }
    put_header(root, INTERIOR, cells, used_from);
    put_u32(root + LEAF_HEADER, BATCH_PAGES_FIRST + ROOT + cells);
}

static bool begin_pages(struct batch_pages *pages) {
    pages->count = ROOT;
    if (pages->record == NULL) {
        pages->record = xmalloc(LONGEST + EVENT_RECORD_ROOM);
    }
    if (pages->last == NULL) {
        pages->last = xmalloc(BATCH_LEAVES * sizeof *pages->last);
    }
    return pages->record != NULL && pages->last != NULL && grow(pages, ROOT);
}

bool batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row) {
    pages->fit = false;
    if (count == 0) {
        return true;
    }
    if (!begin_pages(pages)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct event_record record;

        if (events[i].arguments_size > LONGEST - EVENT_RECORD_ROOM ||
            count_leaves(pages) == BATCH_LEAVES) {
            return true;
        }
        record = event_record_make(&events[i], columns, first_row, pages->record);
        if (!add_cell(pages, first + (int64_t)i, &record)) {
            return false;
        }
    }
    end_leaf(pages);
    put_root(pages);
    pages->fit = true;
    return true;
}

void batch_pages_free(struct batch_pages *pages) {
    free(pages->bytes);
    free(pages->last);
    free(pages->record);
    *pages = (struct batch_pages){0};
}
