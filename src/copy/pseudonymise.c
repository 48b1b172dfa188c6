#include "copy/pseudonymise.h"

#include <string.h>

#include "copy/transfer.h"

/* Values of ?10, a parameter of each trace. */
enum { KEEP_ACTORS = 1 };
_Static_assert(TRANSFER_OWN == 10, "the parameter is written out below");

/* All columns of text and bytes. Unchanged ones hold words of the program, of its formats and of
 * the user's configuration: kinds, reasons, file types, partitions. */
static const struct {
    const char *table, *column;
    const char *sql; /* "": unchanged */
} texts[] = {
    {"trace", "name", "pseudonym_trace(t.name)"},
    {"trace", "kind", ""},
    {"trace", "format", ""},
    {"trace", "variant", ""},
    {"trace", "device", "pseudonym_device(t.device)"},
    {"trace", "user", "pseudonym_user(t.user)"},
    {"trace", "clock_unit", ""},
    {"trace", "rollups", ""},
    {"trace", "resume", "NULL"}, /* appended files would add names */
    {"trace", "clocks", ""},
    {"trace", "study", "pseudonym_study(t.study)"},
    {"trace", "log", "pseudonym_trace(t.log)"},
    {"source", "name", "pseudonym_path(t.name)"},
    {"source", "hash", "pseudonym_hash(t.hash)"}, /* would identify the log to anyone who has it */
    {"source", "packing", ""},
    {"event", "arguments", "NULL"},
    {"event_column", "field", ""},
    {"event_column", "data", ""}, /* numbers */
    {"name", "kind", ""},
    {"name", "text", "pseudonym_operation(t.kind, t.text)"},
    {"actor", "name", "iif(?10, t.name, pseudonym_process(t.name))"},
    {"object", "name", "pseudonym_path(t.name)"},
    {"object", "type", ""},
    {"map", "image", "pseudonym_path(t.image)"},
    {"map", "uuid", "pseudonym_uuid(t.uuid)"},
    {"map", "before", "pseudonym_path(t.before)"},
    {"allocation", "what", ""},
    {"meaning", "column", ""},
    {"meaning", "kind", ""},
    {"meaning", "what", ""},
    {"meaning", "unit", ""},
    {"partition", "name", ""},
    {"ledger", "outcome", ""},
    {"ledger", "reason", ""},
    {"probe", "resolution", ""},
    {"probe", "origin", ""},
    {"rollup_block", "partition", ""},
    {"rollup_block", "file_type", ""},
    {"rollup_process", "process", "iif(?10, t.process, pseudonym_process(t.process))"},
};

/* The number that identifies an application without a name. */
static const char code_of_actor[] = "pseudonym_number(t.code)";

/* The code of a name: a list of symbols has the name of each. */
static const char code_of_name[] = "pseudonym_code(t.kind, t.code)";

/* Returns the SQL for a text column, in which t is the row; "" if it is unchanged, NULL if it is
 * not listed. */
static const char *pseudonymise_column(const char *table, const char *column) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].table, table) == 0 && strcmp(texts[i].column, column) == 0) {
            return texts[i].sql;
        }
    }
    return NULL;
}

static void pseudonymise_append_column(const char *table, const char *column, const char *type,
                                       struct text *sql) {
    if (strcmp(type, "INTEGER") != 0) {
        const char *becomes = pseudonymise_column(table, column);

        if (becomes != NULL) {
            text_append_string(sql, becomes);
        } else {
            /* The function does not exist, so that no copy is made while a new column is not
             * listed.
             */
            text_append_format(sql, "undecided_%s_%s()", table, column);
        }
    } else if (strcmp(table, "actor") == 0 && strcmp(column, "code") == 0) {
        text_append_string(sql, code_of_actor);
    } else if (strcmp(table, "name") == 0 && strcmp(column, "code") == 0) {
        text_append_string(sql, code_of_name);
    }
}

/* A remark repeated in reports: only devices, by number. */
#define IS_OF_NUMBERS                                                                              \
    "(text LIKE 'completions on % devices: %' AND"                                                 \
    " ltrim(replace(substr(text, 16), ' devices: ', ' '), '0123456789:(), …') = '')"

/* Other remarks of an import may contain any name of the log: only their number is kept. */
static bool copy_remarks(struct database *to, int64_t trace, struct error *error) {
    return database_change(to, error,
                           "INSERT INTO main.remark (trace, number, text)"
                           " SELECT trace, number, text FROM source.remark"
                           " WHERE trace = ?1 AND " IS_OF_NUMBERS,
                           "i", trace) &&
           database_change(to, error,
                           "INSERT INTO main.remark (trace, number, text)"
                           " SELECT ?1, min(number), printf('%d remark%s of the import left out: "
                           "%s may hold names', count(*),"
                           " iif(count(*) = 1, '', 's'), iif(count(*) = 1, 'it', 'they'))"
                           " FROM source.remark WHERE trace = ?1 AND NOT " IS_OF_NUMBERS
                           " HAVING count(*) > 0",
                           "i", trace);
}

static bool pseudonymise_copy_traces(struct database *to, const struct catalog_trace *const *traces,
                                     size_t count, struct error *error) {
    const struct transfer_rules rules = {.column = pseudonymise_append_column,
                                         .left_out = "remark"};
    struct transfer transfer;
    bool done = transfer_open(&transfer, to, &rules, error);

    for (size_t i = 0; done && i < count; i++) {
        /* Benchmark results have no processes: their actors are the tested items. */
        struct transfer_trace trace = {
            .id = traces[i]->id,
            .first_event = traces[i]->first_event,
            .last_event = traces[i]->last_event,
            .own = traces[i]->kind == TRACE_RESULTS ? KEEP_ACTORS : 0,
        };

        done =
            (transfer_trace(&transfer, &trace, error) && copy_remarks(to, traces[i]->id, error)) ||
            error_context(error, "trace %s", traces[i]->name);
    }
    transfer_close(&transfer);
    return done;
}

bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error) {
    *copy = (struct pseudonymise){0};
    if (!new_database_open(&copy->made, place, error)) {
        return false;
    }
    if (!transfer_attach(&copy->made.database, from->path, &copy->catalog, error)) {
        new_database_close(&copy->made);
        return false;
    }
    return true;
}

bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error) {
    struct database *to = &copy->made.database;

    return (pseudonyms_register(pseudonyms, to->handle) || database_failed(to, error)) &&
           pseudonymise_copy_traces(to, traces, count, error) && transfer_detach(to, error) &&
           new_database_commit(&copy->made, error);
}

void pseudonymise_close(struct pseudonymise *copy) {
    catalog_free(&copy->catalog);
    new_database_close(&copy->made);
}
