#include "strace_sniff.h"

#include <string.h>

#include "base/time_unit.h"
#include "lines.h"
#include "strace_deed.h"
#include "strace_join.h"
#include "strace_time.h"

enum {
    ENOUGH = 3,    /* lines that make a log */
    JUDGED = 2000, /* lines that are looked at to find out what a log is */
};

struct judgement {
    int good, bad;
    int output; /* lines behind one that was cut, which are bad unless its rest comes */
    struct strace_held held;
    bool leads, sure; /* lines have a head; one is of strace alone */
    bool other;       /* one is of another tool */
    bool in_summary;
};

/* The rest of what was cut did not come. */
static void give_up_held(struct judgement *judgement) {
    judgement->bad += judgement->held.is ? 1 + judgement->output : 0;
    judgement->output = 0;
    judgement->held.is = false;
}

/* A line that is none by itself. */
static void judge_part(struct judgement *judgement, struct word line, struct strace_line *parsed) {
    int64_t attached;
    bool memory;

    if (parsed->form == STRACE_CUT) {
        give_up_held(judgement);
        strace_hold(&judgement->held, line, 0, 0, &attached);
    } else if (!judgement->held.is) {
        judgement->bad++;
    } else if (strace_join(&judgement->held, line, parsed, &memory)) {
        judgement->good += 2;
        judgement->output = 0;
    } else {
        judgement->output++;
    }
}

/* ltrace prints system calls as SYS_brk; old strace those that it does not know as SYS_328. */
static bool is_of_ltrace(const struct strace_line *parsed) {
    const char *opens = memchr(parsed->body.bytes, '(', parsed->body.length);
    const struct word before = {parsed->body.bytes,
                                opens == NULL ? 0 : (size_t)(opens - parsed->body.bytes)};

    return strace_has(before, "->") || word_begins(parsed->body, "+++ exited (status ") ||
           word_is(parsed->name, "__libc_start_main") ||
           (word_begins(parsed->name, "SYS_") && parsed->name.length > 4 &&
            !word_is_digit(parsed->name.bytes[4]));
}

static void judge_line(struct judgement *judgement, struct word line, struct text *plain) {
    struct strace_line parsed;
    const char *damage;

    if (!strace_clean(&line, plain) || (judgement->in_summary && strace_is_of_summary(line))) {
        return;
    }
    damage = strace_parse(line, &parsed);
    judgement->in_summary = damage == NULL && parsed.form == STRACE_SUMMARY;
    judgement->other = judgement->other || is_of_ltrace(&parsed);
    if (damage != NULL) {
        judgement->bad++;
        return;
    }
    strace_find_inside(line, &parsed);
    if (parsed.form == STRACE_BLANK || parsed.form == STRACE_SUMMARY) {
        return;
    }
    if (parsed.form == STRACE_OTHER || parsed.form == STRACE_CUT) {
        judge_part(judgement, line, &parsed);
        return;
    }
    if (parsed.form <= STRACE_SUPERSEDED) {
        give_up_held(judgement);
    }
    judgement->good++;
    judgement->leads = judgement->leads || parsed.body.bytes > line.bytes;
    judgement->sure = judgement->sure || parsed.form == STRACE_UNFINISHED ||
                      parsed.form == STRACE_RESUMED || parsed.form == STRACE_EXITED ||
                      word_is(parsed.name, "execve");
}

/* A line that goes on behind what is seen of the file tells when a call begins in it, behind a
 * thread or time. */
static void judge_long_line(struct judgement *judgement, struct word line) {
    struct strace_line parsed;

    if (line.length > SNIFF_LENGTH / 2 && strace_parse(line, &parsed) == NULL &&
        parsed.form == STRACE_CUT && parsed.name.length > 0 &&
        (parsed.head.thread != EVENT_NONE || parsed.head.clock != STRACE_NO_CLOCK)) {
        judgement->good += ENOUGH;
    }
}

enum sniff_score strace_sniff(const struct sniff *sniff) {
    const char *at = (const char *)sniff->bytes, *end = at + sniff->length, *newline;
    struct judgement judgement = {0};
    struct text plain = {0};

    for (int i = 0; i < JUDGED && at < end; i++, at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL && !sniff->whole) {
            judge_long_line(&judgement, word_between(at, end));
            break;
        }
        newline = newline == NULL ? end : newline;
        judge_line(&judgement, word_between(at, newline), &plain);
    }
    give_up_held(&judgement);
    strace_held_free(&judgement.held);
    text_free(&plain);
    if (judgement.other || judgement.good < ENOUGH ||
        !lines_fit(judgement.good + 1, judgement.bad)) {
        return SNIFF_NO;
    }
    return judgement.leads && judgement.sure ? SNIFF_SURE : SNIFF_LIKELY;
}

/* -ff: no line says which thread it is of. */
bool strace_is_of_thread(const struct sniff *sniff) {
    const char *at = (const char *)sniff->bytes, *end = at + sniff->length, *newline;
    bool whole_seconds = strace_has_whole_seconds(at, sniff->length);

    if (strace_sniff(sniff) == SNIFF_NO) {
        return false;
    }
    for (int i = 0; i < JUDGED && at < end; i++, at = newline + 1) {
        struct word rest;
        struct strace_head head;

        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline == NULL ? end : newline;
        rest = word_between(at, newline);
        strace_skip_indent(&rest, whole_seconds);
        strace_parse_head(&rest, &head);
        if (head.thread != EVENT_NONE) {
            return false;
        }
    }
    return true;
}

int64_t strace_first_time(const struct sniff *sniff, const struct config *config, int64_t *range) {
    struct strace_first first;

    (void)config;
    strace_first_times((const char *)sniff->bytes, sniff->length, &first);
    *range = first.clock == STRACE_DAY ? DAY : 0;
    return first.clock == STRACE_DAY || first.clock == STRACE_EPOCH ? first.time : EVENT_NONE;
}
