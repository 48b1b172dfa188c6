/* Durability for findings: syncs that made nothing durable, and answers sent before the writes of
 * their thread were on disk.
 *
 * An answer is data sent on a socket that has received data since the last send; this excludes
 * messages to a log, a bus or a name server. It is early if the thread has changed a file since its
 * last answer, and no successful sync began after that change and ended before the answer. Writes
 * of other threads do not count: a checkpoint writes data that the database's log has on disk
 * already. Files that are never synced do not count, such as a server's log.
 */
#include "analysis/durability_state.h"
#include "base/hash.h"
#include "base/saturate.h"

static void write_syncs(struct analysis_context *context, const void *sync_row) {
    const struct sync_row *row = sync_row;

    TEMP_ROW(&context->tables[1], context->trace->trace->id,
             row->object == 0 ? EVENT_NONE : row->object, row->outcome, row->count,
             row->timed > 0 ? row->took : EVENT_NONE);
}

void early_begin(struct durability_state *state) {
    state->tree.most = NAMES_FOUND;
    state->syncs = (struct keyed_rows){.context = state->context,
                                       .key_size = offsetof(struct sync_row, count),
                                       .row_size = sizeof(struct sync_row),
                                       .most = 1 << 16,
                                       .write = write_syncs};
}

void early_synced(struct durability_state *state, const struct durability_call *call,
                  uint32_t object, enum sync_outcome outcome) {
    struct sync_row *row =
        keyed_rows_find(&state->syncs, &(const struct sync_row){object, outcome, 0, 0, 0});

    row->count++;
    if (call->duration >= 0) {
        row->timed++;
        add_saturated(&row->took, call->duration);
    }
}

/* Returns the slot of the recent thread that may be the actor. */
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

void early_wrote(struct durability_state *state, const struct durability_call *call,
                 struct disk_file *file) {
    struct thread_writes *thread = durability_early_find_thread(state, call->actor);
    unsigned kept, i;

    if (thread == NULL) {
        if (HASH_COUNT(state->threads) == THREADS_MOST) {
            durability_early_remove_thread(state, state->threads);
        }
        thread = xcalloc(1, sizeof *thread);
        thread->actor = call->actor;
        HASH_ADD(hh, state->threads, actor, sizeof thread->actor, thread);
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

/* Returns the file for which an answer of the thread is early; preferably one that was synced
 * before. Clears the thread's writes. */
static struct disk_file *early_file(struct durability_state *state, uint32_t actor) {
    struct thread_writes *thread = durability_early_find_thread(state, actor);
    struct disk_file *found = NULL;

    for (unsigned i = 0; thread != NULL && i < thread->count && i < THREAD_FILES; i++) {
        struct disk_file *file = thread->writes[i].file;

        if (file->names > 0 && thread->writes[i].end > file->covered &&
            (found == NULL || found->covered == INT64_MIN)) {
            found = file;
        }
    }
    if (thread != NULL) {
        durability_early_remove_thread(state, thread);
    }
    return found;
}

static bool is_socket(struct durability_state *state, uint32_t object) {
    if (!id_bits_has(&state->known, object)) {
        durability_node(state, object, false);
        id_bits_set(&state->known, object);
    }
    return id_bits_has(&state->sockets, object);
}

void early_handle(struct durability_state *state, const struct durability_call *call) {
    bool receives = call->does == DOES_RECEIVE || call->does == DOES_READ;
    bool sends = call->does == DOES_SEND || call->does == DOES_WRITE || call->does == DOES_COPY;
    struct disk_file *file;

    if ((!receives && !sends) || !call->good || call->value <= 0 || call->object == 0 ||
        !is_socket(state, call->object)) {
        return;
    }
    if (sends && id_bits_has(&state->asked, call->object)) {
        state->early_answers++;
        file = early_file(state, call->actor);
        if (file != NULL) {
            file->early++;
            state->exposure.early += file->covered != INT64_MIN;
        }
    }
    id_bits_put(&state->asked, call->object, receives);
}

void early_mark(struct durability_state *state) {
    for (struct thread_writes *thread = state->threads; thread != NULL; thread = thread->hh.next) {
        for (unsigned i = 0; i < thread->count && i < THREAD_FILES; i++) {
            thread->writes[i].file->marked = true;
        }
    }
}

void early_write(struct durability_state *state) {
    const struct name_node *most = NULL;

    keyed_rows_flush(&state->syncs);
    for (const struct name_node *node = state->tree.nodes; node != NULL; node = node->hh.next) {
        if (node->now != NULL && node->now->early > 0 && node->now->covered != INT64_MIN &&
            (most == NULL || node->now->early > most->now->early)) {
            most = node;
        }
    }
    text_clear(&state->path);
    if (most != NULL) {
        name_node_path(most, &state->path);
    }
    temp_rows_text(&state->context->tables[2], 4, most == NULL ? NULL : state->path.bytes,
                   state->path.length);
    TEMP_ROW(&state->context->tables[2], state->context->trace->trace->id, state->early_answers,
             state->exposure.early);
}
