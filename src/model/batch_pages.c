#include "model/batch_pages.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- records ----------------------------------------------------------------------------- */

/* Builds SQLite's record of a row of `event`.
 *
 * Format: https://www.sqlite.org/fileformat2.html#record_format. The header has its length and the
 * type of each column; the values follow, numbers in the fewest bytes. Trailing NULL columns are
 * omitted: SQLite reads them as NULL, like columns added by ALTER TABLE.
 */

/* Bytes of a record, without the arguments. */
#define EVENT_RECORD_ROOM ((size_t)256)

/* Type codes. 1 to 6 are integers of 1, 2, 3, 4, 6 and 8 bytes. */
enum {
    TYPE_NULL = 0,
    TYPE_ZERO = 8, /* the integer 0; the next code is 1 */
    TYPE_BYTES = 12,
};

/* Maximum bytes: of the header, with one type per column, and of a varint. */
enum { HEADER = 64, VARINT = 9, NUMBER_BITS = 64 };

_Static_assert(2 + EVENT_PLACES + 1 + VARINT <= HEADER, "the header's length is one byte");
_Static_assert(HEADER + (EVENT_PLACES + 1) * 8 <= EVENT_RECORD_ROOM, "a record has room");

/* A record being built: the types in a separate buffer, the values in place. */
struct record {
    unsigned char types[HEADER];
    size_t length; /* length of `types` */
    size_t needed; /* types up to the last value that is not NULL */
    unsigned char *end;
};

/* Writes an SQLite varint of up to 9 bytes. Returns its length. */
static size_t put_varint(unsigned char *bytes, uint64_t number) {
    unsigned char groups[VARINT];
    size_t count = 0;

    if (number >> 56 != 0) { /* nine bytes: eight groups of 7 bits, then 8 bits */
        bytes[VARINT - 1] = (unsigned char)number;
        number >>= 8;
        for (size_t i = VARINT - 1; i > 0; i--) {
            bytes[i - 1] = (unsigned char)(number | 0x80);
            number >>= 7;
        }
        return VARINT;
    }
    do {
        groups[count++] = (unsigned char)(number & 0x7f);
        number >>= 7;
    } while (number != 0);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(groups[count - 1 - i] | (i + 1 < count ? 0x80 : 0));
    }
    return count;
}

static inline void put_type(struct record *record, uint64_t type) {
    if (type < 0x80) {
        record->types[record->length++] = (unsigned char)type;
    } else {
        record->length += put_varint(record->types + record->length, type);
    }
    if (type != TYPE_NULL) {
        record->needed = record->length;
    }
}

/* Appends a number; EVENT_NONE becomes NULL. */
static inline void put_number(struct record *record, int64_t value) {
    static const struct {
        unsigned char type, size;
    } forms[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 6}, {5, 6}, {6, 8}, {6, 8}};
    unsigned bytes;
    uint64_t big;

    if (value == EVENT_NONE || value == 0 || value == 1) {
        put_type(record, value == EVENT_NONE ? TYPE_NULL : (uint64_t)(TYPE_ZERO + value));
        return;
    }
    /* Significant bits: those that differ from the sign, and the sign bit. */
    big = (uint64_t)(value < 0 ? ~value : value);
    bytes = ((big == 0 ? 0 : NUMBER_BITS - (unsigned)__builtin_clzll(big)) + 1 + 7) / 8;
    big = htobe64((uint64_t)value << (64 - 8 * forms[bytes].size));
    memcpy(record->end, &big, sizeof big);
    record->end += forms[bytes].size;
    put_type(record, forms[bytes].type);
}

static void put_arguments(struct record *record, const struct event *event, bool wanted) {
    if (!wanted || event->arguments == NULL) {
        put_type(record, TYPE_NULL);
        return;
    }
    memcpy(record->end, event->arguments, event->arguments_size);
    record->end += event->arguments_size;
    put_type(record, TYPE_BYTES + 2 * (uint64_t)event->arguments_size);
}

#define NUMBER_INTEGER(value) (value)
#define NUMBER_PARENT(value)  ((value) == EVENT_NONE ? EVENT_NONE : first_row + (value))
#define NUMBER_ID(value)      ((value) == 0 ? EVENT_NONE : (int64_t)(value))
#define NUMBER_FLAGS(value)   ((int64_t)(value))
#define NUMBER_DEPTH(value)   ((value) < 0 ? EVENT_NONE : (int64_t)(value))

#define PUT_NUMBER(column, number) put_number(&record, columns &(column) ? (number) : EVENT_NONE)
#define PUT_INTEGER(column, value) PUT_NUMBER(column, NUMBER_INTEGER(value))
#define PUT_PARENT(column, value)  PUT_NUMBER(column, NUMBER_PARENT(value))
#define PUT_ID(column, value)      PUT_NUMBER(column, NUMBER_ID(value))
#define PUT_FLAGS(column, value)   PUT_NUMBER(column, NUMBER_FLAGS(value))
#define PUT_DEPTH(column, value)   PUT_NUMBER(column, NUMBER_DEPTH(value))
#define PUT_BYTES(column, value)   put_arguments(&record, event, (columns & (column)) != 0)

/* Builds the row of an event in `memory`, which has EVENT_RECORD_ROOM bytes more than the
 * arguments.
 */
static struct batch_row make_record(const struct event *event, int64_t id, unsigned columns,
                                    int64_t first_row, unsigned char *memory) {
    unsigned char *values = memory + HEADER, *start;
    struct record record = {.end = values};

    put_type(&record, TYPE_NULL); /* the id is the row's key and not stored in the record */
    put_number(&record, event->time);
#define X(NAME, field, FORM) PUT_##FORM(EVENT_##NAME, event->field);
    EVENT_COLUMNS(X)
#undef X
    start = values - 1 - record.needed;
    *start = (unsigned char)(1 + record.needed);
    memcpy(start + 1, record.types, record.needed);
    return (struct batch_row){id, start, (size_t)(record.end - start)};
}

/* --- pages ------------------------------------------------------------------------------- */

/* A leaf begins with a header and the cell pointers; cells grow from its end. A cell has the
 * record's length, the id and the record. The interior page has a cell per leaf, with its page
 * number and largest id. The last leaf is referenced by number only. */
enum {
    LEAF = 0x0d,
    LEAF_HEADER = 8,
    INTERIOR = 0x05,
    INTERIOR_HEADER = 12,
    CELL_PLACE = 2,   /* bytes of a cell pointer */
    CELL_HEADER = 18, /* maximum bytes: two varints */
    ROOT = 1,         /* pages before the leaves */
    AT_FIRST = 16,    /* pages allocated initially */
};

#define LONGEST (BATCH_PAGE - 35) /* record on one page; SQLite splits longer ones */

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

/* Writes the header. 0 stands for `used_from` at the end of the page. */
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

static void batch_pages_grow(struct batch_pages *pages, size_t needed) {
    size_t capacity = pages->capacity == 0 ? AT_FIRST : pages->capacity;

    if (needed <= pages->capacity) {
        return;
    }
    while (capacity < needed) {
        capacity *= 2;
    }
    pages->bytes = xrealloc(pages->bytes, capacity * BATCH_PAGE);
    pages->capacity = capacity;
}

static void begin_leaf(struct batch_pages *pages) {
    end_leaf(pages);
    pages->cells = 0;
    pages->used_from = BATCH_PAGE;
    batch_pages_grow(pages, ++pages->count);
}

void batch_pages_add(struct batch_pages *pages, const struct batch_row *row) {
    unsigned char header[CELL_HEADER];
    size_t length = put_varint(header, row->length), above;
    unsigned char *page;

    length += put_varint(header + length, (uint64_t)row->id);
    above = LEAF_HEADER + (pages->cells + 1) * CELL_PLACE;
    if (pages->count == ROOT || above + length + row->length > pages->used_from) {
        begin_leaf(pages);
    }
    page = leaf_at(pages, count_leaves(pages) - 1);
    pages->used_from -= length + row->length;
    memcpy(page + pages->used_from, header, length);
    memcpy(page + pages->used_from + length, row->record, row->length);
    put_u16(page + LEAF_HEADER + pages->cells++ * CELL_PLACE, pages->used_from);
    pages->last[count_leaves(pages) - 1] = row->id;
}

/* Copies the leaf filled last, without its unused space. */
static void copy_leaf(const struct batch_pages *pages, unsigned char *to) {
    const unsigned char *leaf = leaf_at(pages, count_leaves(pages) - 1);

    memcpy(to, leaf, LEAF_HEADER + pages->cells * CELL_PLACE);
    memcpy(to + pages->used_from, leaf + pages->used_from, BATCH_PAGE - pages->used_from);
}

/* Writes the interior page, or moves a single leaf there. */
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
        size_t length = put_varint(key, (uint64_t)pages->last[i]);

        used_from -= 4 + length;
        put_u32(root + used_from, BATCH_PAGES_FIRST + ROOT + i);
        memcpy(root + used_from + 4, key, length);
        put_u16(root + INTERIOR_HEADER + i * CELL_PLACE, used_from);
    }
    put_header(root, INTERIOR, cells, used_from);
    put_u32(root + LEAF_HEADER, BATCH_PAGES_FIRST + ROOT + cells);
}

void batch_pages_begin(struct batch_pages *pages) {
    pages->fit = false;
    pages->count = ROOT;
    if (pages->record == NULL) {
        pages->record = xmalloc(LONGEST + EVENT_RECORD_ROOM);
    }
    if (pages->last == NULL) {
        pages->last = xmalloc(BATCH_LEAVES * sizeof *pages->last);
    }
    batch_pages_grow(pages, ROOT);
}

void batch_pages_end(struct batch_pages *pages) {
    pages->fit = pages->count > ROOT;
    if (pages->fit) {
        end_leaf(pages);
        put_root(pages);
    }
}

void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row) {
    batch_pages_begin(pages);
    for (size_t i = 0; i < count; i++) {
        struct batch_row row;

        if (events[i].arguments_size > LONGEST - EVENT_RECORD_ROOM ||
            count_leaves(pages) == BATCH_LEAVES) {
            return;
        }
        row = make_record(&events[i], first + (int64_t)i, columns, first_row, pages->record);
        batch_pages_add(pages, &row);
    }
    batch_pages_end(pages);
}

/* Reads a number written by put_varint(). Returns its length. */
static size_t get_varint(const unsigned char *bytes, uint64_t *number) {
    size_t length = 0;

    *number = 0;
    while (length < VARINT - 1 && bytes[length] & 0x80) {
        *number = *number << 7 | (bytes[length++] & 0x7f);
    }
    *number = length == VARINT - 1 ? *number << 8 | bytes[length] : *number << 7 | bytes[length];
    return length + 1;
}

static size_t batch_pages_get_u16(const unsigned char *bytes) {
    return (size_t)bytes[0] << 8 | bytes[1];
}

bool batch_pages_each(const struct batch_pages *pages,
                      bool (*visit)(void *context, const struct batch_row *row,
                                    struct error *error),
                      void *context, struct error *error) {
    /* A single leaf is in the first page. */
    size_t from = pages->count == ROOT ? 0 : ROOT;

    for (size_t at = from; at < pages->count; at++) {
        const unsigned char *page = pages->bytes + at * BATCH_PAGE;
        size_t cells = batch_pages_get_u16(page + 3);

        for (size_t i = 0; i < cells; i++) {
            const unsigned char *cell =
                page + batch_pages_get_u16(page + LEAF_HEADER + i * CELL_PLACE);
            uint64_t length, id;

            cell += get_varint(cell, &length);
            cell += get_varint(cell, &id);
            if (!visit(context, &(struct batch_row){(int64_t)id, cell, length}, error)) {
                return false;
            }
        }
    }
    return true;
}

void batch_pages_free(struct batch_pages *pages) {
    free(pages->bytes);
    free(pages->last);
    free(pages->record);
    *pages = (struct batch_pages){0};
}
