#include "model/batch.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Rows of table event in pages of an SQLite b-tree, which store/row_pages.h presents to SQLite as a
 * database in memory. Format: https://www.sqlite.org/fileformat2.html#b_tree_pages. The first page
 * is an interior page that lists the leaf pages, or the only leaf. */

/* Number, in the in-memory database, of a batch's first page; page 1 holds the schema. */
#define BATCH_PAGES_FIRST 2

/* --- making SQLite's records of rows ---------------------------------------------------------- */

/* Builds the record of a row of `event`, as SQLite stores it. Format:
 * https://www.sqlite.org/fileformat2.html#record_format. A header with its length and the type of
 * each column is followed by the values, numbers in as few bytes as possible. Trailing NULLs are
 * omitted: SQLite reads missing columns as NULL, as after ALTER TABLE ADD COLUMN. */

/* Limit of a record's bytes without the event's arguments. */
#define EVENT_RECORD_ROOM ((size_t)256)

/* Types of values in a record; types 1 to 6: integers of 1, 2, 3, 4, 6 and 8 bytes. */
enum {
    TYPE_NULL = 0,
    TYPE_ZERO = 8, /* the integer 0, which has no bytes; type 9 is the integer 1 */
    TYPE_BYTES = 12,
};

/* Limits: bytes of a header (a type per column), bytes of a varint, bits of a number. */
enum { HEADER = 64, VARINT = 9, NUMBER_BITS = 64 };

_Static_assert(2 + EVENT_PLACES + 1 + VARINT <= HEADER, "the header's length is one byte");
_Static_assert(HEADER + (EVENT_PLACES + 1) * 8 <= EVENT_RECORD_ROOM, "a record has room");

/* A record being built: types go to a buffer, values directly to their final place. */
struct record {
    unsigned char types[HEADER];
    size_t length; /* number of bytes in `types` */
    size_t needed; /* number of bytes in `types` up to the last type other than NULL */
    unsigned char *end;
};

/* Writes a number as an SQLite varint of at most 9 bytes. Returns its length. */
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

/* Appends a number as the next column's value; EVENT_NONE becomes NULL. */
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
    /* Number of significant bits: those that differ from the sign bit, and one for the sign. */
    big = (uint64_t)(value < 0 ? ~value : value);
    bytes = ((big == 0 ? 0 : NUMBER_BITS - (unsigned)__builtin_clzll(big)) + 1 + 7) / 8;
    big = htobe64((uint64_t)value << (64 - 8 * forms[bytes].size));
    memcpy(record->end, &big, sizeof big);
    record->end += forms[bytes].size;
    put_type(record, forms[bytes].type);
}

static void put_arguments(struct record *record, const struct event *event, bool wanted) {
    if (!wanted || event->arguments == NULL || event->arguments == EVENT_PACKED) {
        put_number(record, wanted && event->arguments != NULL ? event->arguments_size : EVENT_NONE);
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

/* Builds the row of an event in `memory`: EVENT_RECORD_ROOM bytes, and room for the arguments. */
static struct batch_row make_record(const struct event *event, int64_t id, unsigned columns,
                                    int64_t first_row, unsigned char *memory) {
    unsigned char *values = memory + HEADER, *start;
    struct record record = {.end = values};

    put_type(&record, TYPE_NULL); /* the id is the row's key; the record has NULL for it */
    put_number(&record, event->time);
#define X(NAME, field, FORM) PUT_##FORM(EVENT_##NAME, event->field);
    EVENT_COLUMNS(X)
#undef X
    start = values - 1 - record.needed;
    *start = (unsigned char)(1 + record.needed);
    memcpy(start + 1, record.types, record.needed);
    return (struct batch_row){id, start, (size_t)(record.end - start)};
}

/* --- filling pages of an SQLite table with rows ----------------------------------------------- */

/* Layout of pages. A leaf begins with a header and pointers to its cells; cells are written from
 * its end backwards. A cell holds the record's length, the row's id and the record. The interior
 * page has a cell for each leaf but the last: the leaf's page number and largest id. */
enum {
    LEAF = 0x0d,
    LEAF_HEADER = 8,
    INTERIOR = 0x05,
    INTERIOR_HEADER = 12,
    CELL_PLACE = 2,   /* bytes of a pointer to a cell */
    CELL_HEADER = 18, /* limit of bytes before a record: two varints */
    ROOT = 1,         /* number of pages before the leaves: the interior page */
    AT_FIRST = 16,    /* pages allocated initially */
};

#define LONGEST (BATCH_PAGE - 35) /* limit of a record's bytes; longer ones need overflow pages */

static void put_u16(unsigned char *bytes, size_t number) {
    bytes[0] = (unsigned char)(number >> 8);
    bytes[1] = (unsigned char)number;
}

static void put_u32(unsigned char *bytes, size_t number) {
    put_u16(bytes, number >> 16);
    put_u16(bytes + 2, number & 0xffff);
}

static unsigned char *leaf_page_at(const struct batch_pages *pages, size_t leaf) {
    return pages->bytes + (ROOT + leaf) * BATCH_PAGE;
}

static size_t count_leaves(const struct batch_pages *pages) {
    return pages->count - ROOT;
}

/* Writes a page's header. `used_from` of 65536, the page's end, is stored as 0. */
static void write_leaf_header(unsigned char *page, unsigned char kind, size_t cells,
                              size_t used_from) {
    memset(page, 0, LEAF_HEADER);
    page[0] = kind;
    put_u16(page + 3, cells);
    put_u16(page + 5, used_from & 0xffff);
}

static void end_leaf(const struct batch_pages *pages) {
    if (pages->count > ROOT) {
        write_leaf_header(leaf_page_at(pages, count_leaves(pages) - 1), LEAF, pages->cells,
                          pages->used_from);
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

void batch_pages_add(struct batch_pages *pages, const struct batch_row *row) {
    unsigned char header[CELL_HEADER];
    size_t length = put_varint(header, row->length), above;
    unsigned char *page;

    length += put_varint(header + length, (uint64_t)row->id);
    above = LEAF_HEADER + (pages->cells + 1) * CELL_PLACE;
    if (pages->count == ROOT || above + length + row->length > pages->used_from) {
        end_leaf(pages);
        pages->cells = 0;
        pages->used_from = BATCH_PAGE;
        batch_pages_grow(pages, ++pages->count);
    }
    page = leaf_page_at(pages, count_leaves(pages) - 1);
    pages->used_from -= length + row->length;
    memcpy(page + pages->used_from, header, length);
    memcpy(page + pages->used_from + length, row->record, row->length);
    put_u16(page + LEAF_HEADER + pages->cells++ * CELL_PLACE, pages->used_from);
    pages->last[count_leaves(pages) - 1] = row->id;
}

/* Writes the interior page, which lists the leaves. A single leaf becomes the first page. */
static void write_root_page(struct batch_pages *pages) {
    unsigned char *root = pages->bytes;
    size_t used_from = BATCH_PAGE, cells = count_leaves(pages) - 1;

    if (cells == 0) {
        /* Copies the leaf's header, pointers and cells, not the unused bytes between them. */
        const unsigned char *leaf = leaf_page_at(pages, count_leaves(pages) - 1);

        memcpy(root, leaf, LEAF_HEADER + pages->cells * CELL_PLACE);
        memcpy(root + pages->used_from, leaf + pages->used_from, BATCH_PAGE - pages->used_from);
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
    write_leaf_header(root, INTERIOR, cells, used_from);
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
        write_root_page(pages);
    }
}

void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row) {
    batch_pages_begin(pages);
    for (size_t i = 0; i < count; i++) {
        struct batch_row row;

        if ((events[i].arguments_size > LONGEST - EVENT_RECORD_ROOM &&
             events[i].arguments != EVENT_PACKED) ||
            count_leaves(pages) == BATCH_LEAVES) {
            return;
        }
        row = make_record(&events[i], first + (int64_t)i, columns, first_row, pages->record);
        batch_pages_add(pages, &row);
    }
    batch_pages_end(pages);
}

/* Reads a varint as written by put_varint(). Returns its length in bytes. */
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
    /* with a single leaf, the first page is that leaf */
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

enum {
    CHUNK_SIZE = 64 * 1024,
    SORT_NEAR = 64, /* limit of earlier events that an event passes; so many fit into the cache */
};

struct chunk {
    struct chunk *next;
    size_t used, size;
    unsigned char bytes[];
};

struct batch *batch_new(void) {
    struct batch *batch = xcalloc(1, sizeof *batch);

    batch->events = xmalloc(BATCH_EVENTS * sizeof *batch->events);
    return batch;
}

static void free_chunks(struct chunk *chunk) {
    while (chunk != NULL) {
        struct chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
}

void batch_free(struct batch *batch) {
    if (batch == NULL) {
        return;
    }
    free_chunks(batch->chunks);
    free_chunks(batch->spare);
    free(batch->entries);
    free(batch->endings);
    free(batch->allocations);
    event_chunk_free(&batch->columns);
    batch_pages_free(&batch->rows);
    text_free(&batch->packed);
    free(batch->events);
    free(batch);
}

void batch_clear(struct batch *batch) {
    /* Keeps chunks of the usual size for reuse: freed by another thread than the one that allocated
     * them, they would make the allocator use more memory. */
    while (batch->chunks != NULL) {
        struct chunk *chunk = batch->chunks;

        batch->chunks = chunk->next;
        if (chunk->size > CHUNK_SIZE) {
            free(chunk);
        } else {
            chunk->next = batch->spare;
            batch->spare = chunk;
        }
    }
    batch->rows.fit = batch->in_order = false;
    text_clear(&batch->packed);
    batch->event_count = 0;
    batch->ending_count = 0;
    batch->allocation_count = 0;
    batch->entry_count = 0;
    batch->bytes = 0;
}

/* Returns a new chunk of memory with room for `size` bytes. */
static struct chunk *new_chunk(struct batch *batch, size_t size) {
    struct chunk *chunk = batch->spare;

    if (size <= CHUNK_SIZE && chunk != NULL) {
        batch->spare = chunk->next;
        chunk->used = 0;
        return chunk;
    }
    size = size > CHUNK_SIZE ? size : CHUNK_SIZE;
    chunk = xmalloc(sizeof *chunk + size);
    chunk->used = 0;
    chunk->size = size;
    return chunk;
}

void *batch_memory(struct batch *batch, size_t size) {
    struct chunk *chunk = batch->chunks;
    size_t rounded = (size + 7) & ~(size_t)7;
    void *memory;

    if (chunk == NULL || chunk->size - chunk->used < rounded) {
        chunk = new_chunk(batch, rounded);
        chunk->next = batch->chunks;
        batch->chunks = chunk;
    }
    memory = chunk->bytes + chunk->used;
    chunk->used += rounded;
    batch->bytes += rounded;
    return memory;
}

char *batch_copy(struct batch *batch, const char *bytes, size_t length) {
    char *copy = batch_memory(batch, length + 1);

    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

void batch_add_entry(struct batch *batch, const struct entry *entry) {
    *ARRAY_NEW(batch->entries, batch->entry_count, batch->entry_capacity) = *entry;
}

void batch_add_ending(struct batch *batch, const struct ending *ending) {
    *ARRAY_NEW(batch->endings, batch->ending_count, batch->ending_capacity) = *ending;
}

void batch_add_allocation(struct batch *batch, const struct allocation *allocation) {
    *ARRAY_NEW(batch->allocations, batch->allocation_count, batch->allocation_capacity) =
        *allocation;
}

bool batch_sort_last(struct batch *batch) {
    struct event *last = &batch->events[batch->event_count - 1], *to = last;
    struct event *first = batch->event_count > SORT_NEAR ? last - SORT_NEAR : batch->events;
    struct event event;

    while (to > first && to[-1].time > last->time) {
        to--;
    }
    batch->in_order &= to == batch->events || to[-1].time <= last->time;
    if (to == last) {
        return false;
    }
    event = *last;
    memmove(to + 1, to, (size_t)(last - to) * sizeof event);
    *to = event;
    return true;
}

struct place {
    int64_t time;
    size_t position;
};

static int batch_compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->position < b->position ? -1 : a->position > b->position;
}

/* Up to so many moves per event, insertion sort is faster than qsort(). */
enum { FEW_MOVES = 16 };

/* Sorts by insertion, since logs are nearly sorted; after too many moves, by qsort(). */
static void sort_places(struct place *places, size_t count) {
    size_t moves = 0;

    for (size_t i = 1; i < count && moves <= FEW_MOVES * count; i++) {
        struct place place = places[i];
        size_t to = i;

        for (; to > 0 && places[to - 1].time > place.time; to--) {
            places[to] = places[to - 1];
        }
        places[to] = place;
        moves += i - to;
    }
    if (moves > FEW_MOVES * count) {
        qsort(places, count, sizeof *places, batch_compare_places);
    }
}

/* Two successive batches, and the range of their events that may be unsorted. */
struct pair {
    struct batch *first, *second;
    size_t from;   /* index in batch `first` of the event at position 0 in the range */
    size_t border; /* position, in the range, of the first event that is in batch `second` */
    size_t count;
};

static struct event *event_at_place(const struct pair *pair, size_t place) {
    return place < pair->border ? &pair->first->events[pair->from + place]
                                : &pair->second->events[place - pair->border];
}

/* Copies the arguments of an event to its new batch, if it moved from one batch to the other. */
static void move_arguments(const struct pair *pair, size_t from, size_t to) {
    struct event *event = event_at_place(pair, to);

    if ((from < pair->border) != (to < pair->border) && event->arguments != NULL) {
        uint8_t *copy =
            batch_memory(to < pair->border ? pair->first : pair->second, event->arguments_size);

        memcpy(copy, event->arguments, event->arguments_size);
        event->arguments = copy;
    }
}

/* Moves the events along a cycle of the permutation `places`, and marks their places as sorted. */
static void move_circle(const struct pair *pair, struct place *places, size_t first) {
    struct event aside = *event_at_place(pair, first);
    size_t to = first, from;

    while ((from = places[to].position) != first) {
        *event_at_place(pair, to) = *event_at_place(pair, from);
        move_arguments(pair, from, to);
        places[to].position = to;
        to = from;
    }
    *event_at_place(pair, to) = aside;
    move_arguments(pair, first, to);
    places[to].position = to;
}

/* Returns the range of events that may be unsorted. If both batches are sorted, only the end of the
 * first and the beginning of the second can overlap. */
static struct pair unsorted_range_of_batches(struct batch *first, struct batch *second) {
    size_t from = first->event_count, end = 0;

    if (!first->in_order || !second->in_order) {
        return (struct pair){first, second, 0, from, from + second->event_count};
    }
    while (from > 0 && second->event_count > 0 &&
           first->events[from - 1].time > second->events[0].time) {
        from--;
    }
    while (from < first->event_count && end < second->event_count &&
           second->events[end].time < first->events[first->event_count - 1].time) {
        end++;
    }
    return (struct pair){first, second, from, first->event_count - from,
                         first->event_count - from + end};
}

void batch_merge(struct batch *first, struct batch *second) {
    const struct pair pair = unsorted_range_of_batches(first, second);
    struct place *places = xmalloc((pair.count + 1) * sizeof *places);

    for (size_t i = 0; i < pair.count; i++) {
        places[i] = (struct place){event_at_place(&pair, i)->time, i};
    }
    sort_places(places, pair.count);
    first->in_order = second->in_order = true;
    for (size_t i = 0; i < pair.count; i++) {
        if (places[i].position != i) {
            move_circle(&pair, places, i);
        }
    }
    free(places);
}
