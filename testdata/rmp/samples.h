/* Small logs, each of one special case, and the session that damaged logs are made from. */
#ifndef RMP_SAMPLES_H
#define RMP_SAMPLES_H

#include "play.h"

void play_session(struct play *play);
void write_samples(void);

#endif
