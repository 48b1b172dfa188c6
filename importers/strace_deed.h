/* A call of a strace log as far as it is known, and what its arguments say. */
#ifndef TRACETOOL_STRACE_DEED_H
#define TRACETOOL_STRACE_DEED_H

#include "strace_line.h"
#include "strace_threads.h"

/* Its arguments are known when it begins, all of it at its end. */
struct strace_deed {
    struct strace_thread *thread;
    const struct strace_call *call; /* NULL: none that has to do with files or processes */
    struct word name;
    const struct word *arguments;
    size_t argument_count;
    const struct strace_result *result;
    uint32_t object;        /* 0: none */
    int64_t address, size;  /* of a transfer; EVENT_NONE: none */
    uint32_t source;        /* of a copy, what was read; 0: none */
    int64_t source_address; /* where; EVENT_NONE: none */
};

/* The argument at a place, without the name that -N puts before it; empty where there is none. */
struct word strace_argument(const struct strace_deed *deed, int place);

/* Whether the text stands anywhere in a word. */
bool strace_has(struct word word, const char *text);

/* Whether flags have one, by name or, as -X raw prints them, by number. */
bool strace_has_flag(struct word flags, const char *name, int64_t bit);

/* Whether a command is that one, by name or by number. */
bool strace_is_command(struct word argument, const char *name, int64_t number);

/* The flags of a fork, in words or as a number. */
bool strace_shares(const struct strace_deed *deed, const char *flag, int64_t bit);

/* Whether it has succeeded: its result is a number from 0 on. */
bool strace_is_good(const struct strace_deed *deed);

#endif
