/* Times without what measuring cost: temp.corrected_time.
 *
 * A call that is measured takes longer for its callers: its entry and exit are logged meanwhile. A
 * call's corrected duration is what was measured without what the calls inside of it, at any depth,
 * cost, and not its own; its corrected self time is without what its own callees cost. Neither is
 * ever below 0. A call costs what the configuration says for the origin of its probe, or in a trace
 * without probes what the log says of its calls.
 */
#ifndef TRACETOOL_CORRECTION_H
#define TRACETOOL_CORRECTION_H

#include "select/selection.h"

/* With CALL_TIMES_CORRECTED, fills temp.corrected_time with a row for each call that has a
 * duration, whatever the filter chooses: what is left out was measured, too. Once a selection,
 * before anything reads its events. Says in its remarks what was done. */
bool correction_find(struct selection *selection, struct error *error);

#endif
