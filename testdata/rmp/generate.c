/* Makes the test data of the format rmp, and what reports must say about it. It shares nothing with
 * tracetool, and gives the same bytes everywhere. README.md describes the files.
 *
 *     cd testdata/rmp && cc -std=c11 -O2 -o /tmp/generate *.c
 *     /tmp/generate small testdata/rmp     # renews what is kept in that folder
 *     /tmp/generate study DIRECTORY        # the study of eight rounds, with expectations, and
 *                                       # what else is too large to be kept
 */
#include "damage.h"
#include "samples.h"
#include "study.h"
#include "util.h"

#include <string.h>

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "small") == 0) {
        set_root(arguments[2]);
        write_samples();
        write_damaged();
        write_rounds("ok/browser");
    } else if (count == 3 && strcmp(arguments[1], "study") == 0) {
        set_root(arguments[2]);
        write_study();
        write_long_line();
    } else {
        fprintf(stderr, "usage: generate small|study DIRECTORY\n");
        return 2;
    }
    return 0;
}
