#include "import/names.h"

#include <stdlib.h>
#include <string.h>

#include "import/context.h"
#include "import/emit.h"
#include "import/entry_key.h"
#include "base/memory.h"

/* Traces have names of their own: where one dictionary serves several, their number is in it. */
static void key_begin(struct import *import) {
    text_clear(&import->run->key);
    if (import->run->trace_count > 1) {
        entry_key_number(&import->run->key, import->number);
    }
}

static uint32_t key_find(struct import *import, struct dictionary *dictionary, bool *added) {
    if (import->run->key.failed) {
        error_no_memory(import->run->error);
        return 0;
    }
    return dictionary_number(dictionary, import->run->key.bytes, import->run->key.length, added,
                             import->run->error);
}

/* Copies a string of an entry into the batch's memory; NULL stays NULL. */
static void keep_string(struct import *import, const char **string, size_t length) {
    if (*string != NULL) {
        *string = batch_copy(import->current, *string, length);
    }
}

/* Sends a new entry along with the current batch. */
static uint32_t send_entry(struct import *import, const struct entry *entry) {
    batch_add_entry(import->current, entry);
    return entry->id;
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
    if (entry.id == 0 || !added) {
        return entry.id;
    }
    if (emit_batch(import) == NULL) {
        return 0;
    }
    keep_string(import, &entry.name.kind, strlen(name->kind));
    keep_string(import, &entry.name.text, name->length);
    return send_entry(import, &entry);
}

uint32_t import_actor(struct import *import, const struct actor_entry *actor) {
    struct entry entry = {.table = ENTRY_ACTOR, .actor = *actor};
    bool added;

    actor_key(import, actor);
    entry.id = key_find(import, import->run->actors, &added);
    if (entry.id == 0 || !added) {
        return entry.id;
    }
    if (emit_batch(import) == NULL) {
        return 0;
    }
    keep_string(import, &entry.actor.name, actor->length);
    return send_entry(import, &entry);
}

uint32_t import_object(struct import *import, const struct object_entry *object) {
    struct entry entry = {.table = ENTRY_OBJECT, .object = *object};
    bool added;

    object_key(import, object);
    entry.id = key_find(import, import->run->objects, &added);
    if (entry.id == 0 || !added) {
        return entry.id;
    }
    if (emit_batch(import) == NULL) {
        return 0;
    }
    keep_string(import, &entry.object.name, object->length);
    keep_string(import, &entry.object.type, object->type == NULL ? 0 : strlen(object->type));
    return send_entry(import, &entry);
}

bool import_rename(struct import *import, uint32_t name, const struct name_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME, .id = name, .name = *entry};

    if (emit_batch(import) == NULL) {
        return false;
    }
    keep_string(import, &rename.name.text, entry->length);
    send_entry(import, &rename);
    return true;
}

bool import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry) {
    struct entry rename = {.table = ENTRY_RENAME_ACTOR, .id = actor, .actor = *entry};

    if (emit_batch(import) == NULL) {
        return false;
    }
    keep_string(import, &rename.actor.name, entry->length);
    send_entry(import, &rename);
    return true;
}

bool import_probe(struct import *import, uint32_t name, const struct probe_entry *probe) {
    struct entry entry = {.table = ENTRY_PROBE, .id = name, .probe = *probe};

    return emit_batch(import) != NULL && send_entry(import, &entry) != 0;
}

static bool put_key(struct import *import, struct dictionary *dictionary, uint32_t id) {
    return !import->run->key.failed
               ? dictionary_put(dictionary, import->run->key.bytes, import->run->key.length, id,
                                import->run->error)
               : error_no_memory(import->run->error);
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
static bool keep_label(struct import *import, uint32_t number, const char *text, size_t length) {
    char *copy;

    if (number >= LABEL_TEXTS) {
        return true;
    }
    if (number >= import->run->label_capacity) {
        size_t capacity = import->run->label_capacity == 0 ? 64 : 2 * import->run->label_capacity;
        struct label *texts = xrealloc(import->run->label_texts, capacity * sizeof *texts);

        if (texts == NULL) {
            return error_no_memory(import->run->error);
        }
        memset(texts + import->run->label_capacity, 0,
               (capacity - import->run->label_capacity) * sizeof *texts);
        import->run->label_texts = texts;
        import->run->label_capacity = capacity;
    }
    copy = xmalloc(length + 1);
    if (copy == NULL) {
        return error_no_memory(import->run->error);
    }
    memcpy(copy, text, length);
    import->run->label_texts[number].text = copy;
    import->run->label_texts[number].length = length;
    return true;
}

uint32_t import_label(struct import *import, const char *text, size_t length) {
    bool added;
    uint32_t number =
        dictionary_number(import->run->labels, text, length, &added, import->run->error);

    if (number != 0 && added && !keep_label(import, number, text, length)) {
        return 0;
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

bool names_open(struct import_run *run, uint32_t first_name, uint32_t first_actor,
                uint32_t first_object, struct error *error) {
    run->names = dictionary_open(first_name, error);
    run->actors = dictionary_open(first_actor, error);
    run->objects = dictionary_open(first_object, error);
    run->labels = dictionary_open(1, error);
    return run->names != NULL && run->actors != NULL && run->objects != NULL && run->labels != NULL;
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
