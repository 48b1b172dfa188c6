/* Finds file data that a power cut would have lost: by file (temp.durability_file), when the
 * program answers requests (temp.durability_answer), over time (temp.exposed_interval), and by sync
 * (temp.durability_sync). exposure.h tracks the bytes and names not yet on disk, and which file a
 * path refers to. This file runs the pass and writes the rows.
 *
 * A descriptor's file is identified by the path it was opened with, and by how often that path had
 * been removed or replaced before (enum call_flag). A path refers to the file that has this name
 * when the call begins. Only successful calls count. A call whose end is not in the log may have
 * been executed: data it may have written counts as not on disk, and names it may have changed
 * become unknown. */
#include <stdlib.h>
#include <string.h>

#include "analysis/durability_state.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/words.h"
#include "model/meaning.h"

/* --- answers sent before the data is on disk -------------------------------------------------- */

/* Counts syncs, and answers that a thread sent before its writes were on disk.
 *
 * An answer to a request is data sent on a socket that has received data since the last send; this
 * excludes messages to a log, a bus or a name server. An answer is early if its thread has changed
 * a file since its previous answer, and no successful sync of that file began after the change and
 * ended before the answer. Writes of other threads do not count: a checkpoint writes data that the
 * database's log has on disk already. Files never synced, such as a server's log, do not count. */

static void write_syncs(struct analysis_context *context, const void *sync_row) {
    const struct sync_row *row = sync_row;

    TEMP_ROW(&context->tables[1], context->trace->trace->id,
             row->object == 0 ? EVENT_NONE : row->object, row->outcome, row->count,
             row->timed > 0 ? row->took : EVENT_NONE);
}

/* Returns the slot of the cache of recent threads for an actor.id. */
static struct thread_writes **durability_early_recent_of(struct durability_state *state,
                                                         uint32_t actor) {
    return &state->recent_threads[actor % RECENT_THREADS];
}

static struct thread_writes *durability_early_find_thread(struct durability_state *state,
                                                          uint32_t actor) {
    struct thread_writes **recent = durability_early_recent_of(state, actor), *thread = *recent;

    if (thread == NULL || thread->actor != actor) {
        HASH_FIND(hh, state->threads, &actor, sizeof actor, thread);
        *recent = thread;
    }
    return thread;
}

static void durability_early_remove_thread(struct durability_state *state,
                                           struct thread_writes *thread) {
    struct thread_writes **recent = durability_early_recent_of(state, thread->actor);

    *recent = *recent == thread ? NULL : *recent;
    HASH_DEL(state->threads, thread);
    free(thread);
}

void early_note_write(struct durability_state *state, const struct durability_call *call,
                      struct disk_file *file) {
    struct thread_writes *thread = durability_early_find_thread(state, call->actor);
    unsigned kept, i;

    if (thread == NULL) {
        if (HASH_COUNT(state->threads) == THREADS_MOST) {
            durability_early_remove_thread(state, state->threads);
        }
        HASH_NEW(state->threads, actor, call->actor, thread);
        *durability_early_recent_of(state, call->actor) = thread;
    }
    kept = thread->count < THREAD_FILES ? thread->count : THREAD_FILES;
    for (i = 0; i < kept && thread->writes[i].file != file; i++) {
    }
    if (i == kept) {
        i = thread->count++ % THREAD_FILES;
    }
    thread->writes[i].file = file;
    thread->writes[i].end = call->sync.end;
}

/* Returns a file whose unsynced change makes a thread's answer early, preferably one that was
 * synced at some time; NULL: none. `files`: all such files. Clears the thread's changes. */
static struct disk_file *early_file(struct durability_state *state, uint32_t actor,
                                    struct disk_file *files[THREAD_FILES]) {
    struct thread_writes *thread = durability_early_find_thread(state, actor);
    struct disk_file *found = NULL;
    unsigned count = 0;

    for (unsigned i = 0; thread != NULL && i < thread->count && i < THREAD_FILES; i++) {
        struct disk_file *file = thread->writes[i].file;

        if (file->names > 0 && thread->writes[i].end > file->covered) {
            files[count++] = file;
            found = found == NULL || found->covered == INT64_MIN ? file : found;
        }
    }
    if (thread != NULL) {
        durability_early_remove_thread(state, thread);
    }
    return found;
}

/* Stores an early answer until the end of the trace, if the thread has changed several files before
 * it. Returns false if it has not, or the limit of different sets of files is reached. */
static bool early_keep(struct durability_state *state, struct disk_file *files[THREAD_FILES]) {
    struct early_answers *early = NULL;

    if (files[1] == NULL) {
        return false;
    }
    if (state->early != NULL) {
        HASH_FIND(hh, state->early, files, sizeof early->files, early);
    }
    if (early == NULL) {
        if (HASH_COUNT(state->early) == EARLY_MOST) {
            return false;
        }
        early = xcalloc(1, sizeof *early);
        memcpy(early->files, files, sizeof early->files);
        HASH_ADD(hh, state->early, files[0], sizeof early->files, early);
    }
    early->count++;
    return true;
}

/* Counts the answers stored by early_keep(), if one of their files was synced since. */
static void early_count_kept(struct durability_state *state) {
    for (struct early_answers *early = state->early; early != NULL; early = early->hh.next) {
        unsigned i = 0;

        while (i < THREAD_FILES && early->files[i] != NULL &&
               early->files[i]->covered == INT64_MIN) {
            i++;
        }
        if (i < THREAD_FILES && early->files[i] != NULL) {
            early->files[i]->early += early->count;
            state->exposure.early += early->count;
        }
    }
}

static bool is_socket(struct durability_state *state, uint32_t object) {
    if (!id_bits_has(&state->known, object)) {
        durability_find_name(state, object, false);
        id_bits_set(&state->known, object);
    }
    return id_bits_has(&state->sockets, object);
}

/* Handles a call that may get a request or send an answer; called before durability_apply_call().
 */
static void early_handle(struct durability_state *state, const struct durability_call *call) {
    bool receives = call->does == DOES_RECEIVE || call->does == DOES_READ;
    bool sends = call->does == DOES_SEND || call->does == DOES_WRITE || call->does == DOES_COPY;
    struct disk_file *files[THREAD_FILES] = {NULL}, *file;

    if ((!receives && !sends) || !call->good || call->value <= 0 || call->object == 0 ||
        !is_socket(state, call->object)) {
        return;
    }
    if (sends && id_bits_has(&state->asked, call->object)) {
        state->early_answers++;
        file = early_file(state, call->actor, files);
        if (file != NULL && (file->covered != INT64_MIN || !early_keep(state, files))) {
            file->early++;
            state->exposure.early += file->covered != INT64_MIN;
        }
    }
    id_bits_put(&state->asked, call->object, receives);
}

/* Writes the trace's row to temp.durability_early. */
static void early_write(struct durability_state *state) {
    const struct name_node *most = NULL;

    early_count_kept(state);
    for (const struct name_node *node = state->tree.nodes; node != NULL; node = node->hh.next) {
        if (node->now != NULL && node->now->early > 0 && node->now->covered != INT64_MIN &&
            (most == NULL || node->now->early > most->now->early)) {
            most = node;
        }
    }
    text_clear(&state->path);
    if (most != NULL) {
        name_node_append_path(most, &state->path);
    }
    temp_rows_text(&state->context->tables[2], 4, most == NULL ? NULL : state->path.bytes,
                   state->path.length);
    TEMP_ROW(&state->context->tables[2], state->context->trace->trace->id, state->early_answers,
             state->exposure.early);
}

enum {
    /* Number of answers that the report (durability-answers.sql) prints without --top. */
    ANSWERS_SHOWN = 10,
    ANSWERS_AT_ONCE = 1 << 12,
    WANTED_INTERVALS = 500,
    /* Limit of the difference between the largest and the least id of a trace's names or files. */
    IDS_MOST = 1 << 26,
};

/* Whether fsync of a new file also puts its name on disk, with this file system. */
#define KEEPS_NAME(filesystem) ((filesystem) != NULL && word_in("ext4 xfs btrfs", filesystem))

/* --- reading the operations and files of a trace ---------------------------------------------- */

/* Finds the range of ids by a SELECT of their minimum and maximum. If the range is above IDS_MOST,
 * sets an error or, with ENDS_AT_LIMITS, stops the analysis of this trace. */
static bool durability_find_ids(struct durability_state *state, const char *sql, int64_t *least,
                                int64_t *count) {
    struct analysis_context *context = state->context;
    struct database_query query =
        database_query(context->database, &context->error, sql, "i", context->trace->trace->id);

    *least = *count = 0;
    if (database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL) {
        *least = sqlite3_column_int64(query.row, 0);
        *count = difference_saturated(sqlite3_column_int64(query.row, 1), *least);
        add_saturated(count, 1);
    }
    if (*count > IDS_MOST) {
        *count = 0;
        if (durability_computes(state, ENDS_AT_LIMITS)) {
            state->ended = true;
        } else {
            error_set(&context->error,
                      "the database is damaged: the ids of a trace are out of range");
        }
    }
    return database_end(&query);
}

/* Returns a bit set: bit i is set if the operation in pattern i of --ack (if `of_file`: its file)
 * matches the name. */
static uint32_t answers_matching_name(const struct durability_state *state, const char *name,
                                      bool of_file) {
    uint32_t set = 0;

    for (size_t i = 0; i < state->ack_count; i++) {
        const char *pattern = of_file ? state->ack[i].file : state->ack[i].operation;

        set |= pattern == NULL || word_matches_pattern(pattern, name) ? 1u << i : 0;
    }
    return set;
}

static void read_operations(struct durability_state *state) {
    /* Errors with which syncs and writes fail before they write anything: no data is lost. */
    static const char harmless[] =
        "EACCES EAGAIN EBADF EBUSY EFAULT EFBIG EINTR EINVAL ENOSYS EOPNOTSUPP EPERM EPIPE EROFS "
        "ERESTARTSYS ERESTARTNOINTR ERESTARTNOHAND ERESTART_RESTARTBLOCK";
    struct analysis_context *context = state->context;
    struct database_query query;

    free(state->does);
    free(state->answers);
    state->does = NULL;
    state->answers = NULL;
    durability_find_ids(state, "SELECT min(id), max(id) FROM main.name WHERE trace = ?1",
                        &state->least, &state->does_count);
    state->does = xcalloc((size_t)state->does_count + 1, sizeof *state->does);
    state->answers = xcalloc((size_t)state->does_count + 1, sizeof *state->answers);
    query = database_query(context->database, &context->error,
                           "SELECT id, text, kind = 'error' FROM main.name WHERE trace = ?1", "i",
                           context->trace->trace->id);
    while (database_next(&query)) {
        int64_t id = sqlite3_column_int64(query.row, 0), place = id - state->least;
        const char *text = (const char *)sqlite3_column_text(query.row, 1);

        if (text == NULL || place < 0 || place >= state->does_count) {
            continue;
        }
        if (sqlite3_column_int(query.row, 2) == 0) {
            state->does[place] = (uint8_t)durability_effect_of_operation(text);
            state->answers[place] = answers_matching_name(state, text, false);
        } else {
            state->does[place] = !word_in(harmless, text);
        }
    }
    database_end(&query);
}

/* --- answers that --ack selects --------------------------------------------------------------- */

static uint32_t answers_of_file(struct durability_state *state, uint32_t object) {
    struct place *place = durability_place(state, object);
    bool typed = false;

    if (place->answers == UINT32_MAX) {
        durability_read_name(state, object, &typed);
        place->answers = answers_matching_name(state, text_string(&state->path), true);
    }
    return place->answers;
}

/* Compares answers for sorting: first those with the most bytes, files and names not on disk. */
static int compare_answered(const void *left, const void *right) {
    const struct answered *a = left, *b = right;

    return a->bytes != b->bytes   ? ORDER(b->bytes, a->bytes)
           : a->files != b->files ? ORDER(b->files, a->files)
           : a->names != b->names ? ORDER(b->names, a->names)
           : a->time != b->time   ? ORDER(a->time, b->time)
           : a->trace != b->trace ? ORDER(a->trace, b->trace)
                                  : ORDER(a->number, b->number);
}

static size_t answers_shown(const struct durability_state *state) {
    const int64_t rows = state->context->result_rows;

    return rows == 0 ? ANSWERS_SHOWN : (size_t)rows;
}

/* Drops all answers but the worst; keeps as many as the report prints. */
static void keep_worst(struct durability_state *state) {
    const size_t most = answers_shown(state);

    sort_items(state->answered, state->answered_count, sizeof *state->answered, compare_answered);
    state->answered_count = state->answered_count < most ? state->answered_count : most;
    state->answered_kept = state->answered_count;
}

static void durability_handle_answer(struct durability_state *state,
                                     const struct durability_call *call, uint32_t answers) {
    const struct exposure *exposure = &state->exposure;
    const size_t kept = state->answered_kept;
    struct answered answer;

    if ((!call->good && !call->endless) ||
        ((answers & state->any_file) == 0 &&
         (answers & answers_of_file(state, call->object)) == 0)) {
        return;
    }
    state->answer_count++;
    state->with_data += exposure->files > 0;
    state->with_any += exposure->files > 0 || exposure->names > 0;
    answer = (struct answered){exposure->bytes,
                               exposure->files,
                               exposure->names,
                               call->sync.time,
                               state->context->trace->trace->id,
                               state->answer_count,
                               call->actor,
                               call->operation,
                               call->object};
    if ((exposure->files == 0 && exposure->names == 0) ||
        (kept == answers_shown(state) &&
         compare_answered(&answer, &state->answered[kept - 1]) > 0)) {
        return;
    }
    if (state->answered_count == state->answered_capacity &&
        state->answered_count >= ANSWERS_AT_ONCE) {
        keep_worst(state);
    }
    *ARRAY_NEW(state->answered, state->answered_count, state->answered_capacity) = answer;
}

static void write_answers(void *durability_state) {
    struct durability_state *state = durability_state;

    keep_worst(state);
    for (size_t i = 0; i < state->answered_count; i++) {
        const struct answered *answer = &state->answered[i];

        TEMP_ROW(&state->context->tables[0], answer->trace, answer->time, answer->actor,
                 answer->operation, answer->object == 0 ? EVENT_NONE : answer->object,
                 answer->bytes, answer->files, answer->names);
    }
    TEMP_ROW(&state->context->tables[1], state->answer_count, state->with_data, state->with_any);
}

/* --- passing the calls of a trace ------------------------------------------------------------- */

static void durability_visit(void *durability_state, const struct event_columns *columns,
                             size_t count) {
    struct durability_state *state = durability_state;
    const bool counts_early = durability_computes(state, COUNTS_EARLY);

    for (size_t i = 0; i < count && !state->ended; i++) {
        int64_t place = (int64_t)columns->operation[i] - state->least, time = columns->time[i];
        int64_t end = time;
        struct durability_call call;
        uint32_t answers;

        if (time > state->at) {
            state->ended = true;
            return;
        }
        if (place < 0 || place >= state->does_count) {
            continue;
        }
        add_saturated(&end, columns->duration[i] > 0 && !state->untimed ? columns->duration[i] : 0);
        state->end = end > state->end ? end : state->end;
        answers = state->answers[place];
        if (state->does[place] == DOES_OTHER && columns->object[i] == 0 && answers == 0) {
            continue;
        }
        call = (struct durability_call){
            .does = (enum does)state->does[place],
            .sync = {.time = time, .end = end},
            .operation = columns->operation[i],
            .actor = columns->actor[i],
            .object = columns->object[i],
            .second = columns->source[i],
            .flags = columns->flags[i],
            .value = columns->value[i],
            .duration = columns->duration[i],
            .error = columns->error[i],
        };
        call.object = generation_of(&call) == CALL_GENERATION_UNPLACED ? 0 : call.object;
        exposure_advance(&state->exposure, time);
        call.endless = call.error == 0 && call.value == EVENT_NONE;
        call.good = call.error == 0 && !call.endless && (state->errors || call.value >= 0);
        if (call.endless) {
            call.sync.end = INT64_MAX;
        }
        if (answers != 0) {
            durability_handle_answer(state, &call, answers);
        }
        if (counts_early) {
            early_handle(state, &call);
        }
        durability_apply_call(state, &call);
    }
}

/* --- writing the result rows ------------------------------------------------------------------ */

static bool above_is_exposed(const struct name_node *node) {
    int depth = 0;

    for (node = name_node_parent(node); node != NULL && depth++ < 4096;
         node = name_node_parent(node)) {
        if (name_is_exposed(node)) {
            return true;
        }
    }
    return false;
}

static enum file_state state_of_name(const struct name_node *node, enum file_reason *reason) {
    if (name_is_exposed(node)) {
        *reason = node->settled == INT64_MAX && !node->unfinished ? REASON_FOLDER_FAILED
                                                                  : (enum file_reason)node->how;
        return STATE_NAME;
    }
    if (node->now == NULL) {
        return STATE_REMOVED;
    }
    if (above_is_exposed(node)) {
        *reason = REASON_FOLDER;
        return STATE_NAME;
    }
    return STATE_DURABLE;
}

/* Returns the state of a file that has a name, as the report prints it, with its reason in
 * `*reason`. `*name`: why the name itself is not on disk; REASON_NONE if it is. */
static enum file_state name_exposure_state(const struct durability_state *state,
                                           const struct name_node *node, enum file_reason *reason,
                                           enum file_reason *name) {
    const struct disk_file *file = node->now;
    enum file_state of_name = state_of_name(node, name);

    *reason = *name;
    if (node->unfinished) {
        *reason = REASON_UNFINISHED;
        return STATE_UNKNOWN;
    }
    if (file == NULL) {
        return of_name;
    }
    if (file->lost) {
        *reason = REASON_NONE;
        return STATE_LOST;
    }
    if (file->replaced != EVENT_NONE) {
        *reason = file_is_exposed(file) ? REASON_EXPOSED : REASON_NONE;
        return STATE_REPLACED;
    }
    if (file_is_exposed(file)) {
        *reason = file_is_endless(file) ? REASON_ENDLESS : REASON_NONE;
        return STATE_DATA;
    }
    if (file->mapped || file->unknown || file->unsure || (state->unseen && file->writable)) {
        *reason = file->mapped    ? REASON_MAPPED
                  : file->unknown ? REASON_DESCRIPTOR
                  : file->unsure  ? REASON_SYNCFS_FAILED
                                  : REASON_UNSEEN;
        return STATE_UNKNOWN;
    }
    if (of_name == STATE_DURABLE) {
        *reason = file->msynced ? REASON_MSYNCED
                  : file->by_syncfs || (node->by_syncfs && node->in->covered < node->settled)
                      ? REASON_SYNCFS
                      : REASON_NONE;
    }
    return of_name;
}

/* Returns whether the log shows a change of a name or of its file. */
static bool durability_is_touched(const struct durability_state *state,
                                  const struct name_node *node) {
    const struct disk_file *file = node->now;

    if (file == NULL) {
        return node->how == NAME_REMOVED || name_is_exposed(node) || node->unfinished;
    }
    return node->how != NAME_FOUND || node->unfinished || file->last_write != EVENT_NONE ||
           file->was_mapped || file->lost || (state->unseen && file->writable);
}

static void durability_write_row(struct durability_state *state, const struct name_node *node) {
    const struct disk_file *file =
        durability_apply_sync_of_all(state, node->now != NULL ? node->now : node->last);
    static const struct disk_file none = {.last_write = EVENT_NONE, .synced = EVENT_NONE};
    enum file_reason reason = REASON_NONE, name = REASON_NONE;
    enum file_state found = name_exposure_state(state, node, &reason, &name);
    int64_t exposed;

    file = file == NULL || node->how == NAME_MOVED_AWAY ? &none : file;
    exposed = file->exposed;
    if (file_is_exposed(file)) {
        add_saturated(&exposed, difference_saturated(state->end, file->exposed_since));
    }
    text_clear(&state->path);
    name_node_append_path(node, &state->path);
    temp_rows_text(&state->context->tables[0], 2, state->path.bytes, state->path.length);
    TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, file->written,
             file->last_write,
             file->synced == EVENT_NONE ? EVENT_NONE
                                        : difference_saturated(file->synced, file->last_write),
             file->last_write == EVENT_NONE ? EVENT_NONE : exposed,
             file->last_write == EVENT_NONE
                 ? EVENT_NONE
                 : exposure_longest_at_risk(&state->exposure, file, state->end),
             found, reason, name, file->bytes, state->exposure.bytes, file->replaced_bytes);
}

static void write_files(struct durability_state *state) {
    for (const struct name_node *node = state->tree.nodes; node != NULL; node = node->hh.next) {
        if (durability_is_touched(state, node)) {
            durability_write_row(state, node);
        }
    }
    if (state->untold > 0) {
        temp_rows_text(&state->context->tables[0], 2, NULL, 0);
        TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, state->untold_bytes,
                 state->untold_last, EVENT_NONE, EVENT_NONE, EVENT_NONE, STATE_UNKNOWN,
                 REASON_NOT_TOLD, REASON_NONE, state->untold_bytes, state->exposure.bytes, 0);
    }
}

static void durability_clear(struct durability_state *state) {
    exposure_free(&state->exposure);
    name_tree_free(&state->tree);
    HASH_FREE(state->opened);
    HASH_FREE(state->places);
    HASH_FREE(state->threads);
    HASH_FREE(state->early);
    keyed_rows_free(&state->syncs);
    memset(state->recent, 0, sizeof state->recent);
    memset(state->recent_threads, 0, sizeof state->recent_threads);
    state->ended = state->unseen = false;
    state->untold = state->untold_bytes = state->early_answers = 0;
    state->untold_last = EVENT_NONE;
    state->epoch = 0;
    state->collect = FILES_AT_FIRST;
    state->end = state->fails_until = INT64_MIN;
}

static bool has_syncs(const struct durability_state *state) {
    for (int64_t i = 0; i < state->does_count; i++) {
        if (state->does[i] >= DOES_SYNC_FILE && state->does[i] <= DOES_SYNC_ALL) {
            return true;
        }
    }
    return false;
}

static void durability_begin_trace(void *durability_state) {
    struct durability_state *state = durability_state;
    int64_t least, count;

    durability_clear(state);
    state->errors = catalog_meaning(state->context->trace->trace, "error", "error") != NULL;
    /* If times are whole seconds, most calls seem to overlap; so calls count as if in log order. */
    state->untimed =
        (state->context->trace->trace->unknown & FACT(TIMES)) != 0 ||
        catalog_count_whole_second_files(state->context->database, state->context->trace->trace,
                                         &state->context->error) == 1;
    read_operations(state);
    durability_find_ids(state, "SELECT min(id), max(id) FROM main.object WHERE trace = ?1", &least,
                        &count);
    id_bits_make(&state->there, least, count);
    id_bits_make(&state->seen, least, count);
    id_bits_make(&state->out, least, count);
    id_bits_make(&state->sockets, least, count);
    id_bits_make(&state->known, least, count);
    id_bits_make(&state->asked, least, count);
    state->syncs =
        (struct keyed_rows){.context = state->context,
                            .kind = {offsetof(struct sync_row, count), sizeof(struct sync_row),
                                     1 << 16, .write = write_syncs}};
    state->exposure.now = INT64_MIN;
    if (state->interval_counts != NULL) {
        state->exposure.intervals = &state->intervals;
        state->exposure.interval_counts = state->interval_counts;
    }
    if (durability_computes(state, ENDS_AT_LIMITS)) {
        state->tree.most = NAMES_FOUND;
        state->ended |= !has_syncs(state);
    }
}

static void durability_end_trace(void *durability_state) {
    struct durability_state *state = durability_state;

    if (state->ended && durability_computes(state, ENDS_AT_LIMITS)) {
        durability_clear(state);
        return;
    }
    if (state->ended || state->at < state->end) {
        state->end = state->at;
    }
    state->at_is_beyond |= state->at != INT64_MAX && state->at > state->end;
    exposure_advance(&state->exposure, state->end);
    if (durability_computes(state, WRITES_FILES)) {
        write_files(state);
    }
    keyed_rows_flush(&state->syncs);
    if (durability_computes(state, COUNTS_EARLY)) {
        early_write(state);
    }
    durability_clear(state);
}

/* Writes the time intervals. All selected traces are counted together, because they overlap. */
static void write_intervals(void *durability_state) {
    struct durability_state *state = durability_state;

    for (size_t i = 0; i < state->intervals.count; i++) {
        const struct exposure_interval *counts = &state->interval_counts[i];

        temp_rows_real(&state->context->tables[0], 3,
                       counts->length > 0 ? counts->area / counts->length : 0);
        TEMP_ROW(&state->context->tables[0],
                 (int64_t)(state->intervals.origin + i * state->intervals.length),
                 (int64_t)state->intervals.length, counts->most, counts->most_files,
                 counts->most_names);
    }
}

static void note_at_beyond(void *durability_state) {
    struct durability_state *state = durability_state;

    if (state->at_is_beyond) {
        notes_append(&state->context->selection->notes,
                     "--at %s is after the end of the log: the state at its end is shown",
                     state->context->values[1].text);
    }
}

/* Reads the patterns of --ack: "sendto" or "sendto|write of socket:*". `file_typed`: the file for
 * patterns without " of FILE"; NULL: any file. */
static void read_ack(struct durability_state *state, const char *typed, const char *file_typed) {
    static const char of[] = " of ";

    while (typed != NULL && *typed != '\0') {
        const char *end = strchrnul(typed, '|'),
                   *file = memmem(typed, (size_t)(end - typed), of, 4);
        const char *after = file == NULL ? end : file;

        if (state->ack_count == ANSWERS_MOST || after == typed) {
            error_usage(&state->context->error,
                        "--ack takes up to %d calls separated by |, each optionally with ' of "
                        "FILE', such as 'sendto|write of socket:*'",
                        ANSWERS_MOST);
            return;
        }
        state->any_file |= file == NULL && file_typed == NULL ? 1U << state->ack_count : 0;
        state->ack[state->ack_count++] = (struct answer){
            strndup(typed, (size_t)(after - typed)),
            file != NULL         ? strndup(file + 4, (size_t)(end - file) - 4)
            : file_typed != NULL ? xstrdup(file_typed)
                                 : NULL,
        };
        typed = *end == '|' ? end + 1 : end;
    }
}

/* Reads --filesystem, the first parameter: decides whether fsync of a new file also puts its name
 * on disk. */
static void begin_syncs(void *durability_state) {
    struct durability_state *state = durability_state;

    state->at = INT64_MAX;
    state->keeps_name = KEEPS_NAME(state->context->values[0].text);
}

static void begin_files(void *durability_state) {
    struct durability_state *state = durability_state;
    const struct parameter_value *values = state->context->values;

    begin_syncs(state);
    if (values[1].given && !clock_parse_duration(values[1].text, &state->at)) {
        error_usage(&state->context->error,
                    "durability --at needs a time such as 90, 50ms, 10m or 2h, not '%s'",
                    values[1].text);
    }
}

static void begin_answers(void *durability_state) {
    struct durability_state *state = durability_state;
    const struct parameter_value *values = state->context->values;

    begin_syncs(state);
    read_ack(state, values[1].text, NULL);
    if (values[2].given || values[3].given) {
        read_ack(state, values[2].given ? values[2].text : "*", values[3].text);
    }
}

static void begin_found(void *durability_state) {
    struct durability_state *state = durability_state;

    state->at = INT64_MAX;
}

static void begin_intervals(void *durability_state) {
    struct durability_state *state = durability_state;

    state->at = INT64_MAX;
    state->keeps_name = KEEPS_NAME(state->context->values[1].text);
    intervals_find(&state->intervals, state->context, COVER_EVENTS, WANTED_INTERVALS,
                   INTERVALS_MOST);
    state->interval_counts = xcalloc(state->intervals.count + 1, sizeof *state->interval_counts);
}

static void durability_free_state(void *durability_state) {
    struct durability_state *state = durability_state;

    durability_clear(state);
    for (size_t i = 0; i < state->ack_count; i++) {
        free(state->ack[i].operation);
        free(state->ack[i].file);
    }
    sqlite3_finalize(state->find_name);
    text_free(&state->path);
    free(state->does);
    free(state->answers);
    free(state->there.bits);
    free(state->seen.bits);
    free(state->out.bits);
    free(state->sockets.bits);
    free(state->known.bits);
    free(state->asked.bits);
    free(state->interval_counts);
    free(state->answered);
}

#define FILESYSTEM_PARAMETER                                                                       \
    {                                                                                              \
        .name = "filesystem", .type = PARAMETER_TEXT, .argument = "NAME",                          \
        .choices = "posix ext4 xfs btrfs f2fs",                                                    \
        .help = "durability, syncs, exposed: whose guarantees to assume (default posix): on "      \
                "ext4, xfs and btrfs, fsync of a new file also keeps its name"                     \
    }

#define DURABILITY_FIELDS                                                                          \
    (EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS | EVENT_VALUE | EVENT_ERROR |      \
     EVENT_DURATION | EVENT_SOURCE)

#define FILE_TABLE                                                                                 \
    {                                                                                              \
        "durability_file",                                                                         \
            "trace, file, written, last_write, synced_after, exposed, longest, state, reason,"     \
            " name, bytes, trace_bytes, replaced_bytes",                                           \
            NULL                                                                                   \
    }

#define SYNC_COUNT_TABLE                                                                           \
    { "durability_sync_count", "trace, object, outcome, syncs, duration", NULL }
#define EARLY_TABLE                                                                                \
    { "durability_early", "trace, answers, early, file", NULL }

#define DURABILITY(title, writes, ...)                                                             \
    {                                                                                              \
        .name = (title), .variant = (writes), .pass = PASS_IN_ORDER, .leaves_out = true,           \
        .fields = DURABILITY_FIELDS, .state_size = sizeof(struct durability_state),                \
        .begin_trace = durability_begin_trace, .visit = durability_visit,                          \
        .end_trace = durability_end_trace, .free = durability_free_state, __VA_ARGS__              \
    }

/* Table durability_file: a row for each name that was changed, or whose file was written.
 * `synced_after`: time from `last_write` until the file was on disk. `exposed`, `longest`: total
 * and longest time during which it was not. `state`: enum file_state; `reason`, and `name` (why the
 * name is not on disk): enum file_reason. `bytes`: bytes not on disk at the end; `trace_bytes`:
 * those of all files of the trace, each counted once; `replaced_bytes`: those at the file's last
 * rename. `file` is NULL for writes and renames of unknown files. durability_sync_count: number of
 * syncs of an object by outcome. */
const struct analysis analysis_durability =
    DURABILITY("durability", WRITES_FILES | COUNTS_SYNCS, .tables = {FILE_TABLE, SYNC_COUNT_TABLE},
               .parameters = {FILESYSTEM_PARAMETER, AT_PARAMETER}, .begin = begin_files,
               .write = note_at_beyond);

/* Table durability_sync: a row for each sync, with the bytes and names that it puts on disk. */
const struct analysis analysis_durability_syncs = DURABILITY(
    "durability_syncs", LISTS_SYNCS,
    .tables = {{"durability_sync",
                "trace, time, duration, actor, operation, object, bytes, names, outcome", NULL}},
    .parameters = {FILESYSTEM_PARAMETER}, .begin = begin_syncs);

/* Table durability_answer: a row for each of the worst calls that match --ack, with the bytes,
 * files and names not on disk when the call began. durability_answered: a row with counts of all
 * such calls. durability_early: a row per trace with the number of answers to requests, the number
 * sent too early, and the file that most often made answers early. */
const struct analysis analysis_durability_answers = DURABILITY(
    "durability_answers", LISTS_ANSWERS | COUNTS_EARLY,
    .tables = {{"durability_answer", "trace, time, actor, operation, object, bytes, files, names",
                NULL},
               {"durability_answered", "answers, with_data, with_any", NULL},
               EARLY_TABLE},
    .parameters =
        {FILESYSTEM_PARAMETER,
         {
             .name = "ack",
             .type = PARAMETER_TEXT,
             .argument = "CALLS",
             .help = "durability: data not on disk at each answer; calls that answer: "
                     "'sendto|write of socket:*'",
         },
         {
             .name = "ack-op",
             .type = PARAMETER_TEXT,
             .argument = "NAMES",
             .help = "durability: as --ack, but only names of calls: 'sendto|sendmsg'",
         },
         {
             .name = "ack-file",
             .type = PARAMETER_TEXT,
             .argument = "GLOB",
             .help =
                 "durability: as --ack, but any call on this file or socket, such as 'socket:*'",
         }},
    .begin = begin_answers, .write = write_answers);

/* Rows for findings, by the rules of POSIX: files, counts of syncs, and early answers. There are
 * none if the trace has no sync, or the calls change more than NAMES_FOUND names. */
const struct analysis analysis_durability_found =
    DURABILITY("durability_found", WRITES_FILES | COUNTS_SYNCS | COUNTS_EARLY | ENDS_AT_LIMITS,
               .tables = {FILE_TABLE, SYNC_COUNT_TABLE, EARLY_TABLE}, .begin = begin_found);

/* Table exposed_interval: a row per time interval with the mean number of bytes not on disk, and
 * the highest numbers of bytes, files and names not on disk at any moment. */
const struct analysis analysis_exposed = {
    .name = "exposed",
    .tables = {{"exposed_interval", "start, length, bytes, most, files, names", NULL}},
    .real_clock = true,
    .pass = PASS_IN_ORDER,
    .fields = DURABILITY_FIELDS,
    .parameters = {INTERVAL_PARAMETER, FILESYSTEM_PARAMETER},
    .state_size = sizeof(struct durability_state),
    .begin = begin_intervals,
    .begin_trace = durability_begin_trace,
    .visit = durability_visit,
    .end_trace = durability_end_trace,
    .write = write_intervals,
    .free = durability_free_state,
};
