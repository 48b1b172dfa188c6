/* Lines of a strace log that are not whole: a note of strace, or the program's own output, stands
 * in the midst of them and has put an end to the line.
 *
 *     clone(child_stack=NULL, flags=SIGCHLDstrace: Process 30 attached
 *     , child_tidptr=0xf965650) = 30
 *
 *     write(1, "one\ntwo\n", 8one
 *     two
 *     ) = 8
 *
 * One call of a file is held until what is missing of it comes.
 */
#ifndef TRACETOOL_STRACE_JOIN_H
#define TRACETOOL_STRACE_JOIN_H

#include "base/text.h"
#include "strace_line.h"

struct strace_held {
    bool is;
    bool noted;            /* by a note, so that the next line is its rest */
    struct text text;      /* what there is of the line */
    struct text joined;    /* the last line that was put together */
    int64_t offset, bytes; /* of the begin, for the ledger */
};

void strace_held_free(struct strace_held *held);

/* Holds a line that was cut. A note at its end is taken off: `*attached` is the process that it is
 * about, else EVENT_NONE. False when out of memory. */
bool strace_hold(struct strace_held *held, struct word line, int64_t offset, int64_t bytes,
                 int64_t *attached);

/* Whether a line that is none of its own is the rest of the one that is held: it is taken apart
 * together with that then, and nothing is held any more. What points into it is valid until the
 * next line is joined. */
bool strace_join(struct strace_held *held, struct word rest, struct strace_line *parsed,
                 bool *memory);

/* Joins the rest of a call to its begin on the line above, where that ended in <unfinished ...>. */
bool strace_join_resumed(struct strace_held *held, struct word name, struct word rest,
                         struct strace_line *parsed, bool *memory);

#endif
