/* Which layers there are around the lines of a text, by its beginning. */
#ifndef TRACETOOL_PEEL_GUESS_H
#define TRACETOOL_PEEL_GUESS_H

#include <stdbool.h>

#include "input/peel_plan.h"

/* Adds the next layer to a plan, of text from which those before are taken off already; `whole`:
 * the file ends there. `known`: an importer knows the text as it is, so that only colours, HTML and
 * wrapped lines are looked for, which would cost some of its lines. False: there is none. */
bool peel_guess(struct peel_plan *plan, const uint8_t *bytes, size_t length, bool whole,
                bool known);

#endif
