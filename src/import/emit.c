#include "import/emit.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/context.h"
#include "import/dictionary.h"

static bool follows(const struct batch *first, const struct batch *second) {
    return first->event_count == 0 || second->event_count == 0 ||
           first->events[first->event_count - 1].time <= second->events[0].time;
}

/* Of a batch in order only the ends are looked at, where none of its events is late. */
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

/* Hands over the batch that was held back. */
static void emit_held(struct import *import) {
    struct import_run *run = import->run;
    struct batch *batch = import->held;

    import->held = NULL;
    if (batch != NULL) {
        count_late(import, batch);
        batch->tally_context = import->tally_context;
        batch->source_bytes = run->reader == NULL ? 0 : input_packed_read(run->reader->input);
        queue_give(&run->queue, QUEUE_DERIVE, batch);
    }
}

/* The importer is done with the last event: it has a time. */
static void close_event(struct import *import) {
    if (import->open) {
        struct batch *batch = import->current;
        const struct event *event = &batch->events[batch->event_count - 1];

        batch->in_order &= batch->event_count == 1 || event->time >= event[-1].time;
        outliers_note(&import->outliers, event->time);
        import->open = false;
    }
}

/* The current batch is complete: it is held back, and the one before it goes on its way. What is
 * out of order between the two, or within them, is sorted over both. Spans are not: they refer to
 * their callers by serial number. What is late among them is sorted at the end. */
static void hold_current(struct import *import) {
    struct batch *current = import->current;

    /* The last event is looked at here, while it is in this batch: it may be a name, not an event,
     * that asks for the next one. */
    close_event(import);
    if (import->run->ended) {
        batch_free(import->held);
        import->held = NULL;
        batch_clear(current);
        current->first_serial = import->rows;
        return;
    }
    if (import->held != NULL && import->spans == NULL &&
        (!import->held->in_order || !current->in_order || !follows(import->held, current))) {
        import->resorted++;
        batch_merge(import->held, current);
    }
    emit_held(import);
    import->held = current;
    import->current = NULL;
    /* Late events with huge arguments may gather in the held batch: memory stays bounded. */
    if (current->bytes >= 4 * BATCH_BYTES) {
        emit_held(import);
    }
}

/* An empty batch; where nobody wants more, one that goes nowhere. */
static struct batch *take_empty(struct import_run *run) {
    struct batch *batch = run->ended ? NULL : queue_take_empty(&run->queue);

    run->ended |= batch == NULL;
    return batch == NULL ? batch_new() : batch;
}

struct batch *emit_batch(struct import *import) {
    if (import->current != NULL && batch_full(import->current)) {
        hold_current(import);
    }
    if (import->current == NULL) {
        import->current = take_empty(import->run);
        import->current->trace = import->number;
        import->current->first_serial = import->rows;
        import->current->in_order = import->spans == NULL;
    }
    return import->current;
}

struct event *emit_row(struct import *import, int64_t serial, struct batch **batch) {
    *batch = import->current != NULL && serial >= import->current->first_serial ? import->current
                                                                                : import->held;
    if (*batch == NULL || serial < (*batch)->first_serial) {
        return NULL;
    }
    return &(*batch)->events[serial - (*batch)->first_serial];
}

void emit_flush(struct import *import) {
    close_event(import);
    outliers_end(&import->outliers);
    if (import->current != NULL) {
        hold_current(import);
    }
    if (import->run->ended) {
        return;
    }
    if (import->held != NULL && import->spans == NULL && !import->held->in_order) {
        import->current = take_empty(import->run);
        import->resorted++;
        batch_merge(import->held, import->current);
        if (import->run->ended) {
            return;
        }
        queue_give_empty(&import->run->queue, import->current);
        import->current = NULL;
    }
    emit_held(import);
}

struct event *import_event(struct import *import) {
    static const struct event none = EVENT_EMPTY;
    const struct import_run *run = import->run;
    struct event *event;

    close_event(import);
    emit_batch(import);
    event = &import->current->events[import->current->event_count++];
    *event = none;
    import->events++;
    import->rows++;
    if (import->spans == NULL) {
        import->open = true;
        outliers_open(&import->outliers, run->source,
                      import->events - import->events_before + import->shares[run->source].events);
    }
    return event;
}

uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size) {
    uint8_t *memory = batch_memory(import->current, size);

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

/* --- names ---------------------------------------------------------------------------------------
 */

/* Traces have names of their own: where one dictionary serves several, their number is in it. */
static void key_begin(struct import *import) {
    text_clear(&import->run->key);
    if (import->run->trace_count > 1) {
        entry_key_number(&import->run->key, import->number);
    }
}

/* The id of a key; `*added`: its entry is to go into the batch that is being filled. */
static uint32_t key_find(struct import *import, struct dictionary *dictionary, bool *added) {
    struct import_run *run = import->run;
    uint32_t id = dictionary_number(dictionary, run->key.bytes, run->key.length, added,
                                    run->failed ? run->error : &run->failure);

    if (id == 0) {
        run->failed = run->ended = true;
    } else if (*added) {
        emit_batch(import);
    }
    return id;
}

/* Copies a string of an entry into the batch's memory; NULL stays NULL. */
static void keep_string(struct import *import, const char **string, size_t length) {
    if (*string != NULL) {
        *string = batch_copy(import->current, *string, length);
    }
}

static void name_key(struct import *import, const struct name_entry *name) {
    key_begin(import);
    entry_key_name(&import->run->key, name);
}

static void actor_key(struct import *import, const struct actor_entry *actor) {
    key_begin(import);
    entry_key_actor(&import->run->key, actor);
}

static void object_key(struct import *import, const struct object_entry *object) {
    key_begin(import);
    entry_key_object(&import->run->key, object);
}

uint32_t import_name(struct import *import, const struct name_entry *name) {
    struct entry entry = {.table = ENTRY_NAME, .name = *name};
    bool added;

    name_key(import, name);
    entry.id = key_find(import, import->run->names, &added);
    if (!added) {
        return entry.id;
    }
    keep_string(import, &entry.name.kind, strlen(name->kind));
    keep_string(import, &entry.name.text, name->length);
    batch_add_entry(import->current, &entry);
    return entry.id;
}

uint32_t import_actor(struct import *import, const struct actor_entry *actor) {
    struct entry entry = {.table = ENTRY_ACTOR, .actor = *actor};
    bool added;

    actor_key(import, actor);
    entry.id = key_find(import, import->run->actors, &added);
    if (!added) {
        return entry.id;
    }
    keep_string(import, &entry.actor.name, actor->length);
    batch_add_entry(import->current, &entry);
    return entry.id;
}

uint32_t import_object(struct import *import, const struct object_entry *object) {
    struct entry entry = {.table = ENTRY_OBJECT, .object = *object};
    bool added;

    object_key(import, object);
    entry.id = key_find(import, import->run->objects, &added);
    if (!added) {
        return entry.id;
    }
    keep_string(import, &entry.object.name, object->length);
    keep_string(import, &entry.object.type, object->type == NULL ? 0 : strlen(object->type));
    batch_add_entry(import->current, &entry);
    return entry.id;
}

uint32_t import_word(struct import *import, const char *kind, struct word text) {
    return import_name(import, &(struct name_entry){kind, EVENT_NONE, text.bytes, text.length, 0});
}

uint32_t import_thread(struct import *import, int64_t pid, int64_t tid, struct word name) {
    return import_actor(import,
                        &(struct actor_entry){1, pid, tid, EVENT_NONE, name.bytes, name.length});
}

void import_rename(struct import *import, uint32_t name, const struct name_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME, .id = name, .name = *entry};

    emit_batch(import);
    keep_string(import, &rename.name.text, entry->length);
    batch_add_entry(import->current, &rename);
}

void import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME_ACTOR, .id = actor, .actor = *entry};

    emit_batch(import);
    keep_string(import, &rename.actor.name, entry->length);
    batch_add_entry(import->current, &rename);
}

void import_probe(struct import *import, uint32_t name, const struct probe_entry *probe) {
    struct entry entry = {.table = ENTRY_PROBE, .id = name, .probe = *probe};

    batch_add_entry(emit_batch(import), &entry);
}

static bool put_key(struct import *import, struct dictionary *dictionary, uint32_t id) {
    return dictionary_put(dictionary, import->run->key.bytes, import->run->key.length, id,
                          import->run->error);
}

bool names_put_name(void *context, uint32_t id, const struct name_entry *name) {
    struct import *import = context;

    name_key(import, name);
    return put_key(import, import->run->names, id);
}

bool names_put_actor(void *context, uint32_t id, const struct actor_entry *actor) {
    struct import *import = context;

    actor_key(import, actor);
    return put_key(import, import->run->actors, id);
}

bool names_put_object(void *context, uint32_t id, const struct object_entry *object) {
    struct import *import = context;

    object_key(import, object);
    return put_key(import, import->run->objects, id);
}

uint32_t names_number(void *context, const char *text, size_t length) {
    return import_label(context, text, length);
}

/* Labels beyond the bound need no text: the tally that would use them is dropped by then. */
static void keep_label(struct import *import, uint32_t number, const char *text, size_t length) {
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
        run->failed = run->ended = true;
    } else if (added) {
        keep_label(import, number, text, length);
    }
    return number;
}

const char *names_label(void *context, uint32_t number, size_t *length) {
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
