/* What importers call while they read: events, names, the ledger. */
#include "import/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/partition.h"

/* --- events on their way to the writer ---------------------------------------------------- */

static bool in_order(const struct batch *batch) {
    for (size_t i = 1; i < batch->event_count; i++) {
        if (batch->events[i].time < batch->events[i - 1].time) {
            return false;
        }
    }
    return true;
}

static bool follows(const struct batch *first, const struct batch *second) {
    return first->event_count == 0 || second->event_count == 0 ||
           first->events[first->event_count - 1].time <= second->events[0].time;
}

static bool count_one(struct import *import, unsigned kind, const struct event *event) {
    struct tally *tally = &import->tallies[kind];

    if (import->tally_complete[kind] && !tally_add(tally, &import->tally_context, event)) {
        if (tally->rows == NULL) {
            return error_no_memory(import->error);
        }
        import->tally_complete[kind] = false;
        tally_free(tally);
    }
    return true;
}

bool context_count(struct import *import, const struct event *event) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (!count_one(import, kind, event)) {
            return false;
        }
    }
    return true;
}

/* Spans are counted when they end: span.c. */
static bool count_tallies(struct import *import, const struct batch *batch) {
    for (unsigned kind = 0; kind < TALLY_KINDS && import->spans == NULL; kind++) {
        for (size_t i = 0; i < batch->event_count && import->tally_complete[kind]; i++) {
            if (!count_one(import, kind, &batch->events[i])) {
                return false;
            }
        }
    }
    return true;
}

static void count_late(struct import *import, const struct batch *batch) {
    for (size_t i = 0; i < batch->event_count; i++) {
        int64_t time = batch->events[i].time;

        if (time < import->emitted_time) {
            import->late++;
        } else {
            import->emitted_time = time;
        }
    }
}

/* Hands over the batch that was held back. */
static bool emit_held(struct import *import) {
    struct batch *batch = import->held;

    import->held = NULL;
    if (batch == NULL) {
        return true;
    }
    count_late(import, batch);
    if (!count_tallies(import, batch)) {
        import->held = batch;
        return false;
    }
    batch->source_bytes = import->reader == NULL ? 0 : input_packed_read(import->reader->input);
    queue_give_full(&import->queue, batch);
    return true;
}

/* The current batch is complete: it is held back, and the one before it goes on its way. What is
 * out of order between the two, or within them, is sorted over both. Spans are not: they refer to
 * their callers by serial number. What is late among them is sorted at the end. */
static bool hold_current(struct import *import) {
    struct batch *current = import->current;

    if (import->held != NULL && import->spans == NULL &&
        (!in_order(import->held) || !in_order(current) || !follows(import->held, current))) {
        import->resorted++;
        if (!batch_merge(import->held, current)) {
            return error_no_memory(import->error);
        }
    }
    if (!emit_held(import)) {
        return false;
    }
    import->held = current;
    import->current = NULL;
    /* Late events with huge arguments may gather in the held batch: memory stays bounded. */
    return current->bytes < 4 * BATCH_BYTES || emit_held(import);
}

static bool need_current(struct import *import) {
    if (import->current != NULL && batch_full(import->current) && !hold_current(import)) {
        return false;
    }
    if (import->current == NULL) {
        import->current = queue_take_empty(&import->queue);
        if (import->current != NULL) {
            import->current->first_serial = import->rows;
        }
    }
    return import->current != NULL;
}

struct batch *context_batch(struct import *import) {
    return need_current(import) ? import->current : NULL;
}

struct event *context_row(struct import *import, int64_t serial, struct batch **batch) {
    *batch = import->current != NULL && serial >= import->current->first_serial ? import->current
                                                                                : import->held;
    if (*batch == NULL || serial < (*batch)->first_serial) {
        return NULL;
    }
    return &(*batch)->events[serial - (*batch)->first_serial];
}

bool context_flush(struct import *import) {
    if (import->current != NULL && !hold_current(import)) {
        return false;
    }
    if (import->held != NULL && import->spans == NULL && !in_order(import->held)) {
        struct batch *empty = queue_take_empty(&import->queue);

        if (empty == NULL) {
            return false;
        }
        import->resorted++;
        import->current = empty;
        if (!batch_merge(import->held, empty)) {
            return error_no_memory(import->error);
        }
        import->current = NULL;
        queue_give_empty(&import->queue, empty);
    }
    return emit_held(import);
}

struct event *import_event(struct import *import) {
    static const struct event none = EVENT_EMPTY;
    struct event *event;

    if ((import->current == NULL || batch_full(import->current)) && !need_current(import)) {
        return NULL;
    }
    event = &import->current->events[import->current->event_count++];
    *event = none;
    import->events++;
    import->rows++;
    return event;
}

uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size) {
    uint8_t *memory = batch_memory(import->current, size);

    if (memory == NULL) {
        error_no_memory(import->error);
        return NULL;
    }
    if (bytes != NULL) {
        memcpy(memory, bytes, size);
    }
    event->arguments = memory;
    event->arguments_size = size;
    return memory;
}

/* --- names -------------------------------------------------------------------------------- */

static void key_begin(struct import *import) {
    text_clear(&import->key);
}

static void key_number(struct import *import, int64_t number) {
    text_append(&import->key, (const char *)&number, sizeof number);
}

/* The length comes first, so that two strings cannot run into one another. */
static void key_string(struct import *import, const char *string, size_t length) {
    key_number(import, string == NULL ? -1 : (int64_t)length);
    if (string != NULL) {
        text_append(&import->key, string, length);
    }
}

static uint32_t key_find(struct import *import, struct dictionary *dictionary, bool *added) {
    if (import->key.failed) {
        error_no_memory(import->error);
        return 0;
    }
    return dictionary_number(dictionary, import->key.bytes, import->key.length, added,
                             import->error);
}

/* Copies a string of an entry into the batch's memory; NULL stays NULL. */
static bool keep_string(struct import *import, const char **string, size_t length) {
    if (*string == NULL) {
        return true;
    }
    *string = batch_copy(import->current, *string, length);
    return *string != NULL;
}

/* Sends a new entry along with the current batch. `kept`: its strings were copied. */
static uint32_t send_entry(struct import *import, const struct entry *entry, bool kept) {
    if (!kept || !batch_add_entry(import->current, entry)) {
        error_no_memory(import->error);
        return 0;
    }
    return entry->id;
}

static void name_key(struct import *import, const struct name_entry *name) {
    key_begin(import);
    key_number(import, name->code);
    key_string(import, name->kind, strlen(name->kind));
    /* A code tells what it is; the text it was given may change. */
    if (name->code == EVENT_NONE) {
        key_string(import, name->text, name->length);
    }
}

static void actor_key(struct import *import, const struct actor_entry *actor) {
    key_begin(import);
    key_number(import, actor->session);
    key_number(import, actor->pid);
    key_number(import, actor->tid);
    key_number(import, actor->code);
    /* A code tells who it is; the name it was given may change. */
    if (actor->code == EVENT_NONE) {
        key_string(import, actor->name, actor->length);
    }
}

static void object_key(struct import *import, const struct object_entry *object) {
    key_begin(import);
    key_number(import, object->device);
    key_string(import, object->type, object->type == NULL ? 0 : strlen(object->type));
    key_string(import, object->name, object->length);
}

uint32_t import_name(struct import *import, const struct name_entry *name) {
    struct entry entry = {.table = ENTRY_NAME, .name = *name};
    bool added;

    name_key(import, name);
    entry.id = key_find(import, import->names, &added);
    if (entry.id == 0 || !added) {
        return entry.id;
    }
    return need_current(import)
               ? send_entry(import, &entry,
                            keep_string(import, &entry.name.kind, strlen(name->kind)) &&
                                keep_string(import, &entry.name.text, name->length))
               : 0;
}

uint32_t import_actor(struct import *import, const struct actor_entry *actor) {
    struct entry entry = {.table = ENTRY_ACTOR, .actor = *actor};
    bool added;

    actor_key(import, actor);
    entry.id = key_find(import, import->actors, &added);
    if (entry.id == 0 || !added) {
        return entry.id;
    }
    return need_current(import)
               ? send_entry(import, &entry, keep_string(import, &entry.actor.name, actor->length))
               : 0;
}

uint32_t import_object(struct import *import, const struct object_entry *object) {
    struct entry entry = {.table = ENTRY_OBJECT, .object = *object};
    bool added;

    object_key(import, object);
    entry.id = key_find(import, import->objects, &added);
    if (entry.id == 0 || !added) {
        return entry.id;
    }
    return need_current(import)
               ? send_entry(import, &entry,
                            keep_string(import, &entry.object.name, object->length) &&
                                keep_string(import, &entry.object.type,
                                            object->type == NULL ? 0 : strlen(object->type)))
               : 0;
}

bool import_rename(struct import *import, uint32_t name, const struct name_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME, .id = name, .name = *entry};

    return need_current(import) &&
           send_entry(import, &rename, keep_string(import, &rename.name.text, entry->length)) != 0;
}

bool import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME_ACTOR, .id = actor, .actor = *entry};

    return need_current(import) &&
           send_entry(import, &rename, keep_string(import, &rename.actor.name, entry->length)) != 0;
}

bool import_probe(struct import *import, uint32_t name, const struct probe_entry *probe) {
    struct entry entry = {.table = ENTRY_PROBE, .id = name, .probe = *probe};

    return need_current(import) && send_entry(import, &entry, true) != 0;
}

static bool put_key(struct import *import, struct dictionary *dictionary, uint32_t id) {
    return !import->key.failed ? dictionary_put(dictionary, import->key.bytes, import->key.length,
                                                id, import->error)
                               : error_no_memory(import->error);
}

bool context_put_name(void *context, uint32_t id, const struct name_entry *name) {
    struct import *import = context;

    name_key(import, name);
    return put_key(import, import->names, id);
}

bool context_put_actor(void *context, uint32_t id, const struct actor_entry *actor) {
    struct import *import = context;

    actor_key(import, actor);
    return put_key(import, import->actors, id);
}

bool context_put_object(void *context, uint32_t id, const struct object_entry *object) {
    struct import *import = context;

    object_key(import, object);
    return put_key(import, import->objects, id);
}

uint32_t context_number(void *context, const char *text, size_t length) {
    return import_label(context, text, length);
}

/* Labels beyond the bound need no text: the tally that would use them is dropped by then. */
static bool keep_label(struct import *import, uint32_t number, const char *text, size_t length) {
    char *copy;

    if (number >= LABEL_TEXTS) {
        return true;
    }
    if (number >= import->label_capacity) {
        size_t capacity = import->label_capacity == 0 ? 64 : 2 * import->label_capacity;
        struct label *texts = realloc(import->label_texts, capacity * sizeof *texts);

        if (texts == NULL) {
            return error_no_memory(import->error);
        }
        memset(texts + import->label_capacity, 0,
               (capacity - import->label_capacity) * sizeof *texts);
        import->label_texts = texts;
        import->label_capacity = capacity;
    }
    copy = malloc(length + 1);
    if (copy == NULL) {
        return error_no_memory(import->error);
    }
    memcpy(copy, text, length);
    import->label_texts[number].text = copy;
    import->label_texts[number].length = length;
    return true;
}

uint32_t import_label(struct import *import, const char *text, size_t length) {
    bool added;
    uint32_t number = dictionary_number(import->labels, text, length, &added, import->error);

    if (number != 0 && added && !keep_label(import, number, text, length)) {
        return 0;
    }
    return number;
}

const char *context_label(void *context, uint32_t number, size_t *length) {
    const struct import *import = context;

    if (number >= import->label_capacity) {
        return NULL;
    }
    *length = import->label_texts[number].length;
    return import->label_texts[number].text;
}

/* --- the ledger and what is said of the trace ---------------------------------------------- */

void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes) {
    ledger_count(&import->ledger, import->source, OUTCOME_REJECTED, reason, offset, bytes);
}

void import_ignored(struct import *import, const char *reason, int64_t offset) {
    ledger_count(&import->ledger, import->source, OUTCOME_IGNORED, reason, offset, 0);
}

void import_merged(struct import *import, const char *reason, int64_t offset) {
    ledger_count(&import->ledger, import->source, OUTCOME_MERGED, reason, offset, 0);
}

void import_remark(struct import *import, const char *format, ...) {
    va_list arguments;
    char *remark = NULL;

    if (import->remark_count == REMARKS) {
        import->remarks_lost++;
        return;
    }
    va_start(arguments, format);
    if (vasprintf(&remark, format, arguments) < 0) {
        remark = NULL;
    }
    va_end(arguments);
    if (remark != NULL) {
        import->remarks[import->remark_count++] = remark;
    }
}

void import_variant(struct import *import, const char *variant) {
    if (import->variant[0] == '\0') {
        snprintf(import->variant, sizeof import->variant, "%s", variant);
    }
}

void import_start(struct import *import, int64_t nanoseconds) {
    /* Hours of a trace that goes on are counted already. */
    if (import->start == EVENT_NONE && !import->resuming) {
        import->start = nanoseconds;
    }
    /* Hours are counted in the device's own time when there is a wall clock. */
    import->tally_context.hour_origin = tally_hour_origin(import->start, import->utc_offset);
}

int64_t import_utc_offset(struct import *import, int64_t otherwise) {
    if (import->utc_offset == EVENT_NONE) {
        import->utc_offset = otherwise;
    }
    return import->utc_offset;
}

void import_sessions(struct import *import, int64_t sessions) {
    import->sessions = sessions;
}

bool import_keep(struct import *import, const char *resume, struct error *error) {
    free(import->kept);
    import->kept = strdup(resume);
    return import->kept != NULL || error_no_memory(error);
}

const char *import_kept(const struct import *import) {
    return import->resumed;
}

const struct config *import_config(const struct import *import) {
    return import->config;
}

const char *import_partition(const struct import *import, int64_t device, int64_t sector) {
    return import->resuming ? partition_find(import->partitions.entries, import->partitions.count,
                                             device, sector)
                            : partition_find(import->config->partitions,
                                             import->config->partition_count, device, sector);
}

void import_clock(struct import *import, const struct import_clock *clock) {
    import->clock = *clock;
}

void import_round(struct import *import, int64_t round) {
    import->round = round;
}

void import_call_overhead(struct import *import, int64_t nanoseconds) {
    import->call_overhead = nanoseconds;
}

int64_t import_record_size(const struct import *import) {
    return import->options->record_size;
}

const char *import_source_name(const struct import *import) {
    return import->sources[import->source].name;
}

void context_free(struct import *import) {
    batch_free(import->current);
    batch_free(import->held);
    span_tracker_free(import->spans);
    dictionary_close(import->names);
    dictionary_close(import->actors);
    dictionary_close(import->objects);
    dictionary_close(import->labels);
    for (size_t i = 0; i < import->label_capacity; i++) {
        free(import->label_texts[i].text);
    }
    free(import->label_texts);
    text_free(&import->key);
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        tally_free(&import->tallies[kind]);
    }
    partitions_free(&import->partitions);
    ledger_free(&import->ledger);
    for (size_t i = 0; i < import->remark_count; i++) {
        free(import->remarks[i]);
    }
    for (size_t i = 0; i < import->source_count; i++) {
        free(import->sources[i].path);
    }
    free(import->sources);
    free(import->kept);
}
