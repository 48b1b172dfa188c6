/* Data on a trace, besides events, that an importer can set or read. */
#ifndef TRACETOOL_METADATA_H
#define TRACETOOL_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "config/config.h"
#include "model/event.h"

struct call_part;
struct event_meaning;
struct file_types;
struct import;
struct remap;

/* Returns the trace for events of a kind, one of the importer's `kinds`. Names, events and ledger
 * are separate for each trace, the rest is common. An importer is given the trace of its first
 * kind, in order of enum trace_kind; records of unknown kind are in its ledger. Each record belongs
 * to one trace only. */
struct import *import_of(struct import *import, enum trace_kind kind);

/* Describes the times of the trace: unit ("ns" by default, "counter units", "records"), clocks
 * ("wall", "cpu", "wall cpu", "" for positions in the log), and the frequency of a counter that was
 * converted to nanoseconds (0: none). Constant strings. Call it before the first event. Without
 * clocks, calls have no duration. */
struct import_clock {
    const char *unit, *clocks;
    int64_t hz;
};
void import_clock(struct import *import, const struct import_clock *clock);

/* Declares that no event of the trace has this column, so it has no meaning. */
void import_without(struct import *import, enum event_place place);

/* Declares that the log lacks a set of facts, FACT(…) of model/meaning.h, which others of its
 * format state.
 */
void import_without_facts(struct import *import, unsigned facts);

/* Declares that the log has facts which its format does not promise. */
void import_with_facts(struct import *import, unsigned facts);

/* Sets the profiling round of the trace, from 1. */
void import_round(struct import *import, int64_t round);

/* Sets the overhead of measuring a call, in nanoseconds for both its records, if the log gives it.
 */
void import_call_overhead(struct import *import, int64_t nanoseconds);

/* Add a record to the ledger. `reason` is a constant string, one of a few of the importer; `offset`
 * is the record's position in the file; `bytes` is the number of bytes lost with it. */
void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes);
void import_ignored(struct import *import, const char *reason, int64_t offset);
void import_merged(struct import *import, const char *reason, int64_t offset);

/* Records that the log, at `offset`, reports `count` (above 0) lost records, for lack of space when
 * it was written. They are not records of the file; every report's header shows their number. */
void import_lost(struct import *import, const char *reason, int64_t offset, int64_t count);

/* Losses by CPU (losses.h), for all traces of the log. Importers whose logs can report losses call
 * this for each event of a CPU, in log order, also for rejected and ignored ones.
 * EVENT_NONE: unknown CPU. */
void import_cpu_event(struct import *import, int64_t cpu, int64_t time);

/* Reports that events of a CPU (EVENT_NONE: any) are missing between its previous and its next
 * event. `count` (above 0) may be EVENT_NONE for unknown. Also calls import_lost(), with 1 for an
 * unknown number. */
void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset);

/* Like import_cpu_lost() without a ledger entry, for importers that know only at the end of the log
 * whether it was a loss. They then call import_lost() or import_clear_losses(). */
void import_cpu_missing(struct import *import, int64_t cpu, int64_t count);
void import_clear_losses(struct import *import);

/* Reports that the kernel's buffers overwrote `count` events before the first one in the log. */
void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset);

/* Incomplete calls with separate begin and end lines (call_losses.h). import_losses_told(): number
 * of losses reported so far. import_call_ended(): a call has ended; `reported` is that number when
 * it began. import_call_without_end(), import_call_without_begin(): other lines of the thread prove
 * a missing end or begin of a call that began or ended at `time`. import_calls_unpaired(): for logs
 * with durations, only the numbers of calls without end or begin, once at the end; no call is
 * doubted. */
size_t import_losses_told(const struct import *import);
void import_call_ended(struct import *import, const struct call_part *call, size_t reported);
void import_call_without_end(struct import *import, uint32_t operation, int64_t time);
void import_call_without_begin(struct import *import, uint32_t operation, int64_t time);
void import_calls_unpaired(struct import *import, int64_t without_end, int64_t without_begin);

/* import_source_number() returns the index of the current file. import_go_to_source() attributes
 * the following events to a file read earlier, for importers that hold back events across files. */
size_t import_source_number(const struct import *import);
void import_go_to_source(struct import *import, size_t file);

/* Records that the record at `offset` of the current file is earlier by `by` (above 0, in clock
 * units) than its predecessor. The ledger, a remark and the `#` lines of all reports of the log's
 * traces show the number and the maximum. Called by the driver if the importer sets
 * `tells_earlier`. */
void import_earlier(struct import *import, int64_t by, int64_t offset);

/* Records that the record at `offset` has made an additional event, with a constant `reason`.
 * Reports then show the number of records besides events. */
void import_split(struct import *import, const char *reason, int64_t offset);

/* Records that the row of the record at `offset`, of a trace of spans, is no call, with a constant
 * `reason`. */
void import_no_call(struct import *import, const char *reason, int64_t offset);

/* Makes the import fail, discarding everything. Returns the error for error_set(). */
struct error *import_failure(struct import *import);

/* Makes the import fail for the current file, whose name precedes the message. Returns false. */
bool import_refuse(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a remark with one number (%lld), if it is above 0. Its words are in the form for that number
 * (text_append_form()). */
void import_remark_count(struct import *import, int64_t count, const char *format)
    __attribute__((format(printf, 3, 0)));

/* Calls file_types_init() with the configuration; a failure makes the import fail. */
void import_file_types(struct import *import, struct file_types *types);

/* Adds a remark for readers of reports, shown by `show`. At most 64 per trace are kept. */
void import_remark(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a constant meaning to those that the importer has for all of its traces. At most 4 per
 * trace. */
void import_also_means(struct import *import, const struct event_meaning *meaning);

/* Declares that requests of the device (EVENT_NONE: unknown) lack issues or completions, which
 * proves a loss. Call once per device, at the end; its requests are then paired again
 * (import/pairing.h). */
void import_loss_proven(struct import *import, int64_t device);

/* Whether the log has reported losses so far. */
bool import_loss_told(const struct import *import);

/* Sets the remaps of I/Os to lower devices, once at the end; copied. */
void import_remaps(struct import *import, const struct remap *remaps, size_t count);

/* Sets the variant of the format: "pdb", "text", …; copied. Only the first call has effect. */
void import_variant(struct import *import, const char *variant);

/* Sets the wall clock of time 0, nanoseconds since 1970 UTC. --start and --utc-offset take
 * precedence. A time within ten years of 1970 is not a date and causes a remark. */
void import_start(struct import *import, int64_t nanoseconds);

/* Sets the time of day of time 0, nanoseconds since midnight on the device's clock, for a log
 * without date. --start then gives only the day. */
void import_time_of_day(struct import *import, int64_t nanoseconds);

/* Returns the minutes east of UTC of the device's clock: --utc-offset, or `otherwise`, which
 * becomes the trace's; EVENT_NONE: unknown. Call it before import_start(). */
int64_t import_utc_offset(struct import *import, int64_t otherwise);

/* Sets the number of sessions (boots) so far; 1 by default. */
void import_sessions(struct import *import, int64_t sessions);

/* Text for begin() of a later append, in addition to the numbers of `importer.resume`.
 * import_save_state() is called in end(), import_kept() in begin(); NULL for a new trace.
 * import_refuse_kept() reports that it is damaged. */
void import_save_state(struct import *import, const char *text);
const char *import_kept(const struct import *import);
void import_refuse_kept(struct import *import);

/* Returns the configuration; never NULL. */
const struct config *import_config(const struct import *import);

/* Returns the partition of an I/O: from the trace when appending, otherwise from the configuration.
 * Borrowed. */
const char *import_partition(const struct import *import, int64_t device, int64_t sector);

/* Returns --record-size, 0 if not given. */
int64_t import_record_size(const struct import *import);

/* Returns the number of devices in --only-device, and their names as given, borrowed; 0: all. */
size_t import_only_devices(const struct import *import, const char *const **devices);

/* Returns the name of the current file, for messages. */
const char *import_source_name(const struct import *import);

#endif
