#include "model/remap.h"

#include "model/event.h"

/* Returns the entry that counts remaps with these devices and this shift; adds it if needed. */
static struct remap *remap_find(struct remaps *remaps, const struct remap_step *step,
                                int64_t shift) {
    struct remap *last = &remaps->items[remaps->last];
    size_t each = 0;

    if (remaps->count > 0 && last->from == step->from && last->device == step->device &&
        last->shift == shift) {
        return last;
    }
    for (size_t i = 0; i < remaps->count; i++) {
        struct remap *item = &remaps->items[i];

        if (item->from == step->from && item->device == step->device) {
            if (item->shift == shift || item->shift == EVENT_NONE) {
                remaps->last = i;
                return item;
            }
            each++;
        }
    }
    if (remaps->count >= REMAPS_MOST - 1) {
        /* The last entry counts all remaps for which no entry is left. */
        struct remap *rest = &remaps->items[REMAPS_MOST - 1];

        if (remaps->count < REMAPS_MOST) {
            remaps->count = REMAPS_MOST;
            *rest = (struct remap){
                .from = REMAPS_REST,
                .device = REMAPS_REST,
                .shift = EVENT_NONE,
                .first = step->sector,
                .last = step->sector,
            };
        }
        return rest;
    }
    remaps->last = remaps->count++;
    remaps->items[remaps->last] = (struct remap){
        .from = step->from,
        .device = step->device,
        .shift = each < REMAPS_EACH ? shift : EVENT_NONE,
        .first = step->sector,
        .last = step->sector,
    };
    return &remaps->items[remaps->last];
}

static void count_remap(struct remaps *remaps, const struct remap_step *step) {
    int64_t last = step->sector + (step->sectors > 0 ? step->sectors - 1 : 0);
    struct remap *item = remap_find(remaps, step, step->sector - step->from_sector);

    item->count++;
    item->first = step->sector < item->first ? step->sector : item->first;
    item->last = last > item->last ? last : item->last;
}

/* Returns whether the sectors are within a device of INT64_MAX bytes, so sums do not overflow. */
static bool remap_is_sound(const struct remap_step *step) {
    const int64_t most = INT64_MAX / 512;

    return step->sector >= 0 && step->sector <= most && step->from_sector >= 0 &&
           step->from_sector <= most && step->sectors <= most && step->from != EVENT_NONE &&
           step->device != EVENT_NONE;
}

void remaps_note(struct remaps *remaps, const struct remap_step *step) {
    struct remap_step *slot = &remaps->pending[remaps->next];

    if (!remap_is_sound(step)) {
        return;
    }
    for (size_t i = 0; i < REMAPS_PENDING; i++) {
        struct remap_step *earlier = &remaps->pending[i];

        if (earlier->sectors > 0 && earlier->sector == step->from_sector &&
            earlier->sectors == step->sectors && earlier->from != step->from &&
            (earlier->device == step->device || earlier->device == step->from)) {
            earlier->device = step->device;
            earlier->sector = step->sector;
        }
    }
    if (slot->sectors > 0) {
        count_remap(remaps, slot);
    }
    *slot = *step;
    remaps->next = (remaps->next + 1) % REMAPS_PENDING;
}

void remaps_count_pending(struct remaps *remaps) {
    for (size_t i = 0; i < REMAPS_PENDING; i++) {
        const struct remap_step *slot = &remaps->pending[(remaps->next + i) % REMAPS_PENDING];

        if (slot->sectors > 0) {
            count_remap(remaps, slot);
        }
    }
}
