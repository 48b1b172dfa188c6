#include "model/io_groups.h"

#include <string.h>

#include "base/saturate.h"
#include "base/time_unit.h"

static void begin(struct io_groups *groups, const struct tally_context *context, int64_t time) {
    uint64_t hour = (uint64_t)tally_hour(context, time) * (uint64_t)HOUR;

    memset(groups->slots, 0, sizeof groups->slots);
    groups->begins = (int64_t)(hour - (uint64_t)context->hour_origin);
}

/* The slot of a group: its number, or 0 when there is none. */
static inline uint8_t *find_slot(struct io_groups *groups, uint32_t operation, uint32_t flags) {
    uint64_t hash = ((uint64_t)operation << 32 | flags) * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = hash >> 32 & (IO_GROUP_SLOTS - 1);

    for (;; slot = (slot + 1) & (IO_GROUP_SLOTS - 1)) {
        unsigned number = groups->slots[slot];

        if (number == 0 || (groups->groups[number - 1].operation == operation &&
                            groups->groups[number - 1].flags == flags)) {
            return &groups->slots[slot];
        }
    }
}

static void add_group(struct io_groups *groups, const struct event *event) {
    size_t number = groups->count++;

    groups->groups[number].time = event->time;
    groups->groups[number].operation = event->operation;
    groups->groups[number].flags = event->flags;
    groups->events[number] = 0;
    groups->bytes[number] = 0;
}

size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count) {
    if (groups->count == 0 && count > 0) {
        begin(groups, context, events[0].time);
    }
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        uint8_t *slot = find_slot(groups, event->operation, event->flags);

        if (groups->count > 0 &&
            ((uint64_t)event->time - (uint64_t)groups->begins >= (uint64_t)HOUR ||
             (*slot == 0 && groups->count == IO_GROUPS))) {
            return i;
        }
        if (*slot == 0) {
            add_group(groups, event);
            *slot = (uint8_t)groups->count;
        }
        groups->events[*slot - 1]++;
        if (event->size != EVENT_NONE) {
            add_saturated(&groups->bytes[*slot - 1], event->size);
        }
    }
    return count;
}

struct tally_events io_groups_events(const struct io_groups *groups) {
#define FIELD(name) .name = { &groups->groups->name, sizeof *groups->groups }
    return (struct tally_events){FIELD(time), FIELD(operation), FIELD(flags),
                                 .alike = groups->events, .bytes = groups->bytes};
#undef FIELD
}
