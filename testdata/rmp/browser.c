#include "browser.h"

#include <stdlib.h>

#define APP       false
#define FRAMEWORK true
#define B         "com.android.browser."
#define TAB       "Lcom/android/browser/Tab;"
#define OBJECT    "Ljava/lang/Object;"
#define STRING    "Ljava/lang/String;"
#define BUILDER   "Ljava/lang/StringBuilder;"

static const struct function functions[FUNCTIONS] = {
    [BROWSER_ACTIVITY] = {B "BrowserActivity", NULL, NULL, PROCESS, APP},
    [BOOKMARKS_PAGE] = {B "BrowserBookmarksPage", NULL, NULL, PROCESS, APP},
    [DOWNLOAD_PAGE] = {B "BrowserDownloadPage", NULL, NULL, PROCESS, APP},
    [DOWNLOAD_RECEIVER] = {B "OpenDownloadReceiver", NULL, NULL, PROCESS, APP},
    [SYNC_SERVICE] = {B "BookmarkSyncService", NULL, NULL, PROCESS, APP},
    [RESTORE_RUN] = {B "Controller$RestoreTask", "run", "()V", THREAD, APP},
    [SAVE_RUN] = {B "Controller$SaveTask", "run", "()V", THREAD, APP},
    [ICON_RUN] = {B "DownloadTouchIcon$Fetch", "run", "()V", THREAD, APP},
    [TRAVERSAL_RUN] = {"android.view.ViewRoot$Traversal", "run", "()V", THREAD, FRAMEWORK},
    [EVENT_RUN] = {"android.webkit.WebViewCore$EventHub", "run", "()V", THREAD, FRAMEWORK},
    [WORKER_RUN] = {"java.util.concurrent.ThreadPoolExecutor$Worker", "run", "()V", THREAD,
                    FRAMEWORK},
    [COOKIE_RUN] = {"android.webkit.CookieSyncManager", "run", "()V", THREAD, FRAMEWORK},
    [RESTORE_STATE] = {B "TabControl", "restoreState", "(Landroid/os/Bundle;)Z", METHOD, APP},
    [CREATE_TAB] = {B "TabControl", "createNewTab", "()" TAB, METHOD, APP},
    [FREE_MEMORY] = {B "TabControl", "freeMemory", "()V", METHOD, APP},
    [TAB_RESTORE] = {B "Tab", "restoreState", "(Landroid/os/Bundle;)V", METHOD, APP},
    [ON_RESUME] = {B "Controller", "onResume", "()V", METHOD, APP},
    [WEBVIEW_RESTORE] = {"android.webkit.WebView", "restoreState", "(Landroid/os/Bundle;)V", METHOD,
                         FRAMEWORK},
    [ADD_HISTORY] = {"android.webkit.WebBackForwardList", "addHistoryItem",
                     "(Landroid/webkit/WebHistoryItem;)V", METHOD, FRAMEWORK},
    [MEASURE] = {"android.view.View", "measure", "(II)V", METHOD, FRAMEWORK},
    [DRAW] = {"android.view.ViewGroup", "dispatchDraw", "(Landroid/graphics/Canvas;)V", METHOD,
              FRAMEWORK},
    [SORT] = {"java.util.Collections", "sort", "(Ljava/util/List;)V", METHOD, FRAMEWORK},
    [CHECK_STRICT] = {"android.os.StrictMode", "noteSlowCall", "(" STRING ")V", METHOD, FRAMEWORK},
    [HOT_LOOP] = {B "TabControl", "restoreState#loop1", NULL, LOOP, APP},
    [TITLE_LOOP] = {B "TabControl", "restoreState#loop2", NULL, LOOP, APP},
    [MEASURE_LOOP] = {"android.view.View", "measure#loop1", NULL, LOOP, FRAMEWORK},
    [RESUME_ACTIVITY] = {"android.app.ActivityThread", "handleResumeActivity",
                         "(Landroid/os/IBinder;ZZ)V", METHOD, FRAMEWORK},
    [HANDLE_RECEIVER] = {"android.app.ActivityThread", "handleReceiver",
                         "(Landroid/app/ActivityThread$ReceiverData;)V", METHOD, FRAMEWORK},
    [HANDLE_SERVICE] = {"android.app.ActivityThread", "handleServiceArgs",
                        "(Landroid/app/ActivityThread$ServiceArgsData;)V", METHOD, FRAMEWORK},
    [DISPATCH] = {"android.os.Handler", "dispatchMessage", "(Landroid/os/Message;)V", METHOD,
                  FRAMEWORK},
    [GET_STRING] = {"android.os.Bundle", "getString", "(" STRING ")" STRING, METHOD, FRAMEWORK},
    [UNPARCEL] = {"android.os.Bundle", "unparcel", "()V", METHOD, FRAMEWORK},
    [READ_INT] = {"android.os.Parcel", "readInt", "()I", METHOD, FRAMEWORK},
    [READ_STRING] = {"android.os.Parcel", "readString", "()" STRING, METHOD, FRAMEWORK},
    [MAP_GET] = {"java.util.HashMap", "get", "(" OBJECT ")" OBJECT, METHOD, FRAMEWORK},
    [MAP_PUT] = {"java.util.HashMap", "put", "(" OBJECT OBJECT ")" OBJECT, METHOD, FRAMEWORK},
    [MAP_HASH] = {"java.util.HashMap", "secondaryHash", "(I)I", METHOD, FRAMEWORK},
    [LIST_ADD] = {"java.util.ArrayList", "add", "(" OBJECT ")Z", METHOD, FRAMEWORK},
    [LIST_INSERT] = {"java.util.ArrayList", "add", "(I" OBJECT ")V", METHOD, FRAMEWORK},
    [LIST_GET] = {"java.util.ArrayList", "get", "(I)" OBJECT, METHOD, FRAMEWORK},
    [EQUALS] = {"java.lang.String", "equals", "(" OBJECT ")Z", METHOD, FRAMEWORK},
    [APPEND_TEXT] = {"java.lang.StringBuilder", "append", "(" STRING ")" BUILDER, METHOD,
                     FRAMEWORK},
    [APPEND_INT] = {"java.lang.StringBuilder", "append", "(I)" BUILDER, METHOD, FRAMEWORK},
    [APPEND_CHAR] = {"java.lang.StringBuilder", "append", "(C)" BUILDER, METHOD, FRAMEWORK},
    [BUILD_TEXT] = {"java.lang.StringBuilder", "toString", "()" STRING, METHOD, FRAMEWORK},
    [PARSE_URI] = {"android.net.Uri", "parse", "(" STRING ")Landroid/net/Uri;", METHOD, FRAMEWORK},
    [IS_EMPTY] = {"android.text.TextUtils", "isEmpty", "(Ljava/lang/CharSequence;)Z", METHOD,
                  FRAMEWORK},
    [COMPARE] = {B "TabControl$ByTime", "compare", "(" TAB TAB ")I", METHOD, APP},
    [SEND_MESSAGE] = {"android.os.Handler", "sendMessage", "(Landroid/os/Message;)Z", METHOD,
                      FRAMEWORK},
};

enum { MAIN, WEBCORE, COOKIES, ASYNC, BINDER, THREADS };

static const struct thread threads[THREADS] = {[MAIN] = {1, "main", BROWSER_PID},
                                               [WEBCORE] = {11, "WebViewCoreThread", 1521},
                                               [COOKIES] = {12, "CookieSyncManager", 1522},
                                               [ASYNC] = {13, "AsyncTask #1", 1530},
                                               [BINDER] = {14, "Binder Thread #1", 1533}};

const struct program browser = {functions, FUNCTIONS, threads, THREADS, false};
const struct program browser_in_rmp = {functions, FUNCTIONS, threads, THREADS, true};

enum { VISITS = 20, PARTS = 70, HOT_TURNS = 253 };

/* What the hot loop is given on top of what its calls take, by visit, so that its share is met. */
static int64_t padding[VISITS];

/* --- the calls -------------------------------------------------------------------------------- */

static void leaf(struct play *play, int function, int64_t least, int64_t spread) {
    play_enter(play, function);
    play_spend(play, least + dice(spread));
    play_leave(play);
}

static void get_string(struct play *play) {
    play_enter(play, GET_STRING);
    play_spend(play, 1);
    play_enter(play, UNPARCEL);
    for (int64_t left = 1 + dice(3); left > 0; left--) {
        leaf(play, READ_INT, 1, 2);
        leaf(play, READ_STRING, 2, 4);
    }
    play_spend(play, 1 + dice(2));
    play_leave(play);
    play_enter(play, MAP_GET);
    leaf(play, MAP_HASH, 0, 2);
    for (int64_t left = dice(4); left > 0; left--) {
        leaf(play, EQUALS, 1, 2);
    }
    play_leave(play);
    play_leave(play);
}

static void make_title(struct play *play) {
    leaf(play, APPEND_TEXT, 1, 3);
    leaf(play, APPEND_CHAR, 0, 2);
    leaf(play, APPEND_INT, 1, 3);
    leaf(play, BUILD_TEXT, 1, 2);
}

/* One tab is looked for in a list that is sorted anew each time. */
static void hot_turn(struct play *play) {
    get_string(play);
    leaf(play, IS_EMPTY, 0, 2);
    leaf(play, PARSE_URI, 2, 5);
    for (int64_t left = 1 + dice(4); left > 0; left--) {
        leaf(play, LIST_GET, 0, 2);
        leaf(play, COMPARE, 1, 2);
    }
    leaf(play, dice(4) == 0 ? LIST_INSERT : LIST_ADD, 1, 3);
    play_enter(play, MAP_PUT);
    leaf(play, MAP_HASH, 0, 2);
    play_spend(play, 1 + dice(2));
    play_leave(play);
    if (dice(3) == 0) {
        make_title(play);
    }
}

static void hot_loop(struct play *play, int visit) {
    int64_t each = padding[visit] / HOT_TURNS, rest = padding[visit] % HOT_TURNS;

    play_enter(play, HOT_LOOP);
    for (int i = 0; i < HOT_TURNS; i++) {
        hot_turn(play);
        play_spend(play, each + (i == 0 ? rest : 0));
    }
    play_leave(play);
}

/* A tab and the tabs that were opened from it. */
static void restore_tab(struct play *play, int depth) {
    play_enter(play, TAB_RESTORE);
    play_spend(play, 40 + dice(100));
    if (depth > 0) {
        restore_tab(play, depth - 1);
    }
    play_spend(play, 10 + dice(30));
    play_leave(play);
}

static void restore_page(struct play *play, int items) {
    play_enter(play, WEBVIEW_RESTORE);
    play_spend(play, 300 + dice(500));
    for (int i = 0; i < items; i++) {
        leaf(play, ADD_HISTORY, 50, 200);
    }
    play_wait(play, dice(400));
    play_leave(play);
}

static void restore_state(struct play *play, int visit) {
    play_enter(play, RESTORE_STATE);
    play_spend(play, 100 + dice(200));
    play_enter(play, TITLE_LOOP);
    for (int64_t left = 3 + dice(5); left > 0; left--) {
        make_title(play);
        play_spend(play, 20 + dice(40));
    }
    play_leave(play);
    restore_tab(play, visit % 4 == 3 ? 3 : 1);
    if (visit % 2 == 0) {
        restore_page(play, 1 + visit % 3);
    }
    hot_loop(play, visit);
    play_spend(play, 50 + dice(100));
    play_leave(play);
}

static void restore_task(struct play *play, int visit) {
    play_enter(play, RESTORE_RUN);
    play_spend(play, 100 + dice(400));
    if (visit % 5 != 1 && visit % 5 != 3) {
        leaf(play, CREATE_TAB, 200, 900);
    }
    restore_state(play, visit);
    if (visit % 2 == 1) {
        leaf(play, FREE_MEMORY, 100, 600);
    }
    play_leave(play);
}

/* A view measures those in it. */
static void measure(struct play *play, int depth) {
    play_enter(play, MEASURE);
    play_spend(play, 60 + dice(200));
    if (depth > 0) {
        play_enter(play, MEASURE_LOOP);
        measure(play, depth - 1);
        measure(play, depth - 2 > 0 ? depth - 2 : 0);
        play_leave(play);
    }
    play_leave(play);
}

static void traversal(struct play *play, int visit) {
    play_enter(play, TRAVERSAL_RUN);
    play_spend(play, 200 + dice(500));
    if (visit % 4 == 0) {
        measure(play, 1);
    }
    if (visit % 3 == 0) {
        leaf(play, DRAW, 400, 1500);
    }
    play_wait(play, dice(300));
    play_leave(play);
}

static void browser_visit(struct play *play, int visit) {
    play_enter(play, BROWSER_ACTIVITY);
    play_spend(play, 200 + dice(800));
    leaf(play, ON_RESUME, 500, 2000);
    play_enter(play, DISPATCH);
    restore_task(play, visit);
    play_leave(play);
    if (visit % 5 == 0) {
        leaf(play, SORT, 300, 900);
    }
    play_enter(play, DISPATCH);
    traversal(play, visit);
    play_leave(play);
    if (visit % 2 == 0) {
        play_enter(play, SAVE_RUN);
        play_spend(play, 1000 + dice(4000));
        play_wait(play, dice(3000));
        play_leave(play);
    }
    if (visit == 7 || visit == 13) {
        leaf(play, CHECK_STRICT, 100, 200);
    }
    play_wait(play, 500 + dice(2000));
    play_leave(play);
}

static void component(struct play *play, int handler, int function) {
    play_enter(play, handler);
    play_spend(play, 20 + dice(80));
    play_enter(play, function);
    play_spend(play, 300 + dice(4000));
    play_wait(play, dice(2000));
    play_leave(play);
    play_leave(play);
}

/* --- the threads ------------------------------------------------------------------------------ */

static void play_main(struct play *play) {
    static const int others[][2] = {{RESUME_ACTIVITY, BOOKMARKS_PAGE},
                                    {HANDLE_RECEIVER, DOWNLOAD_RECEIVER},
                                    {RESUME_ACTIVITY, DOWNLOAD_PAGE},
                                    {HANDLE_SERVICE, SYNC_SERVICE}};
    int visits = 0, other = 0;

    play_thread(play, MAIN, 1234 * MICROSECOND);
    for (int part = 0; part < PARTS; part++) {
        if (visits * PARTS < part * VISITS + VISITS) {
            play_enter(play, RESUME_ACTIVITY);
            play_spend(play, 50 + dice(100));
            browser_visit(play, visits++);
            play_leave(play);
        } else {
            int which = (int)(dice(2) + other++ / 2) % 4;

            component(play, others[which][0], others[which][1]);
        }
        play_wait(play, 500 + dice(8000));
    }
    if (visits != VISITS) {
        die("%d visits", visits);
    }
}

static void play_runs(struct play *play, int thread, int function, int count, int inside) {
    play_thread(play, thread, 5000 * MICROSECOND + dice(20000) * MICROSECOND);
    for (int i = 0; i < count; i++) {
        play_wait(play, 20000 + dice(100000));
        play_enter(play, function);
        play_spend(play, 100 + dice(3000));
        for (int left = i % 2 + 1; left > 0 && inside >= 0; left--) {
            leaf(play, inside, 50, 900);
            play_wait(play, dice(500));
        }
        play_leave(play);
    }
}

static void play_threads(struct play *play, const struct program *program, uint32_t run) {
    play_begin(play, program);
    seed_dice(run + 1);
    play_main(play);
    play_runs(play, WEBCORE, EVENT_RUN, 10, SEND_MESSAGE);
    play_runs(play, COOKIES, COOKIE_RUN, 6, -1);
    play_runs(play, ASYNC, WORKER_RUN, 8, ICON_RUN);
    play_runs(play, BINDER, SEND_MESSAGE, 5, -1);
    play_end(play);
}

/* 82.97 %, out of 10000. */
enum { SHARE = 8297 };

/* Padding does not change what the dice say, so the second play differs from the first in the hot
 * loop only. */
void play_browser(struct play *play, const struct program *program, uint32_t run) {
    int64_t hot, rest, wanted, weights = 0, weight[VISITS];

    for (int i = 0; i < VISITS; i++) {
        padding[i] = 0;
    }
    play_threads(play, program, run);
    hot = play_sum(play, HOT_LOOP);
    rest = play_sum(play, BROWSER_ACTIVITY) - hot;
    wanted = (rest / MICROSECOND * SHARE / (10000 - SHARE)) - hot / MICROSECOND;
    if (wanted < 0) {
        die("the rest of the browser is too fast by %lld us", (long long)-wanted);
    }
    for (int i = 0; i < VISITS; i++) {
        weight[i] = 80 + dice(40);
        weights += weight[i];
    }
    for (int i = VISITS - 1; i >= 0; i--) {
        padding[i] = i == 0 ? wanted : wanted * weight[i] / weights;
        wanted -= padding[i];
        weights -= weight[i];
    }
    play_free(play);
    play_threads(play, program, run);
}
