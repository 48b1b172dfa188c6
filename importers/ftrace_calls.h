/* Calls with a start and an end in separate lines: system calls, and operations on files. Each
 * becomes
 * an event of a trace of kind calls when its end is read. A call without an end has no duration; an
 * end without a start is dropped.
 *
 * Started calls are held, up to FTRACE_CALLS_HELD; beyond that the oldest are kept without an end.
 */
#ifndef TRACETOOL_FTRACE_CALLS_H
#define TRACETOOL_FTRACE_CALLS_H

#include "pending.h"
#include "ftrace_line.h"
#include "import/importer.h"
#include "model/file_type.h"
#include "strace_syscall.h"

#define FTRACE_CALLS_HELD 65536
/* Most bytes of arguments of all held calls, and of one call. */
#define FTRACE_CALLS_TEXT     ((size_t)16 * 1024 * 1024)
#define FTRACE_CALL_ARGUMENTS 4096

/* An end finds its start by a struct pending_key: the operation (`stage`), by thread or by place.
 * Ends with equal keys come in the order of their starts. */
#define FTRACE_SYSTEM_CALL (1 << 16)

struct ftrace_call {
    const struct strace_call *known; /* effect of a system call on files; NULL: none */
    int64_t time;
    int64_t cpu;      /* CPU of its start; EVENT_NONE: unknown */
    size_t losses;    /* number of losses in the log before its start */
    bool endless;     /* a missing end proves no loss */
    int64_t duration; /* EVENT_NONE: unknown */
    uint32_t operation, actor, object;
    uint32_t source; /* second path of a rename or link; 0: none */
    uint32_t flags;  /* enum call_flag (model/event.h); 0 unless the log has paths */
    uint32_t error;  /* name.id of the error; 0: success */
    int64_t address, size, value;
    int64_t lock;          /* address of a futex in memory; EVENT_NONE: none */
    struct word arguments; /* borrowed; stored unchanged */
};

/* Reasons in the ledger. */
extern const char ftrace_end_of_call[], ftrace_beginless_call[], ftrace_bad_call[];

/* Returns a call with all fields unset. */
struct ftrace_call ftrace_call_empty(void);

/* State of a trace. Initialise it with zeros before ftrace_calls_begin(). */
struct ftrace_calls {
    struct file_types types;
    struct pending_table held; /* struct ftrace_held; owned */
    size_t held_text;
    int64_t endless, ended, given_up; /* counts for notes */
    struct text taken;                /* owned: arguments of the last call taken */
};

/* Prepares the state. Call ftrace_calls_end() in any case. */
void ftrace_calls_begin(struct import *import, struct ftrace_calls *calls);

/* Returns the id of a call's thread. `pid` EVENT_NONE: the line's process; `name` of length 0: the
 * line's name. */
uint32_t ftrace_calls_actor(struct import *import, const struct ftrace_line *line, int64_t pid,
                            struct word name);

/* Returns the id of a file, by its name and device (EVENT_NONE: unknown). */
uint32_t ftrace_calls_object(struct import *import, struct ftrace_calls *calls, struct word name,
                             int64_t device);

/* Sets the result of a call. A negative Linux error number gives the value -1 and the error's name.
 */
void ftrace_calls_result(struct import *import, int64_t result, struct ftrace_call *call);

/* Adds the event of a call. */
void ftrace_calls_add(struct import *import, const struct ftrace_call *call);

/* Adds the event of a call without an end, immediately. */
void ftrace_calls_add_endless(struct import *import, struct ftrace_calls *calls,
                              const struct ftrace_call *call);

/* Sets the duration of a call that ends in this line, and adds its event. */
void ftrace_calls_add_ended(struct import *import, const struct ftrace_line *line,
                            struct ftrace_call *call);

/* Holds a call until its end. With `alone`, only one call per key is held: an earlier one has no
 * end. */
void ftrace_calls_hold(struct import *import, struct ftrace_calls *calls,
                       const struct pending_key *key, bool alone, const struct ftrace_call *call);

/* Gives up the call held by the key: another line of its thread shows that its end is missing. It
 * is reported as missing if it began before the time `before`. */
void ftrace_calls_abandon(struct import *import, struct ftrace_calls *calls,
                          const struct pending_key *key, int64_t before);

/* Returns the first call held by the key; NULL if there is none. */
const struct ftrace_call *ftrace_calls_find(const struct ftrace_calls *calls,
                                            const struct pending_key *key);

/* Replaces an argument of the call held by the key with a quoted path, unless it already has one.
 */
void ftrace_calls_set_path(struct ftrace_calls *calls, const struct pending_key *key, int place,
                           struct word path);

/* Removes the first call held by the key, with that operation unless it is 0. Its arguments are
 * valid until the next one is taken. False if there is none. */
bool ftrace_calls_remove(struct ftrace_calls *calls, const struct pending_key *key,
                         uint32_t operation, struct ftrace_call *call);

/* Adds the calls without an end and a note on them (unless `failed`); frees the state. */
void ftrace_calls_end(struct import *import, struct ftrace_calls *calls, bool failed);

/* dump(): [pid/tid name] operation(arguments) file, offset = result error <duration> */
void ftrace_calls_dump(const struct dump_event *dump, struct text *out);

/* --- file systems --------------------------------------------------------------------------- */

/* Operations on files logged by file systems, as calls: reads, writes and syncs, with thread, file,
 * offset, size and duration. */

/* Reads a line. Sets the bit of its layer in `*layers`, as several layers log the same bytes. */
struct ftrace_outcome ftrace_files_handle(struct import *import, struct ftrace_calls *calls,
                                          const struct ftrace_line *line, unsigned *layers);

#endif
