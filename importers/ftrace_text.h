/* Containers of ftrace lines: a plain file, output of atrace with its own messages, or an HTML page
 * of systrace. */
#ifndef TRACETOOL_FTRACE_TEXT_H
#define TRACETOOL_FTRACE_TEXT_H

#include "import/importer.h"
#include "ftrace_block.h"
#include "ftrace_line.h"

/* Kind of text at the cursor of a file. */
enum ftrace_place {
    FTRACE_PLAIN,  /* every line belongs to the trace */
    FTRACE_BEFORE, /* messages of atrace, before `TRACE:` */
    FTRACE_PAGE,   /* the line is in an HTML page, outside of the page's trace data */
    FTRACE_SCRIPT, /* at the start of a page's <script>, which may hold a trace */
    FTRACE_TRACE,  /* the line is in a trace */
    FTRACE_SKIPPED,
    FTRACE_LITERAL, /* the line is in a trace that is a JavaScript string, as in older systraces */
};

/* State of a file. */
struct ftrace_text {
    enum ftrace_place place;
    bool has_events;         /* the first lines have block events */
    bool has_clock;          /* one of the first lines has a time */
    enum ftrace_clock clock; /* clock of that time */
    int64_t realtime;        /* wall clock, nanoseconds since 1970 UTC; EVENT_NONE: not given */
    int64_t told_at;         /* time of the log at `realtime` */
    /* Owned: of the first lines, those with the first switch of a CPU in a function graph. */
    struct text switches;
    struct text plain; /* owned: a line without the page's markup */
    /* Sets process and name of a line's thread, where they are missing. NULL: nobody knows them. */
    void (*complete)(const struct ftrace_text *file, struct ftrace_line *line);
    bool has_lines; /* events of the recording were imported */
    /* The recording of imported lines, not of lines read ahead. */
    struct ftrace_recording recording;
};

/* Returns whether the file can only hold ftrace lines: it is a systrace page, or output of atrace.
 */
bool ftrace_text_sniff(const struct sniff *sniff);

/* Returns the bytes that may contain lines of a trace: those after atrace's messages. */
struct word ftrace_text_begin(const void *bytes, size_t length);

/* Returns whether most of the first lines of a trace have text before their columns. */
bool ftrace_text_prefixed(struct word trace);

/* `open_stream` and `close_stream` of the importer. */
bool ftrace_text_open(struct stream *stream, struct error *error);
void ftrace_text_close(struct stream *stream);

/* Returns whether the line marks the wall clock, in a log with times in seconds. `*realtime` is in
 * nanoseconds since 1970. Its fields are those of ftrace_line_mark(). */
bool ftrace_text_clock(const struct ftrace_line *mark, int64_t *realtime);

/* `next_record`: reads the next line of a trace. */
bool ftrace_text_next(struct stream *stream, struct stream_record *record);

#endif
