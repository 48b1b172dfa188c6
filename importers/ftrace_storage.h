/* Background work of file systems and drivers, as calls of kind spans on a track in place of a
 * thread.
 *
 *     f2fs_write_checkpoint: dev = (254,44), checkpoint for Sync, state = start block_ops
 *                                             to state = finish checkpoint
 *     f2fs_gc_begin: dev = (254,44), gc_type = Background GC, …        to f2fs_gc_end
 *     f2fs_issue_discard: dev = (254,44), blkstart = 0x…, blklen = 0x8 an instant
 *     ufshcd_clk_gating: 1d84000.ufshc: gating state changed to CLKS_OFF
 *                                             to the next state
 *     ufshcd_profile_hibern8: 1d84000.ufshc: enter: took 400 usecs, err 0
 *                                             that ended there; others of ufshcd_ likewise
 *     ufshcd_uic_command: complete_rsp: 1d84000.ufshc: cmd: 0x17, …    the link hibernates,
 *                                             to the send_req of 0x18
 *     ufshcd_upiu: query_send: 1d84000.ufshc: HDR:16 00 …, OSF:03 07 …   a query,
 *                                             to query_complete
 *     f2fs_iostat: dev = (254,44), app [write=0 (direct=0, …   counters, kind samples: bytes
 *
 * Names have kind `background` for F2FS, `device` for the driver.
 *
 * Sources: the kernel's include/trace/events/f2fs.h, fs/f2fs/checkpoint.c, drivers/ufs/ufs_trace.h.
 */
#ifndef TRACETOOL_FTRACE_STORAGE_H
#define TRACETOOL_FTRACE_STORAGE_H

#include "ftrace_marks.h"

enum ftrace_storage_taken {
    FTRACE_STORAGE_OTHER, /* not such an event */
    FTRACE_STORAGE_TAKEN,
    FTRACE_STORAGE_MERGED,  /* a step of an event already counted */
    FTRACE_STORAGE_STRAY,   /* an end without a start */
    FTRACE_STORAGE_REFUSED, /* too many open calls */
    FTRACE_STORAGE_DAMAGED,
};

/* Reads a line; `offset` and `bytes` locate it. */
enum ftrace_storage_taken ftrace_storage_take(struct import *spans, struct import *samples,
                                              struct ftrace_marks *marks,
                                              const struct ftrace_line *line, int64_t offset,
                                              int64_t bytes);

#endif
