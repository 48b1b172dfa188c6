#include "store/kept_statements.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

void kept_statements_free(struct kept_statements *kept) {
    for (size_t i = 0; kept != NULL && i < kept->count; i++) {
        sqlite3_finalize(kept->entries[i].statement);
    }
    free(kept);
}
