#include "import/ledger.h"

#include <stdlib.h>
#include <string.h>

const char *outcome_name(enum outcome outcome) {
    static const char *const names[OUTCOMES] = {"merged", "ignored", "rejected"};

    return names[outcome];
}

void ledger_free(struct ledger *ledger) {
    free(ledger->lines);
    *ledger = (struct ledger){0};
}

void ledger_next_source(struct ledger *ledger) {
    ledger->source_begin = ledger->line_count;
}

static struct ledger_line *add_line(struct ledger *ledger) {
    if (ledger->line_count == ledger->line_capacity) {
        size_t capacity = ledger->line_capacity == 0 ? 16 : 2 * ledger->line_capacity;
        struct ledger_line *lines = realloc(ledger->lines, capacity * sizeof *lines);

        if (lines == NULL) {
            ledger->failed = true;
            return NULL;
        }
        ledger->lines = lines;
        ledger->line_capacity = capacity;
    }
    return &ledger->lines[ledger->line_count++];
}

void ledger_count(struct ledger *ledger, size_t source, enum outcome outcome, const char *reason,
                  int64_t offset, int64_t bytes) {
    struct ledger_line *line = NULL;

    ledger->totals[outcome]++;
    ledger->lost_bytes += bytes;
    for (size_t i = ledger->source_begin; i < ledger->line_count; i++) {
        if (ledger->lines[i].outcome == outcome && strcmp(ledger->lines[i].reason, reason) == 0) {
            line = &ledger->lines[i];
            break;
        }
    }
    if (line == NULL) {
        line = add_line(ledger);
        if (line == NULL) {
            return;
        }
        *line = (struct ledger_line){
            .source = source, .outcome = outcome, .reason = reason, .first_offset = offset};
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
