/* Layers to strip from the lines of a file (input/peel.h). */
#ifndef TRACETOOL_PEEL_PLAN_H
#define TRACETOOL_PEEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"

/* Longer lines are processed in pieces; only the first has a prefix. */
#define PEEL_PIECE ((size_t)256 * 1024)

enum peel_kind {
    PEEL_UTF16,
    PEEL_COLOURS,    /* terminal escapes */
    PEEL_TYPOGRAPHY, /* no-break spaces, curly quotes and dashes, as in web pages */
    PEEL_MARKUP,     /* an HTML page with the log in <pre> */
    PEEL_JSON,     /* {"log":"LINE\n",...}, docker's; {...,"MESSAGE":"LINE"}, journalctl -o json */
    PEEL_QUOTED,   /* "LINE" in quotation marks, as in a column of CSV */
    PEEL_SECTIONS, /* "==> log.4711 <==", tail and head over the files of strace -ff; "4711 " is put
                      before the lines */
    /* Prefixes: */
    PEEL_CONTAINERS, /* "web_1  | ", docker compose; "[pod/web] ", kubectl; "web-1 tracer ", stern
                      */
    PEEL_CRI,        /* "2026-11-27T08:25:49.1Z stdout F ", Kubernetes runtimes */
    PEEL_SYSLOG,     /* "<13>1 2026-11-27T08:25:49Z host program 1 - - ", RFC 5424 */
    PEEL_JOURNAL,    /* "Nov 27 08:25:49 host program[1]: ", journald and syslog */
    PEEL_LOGCAT,     /* "11-27 08:25:49.123  1  1 I tag: ", "I/tag( 1): " and its other forms */
    PEEL_TIMES,      /* "Nov 27 08:25:49 ", "2026-11-27T08:25:49Z ", ts(1), gh run view */
    PEEL_NUMBERS,    /* "     1\t", "1:", cat -n and grep -n */
    PEEL_FILES,      /* "log.4711:", grep -H and -Hn over the files of strace -ff; "4711 " stays */
    PEEL_TEXT,       /* a constant prefix, "> ", "# ", "    ", "FILE:"; "> " at any depth */
    PEEL_WRAPPED,    /* lines wrapped at a fixed width */
};

#define PEEL_LAYERS    5
#define PEEL_TEXT_MOST 64 /* most bytes of a constant prefix */
#define PEEL_FORM      6  /* most character classes compared at the start of a line (peel_form()) */
#define PEEL_FORMS     20 /* number of different line starts that are remembered */

struct peel_layer {
    enum peel_kind kind;
    /* PEEL_WRAPPED: columns; PEEL_UTF16: 1 if little-endian; PEEL_FILES: 1 if line numbers follow;
     * PEEL_MARKUP: 1 if the log has no entities; PEEL_TEXT: 1 for the marks of a quotation, 2 if a
     * blank is behind them. */
    int64_t number;
    /* PEEL_TEXT: the prefix; PEEL_FILES, PEEL_SECTIONS: what precedes the number in the name;
     * PEEL_NUMBERS: the separator; PEEL_WRAPPED: how new lines begin, PEEL_FORM bytes each. */
    char text[PEEL_FORMS * PEEL_FORM];
    size_t length;
    size_t form; /* PEEL_WRAPPED: number of character classes compared, up to PEEL_FORM */
    bool few;    /* PEEL_WRAPPED: the format is known, and at most two lines are joined */
};

/* No layers when zeroed. */
struct peel_plan {
    struct peel_layer layers[PEEL_LAYERS];
    size_t count;
    bool keeps_typography; /* true: PEEL_TYPOGRAPHY is not tried */
    bool has_typography;   /* true: PEEL_TYPOGRAPHY would change the text */
};

/* Adds the next layer to a plan, given text with the earlier layers stripped. `whole`: the text is
 * the complete file. `known`: an importer recognises the text as it is. Then only colours, HTML,
 * names of containers, headers of files and wrapped lines are tried, because they would lose lines
 * or threads. False if there is no further layer. */
bool peel_guess(struct peel_plan *plan, const uint8_t *bytes, size_t length, bool whole,
                bool known);

/* Calls `take` for each line of a text that a layer PEEL_WRAPPED joins to the one before it. */
void peel_rests(const struct peel_layer *layer, const uint8_t *bytes, size_t length, bool whole,
                void (*take)(void *context, struct word line, struct word rest), void *context);

#endif
