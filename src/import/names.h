/* Names that events speak of: equal ones get one id, and a new one travels with its first event. */
#ifndef TRACETOOL_NAMES_H
#define TRACETOOL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"

struct import;
struct import_run;

/* --- what importers call ------------------------------------------------------------------ */

/* Ids of dictionary rows; equal entries have one id. 0: stop, return false. Strings are copied. */
uint32_t import_name(struct import *import, const struct name_entry *entry);
uint32_t import_actor(struct import *import, const struct actor_entry *entry);
uint32_t import_object(struct import *import, const struct object_entry *entry);

/* Gives a name or an actor that was sent before what it turned out to be; of `entry`, text, length
 * and component (pid, tid, name and length) count. False: stop. */
bool import_rename(struct import *import, uint32_t name, const struct name_entry *entry);
bool import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry);

/* A probe of the log, by its name: what was measured by it, whether it fired or not. What was told
 * before is replaced. False: stop. */
bool import_probe(struct import *import, uint32_t name, const struct probe_entry *probe);

/* Small number for event.file_type and event.process. 0: stop, return false. */
uint32_t import_label(struct import *import, const char *text, size_t length);

/* --- what the rest of this room calls ------------------------------------------------------- */

/* Opens the dictionaries, which number from the given ids on. What was opened is closed by
 * names_close(), also after a failure. */
bool names_open(struct import_run *run, uint32_t first_name, uint32_t first_actor,
                uint32_t first_object, struct error *error);
void names_close(struct import_run *run);

/* Makes names of a trace that goes on known again; `context` is the import. */
bool names_put_name(void *context, uint32_t id, const struct name_entry *name);
bool names_put_actor(void *context, uint32_t id, const struct actor_entry *actor);
bool names_put_object(void *context, uint32_t id, const struct object_entry *object);

/* import_label() for tally_table_take(). */
uint32_t names_number(void *context, const char *text, size_t length);

/* The text of a label number, NULL when it was not kept. `context` is the import. */
const char *names_label(void *context, uint32_t number, size_t *length);

#endif
