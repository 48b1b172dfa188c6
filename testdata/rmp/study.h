/* The study: eight rounds of the browser, from its components down to the loop that is too slow. */
#ifndef RMP_STUDY_H
#define RMP_STUDY_H

/* All of it, with expectations. */
void write_study(void);
/* The rounds alone. */
void write_rounds(const char *folder);

#endif
