#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/call_losses.h"
#include "import/context.h"
#include "import/importer.h"
#include "import/pairing.h"
#include "import/sources.h"
#include "import/trace_files.h"
#include "model/linux.h"
#include "store/rollup_tables.h"
#include "store/row_order.h"
#include "store/store.h"
#include "store/trace_tables.h"

/* --- files with equal content ----------------------------------------------------------------- */

/* Number of bytes at the beginning of every file that are hashed first: most files differ there. */
enum { BEGINNING = 64 * 1024 };

struct candidate {
    size_t position;            /* index of the file among the sources */
    char hash[INPUT_HASH_SIZE]; /* hash of the file's beginning, later of the whole file */
    bool whole;                 /* true: `hash` is of the whole file */
    bool wanted; /* true: another file's beginning has the same hash, so the whole file is hashed */
    bool known;  /* true: the file could be read */
};

/* Hashes up to `limit` bytes of a file; sets candidate->known to whether it could be read. Returns
 * false if interrupted. */
static bool hash_source(const struct import_run *run, struct candidate *candidate, int64_t limit,
                        uint8_t *buffer, struct input_stop stop) {
    const struct import_source *source = &run->sources[candidate->position];
    struct error ignored = {0};
    struct input *input = input_open(source->path, stop, &ignored);
    size_t got = 1;
    bool read = input != NULL;

    while (read && got > 0 && input_bytes_read(input) < limit && !stop.stop(stop.context)) {
        int64_t left = limit - input_bytes_read(input);

        read =
            input_read(input, buffer, left < BEGINNING ? (size_t)left : BEGINNING, &got, &ignored);
    }
    /* An empty file counts as unreadable here: it is skipped later for being empty. */
    candidate->known = read && input_bytes_read(input) > 0;
    candidate->whole = got == 0;
    if (candidate->known) {
        input_hash(input, candidate->hash);
    }
    input_close(input);
    return !stop.stop(stop.context);
}

/* Compares by hash, then by the order of the files in the trace. */
static int compare_candidates(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

/* Hashes the whole contents of files whose beginnings are equal; only these can be duplicates. */
static bool hash_wholly(const struct import_run *run, struct candidate *candidates, size_t count,
                        uint8_t *buffer, struct input_stop stop) {
    bool done = true;

    for (size_t i = 1; i < count; i++) {
        if (strcmp(candidates[i - 1].hash, candidates[i].hash) == 0) {
            candidates[i - 1].wanted = candidates[i].wanted = true;
        }
    }
    for (size_t i = 0; done && i < count; i++) {
        struct candidate *candidate = &candidates[i];

        if (candidate->wanted && !candidate->whole) {
            done = hash_source(run, candidate, INT64_MAX, buffer, stop);
        }
        candidate->known = candidate->known && candidate->wanted && candidate->whole;
    }
    return done;
}

/* Moves the candidates (files that may be duplicates) that could be read to the front; returns
 * their number. */
static size_t move_known_first(struct candidate *candidates, size_t count) {
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (candidates[i].known) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

static bool sources_find(struct import_run *run, struct candidate *candidates, uint8_t *buffer,
                         struct input_stop stop) {
    size_t count = 0, first = 0;

    for (size_t i = 0; i < run->source_count; i++) {
        candidates[count].position = i;
        if (!input_is_file(run->sources[i].path)) {
            continue;
        }
        if (!hash_source(run, &candidates[count++], BEGINNING, buffer, stop)) {
            return false;
        }
    }
    count = move_known_first(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    if (!hash_wholly(run, candidates, count, buffer, stop)) {
        return false;
    }
    count = move_known_first(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(candidates[first].hash, candidates[i].hash) != 0) {
            first = i;
        } else {
            run->sources[candidates[i].position].same_as =
                run->sources[candidates[first].position].name;
        }
    }
    return true;
}

bool is_duplicate(const struct import_run *run, const char *name, const char *other) {
    return run->importer == NULL || run->importer->of_thread == NULL ||
           !thread_files_are_of_one_trace(name, other);
}

bool duplicates_find(struct import_run *run, struct input_stop stop) {
    struct candidate *candidates = xcalloc(run->source_count + 1, sizeof *candidates);
    uint8_t *buffer = xmalloc(BEGINNING);
    bool done = sources_find(run, candidates, buffer, stop);

    free(buffer);
    free(candidates);
    return done;
}

static int compare_hashes(const void *left, const void *right) {
    const struct import_source *const *a = left, *const *b = right;
    int order = strcmp((*a)->hash, (*b)->hash);

    return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

/* Called after reading: returns false with `error` set if two imported files have equal content.
 * Needed for files that could be read only once, such as pipes. */
static bool duplicates_refuse(const struct import_run *run, struct error *error) {
    const struct import_source **used = xcalloc(run->source_count + 1, sizeof *used);
    size_t count = 0;
    bool done = true;

    for (size_t i = 0; i < run->source_count; i++) {
        if (run->sources[i].used) {
            used[count++] = &run->sources[i];
        }
    }
    qsort(used, count, sizeof(const struct import_source *), compare_hashes);
    for (size_t i = 1; done && i < count; i++) {
        if (strcmp(used[i - 1]->hash, used[i]->hash) == 0 &&
            is_duplicate(run, used[i]->name, used[i - 1]->name)) {
            done = error_set(
                error, "%s: same content as %s; omit one of them, or import both with --again",
                used[i]->name, used[i - 1]->name);
        }
    }
    free(used);
    return done;
}

static bool refuse_known_content(struct import_run *run, struct store *store, struct error *error) {
    for (size_t i = 0; i < run->source_count; i++) {
        const struct import_source *source = &run->sources[i];
        struct database_query find;

        if (!source->used || (run->again && run->archive == NULL)) {
            continue;
        }
        find = database_query(store->database, error,
                              "SELECT trace.name, source.name"
                              " FROM source JOIN trace ON trace.id = source.trace"
                              " WHERE source.hash = ?1 AND source.size > 0 AND"
                              " (?2 = '' OR substr(source.name, 1, length(?2) + 1) = ?2 || '/')"
                              " LIMIT 1",
                              "ss", source->hash, run->again ? run->archive : "");
        if (database_next(&find)) {
            find.failed = true;
            if (run->again) {
                error_set_absent(error, "%s: same content as %s", source->name,
                                 database_column_text(find.row, 1));
            } else {
                error_set(error,
                          "%s: the same content was imported already, as trace %s; --again imports "
                          "it once more",
                          source->name, database_column_text(find.row, 0));
            }
        }
        if (!database_end(&find)) {
            return false;
        }
    }
    return true;
}

/* Adds a remark on records that are earlier than the record before, for all traces of the log. */
static void report_out_of_order(struct import_run *run, struct import *import) {
    struct text by = {0};
    int64_t count = 0, most = 0;

    for (size_t i = 0; i < run->source_count; i++) {
        count += run->sources[i].earlier;
        most = run->sources[i].earlier_by > most ? run->sources[i].earlier_by : most;
    }
    if (count == 0) {
        return;
    }
    if (strcmp(run->clock.unit, "ns") == 0) {
        text_append_seconds(&by, most);
        text_append_string(&by, " s");
    } else {
        text_append_format(&by, "%lld %s", (long long)most, run->clock.unit);
    }
    snprintf(run->earlier, sizeof run->earlier, "earlier than the record before, by up to %s",
             text_string(&by));
    import_remark(import, "%lld %s %s: the clock stepped back, or the log is not in order",
                  (long long)count, count == 1 ? "record is" : "records are", run->earlier);
    text_free(&by);
}

/* Whether two files' names show that both belong to one trace (files per CPU or per thread). */
static bool is_of_family(const char *left, const char *right) {
    return cpu_files_are_of_one_trace(left, right) || thread_files_are_of_one_trace(left, right);
}

/* Adds a remark if files of a directory became one trace, although each may be a separate log. */
static void remark_folder(const struct import_run *run, struct import *import) {
    const char *first = NULL;
    int64_t logs = 0;
    bool is_family = true;

    for (size_t i = 0; i < run->source_count; i++) {
        if (import->shares[i].events > 0) {
            first = logs++ == 0 ? run->sources[i].path : first;
            is_family = is_family && is_of_family(first, run->sources[i].path);
        }
    }
    if (run->folder && logs > 1 && !is_family && !run->importer->in_pieces) {
        import_remark(import,
                      "%lld files of the folder are one trace; for a trace of each, name the files "
                      "instead of the folder",
                      (long long)logs);
    }
}

static const char *const outcomes[OUTCOMES] = {"merged",  "ignored", "rejected", "lost",
                                               "earlier", "split",   "peeled",   "no call"};

static bool write_ledger(struct import *import, struct store *store, const int64_t *source_ids,
                         struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < import->ledger.line_count; i++) {
        const struct ledger_line *line = &import->ledger.lines[i];

        done = database_run_bound(
            store->database, error, "INSERT INTO ledger VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            "iissiii", store->trace, source_ids[line->source], outcomes[line->outcome],
            line->reason, line->count, line->first_offset, line->bytes);
    }
    return done;
}

/* Writes the trace's files with the ranges of their events. The ranges are unknown (NULL) if events
 * were reordered across files. */
static bool write_sources(struct import *import, struct store *store, int64_t *source_ids,
                          struct error *error) {
    const struct import_run *run = import->run;
    bool ranges = import->late == 0 && !import->alternating &&
                  (import->resorted == 0 || (run->source_count == 1 && !store->appending));
    int64_t first_row = store->next_event - import->rows;
    bool done = true;

    for (size_t i = 0; done && i < run->source_count; i++) {
        const struct import_source *from = &run->sources[i];
        const struct import_share *share = &import->shares[i];
        bool range = ranges && share->rows > 0;

        if (!from->used) {
            continue;
        }
        done = database_run_bound(
            store->database, error,
            "INSERT INTO source (trace, name, hash, size, packing, events, first_event, last_event)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            "issisioo", store->trace, from->name, from->hash, from->size, from->packing,
            share->events, range ? first_row + share->first : EVENT_NONE,
            range ? first_row + share->first + share->rows - 1 : EVENT_NONE);
        source_ids[i] = sqlite3_last_insert_rowid(store->database->handle);
    }
    return done;
}

struct loggable_context {
    struct store *store;
    struct error *error;
    bool by_default;
};

static bool finish_add_loggable(void *context, int64_t code) {
    struct loggable_context *loggable = context;

    return database_run_bound(loggable->store->database, loggable->error,
                              "INSERT OR IGNORE INTO loggable VALUES (?1, ?2, ?3)", "iii",
                              loggable->store->trace, code, (int64_t)loggable->by_default);
}

static bool write_loggable(struct import *import, struct store *store, struct error *error) {
    struct loggable_context context = {.store = store, .error = error};

    return import->run->importer->loggable == NULL ||
           import->run->importer->loggable(import->run->config, finish_add_loggable, &context,
                                           &context.by_default, error);
}

/* Writes the time of day at time 0 if it is known without a date. */
static bool write_time_of_day(const struct import_run *run, struct store *store,
                              struct error *error) {
    return run->start != EVENT_NONE || run->time_of_day == EVENT_NONE ||
           database_run_bound(store->database, error,
                              "INSERT OR IGNORE INTO meaning VALUES (?1, 'time', '',"
                              " '" MEANING_TIME_OF_DAY "', 'ns from ' || ?2)",
                              "ii", store->trace, run->time_of_day);
}

static bool write_meaning(struct store *store, const struct event_meaning *meaning,
                          struct error *error) {
    return database_run_bound(store->database, error,
                              "INSERT OR IGNORE INTO meaning VALUES (?1, ?2, ?3, ?4, ?5)", "issss",
                              store->trace, event_column_name(meaning->place), meaning->kind,
                              meaning->what, meaning->unit);
}

static bool write_meanings(struct import *import, struct store *store, struct error *error) {
    for (const struct event_meaning *meaning = import->run->importer->meanings[import->kind];
         meaning != NULL && meaning->what != NULL; meaning++) {
        if (((store->columns & ~import->without) >> meaning->place & 1) != 0 &&
            !write_meaning(store, meaning, error)) {
            return false;
        }
    }
    for (size_t i = 0; i < import->meaning_count; i++) {
        if (!write_meaning(store, import->meanings[i], error)) {
            return false;
        }
    }
    return write_time_of_day(import->run, store, error);
}

static bool write_fact(struct store *store, enum fact fact, bool lacks, struct error *error) {
    return database_run_bound(store->database, error,
                              lacks ? "INSERT OR IGNORE INTO meaning VALUES (?1, '', '',"
                                      " '" FACT_UNKNOWN "' || ?2, '')"
                                    : "DELETE FROM meaning WHERE trace = ?1 AND \"column\" = ''"
                                      " AND what = '" FACT_UNKNOWN "' || ?2",
                              "is", store->trace, fact_words(fact));
}

/* Writes which facts the log does not state. When files are appended to a trace, only deletes facts
 * that were not stated before and are now: a fact is not stated only if no log of the trace states
 * it. */
static bool write_facts(struct import *import, struct store *store, struct error *error) {
    unsigned declared = import->run->importer->facts[import->kind];
    unsigned by_columns = facts_depending_on_columns(import->kind);
    unsigned expected = facts_to_declare(import->kind) | by_columns;
    unsigned stated = (((declared & ~by_columns) |
                        facts_from_columns(import->kind, store->columns & ~import->without)) &
                       ~import->without_facts) |
                      import->with_facts;
    bool done = true;

    for (unsigned fact = 0; done && fact < FACTS && (declared & FACTS_DECLARED) != 0; fact++) {
        if ((expected & ~stated) >> fact & 1) {
            done = import->run->resuming || write_fact(store, (enum fact)fact, true, error);
        } else if (import->run->resuming && (expected >> fact & 1) != 0) {
            done = write_fact(store, (enum fact)fact, false, error);
        }
    }
    return done;
}

/* Writes whether the trace lacks file names (FACT_FILE_NAMES): it has calls on files but no path,
 * since ftrace may log only descriptors and addresses. Considers all logs of an appended trace. */
static bool write_file_names(const struct import *import, struct store *store,
                             struct error *error) {
    struct database_query query =
        database_query(store->database, error,
                       "SELECT text FROM name WHERE trace = ?1 AND NOT EXISTS"
                       " (SELECT 1 FROM object WHERE trace = ?1 AND name <> '')",
                       "i", store->trace);
    bool unnamed = false;

    while (import->kind == TRACE_CALLS && !unnamed && database_next(&query)) {
        unnamed = call_does((const char *)sqlite3_column_text(query.row, 0)) != CALL_OTHER;
    }
    return database_end(&query) && write_fact(store, FACT_FILE_NAMES, unnamed, error);
}

/* Whether the log is cut off: its last record was rejected, and is binary or lacks its line end. */
static bool is_cut_off(const struct import *import) {
    for (size_t i = 0; i < import->ledger.line_count; i++) {
        const struct ledger_line *line = &import->ledger.lines[i];
        const struct import_source *source = &import->run->sources[line->source];

        if (line->outcome == OUTCOME_REJECTED && line->end == source->size &&
            (strcmp(import->run->variant, "text") != 0 || source->last != '\n')) {
            return true;
        }
    }
    return (import->without_facts & FACT(END)) != 0;
}

static bool write_rollups(struct import *import, struct store *store, struct text *rollups,
                          struct error *error) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        char table[64];

        if (!import->tally_complete[kind]) {
            continue;
        }
        snprintf(table, sizeof table, "main.rollup_%s", tally_definitions[kind].name);
        if (!tally_table_write(store->database, table, store->trace, &import->tallies[kind],
                               names_label_of_number, import, error)) {
            return false;
        }
        text_append_format(rollups, "%s%s", rollups->length == 0 ? "" : " ",
                           tally_definitions[kind].name);
    }
    if (import->spans != NULL && import->spans_complete) {
        if (!span_table_write(store->database, store->trace, span_tracker_times(import->spans),
                              error)) {
            return false;
        }
        text_append_format(rollups, "%sspan", rollups->length == 0 ? "" : " ");
    }
    return true;
}

/* Sorts the stored events of the whole trace by time, if sorting within batches was not enough. */
static bool sort_late_events(struct import *import, struct store *store, struct error *error) {
    if (import->late == 0) {
        return true;
    }
    if (import->ends_later) {
        import_remark(import, "out of order: %lld %s; the whole trace was sorted by time",
                      (long long)import->late, trace_kind_counts(import->kind));
    } else {
        import_remark(import,
                      "%lld events were out of order by more than %d events; the whole trace was "
                      "sorted by time",
                      (long long)import->late, BATCH_EVENTS);
    }
    return row_order_sort(store, error) &&
           database_run_bound(store->database, error,
                              "UPDATE source SET first_event = NULL, last_event = NULL"
                              " WHERE trace = ?1",
                              "i", store->trace);
}

/* Adds a remark on outliers. Their distances, in days, make sense only with a real clock. */
static void remark_outliers(struct import *import) {
    const struct import_run *run = import->run;
    const struct timestamp_outliers *outliers = &import->outliers;

    if (strcmp(run->clock.unit, "ns") != 0 || run->clock.clocks[0] == '\0') {
        return;
    }
    for (int64_t i = 0; i < outliers->found && i < OUTLIERS_REMARKS; i++) {
        const struct timestamp_outlier *event = &outliers->events[i];
        struct text time = {0};

        text_append_seconds(&time, event->time);
        import_remark(import,
                      "event %lld of %s: its time, %s s after the start, is more than a day from "
                      "those around it; it is kept",
                      (long long)event->number, run->sources[event->source].name,
                      text_string(&time));
        text_free(&time);
    }
    import_remark_count(import, (int64_t)(outliers->found - OUTLIERS_REMARKS),
                        "%lld more event{s} {has|have} a time more than a day from those around "
                        "{it|them}");
}

/* Adds a remark after the trace's existing ones; `number` counts remarks of this import from 0.
 * After --append, an existing remark is not repeated, unless it has a number of this log. */
static bool finish_write_remark(struct store *store, int64_t number, const char *text,
                                struct error *error) {
    return database_run_bound(
        store->database, error,
        "INSERT INTO remark SELECT ?1, ?2 + ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM remark"
        " WHERE trace = ?1 AND number < ?2 AND text = ?4"
        " AND (text LIKE 'assumed: %' OR text NOT GLOB '*[0-9]*'))",
        "iiis", store->trace, store->existing.remarks, number, text);
}

/* Begin of the remark of importers/block_trace.c that counts completions by device. */
static const char completions[] = "completions on ";

static bool write_remarks(struct import *import, struct store *store, struct error *error) {
    int64_t written = 0;
    char lost[64];

    for (size_t i = 0; i < import->remark_count; i++) {
        if (store->appending &&
            strncmp(import->remarks[i], completions, strlen(completions)) == 0) {
            continue; /* write_completions() counts those of the whole trace */
        }
        if (!finish_write_remark(store, written++, import->remarks[i], error)) {
            return false;
        }
    }
    snprintf(lost, sizeof lost, "%lld more remark%s not kept", (long long)import->remarks_lost,
             import->remarks_lost == 1 ? " was" : "s were");
    return import->remarks_lost == 0 || finish_write_remark(store, written, lost, error);
}

/* Adds a remark that lists the devices of a trace if its format has a column for them and they are
 * several; after --append, those of the whole trace. For logs of the kernel, the importer counts
 * completions by device instead (importers/block_trace.c). */
static bool write_devices(struct import *import, struct store *store, struct error *error) {
    return import->run->importer == NULL || !import->run->importer->takes_devices ||
           database_run_bound(
               store->database, error,
               "WITH used AS (SELECT device, row_number() OVER (ORDER BY min(id)) AS number"
               " FROM object WHERE trace = ?1 AND device IS NOT NULL AND name IS NULL"
               " GROUP BY device)"
               " INSERT OR REPLACE INTO remark"
               " SELECT ?1, ifnull((SELECT number FROM remark WHERE trace = ?1"
               " AND text LIKE 'I/Os on % devices: %'),"
               " (SELECT ifnull(max(number), -1) + 1 FROM remark WHERE trace = ?1)),"
               " 'I/Os on ' || count(*) || ' devices: ' || group_concat(CASE WHEN number <= 8"
               " THEN (device >> 20) || ':' || (device & 1048575) END, ', ')"
               " || iif(count(*) > 8, ', …', '')"
               " FROM (SELECT * FROM used ORDER BY number) HAVING count(*) > 1",
               "i", store->trace);
}

/* After --append to a log of the kernel, writes the remark that counts completions by device again,
 * for the whole trace. */
static bool write_completions(const struct import *import, struct store *store,
                              struct error *error) {
    return !store->appending || import->kind != TRACE_IO || import->run->importer->takes_devices ||
           database_run_bound(
               store->database, error,
               "WITH used AS (SELECT o.device, count(*) FILTER (WHERE n.text = 'C') AS completed,"
               " min(e.id) AS first FROM event AS e CROSS JOIN name AS n ON n.id = e.operation"
               " CROSS JOIN object AS o ON o.id = e.object"
               " WHERE e.id BETWEEN ?2 AND ?3 AND n.text IN ('C', 'D') AND o.device IS NOT NULL"
               " GROUP BY o.device HAVING completed > 0),"
               " numbered AS (SELECT *, row_number() OVER (ORDER BY first) AS number FROM used"
               " ORDER BY first)"
               " INSERT OR REPLACE INTO remark"
               " SELECT ?1, ifnull((SELECT number FROM remark WHERE trace = ?1"
               " AND text LIKE ?4 || '% devices: %'),"
               " (SELECT ifnull(max(number), -1) + 1 FROM remark WHERE trace = ?1)),"
               " ?4 || count(*) || ' devices: ' || group_concat(CASE WHEN number <= 8"
               " THEN printf('%d:%d (%d)', device >> 20, device & 1048575, completed) END, ', ')"
               " || iif(count(*) > 8, ', …', '')"
               " FROM numbered HAVING count(*) > 1",
               "iiis", store->trace, store->first_event, store->next_event - 1, completions);
}

/* SQL: of the remark `text` on stacked devices, the lower device (`8:0`), and the beginning of the
 * remark with both (`device 253:0 lies over 8:0`). */
#define STACKED_BELOW                                                                              \
    "rtrim(substr(remark.text, instr(remark.text, ' over ') + 6, instr(substr(remark.text || ' '," \
    " instr(remark.text, ' over ') + 6), ' ') - 1), ':')"
#define STACKED_PAIR "substr(remark.text, 1, instr(remark.text, ' over ') + 5) || " STACKED_BELOW

/* After --append to a log of the kernel, keeps one remark on each pair of stacked devices, with the
 * completions of the whole trace (importers/block_trace.c). */
static bool write_stacked(const struct import *import, struct store *store, struct error *error) {
    if (!store->appending || import->kind != TRACE_IO || import->run->importer->takes_devices) {
        return true;
    }
    return database_run_bound(
               store->database, error,
               "DELETE FROM remark WHERE trace = ?1 AND text LIKE 'device % lies over %'"
               " AND number NOT IN (SELECT first_value(number) OVER (PARTITION BY " STACKED_PAIR
               " ORDER BY text NOT LIKE '% of % completions on %', number) FROM remark"
               " WHERE trace = ?1 AND text LIKE 'device % lies over %')",
               "i", store->trace) &&
           database_run_bound(
               store->database, error,
               "UPDATE remark SET text = " STACKED_PAIR
               " || ': ' || (SELECT count(*) FILTER (WHERE e.flags & ?4) || ' of ' || count(*)"
               " FROM event AS e CROSS JOIN name AS n ON n.id = e.operation AND n.text = 'C'"
               " CROSS JOIN object AS o ON o.id = e.object AND (o.device >> 20) || ':' ||"
               " (o.device & 1048575) = " STACKED_BELOW " WHERE e.id BETWEEN ?2 AND ?3)"
               " || substr(text, instr(text, ' completions on '))"
               " WHERE trace = ?1 AND text LIKE 'device % lies over % of % completions on %'",
               "iiii", store->trace, store->first_event, store->next_event - 1,
               (int64_t)IO_FLAG_BELOW);
}

static bool finish_complete(struct import *import, struct store *store, const char *rollups,
                            struct error *error) {
    struct store_ending ending = {
        .variant = import->run->variant,
        .clock_unit = import->run->clock.unit,
        .clocks = import->run->clock.clocks,
        .clock_hz = import->run->clock.hz == 0 ? EVENT_NONE : import->run->clock.hz,
        .start = import->run->start,
        .utc_offset = import->run->utc_offset,
        .sessions = import->run->sessions,
        .events = import->events,
        .paired = import->events - import->rows,
        .last_time = import->last_time,
        .round = import->round,
        .call_overhead = import->call_overhead,
        .merged = import->ledger.totals[OUTCOME_MERGED],
        .ignored = import->ledger.totals[OUTCOME_IGNORED],
        .rejected = import->ledger.totals[OUTCOME_REJECTED],
        .lost_bytes = import->ledger.lost_bytes,
        .resume = import->run->kept,
    };

    return store_complete(store, &ending, rollups, error);
}

/* If events are missing from the log, pairs requests again and removes durations of false calls. In
 * an appended trace, does so only for the new events, unless they were sorted among older ones. */
static bool finish_losses(struct import *import, struct store *store, struct pairing_counts *counts,
                          struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};
    const struct losses *losses = &import->run->losses;
    struct column_range part = range;

    *counts = (struct pairing_counts){0};
    if (import->late == 0) {
        part.first = store->next_event - import->rows;
    }
    if (import->kind == TRACE_CALLS) {
        return call_losses_finish(&import->calls, losses, store->database, &range, &part,
                                  &counts->changed, error);
    }
    return import->kind != TRACE_IO || pairing_recompute(store->database, &range, &part, losses,
                                                         &import->proven, counts, error);
}

/* Adds the remark on unmatched requests, which importers add themselves if the log is complete, in
 * the same words (block_io.h). */
static bool remark_pairs(const struct import *import, struct store *store,
                         const struct pairing_counts *counts, struct error *error) {
    int64_t number = (int64_t)import->remark_count + (import->remarks_lost > 0);
    char unissued[160], open[96], unbelieved[160];

    snprintf(unissued, sizeof unissued,
             "%lld of %lld completions had no matching issue: no latency",
             (long long)counts->unissued, (long long)counts->completions);
    snprintf(open, sizeof open, "%lld issued request%s had no matching completion",
             (long long)counts->open, counts->open == 1 ? "" : "s");
    snprintf(unbelieved, sizeof unbelieved,
             "%lld of these: not paired, since latency would be over %d times the 99th percentile",
             (long long)counts->unbelieved, PAIRING_BELIEVED);
    return (counts->unissued == 0 || finish_write_remark(store, number++, unissued, error)) &&
           (counts->open == 0 || finish_write_remark(store, number++, open, error)) &&
           (counts->unbelieved == 0 || finish_write_remark(store, number, unbelieved, error));
}

/* Makes the rollups (counts stored for reports) when all events are stored in order. Discards
 * counts made earlier if events were paired again or lost durations. */
static bool make_event_rollups(struct import *import, struct store *store, struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};
    bool calls = import->kind == TRACE_CALLS;
    struct pairing_counts counts;
    bool counted;

    if (!finish_losses(import, store, &counts, error) ||
        !remark_pairs(import, store, &counts, error)) {
        return false;
    }
    import->unfinished = counts.open;
    import->unissued = counts.unissued;
    counted = import->latencies != NULL && !counts.changed;
    return (import->kind != TRACE_IO && !calls) ||
           (latency_rollup_make(store->database, &range, calls, counted ? import->latencies : NULL,
                                error) &&
            (!calls || call_rollup_make(store->database, &range,
                                        counted ? &import->calls_counted : NULL, error)));
}

static int64_t events_of_run(const struct import_run *run) {
    int64_t events = 0;

    for (unsigned i = 0; i < run->trace_count; i++) {
        events += run->traces[i].events;
    }
    return events;
}

static bool refuse_rejected(const struct import_run *run, struct error *error) {
    const struct ledger_line *worst = NULL;
    int64_t rejected = 0;

    for (unsigned i = 0; i < run->trace_count; i++) {
        const struct ledger_line *line = ledger_top_rejection(&run->traces[i].ledger);

        rejected += run->traces[i].ledger.totals[OUTCOME_REJECTED];
        worst = line != NULL && (worst == NULL || line->count > worst->count) ? line : worst;
    }
    if (worst == NULL) {
        return true;
    }
    if (events_of_run(run) == 0) {
        return error_set(error, "%s: no record can be read as %s: %s at byte %lld",
                         run->sources[worst->source].name, run->importer->name, worst->reason,
                         (long long)worst->first_offset);
    }
    if (run->strict) {
        return error_set_status(error, EXIT_REJECTED,
                                "%s: %lld record%s rejected, most for: %s, first at byte %lld; not "
                                "imported because of --strict",
                                run->sources[worst->source].name, (long long)rejected,
                                rejected == 1 ? " was" : "s were", worst->reason,
                                (long long)worst->first_offset);
    }
    return true;
}

/* --- several traces of one log ---------------------------------------------------------------- */

static bool is_kept(const struct import_run *run, unsigned number) {
    return run->traces[number].events > 0 || (number == 0 && events_of_run(run) == 0);
}

/* Returns the first trace that is stored; it gets the ledgers of the dropped traces. */
static struct import *first_kept_trace(struct import_run *run) {
    unsigned number = 0;

    while (!is_kept(run, number)) {
        number++;
    }
    return &run->traces[number];
}

static void share_losses_of(struct import_run *run, unsigned from, size_t reported) {
    for (size_t i = 0; i < reported; i++) {
        struct ledger_line line = run->traces[from].ledger.lines[i];

        for (unsigned to = 0; line.outcome == OUTCOME_LOST && to < run->trace_count; to++) {
            if (to != from && is_kept(run, to)) {
                ledger_add(&run->traces[to].ledger, &line);
            }
        }
    }
}

/* Copies the log's losses to each of its traces, since they may concern any kind of event. */
static void share_losses(struct import_run *run) {
    size_t reported[TRACE_KINDS] = {0};

    for (unsigned i = 0; i < run->trace_count; i++) {
        reported[i] = run->traces[i].ledger.line_count;
    }
    for (unsigned i = 0; i < run->trace_count; i++) {
        share_losses_of(run, i, reported[i]);
    }
}

/* Moves the ledger (counts of records by outcome) and remarks of a trace without events to another
 * trace. Losses need no move: each trace has them. */
static void move_ledger_to_main_trace(struct import *from, struct import *to) {
    for (size_t i = 0; i < from->ledger.line_count; i++) {
        if (from->ledger.lines[i].outcome != OUTCOME_LOST) {
            ledger_add(&to->ledger, &from->ledger.lines[i]);
        }
    }
    ledger_free(&from->ledger);
    for (size_t i = 0; i < from->remark_count; i++) {
        if (to->remark_count < REMARKS) {
            to->remarks[to->remark_count++] = from->remarks[i];
        } else {
            to->remarks_lost++;
            free(from->remarks[i]);
        }
    }
    from->remark_count = 0;
    to->remarks_lost += from->remarks_lost;
}

/* Sets a trace's name, and the name of the log if the log has several traces (else NULL). */
static bool finish_name_trace(struct store *store, const char *name, const char *log,
                              struct error *error) {
    struct database_query find =
        database_query(store->database, error, "SELECT 1 FROM trace WHERE name = ?1 AND id <> ?2",
                       "si", name, store->trace);

    if (database_next(&find)) {
        find.failed = true;
        error_set(error,
                  "the log has several kinds of events, which become several traces; one named %s "
                  "exists already: choose another name with -n",
                  name);
    }
    return database_end(&find) &&
           database_run_bound(store->database, error,
                              "UPDATE trace SET name = ?1, log = ?2 WHERE id = ?3", "ssi", name,
                              log, store->trace);
}

/* Removes the traces that are dropped. Names the others like the log, with their kind appended if
 * several remain. */
static bool finish_traces(struct import_run *run, struct store *stores, const char *name,
                          struct error *error) {
    struct import *first = first_kept_trace(run);
    bool several = false;

    share_losses(run);
    for (unsigned i = 0; i < run->trace_count; i++) {
        if (is_kept(run, i)) {
            several |= &run->traces[i] != first;
            continue;
        }
        move_ledger_to_main_trace(&run->traces[i], first);
        if (!store_remove(stores[i].database, stores[i].trace, error)) {
            return false;
        }
    }
    for (unsigned i = 0; i < run->trace_count; i++) {
        struct text part = {0};
        bool done = true;

        text_append_format(&part, "%s.%s", name, trace_kind_name(run->traces[i].kind));
        if (is_kept(run, i) && run->trace_count > 1) {
            done = finish_name_trace(&stores[i], several ? text_string(&part) : name,
                                     several ? name : NULL, error);
        }
        text_free(&part);
        if (!done) {
            return false;
        }
    }
    return true;
}

/* Writes the losses of the log to the table loss; writes nothing if none were reported. */
static bool write_losses(struct import *import, struct store *store, struct error *error) {
    const struct losses *losses = &import->run->losses;
    bool done = true;

    for (size_t i = 0; done && losses->reported && i < losses->cpu_count; i++) {
        const struct loss_cpu *at = &losses->cpus[i];
        bool known = at->cpu != EVENT_NONE;
        const struct loss_row row = {
            .cpu = known ? at->cpu : LOSS_NO_CPU,
            .lost = at->lost,
            .uncounted = at->uncounted,
            .overwritten = known ? 0 : losses->overwritten,
            .events = at->events,
            .first = at->first,
            .last = at->last,
        };

        done = loss_table_add(store->database, store->trace, &row, error);
    }
    return done;
}

static bool finish_trace(struct import *import, struct store *store, struct error *error) {
    int64_t *source_ids = xcalloc(import->run->source_count + 1, sizeof *source_ids);
    struct text rollups = {0};
    bool done;

    remark_outliers(import);
    for (size_t i = 0; i < import->run->source_count; i++) {
        const struct import_source *source = &import->run->sources[i];

        if (source->earlier > 0) {
            ledger_add(&import->ledger, &(struct ledger_line){
                                            .source = i,
                                            .outcome = OUTCOME_EARLIER,
                                            .reason = import->run->earlier,
                                            .count = source->earlier,
                                            .first_offset = source->earlier_offset,
                                        });
        }
    }
    done = (!store->aside || store_insert_staged_rows(store, error)) &&
           sort_late_events(import, store, error) &&
           write_sources(import, store, source_ids, error) &&
           write_ledger(import, store, source_ids, error) && write_loggable(import, store, error) &&
           write_meanings(import, store, error) && write_facts(import, store, error) &&
           write_file_names(import, store, error) &&
           (!is_cut_off(import) || write_fact(store, FACT_END, true, error)) &&
           (import->run->resuming || import->kind != TRACE_IO ||
            partitions_write(store->database, store->trace, import->run->config->partitions,
                             import->run->config->partition_count, error)) &&
           write_remarks(import, store, error) && write_losses(import, store, error) &&
           write_devices(import, store, error) && write_completions(import, store, error) &&
           write_stacked(import, store, error) &&
           remap_table_write(store->database, store->trace, import->remaps, import->remap_count,
                             error) &&
           write_rollups(import, store, &rollups, error) &&
           finish_complete(import, store, text_string(&rollups), error) &&
           make_event_rollups(import, store, error);
    text_free(&rollups);
    free(source_ids);
    return done;
}

bool import_finish(struct import_run *run, struct store *stores, const char *name,
                   struct error *error) {
    if (!refuse_rejected(run, error) || (!run->again_within && !duplicates_refuse(run, error)) ||
        !refuse_known_content(run, stores, error) || !finish_traces(run, stores, name, error)) {
        return false;
    }
    report_out_of_order(run, first_kept_trace(run));
    remark_folder(run, first_kept_trace(run));
    losses_finish(&run->losses);
    for (unsigned i = 0; i < run->trace_count; i++) {
        if (is_kept(run, i) && !finish_trace(&run->traces[i], &stores[i], error)) {
            return false;
        }
    }
    return store_commit(stores, error);
}
