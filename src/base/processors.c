#include "base/processors.h"

#include <sched.h>

int processor_count(void) {
#ifdef PROCESSORS
    return PROCESSORS; /* builds for tests fix the number */
#else
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
#endif
}
