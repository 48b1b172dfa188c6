#include "export/duckdb.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Of DuckDB's C interface, what is used; it has been the same since version 0.3. */
struct duckdb_result {
    uint64_t column_count, row_count, rows_changed;
    void *columns;
    char *error_message;
    void *internal;
};

static struct {
    void *library;
    int (*open)(const char *path, void **database);
    void (*close)(void **database);
    int (*connect)(void *database, void **connection);
    void (*disconnect)(void **connection);
    int (*query)(void *connection, const char *sql, struct duckdb_result *result);
    void (*destroy_result)(struct duckdb_result *result);
    const char *(*result_error)(struct duckdb_result *result);
    int64_t (*value_int64)(struct duckdb_result *result, uint64_t column, uint64_t row);
} duckdb;

static const char hint[] =
    "--as parquet is written by DuckDB: put its libduckdb.so (https://duckdb.org, or npm's"
    " @duckdb/node-bindings-linux-x64) where libraries are, or name it in TRACETOOL_DUCKDB";

/* Where a function's address goes: ISO C has no cast from a pointer to data to one to a function.
 */
static bool find(const char *name, void *where) {
    void *address = dlsym(duckdb.library, name);

    memcpy(where, &address, sizeof address);
    return address != NULL;
}

static bool find_all(void) {
    return find("duckdb_open", &duckdb.open) && find("duckdb_close", &duckdb.close) &&
           find("duckdb_connect", &duckdb.connect) &&
           find("duckdb_disconnect", &duckdb.disconnect) && find("duckdb_query", &duckdb.query) &&
           find("duckdb_destroy_result", &duckdb.destroy_result) &&
           find("duckdb_result_error", &duckdb.result_error) &&
           find("duckdb_value_int64", &duckdb.value_int64);
}

bool duckdb_library_load(struct error *error) {
    const char *path = getenv("TRACETOOL_DUCKDB");
    const char *name = path != NULL && path[0] != '\0' ? path : "libduckdb.so";

    if (duckdb.library != NULL) {
        return true;
    }
    duckdb.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (duckdb.library == NULL) {
        return error_set(error, "%s: %s", hint, dlerror());
    }
    if (!find_all()) {
        dlclose(duckdb.library);
        duckdb.library = NULL;
        return error_set(error, "%s: it lacks functions of DuckDB's C interface: %s", name, hint);
    }
    return true;
}

static bool run(void *connection, const char *sql, int64_t *value, struct error *error) {
    struct duckdb_result result;
    int failed = duckdb.query(connection, sql, &result);

    if (failed) {
        const char *said = duckdb.result_error(&result);
        struct text harmless = {0};

        text_append_escaped(&harmless, said == NULL ? "" : said, said == NULL ? 0 : strlen(said));
        error_set(error, "DuckDB: %s", text_string(&harmless));
        text_free(&harmless);
    } else if (value != NULL) {
        *value = duckdb.value_int64(&result, 0, 0);
    }
    duckdb.destroy_result(&result);
    return !failed;
}

bool duckdb_library_run(const char *sql, int64_t *rows, struct error *error) {
    static const char settings[] =
        "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false;"
        " SET temp_directory = ''; SET memory_limit = '1GB'; SET threads = 2";
    void *database = NULL, *connection = NULL;
    bool done;

    if (duckdb.open(NULL, &database) != 0 || duckdb.connect(database, &connection) != 0) {
        error_set(error, "DuckDB cannot be started");
        done = false;
    } else {
        done = run(connection, settings, NULL, error) && run(connection, sql, rows, error);
    }
    if (connection != NULL) {
        duckdb.disconnect(&connection);
    }
    if (database != NULL) {
        duckdb.close(&database);
    }
    return done;
}
