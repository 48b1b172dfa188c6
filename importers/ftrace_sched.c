/* Scheduler events in ftrace logs.
 *
 *     sched_switch: prev_comm=cat prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=dd next_pid=8
 *         next_prio=120
 *     sched_switch: cat:9 [120] S ==> dd:8 [120]                      trace-cmd report
 *     sched_waking: comm=dd pid=8 prio=120 target_cpu=001
 *     sched_wakeup: dd:8 [120] CPU:001                                trace-cmd report
 *     sched_blocked_reason: pid=8 iowait=1 caller=folio_wait_bit_common+0x13d/0x350
 *
 * Names are truncated to 15 bytes and may contain anything, even these fields. Sources: the
 * kernel's include/trace/events/sched.h, trace-cmd's plugin_sched_switch.c, recordings.
 */
#include "ftrace_states.h"

#include <string.h>

#include "model/event.h"

/* Maximum bytes of a thread's name. A longer one comes from two lines that were joined. */
enum { NAME_MOST = 63 };

static bool cut_last_number(struct word *text, const char *key, int64_t least, int64_t *number) {
    struct word value;

    return word_cut_last(text, key, &value) &&
           word_signed(word_trim(value), least, INT32_MAX, number);
}

/* Parses a thread in the kernel's form, `prev_comm=cat prev_pid=9 prev_prio=120`. */
static bool parse_named_task(struct word text, const char *comm, const char *pid, const char *prio,
                             struct sched_task *task) {
    int64_t priority;

    text = word_trim_left(text);
    if (!cut_last_number(&text, prio, INT32_MIN, &priority) ||
        !cut_last_number(&text, pid, 0, &task->tid) || !word_accept(&text, comm)) {
        return false;
    }
    task->name = text;
    return text.length <= NAME_MOST;
}

/* Parses a thread in trace-cmd's form, `cat:9 [120]`. */
static bool parse_short_task(struct word text, struct sched_task *task) {
    struct word priority, number;

    text = word_trim(text);
    if (!word_ends(text, "]") || !word_cut_last(&text, " [", &priority) ||
        !word_cut_last(&text, ":", &number) || !word_number(number, INT32_MAX, &task->tid)) {
        return false;
    }
    task->name = text;
    return text.length <= NAME_MOST;
}

/* --- states of a thread that stops running ---------------------------------------------------- */

/* Returns the state for a letter that the kernel prints (fs/proc/array.c and sched.h). K, N and W
 * printed alone, as by some kernels, are uninterruptible states. */
static enum thread_state state_of_letter(char letter) {
    switch (letter) {
    case 'R':
        return STATE_PREEMPTED;
    case 'S':
        return STATE_SLEEPING;
    case 'D':
    case 'K':
    case 'N':
    case 'W':
        return STATE_UNINTERRUPTIBLE;
    case 'I':
        return STATE_IDLE;
    case 'T':
        return STATE_STOPPED;
    case 't':
        return STATE_TRACED;
    case 'P':
        return STATE_PARKED;
    case 'X':
    case 'x':
    case 'Z':
        return STATE_DEAD;
    default:
        return STATE_UNKNOWN;
    }
}

/* Returns the state for the bits of the kernel's task_state, by the lowest bit that is set. */
static enum thread_state state_of_bits(int64_t bits) {
    static const char letters[] = {'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I'};

    if ((bits & 2) != 0 && (bits & 0x400) != 0) {
        return STATE_IDLE; /* TASK_UNINTERRUPTIBLE | TASK_NOLOAD */
    }
    for (size_t i = 0; i < sizeof letters; i++) {
        if (bits >> i & 1) {
            return state_of_letter(letters[i]);
        }
    }
    return STATE_PREEMPTED;
}

/* Parses a state: letters such as `S`, `R+` or `D|K`, or a number. */
static bool parse_state(struct word word, enum thread_state *state) {
    int64_t bits;

    if (word.length == 0) {
        return false;
    }
    if (word_number(word, INT32_MAX, &bits)) {
        *state = state_of_bits(bits);
        return true;
    }
    *state = state_of_letter(*word.bytes);
    return *state != STATE_UNKNOWN;
}

/* Parses a state in trace-cmd's form. libtraceevent up to 1.7 prints bits 6 and 7 as x and W, but
 * since Linux 4.14 these bits mean parked (P) and idle (I). */
static bool parse_short_state(struct word word, enum thread_state *state) {
    if (word_is(word, "x") || word_is(word, "W")) {
        *state = word_is(word, "x") ? STATE_PARKED : STATE_IDLE;
        return true;
    }
    return parse_state(word, state);
}

/* --- events of the scheduler ------------------------------------------------------------------ */

/* Parses the two sides of a switch's arrow: the old thread with its state, and the new thread. */
static bool parse_sides(struct word from, struct word to, struct sched_switch *found) {
    struct word state;

    if (parse_named_task(to, "next_comm=", " next_pid=", " next_prio=", &found->to)) {
        return word_cut_last(&from, " prev_state=", &state) &&
               parse_state(word_trim(state), &found->state) &&
               parse_named_task(from, "prev_comm=", " prev_pid=", " prev_prio=", &found->from);
    }
    state = word_last(&from);
    return parse_short_task(to, &found->to) && parse_short_state(state, &found->state) &&
           parse_short_task(from, &found->from);
}

bool sched_parse_switch(struct word fields, struct sched_switch *found) {
    static const char arrow[] = "==>";
    const char *end = fields.bytes + fields.length;

    /* Try each arrow, as a name may contain one, too. */
    for (const char *at = fields.bytes;
         (at = memmem(at, (size_t)(end - at), arrow, strlen(arrow))) != NULL; at++) {
        if (parse_sides(word_between(fields.bytes, at), word_between(at + strlen(arrow), end),
                        found)) {
            return true;
        }
    }
    return false;
}

bool sched_parse_wakeup(struct word fields, struct sched_task *task, int64_t *cpu) {
    struct word rest = word_trim(fields), success;
    int64_t priority;

    *cpu = EVENT_NONE;
    if (word_begins(rest, "comm=")) {
        cut_last_number(&rest, " target_cpu=", 0, cpu);
        word_cut_last(&rest, " success=", &success);
        if (!cut_last_number(&rest, " prio=", INT32_MIN, &priority) ||
            !cut_last_number(&rest, " pid=", 0, &task->tid)) {
            return false;
        }
        word_accept(&rest, "comm=");
        task->name = rest;
        return rest.length <= NAME_MOST;
    }
    cut_last_number(&rest, " CPU:", 0, cpu);
    word_cut_last(&rest, " success=", &success);
    return parse_short_task(rest, task);
}

bool sched_parse_fork(struct word fields, struct sched_task *child) {
    struct word rest = word_trim(fields);

    return cut_last_number(&rest, " child_pid=", 1, &child->tid) &&
           word_cut_last(&rest, " child_comm=", &child->name);
}

bool sched_parse_exec(struct word fields, int64_t *old) {
    struct word rest = word_trim(fields);

    return cut_last_number(&rest, " old_pid=", 1, old);
}

bool sched_parse_blocked(struct word fields, struct sched_blocked *found) {
    struct word rest = fields;
    int64_t io_wait;

    if (!word_accept(&rest, "pid=") || !word_next_number(&rest, INT32_MAX, &found->tid) ||
        !word_accept(&rest, "iowait=") || !word_next_number(&rest, 1, &io_wait) ||
        !word_accept(&rest, "caller=")) {
        return false;
    }
    found->io_wait = io_wait == 1;
    found->function = word_next(&rest);
    found->function = word_field(&found->function, '+');
    found->function = word_field(&found->function, '[');
    return true;
}
