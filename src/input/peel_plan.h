/* Lists the layers of other text to strip from the lines of a file (input/peel.h). */
#ifndef TRACETOOL_PEEL_PLAN_H
#define TRACETOOL_PEEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"

/* Longer lines are processed in pieces of this size; only a line's first piece has a prefix. */
#define PEEL_PIECE ((size_t)256 * 1024)

enum peel_kind {
    PEEL_UTF16,
    PEEL_COLOURS,    /* escape sequences of a terminal, such as colours */
    PEEL_TYPOGRAPHY, /* no-break spaces, curly quotes and dashes, as in web pages */
    PEEL_MARKUP,     /* an HTML page with the log in <pre> */
    PEEL_JSON,     /* {"log":"LINE\n",...}, docker's; {...,"MESSAGE":"LINE"}, journalctl -o json */
    PEEL_QUOTED,   /* "LINE" in quotation marks, as in a column of CSV */
    PEEL_SECTIONS, /* tail or head over files of strace -ff, "==> log.4711 <==": puts "4711 " before
                      each line */
    /* Prefixes of lines: */
    PEEL_CONTAINERS, /* docker compose: "web_1 | "; kubectl: "[pod/web] "; stern: "web-1 tracer " */
    PEEL_CRI,        /* Kubernetes runtimes: "2026-11-27T08:25:49.1Z stdout F " */
    PEEL_SYSLOG,     /* RFC 5424: "<13>1 2026-11-27T08:25:49Z host program 1 - - " */
    PEEL_JOURNAL,    /* journald, syslog: "Nov 27 08:25:49 host program[1]: " */
    PEEL_LOGCAT,     /* Android: "11-27 08:25:49.123  1  1 I tag: ", "I/tag( 1): " and others */
    PEEL_TIMES,      /* ts(1), gh run view: "Nov 27 08:25:49 ", "2026-11-27T08:25:49Z " */
    PEEL_NUMBERS,    /* cat -n and grep -n: "     1\t", "1:" */
    PEEL_FILES,      /* grep -H or -Hn over files of strace -ff: "log.4711:" becomes "4711 " */
    PEEL_TEXT,       /* a constant prefix: "> ", "# ", "    ", "FILE:"; also several "> " */
    PEEL_WRAPPED,    /* lines wrapped at a fixed width */
};

#define PEEL_LAYERS    5
#define PEEL_TEXT_MOST 64 /* maximum bytes of a constant prefix */
#define PEEL_FORM      6  /* maximum bytes of a line start's form (peel_write_form()) */
#define PEEL_FORMS     20 /* maximum number of different forms of line starts */

struct peel_layer {
    enum peel_kind kind;
    /* Depends on `kind`. PEEL_WRAPPED: width in columns; PEEL_UTF16: 1 if little-endian;
     * PEEL_FILES: 1 if line numbers follow; PEEL_MARKUP: 1 if the log has no entities; PEEL_TEXT: 1
     * for the quote mark ">", 2 for ">" and a blank, 0 for a constant prefix. */
    int64_t number;
    /* Depends on `kind`. PEEL_TEXT: prefix; PEEL_FILES, PEEL_SECTIONS: text before the number in a
     * file name; PEEL_NUMBERS: separator; PEEL_WRAPPED: forms of line starts, PEEL_FORM bytes each.
     */
    char text[PEEL_FORMS * PEEL_FORM];
    size_t length;
    size_t form; /* PEEL_WRAPPED: number of bytes of a form that are compared, up to PEEL_FORM */
    bool few;    /* PEEL_WRAPPED: an importer knows the format, and at most two lines are joined */
};

/* The layers of a file. A zeroed plan has none. */
struct peel_plan {
    struct peel_layer layers[PEEL_LAYERS];
    size_t count;
    bool keeps_typography; /* true: typographic characters are kept; PEEL_TYPOGRAPHY is not tried */
    bool has_typography;   /* true: PEEL_TYPOGRAPHY would change the text */
};

/* Adds the next layer to a plan; returns false if there is none. `bytes`: the text without the
 * layers found before. `whole`: the text is the complete file. `known`: an importer recognises the
 * text as it is. Then only colours, HTML, names of containers, headers of files and wrapped lines
 * are tried: if these stayed, the import would lose lines or threads. */
bool peel_guess(struct peel_plan *plan, const uint8_t *bytes, size_t length, bool whole,
                bool known);

/* Calls `take` for each line (`rest`) that a PEEL_WRAPPED layer joins to the line before it. */
void peel_visit_rests(const struct peel_layer *layer, const uint8_t *bytes, size_t length,
                      bool whole, void (*take)(void *context, struct word line, struct word rest),
                      void *context);

#endif
