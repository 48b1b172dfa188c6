/* Counts the threads that a program starts: linked with -Wl,--wrap=pthread_create. At exit, appends
 * their number as a line to the file $THREADS. Used by tests/threads.sh.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int threads;

extern int __real_pthread_create(pthread_t *thread, const pthread_attr_t *traits,
                                 void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *traits, void *(*run)(void *),
                          void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *traits, void *(*run)(void *),
                          void *argument) {
    atomic_fetch_add(&threads, 1);
    return __real_pthread_create(thread, traits, run, argument);
}

__attribute__((destructor)) static void write_threads(void) {
    const char *path = getenv("THREADS");
    FILE *file = path == NULL ? NULL : fopen(path, "a");

    if (file != NULL) {
        fprintf(file, "%d\n", atomic_load(&threads));
        fclose(file);
    }
}
