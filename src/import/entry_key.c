#include "import/entry_key.h"

#include <string.h>

void entry_key_number(struct text *key, int64_t number) {
    text_append(key, (const char *)&number, sizeof number);
}

/* The length comes first, so that two strings cannot run into one another. */
static void key_string(struct text *key, const char *string, size_t length) {
    entry_key_number(key, string == NULL ? -1 : (int64_t)length);
    if (string != NULL) {
        text_append(key, string, length);
    }
}

void entry_key_name(struct text *key, const struct name_entry *name) {
    entry_key_number(key, name->code);
    key_string(key, name->kind, strlen(name->kind));
    /* A code tells what it is; the text it was given may change. */
    if (name->code == EVENT_NONE) {
        key_string(key, name->text, name->length);
    }
}

void entry_key_actor(struct text *key, const struct actor_entry *actor) {
    entry_key_number(key, actor->session);
    entry_key_number(key, actor->pid);
    entry_key_number(key, actor->tid);
    entry_key_number(key, actor->code);
    /* A code tells who it is; the name it was given may change. */
    if (actor->code == EVENT_NONE) {
        key_string(key, actor->name, actor->length);
    }
}

void entry_key_object(struct text *key, const struct object_entry *object) {
    entry_key_number(key, object->device);
    key_string(key, object->type, object->type == NULL ? 0 : strlen(object->type));
    key_string(key, object->name, object->length);
    if (object->inode != 0) {
        entry_key_number(key, object->inode);
        entry_key_number(key, object->generation);
    }
}
