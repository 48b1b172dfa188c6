#include "import/ledger.h"

#include <stdlib.h>
#include <string.h>

const char *outcome_name(enum outcome outcome) {
    static const char *const names[OUTCOMES] = {"merged", "ignored", "rejected"};

    return names[outcome];
}

void ledger_free(struct ledger *ledger) {
    free(ledger->lines);
    free(ledger->first);
    *ledger = (struct ledger){0};
}

static bool know_source(struct ledger *ledger, size_t source) {
    size_t count = source + 1;
    size_t *first;

    if (source < ledger->source_count) {
        return true;
    }
    first = realloc(ledger->first, count * sizeof *first);
    if (first == NULL) {
        return false;
    }
    memset(first + ledger->source_count, 0, (count - ledger->source_count) * sizeof *first);
    ledger->first = first;
    ledger->source_count = count;
    return true;
}

/* Adds a line without counts; NULL when out of memory. */
static struct ledger_line *add_line(struct ledger *ledger, const struct ledger_line *line) {
    if (ledger->line_count == ledger->line_capacity) {
        size_t capacity = ledger->line_capacity == 0 ? 16 : 2 * ledger->line_capacity;
        struct ledger_line *lines = realloc(ledger->lines, capacity * sizeof *lines);

        if (lines == NULL) {
            return NULL;
        }
        ledger->lines = lines;
        ledger->line_capacity = capacity;
    }
    if (!know_source(ledger, line->source)) {
        return NULL;
    }
    ledger->lines[ledger->line_count] = *line;
    ledger->lines[ledger->line_count].next = ledger->first[line->source];
    ledger->first[line->source] = ledger->line_count + 1;
    return &ledger->lines[ledger->line_count++];
}

/* A source has few lines: an importer has a fixed number of reasons. */
static struct ledger_line *find_line(const struct ledger *ledger, size_t source,
                                     enum outcome outcome, const char *reason) {
    size_t place = source < ledger->source_count ? ledger->first[source] : 0;

    while (place != 0) {
        struct ledger_line *line = &ledger->lines[place - 1];

        if (line->outcome == outcome && strcmp(line->reason, reason) == 0) {
            return line;
        }
        place = line->next;
    }
    return NULL;
}

void ledger_count(struct ledger *ledger, size_t source, enum outcome outcome, const char *reason,
                  int64_t offset, int64_t bytes) {
    struct ledger_line *line = find_line(ledger, source, outcome, reason);

    ledger->totals[outcome]++;
    ledger->lost_bytes += bytes;
    if (line == NULL) {
        line = add_line(ledger, &(struct ledger_line){.source = source,
                                                      .outcome = outcome,
                                                      .reason = reason,
                                                      .first_offset = offset});
    }
    if (line == NULL) {
        ledger->failed = true;
        return;
    }
    line->count++;
    line->bytes += bytes;
    if (offset < line->first_offset) {
        line->first_offset = offset;
    }
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
