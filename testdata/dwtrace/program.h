/* The program that is played: its functions, and what they are called. */
#ifndef DWTRACE_PROGRAM_H
#define DWTRACE_PROGRAM_H

#include "util.h"

enum function {
    RUN,
    HANDLE,
    IDLE,
    OPEN,
    READ,
    WRITE,
    CLOSE,
    ELEMENT,
    ATTRIBUTE,
    END_ELEMENT,
    TEXT,
    SEND,
    PACKET,
    NOTE, /* has data records only, never a call */
    FUNCTIONS
};

enum { SIGNATURE = 9, CALLEES = 5 };

struct function_entry {
    uint32_t number;              /* component << 16 | function */
    const char *name;             /* NULL: not in symbols.yaml */
    uint8_t entry[SIGNATURE + 1]; /* types of the parameters, up to a 0 */
    uint8_t exit[SIGNATURE + 1];
    uint8_t callees[CALLEES]; /* enum function; RUN, which nobody calls: none */
};

extern const struct function_entry program[FUNCTIONS];

unsigned component_of(enum function function);

/* As reports show them, with or without the names of symbols.yaml. Static, see path_of(). */
const char *function_label(enum function function, bool names);
const char *component_label(unsigned component, bool names);

void write_symbols(const char *path);

#endif
