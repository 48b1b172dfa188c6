/* tracetool traces, show, remove and name: commands on whole traces. */
#include <stdlib.h>
#include <string.h>

#include "analysis/recount.h"
#include "annotate/naming.h"
#include "base/clock.h"
#include "cli/command.h"
#include "base/memory.h"
#include "cli/logs.h"
#include "dwtrace_settings.h"
#include "model/meaning.h"
#include "model/tally.h"
#include "report/dump.h"
#include "report/print.h"
#include "report/request.h"
#include "store/trace_tables.h"
#include "store/wal.h"

/* SQL function iso_time(ns since 1970 UTC, minutes east of UTC): the time as text with zone. */
static void iso_time(sqlite3_context *context, int count, sqlite3_value **values) {
    struct text text = {0};

    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        return;
    }
    clock_append(&text, sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]));
    sqlite3_result_text(context, text_string(&text), (int)text.length, SQLITE_TRANSIENT);
    text_free(&text);
}

/* SQL function kind_words(kind): a kind of trace in words. */
static void command_traces_kind_words(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);
    enum trace_kind kind;

    if (name != NULL && trace_kind_find(name, &kind)) {
        sqlite3_result_text(context, trace_kind_words(kind), -1, SQLITE_STATIC);
    }
}

static bool open_database(struct session *session, enum database_mode mode,
                          struct database *database, struct error *error) {
    if (!session_open(session, database, mode, error)) {
        return false;
    }
    if (sqlite3_create_function(database->handle, "iso_time", 2, SQLITE_UTF8, NULL, iso_time, NULL,
                                NULL) != SQLITE_OK ||
        sqlite3_create_function(database->handle, "kind_words", 1, SQLITE_UTF8, NULL,
                                command_traces_kind_words, NULL, NULL) != SQLITE_OK) {
        database_set_error(database, error);
        return session_close(session, database, false, error);
    }
    return true;
}

/* A table to print: a constant SQL query, and its columns. */
struct listing {
    const char *title;
    /* ?1, if it occurs: the trace's id; for `tracetool traces`, a minimum of rejected records. */
    const char *sql;
    struct column columns[13];
    size_t column_count;
    const char *brief, *prose, *cut; /* values of the same members in struct result */
};

/* A trace for `tracetool show`. */
struct shown_trace {
    int64_t id; /* trace.id, bound to ?1 */
    /* Bytes of text that `tracetool dump` prints for the trace (EVENT_NONE: unknown), and number of
     * rows that it was extrapolated from (EVENT_NONE: all rows were measured). */
    int64_t text_size, estimated_from;
};

static bool print_listing(struct database *database, struct printer *printer, const char *command,
                          const struct listing *listing, const struct shown_trace *trace,
                          struct error *error) {
    sqlite3_stmt *statement = database_prepare(database, listing->sql, error);
    struct result result = {
        .report = command,
        .title = listing->title,
        .clock_unit = "ns",
        .brief = listing->brief,
        .lost = "rejected",
        .prose = listing->prose,
        .cut = listing->cut,
        .columns = listing->columns,
        .column_count = listing->column_count,
    };
    bool done = statement != NULL;

    if (done && sqlite3_bind_parameter_count(statement) > 0) {
        sqlite3_bind_int64(statement, 1, trace->id);
        database_bind_optional(statement, sqlite3_bind_parameter_index(statement, ":text_size"),
                               trace->text_size);
        database_bind_optional(statement,
                               sqlite3_bind_parameter_index(statement, ":estimated_from"),
                               trace->estimated_from);
        database_bind_optional(statement, sqlite3_bind_parameter_index(statement, ":is_shadow"),
                               database->source != NULL);
    }
    done = done && print_statement(database, statement, printer, &result, 0, error);
    sqlite3_finalize(statement);
    return done;
}

/* The tables to print, in order. */
struct listings {
    struct session *session;
    struct database *database;
    const struct listing *listings;
    size_t count;
    struct shown_trace trace;
};

static bool command_traces_print_all(struct printer *printer, void *context, struct error *error) {
    const struct listings *all = context;

    for (size_t i = 0; i < all->count; i++) {
        if (!print_listing(all->database, printer, all->session->arguments->command,
                           &all->listings[i], &all->trace, error)) {
            return false;
        }
    }
    return true;
}

/* --- traces: a list of traces ----------------------------------------------------------------- */

/* SQL: number of records read. A record that gives two events counts once. */
#define RECORDS_READ                                                                               \
    "events + merged + ignored + rejected - ifnull((SELECT sum(count) FROM ledger"                 \
    " WHERE ledger.trace = id AND outcome = 'split'), 0)"

static const struct listing traces_listings[] = {
    {
        "Traces",
        "SELECT name, format, variant, events, merged, ignored, rejected,"
        " iso_time(start, ifnull(utc_offset, 0)) AS start,"
        /* a duration in counter units is text, so that it is not formatted like ns */
        " CASE clock_unit WHEN 'ns' THEN ifnull(last_time - first_time, 0)"
        " WHEN 'records' THEN NULL"
        " ELSE CAST(ifnull(last_time - first_time, 0) AS TEXT) END AS duration,"
        " (SELECT name FROM source WHERE trace = trace.id ORDER BY id LIMIT 1)"
        " || (SELECT CASE WHEN count(*) > 1 THEN ' and ' || (count(*) - 1) || ' more' ELSE '' END"
        "     FROM source WHERE trace = trace.id) AS source,"
        " kind_words(kind) AS kind, device, hash_of(id) AS hash"
        " FROM trace WHERE rejected >= ?1 AND is_listed(id) ORDER BY trace.start, "
        "ifnull(trace.device, ''), "
        "trace.name, trace.id",
        {{"name", "", COLUMN_TEXT},
         {"format", "", COLUMN_TEXT},
         {"variant", "", COLUMN_TEXT},
         {"events", "", COLUMN_INTEGER},
         {"merged", "", COLUMN_INTEGER},
         {"ignored", "", COLUMN_INTEGER},
         {"rejected", "", COLUMN_INTEGER},
         {"start", "", COLUMN_TEXT},
         {"duration", "ns", COLUMN_DURATION},
         {"source", "", COLUMN_TEXT},
         {"kind", "", COLUMN_TEXT},
         {"device", "", COLUMN_TEXT},
         {"hash", "", COLUMN_TEXT}},
        13,
        .brief = "name device hash kind format events rejected start duration",
        .cut = "variant source hash",
    },
    {
        "Logs with several kinds of events: the traces of each",
        "SELECT log, group_concat(name, ', ') AS traces,"
        " sum(" RECORDS_READ ") AS read"
        " FROM (SELECT * FROM trace WHERE log NOT NULL AND rejected >= ?1 AND is_listed(id)"
        " ORDER BY id) GROUP BY log ORDER BY min(id)",
        {{"log", "", COLUMN_TEXT}, {"traces", "", COLUMN_TEXT}, {"read", "", COLUMN_INTEGER}},
        3,
        .prose = "traces",
    },
};

/* SQL function hash_of(id): the hash of a trace. */
static void command_traces_hash_of(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct catalog *catalog = sqlite3_user_data(context);
    const struct catalog_trace *trace = catalog_find_id(catalog, sqlite3_value_int64(values[0]));

    if (trace != NULL) {
        sqlite3_result_text(context, trace->hash, -1, SQLITE_STATIC);
    }
}

/* The traces to list: those that all options given choose. */
struct listed {
    const struct catalog *catalog;
    struct report_request request; /* study and users */
    const char *device;            /* label; NULL: any */
    int64_t since; /* ns since 1970, UTC if has_zone, else as the trace's `start` is printed;
                      EVENT_NONE: any */
    bool has_zone;
};

static bool is_since(const struct listed *listed, const struct catalog_trace *trace) {
    const int64_t start =
        listed->has_zone ? trace->start : tally_hour_origin(trace->start, trace->utc_offset);

    return listed->since == EVENT_NONE || (trace->start != EVENT_NONE && start >= listed->since);
}

/* SQL function is_listed(id): whether the trace is to be listed. */
static void command_traces_is_listed(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct listed *listed = sqlite3_user_data(context);
    const struct catalog_trace *trace =
        catalog_find_id(listed->catalog, sqlite3_value_int64(values[0]));

    sqlite3_result_int(context,
                       trace != NULL && request_includes(&listed->request, trace) &&
                           is_since(listed, trace) &&
                           (listed->device == NULL || strcmp(listed->device, trace->device) == 0));
}

/* Reads a date, or a date and time. */
static bool read_since(const char *value, struct listed *listed, struct error *error) {
    struct text midnight = {0};
    int64_t offset = 0;
    bool done = clock_parse(value, &listed->since, &listed->has_zone, &offset);

    if (!done) {
        text_append_format(&midnight, "%sT00:00", value);
        done = clock_parse(text_string(&midnight), &listed->since, &listed->has_zone, &offset);
        text_free(&midnight);
    }
    listed->since -= done && listed->has_zone ? offset * INT64_C(60000000000) : 0;
    return done || error_usage(error,
                               "--since must be a date such as 2015-01-31, or a date and time such "
                               "as 2015-01-31T18:30, not '%s'",
                               value);
}

static bool read_listed(const struct session *session, const struct catalog *catalog,
                        struct listed *listed, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *since = arguments->values[OPTION_SINCE];
    bool found;

    *listed = (struct listed){
        .catalog = catalog,
        .request = {.study = arguments->values[OPTION_STUDY],
                    .users = {arguments->lists[OPTION_USER].values,
                              arguments->lists[OPTION_USER].count,
                              arguments->lists[OPTION_NOT_USER].values,
                              arguments->lists[OPTION_NOT_USER].count}},
        .device = arguments->values[OPTION_DEVICE],
        .since = EVENT_NONE,
    };
    if ((since != NULL && !read_since(since, listed, error)) ||
        !request_check_labels(&listed->request, catalog, error)) {
        return false;
    }
    found = listed->device == NULL;
    for (size_t i = 0; i < catalog->count && !found; i++) {
        found = strcmp(listed->device, catalog->traces[i].device) == 0;
    }
    return found ||
           error_set(error, "no trace has device %s; import --device sets the device of a trace",
                     listed->device);
}

/* On terminals, suggests a summary of the trace imported last. */
static void suggest_newest(const struct session *session, const struct catalog *catalog) {
    if (!session->stdout_is_terminal || !session->stderr_is_terminal) {
        return;
    }
    if (catalog->count > 0) {
        session_suggest(session, "", catalog->traces[catalog->count - 1].name);
    } else {
        session_print_line(session, "there are no traces yet; try: tracetool import FILE");
    }
}

/* Lists the traces. In a store, they are identified by device and hash; in a file, by name. */
static bool command_traces_list_traces(struct session *session, struct database *database,
                                       struct catalog *catalog, struct error *error) {
    const bool hashes = session->arguments->given[OPTION_HASHES] || catalog->of_store;
    struct listing shown[] = {traces_listings[0], traces_listings[1]};
    struct listings listings = {
        .session = session,
        .database = database,
        .listings = shown,
        .trace = {.id = session->arguments->given[OPTION_REJECTED]},
    };
    struct listed listed;
    int64_t logs;

    if (!read_listed(session, catalog, &listed, error)) {
        return false;
    }
    if (!hashes) {
        shown[0].column_count -= 2;
        shown[0].brief = "name kind format events rejected start duration";
    }
    if (sqlite3_create_function(database->handle, "hash_of", 1, SQLITE_UTF8, catalog,
                                command_traces_hash_of, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(database->handle, "is_listed", 1, SQLITE_UTF8, &listed,
                                command_traces_is_listed, NULL, NULL) != SQLITE_OK) {
        return database_set_error(database, error);
    }
    if (!database_query_integer(database, "SELECT count(log) > 0 FROM trace WHERE is_listed(id)", 0,
                                0, &logs, error)) {
        return false;
    }
    listings.count = logs ? 2 : 1;
    return session_print(session, logs != 0, command_traces_print_all, &listings, error);
}

bool command_traces(struct session *session, struct error *error) {
    struct database database;
    struct catalog catalog;
    bool done;

    if (!open_database(session, DATABASE_READ, &database, error)) {
        return false;
    }
    done = catalog_load(&catalog, &database, error);
    if (done) {
        done = command_traces_list_traces(session, &database, &catalog, error);
        if (done) {
            suggest_newest(session, &catalog);
        }
        catalog_free(&catalog);
    }
    return session_close(session, &database, done, error);
}

/* --- show: facts on one trace ----------------------------------------------------------------- */

/* Indices of the tables printed, in order. */
enum { SHOW_TRACE, SHOW_LEDGER, SHOW_LOSSES, SHOW_FILES, SHOW_MAP, SHOW_LISTINGS };

static const struct listing show_listings[SHOW_LISTINGS] = {
    {
        "Trace",
        "WITH t AS (SELECT * FROM trace WHERE id = ?1)"
        " SELECT 'name' AS attribute, name AS value, 'text' AS _kind FROM t"
        " UNION ALL SELECT 'format', format, 'text' FROM t"
        " UNION ALL SELECT 'kind', kind_words(kind), 'text' FROM t"
        " UNION ALL SELECT 'variant', variant, 'text' FROM t"
        " UNION ALL SELECT 'device', device, 'text' FROM t"
        " UNION ALL SELECT 'user', user, 'text' FROM t"
        " UNION ALL SELECT 'study', study, 'text' FROM t WHERE study NOT NULL"
        " UNION ALL SELECT 'round', round, 'integer' FROM t WHERE round NOT NULL"
        " UNION ALL SELECT 'log', log || ', with ' || ifnull((SELECT group_concat(name, ', ')"
        " FROM trace WHERE log = t.log AND id <> t.id), 'nothing else left of it'), 'text'"
        " FROM t WHERE log NOT NULL"
        " UNION ALL SELECT 'start', iso_time(start, ifnull(utc_offset, 0)), 'text' FROM t"
        " UNION ALL SELECT 'duration', ifnull(last_time - first_time, 0),"
        " iif(clock_unit = 'ns', 'duration', 'integer') FROM t WHERE clock_unit <> 'records'"
        " UNION ALL SELECT 'clock unit', clock_unit, 'text' FROM t"
        " UNION ALL SELECT 'clocks', clocks, 'text' FROM t WHERE kind = 'spans'"
        " UNION ALL SELECT 'clock frequency', clock_hz, 'integer' FROM t WHERE clock_hz NOT NULL"
        " UNION ALL SELECT 'sessions', sessions, 'integer' FROM t"
        " UNION ALL SELECT 'files', (SELECT count(*) FROM source WHERE trace = ?1), 'integer'"
        " UNION ALL SELECT 'bytes', (SELECT sum(size) FROM source WHERE trace = ?1), 'bytes'"
        " UNION ALL SELECT 'read', " RECORDS_READ ", 'integer' FROM t"
        " UNION ALL SELECT 'read of the log', (SELECT"
        " sum(" RECORDS_READ ") FROM trace WHERE log = t.log), 'integer'"
        " FROM t WHERE log NOT NULL"
        " UNION ALL SELECT 'events', events, 'integer' FROM t"
        " UNION ALL SELECT 'second events', sum(count), 'integer' FROM ledger"
        " WHERE trace = ?1 AND outcome = 'split' HAVING sum(count) > 0"
        " UNION ALL SELECT 'merged', merged, 'integer' FROM t"
        " UNION ALL SELECT 'ignored', ignored, 'integer' FROM t"
        " UNION ALL SELECT 'rejected', rejected, 'integer' FROM t"
        " UNION ALL SELECT 'bytes lost', lost_bytes, 'bytes' FROM t"
        " UNION ALL SELECT 'layer', text, 'text' FROM (SELECT n.kind || ifnull(': ' || sum(r.count)"
        "  || ' calls', '') AS text, count(*) OVER () AS layers FROM t"
        "  JOIN main.name AS n ON n.trace = t.id AND n.kind <> 'error'"
        "  LEFT JOIN main.rollup_operation AS r ON r.trace = t.id AND r.operation = n.id"
        "   AND ' ' || t.rollups || ' ' LIKE '% operation %'"
        "  WHERE t.kind = 'calls' GROUP BY n.kind ORDER BY n.kind) WHERE layers > 1"
        " UNION ALL SELECT 'not in this log', group_concat(substr(what, 4), ', '), 'text'"
        " FROM (SELECT what FROM meaning WHERE trace = ?1 AND \"column\" = ''"
        " AND what LIKE '" FACT_UNKNOWN "%' ORDER BY what) HAVING count(*) > 0"
        " UNION ALL SELECT 'text size', :text_size, 'bytes' WHERE :text_size NOT NULL"
        " UNION ALL SELECT 'text to binary', 1.0 * :text_size /"
        " (SELECT sum(size) FROM source WHERE trace = ?1), 'real' WHERE :text_size NOT NULL"
        " UNION ALL SELECT 'remark', 'the text size is estimated from the first '"
        " || :estimated_from || ' rows', 'text' WHERE :estimated_from NOT NULL"
        " UNION ALL SELECT 'remark', text, 'text' FROM remark WHERE trace = ?1"
        " UNION ALL SELECT 'remark', 'there are no columns of its events: reports that pass over"
        " them read the rows; `tracetool check --repair` makes columns', 'text'"
        " FROM t WHERE first_event NOT NULL AND NOT :is_shadow"
        " AND NOT EXISTS (SELECT 1 FROM event_column WHERE trace = ?1)"
        " UNION ALL SELECT 'remark', 'there are no rollups, as where another program has changed "
        "the"
        " trace: reports count its events; `tracetool check --repair` makes rollups', 'text'"
        " FROM t WHERE first_event NOT NULL AND rollups = '' AND kind NOT IN ('samples', "
        "'results', 'states')",
        {{"attribute", "", COLUMN_TEXT}, {"value", "", COLUMN_ANY}},
        2,
        .prose = "value",
    },
    {
        "Ledger: records not kept, and why",
        "SELECT ledger.outcome, ledger.reason, ledger.count, ledger.first_offset, ledger.bytes,"
        " source.name AS source FROM ledger JOIN source ON source.id = ledger.source"
        " WHERE ledger.trace = ?1 AND outcome NOT IN ('split', 'no call') ORDER BY source.id, "
        "ledger.outcome, "
        "ledger.first_offset",
        {{"outcome", "", COLUMN_TEXT},
         {"reason", "", COLUMN_TEXT},
         {"count", "", COLUMN_INTEGER},
         {"first_offset", "bytes", COLUMN_INTEGER},
         {"lost", "bytes", COLUMN_BYTES},
         {"source", "", COLUMN_TEXT}},
        6,
        .prose = "reason",
        .cut = "source",
    },
    {
        /* omitted for traces without losses */
        "Lost events, by CPU",
        "SELECT iif(cpu < 0, 'any', CAST(cpu AS TEXT)) AS cpu,"
        " iif(lost = 0 AND (uncounted > 0 OR EXISTS (SELECT 1 FROM loss WHERE trace = ?1"
        " AND cpu < 0 AND lost + uncounted > 0)), NULL, lost) AS lost, uncounted, loss.events,"
        " iif(clock_unit = 'ns', first, CAST(first AS TEXT)) AS first,"
        " iif(clock_unit = 'ns', last, CAST(last AS TEXT)) AS last"
        " FROM loss JOIN trace ON trace.id = loss.trace WHERE loss.trace = ?1 ORDER BY loss.cpu",
        {{"cpu", "", COLUMN_TEXT},
         {"lost", "", COLUMN_INTEGER},
         {"uncounted", "", COLUMN_INTEGER},
         {"events", "", COLUMN_INTEGER},
         {"first", "ns", COLUMN_DURATION},
         {"last", "ns", COLUMN_DURATION}},
        6,
        .brief = "cpu lost uncounted events first last",
    },
    {
        "Files",
        "SELECT name, size, packing, events, hash FROM source WHERE trace = ?1 ORDER BY id",
        {{"source", "", COLUMN_TEXT},
         {"size", "bytes", COLUMN_BYTES},
         {"packing", "", COLUMN_TEXT},
         {"events", "", COLUMN_INTEGER},
         {"hash", "", COLUMN_TEXT}},
        5,
        .cut = "packing hash",
    },
    {
        /* omitted for traces that were not mapped */
        "Files by their blocks",
        "WITH m AS (SELECT map.*, trace.first_time FROM map JOIN trace ON trace.id = map.trace"
        " WHERE trace = ?1)"
        " SELECT 'image' AS attribute, image AS value, 'text' AS _kind FROM m"
        " UNION ALL SELECT 'image before', before, 'text' FROM m WHERE before NOT NULL"
        " UNION ALL SELECT 'copies of the journal', journals, 'integer' FROM m WHERE journals > 0"
        " UNION ALL SELECT 'file system', uuid, 'text' FROM m"
        " UNION ALL SELECT 'device', (device >> 20) || ':' || (device & 1048575), 'text' FROM m"
        " WHERE device NOT NULL"
        " UNION ALL SELECT 'offset', \"offset\", 'bytes' FROM m WHERE \"offset\" NOT NULL"
        " UNION ALL SELECT 'transactions', transactions, 'integer' FROM m"
        " UNION ALL SELECT 'proven from', horizon - first_time, 'duration' FROM m"
        " WHERE horizon NOT NULL"
        " UNION ALL SELECT 'proven by images', proven, 'integer' FROM m"
        " UNION ALL SELECT 'proven by the journal', journal, 'integer' FROM m"
        " UNION ALL SELECT 'likely', likely, 'integer' FROM m"
        " UNION ALL SELECT 'not mapped', unmapped, 'integer' FROM m"
        " UNION ALL SELECT 'of several files', several, 'integer' FROM m"
        " UNION ALL SELECT 'outside', outside, 'integer' FROM m",
        {{"attribute", "", COLUMN_TEXT}, {"value", "", COLUMN_ANY}},
        2,
        .prose = "value",
    },
};

/* Measures the text that `tracetool dump` prints for a trace of spans, to compare the sizes of text
 * and binary logs. */
static bool measure_text(struct session *session, struct database *database,
                         const struct catalog_trace *trace, struct shown_trace *shown,
                         struct error *error) {
    int64_t rows = trace->last_event - trace->first_event + 1;
    struct workspace workspace;
    bool done;

    shown->text_size = shown->estimated_from = EVENT_NONE;
    if (trace->kind != TRACE_SPANS || rows == 0) {
        return true;
    }
    /* with a store, events would have to be fetched to measure the text */
    if (database->source != NULL) {
        return true;
    }
    done = workspace_open(&workspace, database, &session->config, NULL, error) &&
           dump_text_size(&workspace, trace, &shown->text_size, error);
    workspace_close(&workspace);
    if (!done) {
        return false;
    }
    if (rows > DUMP_MEASURED_ROWS) {
        shown->text_size =
            (int64_t)((double)shown->text_size * ((double)rows / (double)DUMP_MEASURED_ROWS));
        shown->estimated_from = DUMP_MEASURED_ROWS;
    }
    return true;
}

/* Chooses the tables to print. Some are omitted if they have no rows. */
static bool choose_shown(struct listings *listings, struct listing *shown, struct error *error) {
    int64_t maps = 0, losses = 0;

    if (!database_query_integer(listings->database, "SELECT count(*) FROM map WHERE trace = ?1",
                                listings->trace.id, 0, &maps, error) ||
        !database_query_integer(listings->database, "SELECT count(*) FROM loss WHERE trace = ?1",
                                listings->trace.id, 0, &losses, error)) {
        return false;
    }
    listings->count = 0;
    for (int i = SHOW_TRACE; i < SHOW_LISTINGS; i++) {
        if ((i != SHOW_MAP || maps > 0) && (i != SHOW_LOSSES || losses > 0)) {
            shown[listings->count++] = show_listings[i];
        }
    }
    return true;
}

/* The traces for `tracetool show`: one, or all of one log. */
struct shown_traces {
    struct session *session;
    struct database *database;
    const struct catalog_trace **traces;
    size_t count;
};

static bool show_traces(struct printer *printer, void *context, struct error *error) {
    const struct shown_traces *all = context;
    struct listing shown[SHOW_LISTINGS];
    struct listings listings = {
        .session = all->session, .database = all->database, .listings = shown};
    bool done = true;

    for (size_t i = 0; done && i < all->count; i++) {
        listings.trace.id = all->traces[i]->id;
        done = measure_text(all->session, all->database, all->traces[i], &listings.trace, error) &&
               choose_shown(&listings, shown, error) &&
               command_traces_print_all(printer, &listings, error);
    }
    return done;
}

/* Shows the traces that the command's arguments name or, of logs, all their traces. */
static bool show_named(struct session *session, struct database *database,
                       const struct catalog *catalog, struct error *error) {
    struct shown_traces all = {session, database, xcalloc(catalog->count + 1, sizeof(const void *)),
                               0};
    const struct report_request named = {.traces = (const char *const *)session->arguments->words,
                                         .trace_count = session->arguments->word_count};
    int64_t *ids = xcalloc(catalog->count + 1, sizeof *ids);
    bool done;

    if (logs_as_typed(session) != NULL) { /* the database has only the logs' traces */
        done = catalog_choose_all(catalog, NULL, 0, all.traces, &all.count, error);
    } else {
        done = request_add_traces(&named, catalog, all.traces, &all.count, error);
    }
    for (size_t i = 0; i < all.count; i++) {
        ids[i] = all.traces[i]->id;
    }
    done = done && all.count > 0 &&
           database_fetch(database, &(struct database_wanted){.traces = ids, .count = all.count},
                          error) &&
           session_print(session, true, show_traces, &all, error);
    free(all.traces);
    free(ids);
    return done;
}

bool command_show(struct session *session, struct error *error) {
    struct database database;
    struct catalog catalog;
    bool done;

    if (!open_database(session, DATABASE_READ, &database, error)) {
        return false;
    }
    done = catalog_load(&catalog, &database, error);
    if (done) {
        done = show_named(session, &database, &catalog, error);
        catalog_free(&catalog);
    }
    if (done && session->stdout_is_terminal && session->stderr_is_terminal) {
        session_suggest(session, "", session->arguments->words[0]);
    }
    return session_close(session, &database, done, error);
}

/* --- remove and name -------------------------------------------------------------------------- */

static bool remove_trace(struct database *database, const struct catalog_trace *trace,
                         struct text *removed, struct error *error) {
    text_append_format(removed, "%s%s", removed->length == 0 ? "" : ", ", trace->name);
    return store_remove(database, trace->id, error);
}

/* Removes the trace whose unique prefix is `typed`, if no trace or log has exactly this name. */
static bool remove_meant(struct database *database, const struct catalog *catalog,
                         const char *typed, struct text *removed, struct error *error) {
    const struct catalog_trace *meant;

    return catalog_find_exact(catalog, typed, &meant, error) &&
           (meant == NULL ? catalog_set_unknown_error(catalog, typed, error)
                          : remove_trace(database, meant, removed, error));
}

/* Removes the trace with this name or hash, or all traces of the log with this name. Appends the
 * names of what was removed. */
static bool remove_named(struct database *database, const char *name, struct text *removed,
                         struct error *error) {
    const struct catalog_trace *named;
    struct catalog catalog;
    bool done = true;

    if (!catalog_load(&catalog, database, error)) {
        return false;
    }
    named = catalog_find(&catalog, name);
    for (size_t i = 0; done && i < catalog.count; i++) {
        const struct catalog_trace *trace = &catalog.traces[i];

        if (named != NULL ? trace == named : strcmp(trace->log, name) == 0) {
            done = remove_trace(database, trace, removed, error);
        }
    }
    if (done && removed->length == 0) {
        done = remove_meant(database, &catalog, name, removed, error);
    }
    catalog_free(&catalog);
    return done;
}

bool command_remove(struct session *session, struct error *error) {
    struct text removed = {0};
    struct database database;
    bool done;

    if (remote_is_address(session->database_path)) {
        return session_remove_remote(session, error);
    }
    interruption_install_handlers(session);
    if (!open_database(session, DATABASE_WRITE, &database, error)) {
        return false;
    }
    interruption_set_database(&database);
    done = wal_begin(&database, false, error) &&
           remove_named(&database, session->arguments->words[0], &removed, error);
    interruption_set_database(NULL); /* the commit is fast, so it is not interrupted */
    if (*interruption_flag()) {
        done = error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was removed");
    }
    done = done && wal_commit(&database, error);
    if (done) {
        session_print_line(session, "removed %s", text_string(&removed));
    }
    text_free(&removed);
    return session_close(session, &database, done, error);
}

/* Renames a trace, given by name or unique prefix. Appends its old name to `before`. */
static bool rename_trace(struct database *database, const char *typed, const char *name,
                         struct text *before, struct error *error) {
    const struct catalog_trace *trace;
    struct catalog catalog;
    bool done;

    if (!catalog_load(&catalog, database, error)) {
        return false;
    }
    trace = catalog_choose_to_change(&catalog, typed, error);
    done = trace != NULL;
    if (done && trace != catalog_find(&catalog, name) && catalog_find(&catalog, name) != NULL) {
        done = error_set(error, "there is a trace %s already; `tracetool remove` removes it", name);
    }
    if (done) {
        text_append_string(before, trace->name);
        done = database_run_bound(database, error, "UPDATE main.trace SET name = ?2 WHERE id = ?1",
                                  "is", trace->id, name);
    }
    catalog_free(&catalog);
    return done;
}

bool command_rename(struct session *session, struct error *error) {
    const char *name = session->arguments->words[1];
    struct text before = {0};
    struct database database;
    bool done;

    if (*name == '\0') {
        return error_usage(error, "a trace needs a name");
    }
    if (!open_database(session, DATABASE_WRITE, &database, error)) {
        return false;
    }
    done = wal_begin(&database, false, error) &&
           rename_trace(&database, session->arguments->words[0], name, &before, error) &&
           wal_commit(&database, error);
    if (done) {
        session_print_line(session, "renamed %s to %s", text_string(&before), name);
    }
    text_free(&before);
    return session_close(session, &database, done, error);
}

static bool annotate_names(struct database *database, const struct config *symbols,
                           const char *trace, struct naming_result *named, struct error *error) {
    struct annotation annotation;
    bool done;

    if (!recount_register(database, symbols, error) ||
        !annotation_open(&annotation, database, symbols, trace, error)) {
        return false;
    }
    done = apply_symbol_names(&annotation, symbols, named, error) &&
           annotation_commit(&annotation, error);
    annotation_close(&annotation);
    return done;
}

static bool command_traces_write_names(struct session *session, const struct config *symbols,
                                       const char *path, struct error *error) {
    const char *name = session->arguments->words[0];
    struct naming_result named = {0};
    struct database database;
    bool done;

    if (!open_database(session, DATABASE_WRITE, &database, error)) {
        return false;
    }
    done = annotate_names(&database, symbols, name, &named, error);
    if (done) {
        session_print_line(session, "%s: %lld %s from %s", name, (long long)named.count, named.what,
                           path);
    }
    return session_close(session, &database, done, error);
}

bool command_name(struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_SYMBOLS];
    struct config symbols;
    bool done;

    if (path == NULL) {
        return error_usage(error, "tracetool name needs --symbols FILE");
    }
    if (!config_read(path, &symbols, error)) {
        return false;
    }
    /* Symbol files rarely say how functions are numbered, so that comes from the configuration. */
    config_copy_missing(&symbols, &session->config, &dwtrace_section);
    done = command_traces_write_names(session, &symbols, path, error);
    config_free(&symbols);
    return done;
}
