/* File system calls, for formats that replay them: kind of call, its file, and the file's name in
 * the replay.
 *
 * A replay must not destroy existing files. So files are named replay.N, where N is the file's
 * number in the trace. They keep their names only with --real-paths. */
#ifndef TRACETOOL_FILE_CALLS_H
#define TRACETOOL_FILE_CALLS_H

#include "export/export.h"

enum file_call {
    FILE_CALL_NONE, /* not in any replay format */
    FILE_CALL_OPEN,
    FILE_CALL_CLOSE,
    FILE_CALL_READ,
    FILE_CALL_WRITE,
    FILE_CALL_READ_AT,
    FILE_CALL_WRITE_AT,
    FILE_CALL_SYNC,
    FILE_CALL_SYNC_DATA,
    FILE_CALL_ACCESS,
    FILE_CALL_STATUS,
    FILE_CALL_LINK_STATUS,
    FILE_CALL_UNLINK,
    FILE_CALL_COPY, /* reads from one file and writes to another */
};

/* Limit of the bytes of a path in a replay. */
#define FILE_CALL_PATH 255

/* Returns the kind of a call by its name, with all its variants such as pread64 and openat2. */
enum file_call file_call_of(const struct export_event *event);

/* Returns whether the call's result is a number of bytes read or written. */
bool file_call_transfers(enum file_call call);

/* Returns whether the event's object is a file, not a pipe, socket or device. */
bool file_call_is_file(const struct export_event *event);

/* Returns the reason, for export_exclude(), if a call cannot be replayed: it failed, or its result,
 * offset or length is unknown or too large. Returns NULL otherwise. Offsets must be below `most`.
 * `position`: the offset of read() and write() must be known, too. */
const char *file_call_why_unreplayable(const struct export_event *event, enum file_call call,
                                       int64_t most, bool position);

/* Sets `path` to the file's name in the replay. `*own`: true for the name in the log
 * (--real-paths), false for replay.N. If --real-paths is given but the log's name is too long or
 * needs quotes, the file is called replay.N, and the reason is counted for the summary. */
void file_call_set_path(struct export_run *run, const struct export_event *event, struct text *path,
                        bool *own);

#endif
