#include "scan/sieve.h"

#include <stdlib.h>

#include "model/partition.h"
#include "base/memory.h"

/* By the rules of the tally of partitions. */
static bool read_partitions(struct sieve *sieve, const struct sieve_scope *scan,
                            const struct name_set *names, struct error *error) {
    struct partitions *partitions = &sieve->partitions;

    if (!partitions_read(scan->database, scan->trace, partitions, error) ||
        !devices_read(&sieve->devices, scan->database, scan->trace, error)) {
        return false;
    }
    sieve->partition_passes = xcalloc(partitions->count + 1, sizeof *sieve->partition_passes);
    for (size_t i = 0; i < partitions->count; i++) {
        sieve->partition_passes[i] = name_set_passes(names, partitions->entries[i].name);
    }
    sieve->partition_passes[partitions->count] = name_set_passes(names, PARTITION_UNMAPPED);
    return true;
}

/* Of spans: calls that were open at the end have times, unless the selection leaves them out. Those
 * that are corrected are among the corrected ones. */
static bool read_open(struct sieve *sieve, const struct sieve_scope *scan, struct error *error) {
    const struct selection *selection = scan->selection;

    if (selection == NULL || selection->leave_open || selection->times == CALL_TIMES_CORRECTED ||
        selection->traces[0].trace->kind != TRACE_SPANS ||
        (scan->fields & (EVENT_DURATION | EVENT_SELF | EVENT_CPU)) == 0) {
        return true;
    }
    if (!open_times_read(&sieve->open, scan->database, scan->first, scan->last, error)) {
        return false;
    }
    sieve->fields |= sieve->open.count > 0 ? (unsigned)EVENT_FLAGS : 0;
    return true;
}

/* What is of a device above, where the trace says so. */
static uint32_t flags_out(const struct selection *selection, int64_t trace) {
    for (size_t i = 0;
         selection != NULL && selection->filter.devices == DEVICES_TOP && i < selection->count;
         i++) {
        if (selection->traces[i].trace->id == trace &&
            catalog_meaning(selection->traces[i].trace, "flags", "below") != NULL) {
            return IO_FLAG_BELOW;
        }
    }
    return 0;
}

bool sieve_init(struct sieve *sieve, const struct sieve_scope *scan, struct error *error) {
    static const struct filter everything;
    const struct selection *selection = scan->selection;
    const struct filter *filter = selection == NULL ? &everything : &selection->filter;

    *sieve = (struct sieve){
        .action = scan->action,
        .by_operation = filter_by_operation(filter),
        .by_actor = filter_by_actor(filter),
        .by_object = filter_by_object(filter),
        .by_source = selection != NULL && filter_by_object(filter) &&
                     (scan->fields & EVENT_SOURCE) != 0 &&
                     selection->traces[0].trace->kind == TRACE_CALLS,
        .by_partition = filter_has(filter, FILTER_PARTITION),
        .classes_out = filter->classes_out,
        .evidence_out = filter->evidence_out,
        .flags_out = flags_out(selection, scan->trace),
    };
    sieve->fields =
        (sieve->by_operation || sieve->action != EVENT_NONE ? (unsigned)EVENT_OPERATION : 0) |
        (sieve->by_actor ? (unsigned)EVENT_ACTOR : 0) |
        (sieve->by_object ? (unsigned)EVENT_OBJECT : 0) |
        (sieve->by_source ? (unsigned)EVENT_SOURCE : 0) |
        (sieve->by_partition ? (unsigned)EVENT_OBJECT | EVENT_ADDRESS : 0) |
        ((sieve->classes_out | sieve->evidence_out | sieve->flags_out) != 0 ? (unsigned)EVENT_FLAGS
                                                                            : 0);
    return (!sieve->by_operation ||
            id_set_read(&sieve->operations, selection, SELECTED_OPERATIONS, scan->trace, error)) &&
           (!sieve->by_actor ||
            id_set_read(&sieve->actors, selection, SELECTED_ACTORS, scan->trace, error)) &&
           (!sieve->by_object ||
            id_set_read(&sieve->objects, selection, SELECTED_OBJECTS, scan->trace, error)) &&
           (!sieve->by_partition ||
            read_partitions(sieve, scan, &filter->names[FILTER_PARTITION], error)) &&
           read_open(sieve, scan, error);
}

void sieve_free(struct sieve *sieve) {
    id_set_free(&sieve->operations);
    id_set_free(&sieve->actors);
    id_set_free(&sieve->objects);
    partitions_free(&sieve->partitions);
    devices_free(&sieve->devices);
    open_times_free(&sieve->open);
    free(sieve->partition_passes);
}

static bool passes_partition(const struct sieve *sieve, uint32_t object, int64_t sector) {
    return sieve
        ->partition_passes[partition_index(sieve->partitions.entries, sieve->partitions.count,
                                           devices_find(&sieve->devices, object), sector)];
}

static bool passes_flags(const struct sieve *sieve, uint32_t flags) {
    return (sieve->classes_out >> io_class_of(flags) & 1) == 0 &&
           (sieve->evidence_out >> io_evidence_of(flags) & 1) == 0 &&
           (sieve->flags_out & flags) == 0;
}

/* --- events ----------------------------------------------------------------------------------- */

/* Each puts those of the places whose events pass into `kept`, which may be the same array. No
 * branch depends on what the events hold. */

static size_t keep_ids(const struct id_set *set, const uint32_t *ids, const uint32_t *places,
                       uint32_t *kept, size_t count) {
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = places[i];

        kept[left] = at;
        left += id_set_has(set, ids[at]);
    }
    return left;
}

/* Those that were done to a file of the set, or copied from one: who looks at both takes of each
 * event what is of the set. */
static size_t keep_sides(const struct id_set *set, const struct event_columns *columns,
                         const uint32_t *places, uint32_t *kept, size_t count) {
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = places[i], source = columns->source[at];

        kept[left] = at;
        left += (unsigned)id_set_has(set, columns->object[at]) |
                ((unsigned)(source != 0) & (unsigned)id_set_has(set, source));
    }
    return left;
}

/* Nothing is 0, which no action is. */
static size_t keep_action(int64_t action, const uint32_t *operations, const uint32_t *places,
                          uint32_t *kept, size_t count) {
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = places[i];

        kept[left] = at;
        left += operations[at] != 0 && operations[at] == action;
    }
    return left;
}

static size_t keep_flags(const struct sieve *sieve, const uint32_t *flags, const uint32_t *places,
                         uint32_t *kept, size_t count) {
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = places[i];

        kept[left] = at;
        left += passes_flags(sieve, flags[at]);
    }
    return left;
}

static size_t keep_partitions(const struct sieve *sieve, const struct event_columns *columns,
                              const uint32_t *places, uint32_t *kept, size_t count) {
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = places[i];

        kept[left] = at;
        left += passes_partition(sieve, columns->object[at], columns->address[at]);
    }
    return left;
}

size_t sieve_events(const struct sieve *sieve, const struct event_columns *columns, unsigned asked,
                    const uint32_t **places, uint32_t *kept, size_t count) {
    unsigned ask = ~asked;

    if (sieve->action != EVENT_NONE && (ask & EVENT_OPERATION)) {
        count = keep_action(sieve->action, columns->operation, *places, kept, count);
        *places = kept;
    }
    if (sieve->by_operation && (ask & EVENT_OPERATION)) {
        count = keep_ids(&sieve->operations, columns->operation, *places, kept, count);
        *places = kept;
    }
    if (sieve->by_actor && (ask & EVENT_ACTOR)) {
        count = keep_ids(&sieve->actors, columns->actor, *places, kept, count);
        *places = kept;
    }
    if (sieve->by_source) {
        count = keep_sides(&sieve->objects, columns, *places, kept, count);
        *places = kept;
    } else if (sieve->by_object && (ask & EVENT_OBJECT)) {
        count = keep_ids(&sieve->objects, columns->object, *places, kept, count);
        *places = kept;
    }
    if ((sieve->classes_out | sieve->evidence_out | sieve->flags_out) != 0 && (ask & EVENT_FLAGS)) {
        count = keep_flags(sieve, columns->flags, *places, kept, count);
        *places = kept;
    }
    if (sieve->by_partition) {
        count = keep_partitions(sieve, columns, *places, kept, count);
        *places = kept;
    }
    return count;
}

/* --- values ----------------------------------------------------------------------------------- */

bool sieve_asks(const struct sieve *sieve, enum event_field field) {
    switch (field) {
    case EVENT_FIELD_OPERATION:
        return sieve->action != EVENT_NONE || sieve->by_operation;
    case EVENT_FIELD_ACTOR:
        return sieve->by_actor;
    case EVENT_FIELD_OBJECT:
        return sieve->by_object && !sieve->by_source;
    case EVENT_FIELD_FLAGS:
        return (sieve->classes_out | sieve->evidence_out | sieve->flags_out) != 0;
    default:
        return false;
    }
}

bool sieve_passes(const struct sieve *sieve, enum event_field field, int64_t value) {
    /* As the columns have it. */
    uint32_t number = value == EVENT_NONE ? 0 : (uint32_t)value;

    switch (field) {
    case EVENT_FIELD_OPERATION:
        return (sieve->action == EVENT_NONE || (number != 0 && number == sieve->action)) &&
               (!sieve->by_operation || id_set_has(&sieve->operations, number));
    case EVENT_FIELD_ACTOR:
        return id_set_has(&sieve->actors, number);
    case EVENT_FIELD_OBJECT:
        return id_set_has(&sieve->objects, number);
    default:
        return passes_flags(sieve, number);
    }
}

/* --- chunks ----------------------------------------------------------------------------------- */

/* Of events without an id nothing is known. */
static bool may_have(const struct id_set *set, const struct event_chunk_part *part) {
    return set->has_none || (part->size > 0 && id_set_has_between(set, part->least, part->most));
}

bool sieve_may_pass(const struct sieve *sieve, const struct event_chunk_part *parts) {
    const struct event_chunk_part *operations = &parts[EVENT_FIELD_OPERATION];

    return (sieve->action == EVENT_NONE ||
            (operations->size > 0 && operations->least <= sieve->action &&
             operations->most >= sieve->action)) &&
           (!sieve->by_operation || may_have(&sieve->operations, operations)) &&
           (!sieve->by_actor || may_have(&sieve->actors, &parts[EVENT_FIELD_ACTOR])) &&
           (!sieve->by_object || may_have(&sieve->objects, &parts[EVENT_FIELD_OBJECT]) ||
            (sieve->by_source && parts[EVENT_FIELD_SOURCE].size > 0));
}
