/* Logs that are damaged, and those that cannot be read at all. */
#ifndef DWTRACE_DAMAGE_H
#define DWTRACE_DAMAGE_H

/* `damaged/` and `fail/`. */
void write_damaged(const char *directory);

/* Two small logs, cut off at every byte behind the header: `cuts/VARIANT-LENGTH.dwt`; and
 * `cuts.tsv`: file, events, rejected records. */
void write_cuts(const char *directory);

#endif
