/* The program that is profiled: a browser that restores its tabs each time it comes to the front,
 * much too slowly. One loop takes 82.97 % of BrowserActivity's time, as the bottleneck in Figure 8
 * of the RMP paper does.
 */
#ifndef RMP_BROWSER_H
#define RMP_BROWSER_H

#include "play.h"

enum {
    /* components */
    BROWSER_ACTIVITY,
    BOOKMARKS_PAGE,
    DOWNLOAD_PAGE,
    DOWNLOAD_RECEIVER,
    SYNC_SERVICE,
    /* run() */
    RESTORE_RUN,
    SAVE_RUN,
    ICON_RUN,
    TRAVERSAL_RUN,
    EVENT_RUN,
    WORKER_RUN,
    COOKIE_RUN,
    /* methods that are probed */
    RESTORE_STATE,
    CREATE_TAB,
    FREE_MEMORY,
    TAB_RESTORE,
    ON_RESUME,
    WEBVIEW_RESTORE,
    ADD_HISTORY,
    MEASURE,
    DRAW,
    SORT,
    CHECK_STRICT,
    /* loops */
    HOT_LOOP,
    TITLE_LOOP,
    MEASURE_LOOP,
    PROBES,
    /* methods that are not: they are called a hundred thousand times, or always there */
    RESUME_ACTIVITY = PROBES,
    HANDLE_RECEIVER,
    HANDLE_SERVICE,
    DISPATCH,
    GET_STRING,
    UNPARCEL,
    READ_INT,
    READ_STRING,
    MAP_GET,
    MAP_PUT,
    MAP_HASH,
    LIST_ADD,
    LIST_INSERT,
    LIST_GET,
    EQUALS,
    APPEND_TEXT,
    APPEND_INT,
    APPEND_CHAR,
    BUILD_TEXT,
    PARSE_URI,
    IS_EMPTY,
    COMPARE,
    SEND_MESSAGE,
    FUNCTIONS
};

/* Two ways to report on it: RMP logs have no thread names. */
extern const struct program browser, browser_in_rmp;

enum { BROWSER_PID = 1507 };

/* Each round is a run of its own and takes its own times; run 0 is the one without probes. */
void play_browser(struct play *play, const struct program *program, uint32_t run);

#endif
