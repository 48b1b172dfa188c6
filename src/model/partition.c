#include "model/partition.h"

#include "model/event.h"

static bool partition_holds(const struct config_partition *partition, int64_t device,
                            int64_t sector) {
    if (partition->device >= 0 && partition->device != device) {
        return false;
    }
    return partition->sectors == 0 || (sector != EVENT_NONE && sector >= partition->first_sector &&
                                       sector - partition->first_sector < partition->sectors);
}

size_t partition_index(const struct config_partition *partitions, size_t count, int64_t device,
                       int64_t sector) {
    size_t index = 0;

    while (index < count && !partition_holds(&partitions[index], device, sector)) {
        index++;
    }
    return index;
}

const char *partition_find(const struct config_partition *partitions, size_t count, int64_t device,
                           int64_t sector) {
    size_t index = partition_index(partitions, count, device, sector);

    return index < count ? partitions[index].name : PARTITION_UNMAPPED;
}
