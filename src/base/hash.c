#include "base/hash.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t hash_seed;

/* Uses time, process id and an address if the kernel has no random bytes yet. */
__attribute__((constructor)) static void choose_seed(void) {
    if (getrandom(&hash_seed, sizeof hash_seed, GRND_NONBLOCK) != (ssize_t)sizeof hash_seed) {
        hash_seed = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32 ^ (uintptr_t)&choose_seed;
    }
}
