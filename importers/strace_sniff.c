#include "strace_sniff.h"

#include <string.h>

#include "base/time_unit.h"
#include "strace_line.h"
#include "strace_time.h"

enum {
    ENOUGH = 3,    /* lines that make a log */
    JUDGED = 2000, /* lines that are looked at to find out what a log is */
};

struct judgement {
    int good, bad;
    bool leads, sure; /* lines have a head; one is of strace alone */
    bool other;       /* one is of another tool */
    bool in_summary;
};

static void judge_line(struct judgement *judgement, struct word line, struct text *plain) {
    struct strace_line parsed;
    const char *damage;
    bool good;

    if (!strace_clean(&line, plain) || (judgement->in_summary && strace_is_of_summary(line))) {
        return;
    }
    damage = strace_parse(line, &parsed);
    judgement->in_summary = damage == NULL && parsed.form == STRACE_SUMMARY;
    good = damage == NULL && parsed.form != STRACE_OTHER && parsed.form != STRACE_CUT;

    if (damage == NULL && (parsed.form == STRACE_BLANK || parsed.form == STRACE_SUMMARY)) {
        return;
    }
    judgement->good += good;
    judgement->bad += !good;
    judgement->leads = judgement->leads || (good && parsed.body.bytes > line.bytes);
    judgement->sure = judgement->sure || parsed.form == STRACE_UNFINISHED ||
                      parsed.form == STRACE_RESUMED || parsed.form == STRACE_EXITED ||
                      (good && word_is(parsed.name, "execve"));
    /* ltrace */
    judgement->other = judgement->other || word_begins(parsed.body, "+++ exited (status ") ||
                       word_begins(parsed.name, "SYS_") ||
                       word_is(parsed.name, "__libc_start_main");
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
    text_free(&plain);
    if (judgement.other || judgement.good < ENOUGH || judgement.good < judgement.bad) {
        return SNIFF_NO;
    }
    return judgement.leads && judgement.sure ? SNIFF_SURE : SNIFF_LIKELY;
}

/* -ff: no line says which thread it is of. */
bool strace_is_of_thread(const struct sniff *sniff) {
    const char *at = (const char *)sniff->bytes, *end = at + sniff->length, *newline;

    if (strace_sniff(sniff) == SNIFF_NO) {
        return false;
    }
    for (int i = 0; i < JUDGED && at < end; i++, at = newline + 1) {
        struct word rest;
        struct strace_head head;

        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline == NULL ? end : newline;
        rest = word_between(at, newline);
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
