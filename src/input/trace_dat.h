/* Reads a trace.dat, the binary log of trace-cmd record, as text printed by libtracecmd. The
 * library is loaded when such a file is read, so that only users of these files need it.
 *
 * The lines are those of `trace-cmd report`, with nanoseconds, and with the flags that show
 * interrupts, which `trace-cmd report` omits. So a trace.dat is read like a compressed text, and
 * only the importer of ftrace's text interprets events.
 *
 * The file tells libtracecmd how to parse its events, and the library is not hardened against
 * malicious files. It runs in a separate process, with limits on memory and time and without other
 * open files. Plugins are not loaded: the formats in the file suffice for the events that are read.
 *
 * trace-cmd.dat(5) describes the formats of versions 6 and 7. */
#ifndef TRACETOOL_TRACE_DAT_H
#define TRACETOOL_TRACE_DAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* Number of bytes needed to recognise a trace.dat. */
#define TRACE_DAT_MAGIC_SIZE 10

/* Limits of the process: memory in bytes, and CPU time in seconds. */
#define TRACE_DAT_MEMORY  ((size_t)3 << 30)
#define TRACE_DAT_SECONDS 600

/* Returns whether a file with these first bytes is a trace.dat. */
bool trace_dat_is_magic(const uint8_t *bytes, size_t length);

/* Starts the process that prints the regular file `descriptor` as text; the caller may then close
 * the file. Returns the end of a pipe from which to read the text; -1 with `error` set. `*process`
 * must be ended by trace_dat_end() or trace_dat_stop(). */
int trace_dat_begin(int descriptor, pid_t *process, struct error *error);

/* Waits for the end of a process whose output was read to the end. Returns false with `error` set
 * if the process failed, so that its output is incomplete. */
bool trace_dat_end(pid_t process, struct error *error);

/* Kills the process of trace_dat_begin() before it has written the whole text. */
void trace_dat_stop(pid_t process);

#endif
