/* Passes events from the importer to the writer.
 *
 * Events are collected in a batch. A full batch is held back until the next batch is full, so that
 * events out of order by less than a batch can be sorted. Then it goes to the queue. */
#ifndef TRACETOOL_EMIT_H
#define TRACETOOL_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/word.h"
#include "model/batch.h"
#include "model/event.h"

struct import;
struct import_run;
struct store;
struct tally_context;

/* --- functions for importers ------------------------------------------------------------------ */

/* Returns the next event for the importer to fill in; all fields are unset except `time`, which is
 * 0. Counts one record as read and kept. The event is valid until the next import_…() call other
 * than import_arguments(), so get names first. If the end of the import was requested, the event is
 * discarded. */
struct event *import_event(struct import *import);

/* Returns the serial number of the row made by the last import_event(), for
 * import_complete_event(). */
int64_t import_event_serial(const struct import *import);

/* Completes the row with a serial number, in a trace of kind states, when the state has ended. Uses
 * all members of `ending` except arguments and `open`. */
void import_complete_event(struct import *import, const struct ending *ending);

/* Copies argument bytes and attaches them to the event of the last import_event(). If `bytes` is
 * NULL, returns space for the caller to fill. Returns NULL, without copying, if `bytes`
 * is given, events have no rows (a private database) and the trace has no spans: nothing would read
 * the arguments. */
uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size);

/* Adds a record on which file owned which blocks, for a trace of block I/O. Copies it. The ledger
 * does not count it as a record. */
void import_allocation(struct import *import, const struct allocation *allocation);

/* Return ids of rows of the tables name, actor and object; equal entries get equal ids. Return 0 if
 * the end of the import was requested. Copy strings. */
uint32_t import_name(struct import *import, const struct name_entry *entry);
uint32_t import_actor(struct import *import, const struct actor_entry *entry);
uint32_t import_object(struct import *import, const struct object_entry *entry);

/* import_simple_name() returns the id of a name without a code; import_function() that of a
 * function with a component (0: none); import_thread() that of a thread in the first session
 * (`name` may be empty). Results are cached. `kind` is a constant string. */
uint32_t import_simple_name(struct import *import, const char *kind, struct word text);
uint32_t import_function(struct import *import, const char *kind, struct word text,
                         uint32_t component);
uint32_t import_thread(struct import *import, int64_t pid, int64_t tid, struct word name);

/* Limit of functions whose components import_function_across_components() compares. */
#define PLACED_FUNCTIONS (1 << 18)

/* Returns the id of a function, for logs in which functions of one name may belong to several
 * components. The stored function gets the component known so far (0: unknown), or the component
 * named `several` if there are two or more. Functions beyond PLACED_FUNCTIONS get the first
 * component. */
uint32_t import_function_across_components(struct import *import, struct word text,
                                           uint32_t component, const char *several);

/* import_rename() sets text, length and component of a name that was sent earlier.
 * import_rename_actor() sets pid, tid, name and length of an actor. Other members of `entry` are
 * not used. */
void import_rename(struct import *import, uint32_t name, const struct name_entry *entry);
void import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry);

/* Describes a probe of the log, whether it fired or not: `name`: id of its name; `probe`: what it
 * measures. Replaces an earlier description. */
void import_probe(struct import *import, uint32_t name, const struct probe_entry *probe);

/* Returns a small number for a text, for event.file_type or event.process. */
uint32_t import_label(struct import *import, const char *text, size_t length);

/* --- functions for src/import ----------------------------------------------------------------- */

/* Returns the row with a serial number and its batch; NULL if it is already in the queue. */
struct event *emit_row(struct import *import, int64_t serial, struct batch **batch);

/* Returns the batch to which import_event() appends. */
struct batch *emit_batch(struct import *import);

/* Sends all held-back events to the queue. */
void emit_flush_batches(struct import *import);

/* Counts events in the tallies (counts by dimensions) of their trace. Called by the deriver's
 * thread (import.c); for spans, by the importer's thread when they have ended. */
void emit_count(struct import *import, const struct tally_context *context,
                const struct event *first, size_t total);

/* Opens the dictionaries of names, actors and objects; first new entries get the given ids. */
void names_open(struct import_run *run, uint32_t first_name, uint32_t first_actor,
                uint32_t first_object);
void names_close(struct import_run *run);

/* Loads the names and tallies of a trace to append to. */
bool names_resume(struct import *import, struct store *store, struct error *error);

/* Returns the text of a label by its number; NULL if not stored. `context`: a struct import. */
const char *names_label_of_number(void *context, uint32_t number, size_t *length);

#endif
