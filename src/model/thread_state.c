#include "model/thread_state.h"

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
