# shellcheck shell=bash
# Real stores for tests: three servers of Debian 12's ClickHouse (18.16) on loopback, each with its own
# configuration and data, all below one directory. The first two are the shards of the cluster `fleet`;
# servers_join can add the third one as a shard. The cluster `pairs` has the first two as replicas of one
# shard; `lone` is the server itself. tests/store.sh starts the servers and stops them in any case.
# tests/store/*.sh find them by $STORE_FOLDER, and may stop, kill and start them.
#
# Server N (1, 2, 3) has its own directory: config.xml, users.xml, pid, data/, server.log, output.txt. Users:
# default, on loopback without a password; writer and reader (which can only change settings), with their
# names as passwords; changeless, which cannot change settings either; skipper, for whom the server skips
# unavailable shards by default.

store_tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Directory of an unpacked ClickHouse, used if it is not installed.
SERVER_ROOT=${SERVER_ROOT:-$BUILD/store}

# server_find: sets the array $server to its command; false if there is none.
server_find() {
    local libraries

    if [ -x "$SERVER_ROOT/usr/sbin/clickhouse-server" ]; then
        libraries=$(find "$SERVER_ROOT/usr/lib" "$SERVER_ROOT/lib" -name '*.so*' -printf '%h\n' 2>/dev/null | sort -u | paste -sd:)
        server=(env LD_LIBRARY_PATH="$libraries" "$SERVER_ROOT/usr/sbin/clickhouse-server")
    elif [ -x /usr/sbin/clickhouse-server ]; then
        server=(/usr/sbin/clickhouse-server)
    else
        return 1
    fi
}

# free_ports N: prints N different unused ports.
free_ports() {
    python3 -c '
import socket, sys
kept = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in kept:
    one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in kept])' "$1"
}

# server_users: prints users.xml, the same for all servers.
server_users() {
    local name

    echo '<yandex><profiles>'
    echo '<default><max_memory_usage>1000000000</max_memory_usage><max_threads>2</max_threads>' \
        '<background_pool_size>2</background_pool_size><log_queries>0</log_queries></default>'
    echo '<reader><readonly>2</readonly></reader><changeless><readonly>1</readonly></changeless>' \
        '<skipper><skip_unavailable_shards>1</skip_unavailable_shards></skipper></profiles><users>'
    echo '<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>' \
        '<quota>default</quota></default>'
    for name in writer reader changeless skipper; do
        echo "<$name><password_sha256_hex>$(printf %s $name | sha256sum | cut -d' ' -f1)</password_sha256_hex>" \
            "<networks><ip>127.0.0.1</ip></networks><profile>${name/writer/default}</profile><quota>default</quota></$name>"
    done
    echo '</users><quotas><default/></quotas></yandex>'
}

# server_config N SHARDS: prints config.xml of a server with the first SHARDS servers as cluster.
server_config() {
    local folder=$STORE_FOLDER/$1 shard

    echo "<yandex><logger><level>warning</level><log>$folder/server.log</log><errorlog>$folder/error.log</errorlog>" \
        '<size>10M</size><count>1</count></logger>'
    echo "<http_port>${http_ports[$1]}</http_port><tcp_port>${tcp_ports[$1]}</tcp_port>" \
        '<listen_host>127.0.0.1</listen_host>'
    echo "<path>$folder/data/</path><tmp_path>$folder/tmp/</tmp_path><user_files_path>$folder/files/</user_files_path>"
    echo '<users_config>users.xml</users_config><default_profile>default</default_profile>' \
        '<default_database>default</default_database><timezone>UTC</timezone>'
    echo '<mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>' \
        '<mlock_executable>false</mlock_executable><max_concurrent_queries>50</max_concurrent_queries>'
    echo '<remote_servers><fleet>'
    for ((shard = 1; shard <= $2; shard++)); do
        echo "<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host>" \
            "<port>${tcp_ports[shard]}</port></replica></shard>"
    done
    echo '</fleet><pairs><shard>'
    for shard in 1 2; do
        echo "<replica><host>127.0.0.1</host><port>${tcp_ports[shard]}</port></replica>"
    done
    echo '</shard></pairs><lone><shard>' \
        "<replica><host>127.0.0.1</host><port>${tcp_ports[$1]}</port></replica></shard></lone></remote_servers></yandex>"
}

# servers_know: sets ports and addresses of the servers in $STORE_FOLDER: $http_ports, $tcp_ports and $stores
# (http://127.0.0.1:PORT, without a database), by number.
# shellcheck disable=SC2034
servers_know() {
    local number

    read -r -a http_ports <"$STORE_FOLDER/http"
    read -r -a tcp_ports <"$STORE_FOLDER/tcp"
    stores=(-)
    for number in 1 2 3; do
        stores[number]=http://127.0.0.1:${http_ports[number]}
    done
}

# servers_make: creates directories and configurations of three servers in $STORE_FOLDER.
servers_make() {
    local ports number

    read -r -a ports < <(free_ports 6)
    echo "- ${ports[*]:0:3}" >"$STORE_FOLDER/http"
    echo "- ${ports[*]:3:3}" >"$STORE_FOLDER/tcp"
    servers_know
    for number in 1 2 3; do
        mkdir -p "$STORE_FOLDER/$number"/{data,tmp,files}
        server_users >"$STORE_FOLDER/$number/users.xml"
        server_config $number 2 >"$STORE_FOLDER/$number/config.xml"
    done
}

# ask N SQL [SETTING=VALUE…]: prints a server's answer as tab-separated values; an error is printed, and
# fails. SQL can be -: stdin.
ask() {
    local url=${stores[$1]}/ data=@-

    [ $# -le 2 ] || url+="?$(IFS='&' && echo "${*:3}")"
    [ "$2" = - ] || data=$2
    curl -sS --fail-with-body --max-time 60 --data-binary "$data" "$url"
}

# server_running N: returns whether its process exists.
server_running() {
    [ -s "$STORE_FOLDER/$1/pid" ] && kill -0 "$(<"$STORE_FOLDER/$1/pid")" 2>/dev/null
}

# server_start N: starts it, and returns at once.
server_start() {
    local folder=$STORE_FOLDER/$1

    (
        cd "$folder" || exit 1
        exec "${server[@]}" --config-file="$folder/config.xml" </dev/null >>output.txt 2>&1
    ) &
    echo $! >"$folder/pid"
    # Not a job of the shell: it may be killed.
    disown $!
}

# server_wait N: waits until it answers; false if it does not within a minute, or ends.
server_wait() {
    local until=$((SECONDS + 60))

    while [ "$(curl -s --max-time 5 "http://127.0.0.1:${http_ports[$1]}/ping")" != Ok. ]; do
        if ! server_running "$1" || [ $SECONDS -ge $until ]; then
            echo "server $1 does not answer:" >&2
            tail -n 5 "$STORE_FOLDER/$1"/{output.txt,error.log} >&2
            return 1
        fi
        sleep 0.1
    done
}

# server_end N [SIGNAL]: sends the signal and waits for its end; kills it after 20 seconds.
server_end() {
    local pid tenths

    server_running "$1" || return 0
    pid=$(<"$STORE_FOLDER/$1/pid")
    kill "-${2:-TERM}" "$pid" 2>/dev/null
    for ((tenths = 0; tenths < 200; tenths++)); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null
    rm -f "$STORE_FOLDER/$1/pid"
}

servers_start() {
    local number

    for number in 1 2 3; do
        server_running $number || server_start $number
    done
    for number in 1 2 3; do
        server_wait $number || return 1
    done
}

servers_end() {
    local number pids=()

    # Signals all, then waits for each.
    for number in 1 2 3; do
        server_running $number && pids+=("$(<"$STORE_FOLDER/$number/pid")")
    done
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null
    for number in 1 2 3; do
        server_end $number
    done
}

# servers_join SHARDS: makes the first SHARDS servers the cluster. They reload the configuration themselves.
servers_join() {
    local number until=$((SECONDS + 60))

    for number in 1 2 3; do
        server_config $number "$1" >"$STORE_FOLDER/$number/config.new"
        mv "$STORE_FOLDER/$number/config.new" "$STORE_FOLDER/$number/config.xml"
    done
    for number in 1 2 3; do
        while [ "$(ask $number "SELECT count() FROM system.clusters WHERE cluster = 'fleet'")" != "$1" ]; do
            [ $SECONDS -lt $until ] || return 1
            sleep 0.2
        done
    done
}

# proxy_start FAULT PORT [OPTION…]: starts proxy.py before a server's port, in the background. Sets $proxy to
# its address and $proxy_pid to its process; it logs to proxy.log in the current directory.
proxy_start() {
    local until=$((SECONDS + 20))

    rm -f proxy.port
    command python3 "$store_tools/proxy.py" --port-file proxy.port --log proxy.log "$@" &
    proxy_pid=$!
    disown $proxy_pid
    while [ ! -s proxy.port ]; do
        kill -0 $proxy_pid 2>/dev/null && [ $SECONDS -lt $until ] || return 1
        sleep 0.05
    done
    # shellcheck disable=SC2034 # of whoever calls this
    proxy=http://127.0.0.1:$(<proxy.port)
}

# proxy_become FAULT SKIP [TIMES]: changes the fault, and empties proxy.log.
proxy_become() {
    curl -sS --max-time 20 "$proxy/?become=$1&skip=$2&times=${3:--1}"
}

proxy_end() {
    kill "$proxy_pid" 2>/dev/null
    proxy_pid=
}
