/* Layers of a log of calls. A log of the kernel may tell the same write as a system call, as the
 * file system has it, and as the functions that it calls: to add these up counts it several times.
 * The layer of a call is the name.kind of its operation: syscall, ext4, … */
#ifndef TRACETOOL_LAYER_H
#define TRACETOOL_LAYER_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Pairs of layers: the first is above the second, and tells the same calls. */
#define LAYERS_OVERLAPPING(X)                                                                      \
    X("syscall", "android_fs")                                                                     \
    X("syscall", "ext4")                                                                           \
    X("syscall", "f2fs")                                                                           \
    X("syscall", "function")                                                                       \
    X("android_fs", "ext4")                                                                        \
    X("android_fs", "f2fs")                                                                        \
    X("android_fs", "function")                                                                    \
    X("ext4", "function")                                                                          \
    X("f2fs", "function")                                                                          \
    X("jbd2", "function")

/* Whether layers may be chosen together: no two of them tell the same calls. Says so if not. */
bool layers_check(const struct name_set *layers, struct error *error);

/* Whether a trace is of a format whose logs may have several layers. */
bool layers_may_be_several(const struct catalog_trace *trace);

/* Sets filter->top_layer when one of the traces has layers that are left out, unless the filter
 * names layers itself. Their names must be there. */
bool layers_choose(struct database *database, const struct catalog_trace *const *traces,
                   size_t count, struct filter *filter, struct error *error);

/* Makes temp.layer: trace, kind, taken: the layers of the traces in temp.selection, and whether the
 * filter takes them. It needs them when it names layers, or takes the top ones. */
bool layers_write(struct temp_schema *temp, const struct filter *filter, struct error *error);

/* Adds a line on which layers are counted and which are left out, if any are, with the calls of
 * each in the whole traces. Reads temp.layer. */
bool layers_note(struct temp_schema *temp, struct notes *notes, struct error *error);

#endif
