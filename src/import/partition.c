#include "import/partition.h"

#include "import/event.h"

static bool holds(const struct config_partition *partition, int64_t device, int64_t sector) {
    if (partition->device >= 0 && partition->device != device) {
        return false;
    }
    if (partition->sectors == 0) {
        return true;
    }
    return sector != EVENT_NONE && sector >= partition->first_sector &&
           sector - partition->first_sector < partition->sectors;
}

const char *partition_find(const struct config_partition *partitions, size_t count, int64_t device,
                           int64_t sector) {
    for (size_t i = 0; i < count; i++) {
        if (holds(&partitions[i], device, sector)) {
            return partitions[i].name;
        }
    }
    return PARTITION_UNMAPPED;
}
