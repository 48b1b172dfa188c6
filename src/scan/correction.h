/* Call times without measurement overhead: temp.corrected_time.
 *
 * Measuring a call delays its callers, because its entry and exit are logged. The corrected
 * duration excludes the overhead of all inner calls, but not the call's own. The corrected self
 * time excludes the overhead of direct callees. Neither is negative. The overhead is that
 * configured for the origin of the call's probe, or that given by the log if the trace has no
 * probes.
 */
#ifndef TRACETOOL_CORRECTION_H
#define TRACETOOL_CORRECTION_H

#include "select/selection.h"

/* With CALL_TIMES_CORRECTED, adds a row to temp.corrected_time for each call with a duration,
 * regardless of the filter. Call once per selection, before reading its events. Adds remarks. */
bool correction_find(struct selection *selection, struct error *error);

#endif
