#include "model/meaning.h"

static const char *const words[FACTS] = {
    [FACT_SYNCHRONOUS] = "synchronous flags",
    [FACT_FLUSHES] = "flushes",
    [FACT_DIRECTIONS] = "reads and writes",
    [FACT_BLOCK_TYPES] = "block types",
    [FACT_FILE_TYPES] = "file types",
    [FACT_FILES] = "files",
    [FACT_FILE_NAMES] = "file names",
    [FACT_PROCESSES] = "processes",
    [FACT_THREADS] = "threads",
    [FACT_SECTORS] = "sectors",
    [FACT_SIZES] = "sizes",
    [FACT_LATENCIES] = "latencies",
    [FACT_WAKEUPS] = "wakeups",
    [FACT_INTERRUPTS] = "interrupts",
    [FACT_RESULTS] = "results",
    [FACT_FAST_CALLS] = "fast calls",
    [FACT_END] = "end",
    [FACT_TIMES] = "times",
};

unsigned facts_to_declare(enum trace_kind kind) {
    static const unsigned facts[TRACE_KINDS] = {
        [TRACE_CALLS] = FACT(FILES) | FACT(PROCESSES) | FACT(THREADS),
        [TRACE_IO] = FACT(SYNCHRONOUS) | FACT(FLUSHES) | FACT(DIRECTIONS) | FACT(BLOCK_TYPES) |
                     FACT(FILE_TYPES) | FACT(FILES) | FACT(PROCESSES),
        [TRACE_SPANS] = FACT(THREADS),
        [TRACE_SAMPLES] = FACT(PROCESSES),
        [TRACE_STATES] = FACT(PROCESSES) | FACT(THREADS) | FACT(WAKEUPS) | FACT(INTERRUPTS),
    };

    return facts[kind];
}

unsigned facts_depending_on_columns(enum trace_kind kind) {
    return kind == TRACE_IO      ? FACT(SECTORS) | FACT(SIZES) | FACT(LATENCIES) | FACT(TIMES)
           : kind == TRACE_CALLS ? FACT(RESULTS) | FACT(FAST_CALLS) | FACT(TIMES)
                                 : 0;
}

unsigned facts_from_columns(enum trace_kind kind, unsigned columns) {
    return facts_depending_on_columns(kind) &
           ((columns & EVENT_ADDRESS ? FACT(SECTORS) : 0) |
            (columns & EVENT_SIZE ? FACT(SIZES) : 0) |
            (columns & EVENT_DURATION ? FACT(LATENCIES) : 0) |
            (columns & EVENT_VALUE ? FACT(RESULTS) : 0) | FACT(FAST_CALLS) | FACT(TIMES));
}

const char *fact_words(enum fact fact) {
    return words[fact];
}

/* Returns whether the user typed this name; '-' may replace blanks. */
static bool meaning_is_called(const char *name, const char *typed) {
    while (*name != '\0' && (*name == *typed || (*name == ' ' && *typed == '-'))) {
        name++;
        typed++;
    }
    return *name == '\0' && *typed == '\0';
}

bool fact_find(const char *typed, enum fact *fact) {
    for (unsigned i = 0; i < FACTS; i++) {
        if (meaning_is_called(words[i], typed)) {
            *fact = (enum fact)i;
            return true;
        }
    }
    return false;
}
