#include "import/metadata.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/time_unit.h"
#include "import/context.h"
#include "model/file_type.h"
#include "model/partition.h"

struct import *import_of(struct import *import, enum trace_kind kind) {
    struct import_run *run = import->run;

    for (unsigned i = 0; i < run->trace_count; i++) {
        if (run->traces[i].kind == kind) {
            return &run->traces[i];
        }
    }
    return import;
}

void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes) {
    ledger_count(&import->ledger, import->run->source, OUTCOME_REJECTED, reason, offset, bytes);
}

void import_ignored(struct import *import, const char *reason, int64_t offset) {
    ledger_count(&import->ledger, import->run->source, OUTCOME_IGNORED, reason, offset, 0);
}

void import_merged(struct import *import, const char *reason, int64_t offset) {
    ledger_count(&import->ledger, import->run->source, OUTCOME_MERGED, reason, offset, 0);
}

void import_lost(struct import *import, const char *reason, int64_t offset, int64_t count) {
    ledger_add(&import->ledger, &(struct ledger_line){
                                    .source = import->run->source,
                                    .outcome = OUTCOME_LOST,
                                    .reason = reason,
                                    .count = count,
                                    .first_offset = offset,
                                });
}

void import_cpu_event(struct import *import, int64_t cpu, int64_t time) {
    losses_event(&import->run->losses, cpu, time);
}

void import_cpu_missing(struct import *import, int64_t cpu, int64_t count) {
    losses_missing(&import->run->losses, cpu, count);
}

void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset) {
    losses_missing(&import->run->losses, cpu, count);
    import_lost(import, reason, offset, count == EVENT_NONE ? 1 : count);
}

void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset) {
    losses_overrun(&import->run->losses, count);
    import_lost(import, reason, offset, count);
}

void import_forget_losses(struct import *import) {
    losses_forget(&import->run->losses);
}

size_t import_losses_told(const struct import *import) {
    return import->run->losses.gap_count;
}

void import_call_ended(struct import *import, const struct call_part *call, size_t told) {
    call_losses_ended(&import->calls, &import->run->losses, call, told);
}

void import_call_without_end(struct import *import, uint32_t operation, int64_t time) {
    call_losses_without_end(&import->calls, operation, time);
}

void import_call_without_begin(struct import *import, uint32_t operation, int64_t time) {
    call_losses_without_begin(&import->calls, operation, time);
}

void import_calls_unpaired(struct import *import, int64_t without_end, int64_t without_begin) {
    import->calls.without_end = without_end;
    import->calls.without_begin = without_begin;
    import->calls.counted = true;
}

void import_split(struct import *import, const char *reason, int64_t offset) {
    ledger_count(&import->ledger, import->run->source, OUTCOME_SPLIT, reason, offset, 0);
}

void import_remark(struct import *import, const char *format, ...) {
    va_list arguments;
    char *remark = NULL;

    if (import->remark_count == REMARKS) {
        import->remarks_lost++;
        return;
    }
    va_start(arguments, format);
    if (vasprintf(&remark, format, arguments) < 0) {
        remark = NULL;
    }
    va_end(arguments);
    if (remark != NULL) {
        import->remarks[import->remark_count++] = remark;
    }
}

void import_remark_count(struct import *import, int64_t count, const char *format) {
    if (count > 0) {
        import_remark(import, format, (long long)count);
    }
}

struct error *import_failure(struct import *import) {
    struct import_run *run = import->run;
    bool first = !run->failed;

    run->failed = run->ended = true;
    return first ? &run->failure : run->error;
}

bool import_refuse(struct import *import, const char *format, ...) {
    struct error *error = import_failure(import);
    va_list arguments;
    char message[ERROR_MESSAGE_SIZE];

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(error, "%s: %s", import_source_name(import), message);
}

void import_file_types(struct import *import, struct file_types *types) {
    struct error error = {0};

    if (!file_types_init(types, import->run->config, &error)) {
        *import_failure(import) = error;
    }
}

void import_also_means(struct import *import, const struct event_meaning *meaning) {
    if (import->meaning_count < MEANINGS) {
        import->meanings[import->meaning_count++] = meaning;
    }
}

void import_loss_proven(struct import *import, int64_t device) {
    if (import->proven.count < PAIRING_DEVICES) {
        import->proven.devices[import->proven.count++] = device;
    }
}

bool import_loss_told(const struct import *import) {
    return import->run->losses.told;
}

void import_remaps(struct import *import, const struct remap *remaps, size_t count) {
    free(import->remaps);
    import->remaps = count == 0 ? NULL : xmalloc(count * sizeof *import->remaps);
    import->remap_count = count;
    if (count > 0) {
        memcpy(import->remaps, remaps, count * sizeof *remaps);
    }
}

void import_variant(struct import *import, const char *variant) {
    if (import->run->variant[0] == '\0') {
        snprintf(import->run->variant, sizeof import->run->variant, "%s", variant);
    }
}

/* Hours are counted in the device's own time when there is a wall clock. */
static void count_hours(struct import_run *run) {
    for (unsigned i = 0; i < run->trace_count; i++) {
        run->traces[i].tally_context.hour_origin =
            run->start == EVENT_NONE && run->time_of_day != EVENT_NONE
                ? run->time_of_day
                : tally_hour_origin(run->start, run->utc_offset);
    }
}

/* No such log is from the seventies: a clock in their first days counts since a device was switched
 * on. */
#define FIRST_DATE (10 * 365 * DAY)

void import_start(struct import *import, int64_t nanoseconds) {
    struct import_run *run = import->run;

    /* Hours of a trace that goes on are counted already. */
    if (run->start == EVENT_NONE && !run->resuming) {
        if (nanoseconds >= 0 && nanoseconds < FIRST_DATE) {
            import_remark(import,
                          "times begin %lld days after 1970-01-01: no date, but the time since the "
                          "device was switched on; --start gives a date",
                          (long long)(nanoseconds / DAY));
            return;
        }
        run->start = nanoseconds;
    }
    count_hours(run);
}

void import_time_of_day(struct import *import, int64_t nanoseconds) {
    struct import_run *run = import->run;
    int64_t given = run->start == EVENT_NONE ? 0 : tally_hour_origin(run->start, run->utc_offset);
    int64_t time = ((given % DAY) + DAY) % DAY, seconds = nanoseconds / SECOND;

    if (run->resuming) {
        return;
    }
    if (run->start == EVENT_NONE) {
        run->time_of_day = nanoseconds;
        import_remark(import,
                      "times are those of a day that the log does not name: it begins at "
                      "%02d:%02d:%02d, and --start says of which day",
                      (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));
    } else {
        run->start += nanoseconds - time;
        if (time != 0 && time != nanoseconds) {
            import_remark(import, "--start gives the day; the time of day is that of the log");
        }
    }
    count_hours(run);
}

int64_t import_utc_offset(struct import *import, int64_t otherwise) {
    if (import->run->utc_offset == EVENT_NONE) {
        import->run->utc_offset = otherwise;
    }
    return import->run->utc_offset;
}

void import_sessions(struct import *import, int64_t sessions) {
    import->run->sessions = sessions;
}

void import_keep(struct import *import, const char *text) {
    free(import->run->kept);
    import->run->kept = xstrdup(text);
}

const char *import_kept(const struct import *import) {
    return import->run->resumed_rest;
}

void import_refuse_kept(struct import *import) {
    error_set(import_failure(import), "what was kept to go on with the trace is damaged: %s",
              import->run->resumed);
}

const struct config *import_config(const struct import *import) {
    return import->run->config;
}

const char *import_partition(const struct import *import, int64_t device, int64_t sector) {
    return import->run->resuming
               ? partition_find(import->run->partitions.entries, import->run->partitions.count,
                                device, sector)
               : partition_find(import->run->config->partitions,
                                import->run->config->partition_count, device, sector);
}

void import_clock(struct import *import, const struct import_clock *clock) {
    import->run->clock.unit = clock->unit;
    import->run->clock.clocks = clock->clocks;
    import->run->clock.hz = clock->hz;
}

void import_round(struct import *import, int64_t round) {
    import->round = round;
}

void import_without(struct import *import, enum event_place place) {
    import->without |= 1u << place;
}

void import_without_facts(struct import *import, unsigned facts) {
    import->without_facts |= facts;
}

void import_call_overhead(struct import *import, int64_t nanoseconds) {
    import->call_overhead = nanoseconds;
}

int64_t import_record_size(const struct import *import) {
    return import->run->record_size;
}

size_t import_only_devices(const struct import *import, const char *const **devices) {
    *devices = import->run->only_devices;
    return import->run->only_device_count;
}

const char *import_source_name(const struct import *import) {
    return import->run->sources[import->run->source].name;
}
