/* The target `database`: a database file, followed by edits that damage its columns and rollups.
 *
 * The header of the file has its length. Then follow edits of EDIT_SIZE bytes (struct edit).
 * Changed bytes within the file rarely make a chunk or sum wrong without SQLite noticing; edits do.
 * If the file was sound before, it must be sound again after `check --repair`. If only columns are
 * damaged, every reader must report it or print the same as before.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/recount.h"
#include "annotate/repair.h"
#include "base/hash.h"
#include "input/bytes.h"
#include "report/dump.h"
#include "report/print.h"
#include "report/query_set.h"
#include "store/check.h"
#include "store/database.h"
#include "target.h"

/* Reports that read every table and scan the events in every way. */
static const char *const database_reports[] = {
    "summary", "popularity", "hourly",   "rw",        "filetype", "partition", "gaps",
    "latency", "locality",   "calltree", "functions", "hotspots", "calls",     "sequences",
};

enum {
    DATABASE_REPORTS = sizeof database_reports / sizeof database_reports[0],
    DATABASE_RUNS = 2 * DATABASE_REPORTS + 1,
    /* While fuzzing, one run in this many: all take as long as hundreds of other inputs. */
    DATABASE_RUN_OF = 10,
};

/* An input: the file, then the edits. */
struct database_input {
    const uint8_t *bytes;
    size_t length; /* of both */
    size_t file;   /* of the file */
};

/* --- the file ----------------------------------------------------------------------------------
 */

static char database_path[] = "/tmp/tracetool-fuzz-XXXXXX";

static void remove_database(void) {
    unlink(database_path);
}

/* Uses a real file: SQLite follows links, and the link of a file in memory leads nowhere. */
static void write_database(const uint8_t *bytes, size_t length) {
    static int descriptor = -1;

    if (descriptor < 0) {
        descriptor = mkstemp(database_path);
        atexit(remove_database);
    }
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, bytes, length, 0) != (ssize_t)length) {
        target_failed("cannot write %s", database_path);
    }
}

/* Returns the length of the file by the size and number of its pages. */
static size_t file_length(const uint8_t *bytes, size_t length) {
    enum { PAGE_SIZE_AT = 16, PAGES_AT = 28, HEADER = 100 };
    size_t page, pages;

    if (length < HEADER) {
        return length;
    }
    page = bytes_u16_big(bytes + PAGE_SIZE_AT);
    page = page == 1 ? 65536 : page;
    pages = bytes_u32_big(bytes + PAGES_AT);
    return page == 0 || pages == 0 || pages > length / page ? length : page * pages;
}

static bool open_database(struct database *database, enum database_mode mode) {
    struct error error = {0};
    bool done = database_open(database, database_path, mode, &error);

    target_check_message(done, &error);
    return done;
}

/* --- runs --------------------------------------------------------------------------------------
 */

/* A run over the database. */
struct database_run {
    const char *report;  /* NULL: dump */
    const char *counted; /* name for target_did() */
    bool filtered;       /* from the events, not the rollups */
};

/* Runs in a workspace that other runs have used. Sets `sum` to the hash of the output. */
static bool run_once(struct workspace *workspace, const struct database_run *run, uint64_t *sum,
                     struct error *error) {
    char *printed = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&printed, &length);
    const struct printer_options options = {0};
    const struct report_request request = {
        .report = run->report,
        .top = 100,
        .filter = {.from = {.kind = run->filtered ? TIME_SINCE_START : TIME_NOT_GIVEN,
                            .time = 1,
                            .plain = 1}},
    };
    bool done;

    if (stream == NULL) {
        target_failed("no memory");
    }
    done = run->report != NULL ? print_report(workspace, &request, printer_style_find("tsv"),
                                              stream, &options, error)
                               : dump_run(workspace, &request, NULL, stream, &options, error);
    fclose(stream);
    *sum = XXH3_64bits(printed, length);
    free(printed);
    target_check_message(done, error);
    if (done) {
        target_did(run->counted);
    }
    return done;
}

static bool run_part(struct workspace *workspace, size_t part, uint64_t *sum, struct error *error) {
    const char *report = part < DATABASE_RUNS - 1 ? database_reports[part / 2] : NULL;
    struct database_run run = {report, report, part % 2 == 1};
    char counted[64];

    if (report == NULL) {
        run.counted = "dump";
    } else if (run.filtered) {
        snprintf(counted, sizeof counted, "%s filtered", report);
        run.counted = counted;
    }
    return run_once(workspace, &run, sum, error);
}

/* Results of the runs over a database. */
struct outcome {
    bool opened, done[DATABASE_RUNS];
    uint64_t sums[DATABASE_RUNS];     /* hashes of the output */
    char message[DATABASE_RUNS][256]; /* begin of the error message; empty: no error */
};

/* Whether an error message reports damaged columns or rollups. */
static bool is_told(const char *message) {
    return strstr(message, "the columns of trace ") != NULL || strstr(message, "rollup") != NULL ||
           strstr(message, "`tracetool check`") != NULL;
}

static void run_all(const struct database_input *input, struct outcome *outcome) {
    const struct config config = {0};
    struct workspace workspace;
    struct database database;
    struct error error = {0};

    *outcome = (struct outcome){.opened = open_database(&database, DATABASE_READ)};
    if (!outcome->opened) {
        return;
    }
    if (!workspace_open(&workspace, &database, &config, target_queries(), &error)) {
        target_failed("%s", error.message);
    }
    for (size_t part = 0; part < DATABASE_RUNS; part++) {
        if (target_does(part, DATABASE_RUN_OF, input->bytes, input->length)) {
            error = (struct error){0};
            outcome->done[part] = run_part(&workspace, part, &outcome->sums[part], &error);
            snprintf(outcome->message[part], sizeof outcome->message[part], "%.255s",
                     error.message);
        }
    }
    workspace_close(&workspace);
    database_close(&database);
}

/* --- checks ------------------------------------------------------------------------------------
 */

/* Takes an error that a check found. */
static void found(void *context, const char *trace, const char *what) {
    (void)trace;
    (void)what;
    *(bool *)context = false;
}

/* Whether SQLite itself finds no error: these are not repaired. It finds some, as in the list of
 * free pages, only when it changes something. */
static bool is_intact(struct database *database) {
    struct error error = {0};
    sqlite3_stmt *check = database_prepare(database, "PRAGMA integrity_check", &error);
    bool row = false, intact = check != NULL && database_step(database, check, &row, &error) &&
                               row &&
                               strcmp((const char *)sqlite3_column_text(check, 0), "ok") == 0;

    sqlite3_finalize(check);
    if (intact) {
        intact = database_run(database,
                              "BEGIN; DELETE FROM event_column;"
                              " CREATE TABLE trial AS SELECT * FROM event",
                              &error);
        intact = database_run(database, "ROLLBACK", &error) && intact;
    }
    return intact;
}

static bool is_sound(struct database *database, const struct catalog_trace *trace) {
    bool sound = true;
    const struct store_report report = {.context = &sound, .found = found};
    struct error error = {0};

    return store_check(database, &trace, 1, &report, &error) &&
           recount_compare(database, target_config(), &trace, 1, &report, &error) && sound;
}

static bool repair(struct database *database, const struct catalog_trace *trace) {
    struct repair_result repaired;
    struct error error = {0};

    if (!repair_trace(database, target_config(), trace, &repaired, &error)) {
        target_failed("%s could not be repaired: %s", trace->name, error.message);
    }
    if (repaired.columns) {
        target_did("columns repaired");
    }
    if (repaired.rollups) {
        target_did("rollups repaired");
    }
    return is_sound(database, trace);
}

/* Whether `holds` is true for all traces. */
static bool all_traces(bool (*holds)(struct database *database,
                                     const struct catalog_trace *trace)) {
    struct database database;
    struct catalog catalog;
    struct error error = {0};
    bool all;

    if (!open_database(&database, DATABASE_WRITE)) {
        return false;
    }
    all = is_intact(&database) && recount_register(&database, target_config(), &error) &&
          catalog_load(&catalog, &database, &error);
    if (all) {
        for (size_t i = 0; all && i < catalog.count; i++) {
            all = holds(&database, &catalog.traces[i]);
        }
        catalog_free(&catalog);
    }
    database_close(&database);
    return all;
}

/* --- damage ------------------------------------------------------------------------------------
 */

enum { EDIT_SIZE = 12, EDITS = 16 };

/* In the input the numbers are little-endian. Kinds from OF_ROLLUP damage a rollup: `row` is the
 * number of its table, `place` of a column. */
struct edit {
    uint8_t kind, row;
    uint16_t place;
    int64_t value;
};

enum { OF_ROLLUP = 0x80 };

#define OF_ROW " WHERE rowid = ?1"

/* ?1 the row, ?2 the place, ?3 the value, ?4 its lowest byte. */
static const char *const damages[] = {
    /* a byte */
    "UPDATE event_column SET data = CAST(substr(data, 1, ?2 % length(data)) || ?4"
    " || substr(data, ?2 % length(data) + 2) AS BLOB)" OF_ROW,
    /* metadata of a chunk */
    "UPDATE event_column SET least = ?3" OF_ROW,
    "UPDATE event_column SET most = ?3" OF_ROW,
    "UPDATE event_column SET count = ?3" OF_ROW,
    "UPDATE OR REPLACE event_column SET first = ?3" OF_ROW,
    /* a missing part, chunk or field */
    "DELETE FROM event_column" OF_ROW,
    "DELETE FROM event_column WHERE (trace, first) IN (SELECT trace, first FROM event_column" OF_ROW
    ")",
    "DELETE FROM event_column WHERE (trace, field) IN (SELECT trace, field FROM event_column" OF_ROW
    ")",
    /* overlapping chunks */
    "INSERT OR REPLACE INTO event_column SELECT trace, field, first + ?2 % 64, count, least, most,"
    " sum, fields, data FROM event_column" OF_ROW,
    "UPDATE event_column SET count = count + ?2 % 64" OF_ROW,
    /* less data, more data, no data */
    "UPDATE event_column SET data = substr(data, 1, ?2)" OF_ROW,
    "UPDATE event_column SET data = CAST(data || zeroblob(?2) AS BLOB)" OF_ROW,
    "UPDATE event_column SET data = ?3" OF_ROW,
    /* the data of another field */
    "UPDATE event_column SET data = (SELECT data FROM event_column WHERE rowid >= ?2 LIMIT 1)"
    " WHERE rowid = ?1 AND EXISTS (SELECT 1 FROM event_column WHERE rowid >= ?2)",
    /* the sum, the set of fields */
    "UPDATE event_column SET sum = ?3" OF_ROW,
    "UPDATE event_column SET fields = ?3" OF_ROW,
};

enum { DAMAGES = sizeof damages / sizeof damages[0] };

/* Returns the row of an edit; 0: the table is empty. */
static int64_t find_row(struct database *database, const struct edit *edit) {
    struct error error = {0};
    int64_t rows, row;

    if (!database_query_integer(database, "SELECT count(*) FROM event_column", 0, 0, &rows,
                                &error) ||
        rows == 0 ||
        !database_query_integer(database,
                                "SELECT rowid FROM event_column ORDER BY rowid LIMIT 1"
                                " OFFSET ?1",
                                edit->row % rows, 0, &row, &error)) {
        return 0;
    }
    return row;
}

/* An edit of a damaged file may fail. */
static void apply_edit(struct database *database, const struct edit *edit) {
    const unsigned char byte = (unsigned char)edit->value;
    int64_t row = find_row(database, edit);
    struct error error = {0};
    sqlite3_stmt *statement =
        row == 0 ? NULL : database_prepare(database, damages[edit->kind % DAMAGES], &error);

    if (statement != NULL) {
        sqlite3_bind_int64(statement, 1, row);
        sqlite3_bind_int64(statement, 2, edit->place);
        sqlite3_bind_int64(statement, 3, edit->value);
        sqlite3_bind_blob(statement, 4, &byte, 1, SQLITE_STATIC);
        if (database_execute(database, statement, &error)) {
            target_did("edit");
        }
    }
    sqlite3_finalize(statement);
}

/* --- damage to a rollup: %1$s is its table, %2$s one of its columns, ?1 the value */

static const char *const rollup_damages[] = {
    "UPDATE OR REPLACE \"%1$s\" SET \"%2$s\" = ?1",
    "UPDATE OR REPLACE \"%1$s\" SET \"%2$s\" = \"%2$s\" + ?1",
    "UPDATE OR REPLACE \"%1$s\" SET \"%2$s\" = \"%2$s\" + 1",
    "DELETE FROM \"%1$s\" WHERE \"%2$s\" = (SELECT min(\"%2$s\") FROM \"%1$s\")",
    "DELETE FROM \"%1$s\"",
};

enum { ROLLUP_DAMAGES = sizeof rollup_damages / sizeof rollup_damages[0] };

/* Sets the names of a rollup's table and of one of its columns after `trace`, from the schema.
 * False if there is none, as in a file that is no database of tracetool. */
static bool find_rollup(struct database *database, const struct edit *edit, char (*names)[64]) {
    struct error error = {0};
    sqlite3_stmt *find = database_prepare(
        database,
        "WITH rollups (name, number) AS (SELECT name, row_number() OVER (ORDER BY name) - 1"
        " FROM main.sqlite_schema WHERE type = 'table' AND name LIKE 'rollup\\_%' ESCAPE '\\')"
        " SELECT r.name, c.name FROM rollups AS r, pragma_table_info(r.name) AS c"
        " WHERE r.number = ?1 % (SELECT count(*) FROM rollups)"
        " AND c.cid = 1 + ?2 % max(1, (SELECT count(*) FROM pragma_table_info(r.name)) - 1)",
        &error);
    bool row = false;

    if (find != NULL) {
        sqlite3_bind_int64(find, 1, edit->row);
        sqlite3_bind_int64(find, 2, edit->place);
        row = database_step(database, find, &row, &error) && row;
    }
    for (int i = 0; row && i < 2; i++) {
        const char *name = (const char *)sqlite3_column_text(find, i);

        /* Names in a damaged file may have any bytes. */
        row = name != NULL && strlen(name) < sizeof names[i] && strchr(name, '"') == NULL;
        snprintf(names[i], sizeof names[i], "%s", row ? name : "");
    }
    sqlite3_finalize(find);
    return row;
}

static void damage_rollup(struct database *database, const struct edit *edit) {
    struct error error = {0};
    sqlite3_stmt *statement;
    char names[2][64], sql[512], what[96];

    if (!find_rollup(database, edit, names)) {
        return;
    }
    snprintf(sql, sizeof sql, rollup_damages[edit->kind % OF_ROLLUP % ROLLUP_DAMAGES], names[0],
             names[1]);
    statement = database_prepare(database, sql, &error);
    if (statement == NULL) {
        return;
    }
    sqlite3_bind_int64(statement, 1, edit->value);
    if (database_execute(database, statement, &error) && sqlite3_changes(database->handle) > 0) {
        snprintf(what, sizeof what, "edit of %s", names[0]);
        target_did(what);
    }
    sqlite3_finalize(statement);
}

/* Applies all edits. Returns whether they damage only columns. */
static bool apply_edits(const struct database_input *input) {
    const uint8_t *at = input->bytes + input->file;
    struct database database;
    bool columns = true;

    if (!open_database(&database, DATABASE_WRITE)) {
        return true;
    }
    for (size_t i = 0; i < EDITS && i < (input->length - input->file) / EDIT_SIZE; i++) {
        const struct edit edit = {at[0], at[1], bytes_u16_little(at + 2), bytes_i64_little(at + 4)};

        (edit.kind >= OF_ROLLUP ? damage_rollup : apply_edit)(&database, &edit);
        columns = columns && edit.kind < OF_ROLLUP;
        at += EDIT_SIZE;
    }
    database_close(&database);
    return columns;
}

/* Runs that succeeded before must succeed or report the damage, and succeed after a repair. */
static void damage_derived(const struct database_input *input, const struct outcome *before) {
    struct outcome after;
    bool columns = apply_edits(input);

    run_all(input, &after);
    for (size_t i = 0; i < DATABASE_RUNS; i++) {
        bool told = is_told(after.message[i]);

        if (before->done[i] && !after.done[i] && !told) {
            target_failed("run %zu does not say what is damaged: %s", i, after.message[i]);
        }
        if (told) {
            target_did("damage told");
        }
        if (columns && before->done[i] && after.done[i] && before->sums[i] != after.sums[i]) {
            target_failed("run %zu prints something else and does not say what is damaged", i);
        }
    }
    if (!all_traces(repair)) {
        target_failed("what was repaired is not sound");
    }
    run_all(input, &after);
    if (memcmp(before->done, after.done, sizeof after.done) != 0) {
        target_failed("what was repaired is not as it was before");
    }
}

void database_target(const uint8_t *bytes, size_t length) {
    const struct database_input input = {bytes, length, file_length(bytes, length)};
    struct outcome outcome;

    write_database(bytes, input.file);
    run_all(&input, &outcome);
    if (outcome.opened && length - input.file >= EDIT_SIZE && all_traces(is_sound)) {
        damage_derived(&input, &outcome);
    }
}
