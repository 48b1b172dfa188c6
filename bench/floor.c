/* The floor under `tracetool import`: how fast SQLite takes the same rows when they cost nothing.
 *
 *     floor DATABASE LOG SCHEMA
 *
 * Reads a raw Palmist log into memory and decodes it into an array, creates the tables of SCHEMA in
 * DATABASE (which must not exist), and then, with the clock running, does one thing:
 *
 *     BEGIN; INSERT INTO event (…) SELECT … FROM row; COMMIT
 *
 * where `row` is a virtual table over the array. Page size, page cache, journal and synchronous are
 * those of an import; one thread. Nothing is shared with tracetool but the text of SCHEMA.
 * Prints rows, seconds and rows a second.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TICK   INT64_C(10000000) /* nanoseconds */
#define TRAPS  0x10000
#define ACTORS 4096

enum { CALL_HEADER = 12 };

/* The columns of `event` that an import of such a log fills in. */
struct row {
    int64_t time;
    uint32_t operation, actor;
    uint32_t size;
    const uint8_t *arguments;
};

struct rows {
    struct row *rows;
    size_t count;
};

static void die(const char *what, const char *why) {
    fprintf(stderr, "floor: %s: %s\n", what, why);
    exit(1);
}

static void *allocate(size_t size) {
    void *memory = malloc(size);

    if (memory == NULL) {
        die("memory", strerror(errno));
    }
    return memory;
}

/* --- the rows ------------------------------------------------------------------------------- */

/* A whole file, with a NUL behind it. */
static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long end;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) {
        die(path, strerror(errno));
    }
    *size = (size_t)end;
    bytes = allocate(*size + 1);
    rewind(file);
    if (fread(bytes, 1, *size, file) != *size) {
        die(path, "cannot read it");
    }
    fclose(file);
    bytes[*size] = '\0';
    return bytes;
}

static uint32_t number16(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static uint32_t number32(const uint8_t *bytes) {
    return number16(bytes) << 16 | number16(bytes + 2);
}

/* Ids in order of first appearance, as an import gives them. */
static uint32_t operation_id(uint32_t trap) {
    static uint32_t ids[TRAPS], last;

    if (ids[trap] == 0) {
        ids[trap] = ++last;
    }
    return ids[trap];
}

static uint32_t actor_id(uint32_t application) {
    static uint32_t applications[ACTORS], count;
    uint32_t i = 0;

    while (i < count && applications[i] != application) {
        i++;
    }
    if (i == count) {
        if (count == ACTORS) {
            die("log", "too many applications");
        }
        applications[count++] = application;
    }
    return i + 1;
}

static void add_row(struct rows *rows, const uint8_t *call) {
    static uint32_t first_ticks;
    struct row *row;

    if ((rows->count & (rows->count - 1)) == 0) {
        rows->rows = realloc(rows->rows, (2 * rows->count + 1) * sizeof *rows->rows);
        if (rows->rows == NULL) {
            die("memory", strerror(errno));
        }
    }
    if (rows->count == 0) {
        first_ticks = number32(call + 2);
    }
    row = &rows->rows[rows->count++];
    row->time = ((int64_t)number32(call + 2) - first_ticks) * TICK;
    row->operation = operation_id(number16(call));
    row->actor = actor_id(number32(call + 6));
    row->size = number16(call + 10);
    row->arguments = row->size == 0 ? NULL : call + CALL_HEADER;
}

/* A log without damage: records of `used` (u16, itself included) and calls back to back. */
static void decode(const uint8_t *log, size_t size, struct rows *rows) {
    size_t at = 0;

    while (at + 2 <= size) {
        size_t end = at + number16(log + at);

        if (end < at + 2 || end > size) {
            die("log", "is damaged");
        }
        at += 2;
        while (at + CALL_HEADER <= end && at + CALL_HEADER + number16(log + at + 10) <= end) {
            add_row(rows, log + at);
            at += CALL_HEADER + number16(log + at + 10);
        }
        if (at != end) {
            die("log", "is damaged");
        }
    }
}

/* --- the virtual table ---------------------------------------------------------------------- */

struct cursor {
    sqlite3_vtab_cursor base;
    const struct row *row, *end;
};

static struct rows all;

static int row_connect(sqlite3 *handle, void *data, int count, const char *const *arguments,
                       sqlite3_vtab **table, char **message) {
    (void)data;
    (void)count;
    (void)arguments;
    (void)message;
    *table = sqlite3_malloc(sizeof **table);
    if (*table == NULL) {
        return SQLITE_NOMEM;
    }
    memset(*table, 0, sizeof **table);
    return sqlite3_declare_vtab(handle,
                                "CREATE TABLE row (time, operation, actor, size, arguments)");
}

static int row_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int row_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    info->estimatedRows = (sqlite3_int64)all.count;
    return SQLITE_OK;
}

static int row_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    struct cursor *opened = sqlite3_malloc(sizeof *opened);

    (void)table;
    if (opened == NULL) {
        return SQLITE_NOMEM;
    }
    memset(opened, 0, sizeof *opened);
    *cursor = &opened->base;
    return SQLITE_OK;
}

static int row_close(sqlite3_vtab_cursor *cursor) {
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int row_filter(sqlite3_vtab_cursor *cursor, int number, const char *name, int count,
                      sqlite3_value **values) {
    (void)number;
    (void)name;
    (void)count;
    (void)values;
    ((struct cursor *)cursor)->row = all.rows;
    ((struct cursor *)cursor)->end = all.rows + all.count;
    return SQLITE_OK;
}

static int row_next(sqlite3_vtab_cursor *cursor) {
    ((struct cursor *)cursor)->row++;
    return SQLITE_OK;
}

static int row_eof(sqlite3_vtab_cursor *cursor) {
    return ((struct cursor *)cursor)->row == ((struct cursor *)cursor)->end;
}

static int row_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
    const struct row *row = ((struct cursor *)cursor)->row;

    switch (column) {
    case 0:
        sqlite3_result_int64(context, row->time);
        break;
    case 1:
        sqlite3_result_int64(context, row->operation);
        break;
    case 2:
        sqlite3_result_int64(context, row->actor);
        break;
    case 3:
        sqlite3_result_int64(context, row->size);
        break;
    default:
        if (row->arguments != NULL) {
            sqlite3_result_blob(context, row->arguments, (int)row->size, SQLITE_STATIC);
        }
    }
    return SQLITE_OK;
}

static int row_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    *rowid = ((struct cursor *)cursor)->row - all.rows;
    return SQLITE_OK;
}

static const sqlite3_module row_module = {
    .xConnect = row_connect,
    .xBestIndex = row_best_index,
    .xDisconnect = row_disconnect,
    .xOpen = row_open,
    .xClose = row_close,
    .xFilter = row_filter,
    .xNext = row_next,
    .xEof = row_eof,
    .xColumn = row_column,
    .xRowid = row_rowid,
};

/* --- the database --------------------------------------------------------------------------- */

static void run(sqlite3 *handle, const char *sql) {
    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK) {
        die("database", sqlite3_errmsg(handle));
    }
}

static sqlite3 *create(const char *path, const char *schema) {
    sqlite3 *handle;

    if (access(path, F_OK) == 0) {
        die(path, "is there already");
    }
    if (sqlite3_open(path, &handle) != SQLITE_OK) {
        die(path, "cannot create it");
    }
    run(handle, "PRAGMA page_size = 16384; PRAGMA cache_size = -32768; PRAGMA mmap_size = 0;"
                "PRAGMA journal_mode = DELETE");
    run(handle, schema);
    if (sqlite3_create_module(handle, "row", &row_module, NULL) != SQLITE_OK) {
        die("database", sqlite3_errmsg(handle));
    }
    return handle;
}

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    size_t size;
    uint8_t *log, *schema;
    sqlite3 *handle;
    double begin, seconds;

    if (count != 4) {
        fputs("usage: floor DATABASE LOG SCHEMA\n", stderr);
        return 2;
    }
    log = read_file(arguments[2], &size);
    decode(log, size, &all);
    schema = read_file(arguments[3], &size);
    handle = create(arguments[1], (const char *)schema);

    begin = now();
    run(handle, "BEGIN IMMEDIATE");
    run(handle, "INSERT INTO event (time, operation, actor, size, arguments)"
                " SELECT time, operation, actor, size, arguments FROM row");
    run(handle, "COMMIT");
    seconds = now() - begin;

    printf("%zu %.6f %.0f\n", all.count, seconds, (double)all.count / seconds);
    sqlite3_close(handle);
    free(schema);
    free(log);
    free(all.rows);
    return 0;
}
