/* What ftrace's lines come in: a file of nothing else, what atrace says around them, or a page of
 * HTML that systrace makes. */
#ifndef TRACETOOL_FTRACE_TEXT_H
#define TRACETOOL_FTRACE_TEXT_H

#include "import/importer.h"
#include "ftrace_block.h"
#include "ftrace_line.h"

/* Where in a file the cursor is. */
enum ftrace_place {
    FTRACE_PLAIN,  /* every line is one of the trace */
    FTRACE_BEFORE, /* what atrace says, up to `TRACE:` */
    FTRACE_PAGE,   /* a page, outside of what it shows */
    FTRACE_SCRIPT, /* at the begin of such data, which may be a trace or not */
    FTRACE_TRACE,  /* in a trace */
    FTRACE_SKIPPED,
    FTRACE_LITERAL, /* in a trace that is a string of JavaScript's, as older systraces have it */
};

/* A file's own state. */
struct ftrace_text {
    enum ftrace_place place;
    bool has_events;         /* block events are among its first lines */
    bool has_clock;          /* one of them has a time … */
    enum ftrace_clock clock; /* … of this clock */
    int64_t realtime;     /* the wall clock, nanoseconds since 1970 UTC; EVENT_NONE: not told … */
    int64_t told_at;      /* … at that time of the log */
    struct text switches; /* owned: of its first lines, those at which a CPU of a function graph
                             switches for the first time */
    struct text plain;    /* owned: a line without what a page puts into it */
    bool has_lines;       /* events of the recording have been taken … */
    struct ftrace_recording recording; /* … that lines are of; of what is taken, not looked ahead */
};

/* Whether the file is of a container that only holds such traces: a page of systrace's, or what
 * atrace prints. */
bool ftrace_text_sniff(const struct sniff *sniff);

/* The bytes in which lines of a trace can be looked for: behind what atrace says. */
struct word ftrace_text_begin(const void *bytes, size_t length);

/* Whether most of the first lines of a trace have text before their columns. */
bool ftrace_text_prefixed(struct word trace);

/* `open_stream` and `close_stream` of the importer. */
bool ftrace_text_open(struct stream *stream, struct error *error);
void ftrace_text_close(struct stream *stream);

/* Whether the line is a mark of the wall clock, of a log whose times are seconds: `*realtime` is in
 * nanoseconds since 1970. Its fields are what ftrace_line_mark() gives. */
bool ftrace_text_clock(const struct ftrace_line *mark, int64_t *realtime);

/* `next_record`: the next line of a trace. */
bool ftrace_text_next(struct stream *stream, struct stream_record *record);

#endif
