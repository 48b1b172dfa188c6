#include "carrier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1024, HEADER_SIZE = 32, STREAMING = 0xF0, LATE = 3 };
enum { PACKET_METHOD = 1, PACKET_THREAD = 2, PACKET_SUMMARY = 3 };

/* 2012-05-01 10:00 in Beijing. */
#define START UINT64_C(1335837600000000)

struct writer {
    struct trace *trace;
    const struct play *play;
    const struct trace_style *style;
    const struct listing *listings;
    const struct extras *extras;
    bool *method_done, *thread_done; /* streaming: the packet is written */
    size_t *method_due, *thread_due; /* at which event it shall be */
};

static bool is_method(const struct program *program, size_t function) {
    enum resolution resolution = program->functions[function].resolution;

    return resolution == THREAD || resolution == METHOD;
}

static uint32_t value_of(const struct writer *writer, size_t function) {
    if (writer->listings != NULL) {
        return writer->listings[function].value;
    }
    /* ART counts; Dalvik took addresses. */
    return writer->style->art ? (uint32_t)function * 4 : 0xB6D0601Cu + (uint32_t)function * 56;
}

/* Empty: the file does not name it. */
static void method_line(const struct writer *writer, size_t function, char *line) {
    const struct function *method = &writer->play->program->functions[function];
    const char *given = writer->listings == NULL ? NULL : writer->listings[function].line;
    bool art = writer->style->art;
    char group[LINE_SIZE / 4];

    line[0] = '\0';
    if (!is_method(writer->play->program, function) || (given != NULL && given[0] == '\0')) {
        return;
    }
    line += sprintf(line, value_of(writer, function) == 0 ? "%" PRIx32 : "0x%" PRIx32,
                    value_of(writer, function));
    if (given != NULL) {
        sprintf(line, "\t%s\n", given);
        return;
    }
    snprintf(group, sizeof group, "%s", method->group);
    for (char *dot = group; !art && (dot = strchr(dot, '.')) != NULL;) {
        *dot = '/';
    }
    line += sprintf(line, "\t%s\t%s\t%s\tSource.java", group, method->method, method->signature);
    sprintf(line, art ? "\n" : "\t%zu\n", function * 7);
}

static void put_keys(const struct writer *writer, struct bytes *bytes) {
    const struct trace_style *style = writer->style;
    const struct play *play = writer->play;
    int64_t last = play->event_count == 0 ? 0 : play->events[play->event_count - 1].at.wall;

    put_text(bytes,
             "*version\n%d\ndata-file-overflow=%s\nclock=%s\nelapsed-time-usec=%" PRId64 "\n",
             style->version, style->overflow == NULL ? "false" : style->overflow, style->clock,
             last / MICROSECOND + 100);
    if (!style->streaming && !style->no_count) {
        put_text(bytes, "num-method-calls=%zu\n", play->event_count + (size_t)style->wrong_count);
    }
    if (!style->no_overhead) {
        put_text(bytes, "clock-call-overhead-nsec=%d\n", style->art ? 144 : 2178);
    }
    put_text(bytes, style->art ? "vm=art\npid=1507\n" : "vm=dalvik\n");
}

static void put_text_part(const struct writer *writer, struct bytes *bytes) {
    const struct program *program = writer->play->program;
    char line[LINE_SIZE];

    put_keys(writer, bytes);
    put_text(bytes, "*threads\n");
    for (size_t i = 0; i < program->thread_count; i++) {
        if (program->threads[i].name != NULL) {
            put_text(bytes, "%d\t%s\n", program->threads[i].id, program->threads[i].name);
        }
    }
    put_text(bytes, "%s*methods\n", writer->extras == NULL ? "" : writer->extras->threads);
    for (size_t i = 0; i < program->function_count; i++) {
        method_line(writer, i, line);
        put_text(bytes, "%s", writer->method_done[i] ? "" : line);
    }
    put_text(bytes, "%s*end\n", writer->extras == NULL ? "" : writer->extras->methods);
}

static void put_header(const struct writer *writer) {
    const struct trace_style *style = writer->style;
    struct bytes *bytes = &writer->trace->bytes;
    size_t end;

    writer->trace->header = bytes->length;
    end = bytes->length + HEADER_SIZE;
    put(bytes, "SLOW", 4);
    put_number(bytes, (uint64_t)style->version + (style->streaming ? STREAMING : 0), 2);
    put_number(bytes, HEADER_SIZE, 2);
    put_number(bytes, style->start == 0 ? START : style->start, 8);
    if (style->version == 3) {
        put_number(bytes, style->clocks == DUAL ? 14 : 10, 2);
    }
    while (bytes->length < end) {
        put_number(bytes, 0, 1);
    }
}

static void put_record(const struct writer *writer, size_t number) {
    const struct event *event = &writer->play->events[number];
    struct bytes *bytes = &writer->trace->bytes;
    uint32_t word = value_of(writer, (size_t)event->function);

    writer->trace->begins[number] = bytes->length;
    put_number(bytes, (uint64_t)writer->play->program->threads[event->thread].id,
               writer->style->version == 1 ? 1 : 2);
    put_number(bytes, word | (event->action == ENTRY ? 0 : event->action == EXIT ? 1 : 2), 4);
    if (writer->style->clocks != WALL_CLOCK) {
        put_number(bytes, (uint64_t)((event->at.cpu - event->back) / MICROSECOND), 4);
    }
    if (writer->style->clocks != THREAD_CPU) {
        put_number(bytes, (uint64_t)((event->at.wall - event->back) / MICROSECOND), 4);
    }
}

/* --- streaming -------------------------------------------------------------------------------- */

static void put_packet(const struct writer *writer, int kind) {
    put_number(&writer->trace->bytes, 0, 2);
    put_number(&writer->trace->bytes, (uint64_t)kind, 1);
}

static void put_method_packet(const struct writer *writer, size_t function, size_t event) {
    struct trace *trace = writer->trace;
    char line[LINE_SIZE];

    method_line(writer, function, line);
    writer->method_done[function] = true;
    if (line[0] == '\0') {
        return;
    }
    if (event > 10 && trace->packet == 0) {
        trace->packet = trace->bytes.length;
        trace->before_packet = event;
    }
    put_packet(writer, PACKET_METHOD);
    put_number(&trace->bytes, strlen(line), 2);
    put_text(&trace->bytes, "%s", line);
}

static void put_thread_packet(const struct writer *writer, size_t thread) {
    const struct thread *one = &writer->play->program->threads[thread];
    struct bytes *bytes = &writer->trace->bytes;

    writer->thread_done[thread] = true;
    if (one->name != NULL) {
        put_packet(writer, PACKET_THREAD);
        put_number(bytes, (uint64_t)one->id, 2);
        put_number(bytes, strlen(one->name), 2);
        put_text(bytes, "%s", one->name);
    }
}

/* Half of the methods have their packet before the first record that uses them, a quarter some
 * records after it, and a quarter is named by the summary alone. */
static void announce(struct writer *writer, size_t number) {
    size_t function = (size_t)writer->play->events[number].function;
    size_t thread = (size_t)writer->play->events[number].thread;

    if (writer->method_due[function] == 0) {
        writer->method_due[function] = function % 4 < 2    ? number + 1
                                       : function % 4 == 2 ? number + 1 + LATE
                                                           : SIZE_MAX;
    }
    if (writer->thread_due[thread] == 0) {
        writer->thread_due[thread] = number + 1 + (thread % 2 == 0 ? 0 : LATE);
    }
}

/* Writes what is due in front of a record; due counts from 1. */
static void put_due(struct writer *writer, size_t number) {
    const struct program *program = writer->play->program;

    for (size_t i = 0; i < program->thread_count; i++) {
        if (!writer->thread_done[i] && writer->thread_due[i] == number + 1) {
            put_thread_packet(writer, i);
        }
    }
    for (size_t i = 0; i < program->function_count; i++) {
        if (!writer->method_done[i] && writer->method_due[i] == number + 1) {
            put_method_packet(writer, i, number);
        }
    }
}

static void put_stream(struct writer *writer) {
    struct trace *trace = writer->trace;
    struct bytes text = {0};

    put_header(writer);
    for (size_t i = 0; i < writer->play->event_count; i++) {
        announce(writer, i);
        put_due(writer, i);
        put_record(writer, i);
    }
    trace->summary = trace->bytes.length;
    put_text_part(writer, &text);
    put_packet(writer, PACKET_SUMMARY);
    put_number(&trace->bytes, text.length, 4);
    put(&trace->bytes, text.at, text.length);
    free(text.at);
}

void write_trace(struct trace *trace, const struct play *play, const struct trace_style *style,
                 const struct listing *listings, const struct extras *extras) {
    const struct program *program = play->program;
    struct writer writer = {trace,
                            play,
                            style,
                            listings,
                            extras,
                            allocate(program->function_count, sizeof(bool)),
                            allocate(program->thread_count, sizeof(bool)),
                            allocate(program->function_count, sizeof(size_t)),
                            allocate(program->thread_count, sizeof(size_t))};

    free_trace(trace);
    trace->begins = allocate(play->event_count, sizeof *trace->begins);
    if (style->streaming) {
        put_stream(&writer);
    } else {
        put_text_part(&writer, &trace->bytes);
        put_header(&writer);
        for (size_t i = 0; i < play->event_count; i++) {
            put_record(&writer, i);
        }
    }
    free(writer.method_done);
    free(writer.thread_done);
    free(writer.method_due);
    free(writer.thread_due);
}

void free_trace(struct trace *trace) {
    free(trace->bytes.at);
    free(trace->begins);
    *trace = (struct trace){0};
}
