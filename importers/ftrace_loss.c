#include "ftrace_loss.h"

#include "model/event.h"

/* Events of a heading: sums of any number of lines stay in range. */
#define EVENTS_LIMIT (INT64_C(1) << 40)

static const char record[] = "PERF_RECORD_LOST ";

/* A number, if there is one. False: it is out of range. */
static bool take_count(struct word *rest, int64_t *count) {
    *count = EVENT_NONE;
    return !word_is_digit(word_peek(rest)) || word_next_number(rest, UINT32_MAX, count);
}

/* `lost 123`. */
static bool parse_record(struct word rest, int64_t *lost) {
    return word_accept(&rest, "PERF_RECORD_LOST") && word_accept(&rest, "lost") &&
           word_next_number(&rest, UINT32_MAX, lost) && word_trim(rest).length == 0;
}

bool ftrace_loss_mark(struct word line, int64_t *cpu, int64_t *lost) {
    struct word rest = line;

    if (!word_accept(&rest, "CPU:")) {
        *cpu = EVENT_NONE;
        return word_begins(word_trim(rest), record) && parse_record(rest, lost);
    }
    if (!word_next_number(&rest, UINT32_MAX, cpu) || !word_accept(&rest, "[")) {
        return false;
    }
    if (word_accept(&rest, "LOST")) {
        return take_count(&rest, lost) && word_accept(&rest, "EVENTS]") &&
               word_trim(rest).length == 0;
    }
    return take_count(&rest, lost) && word_accept(&rest, "EVENTS") &&
           word_accept(&rest, "DROPPED]") && word_trim(rest).length == 0;
}

bool ftrace_loss_record(const struct ftrace_line *line, int64_t *lost) {
    return word_begins(line->fields, record) && parse_record(line->fields, lost);
}

bool ftrace_loss_heading(struct word line, int64_t *kept, int64_t *written) {
    return word_accept(&line, "#") && word_accept(&line, "entries-in-buffer/entries-written:") &&
           word_next_number(&line, EVENTS_LIMIT, kept) && word_accept(&line, "/") &&
           word_next_number(&line, EVENTS_LIMIT, written);
}
