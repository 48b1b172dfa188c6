is_begin() {
    name = file_name()
    call = call_name()
    if (name ~ /^\// && call != "close" && call != "execve") {
        if (!(name in opens)) {
            opens[name] = 0
        }
        opens[name] += call == "openat"
        reads[name] += call == "read" || call == "pread64"
        writes[name] += call == "write" || call == "pwrite64"
        syncs[name] += call == "fdatasync"
    }
    if ($NF == "...>") {
        file[$1] = name
    }
}
/ = [0-9]+ </ {
    call = call_name()
    if (call ~ /^p?(read|write)(64)?$/) {
        name = $3 == "<..." ? file[$1] : name
        if (call ~ /read/) {
            bytes_read[name] += result()
        } else {
            bytes_written[name] += result()
        }
    }
}
END {
    for (name in opens) {
        printf "%s\t%d\t%d\t%d\t%d\t%.0f\t%.0f\n", name, opens[name], reads[name], writes[name], syncs[name],
            bytes_read[name], bytes_written[name]
    }
}
