/* Damaged logs, and files that are none. */
#ifndef RMP_DAMAGE_H
#define RMP_DAMAGE_H

void write_damaged(void);
/* damaged/long-line.rmp, too large to be kept with the others. */
void write_long_line(void);

#endif
