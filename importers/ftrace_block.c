/* The fields of block events, which are in four forms (include/trace/events/block.h of Linux):
 *
 *     block_rq_issue: 7,0 RA 4096 () 411520 + 8 be,0,4 [mount]     a request
 *     block_rq_complete: 7,0 RA () 411520 + 8 be,0,4 [0]           its end: an error for the
 * process block_bio_queue: 7,0 RA 411520 + 8 [mount]                   an I/O block_bio_remap: 7,0
 * RA 411520 + 8 <- (259,0) 409472
 *
 * Bytes stand in a request for what has no sectors; in the brackets is a driver's command; the
 * priority, since Linux 6.9, is one word. Letters that blktrace does not have are put into its own.
 */
#include "ftrace_block.h"

#include "block_text.h"

enum { LETTERS = 16 };

/* Reasons in the ledger. */
static const char bad_fields[] = "fields are not those of the block event";
static const char bad_letters[] = "unknown letter in rwbs";
static const char bad_numbers[] = "sector or length is not a number in range";
static const char doubled[] = "block event that says what block_rq_issue and _complete say";
static const char doubled_bio[] = "block_bio_complete of a device whose requests complete";
static const char buffer[] = "block event of a buffer, not of an I/O";
static const char of_zone[] = "block event of zones";
static const char traced[] = "line of the tracer blk, whose block events are in the log";
static const char message[] = "message (action m)";

enum form {
    FORM_REQUEST, /* bytes, a command and a priority */
    FORM_BIO,
    FORM_REMAP,
    FORM_PLUG, /* no more than the process, and how many requests */
    FORM_IGNORED,
};

static const struct block_event {
    const char *name;
    enum form form;
    const char *action;
    const char *reason; /* why it is ignored */
} events[] = {
    /* In order of name. */
    {"blkdev_zone_mgmt", FORM_IGNORED, NULL, of_zone},
    {"block_bio_backmerge", FORM_BIO, "M", NULL},
    {"block_bio_complete", FORM_BIO, "C", NULL},
    {"block_bio_frontmerge", FORM_BIO, "F", NULL},
    {"block_bio_queue", FORM_BIO, "Q", NULL},
    {"block_bio_remap", FORM_REMAP, "A", NULL},
    {"block_dirty_buffer", FORM_IGNORED, NULL, buffer},
    {"block_getrq", FORM_BIO, "G", NULL},
    {"block_io_done", FORM_IGNORED, NULL, doubled},
    {"block_io_start", FORM_IGNORED, NULL, doubled},
    {"block_plug", FORM_PLUG, "P", NULL},
    {"block_rq_complete", FORM_REQUEST, "C", NULL},
    {"block_rq_error", FORM_IGNORED, NULL, doubled},
    {"block_rq_insert", FORM_REQUEST, "I", NULL},
    {"block_rq_issue", FORM_REQUEST, "D", NULL},
    {"block_rq_merge", FORM_REQUEST, "M", NULL},
    {"block_rq_remap", FORM_REMAP, "A", NULL},
    {"block_rq_requeue", FORM_REQUEST, "R", NULL},
    {"block_split", FORM_BIO, "X", NULL},
    {"block_touch_buffer", FORM_IGNORED, NULL, buffer},
    {"block_unplug", FORM_PLUG, "U", NULL},
};

static const struct block_event *find_event(const struct ftrace_line *line) {
    return ftrace_line_event(line, events, sizeof events / sizeof events[0], sizeof events[0]);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* rwbs. Zones are neither read nor written by what is done to them (ZR …), but for an append (ZA);
 * E, a secure erase, stands behind D, and U, an atomic write, at the end. */
static bool parse_letters(struct word word, uint32_t *flags) {
    char letters[LETTERS];
    size_t length = 0;

    if (word.length > LETTERS) {
        return false;
    }
    if (word_begins(word, "Z") && !word_begins(word, "ZA")) {
        return block_parse_rwbs(word_of("N"), flags);
    }
    for (size_t i = 0; i < word.length; i++) {
        char letter = word.bytes[i];

        if (letter == 'Z') {
            letters[length++] = 'W';
            i++;
        } else if ((letter == 'E' && i > 0 && word.bytes[i - 1] == 'D') ||
                   (letter == 'U' && i > 0 && i == word.length - 1)) {
            continue;
        } else {
            letters[length++] = letter;
        }
    }
    return block_parse_rwbs((struct word){letters, length}, flags);
}

/* `4096 ()`, the bytes of a request and a driver's command. */
static const char *parse_command(struct word *rest, int64_t *bytes, bool *is_command) {
    const char *close;

    *bytes = 0;
    if (word_is_digit(word_peek(rest)) &&
        !word_next_number(rest, (int64_t)BLOCK_IO_BLOCKS * SECTOR_SIZE, bytes)) {
        return bad_numbers;
    }
    if (!word_accept(rest, "(") || (close = memchr(rest->bytes, ')', rest->length)) == NULL) {
        return bad_fields;
    }
    *is_command = close > rest->bytes;
    word_skip(rest, (size_t)(close - rest->bytes) + 1);
    return NULL;
}

/* `411520 + 8`, or of a split `411520 / 411528`. */
static const char *parse_extent(struct word *rest, struct block_request *request) {
    if (!block_text_sector(rest, &request->sector)) {
        return bad_numbers;
    }
    if (word_accept(rest, "+")) {
        return word_next_number(rest, BLOCK_IO_BLOCKS, &request->blocks) ? NULL : bad_numbers;
    }
    if (!block_has_action(request, 'X') || !word_accept(rest, "/")) {
        return bad_fields;
    }
    return block_text_sector(rest, &request->value) ? NULL : bad_numbers;
}

/* As blkparse has it: a command of a driver is told by its bytes, and has no sector; and what has
 * no length has one only when it completes. */
static void settle(struct block_request *request, int64_t bytes, bool is_command) {
    bool no_data = io_class_of(request->flags) == IO_OTHER && request->blocks == 0 &&
                   request->sector <= 0 &&
                   (request->flags & (IO_FLAG_FLUSH | IO_FLAG_DISCARD)) == 0;

    if (is_command || no_data) {
        request->sector = EVENT_NONE;
        request->blocks = bytes / SECTOR_SIZE;
    }
    if (request->blocks == 0 && !block_has_action(request, 'C')) {
        request->sector = EVENT_NONE;
    }
}

/* Behind the device and rwbs of a request. */
static const char *parse_request(struct word *rest, struct block_request *request) {
    const char *damage;
    int64_t bytes;
    bool is_command;

    if ((damage = parse_command(rest, &bytes, &is_command)) != NULL ||
        (damage = parse_extent(rest, request)) != NULL) {
        return damage;
    }
    if (word_peek(rest) != '[') {
        word_next(rest); /* the priority */
    }
    settle(request, bytes, is_command);
    return block_text_bracket(rest, request);
}

static const char *parse_fields(struct word rest, enum form form, struct block_request *request) {
    const char *damage;

    if (form == FORM_PLUG) {
        return block_text_bracket(&rest, request);
    }
    if (!block_text_device(&rest, &request->device)) {
        return bad_fields;
    }
    if (!parse_letters(word_next(&rest), &request->flags)) {
        return bad_letters;
    }
    if (form == FORM_REQUEST) {
        return parse_request(&rest, request);
    }
    if ((damage = parse_extent(&rest, request)) != NULL) {
        return damage;
    }
    settle(request, 0, false);
    if (form == FORM_BIO) {
        return block_text_bracket(&rest, request);
    }
    return word_accept(&rest, "<-") ? block_text_origin(&rest, true, request) : bad_fields;
}

/* --- what is said twice ----------------------------------------------------------------------- */

static bool is_completing(const struct ftrace_block *state, int64_t device) {
    for (size_t i = 0; i < state->completing_count; i++) {
        if (state->completing[i] == device) {
            return true;
        }
    }
    return false;
}

static void note_completing(struct ftrace_block *state, int64_t device) {
    if (!is_completing(state, device) && state->completing_count < FTRACE_BLOCK_DEVICES) {
        state->completing[state->completing_count++] = device;
    }
}

/* An I/O completes behind its request; device mappers and others have no requests. */
static bool is_doubled(struct ftrace_block *state, const struct block_event *event,
                       const struct block_request *request) {
    if (!block_has_action(request, 'C')) {
        return false;
    }
    if (event->form == FORM_REQUEST) {
        note_completing(state, request->device);
        return false;
    }
    if (!is_completing(state, request->device)) {
        return false;
    }
    state->doubled++;
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Whether it is a line of the tracer blk, which prints blktrace's actions:
 * `7,0    A  RA 411520 + 8 …` */
static bool ftrace_block_is_traced(const struct ftrace_line *line) {
    struct word rest = line->fields;
    int64_t device;

    return line->event.length == 0 && block_text_device(&rest, &device) && rest.length > 0 &&
           word_is_blank(*rest.bytes);
}

static enum ftrace_taken parse_traced(const struct ftrace_line *line, struct block_request *request,
                                      const char **reason) {
    struct word rest = line->fields;
    bool is_message;

    block_text_device(&rest, &request->device);
    *reason = block_text_action(&rest, request, &is_message);
    if (*reason != NULL) {
        return FTRACE_DAMAGED;
    }
    *reason = message;
    return is_message ? FTRACE_IGNORED : FTRACE_REQUEST;
}

enum ftrace_taken ftrace_block_parse(struct ftrace_block *state, const struct ftrace_line *line,
                                     bool has_events, struct block_request *request,
                                     const char **reason) {
    const struct block_event *event;

    *request = block_text_request();
    request->time = line->time;
    request->pid = line->tid;
    if (ftrace_block_is_traced(line)) {
        if (!has_events) {
            return parse_traced(line, request, reason);
        }
        state->traced++;
        *reason = traced;
        return FTRACE_IGNORED;
    }
    event = find_event(line);
    if (event == NULL) {
        return FTRACE_OTHER;
    }
    if (event->form == FORM_IGNORED) {
        *reason = event->reason;
        state->accounted += word_begins(line->event, "block_io_");
        return FTRACE_IGNORED;
    }
    request->action = event->action;
    request->action_length = 1;
    request->flags = IO_OTHER;
    if ((*reason = parse_fields(line->fields, event->form, request)) != NULL) {
        return FTRACE_DAMAGED;
    }
    *reason = doubled_bio;
    return is_doubled(state, event, request) ? FTRACE_IGNORED : FTRACE_REQUEST;
}

void ftrace_block_remark(struct import *import, const struct ftrace_block *state) {
    if (state->doubled > 0) {
        import_remark(
            import,
            "%lld completions of I/Os are passed over (block_bio_complete): they end with "
            "their requests, whose completions are in the log",
            (long long)state->doubled);
    }
    if (state->traced > 0) {
        import_remark(
            import,
            "%lld lines of the tracer blk are passed over: the log has block events, too, "
            "which say the same",
            (long long)state->traced);
    }
}
