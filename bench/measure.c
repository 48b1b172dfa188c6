/* Runs a command and says what it took, from its start to its end.
 *
 *     measure FILE COMMAND [ARGUMENT …]
 *
 * Writes wall, user and system seconds and the peak memory in KB to FILE. The exit status is the
 * command's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int count, char **arguments) {
    struct rusage usage;
    FILE *file;
    double begin, wall;
    int status;
    pid_t child;

    if (count < 3) {
        fputs("usage: measure FILE COMMAND [ARGUMENT …]\n", stderr);
        return 2;
    }
    begin = now();
    child = fork();
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        fprintf(stderr, "measure: %s: %s\n", arguments[2], strerror(errno));
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("measure");
        return 1;
    }
    wall = now() - begin;
    file = fopen(arguments[1], "w");
    if (file == NULL ||
        fprintf(file, "%.6f %.6f %.6f %ld\n", wall, seconds(usage.ru_utime),
                seconds(usage.ru_stime), usage.ru_maxrss) < 0 ||
        fclose(file) != 0) {
        perror(arguments[1]);
        return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
