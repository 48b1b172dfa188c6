/* What an importer says of a trace beside its events, and what it may ask. */
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

/* The trace that takes events of that kind, one of the importer's `kinds`: names, events and ledger
 * are each trace's own, the rest they have in common. What an importer is given is the trace of the
 * first of its kinds, in order of enum trace_kind; records of unknown kind are in its
 * ledger. Each record belongs to one trace only. */
struct import *import_of(struct import *import, enum trace_kind kind);

/* What the times of the trace are: their unit ("ns" by default: "counter units", "records"),
 * which clocks there are ("wall", "cpu", "wall cpu", "" for positions in the log), and the
 * frequency of a counter that was converted to nanoseconds (0: none). Constant strings; call it
 * before the first event. Without clocks, calls have no duration. */
struct import_clock {
    const char *unit, *clocks;
    int64_t hz;
};
void import_clock(struct import *import, const struct import_clock *clock);

/* No event of the trace has this column, so that it means nothing there. */
void import_without(struct import *import, enum event_place place);

/* The log does not state a set of facts, FACT(…) of model/meaning.h, though others of its format
 * do.
 */
void import_without_facts(struct import *import, unsigned facts);

/* The profiling round of the trace, from 1. */
void import_round(struct import *import, int64_t round);

/* What measuring a call cost, in nanoseconds of both its records, where the log itself says so. */
void import_call_overhead(struct import *import, int64_t nanoseconds);

/* The ledger. `reason` is a constant string, of which an importer has a few; `offset` is
 * where in the file the record begins; `bytes` how many bytes were lost with it. */
void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes);
void import_ignored(struct import *import, const char *reason, int64_t offset);
void import_merged(struct import *import, const char *reason, int64_t offset);

/* The log says at `offset` that `count` (above 0) records are not in it, for lack of room when it
 * was written. They are no records of the file; the head of every report names their number. */
void import_lost(struct import *import, const char *reason, int64_t offset, int64_t count);

/* Losses by CPU (losses.h), of all traces of the log. The next event of a CPU, in the order of the
 * log, whatever becomes of it: importers whose logs can tell of losses call this for each.
 * EVENT_NONE: the log does not name the CPU. */
void import_cpu_event(struct import *import, int64_t cpu, int64_t time);

/* Events of a CPU (EVENT_NONE: of any) are missing between its event before and its next one.
 * `count` (above 0) EVENT_NONE: the log does not say how many. It is told to import_lost(), too; as
 * 1 where it is not known. */
void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset);

/* The same, but the ledger gets nothing yet: for importers that find out only at the end of the log
 * whether it was a loss, and call import_lost() or import_forget_losses() then. */
void import_cpu_missing(struct import *import, int64_t cpu, int64_t count);
void import_forget_losses(struct import *import);

/* The kernel's buffers overwrote `count` events before the first one that is in the log. */
void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset);

/* Calls whose begin and end are two lines, where lines are missing (call_losses.h). How many losses
 * the log has told so far; that a call has ended, where these are more than `told` were when it
 * began; that the end or the begin of one is missing, as other lines of its thread prove, which
 * began or ended at `time`. Where the log has the durations of calls, only how many lack an end or
 * a begin is told, once at the end: no call is doubted. */
size_t import_losses_told(const struct import *import);
void import_call_ended(struct import *import, const struct call_part *call, size_t told);
void import_call_without_end(struct import *import, uint32_t operation, int64_t time);
void import_call_without_begin(struct import *import, uint32_t operation, int64_t time);
void import_calls_unpaired(struct import *import, int64_t without_end, int64_t without_begin);

/* The file that is being read, from 0; and that what is given from now on is of another one that
 * was read before, for importers that hold events back over several files. */
size_t import_source_number(const struct import *import);
void import_go_to_source(struct import *import, size_t file);

/* The record at `offset` of the file that is being read is earlier by `by` (above 0, in units of
 * the clock) than the one before it. The ledger, a remark and the `#` lines of all reports of the
 * log's traces tell how many are, and by how much at most. The driver finds out itself where the
 * importer says so (`tells_earlier`). */
void import_earlier(struct import *import, int64_t by, int64_t offset);

/* The record at `offset` of the file has made one event more than one, for the `reason`, a constant
 * string. Reports then say how many records the log has, beside the events. */
void import_split(struct import *import, const char *reason, int64_t offset);

/* The import fails: nothing that was given is kept. Returns what error_set() is to fill in. */
struct error *import_failure(struct import *import);

/* It fails for the file that is being read, whose name stands before the message. Returns false. */
bool import_refuse(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A remark with one number (%lld), where that is above 0. */
void import_remark_count(struct import *import, int64_t count, const char *format)
    __attribute__((format(printf, 3, 0)));

/* file_types_init() by the configuration; the import fails where that does. */
void import_file_types(struct import *import, struct file_types *types);

/* Something that the reader of a report should know, shown by `show`. At most 64 a trace are
 * kept. */
void import_remark(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One more meaning than the importer has for all of its traces; it is constant. Up to 4 a trace. */
void import_also_means(struct import *import, const struct event_meaning *meaning);

/* Requests of the device (EVENT_NONE: not known) prove that events are missing from the log: some
 * lack an issue or a completion. Once a device, at the end; the pairs of such a device are made
 * anew (import/pairing.h). */
void import_loss_proven(struct import *import, int64_t device);

/* Whether the log has reported losses so far. */
bool import_loss_told(const struct import *import);

/* How I/Os went on to devices below, once at the end; copied. */
void import_remaps(struct import *import, const struct remap *remaps, size_t count);

/* How the format was written: "pdb", "text", …; copied. The first one stays. */
void import_variant(struct import *import, const char *variant);

/* Wall clock of time 0, nanoseconds since 1970 UTC. --start and --utc-offset take precedence. What
 * is within ten years of 1970 is no date, and is remarked on. */
void import_start(struct import *import, int64_t nanoseconds);

/* The time of day of time 0, nanoseconds since midnight by the device's clock, of a log that does
 * not say of which day. --start gives the day and nothing more. */
void import_time_of_day(struct import *import, int64_t nanoseconds);

/* Minutes east of UTC that the device's clock was at: --utc-offset, else `otherwise`, which is the
 * trace's from then on; EVENT_NONE: not known. Call it before import_start(). */
int64_t import_utc_offset(struct import *import, int64_t otherwise);

/* How many sessions (boots) the trace has so far; 1 by default. */
void import_sessions(struct import *import, int64_t sessions);

/* What begin() needs to go on when files are appended to the trace later, behind the numbers of
 * `importer.resume`: text of the importer's own, given in end() and handed out in begin(); NULL
 * when the trace is new. import_failure() says so when it is damaged. */
void import_keep(struct import *import, const char *text);
const char *import_kept(const struct import *import);
void import_refuse_kept(struct import *import);

/* The configuration; never NULL. */
const struct config *import_config(const struct import *import);

/* The partition of an I/O: of the trace when it goes on, else of the configuration. Borrowed. */
const char *import_partition(const struct import *import, int64_t device, int64_t sector);

/* --record-size, 0 when not given. */
int64_t import_record_size(const struct import *import);

/* How many devices --only-device chooses, by what the user calls them, which is borrowed; 0: all of
 * the log. */
size_t import_only_devices(const struct import *import, const char *const **devices);

/* The name of the file that is being read, for messages. */
const char *import_source_name(const struct import *import);

#endif
