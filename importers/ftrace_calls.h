/* Calls whose start and end are separate lines: system calls, and operations on files. Each becomes
 * an event of a trace of kind calls when its end is read. A call without an end has no duration; an
 * end without a start is dropped. A call that has started is held until its end is read. If more
 * than FTRACE_CALLS_HELD are held, the oldest is stored without an end. */
#ifndef TRACETOOL_FTRACE_CALLS_H
#define TRACETOOL_FTRACE_CALLS_H

#include "pending.h"
#include "ftrace_line.h"
#include "import/importer.h"
#include "model/file_type.h"
#include "strace_syscall.h"

#define FTRACE_CALLS_HELD 65536
/* Maximum bytes of arguments: in all held calls together, and in one call. */
#define FTRACE_CALLS_TEXT     ((size_t)16 * 1024 * 1024)
#define FTRACE_CALL_ARGUMENTS 4096

/* Value of `stage` in the key of a system call, a struct pending_key. By the key, the end of a call
 * finds its start. A key has `stage` (the operation) and thread, or `stage` and file. Of several
 * calls with one key, the first to start is the first to end. */
#define FTRACE_SYSTEM_CALL (1 << 16)

struct ftrace_call {
    const struct strace_call *known; /* entry in the table of calls on files; NULL: none */
    int64_t time;
    int64_t cpu;   /* CPU on which the call started; EVENT_NONE: unknown */
    size_t losses; /* number of losses of events that the log stated before the call's start */
    bool endless;  /* true: even a complete log may lack the call's end, so this proves no loss */
    int64_t duration; /* duration of the call; EVENT_NONE: unknown */
    uint32_t operation, actor, object;
    uint32_t source; /* id of the second path, of a rename or link; 0: none */
    uint32_t flags;  /* enum call_flag (model/event.h); 0 unless the log has paths */
    uint32_t error;  /* id of the error in table name; 0: success */
    int64_t address, size, value;
    int64_t lock;          /* address of a futex in memory; EVENT_NONE: none */
    struct word arguments; /* arguments as text, borrowed; stored unchanged */
};

/* Reasons (ledger.reason) why a line of a call is merged, ignored or rejected. */
extern const char ftrace_end_of_call[], ftrace_beginless_call[], ftrace_bad_call[];

/* Returns a call with all fields unset. */
struct ftrace_call ftrace_call_empty(void);

/* State of the calls in a trace. Initialise it with zeros before ftrace_calls_begin(). */
struct ftrace_calls {
    struct file_types types;
    struct pending_table held; /* owned; calls without an end so far: struct ftrace_held */
    size_t held_text;
    int64_t endless, ended, given_up; /* numbers of calls stored without an end; with an end;
                                         without an end because too many were held */
    struct text taken;                /* owned: arguments of the last call that was removed */
};

/* Prepares the state. ftrace_calls_end() must follow, also after a failure. */
void ftrace_calls_begin(struct import *import, struct ftrace_calls *calls);

/* Returns the id of a call's thread in table actor. If `pid` is EVENT_NONE, the process is taken
 * from the line; so is the name, if `name` has length 0. */
uint32_t ftrace_calls_thread(struct import *import, const struct ftrace_line *line, int64_t pid,
                             struct word name);

/* Returns the id of a file, by its name and device (EVENT_NONE: unknown). */
uint32_t ftrace_calls_file_id(struct import *import, struct ftrace_calls *calls, struct word name,
                              int64_t device);

/* Sets the result of a call. A negative error number becomes value -1 and the error's name. */
void ftrace_calls_result(struct import *import, int64_t result, struct ftrace_call *call);

/* Adds the event of a call. */
void ftrace_calls_add(struct import *import, const struct ftrace_call *call);

/* Adds the event of a call without an end, immediately. */
void ftrace_calls_add_endless(struct import *import, struct ftrace_calls *calls,
                              const struct ftrace_call *call);

/* Sets the duration of a call that ends at this line, and adds its event. */
void ftrace_calls_add_ended(struct import *import, const struct ftrace_line *line,
                            struct ftrace_call *call);

/* Holds a call until its end is read. `alone`: a call already held under the key is stored, without
 * an end. */
void ftrace_calls_add_pending(struct import *import, struct ftrace_calls *calls,
                              const struct pending_key *key, bool alone,
                              const struct ftrace_call *call);

/* Stores the call held under a key without an end: a later line of its thread shows that the line
 * with the end is missing. If the call began before the time `before`, reports that line as a lost
 * event. */
void ftrace_calls_store_unfinished(struct import *import, struct ftrace_calls *calls,
                                   const struct pending_key *key, int64_t before);

/* Returns the first call held under a key; NULL if there is none. */
const struct ftrace_call *ftrace_calls_find(const struct ftrace_calls *calls,
                                            const struct pending_key *key);

/* Replaces the argument with index `place` of the call held under a key by a quoted path, if it is
 * not quoted yet. */
void ftrace_calls_set_path(struct ftrace_calls *calls, const struct pending_key *key, int place,
                           struct word path);

/* Removes the first call held under a key if its operation is `operation`; 0: any operation. The
 * arguments of `*call` are valid until the next call is removed. Returns false if there is no such
 * call. */
bool ftrace_calls_remove(struct ftrace_calls *calls, const struct pending_key *key,
                         uint32_t operation, struct ftrace_call *call);

/* Stores the calls without an end, and adds a remark on them (unless `failed`); frees the state. */
void ftrace_calls_end(struct import *import, struct ftrace_calls *calls, bool failed);

/* Implements dump(): [pid/tid name] operation(arguments) file, offset = result error <duration> */
void ftrace_calls_dump(const struct dump_event *dump, struct text *out);

/* --- operations on files that file systems log ------------------------------------------------ */

/* Imports reads, writes and syncs in events of file systems as calls, with thread, file, offset,
 * size and duration. */

/* Reads an event of a file system. Sets the bit of its layer of the kernel in `*layers`: if a log
 * has several layers, each logs the same bytes. */
struct ftrace_outcome ftrace_files_handle(struct import *import, struct ftrace_calls *calls,
                                          const struct ftrace_line *line, unsigned *layers);

#endif
