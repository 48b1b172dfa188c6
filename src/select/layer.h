/* Layers of a log of calls. A kernel log may record one write as a system call, in the file system,
 * and in kernel functions. Adding these up would count the write several times. A call's layer is
 * the name.kind of its operation: syscall, ext4, … */
#ifndef TRACETOOL_LAYER_H
#define TRACETOOL_LAYER_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Pairs of layers: the first is above the second, which records the same calls again. `syscall` is
 * above `mpi`, though MPI calls make system calls: programs also make others, without MPI. */
#define LAYERS_OVERLAPPING(X)                                                                      \
    X("syscall", "android_fs")                                                                     \
    X("syscall", "ext4")                                                                           \
    X("syscall", "f2fs")                                                                           \
    X("syscall", "function")                                                                       \
    X("syscall", "mpi")                                                                            \
    X("android_fs", "ext4")                                                                        \
    X("android_fs", "f2fs")                                                                        \
    X("android_fs", "function")                                                                    \
    X("ext4", "function")                                                                          \
    X("f2fs", "function")                                                                          \
    X("jbd2", "function")

/* Returns whether layers may be added up: no two record the same calls. Else sets an error. */
bool layers_check_no_overlap(const struct name_set *layers, struct error *error);

/* Returns whether a trace of this kind may have several layers. */
bool layers_are_ambiguous(const struct catalog_trace *trace);

/* Sets filter->top_layer if a trace has layers below others, and the filter names no layers. The
 * names of the traces must be loaded. */
bool layers_choose(struct database *database, const struct catalog_trace *const *traces,
                   size_t count, struct filter *filter, struct error *error);

/* Creates temp.layer (trace, kind, taken): the layers of the traces in temp.selection, and whether
 * the filter selects them. Needed if the filter names layers or selects the topmost ones. */
bool layers_write(struct temp_schema *temp, const struct filter *filter, struct error *error);

#endif
