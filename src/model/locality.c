#include "model/locality.h"

#include <string.h>

void locality_init(struct locality *locality, bool data_only) {
    *locality = (struct locality){.data_only = data_only};
    memset(locality->end, 0xFF, sizeof locality->end);
}
