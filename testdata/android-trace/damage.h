/* Damaged traces, and files that are none. */
#ifndef ANDROID_TRACE_DAMAGE_H
#define ANDROID_TRACE_DAMAGE_H

void write_damaged(void);
void write_refused(void);

#endif
