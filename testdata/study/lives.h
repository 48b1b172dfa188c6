/* Files that were deleted during the study, and what the lifespan report says about them. */
#ifndef STUDY_LIVES_H
#define STUDY_LIVES_H

#include <stdint.h>

/* Writes DIRECTORY/userN.ufls and DIRECTORY/expected/userN/lifespan.tsv. */
void write_lives(const char *directory, unsigned user, uint32_t count);

#endif
