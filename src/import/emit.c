#include "import/emit.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/words.h"
#include "import/context.h"
#include "import/dictionary.h"
#include "store/store.h"

/* --- dictionaries: numbers for byte strings --------------------------------------------------- */

struct string {
    UT_hash_handle hh;
    uint32_t number;
    unsigned char key[];
};

struct dictionary {
    struct string *strings;
    size_t bytes;
    uint32_t next;
    /* temporary database for strings beyond the memory limit; NULL: none so far */
    sqlite3 *overflow;
    sqlite3_stmt *find, *add;
};

struct dictionary *dictionary_open(uint32_t first) {
    struct dictionary *dictionary = xcalloc(1, sizeof *dictionary);

    dictionary->next = first;
    return dictionary;
}

void dictionary_close(struct dictionary *dictionary) {
    if (dictionary == NULL) {
        return;
    }
    HASH_FREE(dictionary->strings);
    sqlite3_finalize(dictionary->find);
    sqlite3_finalize(dictionary->add);
    sqlite3_close(dictionary->overflow);
    free(dictionary);
}

static bool overflow_failed(struct dictionary *dictionary, struct error *error) {
    return error_set(error, "the temporary database for names cannot be used: %s",
                     sqlite3_errmsg(dictionary->overflow));
}

static bool open_overflow(struct dictionary *dictionary, struct error *error) {
    /* An empty name makes SQLite use a temporary file, which it deletes. */
    if (sqlite3_open("", &dictionary->overflow) != SQLITE_OK ||
        sqlite3_exec(dictionary->overflow,
                     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                     "PRAGMA cache_size = -8192;"
                     "CREATE TABLE string(key BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID;"
                     "BEGIN",
                     NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(dictionary->overflow, "SELECT number FROM string WHERE key = ?1", -1,
                           &dictionary->find, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(dictionary->overflow, "INSERT INTO string VALUES (?1, ?2)", -1,
                           &dictionary->add, NULL) != SQLITE_OK) {
        return overflow_failed(dictionary, error);
    }
    return true;
}

/* Finds a key in the temporary database. Sets `*number` to 0 if it is not there. */
static bool find_overflow(struct dictionary *dictionary, const void *key, size_t length,
                          uint32_t *number, struct error *error) {
    int status;

    *number = 0;
    sqlite3_bind_blob64(dictionary->find, 1, key, length, SQLITE_STATIC);
    status = sqlite3_step(dictionary->find);
    if (status == SQLITE_ROW) {
        *number = (uint32_t)sqlite3_column_int64(dictionary->find, 0);
    }
    sqlite3_reset(dictionary->find);
    return status == SQLITE_ROW || status == SQLITE_DONE || overflow_failed(dictionary, error);
}

static bool add_overflow(struct dictionary *dictionary, const void *key, size_t length,
                         uint32_t number, struct error *error) {
    int status;

    sqlite3_bind_blob64(dictionary->add, 1, key, length, SQLITE_STATIC);
    sqlite3_bind_int64(dictionary->add, 2, number);
    status = sqlite3_step(dictionary->add);
    sqlite3_reset(dictionary->add);
    return status == SQLITE_DONE || overflow_failed(dictionary, error);
}

bool dictionary_set(struct dictionary *dictionary, const void *key, size_t length, uint32_t number,
                    struct error *error) {
    if (HASH_COUNT(dictionary->strings) < DICTIONARY_STRINGS_IN_MEMORY &&
        dictionary->bytes < DICTIONARY_BYTES_IN_MEMORY) {
        struct string *string = xmalloc(sizeof *string + length);

        string->number = number;
        memcpy(string->key, key, length);
        HASH_ADD_KEYPTR(hh, dictionary->strings, string->key, length, string);
        dictionary->bytes += sizeof *string + length;
        return true;
    }
    return (dictionary->overflow != NULL || open_overflow(dictionary, error)) &&
           add_overflow(dictionary, key, length, number, error);
}

bool dictionary_find(struct dictionary *dictionary, const void *key, size_t length,
                     uint32_t *number, struct error *error) {
    struct string *string;

    HASH_FIND(hh, dictionary->strings, key, length, string);
    *number = string == NULL ? 0 : string->number;
    return string != NULL || dictionary->overflow == NULL ||
           find_overflow(dictionary, key, length, number, error);
}

uint32_t dictionary_number(struct dictionary *dictionary, const void *key, size_t length,
                           bool *added, struct error *error) {
    uint32_t number;

    *added = false;
    if (!dictionary_find(dictionary, key, length, &number, error) || number != 0) {
        return number;
    }
    if (dictionary->next >= UINT32_C(1) << 31) {
        error_set(error, "more than 2147483647 different names");
        return 0;
    }
    if (!dictionary_set(dictionary, key, length, dictionary->next, error)) {
        return 0;
    }
    *added = true;
    return dictionary->next++;
}

/* --- dictionary keys of names, actors and objects --------------------------------------------- */

/* The entry_key_…() functions append to `key` the bytes that identify a name, actor or object in a
 * trace. */
static void entry_key_number(struct text *key, int64_t number) {
    text_append(key, (const char *)&number, sizeof number);
}

/* Appends a string to a key, its length first, so that adjacent strings cannot be confused. */
static void key_string(struct text *key, const char *string, size_t length) {
    entry_key_number(key, string == NULL ? -1 : (int64_t)length);
    if (string != NULL) {
        text_append(key, string, length);
    }
}

static void entry_key_actor(struct text *key, const struct actor_entry *actor) {
    entry_key_number(key, actor->session);
    entry_key_number(key, actor->pid);
    entry_key_number(key, actor->tid);
    entry_key_number(key, actor->code);
    /* An actor with a code is identified by the code alone, since its name may change; an actor
     * without a code by its name. */
    if (actor->code == EVENT_NONE) {
        key_string(key, actor->name, actor->length);
    }
}

void object_dictionary_key(struct text *key, const struct object_entry *object) {
    entry_key_number(key, object->device);
    key_string(key, object->type, object->type == NULL ? 0 : strlen(object->type));
    key_string(key, object->name, object->length);
    if (object->inode != 0) {
        entry_key_number(key, object->inode);
        entry_key_number(key, object->generation);
    }
}

/* --- timestamp outliers ----------------------------------------------------------------------- */

static bool times_are_far_apart(const struct timestamp_outlier *left,
                                const struct timestamp_outlier *right) {
    uint64_t distance = left->time < right->time ? (uint64_t)right->time - (uint64_t)left->time
                                                 : (uint64_t)left->time - (uint64_t)right->time;

    return distance > OUTLIERS_DISTANCE;
}

/* Counts `event` as an outlier if its time is far from those of the events before and after it,
 * which are close to each other. */
static void emit_judge(struct timestamp_outliers *state, const struct timestamp_outlier *event,
                       const struct timestamp_outlier *one, const struct timestamp_outlier *other) {
    if (!times_are_far_apart(event, one) || !times_are_far_apart(event, other) ||
        times_are_far_apart(one, other)) {
        return;
    }
    if (state->found < OUTLIERS_REMARKS) {
        state->events[state->found] = *event;
    }
    state->found++;
}

/* Adds a new event, whose time is not known yet, as the newest of the last three events. */
static void outliers_open(struct timestamp_outliers *state, size_t source, int64_t number) {
    state->last[0] = state->last[1];
    state->last[1] = state->last[2];
    state->last[2] = (struct timestamp_outlier){.source = source, .number = number};
}

/* Sets the time of the newest event, in ns since the start of the trace, and decides whether the
 * event before it is an outlier. */
static void outliers_note(struct timestamp_outliers *state, int64_t time) {
    struct timestamp_outlier *last = state->last;

    last[2].time = time;
    state->seen++;
    if (state->seen == 3) {
        emit_judge(state, &last[0], &last[1], &last[2]);
    }
    if (state->seen >= 3) {
        emit_judge(state, &last[1], &last[0], &last[2]);
    }
}

/* --- batches of events ------------------------------------------------------------------------ */

/* Counts the late events of a batch: those earlier than an event queued before. In a sorted batch
 * without late events, examines only the first and last event. */
static void count_late(struct import *import, const struct batch *batch) {
    if (batch->in_order && batch->event_count > 0 &&
        batch->events[0].time >= import->emitted_time) {
        import->emitted_time = batch->events[batch->event_count - 1].time;
        return;
    }
    for (size_t i = 0; i < batch->event_count; i++) {
        int64_t time = batch->events[i].time;

        if (time < import->emitted_time) {
            import->late++;
        } else {
            import->emitted_time = time;
        }
    }
}

/* Passes the held-back batch to the queue. */
static void emit_held_batch(struct import *import) {
    struct import_run *run = import->run;
    struct batch *batch = import->held;

    import->held = NULL;
    if (batch != NULL) {
        batch->earlier =
            import->emitted_time > import->appended_to ? import->emitted_time : INT64_MIN;
        count_late(import, batch);
        batch->tally_context = import->tally_context;
        batch->source_bytes = run->reader == NULL ? 0 : input_packed_read(run->reader->input);
        queue_push(&run->queue, QUEUE_DERIVE, batch);
    }
}

/* Records the time of the last event, which is final now. */
static void close_event(struct import *import) {
    if (import->open) {
        struct batch *batch = import->current;

        struct event *event = &batch->events[batch->event_count - 1];

        if (import->run->places && import->kind == TRACE_CALLS) {
            event->response = import->place;
        }
        outliers_note(&import->outliers, event->time);
        import->resorted += batch_sort_last(batch);
        import->open = false;
    }
}

/* Holds back the current batch, which is full, and queues the batch held back before. Sorts events
 * that are out of order within or between the two batches. Does not sort spans and states, whose
 * rows are found by serial number when they end; they are sorted at the end of the import. */
static void hold_current(struct import *import) {
    struct batch *current = import->current;

    /* Closes the last event now, while it is still in this batch: adding a name may start the next
     * batch. */
    close_event(import);
    if (import->run->ended) {
        batch_free(import->held);
        import->held = NULL;
        batch_clear(current);
        current->first_serial = import->rows;
        return;
    }
    if (import->held != NULL && !import->ends_later &&
        (!import->held->in_order || !current->in_order ||
         (import->held->event_count > 0 && current->event_count > 0 &&
          import->held->events[import->held->event_count - 1].time > current->events[0].time))) {
        import->resorted++;
        batch_merge(import->held, current);
    }
    emit_held_batch(import);
    import->held = current;
    import->current = NULL;
    /* Bounds memory: late events with huge arguments may accumulate in the held batch. */
    if (current->bytes >= 4 * BATCH_BYTES) {
        emit_held_batch(import);
    }
}

/* Returns an empty batch. After the end of the import was requested, its content is discarded. */
static struct batch *emit_next_batch(struct import_run *run) {
    struct batch *batch = run->ended ? NULL : queue_pop_empty(&run->queue);

    run->ended |= batch == NULL;
    return batch == NULL ? batch_new() : batch;
}

struct batch *emit_batch(struct import *import) {
    if (import->current != NULL && batch_is_full(import->current)) {
        hold_current(import);
    }
    if (import->current == NULL) {
        import->current = emit_next_batch(import->run);
        import->current->trace = import->number;
        import->current->first_serial = import->rows;
        import->current->in_order = !import->ends_later;
    }
    return import->current;
}

struct event *emit_row(struct import *import, int64_t serial, struct batch **batch) {
    *batch = import->current != NULL && serial >= import->current->first_serial ? import->current
                                                                                : import->held;
    return *batch == NULL || serial < (*batch)->first_serial
               ? NULL
               : &(*batch)->events[serial - (*batch)->first_serial];
}

void emit_flush_batches(struct import *import) {
    close_event(import);
    /* No event follows the last one, so it is compared with the two before it to find out whether
     * it is an outlier. */
    if (import->outliers.seen >= 3) {
        emit_judge(&import->outliers, &import->outliers.last[2], &import->outliers.last[0],
                   &import->outliers.last[1]);
    }
    if (import->current != NULL) {
        hold_current(import);
    }
    if (import->run->ended) {
        return;
    }
    if (import->held != NULL && !import->ends_later && !import->held->in_order) {
        import->current = emit_next_batch(import->run);
        import->resorted++;
        batch_merge(import->held, import->current);
        if (import->run->ended) {
            return;
        }
        queue_push_empty(&import->run->queue, import->current);
        import->current = NULL;
    }
    emit_held_batch(import);
}

/* Returns the position of the record being parsed, encoded by EVENT_PLACE_FILE for event.response.
 * If the importer reads no stream of records, the reader is already after the record; then the
 * position is that of the record's last byte. The file's name is stored as a name of kind error,
 * which no report prints, since no call has this error. */
static int64_t emit_find_place(struct import *import) {
    const struct import_run *run = import->run;
    const char *name = run->sources[run->source].name;
    const int64_t file = import_simple_name(import, "error", (struct word){name, strlen(name)});
    struct reader *reader = run->reader;
    int64_t offset = run->record;

    if (offset == EVENT_NONE && reader != NULL) {
        offset = reader->offset > 0 ? reader->offset - 1 : 0;
        offset = reader->peel == NULL ? offset : peel_offset(reader->peel, offset);
    }
    return offset == EVENT_NONE || offset >= EVENT_PLACE_FILE ||
                   file >= INT64_MAX / EVENT_PLACE_FILE
               ? EVENT_NONE
               : -1 - (file * EVENT_PLACE_FILE + offset);
}

struct event *import_event(struct import *import) {
    const struct import_run *run = import->run;
    struct event *event;

    close_event(import);
    if (run->places && import->kind == TRACE_CALLS) {
        import->place = emit_find_place(import);
    }
    emit_batch(import);
    event = &import->current->events[import->current->event_count++];
    __builtin_prefetch(event + 4, 1);
    __builtin_prefetch((const char *)(event + 4) + 64, 1);
    *event = event_empty;
    import->events++;
    import->rows++;
    if (!import->ends_later) {
        import->open = true;
        outliers_open(&import->outliers, run->source,
                      import->events - import->events_before + import->shares[run->source].events);
    }
    return event;
}

int64_t import_event_serial(const struct import *import) {
    return import->rows - 1;
}

void import_complete_event(struct import *import, const struct ending *ending) {
    struct batch *batch;
    struct event *event = emit_row(import, ending->serial, &batch);

    if (batch == NULL || ending->serial < batch->first_serial) { /* the row is already in the queue:
                                                                    the writer will complete it */
        batch_add_ending(emit_batch(import), ending);
        return;
    }
    event->duration = ending->duration;
    event->self = ending->self;
    event->value = ending->value;
    event->size = ending->size;
    event->flags = ending->flags;
    event->object = ending->object != 0 ? ending->object : event->object;
    event->operation = ending->operation != 0 ? ending->operation : event->operation;
}

uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size) {
    uint8_t *memory;

    if (bytes != NULL && import->spans == NULL && import->run->without_rows) {
        return NULL;
    }
    memory = batch_memory(import->current, size);

    if (bytes != NULL) {
        memcpy(memory, bytes, size);
    }
    event->arguments = memory;
    event->arguments_size = size;
    return memory;
}

void import_allocation(struct import *import, const struct allocation *allocation) {
    batch_add_allocation(emit_batch(import), allocation);
}

/* --- counting events in tallies --------------------------------------------------------------- */

/* Counts events in a tally (counts by dimensions); drops the tally if it exceeds its limit. */
static void count_tally_events(struct import *import, unsigned kind,
                               const struct tally_context *context,
                               const struct tally_events *events, size_t from, size_t end) {
    struct tally *tally = &import->tallies[kind];

    if (import->tally_complete[kind] && tally_add(tally, context, events, from, end) < end) {
        import->tally_complete[kind] = false;
        tally_free(tally);
    }
}

/* Counts events in the tallies of the given kinds: bits 1 << enum tally_kind. */
static void emit_count_in(struct import *import, unsigned kinds,
                          const struct tally_context *context, const struct tally_events *events,
                          size_t from, size_t end) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (kinds >> kind & 1) {
            count_tally_events(import, kind, context, events, from, end);
        }
    }
}

/* Counts the groups in the tallies of the given kinds, and empties them. */
static void count_groups(struct import *import, unsigned kinds, const struct tally_context *context,
                         struct io_groups *groups) {
    struct tally_events events = io_groups_events(groups);
    size_t total = groups->count;

    groups->count = 0;
    emit_count_in(import, kinds, context, &events, 0, total);
}

static void count_io_groups(struct import *import, unsigned kinds,
                            const struct tally_context *context, struct io_groups *groups,
                            const struct event *events, size_t total) {
    size_t from = io_groups_add(groups, context, events, total);

    while (from < total) {
        count_groups(import, kinds, context, groups);
        from += io_groups_add(groups, context, events + from, total - from);
    }
}

/* Counts events in all tallies; similar I/Os are counted in groups. */
void emit_count(struct import *import, const struct tally_context *context,
                const struct event *first, size_t total) {
    struct tally_events events = tally_events_of(first);
    unsigned grouped = 0; /* kinds of tallies that the groups are for */
    struct io_groups groups = {.count = 0};

    for (size_t from = 0; from < total; from += TALLY_AT_ONCE) {
        size_t end = total - from < TALLY_AT_ONCE ? total : from + TALLY_AT_ONCE;
        unsigned kinds = context->kind != TRACE_IO ? 0 : IO_GROUPS_TALLIES;

        if (kinds != 0 && io_groups_have_labels(&groups, first + from, end - from)) {
            kinds |= IO_GROUPS_LABELLED;
        }
        if (kinds != grouped) {
            count_groups(import, grouped, context, &groups);
            grouped = kinds;
        }
        emit_count_in(import, ~grouped, context, &events, from, end);
        if (grouped != 0) {
            count_io_groups(import, grouped, context, &groups, first + from, end - from);
        }
    }
    count_groups(import, grouped, context, &groups);
}

/* --- ids of names, actors, objects and labels ------------------------------------------------- */

/* Begins a dictionary key. If several traces share the dictionary, the key starts with the trace's
 * number, since each trace has its own names. */
static void key_begin(struct import *import) {
    text_clear(&import->run->key);
    if (import->run->trace_count > 1) {
        entry_key_number(&import->run->key, import->number);
    }
}

/* Sends a new dictionary entry to the writer, with copies of its strings; NULL stays NULL. */
static void send_dictionary_entry(struct import *import, struct entry *entry, const char **text,
                                  size_t length, const char **word) {
    struct batch *batch = emit_batch(import);

    if (*text != NULL) {
        *text = batch_copy(batch, *text, length);
    }
    if (word != NULL && *word != NULL) {
        *word = batch_copy(batch, *word, strlen(*word));
    }
    batch_add_entry(batch, entry);
}

/* Returns the number of the key in `run->key`; if the key is new, sends `entry` to the writer. */
static uint32_t number_of_dictionary_key(struct import *import, struct dictionary *dictionary,
                                         struct entry *entry, const char **text, size_t length,
                                         const char **word) {
    struct import_run *run = import->run;
    bool added;

    entry->id = dictionary_number(dictionary, run->key.bytes, run->key.length, &added,
                                  run->failed ? run->error : &run->failure);
    if (entry->id == 0) {
        run->failed = true;
        run->ended = true;
    } else if (added) {
        send_dictionary_entry(import, entry, text, length, word);
    }
    return entry->id;
}

static void name_key(struct import *import, const struct name_entry *name) {
    key_begin(import);
    entry_key_number(&import->run->key, name->code);
    key_string(&import->run->key, name->kind, strlen(name->kind));
    /* A name with a code is identified by the code alone, since its text may change; a name without
     * a code by its text. */
    if (name->code == EVENT_NONE) {
        key_string(&import->run->key, name->text, name->length);
    }
}

static void begin_actor_key(struct import *import, const struct actor_entry *actor) {
    key_begin(import);
    entry_key_actor(&import->run->key, actor);
}

static void begin_object_key(struct import *import, const struct object_entry *object) {
    key_begin(import);
    object_dictionary_key(&import->run->key, object);
}

uint32_t import_name(struct import *import, const struct name_entry *name) {
    struct entry entry = {.table = ENTRY_NAME, .name = *name};

    name_key(import, name);
    return number_of_dictionary_key(import, import->run->names, &entry, &entry.name.text,
                                    name->length, &entry.name.kind);
}

uint32_t import_actor(struct import *import, const struct actor_entry *actor) {
    struct entry entry = {.table = ENTRY_ACTOR, .actor = *actor};

    begin_actor_key(import, actor);
    return number_of_dictionary_key(import, import->run->actors, &entry, &entry.actor.name,
                                    actor->length, NULL);
}

uint32_t import_object(struct import *import, const struct object_entry *object) {
    struct entry entry = {.table = ENTRY_OBJECT, .object = *object};

    begin_object_key(import, object);
    return number_of_dictionary_key(import, import->run->objects, &entry, &entry.object.name,
                                    object->length, &entry.object.type);
}

/* Logs repeat names, so looks in a cache before the dictionary. */
uint32_t import_function(struct import *import, const char *kind, struct word text,
                         uint32_t component) {
    const struct lookup_cache_key key = {{(intptr_t)kind, component}, text.bytes, text.length};
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&import->words, &key, &known);

    if (!known) {
        entry->values[0] = import_name(
            import, &(struct name_entry){kind, EVENT_NONE, text.bytes, text.length, component});
    }
    return entry->values[0];
}

uint32_t import_simple_name(struct import *import, const char *kind, struct word text) {
    return import_function(import, kind, text, 0);
}

uint32_t import_thread(struct import *import, int64_t pid, int64_t tid, struct word name) {
    const struct lookup_cache_key key = {{pid, tid}, name.bytes, name.length};
    const char *bytes = name.length > 0 ? name.bytes : NULL;
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&import->threads, &key, &known);

    if (!known) {
        entry->values[0] = import_actor(
            import, &(struct actor_entry){1, pid, tid, EVENT_NONE, bytes, name.length});
    }
    return entry->values[0];
}

void import_rename(struct import *import, uint32_t name, const struct name_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME, .id = name, .name = *entry};

    send_dictionary_entry(import, &rename, &rename.name.text, entry->length, NULL);
}

void import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME_ACTOR, .id = actor, .actor = *entry};

    send_dictionary_entry(import, &rename, &rename.actor.name, entry->length, NULL);
}

/* Component in import.places of a function whose component is not known yet. */
#define PLACE_UNKNOWN UINT32_MAX

/* Records the component of a function that occurs for the first time. */
static void add_place(struct import *import, uint32_t id, uint32_t component) {
    if (import->places.count < PLACED_FUNCTIONS) {
        pair_numbers_add(&import->places, id, 0, component == 0 ? PLACE_UNKNOWN : component);
    }
}

uint32_t import_function_across_components(struct import *import, struct word text,
                                           uint32_t component, const char *several) {
    uint32_t id = import_function(import, "function", text, component);
    uint32_t known = id == 0 ? 0 : pair_numbers_find(&import->places, id, 0);

    if (id != 0 && known == 0) {
        add_place(import, id, component);
    }
    if (known == 0 || known == component || component == 0) {
        return id;
    }
    if (known != PLACE_UNKNOWN) {
        component = import_simple_name(import, "component", word_of(several));
    }
    if (known != component) {
        pair_numbers_slot(&import->places, id, 0)->number = component;
        import_rename(
            import, id,
            &(struct name_entry){"function", EVENT_NONE, text.bytes, text.length, component});
    }
    return id;
}

void import_probe(struct import *import, uint32_t name, const struct probe_entry *probe) {
    struct entry entry = {.table = ENTRY_PROBE, .id = name, .probe = *probe};

    batch_add_entry(emit_batch(import), &entry);
}

static bool set_dictionary_key(struct import *import, struct dictionary *dictionary, uint32_t id) {
    return dictionary_set(dictionary, import->run->key.bytes, import->run->key.length, id,
                          import->run->error);
}

static bool emit_put_name(void *context, uint32_t id, const struct name_entry *name) {
    struct import *import = context;

    if (strcmp(name->kind, "function") == 0) {
        add_place(import, id, name->component);
    }
    name_key(import, name);
    return set_dictionary_key(import, import->run->names, id);
}

static bool import_actor_of_context(void *context, uint32_t id, const struct actor_entry *actor) {
    struct import *import = context;

    begin_actor_key(import, actor);
    return set_dictionary_key(import, import->run->actors, id);
}

static bool import_object_of_context(void *context, uint32_t id,
                                     const struct object_entry *object) {
    struct import *import = context;

    begin_object_key(import, object);
    return set_dictionary_key(import, import->run->objects, id);
}

/* A callback for tally_table_read() that calls import_label(). */
static uint32_t number_label(void *context, const char *text, size_t length) {
    return import_label(context, text, length);
}

/* Stores the text of a label. Labels beyond the limit need none: their tally (counts by label) has
 * been dropped. */
static void store_label(struct import *import, uint32_t number, const char *text, size_t length) {
    char *copy;

    if (number >= LABEL_TEXTS) {
        return;
    }
    if (number >= import->run->label_capacity) {
        size_t capacity = import->run->label_capacity == 0 ? 64 : 2 * import->run->label_capacity;
        struct label *texts = xrealloc(import->run->label_texts, capacity * sizeof *texts);

        memset(texts + import->run->label_capacity, 0,
               (capacity - import->run->label_capacity) * sizeof *texts);
        import->run->label_texts = texts;
        import->run->label_capacity = capacity;
    }
    copy = xmalloc(length + 1);
    memcpy(copy, text, length);
    import->run->label_texts[number].text = copy;
    import->run->label_texts[number].length = length;
}

uint32_t import_label(struct import *import, const char *text, size_t length) {
    struct import_run *run = import->run;
    bool added;
    uint32_t number = dictionary_number(run->labels, text, length, &added,
                                        run->failed ? run->error : &run->failure);

    if (number == 0) {
        run->failed = true;
        run->ended = true;
    } else if (added) {
        store_label(import, number, text, length);
    }
    return number;
}

static bool resume_tallies(struct import *import, struct store *store, struct error *error) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        bool complete = false;

        if (word_in(store->existing.rollups, tally_definitions[kind].name) &&
            !tally_table_read(store->database, store->trace, &import->tallies[kind], number_label,
                              import, &complete, error)) {
            return false;
        }
        import->tally_complete[kind] = complete;
    }
    return true;
}

bool names_resume(struct import *import, struct store *store, struct error *error) {
    const struct trace_names names = {
        .context = import,
        .name = emit_put_name,
        .actor = import_actor_of_context,
        .object = import_object_of_context,
    };

    return resume_tallies(import, store, error) &&
           trace_names_read(store->database, store->trace, &names, error);
}

const char *names_label_of_number(void *context, uint32_t number, size_t *length) {
    const struct import *import = context;

    if (number >= import->run->label_capacity) {
        return NULL;
    }
    *length = import->run->label_texts[number].length;
    return import->run->label_texts[number].text;
}

void names_open(struct import_run *run, uint32_t first_name, uint32_t first_actor,
                uint32_t first_object) {
    run->names = dictionary_open(first_name);
    run->actors = dictionary_open(first_actor);
    run->objects = dictionary_open(first_object);
    run->labels = dictionary_open(1);
}

void names_close(struct import_run *run) {
    for (size_t i = 0; i < TRACE_KINDS; i++) {
        lookup_cache_free(&run->traces[i].words);
        lookup_cache_free(&run->traces[i].threads);
        pair_numbers_free(&run->traces[i].places);
    }
    dictionary_close(run->names);
    dictionary_close(run->actors);
    dictionary_close(run->objects);
    dictionary_close(run->labels);
    for (size_t i = 0; i < run->label_capacity; i++) {
        free(run->label_texts[i].text);
    }
    free(run->label_texts);
    text_free(&run->key);
}
