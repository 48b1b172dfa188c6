#include "store/event_pages.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/bytes.h"

enum {
    HEADER_SIZE = 100, /* of the file, on its first page */
    LEAF = 13,
    INTERIOR = 5,
    LEAF_HEADER = 8,
    INTERIOR_HEADER = 12,
    MOST_LEVELS = 20,      /* SQLite's own limit */
    MOST_RECORD = 1 << 30, /* as well */
    LEAST_PAGE = 512,
    LEAST_USABLE = 480,
    VARINT = 9,   /* bytes at most */
    PADDING = 16, /* behind a buffer: a number is read with the bytes that follow it */
};

struct event_pages {
    struct database *database;
    int descriptor; /* the database's */
    int64_t first, last;
    uint32_t page_size, usable;
    uint32_t page_count;
    bool root_is_leaf;
    uint32_t *leaves; /* owned */
    size_t count, capacity;
    bool in_transaction; /* that this began */
};

static bool damaged(const struct event_pages *pages, struct error *error) {
    return error_set(error,
                     "%s: the database is damaged (table event); restore it or import the logs "
                     "again into a new one",
                     pages->database->path);
}

/* --- numbers of the format -------------------------------------------------------------------- */

/* A variable-length number; NULL when it ends behind `end`, else what follows it. */
static const unsigned char *read_varint(const unsigned char *at, const unsigned char *end,
                                        uint64_t *number) {
    *number = 0;
    for (int i = 0; i < VARINT && at < end; i++) {
        unsigned char byte = *at++;

        if (i == VARINT - 1) {
            *number = *number << 8 | byte;
            return at;
        }
        *number = *number << 7 | (byte & 0x7F);
        if (byte < 0x80) {
            return at;
        }
    }
    return NULL;
}

/* Bytes of a value of a serial type (2.1, Record Format). */
static uint64_t size_of(uint64_t type) {
    static const unsigned char sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};

    return type < sizeof sizes ? sizes[type] : (type - 12) / 2;
}

/* The number of a serial type (no other than 0 to 6, 8 and 9), EVENT_NONE for NULL. Eight bytes
 * must be readable. */
static int64_t value_of(unsigned type, const unsigned char *bytes) {
    static const unsigned char unused_bits[] = {0, 56, 48, 40, 32, 16, 0};
    uint64_t number;

    if (type >= 1 && type <= 6) {
        memcpy(&number, bytes, sizeof number);
        return (int64_t)be64toh(number) >> unused_bits[type];
    }
    return type == 8 ? 0 : type == 9 ? 1 : EVENT_NONE;
}

/* --- opening -------------------------------------------------------------------------------- */

static bool read_page(const struct event_pages *pages, uint32_t page, unsigned char *bytes,
                      struct error *error) {
    off_t offset = (off_t)(page - 1) * pages->page_size;
    size_t done = 0;

    if (page == 0 || page > pages->page_count) {
        return damaged(pages, error);
    }
    while (done < pages->page_size) {
        ssize_t got =
            pread(pages->descriptor, bytes + done, pages->page_size - done, offset + (off_t)done);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return error_set(error, "%s: cannot be read: %s", pages->database->path,
                             strerror(errno));
        }
        if (got == 0) {
            return damaged(pages, error);
        }
        done += (size_t)got;
    }
    return true;
}

/* Takes the lock for reading and keeps it. */
static bool begin_reading(struct event_pages *pages, struct error *error) {
    int64_t version;

    if (sqlite3_get_autocommit(pages->database->handle)) {
        if (!database_run(pages->database, "BEGIN", error)) {
            return false;
        }
        pages->in_transaction = true;
    }
    return database_integer(pages->database, "PRAGMA main.schema_version", 0, 0, &version, error);
}

/* Whether the file can be read directly: it is as the documentation says, and there is no
 * write-ahead log beside it. */
static bool read_header(struct event_pages *pages) {
    unsigned char header[HEADER_SIZE];
    struct stat status;
    bool readable = pread(pages->descriptor, header, sizeof header, 0) == (ssize_t)sizeof header &&
                    fstat(pages->descriptor, &status) == 0 && header[18] == 1 && header[19] == 1;

    if (!readable) {
        return false;
    }
    pages->page_size = bytes_u16_big(header + 16);
    pages->page_size = pages->page_size == 1 ? 65536 : pages->page_size;
    if (pages->page_size < LEAST_PAGE || (pages->page_size & (pages->page_size - 1)) != 0) {
        return false;
    }
    pages->usable = pages->page_size - header[20];
    pages->page_count = (uint32_t)(status.st_size / pages->page_size);
    return pages->usable >= LEAST_USABLE;
}

static bool add_leaf(struct event_pages *pages, uint32_t page, struct error *error) {
    if (pages->count == pages->capacity) {
        size_t capacity = pages->capacity == 0 ? 1024 : 2 * pages->capacity;
        uint32_t *leaves = realloc(pages->leaves, capacity * sizeof *leaves);

        if (leaves == NULL) {
            return error_no_memory(error);
        }
        pages->leaves = leaves;
        pages->capacity = capacity;
    }
    /* A damaged tree may lead to the same page again and again. */
    if (pages->count >= pages->page_count) {
        return damaged(pages, error);
    }
    pages->leaves[pages->count++] = page;
    return true;
}

/* How many cells a page has; false when there cannot be so many. Only a table without rows has a
 * page without any. */
static bool count_cells(const struct event_pages *pages, const unsigned char *page, size_t header,
                        size_t *count) {
    *count = bytes_u16_big(page + 3);
    return header + 2 * *count <= pages->usable && (*count > 0 || pages->root_is_leaf);
}

/* Cell `i`, behind the header and the array of pointers; NULL when it lies elsewhere. */
static const unsigned char *find_cell(const struct event_pages *pages, const unsigned char *page,
                                      size_t header, size_t i) {
    size_t offset = bytes_u16_big(page + header + 2 * i);

    return offset < header || offset + 4 > pages->usable ? NULL : page + offset;
}

/* Adds the leaves below a page that may hold wanted ids; `levels` above the leaves. */
static bool find_leaves(struct event_pages *pages, uint32_t page, int levels, struct error *error);

/* The ids of a child do not exceed its key. */
static bool find_children(struct event_pages *pages, const unsigned char *page, int levels,
                          struct error *error) {
    int64_t before = INT64_MIN;
    size_t count;

    if (page[0] != INTERIOR || !count_cells(pages, page, INTERIOR_HEADER, &count)) {
        return damaged(pages, error);
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned char *cell = find_cell(pages, page, INTERIOR_HEADER, i);
        uint64_t key;

        if (cell == NULL || read_varint(cell + 4, page + pages->usable, &key) == NULL) {
            return damaged(pages, error);
        }
        if ((int64_t)key >= pages->first && before < pages->last &&
            !find_leaves(pages, bytes_u32_big(cell), levels - 1, error)) {
            return false;
        }
        before = (int64_t)key;
    }
    return before >= pages->last || find_leaves(pages, bytes_u32_big(page + 8), levels - 1, error);
}

static bool find_leaves(struct event_pages *pages, uint32_t page, int levels, struct error *error) {
    unsigned char *bytes;
    bool done;

    if (levels == 0) {
        return add_leaf(pages, page, error);
    }
    bytes = malloc(pages->page_size);
    if (bytes == NULL) {
        return error_no_memory(error);
    }
    done = read_page(pages, page, bytes, error) && find_children(pages, bytes, levels, error);
    free(bytes);
    return done;
}

/* All leaves are equally far from the root. */
static bool count_levels(const struct event_pages *pages, uint32_t page, int *levels,
                         struct error *error) {
    unsigned char *bytes = malloc(pages->page_size);
    bool done = bytes != NULL || error_no_memory(error);

    for (*levels = 0; done; ++*levels) {
        done = read_page(pages, page, bytes, error);
        if (done && bytes[0] == LEAF) {
            break;
        }
        page = done ? bytes_u32_big(bytes + 8) : 0;
        done = done && ((bytes[0] == INTERIOR && *levels < MOST_LEVELS) || damaged(pages, error));
    }
    free(bytes);
    return done;
}

static bool find_leaves_below(struct event_pages *pages, uint32_t root, int levels,
                              struct error *error) {
    pages->root_is_leaf = levels == 0;
    /* A range without ids would meet no leaf that ends the search in a damaged tree. */
    return pages->first > pages->last || find_leaves(pages, root, levels, error);
}

static bool find_tree(struct event_pages *pages, struct error *error) {
    int64_t root;
    int levels;

    return database_integer(pages->database,
                            "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table'"
                            " AND name = 'event'",
                            0, 0, &root, error) &&
           count_levels(pages, (uint32_t)root, &levels, error) &&
           find_leaves_below(pages, (uint32_t)root, levels, error);
}

bool event_pages_open(struct event_pages **opened, struct database *database, int64_t first,
                      int64_t last, struct error *error) {
    struct event_pages *pages = calloc(1, sizeof *pages);
    bool readable = false, done;

    *opened = NULL;
    if (pages == NULL) {
        return error_no_memory(error);
    }
    pages->database = database;
    pages->first = first;
    pages->last = last;
    pages->descriptor = database_descriptor(database);
    /* What this connection has changed may not be in the file yet. */
    done = pages->descriptor < 0 ||
           sqlite3_txn_state(database->handle, "main") == SQLITE_TXN_WRITE ||
           (begin_reading(pages, error) &&
            (!(readable = read_header(pages)) || find_tree(pages, error)));
    if (done && readable) {
        *opened = pages;
    } else {
        event_pages_close(pages);
    }
    return done;
}

void event_pages_close(struct event_pages *pages) {
    struct error ignored;

    if (pages == NULL) {
        return;
    }
    if (pages->in_transaction) {
        database_run(pages->database, "COMMIT", &ignored);
    }
    free(pages->leaves);
    free(pages);
}

size_t event_pages_count(const struct event_pages *pages) {
    return pages->count;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* The columns in the order of the table (schema.sql). */
enum column {
    ID,
    TIME,
    DURATION,
    OPERATION,
    ACTOR,
    OBJECT,
    FLAGS,
    ADDRESS,
    SIZE,
    VALUE,
    PARENT,
    DEPTH,
    ARGUMENTS,
    SELF,
    COLUMNS,
};

/* What a column of the table is in an event: a bit of enum event_column, 0 for time. */
static const unsigned fields_of[COLUMNS] = {
    [DURATION] = EVENT_DURATION, [OPERATION] = EVENT_OPERATION, [ACTOR] = EVENT_ACTOR,
    [OBJECT] = EVENT_OBJECT,     [FLAGS] = EVENT_FLAGS,         [ADDRESS] = EVENT_ADDRESS,
    [SIZE] = EVENT_SIZE,         [VALUE] = EVENT_VALUE,         [PARENT] = EVENT_PARENT,
    [DEPTH] = EVENT_DEPTH,       [SELF] = EVENT_SELF,
};

/* Where the values of a wanted column go. */
struct sink {
    unsigned char column; /* enum column */
    unsigned char form;   /* enum event_form */
    void *array;          /* of the reader's columns */
};

/* Where the values of a record lie, as its header tells. Most records of a trace have one of some
 * headers, so what was found out about one serves for the next. */
struct layout {
    uint64_t header[2]; /* its bytes; 0: this is of none */
    unsigned char types[COLUMNS];
    uint32_t size; /* of the record up to the last wanted value */
    uint32_t offsets[COLUMNS];
    uint32_t arguments_size;
};

/* A record of which a part lies in overflow pages. */
struct gathered {
    struct gathered *next;
    unsigned char bytes[];
};

enum { LAYOUT_BITS = 9, LAYOUTS = 1 << LAYOUT_BITS };

struct event_page_reader {
    const struct event_pages *pages;
    int64_t operation; /* of rows to be read; EVENT_NONE: any */
    struct sink wanted[COLUMNS];
    size_t wanted_count;
    struct layout layouts[LAYOUTS + 1]; /* the last one: of a long header */
    unsigned char *bytes;               /* owned: the pages */
    const unsigned char *page;          /* that is being read, of `bytes` */
    struct gathered *gathered;          /* owned: records that were put together */
    uint64_t gathered_size;             /* bytes of these */
    bool wants_arguments;
    unsigned fields;              /* bit set of enum event_column */
    struct event_columns columns; /* owned */
    size_t capacity;              /* rows that the columns have room for */
};

struct event_page_reader *event_page_reader_new(const struct event_pages *pages, size_t at_once,
                                                unsigned fields, int64_t operation) {
    struct event_page_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL) {
        return NULL;
    }
    reader->pages = pages;
    reader->operation = operation;
    fields &= ~(unsigned)EVENT_CPU;
    fields |= operation != EVENT_NONE ? (unsigned)EVENT_OPERATION : 0;
    reader->fields = fields;
    reader->wants_arguments = (fields & EVENT_ARGUMENTS) != 0;
    reader->bytes = calloc(1, at_once * pages->page_size + PADDING);
    for (int column = 0; column < COLUMNS; column++) {
        if (column == TIME || (fields & fields_of[column]) != 0) {
            reader->wanted[reader->wanted_count++] = (struct sink){
                (unsigned char)column, (unsigned char)event_columns_form(fields_of[column]), NULL};
        }
    }
    if (reader->bytes == NULL) {
        free(reader);
        return NULL;
    }
    return reader;
}

static void free_gathered(struct event_page_reader *reader) {
    reader->gathered_size = 0;
    while (reader->gathered != NULL) {
        struct gathered *next = reader->gathered->next;

        free(reader->gathered);
        reader->gathered = next;
    }
}

void event_page_reader_free(struct event_page_reader *reader) {
    if (reader != NULL) {
        free_gathered(reader);
        free(reader->bytes);
        event_columns_free(&reader->columns);
        free(reader);
    }
}

static bool is_wanted(const struct event_page_reader *reader, int column) {
    return column == TIME || (reader->fields & fields_of[column]) != 0;
}

/* A record may have fewer columns than the table has now: the others are NULL. False when it is no
 * record with numbers, or nothing, where they are wanted. */
static bool read_layout(const struct event_page_reader *reader, const unsigned char *record,
                        const unsigned char *end, struct layout *layout) {
    uint64_t header_size, offset, type;
    const unsigned char *at = read_varint(record, end, &header_size);

    if (at == NULL || header_size > (uint64_t)(end - record)) {
        return false;
    }
    end = record + header_size;
    offset = header_size;
    *layout = (struct layout){.size = (uint32_t)header_size};
    for (int column = 0; column < COLUMNS && at < end; column++) {
        at = read_varint(at, end, &type);
        if (at == NULL) {
            return false;
        }
        if (column == ARGUMENTS && reader->wants_arguments && type >= 12) {
            layout->offsets[column] = (uint32_t)offset;
            layout->arguments_size = (uint32_t)size_of(type);
            layout->size = (uint32_t)(offset + size_of(type));
        } else if (is_wanted(reader, column)) {
            if (type == 7 || type > 9) {
                return false;
            }
            layout->types[column] = (unsigned char)type;
            layout->offsets[column] = (uint32_t)offset;
            layout->size = (uint32_t)(offset + size_of(type));
        }
        offset += size_of(type);
        if (offset > MOST_RECORD) {
            return false;
        }
    }
    return true;
}

/* The first 16 bytes of a record as numbers, those behind its header 0. */
static void read_short_header(const unsigned char *record, uint64_t header[2]) {
    unsigned size = record[0];

    memcpy(header, record, 2 * sizeof *header);
    header[0] = le64toh(header[0]);
    header[1] = le64toh(header[1]);
    if (size < 8) {
        header[0] &= (UINT64_C(1) << 8 * size) - 1;
        header[1] = 0;
    } else if (size < 16) {
        header[1] &= (UINT64_C(1) << 8 * (size - 8)) - 1;
    }
}

/* The layout of a record, out of the kept ones or new; NULL when it has none. `end`: of the bytes
 * that are there, beyond which 16 can be read. */
static const struct layout *find_layout(struct event_page_reader *reader,
                                        const unsigned char *record, const unsigned char *end) {
    struct layout *layout = &reader->layouts[LAYOUTS];
    uint64_t header[2] = {0, 0};

    if (record[0] <= sizeof header) {
        read_short_header(record, header);
        layout = &reader->layouts[((header[0] ^ header[1] * 31) * UINT64_C(0x9E3779B97F4A7C15)) >>
                                  (64 - LAYOUT_BITS)];
        if (layout->header[0] == header[0] && layout->header[1] == header[1]) {
            return layout;
        }
    }
    if (!read_layout(reader, record, end, layout)) {
        layout->header[0] = 0;
        return NULL;
    }
    memcpy(layout->header, header, sizeof header);
    return layout;
}

/* Puts the first `size` bytes of a record together that begins in a leaf with `local` bytes and
 * goes on in overflow pages (1.6); the number of the first one follows the local bytes. */
static const unsigned char *gather_record(struct event_page_reader *reader,
                                          const unsigned char *record, size_t local, size_t size,
                                          struct error *error) {
    const struct event_pages *pages = reader->pages;
    uint32_t next = bytes_u32_big(record + local);
    struct gathered *gathered = NULL;

    /* No more than the file holds, however often its pages are linked. */
    reader->gathered_size += size;
    if (reader->gathered_size > (uint64_t)pages->page_count * pages->page_size) {
        damaged(pages, error);
        return NULL;
    }
    gathered = malloc(sizeof *gathered + size + pages->page_size + PADDING);

    if (gathered == NULL) {
        error_no_memory(error);
        return NULL;
    }
    gathered->next = reader->gathered;
    reader->gathered = gathered;
    memcpy(gathered->bytes, record, local);
    for (size_t have = local; have < size; have += pages->usable - 4) {
        unsigned char *link = gathered->bytes + have - 4, kept[4];

        /* The page's first four bytes, the number of the next one, fall on what is there. */
        memcpy(kept, link, sizeof kept);
        if (!read_page(pages, next, link, error)) {
            return NULL;
        }
        next = bytes_u32_big(link);
        memcpy(link, kept, sizeof kept);
    }
    return gathered->bytes;
}

/* How much of a payload is in its leaf (1.6). */
static size_t local_size(const struct event_pages *pages, uint64_t payload) {
    size_t most = pages->usable - 35, least = (pages->usable - 12) * 32 / 255 - 23, part;

    if (payload <= most) {
        return (size_t)payload;
    }
    part = least + (size_t)((payload - least) % (pages->usable - 4));
    return part <= most ? part : least;
}

/* Reads the record of row `at`, of which `local` bytes are in the page. `*wanted` is cleared when
 * it is of another operation. */
static bool read_record(struct event_page_reader *reader, const unsigned char *record, size_t local,
                        uint64_t payload, size_t at, bool *wanted, struct error *error) {
    const struct layout *layout = local == 0 ? NULL : find_layout(reader, record, record + local);

    if (layout == NULL || layout->size > payload) {
        return damaged(reader->pages, error);
    }
    if (reader->operation != EVENT_NONE &&
        layout->offsets[OPERATION] + size_of(layout->types[OPERATION]) <= local &&
        value_of(layout->types[OPERATION], record + layout->offsets[OPERATION]) !=
            reader->operation) {
        *wanted = false;
        return true;
    }
    if (layout->size > local &&
        (record = gather_record(reader, record, local, layout->size, error)) == NULL) {
        return false;
    }
    for (size_t i = 0; i < reader->wanted_count; i++) {
        const struct sink *sink = &reader->wanted[i];

        event_array_put(
            sink->array, (enum event_form)sink->form, at,
            value_of(layout->types[sink->column], record + layout->offsets[sink->column]));
    }
    if (reader->wants_arguments) {
        reader->columns.arguments[at] =
            layout->arguments_size > 0 ? record + layout->offsets[ARGUMENTS] : NULL;
        reader->columns.arguments_size[at] = layout->arguments_size;
    }
    return true;
}

/* Room for so many rows in all. */
static bool need_rows(struct event_page_reader *reader, size_t count, struct error *error) {
    if (count <= reader->capacity) {
        return true;
    }
    count += count / 2;
    if (!event_columns_grow(&reader->columns, reader->fields, count)) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < reader->wanted_count; i++) {
        struct sink *sink = &reader->wanted[i];

        sink->array = *event_columns_array(&reader->columns, fields_of[sink->column]);
    }
    reader->capacity = count;
    return true;
}

/* Reads the row of a cell to place `at`; `*wanted`: it is one of those to be visited. */
static bool read_cell(struct event_page_reader *reader, const unsigned char *cell, size_t at,
                      bool *wanted, struct error *error) {
    const struct event_pages *pages = reader->pages;
    const unsigned char *end = reader->page + pages->usable;
    uint64_t payload, id;
    size_t local;

    if (cell == NULL || (cell = read_varint(cell, end, &payload)) == NULL ||
        (cell = read_varint(cell, end, &id)) == NULL || payload > MOST_RECORD) {
        return damaged(pages, error);
    }
    reader->columns.id[at] = (int64_t)id;
    *wanted = (int64_t)id >= pages->first && (int64_t)id <= pages->last;
    local = local_size(pages, payload);
    if (local + (local < payload ? 4 : 0) > (size_t)(end - cell)) {
        return damaged(pages, error);
    }
    return !*wanted || read_record(reader, cell, local, payload, at, wanted, error);
}

/* Adds the rows of a page to those that are there. */
static bool read_leaf(struct event_page_reader *reader, uint32_t page, unsigned char *bytes,
                      size_t *count, struct error *error) {
    const struct event_pages *pages = reader->pages;
    size_t cells;

    if (!read_page(pages, page, bytes, error)) {
        return false;
    }
    if (bytes[0] != LEAF || !count_cells(pages, bytes, LEAF_HEADER, &cells)) {
        return damaged(pages, error);
    }
    reader->page = bytes;
    if (!need_rows(reader, *count + cells, error)) {
        return false;
    }
    for (size_t i = 0; i < cells; i++) {
        bool wanted = false;

        if (!read_cell(reader, find_cell(pages, bytes, LEAF_HEADER, i), *count, &wanted, error)) {
            return false;
        }
        *count += wanted;
    }
    return true;
}

bool event_pages_read(struct event_page_reader *reader, size_t first, size_t behind,
                      struct event_columns **columns, size_t *count, struct error *error) {
    unsigned char *bytes = reader->bytes;
    bool done = true;

    *count = 0;
    free_gathered(reader);
    for (size_t i = first; done && i < behind; i++) {
        done = read_leaf(reader, reader->pages->leaves[i], bytes, count, error);
        bytes += reader->pages->page_size;
    }
    *columns = &reader->columns;
    return done;
}
