#include "log.h"

#include <stdlib.h>

void log_add_from_pool(Log *log, uint16_t trap, uint32_t tick, uint32_t application, size_t size) {
    Call *call;
    require(size <= UINT16_MAX, "arguments of %zu bytes", size);
    log->calls = grow(log->calls, log->count, &log->capacity, sizeof *log->calls);
    call = &log->calls[log->count++];
    call->trap = trap;
    call->tick = tick;
    call->application = application;
    call->size = (uint16_t)size;
    call->arguments = log->pool.length - size;
}

void log_add(Log *log, uint16_t trap, uint32_t tick, uint32_t application, const void *arguments,
             size_t size) {
    buffer_append(&log->pool, arguments, size);
    log_add_from_pool(log, trap, tick, application, size);
}

void log_add_random(Log *log, const Trap *trap, uint32_t tick, uint32_t application,
                    Random *random) {
    size_t before = log->pool.length;
    append_arguments(&log->pool, trap->recipe, random);
    log_add_from_pool(log, trap->id, tick, application, log->pool.length - before);
}

const uint8_t *call_arguments(const Log *log, const Call *call) {
    return call->size ? log->pool.bytes + call->arguments : NULL;
}

void append_call(Buffer *out, const Log *log, const Call *call) {
    buffer_u16(out, call->trap);
    buffer_u32(out, call->tick);
    buffer_u32(out, call->application);
    buffer_u16(out, call->size);
    buffer_append(out, call_arguments(log, call), call->size);
}

void log_free(Log *log) {
    free(log->calls);
    buffer_free(&log->pool);
    *log = (Log){0};
}
