/* A failing disk: SQLite writes through a layer that counts operations, so that any of them can be
 * the last one, without a separate process or timing. */
#ifndef TRACETOOL_FAILING_DISK_H
#define TRACETOOL_FAILING_DISK_H

enum fault {
    FAULT_NONE,
    FAULT_FULL, /* files cannot grow */
    FAULT_DEAD, /* nothing reaches the disk any more, as for a killed program */
};

/* Installs the layer for all databases opened from then on. It excludes temporary files. */
void disk_begin(void);

/* Fails after `after` operations of that kind; restarts the counts. FAULT_NONE: works. */
void disk_fail(enum fault fault, int after);

/* Return the operations since then that make a file larger, and that change anything. */
int disk_grown(void);
int disk_changed(void);

#endif
