/* A disk that fails: SQLite writes through a layer that counts what it does, so that any operation
 * can be the last one, without a process or a moment of its own. */
#ifndef TRACETOOL_FAILING_DISK_H
#define TRACETOOL_FAILING_DISK_H

enum fault {
    FAULT_NONE,
    FAULT_FULL, /* files cannot grow */
    FAULT_DEAD, /* nothing reaches the disk any more, as of a program that was killed */
};

/* Puts the layer before SQLite's own, for all databases that are opened from then on. Temporary
 * files are not behind it. */
void disk_begin(void);

/* Fails after so many operations of its kind; counts begin anew. FAULT_NONE: it works. */
void disk_fail(enum fault fault, int after);

/* Operations since then that make a file larger, that change anything. */
int disk_grown(void);
int disk_changed(void);

#endif
