/* Calls whose begin and end are two lines of a log: system calls, and what is done to files. Each
 * is an event of a trace of kind calls, made when its end is read. One without an end has no
 * duration; an end without a begin is none.
 *
 * What has begun is held: up to FTRACE_CALLS_HELD, beyond which the oldest are kept without their
 * end. */
#ifndef TRACETOOL_FTRACE_CALLS_H
#define TRACETOOL_FTRACE_CALLS_H

#include "pending.h"
#include "ftrace_line.h"
#include "import/importer.h"
#include "import/lookup_cache.h"
#include "model/file_type.h"
#include "strace_syscall.h"

#define FTRACE_CALLS_HELD     65536
#define FTRACE_CALLS_TEXT     ((size_t)16 * 1024 * 1024) /* of their arguments, together */
#define FTRACE_CALL_ARGUMENTS 4096                       /* bytes of one that are kept */

/* An end finds its begin by a struct pending_key: what was done (`stage`), by a thread or at a
 * place. Ends of equal keys come in the order of their begins. */
#define FTRACE_SYSTEM_CALL (1 << 16)

struct ftrace_call {
    const struct strace_call *known; /* what a system call does; NULL: nothing to files */
    int64_t time;
    int64_t cpu;      /* where it began; EVENT_NONE: not known */
    size_t losses;    /* in the log before it began */
    bool endless;     /* such calls have no end in any log */
    int64_t duration; /* EVENT_NONE: not known */
    uint32_t operation, actor, object;
    uint32_t error; /* 0: it did not fail */
    int64_t address, size, value;
    struct word arguments; /* borrowed; kept as they are */
};

/* What became of a line. */
enum ftrace_call_taken {
    FTRACE_CALL_OTHER, /* it is none of these */
    FTRACE_CALL_BEGUN, /* a call has begun, or is whole */
    FTRACE_CALL_ENDED, /* the end of a call, which is one with its begin */
    FTRACE_CALL_ALONE, /* the end of a call that has no begin in the log */
    FTRACE_CALL_DAMAGED,
};

/* All fields none. */
struct ftrace_call ftrace_call_empty(void);

/* State of a trace; a zeroed one is ready for ftrace_calls_begin(). */
struct ftrace_calls {
    struct file_types types;
    struct lookup_cache operations, actors, objects, errors;
    struct pending_table held; /* struct ftrace_held; owned */
    size_t held_text;
    int64_t endless, ended, given_up; /* for remarks */
    struct text taken;                /* owned: arguments of the call that was taken */
};

/* Makes it ready. ftrace_calls_end() in any case. */
void ftrace_calls_begin(struct import *import, struct ftrace_calls *calls);

/* The id of a call's thread: its process is `pid` (EVENT_NONE: that of the line), its name `name`
 * (length 0: that of the line). */
uint32_t ftrace_calls_actor(struct import *import, struct ftrace_calls *calls,
                            const struct ftrace_line *line, int64_t pid, struct word name);

/* The id of a file: its name, and its device (EVENT_NONE: not known). */
uint32_t ftrace_calls_object(struct import *import, struct ftrace_calls *calls, struct word name,
                             int64_t device);

/* The result of a call: a negative error number of Linux's makes its value -1, and names it. */
void ftrace_calls_result(struct import *import, struct ftrace_calls *calls, int64_t result,
                         struct ftrace_call *call);

/* Makes the event of a call. */
void ftrace_calls_keep(struct import *import, const struct ftrace_call *call);

/* Makes the event of a call that has no end, at once. */
void ftrace_calls_keep_endless(struct import *import, struct ftrace_calls *calls,
                               const struct ftrace_call *call);

/* Makes the event of a call that ends on this line, and sets its duration. */
void ftrace_calls_keep_ended(struct import *import, const struct ftrace_line *line,
                             struct ftrace_call *call);

/* Holds a call until its end. With `alone` there is one of a key at a time: one that is held
 * already has no end. */
void ftrace_calls_hold(struct import *import, struct ftrace_calls *calls,
                       const struct pending_key *key, bool alone, const struct ftrace_call *call);

/* The call that is held by the key has no end, as another line of its thread tells. With `counts`
 * it is one that lacks it. */
void ftrace_calls_give_up(struct import *import, struct ftrace_calls *calls,
                          const struct pending_key *key, bool counts);

/* The first call that is held by the key; NULL: none is. */
const struct ftrace_call *ftrace_calls_find(const struct ftrace_calls *calls,
                                            const struct pending_key *key);

/* Puts a path, between quotation marks, in place of an argument of the call that is held by the
 * key, unless there is one. */
void ftrace_calls_tell(struct ftrace_calls *calls, const struct pending_key *key, int place,
                       struct word path);

/* Takes the first call that is held by the key, of that operation unless it is 0; its arguments are
 * there until the next one is taken. False: none is held. */
bool ftrace_calls_take(struct ftrace_calls *calls, const struct pending_key *key,
                       uint32_t operation, struct ftrace_call *call);

/* Keeps what has no end, remarks on it unless `failed`, and frees the state. */
void ftrace_calls_end(struct import *import, struct ftrace_calls *calls, bool failed);

/* dump(): [pid/tid name] operation(arguments) file, offset = result error <duration> */
void ftrace_calls_dump(const struct dump_event *dump, struct text *out);

/* --- file systems --------------------------------------------------------------------------- */

/* What file systems tell of files, as calls: which file was read, written and synchronized, by
 * whom, where, how much and for how long. */

/* Takes a line. `*layers` gets the bit of its layer: several layers log the same bytes. */
enum ftrace_call_taken ftrace_files_take(struct import *import, struct ftrace_calls *calls,
                                         const struct ftrace_line *line, unsigned *layers);

#endif
