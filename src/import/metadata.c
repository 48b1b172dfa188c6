#include "import/metadata.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "import/context.h"
#include "model/file_type.h"
#include "model/partition.h"

struct import *import_of_kind(struct import *import, enum trace_kind kind) {
    struct import_run *run = import->run;

    for (unsigned i = 0; i < run->trace_count; i++) {
        if (run->traces[i].kind == kind) {
            return &run->traces[i];
        }
    }
    return import;
}

size_t import_count_reported_losses(const struct import *import) {
    return import->run->losses.gap_count;
}

void import_calls_unpaired(struct import *import, int64_t without_end, int64_t without_begin) {
    import->calls.without_end = without_end;
    import->calls.without_begin = without_begin;
    import->calls.counted = true;
}

/* --- ledger ----------------------------------------------------------------------------------- */

void ledger_free(struct ledger *ledger) {
    free(ledger->lines);
    free(ledger->firsts);
    *ledger = (struct ledger){0};
}

/* Grows an array of `size`-byte elements by doubling, until `index` fits. Returns the array. */
static void *metadata_grow(void *elements, size_t *capacity, size_t size, size_t index) {
    size_t more = *capacity == 0 ? 16 : *capacity;

    while (more <= index) {
        more *= 2;
    }
    if (more > *capacity) {
        elements = xreallocarray(elements, more, size);
        memset((char *)elements + *capacity * size, 0, (more - *capacity) * size);
        *capacity = more;
    }
    return elements;
}

/* Appends a ledger line for a file. `last`: index + 1 of the file's last line so far; 0: none. */
static struct ledger_line *metadata_add_line(struct ledger *ledger, size_t source, size_t last) {
    ledger->lines = metadata_grow(ledger->lines, &ledger->line_capacity, sizeof *ledger->lines,
                                  ledger->line_count);
    ledger->firsts =
        metadata_grow(ledger->firsts, &ledger->source_capacity, sizeof *ledger->firsts, source);
    *(last == 0 ? &ledger->firsts[source] : &ledger->lines[last - 1].next) = ++ledger->line_count;
    return &ledger->lines[ledger->line_count - 1];
}

/* Finds the ledger line of a file, outcome and reason. A linear search suffices, since importers
 * use few reasons. */
static struct ledger_line *metadata_find_line(struct ledger *ledger, size_t source,
                                              enum outcome outcome, const char *reason,
                                              size_t *last) {
    size_t number = source < ledger->source_capacity ? ledger->firsts[source] : 0;

    *last = 0;
    while (number != 0) {
        struct ledger_line *line = &ledger->lines[number - 1];

        if (line->outcome == outcome &&
            (line->reason == reason || strcmp(line->reason, reason) == 0)) {
            return line;
        }
        *last = number;
        number = line->next;
    }
    return NULL;
}

void ledger_add(struct ledger *ledger, const struct ledger_line *from) {
    size_t last;
    struct ledger_line *line =
        metadata_find_line(ledger, from->source, from->outcome, from->reason, &last);

    add_saturated(&ledger->totals[from->outcome], from->count);
    ledger->lost_bytes += from->bytes;
    if (line == NULL) {
        line = metadata_add_line(ledger, from->source, last);
        *line = *from;
        line->next = 0;
        return;
    }
    add_saturated(&line->count, from->count);
    line->bytes += from->bytes;
    if (from->first_offset < line->first_offset) {
        line->first_offset = from->first_offset;
    }
    line->end = from->end > line->end ? from->end : line->end;
}

static void count_outcome(struct import *import, enum outcome outcome, const char *reason,
                          int64_t offset, int64_t bytes) {
    ledger_add(&import->ledger, &(struct ledger_line){
                                    .source = import->run->source,
                                    .outcome = outcome,
                                    .reason = reason,
                                    .count = 1,
                                    .first_offset = offset,
                                    .bytes = bytes,
                                    .end = offset + bytes,
                                });
}

const struct ledger_line *ledger_top_rejection(const struct ledger *ledger) {
    const struct ledger_line *worst = NULL;

    for (size_t i = 0; i < ledger->line_count; i++) {
        const struct ledger_line *line = &ledger->lines[i];

        if (line->outcome == OUTCOME_REJECTED && (worst == NULL || line->count > worst->count)) {
            worst = line;
        }
    }
    return worst;
}

void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes) {
    count_outcome(import, OUTCOME_REJECTED, reason, offset, bytes);
}

void import_ignored(struct import *import, const char *reason, int64_t offset) {
    count_outcome(import, OUTCOME_IGNORED, reason, offset, 0);
}

void import_merged(struct import *import, const char *reason, int64_t offset) {
    count_outcome(import, OUTCOME_MERGED, reason, offset, 0);
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

void import_count_extra_event(struct import *import, const char *reason, int64_t offset) {
    count_outcome(import, OUTCOME_SPLIT, reason, offset, 0);
}

void import_count_non_call(struct import *import, const char *reason, int64_t offset) {
    count_outcome(import, OUTCOME_NO_CALL, reason, offset, 0);
}

/* --- losses of events reported by the log ----------------------------------------------------- */

void losses_free(struct losses *losses) {
    free(losses->cpus);
    free(losses->gaps);
    *losses = (struct losses){0};
}

/* --- CPUs ------------------------------------------------------------------------------------- */

/* Returns the index of a CPU in losses.cpus, or where to insert it. */
static size_t metadata_place_of(const struct losses *losses, int64_t cpu) {
    size_t low = 0, high = losses->cpu_count;

    SEARCH(low, high, middle, losses->cpus[middle].cpu < cpu);
    return low;
}

static bool metadata_is_at(const struct losses *losses, size_t place, int64_t cpu) {
    return place < losses->cpu_count && losses->cpus[place].cpu == cpu;
}

/* Returns the data of a CPU; adds a new CPU. */
static struct loss_cpu *metadata_find_cpu(struct losses *losses, int64_t cpu) {
    uint16_t *slot = &losses->slots[(uint64_t)cpu % LOSS_SLOTS];
    size_t place = *slot;

    if (metadata_is_at(losses, place, cpu)) {
        return &losses->cpus[place];
    }
    place = metadata_place_of(losses, cpu);
    if (!metadata_is_at(losses, place, cpu)) {
        /* The last free entry is for the unknown CPU. */
        if (losses->cpu_count + 1 >= LOSS_CPUS && cpu != EVENT_NONE) {
            return metadata_find_cpu(losses, EVENT_NONE);
        }
        struct loss_cpu *cpus =
            array_grow(losses->cpus, losses->cpu_count, &losses->cpu_capacity, sizeof *cpus);

        losses->cpus = cpus;
        memmove(&cpus[place + 1], &cpus[place], (losses->cpu_count - place) * sizeof *cpus);
        cpus[place] = (struct loss_cpu){.cpu = cpu, .first = EVENT_NONE, .last = EVENT_NONE};
        losses->cpu_count++;
    }
    *slot = (uint16_t)place;
    return &losses->cpus[place];
}

/* --- gaps: times of losses -------------------------------------------------------------------- */

/* Ends the gap with index `*open` - 1 at the time of the first event after the loss. */
static void metadata_end_gap(struct losses *losses, size_t *open, int64_t time) {
    struct loss_gap *gap = &losses->gaps[*open - 1];

    *open = 0;
    if (gap->from != EVENT_NONE && time < gap->from) {
        gap->to = gap->from;
        gap->from = time;
    } else {
        gap->to = time;
    }
}

/* Begins a gap at time `from`; returns false if there are too many gaps. */
static bool begin_gap(struct losses *losses, int64_t cpu, int64_t from) {
    if (losses->gap_count == LOSS_GAPS) {
        return false;
    }
    *ARRAY_NEW(losses->gaps, losses->gap_count, losses->gap_capacity) =
        (struct loss_gap){cpu, from, EVENT_NONE};
    return true;
}

static int64_t last_time_of_all_cpus(const struct losses *losses) {
    int64_t last = EVENT_NONE;

    for (size_t i = 0; i < losses->cpu_count; i++) {
        last = losses->cpus[i].last > last ? losses->cpus[i].last : last;
    }
    return last;
}

/* Begins a gap for a loss on a CPU, unless its last gap is still open. For the unknown CPU, begins
 * a gap of all CPUs. */
static void note_gap(struct losses *losses, struct loss_cpu *at) {
    bool all = at->cpu == EVENT_NONE;
    size_t *open = all ? &losses->open_all : &at->open_gap;

    if (*open != 0) {
        return;
    }
    if (begin_gap(losses, at->cpu, all ? last_time_of_all_cpus(losses) : at->last)) {
        at->last_gap = losses->gap_count;
    }
    *open = at->last_gap;
}

static int order_gaps_by_start(const void *left, const void *right) {
    const struct loss_gap *a = left, *b = right;

    return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
                              : (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

void losses_finish(struct losses *losses) {
    if (losses->gap_count > 1) {
        qsort(losses->gaps, losses->gap_count, sizeof *losses->gaps, order_gaps_by_start);
    }
    losses->open_all = 0;
    for (size_t i = 0; i < losses->cpu_count; i++) {
        losses->cpus[i].open_gap = losses->cpus[i].last_gap = 0;
    }
}

/* --- events and losses reported by importers -------------------------------------------------- */

void import_cpu_event(struct import *import, int64_t cpu, int64_t time) {
    struct losses *losses = &import->run->losses;
    struct loss_cpu *at = metadata_find_cpu(losses, cpu);

    if (at->events++ == 0) {
        at->first = at->last = time;
    } else if (time > at->last) {
        at->last = time;
    } else if (time < at->first) {
        at->first = time;
    }
    if (at->open_gap != 0) {
        metadata_end_gap(losses, &at->open_gap, time);
    }
    if (losses->open_all != 0) {
        metadata_end_gap(losses, &losses->open_all, time);
    }
}

void import_cpu_missing(struct import *import, int64_t cpu, int64_t count) {
    struct losses *losses = &import->run->losses;
    struct loss_cpu *at = metadata_find_cpu(losses, cpu);

    losses->reported = true;
    if (count == EVENT_NONE) {
        at->uncounted++;
    } else {
        add_saturated(&at->lost, count);
    }
    note_gap(losses, at);
}

void import_cpu_lost(struct import *import, int64_t cpu, int64_t count, const char *reason,
                     int64_t offset) {
    import_cpu_missing(import, cpu, count);
    import_lost(import, reason, offset, count == EVENT_NONE ? 1 : count);
}

void import_overrun(struct import *import, int64_t count, const char *reason, int64_t offset) {
    struct losses *losses = &import->run->losses;
    struct loss_cpu *at = metadata_find_cpu(losses, EVENT_NONE);

    losses->reported = losses->overrun = true;
    add_saturated(&losses->overwritten, count);
    add_saturated(&at->lost, count);
    import_lost(import, reason, offset, count);
}

void import_clear_losses(struct import *import) {
    struct losses *losses = &import->run->losses;

    losses->reported = losses->overrun = false;
    losses->overwritten = 0;
    losses->gap_count = 0;
    losses->open_all = 0;
    for (size_t i = 0; i < losses->cpu_count; i++) {
        struct loss_cpu *at = &losses->cpus[i];

        at->lost = at->uncounted = 0;
        at->open_gap = at->last_gap = 0;
    }
}

/* --- results of losses ------------------------------------------------------------------------ */

/* Finds the CPUs whose events begin first and last in a log after an overrun, ignoring idle CPUs.
 * Sets both to NULL if there was no overrun, or there are fewer than two CPUs. */
static void find_ends(const struct losses *losses, const struct loss_cpu **early,
                      const struct loss_cpu **late) {
    int64_t most = 0;
    size_t known = 0;

    *early = *late = NULL;
    for (size_t i = 0; i < losses->cpu_count; i++) {
        const struct loss_cpu *at = &losses->cpus[i];

        if (at->cpu != EVENT_NONE && at->events > 0) {
            known++;
            most = at->events > most ? at->events : most;
        }
    }
    for (size_t i = 0; losses->overrun && known > 1 && i < losses->cpu_count; i++) {
        const struct loss_cpu *at = &losses->cpus[i];

        if (at->cpu != EVENT_NONE && at->events > 0 && at->events >= (most + 3) / 4) {
            *early = *early == NULL || at->first < (*early)->first ? at : *early;
            *late = *late == NULL || at->first > (*late)->first ? at : *late;
        }
    }
}

int64_t losses_complete_since(const struct losses *losses) {
    const struct loss_cpu *early, *late;

    find_ends(losses, &early, &late);
    return late == NULL ? EVENT_NONE : late->first;
}

struct losses_begin losses_begin(const struct losses *losses) {
    const struct loss_cpu *early, *late;
    struct losses_begin begin = {0};

    find_ends(losses, &early, &late);
    if (late != NULL) {
        begin = (struct losses_begin){early->cpu, late->cpu,
                                      subtract_saturated(late->first, early->first)};
    }
    return begin;
}

int64_t losses_count_events(const struct losses *losses) {
    int64_t events = 0;

    for (size_t i = 0; i < losses->cpu_count; i++) {
        events += losses->cpus[i].events;
    }
    return events;
}

/* --- calls across losses ---------------------------------------------------------------------- */

static void note_stretch(struct call_losses *calls, uint32_t operation, int64_t length) {
    struct call_stretch *stretch;

    HASH_FIND(hh, calls->stretches, &operation, sizeof operation, stretch);
    if (stretch == NULL && HASH_COUNT(calls->stretches) < CALL_NAMES) {
        stretch = xcalloc(1, sizeof *stretch);
        stretch->operation = operation;
        HASH_ADD(hh, calls->stretches, operation, sizeof stretch->operation, stretch);
    }
    if (stretch != NULL && length > stretch->longest) {
        stretch->longest = length;
    }
}

/* Returns whether the loss lies within the call, and on its CPU: then the call may have ended and
 * the thread's next call of this name begun during the loss. */
static bool metadata_is_within(const struct loss_gap *gap, const struct call_part *call,
                               int64_t end) {
    bool of_its_cpu = gap->cpu == EVENT_NONE || call->began_on == EVENT_NONE ||
                      gap->cpu == call->began_on || gap->cpu == call->ended_on;

    return of_its_cpu && gap->from != EVENT_NONE && gap->from >= call->time &&
           (gap->to == EVENT_NONE || gap->to <= end);
}

void import_call_ended(struct import *import, const struct call_part *call, size_t reported) {
    const struct losses *losses = &import->run->losses;
    struct call_losses *calls = &import->calls;
    int64_t end = call->time + call->duration, first = INT64_MAX, last = INT64_MIN, longest = -1;
    struct call_across *across;

    for (size_t i = reported; i < losses->gap_count; i++) {
        const struct loss_gap *gap = &losses->gaps[i];
        int64_t to = gap->to == EVENT_NONE ? end : gap->to;

        if (i == reported + CALL_LOSSES_EACH / 2 && losses->gap_count - i > CALL_LOSSES_EACH / 2) {
            i = losses->gap_count - CALL_LOSSES_EACH / 2;
        }
        if (metadata_is_within(gap, call, end)) {
            first = gap->from < first ? gap->from : first;
            last = to > last ? to : last;
            longest = to - gap->from > longest ? to - gap->from : longest;
        }
    }
    if (longest < 0) {
        return;
    }
    note_stretch(calls, call->operation, first - call->time);
    note_stretch(calls, call->operation, end - last);
    across = calls->across_count == CALLS_ACROSS
                 ? NULL
                 : array_grow(calls->across, calls->across_count, &calls->across_capacity,
                              sizeof *across);
    if (across != NULL) {
        calls->across = across;
        across[calls->across_count++] = (struct call_across){
            call->time, call->duration, call->operation, call->actor, longest,
        };
    }
}

static void note_unpaired(struct call_losses *calls, uint32_t operation, int64_t time) {
    size_t place = calls->unpaired_count++;

    if (place >= CALLS_UNPAIRED) {
        place = CALLS_UNPAIRED / 2 + place % (CALLS_UNPAIRED / 2);
    }
    calls->unpaired[place] = (struct call_unpaired){operation, time};
}

void import_call_without_end(struct import *import, uint32_t operation, int64_t time) {
    import->calls.without_end++;
    note_unpaired(&import->calls, operation, time);
}

void import_call_without_begin(struct import *import, uint32_t operation, int64_t time) {
    import->calls.without_begin++;
    note_unpaired(&import->calls, operation, time);
}

/* --- facts about the trace -------------------------------------------------------------------- */

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
    struct text form = {0};

    if (count > 0) {
        text_append_plural(&form, format, count);
        import_remark(import, text_string(&form), (long long)count);
        text_free(&form);
    }
}

struct error *import_failure(struct import *import) {
    struct import_run *run = import->run;
    bool first = !run->failed;

    run->failed = true;
    run->ended = true;
    return first ? &run->failure : run->error;
}

bool import_fail_file(struct import *import, const char *format, ...) {
    struct error *error = import_failure(import);
    va_list arguments;
    char message[ERROR_MESSAGE_SIZE];

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_absent(error, "%s: %s", import_source_name(import), message);
}

void import_file_types(struct import *import, struct file_types *types) {
    struct error error = {0};

    if (!file_types_init(types, import->run->config, &error)) {
        *import_failure(import) = error;
    }
}

void import_add_meaning(struct import *import, const struct event_meaning *meaning) {
    if (import->meaning_count < MEANINGS) {
        import->meanings[import->meaning_count++] = meaning;
    }
}

void import_declare_loss(struct import *import, int64_t device) {
    if (import->proven.count < PAIRING_DEVICES) {
        import->proven.devices[import->proven.count++] = device;
    }
}

bool import_loss_was_reported(const struct import *import) {
    return import->run->losses.reported;
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

/* Sets where hour 0 of the traces begins, for counts by hour: in the device's local time if a wall
 * clock or time of day is known. */
static void count_hours(struct import_run *run) {
    for (unsigned i = 0; i < run->trace_count; i++) {
        run->traces[i].tally_context.hour_origin =
            run->start == EVENT_NONE && run->time_of_day != EVENT_NONE
                ? run->time_of_day
                : tally_hour_origin(run->start, run->utc_offset);
    }
}

/* A start before 1980 is no date, since no log is that old: the clock counts from the device's
 * boot. */
#define FIRST_DATE (10 * 365 * DAY)

void import_set_start_time(struct import *import, int64_t nanoseconds) {
    struct import_run *run = import->run;

    /* An appended trace keeps its start, because its events are already counted by hour. */
    if (run->start == EVENT_NONE && !run->resuming) {
        if (nanoseconds >= 0 && nanoseconds < FIRST_DATE) {
            import_remark(import,
                          "times begin %lld days after 1970-01-01, so they seem to count from when "
                          "the device was switched on; --start sets the date",
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
                      "the log begins at %02d:%02d:%02d of an unknown day; --start sets the day",
                      (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));
    } else {
        run->start += nanoseconds - time;
        if (time != 0 && time != nanoseconds) {
            import_remark(import,
                          "of --start, only the day is used; the log gives the time of day");
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

void import_save_state(struct import *import, const char *text) {
    free(import->run->kept);
    import->run->kept = xstrdup(text);
}

const char *import_saved_state(const struct import *import) {
    return import->run->resumed_rest;
}

void import_refuse_saved_state(struct import *import) {
    error_set(import_failure(import), "the saved state for appending to the trace is damaged: %s",
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

void import_set_profiling_round(struct import *import, int64_t round) {
    import->round = round;
}

void import_declare_column_absent(struct import *import, enum event_place place) {
    import->without |= 1u << place;
}

void import_declare_facts_absent(struct import *import, unsigned facts) {
    import->without_facts |= facts;
}

void import_declare_facts_present(struct import *import, unsigned facts) {
    import->with_facts |= facts;
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
