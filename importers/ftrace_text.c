/* Containers of ftrace's text.
 *
 * atrace prints `capturing trace... done` and a line `TRACE:` before the trace; with -z the rest is
 * compressed (unpacked by input/input.c). A systrace page has a viewer of some megabytes, and
 *
 *     <script class="trace-data" type="application/text">
 *     # tracer: nop
 *     ...
 *       </script>
 *
 * Other elements of this class hold lists of processes, and JSON. Other pages have the trace
 * between the comments BEGIN TRACE and END TRACE. Pages from before 2014 have a string instead,
 *
 *     var linuxPerfData = "\
 *     # tracer: nop\n\
 *
 * A browser that saves a page writes &lt; for <. */
#include "ftrace_text.h"

#include <string.h>
#include <strings.h>

#include "ftrace_graph.h"
#include "input/peel_line.h"

enum {
    TIMES_JUDGED = 8,  /* maximum lines from which differences of times are recognised */
    PREFIX_JUDGED = 3, /* lines needed to decide that the log has text before the columns */
    PREFIX_MOST = 50,  /* maximum lines read to find a prefix: text before the columns */
    PREFIX_SHOWN = 40, /* maximum bytes of a prefix that an error message quotes */
};

static const char trace_data[] = "class=\"trace-data\"";
static const char script_end[] = "</script>";
static const char comment_begin[] = "<!-- BEGIN TRACE -->";
static const char comment_end[] = "<!-- END TRACE -->";
static const char literal_begin[] = "linuxPerfData = \"";

/* Consumes the next line of the bytes, and returns it without its end. */
static struct word ftrace_text_cut_line(struct word *rest) {
    struct word line = word_field(rest, '\n');

    if (word_ends(line, "\r")) {
        line.length--;
    }
    return line;
}

/* --- detection of the format ------------------------------------------------------------------ */

/* Returns whether a text begins with a certain tag. HTML ignores case. */
static bool begins_with_tag(struct word text, const char *tag) {
    size_t length = strlen(tag);

    return text.length >= length && strncasecmp(text.bytes, tag, length) == 0;
}

static bool is_page(struct word bytes) {
    struct word begin = bytes;

    while (begin.length > 0 && (word_is_blank(*begin.bytes) || *begin.bytes == '\n')) {
        word_skip(&begin, 1);
    }
    return begins_with_tag(begin, "<!doctype html") || begins_with_tag(begin, "<html");
}

struct word ftrace_text_skip_messages(const void *bytes, size_t length) {
    struct word all = {bytes, length}, rest = all;

    while (rest.length > 0) {
        struct word line = ftrace_text_cut_line(&rest);

        if (word_is(line, "TRACE:")) {
            return rest;
        }
        if (word_begins(line, "#")) {
            break; /* a line with # belongs to the trace */
        }
    }
    return all;
}

bool ftrace_text_sniff(const struct sniff *sniff) {
    struct word bytes = {(const char *)sniff->bytes, sniff->length};

    return is_page(bytes) && (word_has(bytes, trace_data) || word_has(bytes, literal_begin) ||
                              word_has(bytes, comment_begin) || word_has(bytes, "trace-viewer") ||
                              word_has(bytes, "<title>Android System Trace</title>"));
}

/* --- first lines of a file -------------------------------------------------------------------- */

/* Parses a wall clock, `tracing_mark_write: trace_event_clock_sync: realtime_ts=1420155513201`. */
bool ftrace_text_read_wall_clock(const struct ftrace_line *mark, int64_t *realtime) {
    struct word rest = mark->fields;

    if (!word_accept(&rest, "trace_event_clock_sync: realtime_ts=") ||
        !word_next_number(&rest, INT64_C(4000000000000), realtime)) {
        return false;
    }
    *realtime *= 1000000;
    return true;
}

static void find_clock(struct ftrace_text *state, const struct ftrace_line *line) {
    struct ftrace_line mark = *line;
    int64_t realtime;

    if (state->realtime == EVENT_NONE && line->clock == FTRACE_SECONDS &&
        ftrace_line_mark(line, &mark.fields) && ftrace_text_read_wall_clock(&mark, &realtime)) {
        state->realtime = realtime;
        state->told_at = line->time;
    }
}

/* Statistics of the times in the first lines: are they absolute, or differences? */
struct first_times {
    int64_t count, back; /* count: lines; back: lines with an earlier time than the line before */
    int64_t zeros;       /* number of lines at time 0 after a line at a later time */
    int64_t first, last, greatest;
    double sum;
};

static void ftrace_text_count_time(struct first_times *times, const struct ftrace_line *line) {
    if (line->clock != FTRACE_SECONDS) {
        return;
    }
    times->back += times->count > 0 && line->time < times->last;
    times->zeros += line->time == 0 && times->greatest > 0;
    times->first = times->count++ == 0 ? line->time : times->first;
    times->last = line->time;
    times->greatest = line->time > times->greatest ? line->time : times->greatest;
    times->sum += (double)line->time;
}

/* Returns whether each time is the difference to the line before (`perf script --deltatime`). Then
 * about half of the lines seem to step back. Also the first is 0, or most are far below the
 * largest, unlike in a log that is out of order. Differences printed in microseconds are often 0.
 */
static bool times_are_differences(const struct first_times *times) {
    return times->count >= TIMES_JUDGED &&
           ((times->back > times->count / 4 &&
             (times->first == 0 ||
              times->sum / (double)times->count < (double)times->greatest / 4)) ||
            times->zeros > times->count / 4);
}

/* Numbers of first lines: of all, and of those that have a prefix (text before the columns). */
struct first_prefixes {
    int64_t lines, prefixed;
    struct word first;
};

static void count_prefix(struct first_prefixes *prefixes, struct word text,
                         const struct ftrace_line *line) {
    struct word prefix = ftrace_line_prefix(text, line);

    prefixes->lines++;
    if (prefix.length > 0 && prefixes->prefixed++ == 0) {
        prefixes->first = prefix;
    }
}

/* Returns whether most lines have a prefix, which would become part of the task's name. */
static bool most_lines_have_prefix(const struct first_prefixes *prefixes) {
    return prefixes->lines >= PREFIX_JUDGED && prefixes->prefixed > prefixes->lines / 2;
}

bool ftrace_text_has_prefixes(struct word trace) {
    struct first_prefixes prefixes = {0};
    struct ftrace_line line;

    while (trace.length > 0 && prefixes.lines < PREFIX_MOST) {
        struct word text = ftrace_text_cut_line(&trace);

        if (ftrace_line_parse(text, &line)) {
            count_prefix(&prefixes, text, &line);
        }
    }
    return most_lines_have_prefix(&prefixes);
}

static bool check_prefixes(const struct first_prefixes *prefixes, struct error *error) {
    size_t length = prefixes->first.length;

    return !most_lines_have_prefix(prefixes) ||
           error_set(error,
                     "lines begin with foreign text, the first with \"%.*s\": cut it off, so that "
                     "each line begins with the name of its task",
                     (int)(length < PREFIX_SHOWN ? length : PREFIX_SHOWN), prefixes->first.bytes);
}

/* Stores a CPU's first line like ` 0) cat-42 => dd-43` in a function graph without a column of
 * tasks. It names the task that the CPU ran before. */
static void find_switch(struct ftrace_text *state, struct word text, uint8_t *seen) {
    struct ftrace_graph_line line;

    ftrace_graph_parse(text, NULL, &line);
    if (line.kind == GRAPH_SWITCH && !seen[line.head.cpu]) {
        seen[line.head.cpu] = 1;
        text_append(&state->switches, text.bytes, text.length);
        text_append_char(&state->switches, '\n');
    }
}

static void ftrace_text_read_ahead(struct ftrace_text *state, struct word bytes,
                                   struct first_times *times, struct first_prefixes *prefixes) {
    uint8_t seen[FTRACE_GRAPH_CPUS] = {0};
    struct ftrace_line line;

    while (bytes.length > 0) {
        struct word text = ftrace_text_cut_line(&bytes);
        bool parsed = ftrace_line_parse(text, &line);

        if (parsed) {
            ftrace_text_count_time(times, &line);
            count_prefix(prefixes, text, &line);
        } else if (word_has(text, "=>")) {
            find_switch(state, text, seen);
        }
        if (!state->has_clock && parsed) {
            state->has_clock = true;
            state->clock = line.clock;
        }
        if (word_has(text, "block_rq_") || word_has(text, "block_bio_")) {
            state->has_events |= parsed && word_begins(line.event, "block_");
        } else if (parsed && word_has(text, "realtime_ts=")) {
            find_clock(state, &line);
        }
    }
}

bool ftrace_text_open(struct stream *stream, struct error *error) {
    struct ftrace_text *state = stream->state;
    struct first_times times = {0};
    struct first_prefixes prefixes = {0};
    struct word bytes, trace;

    reader_skip_mark(stream->reader);
    bytes.length = reader_fill(stream->reader, READER_WINDOW);
    bytes.bytes = (const char *)reader_bytes(stream->reader);
    trace = ftrace_text_skip_messages(bytes.bytes, bytes.length);
    state->place = is_page(bytes)               ? FTRACE_PAGE
                   : trace.bytes != bytes.bytes ? FTRACE_BEFORE
                                                : FTRACE_PLAIN;
    state->realtime = EVENT_NONE;
    ftrace_text_read_ahead(state, trace, &times, &prefixes);
    return check_prefixes(&prefixes, error) &&
           (!times_are_differences(&times) ||
            error_set(error,
                      "its times are those since the line before, as perf script --deltatime "
                      "prints them: use perf script --ns without --deltatime"));
}

void ftrace_text_close(struct stream *stream) {
    struct ftrace_text *state = stream->state;

    text_free(&state->plain);
    text_free(&state->switches);
}

/* --- lines of an HTML page -------------------------------------------------------------------- */

/* Decodes the line of a record: it is in HTML, or in a JavaScript string. */
static void ftrace_text_decode(struct ftrace_text *state, struct stream_record *record) {
    struct word line = {(const char *)record->bytes, record->length};
    bool literal = state->place == FTRACE_LITERAL;

    if (record->bytes == NULL || memchr(line.bytes, literal ? '\\' : '&', line.length) == NULL) {
        return;
    }
    text_clear(&state->plain);
    if (literal) {
        /* Each line of a JavaScript string ends with an escaped newline and a backslash. */
        if (word_ends(line, "\\n\\")) {
            line.length -= 3;
        }
        for (size_t i = 0; i < line.length; i++) {
            bool escaped = line.bytes[i] == '\\' && i + 1 < line.length;

            i += escaped;
            text_append_char(&state->plain, escaped && line.bytes[i] == 't' ? '\t' : line.bytes[i]);
        }
    } else {
        peel_append_decoded(line, &state->plain);
    }
    record->bytes = (const uint8_t *)text_string(&state->plain);
    record->length = state->plain.length;
}

/* Returns whether the data in an HTML page are a trace, by their first line. */
static bool begins_trace(struct word line) {
    struct ftrace_line parsed;

    return word_begins(line, "# tracer") || word_begins(line, "CPU:") ||
           ftrace_line_parse(line, &parsed);
}

/* Returns whether trace data may begin after this line of an HTML page. The scripts of systrace's
 * viewer contain the same tag, but not at the start of a line. */
static bool begins_data(struct word line) {
    return word_has(line, comment_begin) ||
           (begins_with_tag(word_trim_left(line), "<script") && word_has(line, trace_data));
}

/* Returns what a line of the page is, given what the line before is. */
static enum ftrace_place ftrace_text_place_of(enum ftrace_place before, struct word line) {
    switch (before) {
    case FTRACE_BEFORE:
        return word_is(line, "TRACE:") ? FTRACE_PLAIN : FTRACE_BEFORE;
    case FTRACE_LITERAL:
        return word_ends(line, "\";") ? FTRACE_PAGE : before;
    case FTRACE_PAGE:
        return begins_data(line)               ? FTRACE_SCRIPT
               : word_has(line, literal_begin) ? FTRACE_LITERAL
                                               : FTRACE_PAGE;
    case FTRACE_SCRIPT:
    case FTRACE_TRACE:
    case FTRACE_SKIPPED:
        /* New data may begin although no end of the data before was found: that end may be in a
         * line too long to read. */
        return word_has(line, script_end) || word_has(line, comment_end) ? FTRACE_PAGE
               : begins_data(line)                                       ? FTRACE_SCRIPT
               : before != FTRACE_SCRIPT || word_trim(line).length == 0  ? before
               : begins_trace(line)                                      ? FTRACE_TRACE
                                                                         : FTRACE_SKIPPED;
    default:
        return before;
    }
}

bool ftrace_text_next(struct stream *stream, struct stream_record *record) {
    struct ftrace_text *state = stream->state;

    while (stream_next_line(stream, record)) {
        enum ftrace_place before = state->place;

        if (before == FTRACE_PLAIN) {
            return true;
        }
        if (record->bytes != NULL) {
            state->place = ftrace_text_place_of(
                before, (struct word){(const char *)record->bytes, record->length});
        }
        if (state->place == FTRACE_TRACE ||
            (state->place == FTRACE_LITERAL && before == FTRACE_LITERAL)) {
            ftrace_text_decode(state, record);
            return true;
        }
    }
    return false;
}
