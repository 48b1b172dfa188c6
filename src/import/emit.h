/* Events on their way from the importer to the writer.
 *
 * They gather in a batch. A full one is held back until the next is full, too, so that what is out
 * of order by less than a batch is sorted; then it is put into the queue.
 */
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

/* --- what importers call -------------------------------------------------------------------------
 */

/* The next event to fill in: all fields none but `time`, which is 0. It counts one record read
 * and kept. Valid until the next import_…() call but import_arguments(): find names first. Where
 * nobody wants more it goes nowhere: the reader ends soon. */
struct event *import_event(struct import *import);

/* The serial number of the row from the last import_event(), by which its end is told. */
int64_t import_event_serial(const struct import *import);

/* Completes the row of a serial number, of a trace of kind states: its state has ended. All of
 * `ending` but arguments and `open` counts. */
void import_event_end(struct import *import, const struct ending *ending);

/* Copies argument bytes (NULL when none are wanted: returns room to fill in) and attaches them to
 * the event from the last import_event(). Returns NULL where nobody will read the bytes. */
uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size);

/* A log record of which file owns blocks, of a trace of block I/O; copied. It counts no record.
 */
void import_allocation(struct import *import, const struct allocation *allocation);

/* Ids of dictionary rows; equal entries have one id. 0 where nobody wants more. Strings are copied.
 */
uint32_t import_name(struct import *import, const struct name_entry *entry);
uint32_t import_actor(struct import *import, const struct actor_entry *entry);
uint32_t import_object(struct import *import, const struct object_entry *entry);

/* A name without a number, and a thread of the first session; its name may be NULL. */
uint32_t import_word(struct import *import, const char *kind, struct word text);
uint32_t import_thread(struct import *import, int64_t pid, int64_t tid, struct word name);

/* Gives a name or an actor that was sent before what it turned out to be; of `entry`, text, length
 * and component (pid, tid, name and length) count. False: stop. */
void import_rename(struct import *import, uint32_t name, const struct name_entry *entry);
void import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry);

/* A probe of the log, by its name: what it measures, whether it fired or not. A later call replaces
 * an earlier one. */
void import_probe(struct import *import, uint32_t name, const struct probe_entry *probe);

/* Small number for event.file_type and event.process. */
uint32_t import_label(struct import *import, const char *text, size_t length);

/* --- what the rest of this room calls ------------------------------------------------------------
 */

/* The row of a serial number and its batch, while it has not been handed over; else NULL. */
struct event *emit_row(struct import *import, int64_t serial, struct batch **batch);

/* The batch that is being filled. */
struct batch *emit_batch(struct import *import);

/* Hands over what is still held back. */
void emit_flush(struct import *import);

/* Counts events in the tallies of their trace: by the deriver, but for calls, which are counted
 * when they have ended. */
void emit_count(struct import *import, const struct tally_context *context,
                const struct event *first, size_t total);

/* Opens the dictionaries, which number from the given ids on. */
void names_open(struct import_run *run, uint32_t first_name, uint32_t first_actor,
                uint32_t first_object);
void names_close(struct import_run *run);

/* Takes up the names and tallies of a trace that goes on. */
bool names_resume(struct import *import, struct store *store, struct error *error);

/* The text of a label number, NULL when it was not kept. `context` is the import. */
const char *names_label(void *context, uint32_t number, size_t *length);

#endif
