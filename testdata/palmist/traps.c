#include "traps.h"

#include <string.h>

const Trap popular_traps[POPULAR_TRAPS] = {
    {0xA0B9, "SysLibTblEntry", "n"},
    {0xA1FE, "WinGetDrawWindow", ""},
    {0xA2CC, "EvtEventAvail", ""},
    {0xA165, "FntGetFontPtr", ""},
    {0xA167, "FntCharHeight", ""},
    {0xA376, "BmpGetBits", "B"},
    {0xA3E3, "BmpColortableSize", "B"},
    {0xA2A2, "KeyCurrentState", ""},
    {0xA212, "WinClipRectangle", "R"},
    {0xA1C5, "RctCopyRectangle", "RR"},
    {0xA173, "FrmGetActiveForm", ""},
    {0xA012, "MemChunkFree", "p"},
    {0xA220, "WinDrawChars", "smxx"},
    {0xA163, "FntGetFont", ""},
    {0xA11D, "EvtGetEvent", "Et"},
    {0xA0F5, "TimGetSeconds", ""},
    {0xA175, "FrmGetActiveFormID", ""},
    {0xA1C8, "RctPtInRectangle", "xxR"},
    {0xA1FF, "WinGetActiveWindow", ""},
    {0xA0A9, "SysHandleEvent", "E"},
    {0xA168, "FntLineHeight", ""},
    {0xA0C7, "StrLen", "s"},
    {0xA183, "FrmGetObjectPtr", "On"},
    {0xA375, "BltFindIndexes", ""},
    {0xA139, "FldGetTextPtr", "F"},
    {0xA200, "WinGetDisplayWindow", ""},
    {0xA04E, "DmGetLastErr", ""},
    {0xA1FD, "WinSetDrawWindow", "W"},
    {0xA377, "BltCopyRectangle", ""},
    {0xA013, "MemPtrNew", "l"},
    {0xA131, "EvtKeyQueueEmpty", ""},
    {0xA035, "MemPtrUnlock", "p"},
    {0xA115, "CtlHandleEvent", "CE"},
    {0xA1AC, "InsPtEnabled", ""},
    {0xA0C5, "StrCopy", "ss"},
    {0xA378, "BltDrawChars", ""},
    {0xA395, "WinPushDrawState", ""},
    {0xA16B, "FntCharsWidth", "sm"},
    {0xA396, "WinPopDrawState", ""},
    {0xA219, "WinEraseRectangle", "Rn"},
    {0xA166, "FntBaseLine", ""},
    {0xA14B, "FldGetTextLength", "F"},
    {0xA180, "FrmGetObjectIndex", "Ow"},
    {0xA211, "WinResetClip", ""},
    {0xA210, "WinSetClip", "R"},
    {0xA1C2, "MenuGetActiveMenu", ""},
    {0xA03B, "MemDebugMode", ""},
    {0xA17A, "FrmHandleEvent", "OE"},
    {0xA09E, "SysTaskID", ""},
    {0xA213, "WinDrawLine", "xxxx"},
    {0xA169, "FntAverageCharWidth", ""},
    {0xA164, "FntSetFont", "u"},
    {0xA1CD, "TblGetItemBounds", "TiiR"},
    {0xA0A5, "SysDisableInts", ""},
    {0xA20F, "WinGetClip", "R"},
    {0xA130, "EvtResetAutoOffTimer", ""},
    {0xA1AF, "InsPtCheckBlink", ""},
    {0xA016, "MemPtrSize", "p"},
    {0xA201, "WinGetFirstWindow", ""},
    {0xA05B, "DmQueryRecord", "pn"},
    {0xA37A, "BltRectangleRoutine", ""},
    {0xA1A0, "FrmDispatchEvent", "E"},
    {0xA05F, "DmGetResource", "cw"},
    {0xA1AE, "InsPtGetHeight", ""},
    {0xA027, "MemSet", "pqu"},
    {0xA29E, "GsiEnabled", ""},
    {0xA16C, "FntDescenderHeight", ""},
    {0xA026, "MemMove", "ppq"},
    {0xA39B, "WinGetPatternType", ""},
    {0xA0C8, "StrCompare", "ss"},
    {0xA124, "EvtPenQueueSize", ""},
    {0xA226, "WinDrawBitmap", "Bxx"},
    {0xA16A, "FntCharWidth", "y"},
    {0xA379, "BltLineRoutine", ""},
    {0xA13B, "FldHandleEvent", "FE"},
    {0xA125, "EvtFlushPenQueue", ""},
    {0xA0A3, "SysNewOwnerID", ""},
    {0xA1DD, "TblGetRowID", "Ti"},
    {0xA12B, "EvtKeyQueueSize", ""},
    {0xA0A6, "SysRestoreStatus", "n"},
    {0xA205, "WinDrawWindowFrame", ""},
    {0xA1E6, "TblRowUsable", "Ti"},
    {0xA1C9, "RctGetIntersection", "RRR"},
    {0xA12F, "EvtWakeup", ""},
    {0xA1C4, "RctSetRectangle", "Rxxee"},
    {0xA12C, "EvtFlushKeyQueue", ""},
    {0xA197, "FrmGetFirstForm", ""},
    {0xA0C6, "StrCat", "ss"},
    {0xA03A, "MemNumCards", ""},
    {0xA228, "WinGetWindowBounds", "R"},
    {0xA2E9, "SysTicksPerSecond", ""},
    {0xA120, "EvtGetSysEvent", "Et"},
    {0xA17D, "FrmGetFormId", "O"},
    {0xA0FA, "TimGetAlarm", ""},
    {0xA061, "DmReleaseResource", "p"},
    {0xA3A7, "UIColorPushTable", ""},
    {0xA3A8, "UIColorPopTable", ""},
    {0xA02D, "MemHandleSize", "p"},
    {0xA129, "EvtFlushNextPenStroke", ""},
    {0xA0C9, "StrIToA", "sl"},
    {0xA3C5, "MenuEraseMenu", ""},
    {0xA27A, "FtrUnregister", "cn"},
    {0xA218, "WinDrawRectangle", "Rn"},
    {0xA284, "GrfInitState", ""},
    {0xA10D, "CtlDrawControl", "C"},
    {0xA282, "GrfFlushPoints", ""},
    {0xA285, "GrfCleanState", ""},
    {0xA209, "WinCopyRectangle", "WWRxxu"},
    {0xA2A3, "KeyResetDoubleTap", ""},
    {0xA21A, "WinInvertRectangle", "Rn"},
    {0xA206, "WinEraseWindow", ""},
    {0xA2CE, "StrNCopy", "ssi"},
    {0xA1DF, "TblMarkRowInvalid", "Ti"},
    {0xA3CF, "SecSelectViewStatus", ""},
    {0xA135, "FldDrawField", "F"},
    {0xA3C9, "MenuCmdBarDisplay", ""},
    {0xA1A2, "FrmSaveAllForms", ""},
    {0xA111, "CtlGetValue", "C"},
    {0xA1A1, "FrmCloseAllForms", ""},
    {0xA1C6, "RctInsetRectangle", "Ri"},
    {0xA295, "GetCharAttr", ""},
    {0xA2D7, "MemCmp", "ppq"},
    {0xA17C, "FrmGetWindowHandle", "O"},
    {0xA294, "GetCharSortValue", ""},
    {0xA0CA, "StrCaselessCompare", "ss"},
    {0xA296, "GetCharCaselessValue", ""},
    {0xA297, "PwdExists", ""},
    {0xA045, "DmFindDatabase", "zs"},
    {0xA3A1, "WinScreenUnlock", ""},
    {0xA1DE, "TblSetRowID", "Tiw"},
    {0xA323, "SysGetOSVersionString", ""},
    {0xA1D3, "TblSetRowUsable", "Tib"},
    {0xA126, "EvtEnqueuePenPoint", "P"},
    {0xA2AB, "IntlDispatch", ""},
    {0xA128, "EvtDequeuePenPoint", "P"},
    {0xA3AE, "TsmDispatch", ""},
    {0xA3AF, "OmDispatch", ""},
    {0xA2CD, "EvtSysEventAvail", "b"},
    {0xA10B, "ClipboardCheckIfItemExist", ""},
    {0xA152, "FldCalcFieldHeight", "sw"},
    {0xA288, "GrfFilterPoints", ""},
    {0xA2D9, "FntWordWrap", "sw"},
    {0xA1B1, "LstDrawList", "L"},
    {0xA0BB, "SysBatteryDialog", ""},
    {0xA1B3, "LstGetSelection", "L"},
    {0xA34C, "UIContrastAdjust", ""},
    {0xA0B4, "SysAppLauncherDialog", ""},
    {0xA171, "FrmDrawForm", "O"},
    {0xA100, "TimWake", ""},
    {0xA17E, "FrmGetFormPtr", "w"},
    {0xA2A6, "KeyWake", ""},
    {0xA1D0, "TblSetItemInt", "Tiii"},
    {0xA1CA, "TblDrawTable", "T"},
    {0xA0CC, "StrChr", "sk"},
    {0xA0CD, "StrStr", "ss"},
    {0xA033, "MemHandleResize", "pl"},
    {0xA071, "DmNumRecordsInCategory", "pn"},
    {0xA0FC, "TimSecondsToDateTime", "lD"},
    {0xA0FD, "TimDateTimeToSeconds", "D"},
    {0xA234, "SndPlaySystemSound", "u"},
    {0xA214, "WinDrawGrayLine", "xxxx"},
    {0xA199, "FrmGetObjectBounds", "OnR"},
    {0xA146, "FldSetInsPtPosition", "Fn"},
    {0xA145, "FldGetInsPtPosition", "F"},
    {0xA112, "CtlSetValue", "Ci"},
    {0xA398, "WinSetForeColor", "u"},
    {0xA399, "WinSetBackColor", "u"},
    {0xA39A, "WinSetTextColor", "u"},
    {0xA104, "CategoryGetName", "pns"},
    {0xA19B, "FrmGotoForm", "w"},
    {0xA16F, "FrmInitForm", "w"},
    {0xA174, "FrmSetActiveForm", "O"},
    {0xA170, "FrmDeleteForm", "O"},
    {0xA194, "FrmCustomAlert", "wsss"},
    {0xA179, "FrmSetFocus", "On"},
    {0xA184, "FrmHideObject", "On"},
    {0xA185, "FrmShowObject", "On"},
    {0xA075, "DmOpenDatabaseByTypeCreator", "ccn"},
    {0xA072, "DmPositionInCategory", "pnn"},
    {0xA0C2, "SysRandom", "l"},
    {0xA0A7, "SysUIAppSwitch", "zlnp"},
    {0xA0CF, "StrToLower", "ss"},
    {0xA148, "FldGetScrollPosition", "F"},
    {0xA18F, "FrmSetCategoryLabel", "Ons"},
    {0xA1DC, "TblGetColumnWidth", "Ti"},
    {0xA225, "WinSetUnderlineMode", "u"},
    {0xA2AF, "AbtShowAbout", "c"},
    {0xA304, "WinSetColors", "GGGG"},
    {0xA3A6, "UIColorSetTableEntry", "uG"},
    {0xA03D, "MemSemaphoreRelease", "b"},
    {0xA11C, "EvtCopyEvent", "EE"},
    {0xA160, "FldSetDirty", "Fb"},
    {0xA1B7, "LstSetSelection", "Li"},
    {0xA1FB, "WinRemoveWindow", "W"},
    {0xA278, "ResLoadMenu", "w"},
    {0xA2EE, "StrNCaselessCompare", "ssl"},
    {0xA385, "WinInvertPixel", "xx"},
    {0xA00A, "MemHeapPtr", "w"},
    {0xA108, "CategorySetTriggerLabel", "Cs"},
    {0xA154, "FldCompactText", "F"},
    {0xA19D, "FrmUpdateForm", "wn"},
    {0xA1ED, "TblGrabFocus", "Tii"},
    {0xA266, "DateToAscii", "uunus"},
    {0xA2E2, "SysKeyboardDialog", "u"},
    {0xA37F, "WinPaintChars", "smxx"},
    {0xA3E2, "BmpBitsSize", "B"},
    {0xA0F9, "TimSetAlarm", "l"},
    {0xA14E, "FldGetVisibleLines", "F"},
    {0xA19A, "FrmCopyTitle", "Os"},
    {0xA1EC, "TblSetColumnWidth", "Tie"},
    {0xA267, "DateToDOWDMFormat", "uunus"},
    {0xA2E6, "TblHasScrollBar", "Tb"},
    {0xA382, "WinPaintPixel", "xx"},
    {0xA009, "MemHeapID", "zn"},
    {0xA10E, "CtlEraseControl", "C"},
    {0xA159, "FldSetTextPtr", "Fs"},
    {0xA1B2, "LstEraseList", "L"},
    {0xA1FA, "WinAddWindow", "W"},
    {0xA283, "GrfAddPoint", "P"},
    {0xA2F7, "StrLocalizeNumber", "suu"},
    {0xA39F, "WinIndexToRGB", "uG"},
    {0xA03C, "MemSemaphoreReserve", "b"},
    {0xA12E, "EvtDequeueKeyEvent", "En"},
    {0xA17B, "FrmGetFormBounds", "OR"},
    {0xA1D2, "TblUnhighlightSelection", "T"},
    {0xA222, "WinInvertChars", "smxx"},
    {0xA2C2, "SysTaskResume", "l"},
    {0xA34B, "SysLCDContrast", "bu"},
    {0xA3D9, "CtlSetGraphics", "Cww"},
    {0xA0CE, "StrAToI", "s"},
    {0xA153, "FldGetTextHandle", "F"},
    {0xA1AB, "InsPtEnable", "b"},
    {0xA1FC, "WinSetActiveWindow", "W"},
    {0xA28E, "GrfGetMacroName", "ns"},
    {0xA2FF, "LstGetVisibleItems", "L"},
    {0xA3B0, "DmOpenDBNoOverlay", "zln"},
    {0xA08D, "SysDoze", "b"},
    {0xA141, "FldSetFont", "Fu"},
    {0xA192, "FrmAlert", "w"},
    {0xA1EB, "TblGetRowHeight", "Ti"},
    {0xA272, "PenRawToScreen", "P"},
    {0xA2F5, "SysStringByIndex", "wnsn"},
    {0xA3A2, "WinGetBitmap", "W"},
    {0xA044, "DmGetDatabase", "zn"},
    {0xA13D, "FldRecalculateField", "Fb"},
    {0xA190, "FrmGetTitle", "O"},
    {0xA1EA, "TblSetColumnUsable", "Tib"},
    {0xA273, "PenScreenToRaw", "P"},
    {0xA2F8, "StrDelocalizeNumber", "suu"},
    {0xA3AA, "TblGetItemPtr", "Tii"},
    {0xA093, "SysGetTrapAddress", "n"},
    {0xA144, "FldReleaseFocus", "F"},
    {0xA19C, "FrmPopupForm", "w"},
    {0xA1F9, "WinInitializeWindow", "W"},
    {0xA298, "PwdVerify", "s"},
    {0xA320, "FontSelect", "u"},
    {0xA3D5, "MenuShowItem", "w"},
    {0xA0FB, "TimHandleInterrupt", "b"},
    {0xA15C, "FldSetUsable", "Fb"},
    {0xA1C7, "RctOffsetRectangle", "Rxx"},
    {0xA221, "WinEraseChars", "smxx"},
    {0xA2D2, "PrefSetPreference", "ul"},
    {0xA383, "WinDrawPixel", "xx"},
    {0xA025, "MemLocalIDToPtr", "lz"},
    {0xA134, "FldCut", "F"},
    {0xA18C, "FrmCopyLabel", "Ows"},
    {0xA1F1, "TblGetColumnSpacing", "Ti"},
    {0xA28B, "GrfFindBranch", "n"},
    {0xA31F, "TblSetItemFont", "Tiiu"},
    {0xA3D7, "MenuAddItem", "wwus"},
    {0xA10F, "CtlHideControl", "C"},
    {0xA16E, "FntLineWidth", "sm"},
    {0xA1D7, "TblRowSelectable", "Ti"},
    {0xA262, "DateDaysToDate", "lY"},
    {0xA2F0, "FrmSetMenu", "Ow"},
    {0xA3B2, "ResLoadConstant", "w"},
    {0xA0BC, "SysCopyStringResource", "si"},
    {0xA15A, "FldGetMaxChars", "F"},
    {0xA1CC, "TblHandleEvent", "TE"},
    {0xA23A, "AlmDisplayAlarm", "b"},
    {0xA2EB, "DmDatabaseProtect", "zlb"},
    {0xA3A4, "UIColorGetTableEntryIndex", "u"},
    {0xA0B2, "SysSleep", "bb"},
    {0xA157, "FldSetTextAllocatedSize", "Fn"},
    {0xA1CE, "TblSelectItem", "Tii"},
    {0xA25F, "DayOfWeek", "iix"},
    {0xA2EF, "PhoneNumberLookup", "F"},
    {0xA3C7, "MenuCmdBarAddButton", "uwuls"},
    {0xA0F6, "TimSetSeconds", "l"},
    {0xA162, "FldMakeFullyVisible", "F"},
    {0xA1E0, "TblMarkTableInvalid", "T"},
    {0xA271, "PenCalibrate", "PPPP"},
    {0xA31E, "TblGetItemFont", "Tii"},
    {0xA3E1, "BmpSize", "B"},
    {0xA11B, "EvtAddEventToQueue", "E"},
    {0xA18B, "FrmSetControlGroupSelection", "Ouw"},
};

/* Calls of the small samples that are not among the popular ones. Two traps
 * have the name ExgNotifyReceive: the one of 3.5 and the one of 4.0.
 */
static const Trap other_traps[] = {
    {0xA000, "MemInit", ""},     {0xA02A, "MemKernelInit", ""},    {0xA310, "ExgNotifyReceive", ""},
    {0xA344, "HostControl", ""}, {0xA400, "ExgNotifyReceive", ""},
};

/* The thesis does not publish its 735 calls. These are the calls up to 3.5
 * without the 14 it names as not logged, and without what no application
 * calls: obsolete, reserved, old (V10, V20) and hardware calls, set-up calls
 * of the boot, the kernel's tasks and semaphores, drivers and data exchange.
 */
const TrapRange loggable_ranges[] = {
    {0xA007, 0xA00E}, {0xA010, 0xA01D}, {0xA01F, 0xA020}, {0xA023, 0xA027}, {0xA02C, 0xA037},
    {0xA039, 0xA03F}, {0xA041, 0xA048}, {0xA04B, 0xA04E}, {0xA050, 0xA054}, {0xA056, 0xA05B},
    {0xA05D, 0xA05D}, {0xA05F, 0xA075}, {0xA077, 0xA07C}, {0xA07E, 0xA07F}, {0xA084, 0xA084},
    {0xA087, 0xA087}, {0xA089, 0xA089}, {0xA08D, 0xA090}, {0xA092, 0xA094}, {0xA09E, 0xA09E},
    {0xA0A0, 0xA0A0}, {0xA0A2, 0xA0A3}, {0xA0A5, 0xA0A7}, {0xA0A9, 0xA0A9}, {0xA0AB, 0xA0AB},
    {0xA0AD, 0xA0AD}, {0xA0B2, 0xA0B2}, {0xA0B4, 0xA0B5}, {0xA0B7, 0xA0BC}, {0xA0C0, 0xA0C2},
    {0xA0C5, 0xA0CF}, {0xA0F5, 0xA0F6}, {0xA0F9, 0xA100}, {0xA103, 0xA104}, {0xA107, 0xA119},
    {0xA11B, 0xA11E}, {0xA120, 0xA1A5}, {0xA1A7, 0xA1A7}, {0xA1A9, 0xA22A}, {0xA22C, 0xA22D},
    {0xA231, 0xA234}, {0xA236, 0xA23B}, {0xA25C, 0xA278}, {0xA27A, 0xA27D}, {0xA27F, 0xA29A},
    {0xA29C, 0xA29F}, {0xA2A1, 0xA2A6}, {0xA2AB, 0xA2AF}, {0xA2B2, 0xA2B2}, {0xA2B4, 0xA2B8},
    {0xA2C2, 0xA2C4}, {0xA2C6, 0xA2DC}, {0xA2DE, 0xA2E9}, {0xA2EB, 0xA2F0}, {0xA2F2, 0xA2FB},
    {0xA2FF, 0xA304}, {0xA31E, 0xA331}, {0xA33B, 0xA33E}, {0xA344, 0xA345}, {0xA34B, 0xA34C},
    {0xA34E, 0xA351}, {0xA359, 0xA35C}, {0xA364, 0xA365}, {0xA369, 0xA369}, {0xA36E, 0xA370},
    {0xA375, 0xA37A}, {0xA37D, 0xA3A2}, {0xA3A4, 0xA3B2}, {0xA3B6, 0xA3B6}, {0xA3C4, 0xA3C9},
    {0xA3CB, 0xA3CB}, {0xA3CD, 0xA3E5}, {0xA3E7, 0xA3E7},
};
const size_t loggable_range_count = sizeof loggable_ranges / sizeof *loggable_ranges;

/* The first one starts the others. */
const Application applications[] = {
    {0x00010b22, "Launcher"},    {0x00010f3c, "Memo Pad"},   {0x0001137e, "Date Book"},
    {0x00011a06, "Address"},     {0x00011ec8, "To Do List"}, {0x00012344, "Calculator"},
    {0x00012b9a, "Preferences"}, {0x0001c0d4, "Pinemark"},
};
const size_t application_count = sizeof applications / sizeof *applications;

const Trap *find_popular_trap(uint16_t id) {
    for (size_t i = 0; i < POPULAR_TRAPS; i++) {
        if (popular_traps[i].id == id) {
            return &popular_traps[i];
        }
    }
    return NULL;
}

static const Trap *find_trap(uint16_t id) {
    for (size_t i = 0; i < sizeof other_traps / sizeof *other_traps; i++) {
        if (other_traps[i].id == id) {
            return &other_traps[i];
        }
    }
    return find_popular_trap(id);
}

TrapName trap_name(uint16_t id) {
    const Trap *trap = find_trap(id);
    TrapName name;
    if (trap) {
        snprintf(name.text, sizeof name.text, "%s", trap->name);
    } else {
        snprintf(name.text, sizeof name.text, "0x%04X", id);
    }
    return name;
}

int trap_name_is_unique(uint16_t id) {
    const Trap *trap = find_trap(id);
    return trap && strcmp(trap->name, "ExgNotifyReceive") != 0;
}

int trap_is_loggable(uint16_t id) {
    for (size_t i = 0; i < loggable_range_count; i++) {
        if (id >= loggable_ranges[i].first && id <= loggable_ranges[i].last) {
            return 1;
        }
    }
    return 0;
}

void write_configuration(Buffer *out) {
    buffer_text(out, "# Made by testdata/palmist/generate: the 735 calls and the applications\n"
                     "# of the full-size Palmist logs.\n"
                     "palmist:\n"
                     "  loggable:\n");
    for (size_t i = 0; i < loggable_range_count; i++) {
        const TrapRange *range = &loggable_ranges[i];
        if (range->first == range->last) {
            buffer_printf(out, "    - 0x%04X\n", range->first);
        } else {
            buffer_printf(out, "    - 0x%04X-0x%04X\n", range->first, range->last);
        }
    }
    buffer_text(out, "applications:\n");
    for (size_t i = 0; i < application_count; i++) {
        buffer_printf(out, "  0x%08x: %s\n", (unsigned)applications[i].id, applications[i].name);
    }
}
