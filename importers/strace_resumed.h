/* Joins broken lines of a strace log: a note of strace, or the program's own output or input, has
 * interrupted them.
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
 * Each file holds one incomplete call until its rest comes. */
#ifndef TRACETOOL_STRACE_RESUMED_H
#define TRACETOOL_STRACE_RESUMED_H

#include "base/text.h"
#include "strace_line.h"

struct strace_held {
    bool is;
    bool noted;            /* interrupted by a note, so the next line is the rest */
    bool last;             /* no line has followed */
    size_t tried;          /* bytes parsed in search of its rest */
    struct text text;      /* the line so far */
    struct text joined;    /* last joined line */
    struct text room;      /* buffer for unescaped strings */
    int64_t offset, bytes; /* place of the first part, for the ledger */
};

void strace_held_free(struct strace_held *held);

/* Holds an incomplete line. Removes a note at its end, and sets `*attached` to the process in the
 * note, else to EVENT_NONE. */
void strace_hold(struct strace_held *held, struct word line, int64_t offset, int64_t bytes,
                 int64_t *attached);

/* Joins and parses the held line and `rest`, if they make one line; then nothing is held. Returns
 * whether they did. `parsed` is valid until the next line is joined. */
bool strace_join(struct strace_held *held, struct word rest, struct strace_line *parsed);

/* Parses the held line, the last of its file, as the start of a call that never returns; then
 * nothing is held. False if it is not one. */
bool strace_join_endless(struct strace_held *held, struct strace_line *parsed);

/* Joins the rest of a call to its start in the line above, which ended with <unfinished ...>. */
bool strace_join_resumed(struct strace_held *held, struct word name, struct word rest,
                         struct strace_line *parsed);

/* Finds a line of strace inside a line, as "[pid N] ...", and parses that. The text before it is
 * output of the program. */
void strace_find_inside(struct word line, struct strace_line *parsed);

/* Removes the output of write(2), printed on the same terminal, from the last argument of a call.
 * The string or the result gives the length of that argument. `room` is a buffer. */
void strace_cut_written(struct strace_line *parsed, struct text *room);

#endif
