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

/* Returns the trace for events of a kind, which must be one of the importer's `kinds`. Names,
 * events and ledger are separate for each trace; all else is shared. The importer's functions get
 * the trace of its first kind, in order of enum trace_kind, whose ledger counts records of unknown
 * kind. Each record must be counted in one trace only. */
struct import *import_of_kind(struct import *import, enum trace_kind kind);

/* Describes the times of the trace: unit ("ns" by default, "counter units", "records"), clocks
 * ("wall", "cpu", "wall cpu", "" for positions in the log), and the frequency of a counter that was
 * converted to nanoseconds (0: none). Constant strings. Must be called before the first event.
 * Without clocks, calls have no duration. */
struct import_clock {
    const char *unit, *clocks;
    int64_t hz;
};
void import_clock(struct import *import, const struct import_clock *clock);

/* Declares that no event of the trace has the column `place`, so no meaning is stored for it. */
void import_declare_column_absent(struct import *import, enum event_place place);

/* Declares that the log does not state some facts, FACT(…) of model/meaning.h, that other logs of
 * its format state. */
void import_declare_facts_absent(struct import *import, unsigned facts);

/* Declares that the log states facts, FACT(…), that logs of its format need not state. */
void import_declare_facts_present(struct import *import, unsigned facts);

/* Sets the number of the profiling round that the trace is from, counted from 1. */
void import_set_profiling_round(struct import *import, int64_t round);

/* Sets the time that measuring adds to a call, for its entry and exit records together, if the log
 * states it. */
void import_call_overhead(struct import *import, int64_t nanoseconds);

/* Add a record to the ledger (counts of records by outcome and reason). `reason`: one of a few
 * constant strings of the importer. `offset`: byte offset of the record in the file. `bytes`:
 * number of bytes lost with the record. */
void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes);
void import_ignored(struct import *import, const char *reason, int64_t offset);
void import_merged(struct import *import, const char *reason, int64_t offset);

/* Counts `count` (above 0) records that the log, at byte `offset`, reports as lost for lack of
 * space. Lost records are not in the file; the header of every report shows their number. */
void import_lost(struct import *import, const char *reason, int64_t offset, int64_t count);

/* Counts an event of a CPU, so that losses can be attributed to CPUs (losses.h), for all traces of
 * the log. Importers whose logs can report losses call this for each event in log order, also for
 * rejected and ignored ones. EVENT_NONE: unknown CPU. */
void import_cpu_event(struct import *import, int64_t cpu, int64_t time);

/* Reports that events of a CPU (EVENT_NONE: any) are missing between its previous and its next
 * event. `count`: above 0; EVENT_NONE: unknown. Also calls import_lost(), with 1 for an unknown
 * number. */
void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset);

/* import_cpu_missing() reports missing events as import_cpu_lost() does, but without a ledger
 * entry: for importers that know only at the end of the log whether events were lost. They then
 * call import_lost() or import_clear_losses(). */
void import_cpu_missing(struct import *import, int64_t cpu, int64_t count);
void import_clear_losses(struct import *import);

/* Reports that the kernel's buffers overwrote `count` events before the first one in the log. */
void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset);

/* Incomplete calls with separate begin and end lines (call_losses.h).
 * import_count_reported_losses(): number of losses reported so far. import_call_ended(): a call has
 * ended; `reported` is the number of losses when it began. import_call_without_end(),
 * import_call_without_begin(): other lines of the thread prove a missing end or begin of a call
 * that began or ended at `time`. import_calls_unpaired(): for logs that state durations, called
 * once at the end with the numbers of calls without end or begin; no call is doubted then. */
size_t import_count_reported_losses(const struct import *import);
void import_call_ended(struct import *import, const struct call_part *call, size_t reported);
void import_call_without_end(struct import *import, uint32_t operation, int64_t time);
void import_call_without_begin(struct import *import, uint32_t operation, int64_t time);
void import_calls_unpaired(struct import *import, int64_t without_end, int64_t without_begin);

/* import_source_number() returns the index of the current file. import_switch_source() attributes
 * the next events to a file read earlier, for importers that hold back events across files. */
size_t import_source_number(const struct import *import);
void import_switch_source(struct import *import, size_t file);

/* Counts the record at byte `offset` of the current file, which is earlier by `by` (above 0, in
 * clock units) than the record before it. The ledger, a remark and the `#` lines of all reports of
 * the log's traces show the number of such records and the maximum. Called by src/import if the
 * importer sets `tells_earlier`. */
void import_count_earlier_record(struct import *import, int64_t by, int64_t offset);

/* Counts an additional event made from the record at byte `offset`. `reason` is a constant string.
 * Reports then show the number of records besides that of events. */
void import_count_extra_event(struct import *import, const char *reason, int64_t offset);

/* Counts a row that is no call, made from the record at byte `offset` in a trace of spans. `reason`
 * is a constant string. */
void import_count_non_call(struct import *import, const char *reason, int64_t offset);

/* Makes the import fail and discards its events. Returns the error, to be set by error_set(). */
struct error *import_failure(struct import *import);

/* Makes the import fail for the current file, whose name begins the message. Returns false. */
bool import_fail_file(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a remark with a number (%lld) if `count` is above 0. Words get singular or plural form by
 * the number (text_append_plural()). */
void import_remark_count(struct import *import, int64_t count, const char *format)
    __attribute__((format(printf, 3, 0)));

/* Calls file_types_init() with the configuration. Makes the import fail if that fails. */
void import_file_types(struct import *import, struct file_types *types);

/* Adds a remark on the trace, which the command `show` prints. Limit: 64 remarks per trace. */
void import_remark(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a constant meaning of a column to those in the importer's definition, which are for all its
 * traces. At most 4 per trace. */
void import_add_meaning(struct import *import, const struct event_meaning *meaning);

/* Declares that requests of the device (EVENT_NONE: unknown) lack issues or completions, which
 * proves that the log lost events. Must be called once per device, at the end; the device's
 * requests are then paired again (import/pairing.h). */
void import_declare_loss(struct import *import, int64_t device);

/* Whether the log has reported a loss of events so far. */
bool import_loss_was_reported(const struct import *import);

/* Sets the mappings of I/Os from upper to lower devices, which are copied. Must be called once, at
 * the end. */
void import_remaps(struct import *import, const struct remap *remaps, size_t count);

/* Sets the variant of the format: "pdb", "text", …; copied. Later calls have no effect. */
void import_variant(struct import *import, const char *variant);

/* Sets the wall clock at time 0, in nanoseconds since 1970 UTC. --start and --utc-offset take
 * precedence. A time within ten years of 1970 is not taken as a date, but causes a remark. */
void import_set_start_time(struct import *import, int64_t nanoseconds);

/* Sets the time of day at time 0, in nanoseconds since midnight on the device's clock, for a log
 * without a date. --start then gives only the day. */
void import_time_of_day(struct import *import, int64_t nanoseconds);

/* Returns the device clock's offset in minutes east of UTC: --utc-offset, or `otherwise`. Stores it
 * with the trace. EVENT_NONE: unknown. Must be called before import_set_start_time(). */
int64_t import_utc_offset(struct import *import, int64_t otherwise);

/* Sets the number of sessions (boots of the device) in the log so far; 1 by default. */
void import_sessions(struct import *import, int64_t sessions);

/* A text that the importer stores with the trace, besides the numbers of `importer.resume`, for
 * appending files later. import_save_state(): called in end(), stores the text.
 * import_saved_state(): called in begin(), returns the stored text; NULL if the trace is new.
 * import_refuse_saved_state(): sets the error that the stored text is damaged. */
void import_save_state(struct import *import, const char *text);
const char *import_saved_state(const struct import *import);
void import_refuse_saved_state(struct import *import);

/* Returns the configuration; never NULL. */
const struct config *import_config(const struct import *import);

/* Returns the name of the partition with a sector: when appending, as stored with the trace; else
 * from the configuration. Borrowed. */
const char *import_partition(const struct import *import, int64_t device, int64_t sector);

/* Returns the argument of --record-size, 0 if not given. */
int64_t import_record_size(const struct import *import);

/* Returns the number of devices in --only-device, and their names (borrowed); 0: all devices. */
size_t import_only_devices(const struct import *import, const char *const **devices);

/* Returns the name of the current file, for messages. */
const char *import_source_name(const struct import *import);

#endif
