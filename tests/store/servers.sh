# shellcheck shell=bash
# Real stores to test against: three servers of Debian 12's ClickHouse (18.16) on loopback, each with its
# own configuration and data below one folder. The first two are the shards of the cluster `fleet`; the
# third stands by until servers_join has it be a third shard. The cluster `pairs` is those two as replicas of
# one shard, `lone` the server itself. tests/store.sh starts them, and ends them in
# every case; tests/store/*.sh find them by $STORE_FOLDER, and may stop, kill and start them.
#
# A server N (1, 2, 3) has a folder of its own: config.xml, users.xml, pid, data/, server.log, output.txt.
# Users: default, on loopback and without a password; writer and reader (changes nothing but settings),
# whose passwords are their names; changeless, which may not change settings either; skipper, for whom the
# server leaves out shards that are down, where it is not told otherwise.

store_tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Where ClickHouse is taken apart, where it is not installed.
SERVER_ROOT=${SERVER_ROOT:-$BUILD/store}

# server_find: its command, in the array $server; false where there is none.
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

# free_ports N: so many ports that nobody listens to, all different.
free_ports() {
    python3 -c '
import socket, sys
kept = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in kept:
    one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in kept])' "$1"
}

# server_users: what all servers have as users.xml.
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

# server_config N SHARDS: config.xml of a server, which knows the first SHARDS of them as the cluster.
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

# servers_know: the ports and addresses of the servers in $STORE_FOLDER: $http_ports and $tcp_ports by
# number, $stores (http://127.0.0.1:PORT, without a database) likewise.
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

# servers_make: folders and configurations of three servers below $STORE_FOLDER.
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

# ask N SQL [SETTING=VALUE…]: a server's answer, as tab-separated values; an error is printed, and fails. SQL
# may be -: then it is read from stdin.
ask() {
    local url=${stores[$1]}/ data=@-

    [ $# -le 2 ] || url+="?$(IFS='&' && echo "${*:3}")"
    [ "$2" = - ] || data=$2
    curl -sS --fail-with-body --max-time 60 --data-binary "$data" "$url"
}

# server_running N: whether its process is there.
server_running() {
    [ -s "$STORE_FOLDER/$1/pid" ] && kill -0 "$(<"$STORE_FOLDER/$1/pid")" 2>/dev/null
}

# server_start N: returns at once.
server_start() {
    local folder=$STORE_FOLDER/$1

    (
        cd "$folder" || exit 1
        exec "${server[@]}" --config-file="$folder/config.xml" </dev/null >>output.txt 2>&1
    ) &
    echo $! >"$folder/pid"
    # Nobody waits for it as a job: it may be killed.
    disown $!
}

# server_wait N: until it answers; false when it does not within a minute, or ends.
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

# server_end N [SIGNAL]: by its number, and until it is gone; after 20 seconds it is killed.
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

    # All at once, then one by one.
    for number in 1 2 3; do
        server_running $number && pids+=("$(<"$STORE_FOLDER/$number/pid")")
    done
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null
    for number in 1 2 3; do
        server_end $number
    done
}

# servers_join SHARDS: the first SHARDS servers are the cluster from now on. They read it by themselves.
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

# proxy_start FAULT PORT [OPTION…]: proxy.py before a server's port, in the background. $proxy is its
# address, $proxy_pid its number; what it did stands in proxy.log of the current folder.
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

# proxy_become FAULT SKIP [TIMES]: another fault, and an empty proxy.log.
proxy_become() {
    curl -sS --max-time 20 "$proxy/?become=$1&skip=$2&times=${3:--1}"
}

proxy_end() {
    kill "$proxy_pid" 2>/dev/null
    proxy_pid=
}
