/* Block events of ftrace as requests with blktrace's letters. */
#ifndef TRACETOOL_FTRACE_BLOCK_H
#define TRACETOOL_FTRACE_BLOCK_H

#include "block_trace.h"
#include "ftrace_line.h"

#define FTRACE_BLOCK_DEVICES 64 /* whose completions of requests are remembered */

struct ftrace_block {
    struct block_trace trace;
    /* Devices of which a request has completed: what its I/Os do then is the same once more. */
    int64_t completing[FTRACE_BLOCK_DEVICES];
    size_t completing_count;
    int64_t doubled, traced; /* completions and lines of the tracer blk passed over */
    int64_t accounted;       /* events of the accounting of I/Os, which do not tell their end */
};

enum ftrace_taken {
    FTRACE_OTHER,   /* it is none of these */
    FTRACE_REQUEST, /* a request was made of it */
    FTRACE_IGNORED, /* it says nothing that is not said elsewhere */
    FTRACE_DAMAGED,
};

/* Makes a request of a line; its time is the line's. `has_events`: the log has events beside what
 * the tracer blk prints, which is passed over then. `*reason` is why it is ignored or damaged. */
enum ftrace_taken ftrace_block_parse(struct ftrace_block *state, const struct ftrace_line *line,
                                     bool has_events, struct block_request *request,
                                     const char **reason);

/* Remarks on what was passed over. */
void ftrace_block_remark(struct import *import, const struct ftrace_block *state);

#endif
