/* Traces that have a file a CPU, by the names of these: NAME.blktrace.0, NAME.blktrace.1, … */
#ifndef TRACETOOL_CPU_FILES_H
#define TRACETOOL_CPU_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct import_run;

/* The length of the path of the trace that a file of a CPU is of, by its name; 0: it is none. */
size_t cpu_file_stem(const char *path);

/* Whether both are files of one trace. */
bool cpu_files_of_one(const char *left, const char *right);

/* Remarks on CPUs whose files are missing among those of the import, or lie beside them. */
void cpu_files_remark(struct import_run *run);

#endif
