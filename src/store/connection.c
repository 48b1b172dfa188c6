#include "store/connection.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/busy_handler.h"

/* A report has some forty; more would be of reports that are over. */
enum { MOST_KEPT = 64 };

struct kept_statement {
    sqlite3_stmt *statement; /* owned */
    const char *text;        /* its own */
    size_t length;
    bool reading;
};

struct kept_statements {
    struct kept_statement entries[MOST_KEPT]; /* in the order in which they were kept */
    size_t count;
};

/* SQLite leaves out what stands behind the statement's semicolon. */
static bool has_text(const struct kept_statement *entry, const char *sql) {
    return strncmp(sql, entry->text, entry->length) == 0 &&
           sql[entry->length + strspn(sql + entry->length, " \t\r\n")] == '\0';
}

static void remove_at(struct kept_statements *kept, size_t place) {
    kept->count--;
    memmove(&kept->entries[place], &kept->entries[place + 1],
            (kept->count - place) * sizeof kept->entries[0]);
}

sqlite3_stmt *kept_statements_take(struct kept_statements *kept, const char *sql, bool reading) {
    for (size_t i = 0; kept != NULL && i < kept->count; i++) {
        const struct kept_statement *entry = &kept->entries[i];

        if (entry->reading == reading && has_text(entry, sql)) {
            sqlite3_stmt *statement = entry->statement;

            remove_at(kept, i);
            return statement;
        }
    }
    return NULL;
}

void kept_statements_add(struct kept_statements **kept, sqlite3_stmt *statement, bool reading) {
    const char *text = statement == NULL ? NULL : sqlite3_sql(statement);

    if (statement != NULL && *kept == NULL) {
        *kept = xcalloc(1, sizeof **kept);
    }
    if (text == NULL || *kept == NULL) {
        sqlite3_finalize(statement);
        return;
    }
    if ((*kept)->count == MOST_KEPT) {
        sqlite3_finalize((*kept)->entries[0].statement);
        remove_at(*kept, 0);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    (*kept)->entries[(*kept)->count++] =
        (struct kept_statement){statement, text, strlen(text), reading};
}

/* Finalizes them, which has to come before their connection is closed. NULL is allowed. */
static void kept_statements_free(struct kept_statements *kept) {
    for (size_t i = 0; kept != NULL && i < kept->count; i++) {
        sqlite3_finalize(kept->entries[i].statement);
    }
    free(kept);
}

/* --- the connection ------------------------------------------------------------------------------
 */

#undef database_failed /* of database.h, for analyzers */

int database_cause(const struct database *database) {
    int cause = 0;

    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

bool database_failed(const struct database *database, struct error *error) {
    int code = sqlite3_errcode(database->handle);

    if (database->busy != NULL && busy_handler_interrupted(database->busy)) {
        return error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was changed");
    }
    switch (code & 0xFF) {
    case SQLITE_BUSY:
        return error_set(error,
                         "%s: another program is writing to it (waited %d s); try again later",
                         database->path, DATABASE_WAIT / 1000);
    case SQLITE_NOTADB:
        return error_set(error, "%s: is not an SQLite database", database->path);
    case SQLITE_CORRUPT:
        return error_set(error,
                         "%s: the database is damaged (%s); restore it or import the logs again "
                         "into a new one",
                         database->path, sqlite3_errmsg(database->handle));
    case SQLITE_READONLY:
        return error_set(error, "%s: cannot be written (read-only file or file system)",
                         database->path);
    case SQLITE_TOOBIG:
        return error_set(error, "%s: the query makes a value of more than %d MiB", database->path,
                         sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, -1) >> 20);
    case SQLITE_NOMEM:
        return sqlite3_hard_heap_limit64(-1) > 0
                   ? error_set(error, "%s: the query needs more than %d MiB of memory",
                               database->path, (int)(sqlite3_hard_heap_limit64(-1) >> 20))
                   : error_no_memory(error);
    case SQLITE_IOERR:
        if (sqlite3_extended_errcode(database->handle) == SQLITE_IOERR_WRITE &&
            database_cause(database) != 0) {
            return error_set(error, "%s: cannot be written: %s; nothing was changed",
                             database->path, strerror(database_cause(database)));
        }
        break;
    case SQLITE_FULL:
        /* Who reads writes to temporary files only. */
        return database->reading
                   ? error_set(error,
                               "%s: no space left for temporary files; TMPDIR names another folder",
                               database->path)
                   : error_set(error,
                               "%s: no space left on the disk, or for temporary files where TMPDIR "
                               "says; nothing was changed",
                               database->path);
    default:
        break;
    }
    return error_set(error, "%s: %s", database->path, sqlite3_errmsg(database->handle));
}

bool database_fetch(const struct database *database, const struct database_wanted *wanted,
                    struct error *error) {
    const struct database_source *source = database->source;

    return source == NULL || source->fetch(source->context, wanted, error);
}

bool database_run(struct database *database, const char *sql, struct error *error) {
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           database_failed(database, error);
}

sqlite3_stmt *database_prepare(struct database *database, const char *sql, struct error *error) {
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) != SQLITE_OK) {
        database_failed(database, error);
    }
    return statement;
}

sqlite3_stmt *database_prepare_text(struct database *database, struct text *sql,
                                    struct error *error) {
    sqlite3_stmt *statement = database_prepare(database, text_string(sql), error);

    text_free(sql);
    return statement;
}

sqlite3_stmt *database_take(struct database *database, const char *sql, struct error *error) {
    sqlite3_stmt *statement = kept_statements_take(database->kept, sql, false);

    return statement != NULL ? statement : database_prepare(database, sql, error);
}

void database_keep(struct database *database, sqlite3_stmt *statement) {
    if (statement != NULL) {
        kept_statements_add(&database->kept, statement, false);
    }
}

void database_forget(struct database *database) {
    kept_statements_free(database->kept);
    database->kept = NULL;
}

bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
                   struct error *error) {
    int status = sqlite3_step(statement);

    *row = status == SQLITE_ROW;
    return *row || status == SQLITE_DONE || database_failed(database, error);
}

bool database_execute(struct database *database, sqlite3_stmt *statement, struct error *error) {
    bool done = sqlite3_step(statement) == SQLITE_DONE || database_failed(database, error);

    sqlite3_reset(statement);
    return done;
}

void database_bind_optional(sqlite3_stmt *statement, int parameter, int64_t value) {
    if (value == INT64_MIN) {
        sqlite3_bind_null(statement, parameter);
    } else {
        sqlite3_bind_int64(statement, parameter, value);
    }
}

int64_t database_column_optional(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? INT64_MIN
                                                           : sqlite3_column_int64(row, column);
}

bool database_change(struct database *database, struct error *error, const char *sql,
                     const char *types, ...) {
    sqlite3_stmt *statement = database_take(database, sql, error);
    va_list values;
    bool done;

    if (statement == NULL) {
        return false;
    }
    va_start(values, types);
    for (int i = 0; types[i] != '\0'; i++) {
        if (types[i] == 's') {
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
        } else if (types[i] == 'o') {
            database_bind_optional(statement, i + 1, va_arg(values, int64_t));
        } else {
            sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        }
    }
    va_end(values);
    done = database_execute(database, statement, error);
    if (types[0] != '\0') {
        database_keep(database, statement);
    } else {
        sqlite3_finalize(statement); /* it is not run for one after another */
    }
    return done;
}

bool database_integer(struct database *database, const char *sql, int64_t id, int64_t otherwise,
                      int64_t *value, struct error *error) {
    sqlite3_stmt *statement = database_take(database, sql, error);
    bool row = false;
    bool done;

    *value = otherwise;
    if (statement == NULL) {
        return false;
    }
    if (sqlite3_bind_parameter_count(statement) > 0) {
        sqlite3_bind_int64(statement, 1, id);
    }
    done = database_step(database, statement, &row, error);
    if (row && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        *value = sqlite3_column_int64(statement, 0);
    }
    if (sqlite3_bind_parameter_count(statement) > 0) {
        database_keep(database, statement);
    } else {
        sqlite3_finalize(statement); /* it is not asked of one after another */
    }
    return done;
}
