/* Lines of a strace log that are not whole: a note of strace, or the program's own output or input,
 * stands in the midst of them and has put an end to the line.
 *
 *     clone(child_stack=NULL, flags=SIGCHLDstrace: Process 30 attached
 *     , child_tidptr=0xf965650) = 30
 *
 *     write(1, "one\ntwo\n", 8one
 *     two
 *     ) = 8
 *
 *     read(0, what was typed
 *     "what was typed\n", 1024)        = 15
 *
 *     no end of line[pid 7] <... mmap resumed>) = 0x7efd74000000
 *
 * One call of a file is held until what is missing of it comes.
 */
#ifndef TRACETOOL_STRACE_RESUMED_H
#define TRACETOOL_STRACE_RESUMED_H

#include "base/text.h"
#include "strace_line.h"

struct strace_held {
    bool is;
    bool noted;            /* by a note, so that the next line is its rest */
    bool last;             /* no line came since */
    size_t tried;          /* bytes that were taken apart to find its rest */
    struct text text;      /* what there is of the line */
    struct text joined;    /* the last line that was put together */
    struct text room;      /* of strings without escapes */
    int64_t offset, bytes; /* of the begin, for the ledger */
};

void strace_held_free(struct strace_held *held);

/* Holds a line that was cut. A note at its end is taken off: `*attached` is the process that it is
 * about, else EVENT_NONE. */
void strace_hold(struct strace_held *held, struct word line, int64_t offset, int64_t bytes,
                 int64_t *attached);

/* Whether a line that is none of its own is the rest of the one that is held: it is taken apart
 * together with that then, and nothing is held any more. What points into it is valid until the
 * next line is joined. */
bool strace_join(struct strace_held *held, struct word rest, struct strace_line *parsed);

/* Makes the line that is held, the last of its file, the begin of a call that never ends; nothing
 * is held any more. False: it is no begin. */
bool strace_join_endless(struct strace_held *held, struct strace_line *parsed);

/* Joins the rest of a call to its begin on the line above, where that ended in <unfinished ...>. */
bool strace_join_resumed(struct strace_held *held, struct word name, struct word rest,
                         struct strace_line *parsed);

/* Where a line was taken apart that is none by itself, finds one that begins in its midst, as
 * "[pid N] ...", and takes that apart: what the program has printed stands before it. */
void strace_find_inside(struct word line, struct strace_line *parsed);

/* Takes what write(2) has printed on the same terminal off the last argument of a call: how many
 * bytes it has is known by the string, or the result. `room` is a buffer. */
void strace_cut_written(struct strace_line *parsed, struct text *room);

#endif
