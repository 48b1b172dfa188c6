#include "model/thread.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"

const char *const thread_state_words[THREAD_STATES] = {
    [STATE_RUNNING] = "running",
    [STATE_PREEMPTED] = "preempted",
    [STATE_WOKEN] = "woken",
    [STATE_SLEEPING] = "sleeping",
    [STATE_UNINTERRUPTIBLE] = "uninterruptible",
    [STATE_IDLE] = "idle",
    [STATE_STOPPED] = "stopped",
    [STATE_TRACED] = "traced",
    [STATE_PARKED] = "parked",
    [STATE_DEAD] = "dead",
    [STATE_UNKNOWN] = "unknown",
};

/* Returns whether a name already contains the thread's number as its last word. Also true for idle
 * threads: all have number 0, but their names end with a slash and the CPU's number. */
static bool has_number(const char *name, size_t length, int64_t number) {
    char end[32];
    const size_t end_length = (size_t)snprintf(end, sizeof end, " %lld", (long long)number);
    size_t digits = 0;

    while (digits < length && isdigit((unsigned char)name[length - digits - 1])) {
        digits++;
    }
    return (length > end_length && memcmp(name + length - end_length, end, end_length) == 0) ||
           (number == 0 && digits > 0 && digits < length && name[length - digits - 1] == '/');
}

void thread_label_append(struct text *out, int64_t pid, int64_t tid, const char *name,
                         size_t length, void (*append)(struct text *, const char *, size_t)) {
    const int64_t number = tid != EVENT_NONE ? tid : pid;

    if (pid != EVENT_NONE && pid != number) {
        text_append_format(out, "%lld:", (long long)pid);
    }
    if (length > 0) {
        append(out, name, length);
    }
    if (number != EVENT_NONE && !has_number(name, length, number)) {
        text_append_format(out, length > 0 ? "/%lld" : "%lld", (long long)number);
    }
}
