/* Devices in a log of block I/O. A kernel log records all devices, including stacked ones, so
 * adding them up counts an I/O on each device. The log's remaps tell which request a lower one
 * belongs to: IO_FLAG_BELOW. It is valid if the trace's flags have the meaning "below", because the
 * upper device must complete its requests, too. */
#ifndef TRACETOOL_STACKED_H
#define TRACETOOL_STACKED_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Sets filter->devices for a report over traces, unless the filter names a device. Only used for
 * block I/O. `issued`: the report counts issues, which an upper device may lack. `all`: it is about
 * partitions, which are on the lowest device, or about all actions. */
void stacked_choose(const struct catalog_trace *const *traces, size_t count, bool issued, bool all,
                    struct filter *filter);

/* Adds notes on what the format assumes, and on the devices, with the completions of each in the
 * whole traces, and on what is left out. Reads temp.selection. */
bool stacked_note(struct temp_schema *temp, const struct filter *filter, struct notes *notes,
                  struct error *error);

#endif
