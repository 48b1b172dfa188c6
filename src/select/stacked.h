/* Devices that a log of block I/O speaks of. A log of the kernel has those of all devices, also
 * where one lies over another, so that to add them up counts an I/O on each. What a request below
 * is of, the log's remaps tell: IO_FLAG_BELOW, which counts where the trace has the meaning "below"
 * of its flags, for the device above completes its requests, too. */
#ifndef TRACETOOL_STACKED_H
#define TRACETOOL_STACKED_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Sets filter->devices for a report over some traces, unless the filter names a device. Selections
 * of anything but block I/O do not regard it.
 * `issued`: it is of what was issued, and a device above may issue nothing; `all`: it is of
 * partitions, which lie on the lowest device, or of all actions. */
void stacked_choose(const struct catalog_trace *const *traces, size_t count, bool issued, bool all,
                    struct filter *filter);

/* Adds lines on which devices there are, with the completions of each in the whole traces, and on
 * what is left out. Reads temp.selection. */
bool stacked_note(struct temp_schema *temp, const struct filter *filter, struct notes *notes,
                  struct error *error);

#endif
