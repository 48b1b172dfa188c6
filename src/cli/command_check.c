/* tracetool check: verifies the database file, and that derived tables agree with the events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/command.h"
#include "analysis/recount.h"
#include "annotate/repair.h"
#include "store/catalog.h"
#include "store/check.h"
#include "base/memory.h"

/* Number of problems found. Each is printed when it is found; then the check continues. */
struct findings {
    size_t count;
    /* Of `count`: problems that --repair solves, in derived data; of these: rows of no trace. */
    size_t derived, orphans;
};

static void command_check_found(struct findings *findings, const char *trace, const char *what) {
    struct text line = {0};

    if (trace != NULL) {
        text_append_string(&line, "trace ");
        text_append_escaped(&line, trace, strlen(trace));
        text_append_string(&line, ": ");
    }
    text_append_escaped(&line, what, strlen(what));
    puts(text_string(&line));
    text_free(&line);
    findings->count++;
}

static bool check_integrity(struct database *database, struct findings *findings,
                            struct error *error) {
    struct database_query query =
        database_query(database, error, "PRAGMA main.integrity_check", "");

    while (database_next(&query)) {
        const char *text = (const char *)sqlite3_column_text(query.row, 0);

        if (text != NULL && strcmp(text, "ok") != 0) {
            command_check_found(findings, NULL, text);
        }
    }
    return database_end(&query);
}

/* Reports a problem in a trace. */
static void report_finding_in_trace(void *context, const char *trace, const char *what) {
    command_check_found(context, trace, what);
}

/* Reports a problem in data derived from events. */
static void report_derived_finding(void *context, const char *trace, const char *what) {
    struct findings *findings = context;

    command_check_found(findings, trace, what);
    findings->derived++;
    findings->orphans += trace == NULL;
}

/* Limit of traces that are recounted together to verify rollups. Together is faster, since making a
 * selection takes longer than a small trace. The limit bounds the size of temporary tables. */
#define TRACES_AT_ONCE 64

/* Returns how many traces, from the first on, can be recounted together: of one kind, with equal
 * rollups. */
static size_t command_check_count_alike(const struct catalog_trace *const *traces, size_t count) {
    size_t alike = 1;

    while (alike < count && alike < TRACES_AT_ONCE && traces[alike]->kind == traces[0]->kind &&
           strcmp(traces[alike]->rollups, traces[0]->rollups) == 0) {
        alike++;
    }
    return alike;
}

/* Removes from `traces` those with values of wrong types, which cannot be counted. */
static bool keep_valid_traces(struct type_check *types, const struct catalog_trace **traces,
                              size_t *count, const struct store_report *report,
                              struct error *error) {
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        bool sound;

        if (!type_check_trace(types, traces[i], report, &sound, error)) {
            return false;
        }
        if (sound) {
            traces[kept++] = traces[i];
        }
    }
    *count = kept;
    return true;
}

/* Checks the traces, and removes damaged ones from `traces`. `all`: these are all traces of the
 * database, so rows of other traces are damage. */
static bool check_traces(struct database *database, const struct config *config,
                         const struct catalog_trace **traces, size_t count, bool all,
                         struct findings *findings, struct error *error) {
    const struct store_report report = {.context = findings,
                                        .found = report_finding_in_trace,
                                        .found_derived = report_derived_finding};
    struct type_check types;
    size_t alike;
    bool done = type_check_open(&types, database, error) &&
                (!all || type_check_orphans(&types, &report, error)) &&
                keep_valid_traces(&types, traces, &count, &report, error);

    type_check_close(&types);
    for (size_t i = 0; done && i < count; i += alike) {
        alike = command_check_count_alike(traces + i, count - i);
        done = store_check(database, traces + i, alike, &report, error) &&
               recount_compare(database, config, traces + i, alike, &report, error);
    }
    return done;
}

/* Repairs the traces and reports each repair. The check afterwards finds what is still wrong. */
static bool repair_traces(struct database *database, const struct session *session,
                          const struct catalog_trace *const *traces, size_t count,
                          struct error *error) {
    for (size_t i = 0; i < count; i++) {
        struct repair_result repaired;

        if (!repair_trace(database, &session->config, traces[i], &repaired, error)) {
            return false;
        }
        if (repaired.columns) {
            session_print_line(session, "trace %s: its columns were rebuilt", traces[i]->name);
        }
        if (repaired.rollups) {
            session_print_line(session, "trace %s: its rollups were recounted", traces[i]->name);
        }
    }
    return true;
}

/* Checks the chosen traces; `findings` NULL: repairs them. */
static bool check_chosen(struct database *database, const struct session *session,
                         const struct catalog *catalog, struct findings *findings,
                         struct error *error) {
    const struct option_list *asked = &session->arguments->lists[OPTION_TRACE];
    const struct catalog_trace **chosen =
        xcalloc(catalog->count + asked->count + 1, sizeof(const struct catalog_trace *));
    size_t count = 0;
    bool done = catalog_choose_all(catalog, asked->values, asked->count, chosen, &count, error) &&
                (findings == NULL ? repair_traces(database, session, chosen, count, error)
                                  : check_traces(database, &session->config, chosen, count,
                                                 asked->count == 0, findings, error));

    free(chosen);
    return done;
}

static bool check_catalog(struct database *database, const struct session *session,
                          struct findings *findings, struct error *error) {
    struct catalog catalog;
    bool done;

    if (!catalog_load(&catalog, database, error)) {
        return false;
    }
    done = check_chosen(database, session, &catalog, findings, error);
    catalog_free(&catalog);
    return done;
}

/* Repairs the chosen traces; without a choice, all traces, and removes rows that belong to none. */
static bool repair_chosen_traces(struct database *database, const struct session *session,
                                 struct error *error) {
    int64_t orphans = 0;

    if (!check_catalog(database, session, NULL, error) ||
        (session->arguments->lists[OPTION_TRACE].count == 0 &&
         !repair_orphans(database, &orphans, error))) {
        return false;
    }
    if (orphans > 0) {
        session_print_line(session, "%lld row%s without a trace %s deleted", (long long)orphans,
                           orphans == 1 ? "" : "s", orphans == 1 ? "was" : "were");
    }
    return true;
}

/* With --repair, repairs first. Then checks in a new transaction, since other programs may write
 * after the repair. Without --repair, the database is in a transaction already. */
static bool check_database(struct database *database, const struct session *session,
                           struct findings *findings, struct error *error) {
    if (!recount_register(database, &session->config, error) ||
        (session->arguments->given[OPTION_REPAIR] &&
         !(repair_chosen_traces(database, session, error) &&
           database_run(database, "BEGIN", error)))) {
        return false;
    }
    /* SQLite cannot check single traces, so the whole file is only checked without --trace. */
    return (session->arguments->lists[OPTION_TRACE].count > 0 ||
            check_integrity(database, findings, error)) &&
           check_catalog(database, session, findings, error) &&
           (!session->arguments->given[OPTION_REPAIR] || database_run(database, "COMMIT", error));
}

bool command_check(struct session *session, struct error *error) {
    struct findings findings = {0};
    struct database database;
    bool done;

    if (!session_open(session, &database,
                      session->arguments->given[OPTION_REPAIR] ? DATABASE_WRITE : DATABASE_READ,
                      error)) {
        return false;
    }
    done = check_database(&database, session, &findings, error);
    if (!session_close(session, &database, done, error)) {
        return false;
    }
    if (findings.count > 0) {
        /* Recommends --repair if it solves all problems, since all are in derived data. */
        bool mends =
            findings.derived == findings.count && !session->arguments->given[OPTION_REPAIR];

        return error_set(error, "%s: errors found: %zu; %s", session->database_path, findings.count,
                         !mends                  ? "import the logs again into a new database"
                         : findings.orphans == 0 ? "`tracetool check --repair` rebuilds that"
                                                 : "`tracetool check --repair` mends that");
    }
    session_print_line(session,
                       session->arguments->lists[OPTION_TRACE].count > 0
                           ? "%s: these traces are sound; without -t, all of the file is checked"
                           : "%s: sound",
                       session->database_path);
    return true;
}
