/* Detects the layers around a text log from its beginning. */
#ifndef TRACETOOL_PEEL_GUESS_H
#define TRACETOOL_PEEL_GUESS_H

#include <stdbool.h>

#include "base/text.h"
#include "input/peel_plan.h"

/* Adds the next layer to a plan, given text with the earlier layers stripped. `whole`: the text is
 * the complete file. `known`: an importer recognises the text as it is. Then only colours, HTML,
 * headers of files and wrapped lines are tried, because they would lose lines or threads. False if
 * there is no further layer. */
bool peel_guess(struct peel_plan *plan, const uint8_t *bytes, size_t length, bool whole,
                bool known);

/* Appends the lines of a text that a layer PEEL_WRAPPED joins to those before them. */
void peel_rests(const struct peel_layer *layer, const uint8_t *bytes, size_t length, bool whole,
                struct text *out);

#endif
