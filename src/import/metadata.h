/* Facts about a trace, besides its events, that an importer can set or read. */
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
 * are separate for each trace; all else is common. An importer is given the trace of its first
 * kind, in order of enum trace_kind; the ledger of that trace counts records of unknown kind. Each
 * record belongs to one trace only. */
struct import *import_of_kind(struct import *import, enum trace_kind kind);

/* Describes the times of the trace: unit ("ns" by default, "counter units", "records"), clocks
 * ("wall", "cpu", "wall cpu", "" for positions in the log), and the frequency of a counter that was
 * converted to nanoseconds (0: none). Constant strings. Call it before the first event. Without
 * clocks, calls have no duration. */
struct import_clock {
    const char *unit, *clocks;
    int64_t hz;
};
void import_clock(struct import *import, const struct import_clock *clock);

/* Declares that no event of the trace has the column `place`, so the column has no meaning. */
void import_declare_column_absent(struct import *import, enum event_place place);

/* Declares that the log lacks a set of facts, FACT(…) of model/meaning.h, that other logs of its
 * format state.
 */
void import_without_facts(struct import *import, unsigned facts);

/* Declares that the log has facts which its format does not promise. */
void import_with_facts(struct import *import, unsigned facts);

/* Sets the profiling round of the trace, from 1. */
void import_set_profiling_round(struct import *import, int64_t round);

/* Sets what measuring a call costs, in nanoseconds for both its records, if the log says it.
 */
void import_call_overhead(struct import *import, int64_t nanoseconds);

/* Add a record to the ledger. `reason` is a constant string, one of a few of the importer; `offset`
 * is the record's position in the file; `bytes` is the number of bytes lost with the record. */
void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes);
void import_ignored(struct import *import, const char *reason, int64_t offset);
void import_merged(struct import *import, const char *reason, int64_t offset);

/* Records that the log, at `offset`, reports `count` (above 0) records as lost for lack of space.
 * Lost records are not in the file; the header of every report shows their number. */
void import_lost(struct import *import, const char *reason, int64_t offset, int64_t count);

/* Records an event of a CPU, so that losses can be attributed to CPUs (losses.h), for all traces of
 * the log. Importers whose logs can report losses call this for each event, in log order, also for
 * rejected and ignored ones. EVENT_NONE: unknown CPU. */
void import_cpu_event(struct import *import, int64_t cpu, int64_t time);

/* Reports that events of a CPU (EVENT_NONE: any) are missing between its previous and its next
 * event. `count` (above 0) may be EVENT_NONE for unknown. Also calls import_lost(), with 1 for an
 * unknown number. */
void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset);

/* Like import_cpu_lost() without a ledger entry, for importers that know only at the end of the log
 * whether events were lost. They then call import_lost() or import_clear_losses(). */
void import_cpu_missing(struct import *import, int64_t cpu, int64_t count);
void import_clear_losses(struct import *import);

/* Reports that the kernel's buffers overwrote `count` events before the first one in the log. */
void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset);

/* Incomplete calls with separate begin and end lines (call_losses.h).
 * import_count_reported_losses(): number of losses reported so far. import_call_ended(): a call has
 * ended; `reported` is the number of losses when it began. import_call_without_end(),
 * import_call_without_begin(): other lines of the thread prove a missing end or begin of a call
 * that began or ended at `time`. import_calls_unpaired(): for logs with durations, only the numbers
 * of calls without end or begin, once at the end; no call is doubted. */
size_t import_count_reported_losses(const struct import *import);
void import_call_ended(struct import *import, const struct call_part *call, size_t reported);
void import_call_without_end(struct import *import, uint32_t operation, int64_t time);
void import_call_without_begin(struct import *import, uint32_t operation, int64_t time);
void import_calls_unpaired(struct import *import, int64_t without_end, int64_t without_begin);

/* import_source_number() returns the index of the current file. import_go_to_source() attributes
 * the following events to a file read earlier, for importers that hold back events across files. */
size_t import_source_number(const struct import *import);
void import_go_to_source(struct import *import, size_t file);

/* Records that the record at `offset` of the current file is earlier by `by` (above 0, in clock
 * units) than the record before it. The ledger, a remark and the `#` lines of all reports of the
 * log's traces show the number of such records and the maximum. Called by src/import if the
 * importer sets `tells_earlier`. */
void import_count_earlier_record(struct import *import, int64_t by, int64_t offset);

/* Records that the record at `offset` has made an additional event, with a constant `reason`.
 * Reports then show the number of records besides events. */
void import_count_extra_event(struct import *import, const char *reason, int64_t offset);

/* Records that the record at `offset`, in a trace of spans, made a row that is no call. `reason` is
 * a constant string. */
void import_count_non_call(struct import *import, const char *reason, int64_t offset);

/* Makes the import fail and discards all its events. Returns the error for error_set(). */
struct error *import_failure(struct import *import);

/* Makes the import fail for the current file, whose name precedes the message. Returns false. */
bool import_refuse(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a remark with one number (%lld), if that is above 0. The words take singular or plural form
 * by the number (text_append_plural()). */
void import_remark_count(struct import *import, int64_t count, const char *format)
    __attribute__((format(printf, 3, 0)));

/* Calls file_types_init() with the configuration; a failure makes the import fail. */
void import_file_types(struct import *import, struct file_types *types);

/* Adds a remark on the trace, which the command `show` prints. At most 64 per trace are kept. */
void import_remark(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a constant meaning of a column to those that the importer declares for all of its traces. At
 * most 4 per trace. */
void import_also_means(struct import *import, const struct event_meaning *meaning);

/* Declares that requests of the device (EVENT_NONE: unknown) lack issues or completions, which
 * proves that the log lost events. Call once per device, at the end; its requests are then paired
 * again (import/pairing.h). */
void import_declare_loss(struct import *import, int64_t device);

/* Whether the log has reported a loss of events so far. */
bool import_loss_was_reported(const struct import *import);

/* Sets how I/Os of devices map to lower devices, once at the end; copied. */
void import_remaps(struct import *import, const struct remap *remaps, size_t count);

/* Sets the variant of the format: "pdb", "text", …; copied. Only the first call has effect. */
void import_variant(struct import *import, const char *variant);

/* Sets the wall clock of time 0, nanoseconds since 1970 UTC. --start and --utc-offset take
 * precedence. A time within ten years of 1970 is not a date and causes a remark. */
void import_start(struct import *import, int64_t nanoseconds);

/* Sets the time of day at time 0, nanoseconds since midnight on the device's clock, for a log
 * without date. --start then gives only the day. */
void import_time_of_day(struct import *import, int64_t nanoseconds);

/* Returns the minutes east of UTC of the device's clock: --utc-offset, or `otherwise`, which is
 * then stored with the trace; EVENT_NONE: unknown. Call it before import_start(). */
int64_t import_utc_offset(struct import *import, int64_t otherwise);

/* Sets the number of sessions (boots of the device) in the log so far; 1 by default. */
void import_sessions(struct import *import, int64_t sessions);

/* Text for begin() of a later append, in addition to the numbers of `importer.resume`.
 * import_save_state() stores it in end(), import_saved_state() returns it in begin(), or NULL for a
 * new trace. import_refuse_saved_state() reports that the text is damaged. */
void import_save_state(struct import *import, const char *text);
const char *import_saved_state(const struct import *import);
void import_refuse_saved_state(struct import *import);

/* Returns the configuration; never NULL. */
const struct config *import_config(const struct import *import);

/* Returns the partition of an I/O: from the trace when appending, otherwise from the configuration.
 * Borrowed. */
const char *import_partition(const struct import *import, int64_t device, int64_t sector);

/* Returns the argument of --record-size, 0 if not given. */
int64_t import_record_size(const struct import *import);

/* Returns the number of devices in --only-device, and their names, borrowed; 0: all devices. */
size_t import_only_devices(const struct import *import, const char *const **devices);

/* Returns the name of the current file, for messages. */
const char *import_source_name(const struct import *import);

#endif
