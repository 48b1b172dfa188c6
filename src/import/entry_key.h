/* What makes two names, actors or objects of a trace the same one: equal bytes for a dictionary. */
#ifndef TRACETOOL_ENTRY_KEY_H
#define TRACETOOL_ENTRY_KEY_H

#include "base/text.h"
#include "model/batch.h"

/* Each appends to `key`, which says in `failed` when memory ran out. */
void entry_key_number(struct text *key, int64_t number);
void entry_key_name(struct text *key, const struct name_entry *name);
void entry_key_actor(struct text *key, const struct actor_entry *actor);
void entry_key_object(struct text *key, const struct object_entry *object);

#endif
