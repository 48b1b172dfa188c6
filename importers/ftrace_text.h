/* Files that hold lines of ftrace: a plain file, output of atrace with its own messages, or an HTML
 * page of systrace. */
#ifndef TRACETOOL_FTRACE_TEXT_H
#define TRACETOOL_FTRACE_TEXT_H

#include "import/importer.h"
#include "ftrace_block.h"
#include "ftrace_line.h"

/* What part of a file the current line is. */
enum ftrace_place {
    FTRACE_PLAIN,  /* a plain file: every line belongs to the trace */
    FTRACE_BEFORE, /* messages of atrace before the line `TRACE:` */
    FTRACE_PAGE,   /* a line of an HTML page, outside of the page's trace data */
    FTRACE_SCRIPT, /* the start of a page's <script>, which may hold a trace */
    FTRACE_TRACE,  /* a line of a trace in an HTML page */
    FTRACE_SKIPPED,
    FTRACE_LITERAL, /* a line of a trace that is a JavaScript string, as in older systraces */
};

/* State of reading a file. */
struct ftrace_text {
    enum ftrace_place place;
    bool has_events;         /* true: the first lines have block events */
    bool has_clock;          /* true: one of the first lines has a time */
    enum ftrace_clock clock; /* clock of the time in the first lines */
    int64_t realtime; /* wall clock, nanoseconds since 1970 UTC; EVENT_NONE: not in the file */
    int64_t told_at;  /* log time at which the wall clock was `realtime`, ns */
    bool has_zone;    /* true: the file has the offset of local time from UTC */
    int64_t zone;     /* that offset, minutes east of UTC */
    /* Owned: for each CPU, the first line with a switch of tasks; only for function graphs. */
    struct text switches;
    struct text plain; /* owned: memory for a line without the page's markup */
    /* Sets missing names and processes of a line's thread. NULL: nothing is missing. */
    void (*complete)(const struct ftrace_text *file, struct ftrace_line *line);
    bool has_lines; /* true: events of the recording were imported */
    /* State of the recording to which the last imported line belongs. */
    struct ftrace_recording recording;
};

/* Returns whether the file is a systrace page or output of atrace, which must hold ftrace lines. */
bool ftrace_text_sniff(const struct sniff *sniff);

/* Returns the part of the bytes that may have lines of a trace: what follows atrace's messages. */
struct word ftrace_text_skip_messages(const void *bytes, size_t length);

/* Returns whether most of the first lines of a trace have other text before their columns. */
bool ftrace_text_has_prefixes(struct word trace);

/* Implement `open_stream` and `close_stream` of the importer. */
bool ftrace_text_open(struct stream *stream, struct error *error);
void ftrace_text_close(struct stream *stream);

/* Returns whether the line gives the wall clock, in a log with times in seconds. `*realtime` is in
 * nanoseconds since 1970. The line must have the fields of ftrace_line_mark(). */
bool ftrace_text_read_wall_clock(const struct ftrace_line *mark, int64_t *realtime);

/* Implements `next_record`: reads the next line of a trace. */
bool ftrace_text_next(struct stream *stream, struct stream_record *record);

#endif
