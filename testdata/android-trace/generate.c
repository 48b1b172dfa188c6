/* Makes the test data of the format android-trace, and what reports must say about it. It shares
 * nothing with tracetool, and gives the same bytes everywhere. The program that is traced at full
 * size is the browser of ../rmp. README.md describes the files.
 *
 *     cd testdata && cc -std=c11 -O2 -o /tmp/generate android-trace/[a-z]*.c \
 *         rmp/util.c rmp/play.c rmp/account.c rmp/browser.c
 *     /tmp/generate small android-trace    # renews what is kept in that folder
 *     /tmp/generate browser DIRECTORY      # the browser, some 3 MB a file, with expectations
 */
#include "../rmp/util.h"
#include "damage.h"
#include "samples.h"

#include <string.h>

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "small") == 0) {
        set_root(arguments[2]);
        write_samples();
        write_damaged();
        write_refused();
    } else if (count == 3 && strcmp(arguments[1], "browser") == 0) {
        set_root(arguments[2]);
        write_browser();
    } else {
        fprintf(stderr, "usage: generate small|browser DIRECTORY\n");
        return 2;
    }
    return 0;
}
