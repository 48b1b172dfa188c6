/* The small files: good ones, damaged ones with what an importer must find in
 * them, and ones in which there is nothing to find.
 */
#ifndef PALMIST_DAMAGE_H
#define PALMIST_DAMAGE_H

/* Each writes into a directory of its own below the one given. */
void write_good_samples(const char *directory);
void write_damaged_samples(const char *directory);
void write_failing_samples(const char *directory);

#endif
