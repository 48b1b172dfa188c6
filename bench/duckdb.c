/* Runs SQL in DuckDB.
 *
 *     duckdb LIBRARY DATABASE SQL …
 *
 * LIBRARY is libduckdb.so, loaded at run time, so that the build does not need DuckDB. Runs the SQL
 * arguments in order, and prints rows with TABs between the fields.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Used part of DuckDB's C interface, as documented. */
struct duckdb_result {
    void *fields[6]; /* private to DuckDB */
};

static struct {
    int (*open)(const char *path, void **database);
    int (*connect)(void *database, void **connection);
    int (*query)(void *connection, const char *sql, struct duckdb_result *result);
    const char *(*result_error)(struct duckdb_result *result);
    uint64_t (*column_count)(struct duckdb_result *result);
    uint64_t (*row_count)(struct duckdb_result *result);
    char *(*value_varchar)(struct duckdb_result *result, uint64_t column, uint64_t row);
    void (*free)(void *memory);
    void (*destroy_result)(struct duckdb_result *result);
    void (*disconnect)(void **connection);
    void (*close)(void **database);
} duckdb;

static const struct {
    const char *name;
    void *function; /* where its address is stored */
} functions[] = {
    {"duckdb_open", &duckdb.open},
    {"duckdb_connect", &duckdb.connect},
    {"duckdb_query", &duckdb.query},
    {"duckdb_result_error", &duckdb.result_error},
    {"duckdb_column_count", &duckdb.column_count},
    {"duckdb_row_count", &duckdb.row_count},
    {"duckdb_value_varchar", &duckdb.value_varchar},
    {"duckdb_free", &duckdb.free},
    {"duckdb_destroy_result", &duckdb.destroy_result},
    {"duckdb_disconnect", &duckdb.disconnect},
    {"duckdb_close", &duckdb.close},
};

static bool load(const char *path) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

    if (library == NULL) {
        fprintf(stderr, "duckdb: %s\n", dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);

        if (function == NULL) {
            fprintf(stderr, "duckdb: %s: no %s\n", path, functions[i].name);
            return false;
        }
        *(void **)functions[i].function = function;
    }
    return true;
}

static void print(struct duckdb_result *result) {
    uint64_t rows = duckdb.row_count(result), columns = duckdb.column_count(result);

    for (uint64_t row = 0; row < rows; row++) {
        for (uint64_t column = 0; column < columns; column++) {
            char *value = duckdb.value_varchar(result, column, row);

            printf("%s%s", column == 0 ? "" : "\t", value == NULL ? "" : value);
            duckdb.free(value);
        }
        putchar('\n');
    }
}

static bool run(void *connection, const char *sql) {
    struct duckdb_result result;
    bool done = duckdb.query(connection, sql, &result) == 0;

    if (done) {
        print(&result);
    } else {
        fprintf(stderr, "duckdb: %s: %s\n", sql, duckdb.result_error(&result));
    }
    duckdb.destroy_result(&result);
    return done;
}

int main(int count, char **arguments) {
    void *database, *connection;
    bool done = true;

    if (count < 3) {
        fputs("usage: duckdb LIBRARY DATABASE SQL …\n", stderr);
        return 2;
    }
    if (!load(arguments[1])) {
        return 1;
    }
    if (duckdb.open(arguments[2], &database) != 0 || duckdb.connect(database, &connection) != 0) {
        fprintf(stderr, "duckdb: cannot open %s\n", arguments[2]);
        return 1;
    }
    for (int i = 3; done && i < count; i++) {
        done = run(connection, arguments[i]);
    }
    duckdb.disconnect(&connection);
    duckdb.close(&database);
    return done && fflush(stdout) == 0 ? 0 : 1;
}
