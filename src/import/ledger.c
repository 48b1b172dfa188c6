#include "import/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "base/memory.h"

const char *outcome_name(enum outcome outcome) {
    static const char *const names[OUTCOMES] = {"merged", "ignored", "rejected",
                                                "lost",   "earlier", "split"};

    return names[outcome];
}

void ledger_free(struct ledger *ledger) {
    free(ledger->lines);
    free(ledger->firsts);
    *ledger = (struct ledger){0};
}

/* Doubles `*capacity` elements of `size` bytes until there are more than `index`. */
static void *grow(void *elements, size_t *capacity, size_t size, size_t index) {
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

/* Appends a new line to the source. `last` is the number of its last line so far, 0: none. */
static struct ledger_line *add_line(struct ledger *ledger, size_t source, size_t last) {
    ledger->lines =
        grow(ledger->lines, &ledger->line_capacity, sizeof *ledger->lines, ledger->line_count);
    ledger->firsts = grow(ledger->firsts, &ledger->source_capacity, sizeof *ledger->firsts, source);
    *(last == 0 ? &ledger->firsts[source] : &ledger->lines[last - 1].next) = ++ledger->line_count;
    return &ledger->lines[ledger->line_count - 1];
}

/* An importer has a few reasons, mostly the same one again and again. */
static struct ledger_line *find_line(struct ledger *ledger, size_t source, enum outcome outcome,
                                     const char *reason, size_t *last) {
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
    struct ledger_line *line = find_line(ledger, from->source, from->outcome, from->reason, &last);

    add_saturated(&ledger->totals[from->outcome], from->count);
    ledger->lost_bytes += from->bytes;
    if (line == NULL) {
        line = add_line(ledger, from->source, last);
        *line = *from;
        line->next = 0;
        return;
    }
    add_saturated(&line->count, from->count);
    line->bytes += from->bytes;
    if (from->first_offset < line->first_offset) {
        line->first_offset = from->first_offset;
    }
}

void ledger_count(struct ledger *ledger, size_t source, enum outcome outcome, const char *reason,
                  int64_t offset, int64_t bytes) {
    ledger_add(ledger, &(struct ledger_line){
                           .source = source,
                           .outcome = outcome,
                           .reason = reason,
                           .count = 1,
                           .first_offset = offset,
                           .bytes = bytes,
                       });
}

const struct ledger_line *ledger_worst(const struct ledger *ledger) {
    const struct ledger_line *worst = NULL;

    for (size_t i = 0; i < ledger->line_count; i++) {
        const struct ledger_line *line = &ledger->lines[i];

        if (line->outcome == OUTCOME_REJECTED && (worst == NULL || line->count > worst->count)) {
            worst = line;
        }
    }
    return worst;
}
