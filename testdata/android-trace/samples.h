/* A small program with every oddity of the format, and others of one oddity each. */
#ifndef ANDROID_TRACE_SAMPLES_H
#define ANDROID_TRACE_SAMPLES_H

#include "carrier.h"

extern const struct listing shop_listings[];
extern const struct extras shop_extras;

void play_shop(struct play *play);
void write_samples(void);
/* The browser of ../rmp, some 3 MB a file. */
void write_browser(void);

#endif
