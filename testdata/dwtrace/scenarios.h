/* The plays, and the logs that are written of them. */
#ifndef DWTRACE_SCENARIOS_H
#define DWTRACE_SCENARIOS_H

/* What is committed, but for what is damaged. */
void write_samples(const char *directory);

/* Every variant of every play, and what more is needed to test an importer. `logs.tsv` tells of
 * each log its expectations, the configuration it is to be imported with (`-`: none), and whether
 * it has parameters. */
void write_variants(const char *directory);

#endif
