# Of a line `TASK-PID [CPU] FLAGS TIME: sys_CALL(…)` or `… sys_CALL -> RESULT`.
function call_name(    name) {
    name = $5
    sub(/^sys_/, "", name)
    sub(/\(.*/, "", name)
    return name
}

function micros() {
    return int($4 * 1000000 + 0.5)
}
