/* What is to be peeled off the lines of a file (input/peel.h). */
#ifndef TRACETOOL_PEEL_PLAN_H
#define TRACETOOL_PEEL_PLAN_H

#include <stddef.h>
#include <stdint.h>

/* A longer line comes in pieces, of which only the first has a prefix. */
#define PEEL_PIECE ((size_t)256 * 1024)

enum peel_kind {
    PEEL_UTF16,
    PEEL_COLOURS, /* escapes of terminals */
    PEEL_MARKUP,  /* a page of HTML with the log in <pre> */
    PEEL_JSON,    /* {"log":"LINE\n",...}, as docker keeps logs */
    /* Prefixes: */
    PEEL_CONTAINERS, /* "web_1  | ", of docker compose */
    PEEL_CRI,        /* "2026-11-27T08:25:49.1Z stdout F ", of Kubernetes' runtimes */
    PEEL_SYSLOG,     /* "<13>1 2026-11-27T08:25:49Z host program 1 - - ", RFC 5424 */
    PEEL_JOURNAL,    /* "Nov 27 08:25:49 host program[1]: ", journald's and syslog's */
    PEEL_LOGCAT,     /* "11-27 08:25:49.123  1  1 I tag: ", or "I/tag( 1): " */
    PEEL_TIMES,      /* "Nov 27 08:25:49 ", "2026-11-27T08:25:49Z ", of ts(1) and others */
    PEEL_NUMBERS,    /* "     1\t", "1:", of cat -n and grep -n */
    PEEL_TEXT,       /* the same before each: "> ", "# ", "    ", "FILE:" */
    PEEL_WRAPPED,    /* lines were wrapped at a width */
};

#define PEEL_LAYERS    5
#define PEEL_TEXT_MOST 64 /* bytes */
#define PEEL_FORM      3  /* bytes of the form that a line begins with */

struct peel_layer {
    enum peel_kind kind;
    /* PEEL_WRAPPED: columns; PEEL_UTF16: 1 where the low byte comes first. */
    int64_t number;
    /* PEEL_TEXT: it; PEEL_NUMBERS: the separator; PEEL_WRAPPED: forms of lines that are no rest of
     * another, PEEL_FORM bytes each. */
    char text[PEEL_TEXT_MOST];
    size_t length;
};

/* A zeroed one has no layers. */
struct peel_plan {
    struct peel_layer layers[PEEL_LAYERS];
    size_t count;
};

#endif
