#include "store/row_pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/event_record.h"
#include "store/memory_file.h"

/* The name of the database in memory on the importing connection. */
#define SCHEMA "rows"

/* https://www.sqlite.org/fileformat2.html#b_tree_pages: a leaf begins with a header and the places
 * of its cells, which fill it from its end on. A cell is the length of the record, the id and the
 * record. The page above the leaves has the number and the largest id of each in its cells, but of
 * the last one only the number. */
enum {
    PAGE = 65536,
    LEAF = 0x0d,
    LEAF_HEADER = 8,
    INTERIOR = 0x05,
    INTERIOR_HEADER = 12,
    CELL_PLACE = 2,                             /* bytes */
    CELL_HEADER = 18,                           /* bytes, at most: two numbers */
    LONGEST = PAGE - 35,                        /* record; longer ones lie on several pages */
    PAGES_BEFORE = 2,                           /* that of the schema, and the first of the table */
    LEAVES = PAGE / (CELL_PLACE + 4 + 9) - 100, /* at most: those that one page speaks of */
    MOST_PAGES = PAGES_BEFORE + LEAVES,
    AT_FIRST = 16, /* pages, for which there is memory */
};

struct row_pages {
    struct database *database; /* borrowed */
    sqlite3_stmt *copy;
    struct memory_file file; /* as SQLite has them */
    unsigned char *bytes;    /* owned; of all pages */
    size_t capacity;         /* pages */
    size_t leaves;
    int64_t last[LEAVES]; /* largest id of each */
    /* The leaf that is being filled. */
    size_t cells, used_from; /* how many; where the lowest begins */
    unsigned char *record;   /* owned; LONGEST and room for more */
};

/* --- pages ------------------------------------------------------------------------------------ */

static void put_u16(unsigned char *bytes, size_t number) {
    bytes[0] = (unsigned char)(number >> 8);
    bytes[1] = (unsigned char)number;
}

static void put_u32(unsigned char *bytes, size_t number) {
    put_u16(bytes, number >> 16);
    put_u16(bytes + 2, number & 0xffff);
}

/* Pages are numbered from 1. */
static unsigned char *page_at(struct row_pages *pages, size_t number) {
    return pages->bytes + (number - 1) * PAGE;
}

static unsigned char *leaf_at(struct row_pages *pages, size_t leaf) {
    return page_at(pages, PAGES_BEFORE + 1 + leaf);
}

/* `used_from` can be a whole page, which 0 stands for. */
static void put_header(unsigned char *page, unsigned char kind, size_t cells, size_t used_from) {
    memset(page, 0, LEAF_HEADER);
    page[0] = kind;
    put_u16(page + 3, cells);
    put_u16(page + 5, used_from & 0xffff);
}

static void end_leaf(struct row_pages *pages) {
    if (pages->leaves > 0) {
        put_header(leaf_at(pages, pages->leaves - 1), LEAF, pages->cells, pages->used_from);
    }
}

static bool grow(struct row_pages *pages, size_t needed, struct error *error) {
    size_t capacity = pages->capacity == 0 ? AT_FIRST : pages->capacity;
    unsigned char *bytes;

    if (needed <= pages->capacity) {
        return true;
    }
    while (capacity < needed) {
        capacity *= 2;
    }
    bytes = realloc(pages->bytes, capacity * PAGE);
    if (bytes == NULL) {
        return error_no_memory(error);
    }
    pages->bytes = bytes;
    pages->capacity = capacity;
    return true;
}

static bool begin_leaf(struct row_pages *pages, struct error *error) {
    end_leaf(pages);
    pages->cells = 0;
    pages->used_from = PAGE;
    return grow(pages, PAGES_BEFORE + ++pages->leaves, error);
}

static bool add_cell(struct row_pages *pages, int64_t id, const struct event_record *record,
                     struct error *error) {
    unsigned char header[CELL_HEADER];
    size_t length = event_record_varint(header, record->length), above;
    unsigned char *page;

    length += event_record_varint(header + length, (uint64_t)id);
    above = LEAF_HEADER + (pages->cells + 1) * CELL_PLACE;
    if ((pages->leaves == 0 || above + length + record->length > pages->used_from) &&
        !begin_leaf(pages, error)) {
        return false;
    }
    page = leaf_at(pages, pages->leaves - 1);
    pages->used_from -= length + record->length;
    memcpy(page + pages->used_from, header, length);
    memcpy(page + pages->used_from + length, record->bytes, record->length);
    put_u16(page + LEAF_HEADER + pages->cells++ * CELL_PLACE, pages->used_from);
    pages->last[pages->leaves - 1] = id;
    return true;
}

/* The first page of the table, which speaks of the leaves; a single one stands there itself. */
static void put_root(struct row_pages *pages) {
    unsigned char *root = page_at(pages, PAGES_BEFORE);
    size_t used_from = PAGE, cells = pages->leaves - 1;

    if (cells == 0) {
        memcpy(root, leaf_at(pages, 0), PAGE);
        pages->leaves = 0;
        return;
    }
    for (size_t i = 0; i < cells; i++) {
        unsigned char key[CELL_HEADER];
        size_t length = event_record_varint(key, (uint64_t)pages->last[i]);

        used_from -= 4 + length;
        put_u32(root + used_from, PAGES_BEFORE + 1 + i);
        memcpy(root + used_from + 4, key, length);
        put_u16(root + INTERIOR_HEADER + i * CELL_PLACE, used_from);
    }
    put_header(root, INTERIOR, cells, used_from);
    put_u32(root + LEAF_HEADER, PAGES_BEFORE + pages->leaves);
}

static void put_size(struct row_pages *pages) {
    pages->file.bytes = pages->bytes;
    pages->file.size = (PAGES_BEFORE + pages->leaves) * PAGE;
}

/* `*fit`: no record is too long. */
static bool lay_out(struct row_pages *pages, const struct batch *batch, unsigned columns,
                    int64_t first_row, bool *fit, struct error *error) {
    int64_t first = first_row + batch->first_serial;

    pages->leaves = 0;
    for (size_t i = 0; i < batch->event_count; i++) {
        const struct event *event = &batch->events[i];
        struct event_record record;

        *fit = event->arguments_size <= LONGEST - EVENT_RECORD_ROOM && pages->leaves < LEAVES;
        if (!*fit) {
            return true;
        }
        record = event_record_make(event, columns, first_row, pages->record);
        if (!add_cell(pages, first + (int64_t)i, &record, error)) {
            return false;
        }
    }
    end_leaf(pages);
    put_root(pages);
    put_size(pages);
    return true;
}

/* --- the database in memory ------------------------------------------------------------------- */

#define TYPE_INTEGER "INTEGER"
#define TYPE_PARENT  "INTEGER"
#define TYPE_ID      "INTEGER"
#define TYPE_FLAGS   "INTEGER"
#define TYPE_DEPTH   "INTEGER"
#define TYPE_BYTES   "BLOB"

/* An empty table like `event` in schema.sql, as SQLite makes it: two pages. */
static bool make_empty(struct row_pages *pages, struct error *error) {
    static const char sql[] = "PRAGMA page_size = 65536;"
                              "CREATE TABLE event (id INTEGER PRIMARY KEY, time INTEGER NOT NULL"
#define X(NAME, field, FORM) ", " #field " " TYPE_##FORM
        EVENT_COLUMNS(X)
#undef X
            ")";
    sqlite3 *handle = NULL;
    sqlite3_int64 size = 0;
    unsigned char *bytes = NULL;
    bool done;

    if (sqlite3_open(":memory:", &handle) == SQLITE_OK &&
        sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK) {
        bytes = sqlite3_serialize(handle, "main", &size, 0);
    }
    done = bytes != NULL && size == (sqlite3_int64)PAGES_BEFORE * PAGE;
    if (done) {
        memcpy(pages->bytes, bytes, (size_t)size);
    }
    sqlite3_free(bytes);
    sqlite3_close(handle);
    return done || error_no_memory(error);
}

static bool open_pages(struct row_pages *pages, bool *in_place, struct error *error) {
    pages->record = malloc(LONGEST + EVENT_RECORD_ROOM);
    if (pages->record == NULL) {
        return error_no_memory(error);
    }
    if (!grow(pages, AT_FIRST, error) || !make_empty(pages, error)) {
        return false;
    }
    put_u32(pages->bytes + 28, MOST_PAGES); /* in the header of the file */
    pages->file.says = (size_t)MOST_PAGES * PAGE;
    put_size(pages);
    if (!memory_file_attach(&pages->file, pages->database, SCHEMA, in_place, error)) {
        return false;
    }
    pages->copy = database_prepare(pages->database,
                                   "INSERT INTO main.event SELECT * FROM " SCHEMA ".event", error);
    return pages->copy != NULL;
}

/* Whether main.event has the columns that the pages have, none of which is anything but NULL where
 * a row does not have it, in a database of the same encoding. */
static bool same_columns(struct database *database, bool *same, struct error *error) {
    static const char sql[] = "SELECT group_concat(name, ' ') = 'id time"
#define X(NAME, field, FORM) " " #field
        EVENT_COLUMNS(X)
#undef X
            "' AND count(dflt_value) = 0 AND encoding = 'UTF-8'"
            " FROM pragma_table_info('event', 'main'), pragma_encoding";
    sqlite3_stmt *ask = database_take(database, sql, error);
    bool row = false, done = ask != NULL && database_step(database, ask, &row, error);

    *same = done && row && sqlite3_column_int(ask, 0) != 0;
    database_keep(database, ask);
    return done;
}

void row_pages_free(struct row_pages *pages) {
    if (pages != NULL) {
        sqlite3_finalize(pages->copy);
        memory_file_detach(&pages->file, pages->database, SCHEMA);
        free(pages->record);
        free(pages->bytes);
        free(pages);
    }
}

static bool make_pages(struct database *database, struct row_pages **pages, struct error *error) {
    bool in_place = true;

    *pages = calloc(1, sizeof **pages);
    if (*pages == NULL) {
        return error_no_memory(error);
    }
    (*pages)->database = database;
    if (!open_pages(*pages, &in_place, error)) {
        return false;
    }
    if (!in_place) {
        row_pages_free(*pages);
        *pages = NULL;
    }
    return true;
}

bool row_pages_new(struct database *database, struct row_pages **pages, struct error *error) {
    bool same;

    *pages = NULL;
    if (!same_columns(database, &same, error)) {
        return false;
    }
    if (same && database->pages != NULL) {
        *pages = database->pages;
        database->pages = NULL;
        return true;
    }
    return !same || make_pages(database, pages, error);
}

void row_pages_keep(struct row_pages *pages) {
    if (pages != NULL && pages->database->pages == NULL && pages->copy != NULL &&
        pages->capacity == AT_FIRST) {
        pages->database->pages = pages;
    } else {
        row_pages_free(pages);
    }
}

bool row_pages_write(struct row_pages *pages, const struct batch *batch, unsigned columns,
                     int64_t first_row, bool *written, struct error *error) {
    *written = true;
    if (batch->event_count == 0) {
        return true;
    }
    return lay_out(pages, batch, columns, first_row, written, error) &&
           (!*written || database_execute(pages->database, pages->copy, error));
}
