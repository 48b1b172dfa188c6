/* Lower bound for `tracetool import`: how fast SQLite stores the same rows if they cost nothing.
 *
 *     floor DATABASE SOURCE SCHEMA TABLE …
 *
 * Reads the rows of these tables of the database SOURCE into memory, creates the tables of SCHEMA
 * in DATABASE (which must not exist), and then measures
 *
 *     BEGIN; INSERT INTO event (…) SELECT … FROM row_event; COMMIT
 *
 * where `row_event` is a virtual table over the memory, with the non-empty columns of the events;
 * the same for every other TABLE. Page size, page cache, journal and synchronous are those of an
 * import; one thread. It shares only the text of SCHEMA with tracetool. Prints the seconds.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NO_NUMBER INT64_MIN /* stands for NULL */

enum { TABLES = 4, COLUMNS = 32, NAMES = 1024, BYTES = 1 << 24 };

/* A field: a number, or for a column of bytes their location: position << 24 | length. */
typedef int64_t field;

struct rows {
    const char *table;
    unsigned columns;
    bool is_bytes[COLUMNS];
    char names[NAMES]; /* comma-separated */
    field *fields;     /* row by row */
    size_t count, capacity;
    uint8_t *bytes;
    size_t length, bytes_capacity;
};

static struct rows tables[TABLES];

static void die(const char *what, const char *why) {
    fprintf(stderr, "floor: %s: %s\n", what, why);
    exit(1);
}

/* Makes room for at least `needed` elements; grows by half. */
static void *grow(void *memory, size_t *capacity, size_t needed, size_t size) {
    if (needed > *capacity) {
        *capacity = needed + needed / 2;
        memory = realloc(memory, *capacity * size);
        if (memory == NULL) {
            die("memory", strerror(errno));
        }
    }
    return memory;
}

static void run(sqlite3 *handle, const char *sql) {
    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK) {
        die(sql, sqlite3_errmsg(handle));
    }
}

static sqlite3_stmt *prepare(sqlite3 *handle, const char *format, const char *names) {
    sqlite3_stmt *statement;
    char sql[4 * NAMES];

    snprintf(sql, sizeof sql, format, names);
    if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK) {
        die(sql, sqlite3_errmsg(handle));
    }
    return statement;
}

/* --- reading the rows --------------------------------------------------------------------------
 */

static void append(char list[NAMES], const char *format, const char *name) {
    size_t length = strlen(list);

    if (snprintf(list + length, NAMES - length, format, length == 0 ? "" : ", ", name) >=
        (int)(NAMES - length)) {
        die("event", "too many columns");
    }
}

/* Finds the non-empty columns, except `id`, which SQLite assigns. */
static void find_columns(sqlite3 *source, struct rows *rows) {
    sqlite3_stmt *names = prepare(
        source, "SELECT name, type FROM pragma_table_info('%s') WHERE name <> 'id'", rows->table);
    sqlite3_stmt *used;
    bool is_bytes[COLUMNS];
    char list[COLUMNS][64], counts[NAMES] = "", sql[2 * NAMES];
    int count = 0;

    while (sqlite3_step(names) == SQLITE_ROW && count < COLUMNS) {
        snprintf(list[count], sizeof list[count], "%s",
                 (const char *)sqlite3_column_text(names, 0));
        is_bytes[count] = strcmp((const char *)sqlite3_column_text(names, 1), "BLOB") == 0;
        append(counts, "%scount(\"%s\")", list[count++]);
    }
    snprintf(sql, sizeof sql, "SELECT %s FROM %s", counts, rows->table);
    used = prepare(source, "%s", sql);
    if (sqlite3_step(used) != SQLITE_ROW) {
        die(rows->table, sqlite3_errmsg(source));
    }
    for (int i = 0; i < count; i++) {
        if (sqlite3_column_int64(used, i) > 0) {
            append(rows->names, "%s\"%s\"", list[i]);
            rows->is_bytes[rows->columns++] = is_bytes[i];
        }
    }
    sqlite3_finalize(used);
    sqlite3_finalize(names);
}

static field keep_bytes(struct rows *rows, sqlite3_stmt *row, int column) {
    size_t length = (size_t)sqlite3_column_bytes(row, column), at = rows->length;

    if (length >= BYTES) {
        die(rows->table, "too many bytes in a row");
    }
    rows->bytes = grow(rows->bytes, &rows->bytes_capacity, at + length, 1);
    if (length > 0) {
        memcpy(rows->bytes + at, sqlite3_column_blob(row, column), length);
    }
    rows->length += length;
    return (field)(at << 24 | length);
}

static field read_field(struct rows *rows, sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NO_NUMBER
           : rows->is_bytes[column]                        ? keep_bytes(rows, row, column)
                                                           : sqlite3_column_int64(row, column);
}

static void read_rows(sqlite3 *source, struct rows *rows) {
    sqlite3_stmt *row;
    char sql[2 * NAMES];

    find_columns(source, rows);
    snprintf(sql, sizeof sql, "SELECT %s FROM %s ORDER BY rowid", rows->names, rows->table);
    row = prepare(source, "%s", sql);
    while (sqlite3_step(row) == SQLITE_ROW) {
        field *fields;

        rows->fields =
            grow(rows->fields, &rows->capacity, (rows->count + 1) * rows->columns, sizeof(field));
        fields = rows->fields + rows->count++ * rows->columns;
        for (unsigned i = 0; i < rows->columns; i++) {
            fields[i] = read_field(rows, row, (int)i);
        }
    }
    if (sqlite3_finalize(row) != SQLITE_OK) {
        die(rows->table, sqlite3_errmsg(source));
    }
}

/* --- the virtual table -------------------------------------------------------------------------
 */

struct row_table {
    sqlite3_vtab base;
    const struct rows *rows;
};

struct cursor {
    sqlite3_vtab_cursor base;
    const field *at, *end;
};

static const struct rows *rows_of(const sqlite3_vtab_cursor *cursor) {
    return ((const struct row_table *)cursor->pVtab)->rows;
}

static int row_connect(sqlite3 *handle, void *rows, int count, const char *const *arguments,
                       sqlite3_vtab **table, char **message) {
    struct row_table *row_table = sqlite3_malloc(sizeof *row_table);
    char sql[2 * NAMES];

    (void)count;
    (void)arguments;
    (void)message;
    if (row_table == NULL) {
        return SQLITE_NOMEM;
    }
    memset(row_table, 0, sizeof *row_table);
    row_table->rows = rows;
    *table = &row_table->base;
    snprintf(sql, sizeof sql, "CREATE TABLE row (%s)", row_table->rows->names);
    return sqlite3_declare_vtab(handle, sql);
}

static int row_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int row_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    info->estimatedRows = (sqlite3_int64)((const struct row_table *)table)->rows->count;
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
    ((struct cursor *)cursor)->at = rows_of(cursor)->fields;
    ((struct cursor *)cursor)->end =
        rows_of(cursor)->fields + rows_of(cursor)->count * rows_of(cursor)->columns;
    return SQLITE_OK;
}

static int row_next(sqlite3_vtab_cursor *cursor) {
    ((struct cursor *)cursor)->at += rows_of(cursor)->columns;
    return SQLITE_OK;
}

static int row_eof(sqlite3_vtab_cursor *cursor) {
    return ((struct cursor *)cursor)->at == ((struct cursor *)cursor)->end;
}

static int row_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
    const struct rows *rows = rows_of(cursor);
    field value = ((struct cursor *)cursor)->at[column];

    if (value == NO_NUMBER) {
        return SQLITE_OK;
    }
    if (rows->is_bytes[column]) {
        sqlite3_result_blob(context, rows->bytes + (value >> 24), (int)(value & (BYTES - 1)),
                            SQLITE_STATIC);
    } else {
        sqlite3_result_int64(context, value);
    }
    return SQLITE_OK;
}

static int row_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    *rowid = ((struct cursor *)cursor)->at - rows_of(cursor)->fields;
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

/* --- writing them ------------------------------------------------------------------------------
 */

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t capacity = 0, length = 0, got;
    char *text = NULL;

    if (file == NULL) {
        die(path, strerror(errno));
    }
    do {
        text = grow(text, &capacity, length + 4096, 1);
        got = fread(text + length, 1, 4095, file);
        length += got;
    } while (got > 0);
    text[length] = '\0';
    fclose(file);
    return text;
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
    /* As in tracetool: they are for other programs that change events. */
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return handle;
}

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Creates the virtual table `row_…` of a table. */
static void offer(sqlite3 *handle, struct rows *rows) {
    char name[64];

    snprintf(name, sizeof name, "row_%s", rows->table);
    if (sqlite3_create_module(handle, name, &row_module, rows) != SQLITE_OK) {
        die(name, sqlite3_errmsg(handle));
    }
}

static void insert(sqlite3 *handle, const struct rows *rows) {
    char sql[4 * NAMES];

    snprintf(sql, sizeof sql, "INSERT INTO %s (%s) SELECT %s FROM row_%s", rows->table, rows->names,
             rows->names, rows->table);
    run(handle, sql);
}

int main(int count, char **arguments) {
    sqlite3 *source, *handle;
    char *schema;
    int table_count = count - 4;
    double begin;

    if (table_count < 1 || table_count > TABLES) {
        fputs("usage: floor DATABASE SOURCE SCHEMA TABLE …\n", stderr);
        return 2;
    }
    if (sqlite3_open_v2(arguments[2], &source, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        die(arguments[2], "cannot open it");
    }
    schema = read_text(arguments[3]);
    handle = create(arguments[1], schema);
    for (int i = 0; i < table_count; i++) {
        tables[i].table = arguments[4 + i];
        read_rows(source, &tables[i]);
        offer(handle, &tables[i]);
    }
    sqlite3_close(source);

    begin = now();
    run(handle, "BEGIN IMMEDIATE");
    for (int i = 0; i < table_count; i++) {
        insert(handle, &tables[i]);
    }
    run(handle, "COMMIT");
    printf("%.6f\n", now() - begin);

    sqlite3_close(handle);
    free(schema);
    return 0;
}
