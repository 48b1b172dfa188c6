/* A parsed system call of a strace log, and access to its arguments. */
#ifndef TRACETOOL_STRACE_DEED_H
#define TRACETOOL_STRACE_DEED_H

#include "strace_line.h"
#include "strace_threads.h"

/* The arguments are set when the call begins, the result when it has returned. */
struct strace_deed {
    struct strace_thread *thread;
    const struct strace_call *call; /* NULL: a call without files or processes */
    struct word name;
    const struct word *arguments;
    size_t argument_count;
    const struct strace_result *result;
    uint32_t object;        /* 0: none */
    int64_t address, size;  /* of a transfer; EVENT_NONE: none */
    uint32_t source;        /* of a copy, what was read; 0: none */
    int64_t source_address; /* where; EVENT_NONE: none */
};

/* The argument at index `place`, without the name that -N prints; empty where there is none. */
struct word strace_argument(const struct strace_deed *deed, int place);

/* Whether the word contains the text. */
bool strace_has(struct word word, const char *text);

/* Whether the flags contain this one, by name or by number (-X raw). */
bool strace_has_flag(struct word flags, const char *name, int64_t bit);

/* Whether the argument is this command, by name or by number. */
bool strace_is_command(struct word argument, const char *name, int64_t number);

/* Whether the flags of a clone contain this one, by name or by number. */
bool strace_shares(const struct strace_deed *deed, const char *flag, int64_t bit);

/* Whether the call succeeded: its result is a number of at least 0. */
bool strace_is_good(const struct strace_deed *deed);

#endif
