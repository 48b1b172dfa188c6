/* What is known of the terminal that somebody looks at. */
#ifndef TRACETOOL_TERMINAL_H
#define TRACETOOL_TERMINAL_H

#include <stdbool.h>

#include "output/printer.h"

/* In characters, at least 1 each. */
struct terminal_size {
    int columns, rows;
};

/* The size of the terminal at the descriptor; 80x24 where it does not tell. */
struct terminal_size terminal_size(int descriptor);

/* Whether the terminal can do more than show one line below the other: TERM says so, other than
 * `dumb`. */
bool terminal_is_able(void);

/* Whether it may be written to in colours: it is able, and NO_COLOR is not set, or empty. */
bool terminal_welcomes_color(void);

/* What bars may be made of. */
enum bar_kind terminal_bars(void);

#endif
