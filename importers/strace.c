/* Output of strace: system calls of programs. For strace 4.5 to 7, with any of its flags.
 *
 *     4711  23:48:26.834923 openat(AT_FDCWD, "a.db", O_RDWR|O_CREAT, 0644) = 3 <0.000021>
 *     4712  23:48:26.834950 read(5,  <unfinished ...>
 *     4711  23:48:26.835001 pwrite64(3, "SQLite format 3\0"..., 4096, 0) = 4096 <0.000040>
 *     4712  23:48:26.835100 <... read resumed>"x", 1) = 1 <0.000147>
 *     4712  23:48:26.835123 +++ exited with 0 +++
 *
 * There is no header. strace_line.h parses a line, strace_resumed.c joins broken lines,
 * strace_state.h matches lines with the pending calls of their thread (strace_threads.h), and
 * strace_files.h finds the files. With -ff -o NAME each thread has a file NAME.N; they are merged
 * by time.
 *
 * Quirks: a call printed as unfinished and resumed is one event, at the time of its start. A call
 * without an end is an event without duration and result. An end without a start is an event
 * without arguments. The duration of a call is that of -T. Without -T, an interrupted call's
 * duration is the time between its two lines. Other calls have none, as the time until the
 * thread's next call includes time in the program.
 *
 * Tables filled: event (time, duration, operation, actor, object, address, size, value, error,
 * arguments); name (kinds syscall and error); actor (pid, tid, command); object (file and file
 * type). */
#include "base/time_unit.h"
#include "model/linux.h"
#include "strace_state.h"
#include "syscalls.h"

enum {
    LINE_END = 64 * 1024, /* bytes used at each end of a line longer than READER_WINDOW */
};

/* Reasons why records are rejected, ignored or merged, as report ledger prints them. */
static const char no_line[] = "not a line of strace";
static const char too_long[] = "line longer than 64 MiB";
static const char cut_line[] = "a call is cut off";
static const char has_nul[] = "a line with NUL bytes";
static const char no_room[] = "more than 16384 threads in a call at a time";
static const char of_output[] = "output of the program, between the halves of a line";
static const char of_signal[] = "signals";
static const char of_exit[] = "ends of threads and processes";
static const char of_note[] = "notes of strace";
static const char of_stack[] = "stacks of calls (-k)";
static const char of_dump[] = "dumps of data read and written";
static const char of_summary[] = "the table of -c or -C";

/* --- importing lines -------------------------------------------------------------------------- */

static void ignore_line(const struct strace_reading *reading, const char *reason) {
    import_ignored(reading->import, reason, reading->line->offset);
}

/* In a log of -r, adds the time of a rejected line, since the next time is relative to it. */
static void pass_time(const struct strace_reading *reading, struct word line) {
    struct strace_times *times = &reading->strace->times;
    struct strace_prefix prefix;
    int64_t time;

    if (times->begun && times->clock == STRACE_RELATIVE) {
        strace_parse_prefix(&line, &prefix);
        strace_times_read(times, &reading->stream->days, &prefix, &time);
    }
}

static void strace_reject(const struct strace_reading *reading, const char *reason) {
    lines_reject(reading->import, reading->line, reason);
}

/* Rejects a line whose time was not read yet. In a log of -r, also adds its time to the clock,
 * since the next time is relative to it. */
static void reject_unread(const struct strace_reading *reading, const char *reason) {
    strace_reject(reading, reason);
    pass_time(reading, reading->line->text);
}

/* Returns whether a line may be a piece of a wrapped line. Either it follows another piece and has
 * no prefix, or its result may continue in the next line (`goes_on`). */
static bool may_be_part(const struct strace_stream *stream, const struct strace_line *parsed,
                        bool goes_on) {
    struct word line = word_trim(parsed->body);

    return ((stream->after_part || (stream->partial.is && stream->partial.full)) &&
            parsed->prefix.thread == EVENT_NONE && parsed->prefix.clock == STRACE_NO_CLOCK &&
            parsed->name.length > 0 && *line.bytes != '<' &&
            (stream->first.clock != STRACE_NO_CLOCK || !linux_call_is_known(parsed->name))) ||
           ((parsed->form == STRACE_CALL || parsed->form == STRACE_RESUMED) && goes_on &&
            parsed->duration == EVENT_NONE &&
            (stream->first.durations || (!word_ends(line, ")") && !word_ends(line, ">"))));
}

/* Chooses the clock of the log, at the first line that may have a time. In a log without times, the
 * time of a line is its number; if there are durations (-T), the number is taken as nanoseconds. */
static void strace_begin_times(const struct strace_reading *reading) {
    static const struct import_clock places = {.unit = CLOCK_UNIT_RECORDS, .clocks = ""};
    const struct strace_first *first = &reading->stream->first;
    struct strace *strace = reading->strace;

    if (strace->times.begun) {
        if (reading->stream->days.last == 0) {
            reading->stream->days = strace->before;
        }
        return;
    }
    strace_times_begin(&strace->times, first->clock, first->time);
    strace->durations = first->clock != STRACE_NO_CLOCK || first->durations;
    if (!strace->durations) {
        import_clock(reading->import, &places);
    }
    if (first->clock == STRACE_EPOCH) {
        import_set_start_time(reading->import, first->time);
    } else if (first->clock == STRACE_DAY) {
        import_time_of_day(reading->import, first->time % DAY);
    }
}

/* Returns the time of a line, or, if the clock has stepped back, the latest time of the thread. */
static int64_t time_in_thread_order(const struct strace_reading *reading,
                                    struct strace_thread *thread, int64_t time) {
    if (time < thread->latest) {
        import_count_earlier_record(reading->import, thread->latest - time, reading->line->offset);
    } else {
        thread->latest = time;
    }
    return thread->latest;
}

/* Imports a line of a thread: a call, a signal or the thread's end. */
static void handle_thread_line(const struct strace_reading *reading,
                               const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread;
    const char *damage;
    int64_t time, earliest;

    strace_begin_times(reading);
    damage = strace_times_read(&strace->times, &reading->stream->days, &line->prefix, &time);
    if (damage != NULL) {
        strace_reject(reading, damage);
        return;
    }
    thread = strace_thread_of(reading, line);
    if (thread == NULL) {
        strace_reject(reading, no_room);
        return;
    }
    strace->with_duration += line->duration != EVENT_NONE;
    switch (line->form) {
    case STRACE_CALL:
        strace_handle_call(reading, thread, line, time_in_thread_order(reading, thread, time));
        break;
    case STRACE_UNFINISHED:
        strace_handle_unfinished(reading, thread, line,
                                 time_in_thread_order(reading, thread, time));
        break;
    case STRACE_RESUMED:
    case STRACE_RESUMED_HALF:
        earliest = thread->latest;
        time_in_thread_order(reading, thread, time);
        strace_handle_resumed(reading, thread, line, earliest, time);
        break;
    case STRACE_SUPERSEDED:
        ignore_line(reading, of_exit);
        strace_follow_thread_exec(reading, thread, line->number);
        break;
    case STRACE_EXITED:
        ignore_line(reading, of_exit);
        strace->exited |= word_begins(line->body, "+++ exited");
        strace_end_thread(reading, thread);
        break;
    default:
        ignore_line(reading, of_signal);
    }
}

/* Imports a parsed call. First removes output of the traced program that is in its line. */
static void handle_call(const struct strace_reading *reading, struct strace_line *line) {
    strace_cut_program_output(line, &reading->stream->partial.room);
    handle_thread_line(reading, line);
}

/* Rejects the stored start of a call, as the log does not have the rest. */
static void reject_held_start(const struct strace_reading *reading) {
    struct strace_partial_line *partial = &reading->stream->partial;

    if (partial->is) {
        import_rejected(reading->import, cut_line, partial->offset, partial->bytes);
        pass_time(reading, (struct word){partial->text.bytes, partial->text.length});
        partial->is = false;
    }
}

static void hold_unfinished_call(const struct strace_reading *reading,
                                 const struct strace_line *parsed) {
    const struct line *line = reading->line;
    int64_t attached;

    reject_held_start(reading);
    strace_partial_line_store(&reading->stream->partial, line->text, line->offset, line->bytes,
                              &attached);
    if (attached != EVENT_NONE) {
        (void)strace_thread_of(reading, parsed); /* the caller's, which is older than its child */
        strace_attach(reading, attached);
    }
}

/* Parses `rest` as the second half of a call: as if the line was "<... name resumed>rest". */
static bool join_resumed(struct strace_partial_line *partial, struct word name, struct word rest,
                         struct strace_line *parsed) {
    text_clear(&partial->joined);
    text_append_string(&partial->joined, "<... ");
    text_append(&partial->joined, name.bytes, name.length);
    text_append_string(&partial->joined, " resumed>");
    text_append(&partial->joined, rest.bytes, rest.length);
    return strace_parse((struct word){partial->joined.bytes, partial->joined.length}, parsed) ==
               NULL &&
           parsed->form == STRACE_RESUMED;
}

/* Imports the second line of a call that is unfinished in the line before. With -z, strace prints
 * the rest of a call without the mark "resumed". */
static void handle_rest_of_call(const struct strace_reading *reading, struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread =
        reading->stream->half == EVENT_NONE || reading->stream->resumes
            ? NULL
            : strace_threads_find(&strace->threads, reading->stream->half);

    if (thread == NULL || !thread->waiting.is ||
        !join_resumed(&reading->stream->partial,
                      (struct word){thread->waiting.name.bytes, thread->waiting.name.length},
                      reading->line->text, line)) {
        reject_unread(reading, no_line);
    } else {
        strace_handle_resumed(reading, thread, line, thread->waiting.time, thread->waiting.time);
    }
}

static void handle_form(const struct strace_reading *reading, struct strace_line *line) {
    static const char *const reasons[] = {
        [STRACE_ATTACHED] = of_note, [STRACE_NOTE] = of_note,       [STRACE_STACK] = of_stack,
        [STRACE_DUMP] = of_dump,     [STRACE_SUMMARY] = of_summary, [STRACE_OTHER] = NULL};

    if (line->form == STRACE_BLANK) {
        return;
    }
    if (line->form == STRACE_CUT) {
        hold_unfinished_call(reading, line);
    } else if (line->form == STRACE_OTHER) {
        /* The line may be the rest of a call that an earlier line begins. */
        struct strace_partial_line *partial = &reading->stream->partial;

        if (!partial->is) {
            handle_rest_of_call(reading, line);
        } else if (strace_partial_line_join(partial, reading->line->text, line)) {
            import_merged(reading->import, strace_second_half, reading->line->offset);
            handle_call(reading, line);
        } else if (partial->full && !partial->noted) {
            reject_held_start(reading);
            reject_unread(reading, no_line);
        } else {
            ignore_line(reading, of_output);
        }
    } else if (reasons[line->form] != NULL) {
        if (line->form == STRACE_ATTACHED) {
            strace_attach(reading, line->number);
        } else if (line->form == STRACE_SUMMARY) {
            reading->stream->in_summary = reading->strace->summary = true;
        }
        ignore_line(reading, reasons[line->form]);
    } else {
        /* Even with -z, a thread's execve is printed as "resumed", under the process's number: so
         * it does not show whether -z was given. */
        reading->stream->resumes |=
            (line->form == STRACE_RESUMED || line->form == STRACE_RESUMED_HALF) &&
            !word_begins(line->name, "execve");
        reject_held_start(reading);
        handle_call(reading, line);
    }
}

/* Returns whether the log ends in a line that begins a system call: strace was killed during it. */
static bool is_cut_call(const struct strace_partial_line *partial) {
    struct word text = {partial->text.bytes, partial->text.length};
    struct strace_line parsed;

    return partial->is && partial->last && strace_parse(text, &parsed) == NULL &&
           linux_call_is_known(parsed.name);
}

/* Handles the incomplete line stored at the end of the log. If it begins a call, as when strace was
 * killed, imports that as a call without an end; otherwise rejects it. */
static void strace_end_lines(struct strace_reading *reading) {
    struct strace_line parsed;

    if ((reading->strace->times.begun || is_cut_call(&reading->stream->partial)) &&
        strace_partial_line_parse_unfinished(&reading->stream->partial, &parsed)) {
        reading->strace->cut_off++;
        handle_thread_line(reading, &parsed);
    } else {
        reject_held_start(reading);
    }
}

/* Ignores a line of the table of -c or -C, which ends at the line of totals. */
static void handle_summary(const struct strace_reading *reading) {
    struct word line = word_trim(reading->line->text);

    reading->stream->in_summary = !word_has(line, "total");
    if (line.length > 0) {
        ignore_line(reading, of_summary);
    }
}

/* Returns whether a line after the heading of the table of -c or -C may belong to that table. */
static bool is_of_summary(struct word line) {
    static const char begins[] = {' ', '-', '%', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'};
    struct word second = line;

    if (line.length == 0 || memchr(line.bytes, '(', line.length) != NULL) {
        return line.length == 0;
    }
    if (memchr(begins, *line.bytes, sizeof begins) ==
        NULL) { /* with -U, the call's name may be the first column */
        word_next(&second);
        second = word_trim_left(second);
    }
    return second.length == 0 || memchr(begins, *second.bytes, sizeof begins) != NULL;
}

/* A line that was parsed before its import, perhaps in another thread. */
struct strace_ahead {
    bool escaped;       /* true: has terminal escapes, so it is parsed at its import */
    struct word text;   /* text of the line, without carriage returns and colours */
    const char *damage; /* why the line is rejected, by strace_parse(); NULL: it is valid */
    struct strace_line line;
};

static void parse_text(struct strace_ahead *ahead, const struct strace_first *first) {
    strace_skip_indent(&ahead->text, first);
    ahead->damage = memchr(ahead->text.bytes, '\0', ahead->text.length) != NULL
                        ? has_nul
                        : strace_parse(ahead->text, &ahead->line);
}

/* Parses a line ahead. Lines with terminal escapes are parsed later: their text needs a buffer of
 * the stream. */
static void parse_strace(const struct stream *stream, struct stream_record *record) {
    const struct strace_stream *state = stream->state;
    struct strace_ahead *ahead = record->parsed;

    ahead->text = (struct word){(const char *)record->bytes, record->length};
    ahead->escaped = record->bytes != NULL && memchr(record->bytes, '\033', record->length) != NULL;
    if (record->bytes != NULL && !ahead->escaped) {
        strace_remove_colours(&ahead->text, NULL);
        parse_text(ahead, &state->first);
    }
}

static void handle_strace(struct import *import, void *state, struct stream *stream,
                          const struct stream_record *record) {
    struct strace_ahead *ahead = record->parsed;
    struct line line = lines_of_record(record);
    struct strace_reading reading = {import, state, stream->state, &line};
    struct strace_line *parsed = &ahead->line;
    bool full;

    if (record->size == 0) {
        line = (struct line){.offset = reading.stream->partial.offset,
                             .bytes = reading.stream->partial.bytes};
        strace_end_lines(&reading);
        return;
    }
    if (record->bytes == NULL) {
        strace_reject(&reading, too_long);
        return;
    }
    if (ahead->escaped) {
        strace_remove_colours(&ahead->text, &reading.stream->plain);
        parse_text(ahead, &reading.stream->first);
    }
    line.text = ahead->text;
    if (reading.stream->in_summary && is_of_summary(line.text)) {
        handle_summary(&reading);
        return;
    }
    reading.stream->in_summary = false;
    if (ahead->damage == has_nul) {
        reject_unread(&reading, has_nul);
        return;
    }
    full = reading.stream->wrapped || record->length >= reading.stream->first.widest;
    if (ahead->damage == NULL && may_be_part(reading.stream, parsed, record->goes_on)) {
        ahead->damage = cut_line;
    }
    reading.stream->after_part = full && parsed->form == STRACE_OTHER;
    if (ahead->damage == NULL) {
        strace_find_output(&reading.stream->partial, line.text, parsed,
                           &reading.stream->partial.room);
        strace_find_embedded_line(line.text, parsed);
        handle_form(&reading, parsed);
        reading.stream->partial.full =
            parsed->form == STRACE_CUT ? full : reading.stream->partial.full;
    } else {
        reject_unread(&reading, ahead->damage);
    }
    if (parsed->form != STRACE_UNFINISHED && parsed->form != STRACE_STACK &&
        parsed->form != STRACE_DUMP) {
        reading.stream->half = EVENT_NONE;
    }
}

/* --- opening and reading files ---------------------------------------------------------------- */

static bool open_strace(struct stream *stream, struct error *error) {
    struct strace_stream *state = stream->state;
    const struct peel *peel = stream->reader->peel;
    enum peel_kind kind;
    int64_t first_offset;
    size_t length;

    reader_skip_mark(stream->reader);
    length = reader_fill(stream->reader, READER_WINDOW);
    state->half = EVENT_NONE;
    for (size_t i = 0; peel != NULL && i < peel_layers(peel); i++) {
        peel_count(peel, i, &kind, &first_offset);
        state->wrapped |= kind == PEEL_WRAPPED;
    }
    strace_first_times((const char *)reader_bytes(stream->reader),
                       length < READER_WINDOW ? length : READER_WINDOW, &state->first);
    if (state->first.clock == STRACE_DAY && stream->begins > 0) {
        /* Times of other files show that this file's first time is after midnight. */
        state->first.time += stream->begins;
        state->days = state->ahead = (struct strace_days){stream->begins, state->first.time};
    }
    return true;
}

static void close_strace(struct stream *stream) {
    struct strace_stream *state = stream->state;

    strace_partial_line_free(&state->partial);
    text_free(&state->plain);
    text_free(&state->ends);
}

/* Returns whether a text may follow the digits of a result: it is empty or begins with <, (, E. */
static bool may_follow_digits(struct word rest) {
    word_accept(&rest, " ");
    return rest.length == 0 || memchr("<(E", *rest.bytes, 3) != NULL;
}

/* Returns whether a read or write returned more than 1/`share` of the requested bytes. Then digits
 * in the next line cannot belong to the result: they are output of the program. */
static bool transfers_beyond(const struct strace_line *call, int64_t share) {
    int64_t asked;

    return call->form == STRACE_CALL && call->argument_count == 3 && call->result.known &&
           (word_is(call->name, "write") || word_is(call->name, "read")) &&
           word_number(call->arguments[2], INT64_MAX, &asked) && call->result.value > asked / share;
}

/* Returns whether the result of a line may continue in the next line. The lines of the log must
 * have been wrapped, or this one be as long as the longest. The next line must begin with digits,
 * letters, a file or a duration, and not be strace's. Uses only what open_strace() has set. */
static bool is_before_part(const struct stream *stream, struct word line) {
    const struct strace_stream *state = stream->state;
    struct word all = {(const char *)reader_bytes(stream->reader), reader_fill(stream->reader, 0)};
    struct word next = word_field(&all, '\n');
    char first, last = line.length == 0 ? '\n' : line.bytes[line.length - 1];
    struct strace_line parsed;
    int64_t share = 1; /* 10 to the power of the number of digits that the next line begins with */

    if (strace_parse(next, &parsed) != NULL || parsed.form != STRACE_OTHER) {
        return false;
    }
    first = word_peek(&next);
    for (size_t i = 0; i < word_digits(next) && share < INT64_MAX / 10; i++) {
        share *= 10;
    }
    word_skip(&next, word_digits(next));
    if (word_trim(next).length == 0 && strace_parse(line, &parsed) == NULL &&
        transfers_beyond(&parsed, share)) {
        return false;
    }
    return state->wrapped || state->first.durations || first == '<' ||
           (word_is_digit(last) && word_is_digit(first) && may_follow_digits(next)) ||
           (last >= 'A' && last <= 'Z' && first >= 'A' && first <= 'Z');
}

/* Returns whether the next line has the end of a result, with its duration: "01 <0.000020>". */
static bool is_before_duration(const struct stream *stream, struct word line) {
    struct word all = {(const char *)reader_bytes(stream->reader), reader_fill(stream->reader, 0)};
    struct word next;
    int64_t duration;

    if (line.length == 0 || !word_is_digit(line.bytes[line.length - 1])) {
        return false;
    }
    next = word_trim(word_field(&all, '\n'));
    word_skip(&next, word_digits(next));
    next = word_trim_left(next);
    return word_begins(next, "<") && word_ends(next, ">") &&
           word_seconds(word_between(next.bytes + 1, next.bytes + next.length - 1), 0,
                        STRACE_FRACTION_DIGITS, INT64_MAX / SECOND - 1, &duration);
}

/* Reads the next line. After the last one, returns a record of size 0; the incomplete line, if one
 * is stored, is imported with it. Of a line too long for the reader, returns only start and end,
 * which contain thread, time, descriptor and result. */
static bool next_strace(struct stream *stream, struct stream_record *record) {
    struct strace_stream *state = stream->state;
    const char *line = NULL;
    enum reader_line kind;

    reader_fill(stream->reader, READER_WINDOW); /* buffer the line and the next one */
    kind = reader_line_ends(stream->reader, &state->ends, LINE_END, &line, &record->length,
                            &record->offset);
    if (kind == READER_END) {
        if (reader_failed(stream->reader) || state->ended) {
            return false;
        }
        state->ended = true;
        *record = (struct stream_record){.bytes = (const uint8_t *)"",
                                         .offset = reader_offset(stream->reader)};
        return true;
    }
    record->bytes = kind == READER_LINE ? (const uint8_t *)line : NULL;
    record->size = reader_offset(stream->reader) - record->offset;
    record->goes_on = (state->wrapped || record->length >= state->first.widest) &&
                      is_before_part(stream, (struct word){line, record->length});
    record->goes_on |=
        state->first.durations && is_before_duration(stream, (struct word){line, record->length});
    return true;
}

/* Returns the time of a line, by which lines of several files are merged; EVENT_NONE: not merged,
 * as times are relative or missing. */
static int64_t time_of_strace(const struct stream *stream, const struct stream_record *record) {
    struct strace_stream *state = stream->state;
    struct word rest = {(const char *)record->bytes, record->length};
    struct strace_prefix prefix;

    if (record->bytes == NULL) {
        return EVENT_NONE;
    }
    strace_skip_indent(&rest, &state->first);
    strace_parse_prefix(&rest, &prefix);
    return prefix.clock == STRACE_DAY || prefix.clock == STRACE_EPOCH
               ? strace_line_time(&state->ahead, &prefix)
               : EVENT_NONE;
}

/* --- begin and end of an import --------------------------------------------------------------- */

static void begin_strace(struct import *import, void *state) {
    static const struct event_meaning flags = {EVENT_PLACE_FLAGS, "", "call", ""};
    struct strace *strace = state;

    import_variant(import, "text");
    import_add_meaning(import, &flags);
    strace->times.clock = (enum strace_clock)strace->clock;
    if (strace->times.now < INT64_MAX / 4 && strace->times.base < INT64_MAX / 4) {
        strace->before.last = strace->times.base + strace->times.now;
        strace->before.day = strace->before.last - strace->before.last % DAY;
    }
    strace_files_begin(import, &strace->files);
    strace_restore_threads(import, strace);
}

static void remark_times(struct import *import, const struct strace *strace) {
    if (strace->times.clock == STRACE_NO_CLOCK) {
        import_remark(
            import, "the log has no times: each call gets its position in the log as its time%s",
            strace->durations ? ", in nanoseconds; durations are those of strace -T" : "");
        import_declare_facts_absent(import, strace->durations ? FACT(TIMES) : 0);
    }
    if (strace->times.clock != STRACE_NO_CLOCK && !strace->times.decimals &&
        strace->with_duration > 0) {
        import_remark(import, "times are whole seconds: gaps between calls, and the order of calls "
                              "in different files, are not known; record with -ttt");
    }
    if (strace->times.clock == STRACE_RELATIVE && strace->streams > 1) {
        import_remark(import, "times of strace -r count from the last line of any file: the order "
                              "of calls in different files is not known");
    }
    if (strace->times.now > (strace->times.clock == STRACE_RELATIVE ? 31 : 366) * DAY &&
        strace->times.clock != STRACE_NO_CLOCK) {
        import_remark(import,
                      "the log lasts %lld days, which is long for strace: the numbers before its "
                      "calls may not be times",
                      (long long)(strace->times.now / DAY));
    }
    if (strace->times.back) {
        import_remark(import, "a line is earlier than the one before it by more than a day");
    }
}

static void remark_files(struct import *import, const struct strace_files *files) {
    if (files->without_file > 0) {
        import_remark(import,
                      "%lld of %lld calls on a descriptor have no file: the log does not name it",
                      (long long)files->without_file, (long long)files->on_descriptors);
    }
    if (files->reads > 0 && files->opens == 0 && files->seeks == 0) {
        import_remark(import, "the log has reads, but no open or seek: offsets are not known, and "
                              "files only where strace -y names them");
    }
    import_remark_count(
        import, files->mapped,
        "%lld file{s} {was|were} mapped into memory: reads and writes through a mapping "
        "are not in the log");
    import_remark_count(import, files->unseen,
                        "%lld call{s} of io_uring or libaio: what {it reads and writes|they read "
                        "and write} is not in the "
                        "log");
    import_remark_count(import, files->beyond,
                        "%lld size{s} above 2^40 bytes or offset{s} above 2^62 {was|were} left "
                        "out: no call can have them");
    if (files->shifted > 0) {
        import_remark(import,
                      "%lld offsets were shifted 32 bits too high, as old strace does on 32-bit "
                      "ARM, and were corrected%s",
                      (long long)files->shifted,
                      files->shift_ended ? "; a later offset is below 2^32, so the correction may "
                                           "be wrong; offsets from there on are as printed"
                                         : "");
    }
}

static void remark_calls(struct import *import, const struct strace *strace) {
    if (strace->with_duration == 0) {
        import_remark(import, "no durations%s; record with: strace -f -ttt -T -y -o LOG PROGRAM",
                      strace->timed > 0 ? ", except of calls that another thread interrupted" : "");
    }
    import_remark_count(
        import, strace->endless,
        "%lld call{s} {is without its end: it has|are without their end: they have} no result");
    import_remark_count(import, strace->injected,
                        "%lld call{ has a result|s have results} that strace injected: the kernel "
                        "did not carry {it|them} out");
    if (strace->exited && !strace->exits) {
        import_remark(import, "calls were left out, exit_group at least: strace -e, or another "
                              "filter");
    }
    import_remark_count(import, strace->silent,
                        "%lld thread{s} without lines for long {is|are} taken as ended, since more "
                        "than 16384 were alive: strace -qq leaves ends out");
    import_declare_facts_absent(import, strace->cut_off > 0 ? FACT(END) : 0);
    import_remark_count(import, strace->cut_off,
                        "the log is cut off at the end of %lld of its files");
    import_remark_count(import, strace->beginless,
                        "%lld call{s} {is without its begin: it has|are without their begin: they "
                        "have} no arguments and no file");
    import_remark_count(
        import, strace->threads.unseen + (int64_t)strace->threads.counts[STRACE_LIFE_BEGUN],
        "calls of %lld new {process or thread|processes or threads} are not in the log: strace -f "
        "follows them; positions in files that they share may be wrong");
}

static void end_strace(struct import *import, void *state, bool failed) {
    struct strace *strace = state;
    struct strace_reading reading = {import, strace, NULL, NULL};

    /* Calls that are still pending have no end in the log. */
    for (struct strace_thread *thread = strace->threads.all; thread != NULL;
         thread = thread->hh.next) {
        strace_abandon_call(&reading, thread);
    }
    if (!failed && strace->times.begun) {
        remark_times(import, strace);
        remark_calls(import, strace);
        import_calls_unpaired(import, strace->endless, strace->beginless);
        remark_files(import, &strace->files);
        strace_store_threads(import, strace);
    } else if (!failed && strace->summary) {
        import_fail_file(import,
                         "a table of strace -c, and no calls: record without -c, or with -C");
    }
    strace_threads_free(&strace->threads);
    text_free(&strace->unnamed);
    strace_files_end(&strace->files);
    strace->clock = strace->times.clock;
}

/* --- detection of the format ------------------------------------------------------------------ */

enum {
    ENOUGH = 3,    /* so many valid lines suffice; fewer do if all are system calls of Linux */
    DECIDED = 40,  /* after so many valid lines, any text may follow */
    JUDGED = 2000, /* at most so many lines are judged */
};

struct judgement {
    int good, bad;
    int known;  /* number of valid lines with a system call of Linux, or with a signal */
    int inside; /* number of valid lines with other text before strace's */
    int ends;   /* number of lines for the end of a thread */
    int notes;  /* number of lines "Process N attached" */
    int output; /* number of lines after an incomplete line; bad unless that line's rest follows */
    struct strace_partial_line partial;
    bool leads, sure;    /* leads: lines have a prefix; sure: some line can only be strace's */
    struct word written; /* string argument of the last line if that is a write(2) */
    bool other;          /* true: a line was printed by another tracer, such as ltrace */
    bool joined;         /* true: a result has output of the program in it */
    bool in_summary;
    bool summary, calls; /* summary: the log has a table of -c; calls: it has a line of a thread */
};

/* Counts a stored incomplete line as bad, with the lines after it: its rest is not in the log. */
static void count_held_as_bad(struct judgement *judgement) {
    judgement->bad += judgement->partial.is ? 1 + judgement->output : 0;
    judgement->output = 0;
    judgement->partial.is = false;
}

/* Judges a line that begins a call without its end, or may be the rest of a call. */
static void judge_partial_line(struct judgement *judgement, struct word line,
                               struct strace_line *parsed) {
    int64_t attached;

    if (parsed->form == STRACE_CUT) {
        count_held_as_bad(judgement);
        strace_partial_line_store(&judgement->partial, line, 0, 0, &attached);
    } else if (!judgement->partial.is) {
        judgement->bad++;
    } else if (strace_partial_line_join(&judgement->partial, line, parsed)) {
        judgement->known += linux_call_is_known(parsed->name) ? 2 : 0;
        judgement->good += 2;
        judgement->output = 0;
    } else {
        judgement->output++;
    }
}

/* Returns whether a call was printed by ltrace or truss. ltrace prints SYS_brk for a system call;
 * old strace prints SYS_328, but only for an unknown one. truss prints an error as Err#2. */
static bool is_of_other(const struct strace_line *parsed) {
    const char *opens = memchr(parsed->body.bytes, '(', parsed->body.length);
    struct word before = {parsed->body.bytes,
                          opens == NULL ? 0 : (size_t)(opens - parsed->body.bytes)};
    const char *quote = memchr(before.bytes, '"', before.length);

    /* Ignore the string that a resumed call has read: <... read resumed>"a->b, f(c"..., 9) = 9 */
    before.length = quote == NULL ? before.length : (size_t)(quote - before.bytes);
    return word_has(before, "->") || word_begins(parsed->body, "+++ exited (status ") ||
           word_is(parsed->name, "__libc_start_main") ||
           (word_begins(parsed->name, "SYS_") && parsed->name.length > 4 &&
            !word_is_digit(parsed->name.bytes[4])) ||
           (parsed->form == STRACE_CUT &&
            (word_has(parsed->body, "Err#") || word_has(parsed->body, "ERR#")));
}

/* Returns whether a string argument contains a line of text: then the program wrote that line to
 * the terminal that strace prints to. Of a long string, only the start is printed. */
static bool has_line(struct word string, struct word line) {
    bool cut = word_ends(string, "\"...");

    string.length -= cut ? 4 : string.length > 0;
    word_skip(&string, string.length > 0);
    while (string.length > 0) {
        const char *end = memmem(string.bytes, string.length, "\\n", 2);
        struct word text = string;

        text.length = end == NULL ? string.length : (size_t)(end - string.bytes);
        if (text.length > 0 && line.length >= text.length &&
            (line.length == text.length || (end == NULL && cut)) &&
            memcmp(line.bytes, text.bytes, text.length) == 0) {
            return true;
        }
        word_skip(&string, text.length + (end == NULL ? 0 : 2));
    }
    return false;
}

/* Returns whether a letter follows the digits of a result: ") = 6hello". */
static bool ends_in_word(struct word line) {
    struct word end;
    size_t digits;

    if (!word_cut_last(&line, ")", &end) || !word_accept(&end, "=")) {
        return false;
    }
    end = word_trim_left(end);
    digits = word_digits(end);
    return digits > 0 && digits < end.length && (*end.bytes != '0' || digits > 1) &&
           strace_is_name_byte(end.bytes[digits]);
}

static void judge_line(struct judgement *judgement, struct word line, struct text *plain) {
    struct word text = word_trim(line);
    const char *begin = line.bytes;
    struct strace_line parsed;
    const char *damage;

    strace_remove_colours(&line, plain);
    if (word_has(line, "\u201C")) { /* curly quotes, which input/peel.h replaces */
        judgement->bad++;
        return;
    }
    if (judgement->in_summary && is_of_summary(line)) {
        return;
    }
    damage = strace_parse(line, &parsed);
    judgement->in_summary = damage == NULL && parsed.form == STRACE_SUMMARY;
    judgement->summary |= judgement->in_summary;
    judgement->other = judgement->other || is_of_other(&parsed);
    if (damage != NULL) {
        judgement->bad++;
        return;
    }
    strace_find_output(&judgement->partial, line, &parsed, &judgement->partial.room);
    judgement->inside += strace_find_embedded_line(line, &parsed);
    if (parsed.form == STRACE_BLANK || parsed.form == STRACE_SUMMARY) {
        return;
    }
    if (parsed.form == STRACE_OTHER && judgement->written.length > 0 &&
        has_line(judgement->written, text)) {
        return;
    }
    if (parsed.form == STRACE_OTHER || parsed.form == STRACE_CUT) {
        judgement->joined |= ends_in_word(parsed.body);
        judge_partial_line(judgement, line, &parsed);
        return;
    }
    judgement->written = (struct word){0};
    if (line.bytes == begin && parsed.argument_count == 3 && word_is(parsed.name, "write")) {
        judgement->written = parsed.arguments[1];
    }
    if (parsed.form <= STRACE_SUPERSEDED) {
        count_held_as_bad(judgement);
        judgement->calls = true;
    }
    judgement->known +=
        judgement->good < ENOUGH &&
        (linux_call_is_known(parsed.name) ||
         (word_begins(parsed.body, "--- SIG") && word_has(parsed.body, " {si_signo=")));
    judgement->ends += parsed.form == STRACE_EXITED;
    judgement->notes += parsed.form == STRACE_ATTACHED;
    judgement->joined |= transfers_beyond(&parsed, 1);
    judgement->good++;
    judgement->leads = judgement->leads || parsed.body.bytes > line.bytes;
    judgement->sure = judgement->sure || parsed.form == STRACE_UNFINISHED ||
                      parsed.form == STRACE_RESUMED || parsed.form == STRACE_EXITED ||
                      word_is(parsed.name, "execve");
}

/* Judges a line that is too long for the bytes to sniff, so its end is missing. It is valid if it
 * begins with a thread or time and a call. */
static void judge_long_line(struct judgement *judgement, struct word line) {
    struct strace_line parsed;

    if (line.length > SNIFF_LENGTH / 2 && strace_parse(line, &parsed) == NULL &&
        parsed.form == STRACE_CUT && parsed.name.length > 0 &&
        (parsed.prefix.thread != EVENT_NONE || parsed.prefix.clock != STRACE_NO_CLOCK)) {
        judgement->good += ENOUGH;
    }
}

/* Returns whether a log of fewer than ENOUGH lines can only be strace's: all are system calls of
 * Linux, or ends of threads. With -ff and -e, a thread's file may have only the thread's end. */
static bool is_short_log(const struct judgement *judgement) {
    const int alone = judgement->known + judgement->ends;

    return alone > 0 && alone + judgement->notes == judgement->good && judgement->bad == 0;
}

static enum sniff_score sniff_strace(const struct sniff *sniff) {
    const char *at = (const char *)sniff->bytes, *end = at + sniff->length, *newline;
    struct judgement judgement = {0};
    struct text plain = {0};
    struct strace_line parsed;
    bool decided = false;

    for (int i = 0; i < JUDGED && at < end; i++, at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL && !sniff->whole) {
            judge_long_line(&judgement, word_between(at, end));
            break;
        }
        newline = newline == NULL ? end : newline;
        judge_line(&judgement, word_between(at, newline), &plain);
        decided = decided ||
                  (judgement.good >= DECIDED && lines_fit_format(judgement.good, judgement.bad));
    }
    if (judgement.output > 0 ||
        !judgement.partial.last) { /* if it is the last line, strace was killed during the call */
        count_held_as_bad(&judgement);
    } else if (is_cut_call(&judgement.partial) &&
               strace_partial_line_parse_unfinished(&judgement.partial, &parsed)) {
        judgement.known++;
        judgement.good++;
    }
    strace_partial_line_free(&judgement.partial);
    text_free(&plain);
    if (judgement.other || (judgement.summary && !judgement.calls) ||
        (judgement.good < ENOUGH && !is_short_log(&judgement)) ||
        !(decided || lines_fit_format(judgement.good + 1, judgement.bad))) {
        return SNIFF_NO;
    }
    /* If most lines have other text first, such as "> " or "I( 1) ", input/peel.h must strip it. */
    if (2 * judgement.inside > judgement.good || judgement.known == 0 || judgement.joined) {
        return SNIFF_GREEDY;
    }
    return judgement.leads && judgement.sure ? SNIFF_SURE : SNIFF_LIKELY;
}

/* Returns why sniff_strace() does not accept a log that has this line of strace: its calls are too
 * few, unknown to Linux, or incomplete. NULL: another line, or no reason known. */
static const char *refuses_strace(const struct sniff *sniff, struct word line) {
    struct strace_line parsed;

    (void)sniff;
    if (strace_parse(line, &parsed) != NULL) {
        return NULL;
    }
    if (parsed.form == STRACE_ATTACHED) {
        return "only a note of strace, or also other lines; -f strace reads the calls";
    }
    if (parsed.form == STRACE_CALL && parsed.fits && !linux_call_is_known(parsed.name)) {
        return "the first call is not a system call of Linux; -f strace or -f ltrace reads it";
    }
    if (!linux_call_is_known(parsed.name)) {
        return NULL;
    }
    return parsed.form == STRACE_UNFINISHED
               ? "a call without its end, and lines that are not calls; -f strace reads the log"
           : parsed.form == STRACE_CUT ? "a call that is cut off, and other text"
                                       : NULL;
}

/* Returns whether the file has the lines of one thread (-ff): no line has a thread number. */
static bool strace_is_of_thread(const struct sniff *sniff) {
    struct word all = {(const char *)sniff->bytes, sniff->length};
    struct strace_first first;

    strace_first_times(all.bytes, all.length, &first);
    if (sniff_strace(sniff) == SNIFF_NO) {
        return false;
    }
    for (int i = 0; i < JUDGED && all.length > 0; i++) {
        struct word rest = word_field(&all, '\n');
        struct strace_prefix prefix;

        strace_skip_indent(&rest, &first);
        strace_parse_prefix(&rest, &prefix);
        if (prefix.thread != EVENT_NONE) {
            return false;
        }
    }
    return true;
}

static int64_t first_strace_time(const struct sniff *sniff, const struct config *config,
                                 int64_t *range) {
    struct strace_first first;

    strace_first_times((const char *)sniff->bytes, sniff->length, &first);
    *range = first.clock == STRACE_DAY ? DAY : 0;
    return first.clock == STRACE_DAY || first.clock == STRACE_EPOCH ? first.time : EVENT_NONE;
}

/* --- dump of an event ------------------------------------------------------------------------- */

/* Implements dump(): prints a call much as strace does, followed by file and offset. */
static void dump_strace(const struct dump_event *dump, struct text *out) {
    const char *arguments = (const char *)dump->event.arguments;

    dump_call(out, dump);
    /* strace has escaped the arguments already, so backslashes are not escaped again. */
    syscalls_append_replacing(
        out, (struct word){arguments, arguments == NULL ? 0 : dump->arguments_size}, '\\', "\\");
    text_append_string(out, dump->event.value == EVENT_NONE ? ") = ?" : ")");
    dump_number(out, " = ", dump->event.value);
    dump_bytes(out, " ", dump->error, dump->error_length);
    dump_duration(out, dump);
    if (dump->object_length > 0) {
        text_append_char(out, ' ');
        syscalls_append_quoted(out, (struct word){dump->object, dump->object_length});
    }
    dump_number(out, " at ", dump->event.address);
}

static const struct resume_value resume[] = {
    {"base", offsetof(struct strace, times.base), 0, INT64_MAX, false},
    {"now", offsetof(struct strace, times.now), 0, INT64_MAX, false},
    {"clock", offsetof(struct strace, clock), 0, STRACE_RELATIVE, false},
    {"durations", offsetof(struct strace, durations), 0, 1, false},
    {0},
};

const struct importer strace_importer = {
    .name = "strace",
    .description = "system calls as strace prints them, in any mix of its flags",
    .line = "4711  23:48:26.834923 openat(AT_FDCWD, \"a.db\", O_RDWR) = 3 <0.000021>",
    .made_of = "lines of a system call with its arguments and \"= result\"",
    .variants = "text",
    .kinds = 1u << TRACE_CALLS,
    .meanings = {[TRACE_CALLS] = syscalls_meanings},
    .facts = {[TRACE_CALLS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS |
               EVENT_SIZE | EVENT_VALUE | EVENT_ARGUMENTS | EVENT_ERROR | EVENT_SOURCE |
               EVENT_SOURCE_ADDRESS | EVENT_FLAGS,
    .state_size = sizeof(struct strace),
    .resume = resume,
    .resume_begun = offsetof(struct strace, times.begun),
    .resume_text = true,
    .stream_state_size = sizeof(struct strace_stream),
    .sniff = sniff_strace,
    .refuses = refuses_strace,
    .begin = begin_strace,
    .open_stream = open_strace,
    .close_stream = close_strace,
    .next_record = next_strace,
    .record_time = time_of_strace,
    .parse_record = parse_strace,
    .parsed_size = sizeof(struct strace_ahead),
    .reads_ahead = true,
    .take_record = handle_strace,
    .end = end_strace,
    .of_thread = strace_is_of_thread,
    .first_time = first_strace_time,
    .dump = dump_strace,
};
