#!/bin/bash
# Whose the blocks of a file system are: images that mke2fs makes, in every layout, and what debugfs
# says of them, block by block; packed and sparse images, partitions; damaged ones.
#
#     BUILD=build tests/map.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

PATH=$PATH:/usr/sbin:/sbin

# --- images -------------------------------------------------------------------------------------

# A folder with files of every kind. Nothing of it is random.
make_tree() {
    mkdir -p "$1"/deep/er/est "$1"/many "$1/a name"
    head -c 1500000 /dev/zero | tr '\0' 'x' >"$1/large"
    printf small >"$1/small"
    : >"$1/empty"
    for i in 1 5 9; do
        printf block | dd of="$1/holes" bs=65536 seek=$i conv=notrunc status=none
    done
    seq 1 20000 >"$1/deep/er/est/numbers"
    ln "$1/small" "$1/deep/link"
    ln -s small "$1/short link"
    ln -s "$(printf 'long/%.0s' {1..30})" "$1/long link"
    for i in {1..400}; do echo "$i" >"$1/many/a file with a name that takes room in its directory $i"; done
    printf 'tab' >"$1/a name/tab	here"
    printf 'umlaut' >"$1/a name/für"
}

# Files that come and go, so that the last one is in many pieces.
fragment() {
    local i

    head -c 30000 /dev/zero | tr '\0' 'f' >piece
    head -c 600000 /dev/zero | tr '\0' 'g' >pieces
    {
        for i in {1..40}; do echo "write piece piece$i"; done
        for i in {1..40..2}; do echo "rm piece$i"; done
        echo "write pieces pieces"
    } >commands
    debugfs -w -f commands "$1" >/dev/null 2>&1
}

# make_image NAME OPTION…: NAME.img of the folder `tree`.
make_image() {
    mke2fs -q -F -U 11111111-2222-3333-4444-555555555555 -E hash_seed=11111111-2222-3333-4444-555555555556 \
        -d tree "${@:2}" "$1.img" 24M >/dev/null 2>&1 && fragment "$1.img"
}

# --- what others say ----------------------------------------------------------------------------

# Block and inode of all blocks that are of a file.
owners_by_debugfs() {
    local blocks

    blocks=$(dumpe2fs -h "$1" 2>/dev/null | sed -n 's/^Block count: *//p')
    seq 0 $((blocks - 1)) | xargs -n 1000 echo icheck >commands
    debugfs -f commands "$1" 2>/dev/null | awk -F '\t' '$1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/' | sort -n
}

owners_by_map() {
    awk -F '\t' '!/^#/ && $4 != "" { for (i = 0; i < $2; i++) print $1 + i "\t" $4 }' "$1"
}

# Blocks that are in use, by the bitmaps.
used_by_dumpe2fs() {
    local blocks

    blocks=$(dumpe2fs -h "$1" 2>/dev/null | sed -n 's/^Block count: *//p')
    dumpe2fs "$1" 2>/dev/null | sed -n 's/^  Free blocks: //p' | tr -d ' ' | tr ',' '\n' |
        awk -v blocks="$blocks" '
            { split($0, range, "-"); for (i = range[1]; i <= (range[2] == "" ? range[1] : range[2]); i++) free[i] }
            END { for (i = 0; i < blocks; i++) if (!(i in free)) print i }'
}

# The names of all inodes.
names_by_debugfs() {
    cut -f 2 "$2" | sort -nu | xargs -n 200 echo ncheck >commands
    debugfs -f commands "$1" 2>/dev/null |
        sed -n '/^2\t/d; s/^\([0-9]*\)\t\/*/\1\t\//p' | sort -u
}

# check_layout NAME OPTION…: the map of such an image is what debugfs says.
check_layout() {
    local name=$1 first

    make_image "$@" || {
        fail "$name: no image"
        return
    }
    tracetool map --list "$name.img" >map.tsv 2>said.txt || fail "$name: no map" said.txt
    owners_by_debugfs "$name.img" >owners.wanted
    owners_by_map map.tsv >owners.got
    expect "$name: debugfs finds files" test -s owners.wanted
    check "$name: owners are those of icheck" owners.wanted owners.got
    names_by_debugfs "$name.img" owners.wanted >names.wanted
    # Of several names of an inode, the map has one.
    awk -F '\t' '!/^#/ && $4 > 2 && $5 !~ /<[0-9]*>$/ { print $4 "\t" $5 }' map.tsv |
        sed 's/\\t/\t/g' | sort -u >names.got
    expect "$name: nothing is disputed" [ "$(grep -c '^#' map.tsv)" -eq 2 ]
    expect "$name: names were found" [ "$(wc -l <names.got)" -gt 5 ]
    : >none
    comm -13 names.wanted names.got >names.wrong
    check "$name: no name but those of ncheck" none names.wrong
    cut -f 1 names.wanted | sort -u >inodes.wanted
    cut -f 1 names.got | sort -u >inodes.got
    check "$name: what ncheck names has a name" inodes.wanted inodes.got
    case $* in *bigalloc*) return ;; esac # the rest of a cluster is nobody's, but in use
    first=$(dumpe2fs -h "$name.img" 2>/dev/null | sed -n 's/^First block: *//p')
    used_by_dumpe2fs "$name.img" | awk -v first="$first" '$1 >= first' >used.wanted
    awk -F '\t' '!/^#/ && $1 ~ /^[0-9]+$/ { for (i = 0; i < $2; i++) print $1 + i }' map.tsv >used.got
    check "$name: what is in use is on the map" used.wanted used.got
}

make_tree tree
check_layout ext4 -t ext4 -b 4096
check_layout ext4-1k -t ext4 -b 1024
check_layout ext4-2k -t ext4 -b 2048 -I 128
check_layout ext2 -t ext2 -b 1024
check_layout ext3 -t ext3 -b 1024
check_layout ext3-4k -t ext3 -b 4096
check_layout android -t ext4 -b 4096 -O ^64bit,^metadata_csum,uninit_bg
check_layout bigalloc -t ext4 -b 4096 -O bigalloc -C 16384
check_layout meta-bg -t ext4 -O meta_bg,^resize_inode -b 1024
check_layout no-flex -t ext4 -O ^flex_bg -b 1024 -g 2048
check_layout sparse2 -t ext4 -O sparse_super2,^resize_inode -b 1024 -g 2048
check_layout inline -t ext4 -O inline_data -I 256
check_layout no-journal -t ext4 -O ^has_journal
check_layout mmp -t ext4 -O mmp
check_layout quota -t ext4 -O quota,project -I 256
check_layout large-dir -t ext4 -O large_dir,ea_inode,dir_nlink
check_layout orphan-file -t ext4 -O orphan_file

# --- F2FS ---------------------------------------------------------------------------------------

# make_f2fs NAME OPTION…: NAME of the folder `phone`.
make_f2fs() {
    rm -f "$1"
    truncate -s 100M "$1"
    mkfs.f2fs -q -f -U 11111111-2222-3333-4444-555555555555 "${@:2}" "$1" >/dev/null 2>&1 &&
        sload.f2fs -f phone "$1" >/dev/null 2>&1
}

# Of blocks (in the file `chosen`): block, inode, whether it is a node, name, as dump.f2fs says.
owners_by_dump() {
    python3 - "$1" <<'END'
import re, subprocess, sys
for block in open('chosen').read().split():
    text = subprocess.run(['dump.f2fs', '-b', block, sys.argv[1]], capture_output=True).stdout.decode()
    inode = re.search(r'- Inode block\s+: id = 0x([0-9a-f]+)', text)
    name = re.search(r'- File name\s+: (.*)', text)
    if inode:
        print(block, int(inode.group(1), 16), 'node' if 'Area: Node block' in text else 'content',
              name.group(1) if name and inode.group(1) != '3' else '', sep='\t')
END
}

# Of a file with a second name it is the last one that was given.
cp -r tree phone
rm phone/deep/link
head -c 9000000 /dev/zero | tr '\0' 'z' >phone/indirect
# Those in use by the map, and some others.
for options in "" "-O extra_attr,inode_checksum,inode_crtime,sb_checksum"; do
    # shellcheck disable=SC2086 # words
    make_f2fs phone.img $options || fail "F2FS $options: no image"
    tracetool map --list phone.img >map.tsv 2>said.txt || fail "F2FS $options: no map" said.txt
    awk -F '\t' '!/^#/ && $4 != "" {
        name = $4 == 3 ? "" : $5
        sub(/.*\//, "", name)
        kind = $3 ~ /^(inode|extent tree|extended attributes)$/ ? "node" : "content"
        for (i = 0; i < $2; i++) print $1 + i "\t" $4 "\t" kind "\t" name
    }' map.tsv >all.got
    python3 - "${BLOCKS:-60}" >chosen <<'END'
import random, sys
chance = random.Random(7)
used = [int(line.split()[0]) for line in open('all.got')]
few = [int(line.split()[0]) for line in open('all.got') if '\tnode\t' in line]
print(*sorted({*chance.sample(used, int(sys.argv[1])), *chance.sample(few, 20),
               *(chance.randrange(min(used), max(used)) for i in range(10))}), sep='\n')
END
    owners_by_dump phone.img >wanted
    awk -F '\t' 'NR == FNR { chosen[$1]; next } $1 in chosen' chosen all.got | sed 's/\\t/\t/g' >got
    expect "F2FS $options: dump.f2fs finds files" [ "$(wc -l <wanted)" -ge 70 ]
    check "F2FS $options: owners are those of dump.f2fs" wanted got
    (cd phone && find . -mindepth 1 | sed 's/^\.//') | sort >wanted
    awk -F '\t' '!/^#/ && $3 == "inode" && $5 != "/" { for (i = 0; i < $2; i++) print $5 }' map.tsv |
        sed 's/\\t/\t/g' | sort >got
    check "F2FS $options: names are those of the folder" wanted got
done

# Files that were renamed do not know their name: it is in the directory, which may lie in its inode.
tracetool map --list phone.img >map.tsv
python3 - phone.img lost.img <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
rows = [line.rstrip('\n').split('\t') for line in open('map.tsv') if not line.startswith('#')]
for start, count, kind, inode, path in rows:
    at = int(start) * 4096
    if kind == 'inode' and path.count('/') > 0 and path != '/':
        data[at + 2] |= 2
    if kind == 'inode' and path == '/a name':
        extra = struct.unpack_from('<H', data, at + 360)[0] // 4 if data[at + 3] & 0x20 else 0
        first = at + 360 + 4 * extra
        folder, = struct.unpack_from('<I', data, first)
        block = data[folder * 4096:folder * 4096 + 4096]
        room = 4 * (923 - extra - 50 - 1)
        slots = 8 * room // (8 * 19 + 1)
        content = bytearray(room)
        content[:27] = block[:27]
        used = slots * 19
        content[room - used:room - used + 11 * 20] = block[30:30 + 11 * 20]
        content[room - 8 * slots:room - 8 * slots + 8 * 20] = block[30 + 11 * 214:30 + 11 * 214 + 160]
        data[at + 3] |= 5
        data[first:first + 4 + room] = bytes(4) + content
open(sys.argv[2], 'wb').write(data)
END
for image in phone lost; do
    tracetool map --list $image.img | awk -F '\t' '$3 == "inode" { for (i = 0; i < $2; i++) print $4 "\t" $5 }' |
        sort >names.$image
done
check "F2FS: names that only directories have" names.phone names.lost
expect "F2FS: a directory in its inode has no block" [ "$(tracetool map --list lost.img | grep -c 'directory.*/a name$')" -eq 0 ]

# A trace by an F2FS image: what has its place is certain, files are likely, for only the newest checkpoint
# is read.
first=$(awk -F '\t' '$5 == "/indirect" && $3 == "data" { print $1; exit }' map.tsv)
{
    printf '  8,0    0        1     1.000000000     7  C   R 0 + 8 [0]\n'
    printf '  8,0    0        2     2.000000000     7  C   R %d + 8 [0]\n' $((first * 8))
    printf '  8,0    0        3     3.000000000     7  C   R %d + 8 [0]\n' $((100 * 2048 - 8))
} >f2fs.log
tracetool -q -d f2fs.db import f2fs.log
tracetool -q -d f2fs.db map f2fs.log --image phone.img
by_f2fs() {
    tracetool -d f2fs.db sql "SELECT evidence, file, block_class FROM io ORDER BY time" --format tsv | sed '/^#/d'
}
by_f2fs >got
printf 'image\t\tsuperblock\nlikely-image\t/indirect\tdata\nnone\t\tfree\n' >wanted
check "F2FS: owners of I/Os" wanted got

# --- encrypted names ----------------------------------------------------------------------------

# Any bytes are taken for encrypted ones: a folder of one block, whose names have hashes, and one of
# several blocks that is not indexed, whose have none. What Linux shows is worked out by its rule.
make_image secret -t ext4 -b 4096 -O ^metadata_csum
{
    echo "feature encrypt"
    echo "mkdir one"
    echo "mkdir two"
    for length in 16 32 64 149 150 200 255; do echo "write piece one/$(printf "%0${length}d" 7 | tr 07 xy)"; done
    echo "write piece one/any-bytes-of-it"
    for i in {100..160}; do echo "write piece two/$i$(printf '%0100d' 0)"; done
    echo "set_inode_field one flags 0x80800"
    echo "set_inode_field two flags 0x80800"
    echo "set_inode_field one/any-bytes-of-it flags 0x80800"
} >commands
debugfs -w -f commands secret.img >/dev/null 2>&1
python3 - secret.img >wanted <<'END'
import base64, hashlib, re, struct, subprocess, sys
data = bytearray(open(sys.argv[1], 'rb').read())
at = data.index(b'any-bytes-of-it')
data[at:at + 15] = b'\xff/\0\n\x80 any bytes'
open(sys.argv[1], 'wb').write(data)

def rotate(value, bits):
    return (value << bits | value >> 32 - bits) & 0xffffffff

def half_md4(state, words):
    f = lambda x, y, z: z ^ x & (y ^ z)
    g = lambda x, y, z: (x & y) + ((x ^ y) & z)
    h = lambda x, y, z: x ^ y ^ z
    s = list(state)
    for function, constant, order, shifts in ((f, 0, (0, 1, 2, 3, 4, 5, 6, 7), (3, 7, 11, 19)),
                                              (g, 0x5a827999, (1, 3, 5, 7, 0, 2, 4, 6), (3, 5, 9, 13)),
                                              (h, 0x6ed9eba1, (3, 7, 2, 6, 1, 5, 0, 4), (3, 9, 11, 15))):
        for i, word in enumerate(order):
            a, b, c, d = (-i % 4 + k & 3 for k in range(4))
            s[a] = rotate((s[a] + function(s[b], s[c], s[d]) + words[word] + constant) & 0xffffffff, shifts[i % 4])
    return [(x + y) & 0xffffffff for x, y in zip(state, s)]

def hashes(name):
    state = struct.unpack('<4I', data[1024 + 0xec:1024 + 0xfc])
    for start in range(0, len(name), 32):
        part, left = name[start:start + 32], len(name) - start
        pad = (left | left << 8) & 0xffffffff
        pad = (pad | pad << 16) & 0xffffffff
        words = []
        for i in range(8):
            word = pad
            for byte in part[4 * i:4 * i + 4]:
                word = (word << 8) + (byte if byte < 128 else byte - 256) & 0xffffffff
            words.append(word)
        state = half_md4(state, words)
    return state[1] & ~1, state[2]

for folder, hashed in (('one', True), ('two', False)):
    block = re.search(rb'\(0-?\d*\):(\d+)|\(0\):(\d+)', subprocess.run(
        ['debugfs', '-R', f'stat {folder}', sys.argv[1]], capture_output=True).stdout)
    blocks = subprocess.run(['debugfs', '-R', f'blocks {folder}', sys.argv[1]], capture_output=True).stdout.split()
    for number in map(int, blocks):
        place = number * 4096
        while place < (number + 1) * 4096:
            inode, length, size = struct.unpack_from('<IHB', data, place)
            name = bytes(data[place + 8:place + 8 + size])
            if inode and name not in (b'.', b'..'):
                raw = struct.pack('<II', *(hashes(name) if hashed else (0, 0))) + name[:149]
                raw += hashlib.sha256(name[149:]).digest() if size > 149 else b''
                print(inode, f'/{folder}/' + base64.urlsafe_b64encode(raw).decode().rstrip('='), sep='\t')
            place += length
END
tracetool map --list secret.img | awk -F '\t' '$5 ~ /^\/(one|two)\// { print $4 "\t" $5 }' | sort -u >got
sort -u -o wanted wanted
expect "encrypted names: there are 69" [ "$(wc -l <wanted)" -eq 69 ]
check "encrypted names are as Linux shows them" wanted got

# F2FS keeps the name in the inode, and its hash in the folder. Every 50th file is encrypted.
tracetool map --list phone.img | grep -v '^#' >map.tsv
python3 - phone.img >wanted <<'END'
import base64, struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
codes, wanted = {}, []
rows = [line.split('\t') for line in open('map.tsv')]
for start, count, kind, *rest in rows:
    for block in range(int(start), int(start) + int(count)) if kind == 'directory' else ():
        for i in range(214):
            code, inode, length, kind = struct.unpack_from('<IIHB', data, block * 4096 + 30 + 11 * i)
            at = block * 4096 + 30 + 11 * 214 + 8 * i
            codes[inode, bytes(data[at:at + length])] = code
for start, count, kind, inode, path in rows[::50] if rows else ():
    at = int(start) * 4096
    name = bytes(data[at + 92:at + 92 + data[at + 88]])
    if kind == 'inode' and (int(inode), name) in codes:
        data[at + 2] |= 0x0c
        raw = struct.pack('<II', codes[int(inode), name], 0) + name
        wanted.append(base64.urlsafe_b64encode(raw).decode().rstrip('='))
open('secret-phone.img', 'wb').write(data)
print(*sorted(wanted), sep='\n')
END
tracetool map --list secret-phone.img | awk -F '\t' '$3 == "inode" { sub(/.*\//, "", $5); print $5 }' |
    sort | comm -12 - wanted >got
expect "F2FS: names are encrypted" [ "$(wc -l <wanted)" -ge 5 ]
check "F2FS: encrypted names are as Linux shows them" wanted got

# --- where it lies ------------------------------------------------------------------------------

tracetool map --list ext4.img >plain.tsv

for packing in gzip xz zstd; do
    $packing -kc ext4.img >packed
    tracetool map --list packed >got.tsv 2>&1
    check "packed by $packing" plain.tsv got.tsv
done

# A sparse image by the format's own description: raw blocks, a pattern, a hole, a checksum.
python3 - ext4.img sparse.img <<'END'
import struct, sys
data = open(sys.argv[1], 'rb').read()
size, chunks = 4096, []
for i in range(0, len(data), size):
    block = data[i:i + size]
    kind = 'skip' if not any(block) else 'fill' if block == block[:4] * (size // 4) else 'raw'
    if kind == 'fill' and chunks and chunks[-1][0] == 'fill' and chunks[-1][1][:4] == block[:4]:
        chunks[-1][2] += 1
    elif kind != 'fill' and chunks and chunks[-1][0] == kind:
        chunks[-1][1] += block
        chunks[-1][2] += 1
    else:
        chunks.append([kind, bytearray(block), 1])  # bytes would be copied with each block
with open(sys.argv[2], 'wb') as out:
    out.write(struct.pack('<IHHHHIIII', 0xED26FF3A, 1, 0, 32, 16, size, len(data) // size,
                          len(chunks) + 1, 0) + b'more')
    for kind, body, count in chunks:
        number, body = {'raw': (0xCAC1, body), 'fill': (0xCAC2, body[:4]), 'skip': (0xCAC3, b'')}[kind]
        out.write(struct.pack('<HHII', number, 0, count, 16 + len(body)) + b'more' + body)
    out.write(struct.pack('<HHII', 0xCAC4, 0, 0, 20) + b'more' + b'\0\0\0\0')
END
tracetool map --list sparse.img >got.tsv 2>&1
check "Android sparse image" plain.tsv got.tsv
gzip -kc sparse.img >packed
tracetool map --list packed >got.tsv 2>&1
check "Android sparse image, packed" plain.tsv got.tsv
head -c 100000 sparse.img >short.img
tracetool map --list short.img >said.txt 2>&1
echo "tracetool: short.img: the sparse image ends early" >wanted
check "sparse image that ends early" wanted said.txt

# A disk with two partitions, of which the second has the file system.
truncate -s 64M disk.img
printf 'label: gpt\nstart=2048, size=49152, name=system\nstart=51200, size=49152, name="user data"\n' |
    sfdisk -q disk.img >/dev/null 2>&1
dd if=ext4.img of=disk.img bs=512 seek=51200 conv=notrunc status=none

# --- traces -------------------------------------------------------------------------------------

owners_by_debugfs ext4.img >owners.wanted
names_by_debugfs ext4.img owners.wanted >names.wanted
used_by_dumpe2fs ext4.img >used.wanted

# I/Os of 1 to 24 blocks, on a disk whose file system begins at sector $1; and what debugfs makes of
# them: sector, inode (of the first of those with most blocks), evidence. Where fixed metadata are
# among several, nothing is expected.
make_trace() {
    python3 - "$1" "$2" <<'END'
import random, collections, sys
first, name = int(sys.argv[1]), sys.argv[2]
chance = random.Random(5)
owner = {}
for line in open('owners.wanted'):
    block, inode = map(int, line.split())
    owner[block] = inode
used = set(map(int, open('used.wanted')))
log, wanted = open(name, 'w'), open('wanted', 'w')
def write(time, action, kind, sector, count, device='8,0'):
    log.write('%4s %3d %8d %14.9f %5d %2s %3s %d + %d [%s]\n' % (
        device, 0, time, time / 1000, 7, action, kind, sector, count, 0 if action == 'C' else 'app'))
for i in range(3000):
    block = chance.choice(sorted(owner)) if i % 3 else chance.randrange(0, 6000)
    count = chance.choice([1, 1, 2, 8, 24])
    count = min(count, 6144 - block)
    sector = first + block * 8
    kind = chance.choice(['R', 'W', 'WS', 'RA'])
    write(4 * i, 'Q', kind, sector, count * 8)
    write(4 * i + 1, 'D', kind, sector, count * 8)
    write(4 * i + 2, 'C', kind, sector, count * 8)
    whose = collections.Counter()
    fixed = 0
    for b in range(block, block + count):
        if owner.get(b, 0) > 8 or owner.get(b) == 2:
            whose[owner[b]] += 1
        elif b in used:
            fixed += 1
    if fixed == 0:
        best = max(whose, key=lambda inode: whose[inode]) if whose else ''
        wanted.write('%d\t%s\t%s\n' % (4 * i + 2, best, 'likely-image' if whose else 'none'))
    elif fixed == count:
        wanted.write('%d\t\timage\n' % (4 * i + 2))
write(20000, 'Q', 'D', first + 8 * min(owner), 8)
write(20001, 'C', 'D', first + 8 * min(owner), 8)
wanted.write('20001\t\tnone\n')
END
}

# check_trace WHAT DATABASE TRACE: inode and evidence of the I/Os are those that are wanted.
check_trace() {
    tracetool -d "$2" sql "SELECT CAST(round(time * 1000) AS INTEGER) AS number, inode, evidence FROM io
        WHERE trace = '$3' AND action = 'C'" --format tsv | sed '/^#/d' >all.got
    awk -F '\t' 'NR == FNR { wanted[$1]; next } $1 in wanted' wanted all.got >got
    check "$1" wanted got
    expect "$1: there are thousands" [ "$(wc -l <wanted)" -gt 2000 ]
}

make_trace 0 disk.log
tracetool -q -d io.db import disk.log
tracetool -d io.db sql 'SELECT * FROM event' --format tsv >before.tsv
tracetool -d io.db map disk.log --image ext4.img --dry-run 2>said.txt
tracetool -d io.db sql 'SELECT * FROM event' --format tsv >after.tsv
check "--dry-run changes nothing" before.tsv after.tsv
tracetool -d io.db map disk.log --image ext4.img 2>mapped.txt
check "--dry-run says the same" mapped.txt said.txt
check_trace "files of a trace" io.db disk.log
expect "the database is sound" tracetool -q -d io.db check

# Paths are those that ncheck says.
tracetool -d io.db sql "SELECT DISTINCT inode, file FROM io WHERE inode > 10" --format tsv |
    sed '/^#/d; s/\\t/\t/g' | sort -u >names.got
expect "names of a trace" test -s names.got
comm -13 names.wanted names.got >names.wrong
check "names of a trace are those of ncheck" none names.wrong

# What is said of it: counts, by plain SQL.
tracetool -d io.db sql "SELECT evidence, block_class, count(*) FROM io
    WHERE action = 'C' AND evidence NOT NULL GROUP BY 1, 2 ORDER BY 1, 2" --format tsv | sed '/^#/d' >wanted.tsv
tracetool -d io.db report evidence --format tsv | awk -F '\t' '!/^#/ && $3 > 0 { print $1 "\t" $2 "\t" $3 }' |
    sort >got.tsv
check "report evidence" wanted.tsv got.tsv
awk -F '\t' '{ n[$1] += $3 } END { printf "# files by block, whole traces: %d I/Os certain, 0 by the journal, %d likely, %d unmapped\n",
    n["image"], n["likely-image"], n["none"] }' wanted.tsv >wanted.txt
tracetool -d io.db report rw --format tsv | grep 'files by block' >got.txt
check "every report says how far files can be believed" wanted.txt got.txt
tracetool -d io.db report filetype --format tsv | awk -F '\t' '$1 == "directory" { print $8 }' >got.txt
tracetool -d io.db sql "SELECT count(*) FROM io WHERE action = 'C' AND file_type = 'directory'" \
    --format tsv | sed '/^#/d' >wanted.txt
expect "there are directories" [ "$(cat wanted.txt)" -gt 0 ]
check "rollups were counted anew" wanted.txt got.txt

# I/Os on several files: bytes of each, from the blocks that debugfs gives; nothing is lost, and each I/O
# is counted once. Reads, since writes may be followed by other owners.
tracetool -d io.db sql "SELECT sector, bytes FROM io WHERE action = 'C' AND flags NOT LIKE '%discard%'" \
    --format tsv | sed '/^#/d' >ios.tsv
python3 - >wanted.tsv <<'END'
import collections
owner = dict(map(int, line.split()) for line in open('owners.wanted'))
used = set(map(int, open('used.wanted')))
files, of_nobody, fixed = collections.Counter(), 0, 0
for line in open('ios.tsv'):
    sector, size = map(int, line.split())
    for block in range(sector // 8, (8 * (sector // 8) + size // 512) // 8):
        if owner.get(block, 0) > 8 or owner.get(block) == 2:
            files[owner[block]] += 4096
        elif block in used:
            fixed += 4096
        else:
            of_nobody += 4096
for inode in sorted(files):
    print(inode, files[inode], sep='\t')
print('fixed', fixed, sep='\t')
print('nobody', of_nobody, sep='\t')
END
tracetool -d io.db sql "SELECT ifnull(o.inode, iif((ifnull(p.flags, e.flags) >> 22 & 7) = 7, 'nobody', 'fixed')),
        sum(ifnull(p.bytes, e.size))
    FROM event AS e JOIN io USING (id) LEFT JOIN io_part AS p ON p.event = e.id
    LEFT JOIN object AS o ON o.id = iif(p.event IS NULL, e.object, p.object)
    WHERE io.action = 'C' AND io.flags NOT LIKE '%discard%' GROUP BY 1 ORDER BY typeof(1), 1" --format tsv |
    sed '/^#/d' >got.tsv
check "bytes of I/Os on several files" wanted.tsv got.tsv
tracetool -d io.db sql "SELECT ifnull(max(count), 0) > 2, ifnull(sum(kinds > 1), 0) > 20 FROM (SELECT
    count(DISTINCT object) AS count, count(DISTINCT flags >> 25) AS kinds FROM io_part GROUP BY event)" \
    --format tsv | sed 1d >got.txt
printf '1\t1\n' >wanted.txt
check "I/Os of three files, of files and metadata" wanted.txt got.txt
# Reports have these bytes, by plain SQL over the rows.
parts="SELECT e.id, p.bytes, p.number = 0 AS counted, p.flags, o.name, o.type FROM io_part AS p
    JOIN event AS e ON e.id = p.event LEFT JOIN object AS o ON o.id = p.object
    UNION ALL SELECT e.id, e.size, 1, e.flags, o.name, o.type FROM event AS e LEFT JOIN object AS o ON o.id = e.object
    WHERE e.id NOT IN (SELECT event FROM io_part)"
# parts_by EXPRESSION: what each value of it has, of the completed I/Os.
parts_by() {
    tracetool -d io.db sql "WITH part AS ($parts) SELECT $1, sum(counted), sum(part.bytes) FROM part JOIN io USING (id)
        WHERE action = 'C' AND $2 GROUP BY $3 ORDER BY $3" --format tsv | sed '/^#/d' | LC_ALL=C sort
}
# report_columns COLUMNS ARGUMENT…
report_columns() {
    tracetool -d io.db report "${@:2}" --format tsv | grep -v '^#' | cut -f "$1" | LC_ALL=C sort
}
parts_by "ifnull(type, '')" 1 1 >wanted.tsv
report_columns 1,8,10 filetype >got.tsv
check "filetype divides bytes" wanted.tsv got.tsv
report_columns 1,8,10 filetype --to 99999 >got.tsv
check "filetype divides bytes, without a rollup" wanted.tsv got.tsv
parts_by "CASE part.flags >> 3 & 7 WHEN 1 THEN 'data' WHEN 2 THEN 'journal' WHEN 3 THEN 'metadata' ELSE 'none' END" 1 1 >wanted.tsv
report_columns 1,8,10 blocktype >got.tsv
check "blocktype divides bytes" wanted.tsv got.tsv
parts_by "name" "name NOT NULL" 1 >wanted.tsv
tracetool -d io.db report files --format tsv | awk -F '\t' '!/^#/ { print $1 "\t" $2 + $3 "\t" $7 }' |
    LC_ALL=C sort >got.tsv
check "files divides bytes" wanted.tsv got.tsv
file=$(tracetool -d io.db sql "WITH part AS ($parts) SELECT name FROM part WHERE name NOT NULL AND name NOT LIKE '%''%'
    AND name NOT LIKE '%	%' GROUP BY name ORDER BY sum(NOT counted) DESC LIMIT 1" --format tsv | sed 1d)
awk -F '\t' -v name="$file" '$1 == name' wanted.tsv >one.tsv
tracetool -d io.db report files --file "$file" --format tsv | awk -F '\t' '!/^#/ { print $1 "\t" $2 + $3 "\t" $7 }' >got.tsv
check "files --file takes the file's own bytes" one.tsv got.tsv
expect "it has some of others' I/Os" [ "$(wc -l <one.tsv)" -eq 1 ]
parts_by "part.flags >> 22 & 255" 1 1 | cut -f 2,3 | sort >wanted.tsv
tracetool -d io.db report evidence --format tsv | awk -F '\t' '!/^#/ { print $3 "\t" $5 }' | sort >got.tsv
check "report evidence divides bytes" wanted.tsv got.tsv
tracetool -d io.db report popularity --of file --format tsv | awk -F '\t' '!/^#/ { print $2 "\t" $3 }' |
    LC_ALL=C sort >got.tsv
parts_by "name" "name NOT NULL AND counted" 1 | cut -f 1,2 >wanted.tsv
check "popularity counts each I/O once" wanted.tsv got.tsv
several=$(tracetool -d io.db sql 'SELECT several FROM map' --format tsv | sed 1d)
echo "# on several files: $several of these, each counted for the file with most of its blocks; bytes are divided" >wanted.txt
tracetool -d io.db report filetype --format tsv | grep 'on several files' >got.txt
check "reports by file say so" wanted.txt got.txt
tracetool -d io.db report rate --by file --format tsv | grep 'on several files' >got.txt
echo "# on several files, whole traces: $several I/Os, each counted for the file with most of its blocks, with all bytes and its time" >wanted.txt
check "rate --by file says that it takes them whole" wanted.txt got.txt
# What a filter by file, type or evidence chooses has the same bytes wherever it is counted: those of
# the parts that pass.
# filtered_by CONDITION FILTER…
filtered_by() {
    tracetool -d io.db sql "WITH part AS ($parts) SELECT class, sum(counted), sum(part.bytes) FROM part JOIN io USING (id)
        WHERE action = 'C' AND $1 GROUP BY 1 ORDER BY 1" --format tsv | sed 1d >wanted.tsv
    expect "${*:2}: some chosen parts are of I/Os that are counted with others" [ "$(tracetool -d io.db sql \
        "SELECT count(*) FROM ($parts) AS part WHERE NOT counted AND $1" --format tsv | sed 1d)" -gt 0 ]
    report_columns 1,2,4 rw "${@:2}" | awk '$2 + $3 > 0' >got.tsv
    check "rw ${*:2}" wanted.tsv got.tsv
    awk -F '\t' '{ count += $2; bytes += $3 } END { print "app\t" count "\t" bytes }' wanted.tsv >one.tsv
    for how in '' --by-pid; do
        # shellcheck disable=SC2086 # words
        report_columns 1,8,10 process $how "${@:2}" | sed 's/ (7)//' >got.tsv
        check "process $how ${*:2}" one.tsv got.tsv
    done
    cut -f 3 one.tsv >wanted.txt
    report_columns 7 files --by process "${@:2}" >got.txt
    check "files --by process ${*:2}" wanted.txt got.txt
    tracetool -d io.db report summary "${@:2}" --format tsv | awk -F '\t' '/^bytes/ { n += $2 } END { print n }' >got.txt
    check "summary ${*:2}" wanted.txt got.txt
    # Sizes are those of whole I/Os.
    tracetool -d io.db sql "WITH part AS ($parts) SELECT printf('%.4f', avg(io.bytes)) FROM part JOIN io USING (id)
        WHERE action = 'C' AND counted AND $1" --format tsv | sed 1d >wanted.txt
    tracetool -d io.db report summary "${@:2}" --format tsv | awk -F '\t' '/^mean I/ { printf "%.4f\n", $2 }' >got.txt
    check "mean size ${*:2}" wanted.txt got.txt
}
filtered_by "name = '$file'" --file "$file"
filtered_by "part.type = 'directory'" --filetype directory
filtered_by "part.flags >> 22 & 7 BETWEEN 5 AND 6" --evidence likely
# The line is there where bytes are divided, and nowhere else.
for report in 'rw:0' "rw --filetype directory:1" 'rw --share row --filetype directory:0' 'summary:0' \
    'summary --filetype directory:1' 'popularity --of file:0' 'hourly --filetype directory:0' \
    'runs --filetype directory:0' 'files --by type:1' 'process --not-filetype directory:1'; do
    # shellcheck disable=SC2086 # words
    expect "divided: $report" [ "$(tracetool -d io.db report ${report%:*} --format tsv | grep -c 'bytes are divided')" -eq "${report#*:}" ]
done
# Where bytes are by file, and are not, that is said instead.
for report in 'rate:0' 'rate --by file:1' "rate --file $file:1" 'rate --by class --evidence likely:1' 'runs:0' \
    'runs --filetype directory:1' 'latency --filetype directory:0' 'rw --filetype directory:0'; do
    # shellcheck disable=SC2086 # words
    expect "whole: $report" [ "$(tracetool -d io.db report ${report%:*} --format tsv | grep -c 'with all bytes and its time$')" -eq "${report#*:}" ]
done
# What is wrong with parts is found.
for change in "UPDATE io_part SET bytes = bytes + 1 WHERE number = 0" "DELETE FROM io_part WHERE number = 1" \
    "UPDATE io_part SET object = (SELECT max(id) + 1 FROM object) WHERE number = 1" \
    "UPDATE io_part SET number = number + 100"; do
    cp io.db broken.db
    sqlite3 broken.db "$change"
    tracetool -d broken.db check >out.txt 2>&1
    expect "check finds: $change" grep -q 'parts of an I/O on several files' out.txt
done
for change in "DELETE FROM io_part" "UPDATE map SET several = several + 1000" "UPDATE map SET several = several - 100" \
    "DELETE FROM map"; do
    cp io.db broken.db
    sqlite3 broken.db "$change"
    tracetool -d broken.db check >out.txt 2>&1
    expect "check finds: $change" grep -q 'another number of I/Os on several files' out.txt
done
cp io.db broken.db
sqlite3 broken.db "INSERT INTO io_part SELECT event + 1000000, number, object, flags, bytes FROM io_part"
tracetool -d broken.db check >out.txt 2>&1
expect "check finds parts of no events" grep -qx 'there are rows in io_part that are of no trace' out.txt
# Copies have them.
tracetool -d io.db sql "SELECT event - (SELECT min(event) FROM io_part), number, flags, bytes, inode, type FROM io_part
    LEFT JOIN object AS o ON o.id = object ORDER BY 1, 2" --format tsv >wanted.tsv
rm -f copy.db moved.db
tracetool -q -d other.db import "$root/testdata/most/small.po"
tracetool -q merge other.db io.db -o copy.db
tracetool -d copy.db sql "SELECT event - (SELECT min(event) FROM io_part), number, flags, bytes, inode, type FROM io_part
    LEFT JOIN object AS o ON o.id = object ORDER BY 1, 2" --format tsv >got.tsv
check "merge copies parts" wanted.tsv got.tsv
expect "merge: the database is sound" tracetool -q -d copy.db check
tracetool -q pseudonymise io.db -o moved.db --key pseudonym.key 2>/dev/null
tracetool -d moved.db sql "SELECT event - (SELECT min(event) FROM io_part), number, flags, bytes, inode, type FROM io_part
    LEFT JOIN object AS o ON o.id = object ORDER BY 1, 2" --format tsv >got.tsv
check "pseudonymise copies parts" wanted.tsv got.tsv
expect "pseudonymise: the database is sound" tracetool -q -d moved.db check

# What is appended and earlier moves those I/Os behind it, and their parts with them.
block=$(awk -F '\t' '$2 == 12 { print $1; exit }' owners.wanted)
for second in 100 102; do
    printf '  8,0    0 %8d %5d.000000000     7  C   W %d + 128 [0]\n' $second $second $((block * 8))
done >late.log
printf '  8,0    0        3   101.000000000     7  C   W 8 + 8 [0]\n' >early.log
tracetool -q -d copy.db import late.log
tracetool -q -d copy.db map late.log --image ext4.img
parts_of_late() {
    tracetool -d copy.db sql "SELECT CAST(e.time / 1e9 AS INTEGER), number, p.bytes, p.object FROM io_part AS p
        LEFT JOIN event AS e ON e.id = p.event WHERE p.event > (SELECT max(last_event) FROM trace WHERE name = 'disk.log')
        ORDER BY 1, 2" --format tsv | sed 1d
}
parts_of_late >wanted.tsv
tracetool -q -d copy.db import --append -n late.log early.log
parts_of_late >got.tsv
expect "there are parts to move" [ "$(wc -l <wanted.tsv)" -ge 4 ]
check "--append moves parts" wanted.tsv got.tsv
expect "--append: the database is sound" tracetool -q -d copy.db check

# A second time, with another image in between: nothing of that is left.
tracetool -d io.db map disk.log --image ext4.img >out.txt 2>said.txt
echo "tracetool: trace disk.log is mapped already; --replace maps it anew" >wanted.txt
check "a second time" wanted.txt said.txt
dump_mapped() {
    tracetool -d io.db sql "SELECT id, action, class, block_type, file, file_type, inode, block_class, evidence
        FROM io" --format tsv
    tracetool -d io.db sql "SELECT name, type, device, inode, generation FROM object ORDER BY 1, 2, 3, 4" --format tsv
    tracetool -d io.db sql "SELECT event, number, name, type, inode, flags, bytes FROM io_part
        LEFT JOIN object ON object.id = object ORDER BY 1, 2" --format tsv
    tracetool -d io.db sql "SELECT * FROM rollup_block" --format tsv
}
dump_mapped >wanted.txt
tracetool -q -d io.db map disk.log --image no-flex.img --replace
tracetool -q -d io.db map disk.log --image ext4.img --replace
dump_mapped >got.txt
check "another image, and the first again" wanted.txt got.txt
expect "the database is sound then" tracetool -q -d io.db check
tracetool -q -d io.db remove disk.log
tracetool -d io.db sql "SELECT (SELECT count(*) FROM map) + (SELECT count(*) FROM io_part)" --format tsv | sed 1d >got.txt
echo 0 >wanted.txt
check "remove" wanted.txt got.txt

# The file system is a partition of what was traced; of the same trace, another device.
make_trace 51200 disk.log
printf '   9,0    0        1    30.000000000     7  Q   W 51200 + 8 [app]\n' >>disk.log
printf '   9,0    0        1    30.000100000     7  C   W 51200 + 8 [0]\n' >>disk.log
tracetool -q -d io.db import disk.log
tracetool -d io.db map disk.log --image ext4.img --offset 26214400 >out.txt 2>said.txt
expect "two devices: status" [ $? -eq 2 ]
echo "tracetool: trace disk.log has I/Os of 2 devices, from 8:0 to 9:0; the image is of one of them: give --device; see tracetool --help" >wanted.txt
check "two devices" wanted.txt said.txt
# shellcheck disable=SC2089,SC2090 # the quotation marks are of a message
for line in "--offset 26214400 --device 7:0|trace disk.log has no I/Os of 7:0, but of 2 other devices, from 8:0 to 9:0" \
    "--offset 1000 --device 8:0|--offset needs a multiple of 512 bytes, as all file systems begin with a sector, not '1000'"; do
    # shellcheck disable=SC2086 # words
    tracetool -d io.db map disk.log --image ext4.img ${line%%|*} >out.txt 2>said.txt
    expect "map ${line%%|*}: status" [ $? -eq 2 ]
    echo "tracetool: ${line#*|}; see tracetool --help" >wanted.txt
    check "map ${line%%|*}" wanted.txt said.txt
done
tracetool -d io.db sql "SELECT count(*) FROM map" --format tsv | sed 1d >got.txt
echo 0 >wanted.txt
check "what is refused leaves no map" wanted.txt got.txt
tracetool -q -d io.db map disk.log --image ext4.img --offset 26214400 --device 8:0
check_trace "a partition, by --offset" io.db disk.log
dd if=/dev/zero of=disk.img bs=512 seek=2048 count=8 conv=notrunc status=none
tracetool -q -d io.db map disk.log --image disk.img --replace --device 8:0
check_trace "a partition of an image of the disk" io.db disk.log
tracetool -d io.db sql "SELECT count(*) FROM io WHERE device = '9:0' AND evidence IS NULL" --format tsv | sed 1d >got.txt
echo 2 >wanted.txt
check "the other device" wanted.txt got.txt

# Each block of an I/O is looked up, up to a bound: damaged logs claim any size. Discards are as large.
truncate -s 100M wide.img
mke2fs -q -F -t ext2 -b 1024 wide.img >/dev/null 2>&1
second=0
for io in 'W 2 + 131072' 'W 2 + 131073' 'R 2 + 200000' 'W 300000 + 8' 'D 2 + 180000'; do
    second=$((second + 1))
    printf '  8,0    0 %8d %5d.000000000     7  C   %s [0]\n' $second $second "$io"
done >wide.log
tracetool -q -d wide.db import wide.log
tracetool -d wide.db map wide.log --image wide.img 2>said.txt
printf 'wide.log: %s\n' '1 I/Os mapped for certain, 0 by the journal, 0 likely, 3 not' \
    'on several files: 1 of these, each counted for the file with most of its blocks; bytes are divided' \
    '2 I/Os are larger than 65536 blocks: their files were not looked up' \
    '1 I/Os are outside the file system' >wanted.txt
check "I/Os of very many blocks" wanted.txt said.txt
tracetool -d wide.db sql "SELECT CAST(time AS INTEGER), evidence FROM io ORDER BY id" --format tsv | sed 1d >got.txt
printf '%s\t%s\n' 0 image 1 none 2 none 3 '' 4 none >wanted.txt
check "evidence of I/Os of very many blocks" wanted.txt got.txt

# By the log's remaps: of a partition; of a volume in two pieces, the second in front of the first, on
# a partition, so that each I/O goes two steps; of a striped one. I/Os over the seam are left out.
make_trace 0 flat.log
remap_trace() {
    python3 - "$1" "$2" <<'END'
import sys
kind, name = sys.argv[1:]
SEAM = 8 * 3000
lines, seams = [], set()
for line in open('flat.log'):
    words = line.split()
    sector, count = int(words[7]), int(words[9])
    time = round(float(words[3]) * 1000)
    if kind == 'partition':
        steps = [('8,2', sector)]
        place = sector + 51200
    elif kind == 'volume':
        on_partition = sector + 40000 if sector < SEAM else sector - SEAM + 2048
        steps = [('253,0', sector), ('8,2', on_partition)]
        place = on_partition + 51200
        if sector < SEAM < sector + count:
            seams.add(time)
            continue
    else:
        steps = [('9,0', sector)]
        place = sector // 256 * 128 + sector % 128
    for number, (device, at) in enumerate(steps):
        to = steps[number + 1][1] if number + 1 < len(steps) else place
        if words[5] == 'Q':
            lines.append(' '.join(words[:5] + ['A', words[6], str(to), '+', words[9], '<-',
                                               '(%s)' % device, str(at)]))
    lines.append(' '.join(words[:7] + [str(place)] + words[8:]))
open(name, 'w').write('\n'.join(lines) + '\n')
kept = [line for line in open('wanted') if int(line.split()[0]) not in seams]
open('wanted', 'w').write(''.join(kept))
END
}
cp wanted wanted.flat
for kind in partition volume; do
    cp wanted.flat wanted
    remap_trace $kind $kind.log
    tracetool -q -d remap.db import $kind.log
done
tracetool -d remap.db map partition.log --image ext4.img 2>said.txt
head -n 1 said.txt >got.txt
echo "partition.log: by its remaps, 8:2 begins at byte 26214400 of 8:0" >wanted.txt
check "remaps of a partition are said" wanted.txt got.txt
mv wanted wanted.volume
cp wanted.flat wanted
check_trace "remaps of a partition" remap.db partition.log
mv wanted.volume wanted
tracetool -d remap.db map volume.log --image ext4.img 2>said.txt
echo "tracetool: trace volume.log has remaps of several devices to 8:0, among them 8:2 and 253:0; the image is of one of them: give --device, or --offset; see tracetool --help" >wanted.txt
check "remaps of several devices" wanted.txt said.txt
tracetool -d remap.db map volume.log --image ext4.img --device 253:0 2>said.txt
head -n 1 said.txt >got.txt
echo "volume.log: by its remaps, 253:0 lies in pieces on 8:0" >wanted.txt
check "remaps of a volume are said" wanted.txt got.txt
check_trace "remaps of a volume in pieces on a partition" remap.db volume.log
tracetool -d remap.db sql 'SELECT "from" & 1048575, shift FROM remap JOIN trace ON trace.id = remap.trace
    WHERE trace.name = '"'volume.log' ORDER BY 1, 2" --format tsv | sed 1d >got.txt
printf '%s\t%s\n' 0 $((51200 + 2048 - 24000)) 0 $((51200 + 40000)) 2 51200 >wanted.txt
check "remaps that are kept" wanted.txt got.txt
remap_trace striped striped.log
tracetool -q -d remap.db import striped.log
tracetool -d remap.db map striped.log --image ext4.img 2>said.txt
expect "striped: status" [ $? -eq 1 ]
expect "striped: it is said so" grep -q 'sectors of 9:0 are not at one place of 8:0, but moved by .*striped' said.txt
# More ways than there is room for: the last device's look linear by what is kept. A second piece alone.
cp flat.log full.log
cp flat.log second.log
awk 'BEGIN {
    log_line = "  8,0    0        1 %5d.500000000     7  A   W %d + 8 <- (%s) %d\n"
    for (device = 1; device <= 16; device++) for (i = 0; i < 16; i++)
        printf log_line, 1, 100000 * device + 1000 * i, "9," device, 500 * i >>"full.log"
    printf log_line, 2, 1000, "9,1", 5000 >>"second.log"
}'
tracetool -q -d remap.db import full.log second.log
tracetool -d remap.db map full.log --image ext4.img 2>said.txt
expect "remaps that there is no room for: status" [ $? -eq 1 ]
echo "tracetool: trace full.log: sectors are remapped in more ways than the 255 that are kept: striped devices cannot be mapped; of others, --offset says where the file system is" >wanted.txt
check "remaps that there is no room for" wanted.txt said.txt
tracetool -d remap.db sql 'SELECT count(*), sum("from" = 0) FROM remap, trace
    WHERE trace = trace.id AND name = '"'full.log'" --format tsv | sed 1d >got.txt
printf '256\t1\n' >wanted.txt
check "remaps of a full table" wanted.txt got.txt
tracetool -d remap.db map second.log --image ext4.img 2>&1 | head -n 1 >said.txt
echo "second.log: by its remaps, 9:1 lies in pieces on 8:0" >wanted.txt
check "a second piece alone" wanted.txt said.txt
expect "remaps: the database is sound" tracetool -q -d remap.db check
tracetool -q -d remap.db remove striped.log
tracetool -d remap.db sql 'SELECT count(*) FROM remap WHERE trace NOT IN (SELECT id FROM trace)' --format tsv | sed 1d >got.txt
echo 0 >wanted.txt
check "remove takes the remaps, too" wanted.txt got.txt

# In one step with the import: the same as in two.
tracetool -q -d step.db import disk.log --image disk.img --image-device 8:0
mapped_ios() {
    tracetool -d "$1" sql "SELECT time, action, sector, bytes, process, device, file, file_type, block_type, inode,
        block_class, evidence FROM io WHERE trace = 'disk.log' ORDER BY id" --format tsv
}
mapped_ios io.db >wanted.txt
mapped_ios step.db >got.txt
check "import --image" wanted.txt got.txt
expect "import --image: the database is sound" tracetool -q -d step.db check
tracetool -d step.db show disk.log --format tsv | sed -n '/^image\t/,$p' >got.txt
tracetool -d step.db sql "SELECT 'image', image FROM map UNION ALL SELECT 'file system', uuid FROM map
    UNION ALL SELECT 'device', '8:0' UNION ALL SELECT 'offset', \"offset\" FROM map
    UNION ALL SELECT 'transactions', 0
    UNION ALL SELECT 'proven by images', count(*) FROM io WHERE action = 'C' AND evidence = 'image'
    UNION ALL SELECT 'proven by the journal', 0
    UNION ALL SELECT 'likely', count(*) FROM io WHERE action = 'C' AND evidence = 'likely-image'
    UNION ALL SELECT 'not mapped', count(*) FROM io WHERE action = 'C' AND evidence = 'none'
    UNION ALL SELECT 'of several files', several FROM map
    UNION ALL SELECT 'outside', 0" --format tsv | sed 1d >wanted.txt
check "show has the map" wanted.txt got.txt
# A log that names files keeps these names; a trace of calls has no blocks.
tracetool -q -d io.db import "$root/testdata/most/small.po" "$root/testdata/palmist/ok/small.txt"
tracetool -d io.db sql "SELECT * FROM io WHERE trace = 'small.po' AND file NOT NULL" --format tsv >before.tsv
tracetool -q -d io.db map small.po --image ext4.img
tracetool -d io.db sql "SELECT * FROM io WHERE trace = 'small.po' AND file NOT NULL AND inode IS NULL" --format tsv >after.tsv
check "names of the log stay" before.tsv after.tsv
expect "they are some" [ "$(wc -l <before.tsv)" -gt 2 ]

# --- the journal --------------------------------------------------------------------------------

# changed BEFORE AFTER FILE: the numbers of blocks of 4 KiB that differ, in $blocks, and what they are
# in AFTER, one behind the other. Those of the journal itself and the superblock's stay out.
changed() {
    owners_by_map <(tracetool map --list "$1" --format tsv) | awk -F '\t' '$2 == 8 { print $1 }' >log-blocks
    blocks=$(python3 - "$@" <<'END'
import sys
before, after = open(sys.argv[1], 'rb').read(), open(sys.argv[2], 'rb').read()
log = set(map(int, open('log-blocks')))
found = [b for b in range(1, len(before) // 4096)
         if b not in log and before[b * 4096:b * 4096 + 4096] != after[b * 4096:b * 4096 + 4096]]
open(sys.argv[3], 'wb').write(b''.join(after[b * 4096:b * 4096 + 4096] for b in found))
print(','.join(map(str, found)))
END
)
}

# edit IMAGE LINE…: commands of debugfs that write.
edit() {
    printf '%s\n' "${@:2}" >commands
    debugfs -w -f commands "$1" >/dev/null 2>&1
}

# An image that was not unmounted: what only its journal has is as if it were in its place. e2fsck
# puts it there in a copy. A file begins like a block of the journal.
{
    printf '\xc0\x3b\x39\x98\0\0\0\1\0\0\0\1'
    seq 1 9000
} >like-journal
check_overlay() {
    cp ext4.img dirty.img
    cp ext4.img next.img
    edit next.img 'rm large' 'write like-journal like-journal' 'mkdir new' 'write piece new/piece' \
        'rm deep/er/est/numbers'
    changed dirty.img next.img transaction
    expect "$1: something changed" test -n "$blocks"
    edit dirty.img "jo -c $2" "jw -b $blocks transaction" jc
    cp dirty.img clean.img
    e2fsck -E journal_only -y clean.img >/dev/null 2>&1
    owners_by_debugfs clean.img >owners.wanted
    owners_by_debugfs ext4.img >owners.before
    expect "$1: the journal makes a difference" test "$(cmp owners.wanted owners.before)"
    tracetool map --list dirty.img --format tsv >map.tsv 2>said.txt
    owners_by_map map.tsv >owners.got
    check "$1: owners are those of e2fsck and icheck" owners.wanted owners.got
}
check_overlay "journal without checksums" "-v 1"
check_overlay "journal with checksums" "-v 3"

# Three transactions after one another, and a trace that has their commits at 10, 20 and 30 s, and reads
# of every block at 5, 15, 25 and 35 s. What is called proven was so then, by the image of that time.
cp ext4.img state0.img
cp state0.img state1.img
edit state1.img 'rm large' 'write like-journal first' 'write piece more'
cp state1.img state2.img
edit state2.img 'rm first' 'write pieces second' 'mkdir other' 'write piece other/piece'
cp state2.img state3.img
edit state3.img 'rm second' 'rm other/piece' 'write like-journal third' 'ln third other/name'
cp state0.img run.img
for i in 1 2 3; do
    changed state$((i - 1)).img state$i.img transaction
    edit run.img "jo -c -v 3" "jw -b $blocks transaction" jc
    owners_by_debugfs state$i.img >owners.$i
done
debugfs -R 'logdump -a' run.img 2>/dev/null | sed -n 's/.*type 2 (commit block) at block \([0-9]*\).*/\1/p' >commits
expect "there are three commits" [ "$(wc -l <commits)" -eq 3 ]
: >places
while read -r block; do debugfs -R "bmap <8> $block" run.img 2>/dev/null >>places; done <commits
python3 - <<'END'
commits = list(map(int, open('places')))
events = [(10 * i + 10, 'WS', block) for i, block in enumerate(commits)]
events += [(t, 'R', block) for t in (5, 15, 25, 35) for block in range(6144) if block not in commits]
with open('run.log', 'w') as log:
    for time, kind, block in sorted(events):
        log.write('  8,0    0 %8d %5d.%09d     7  C %3s %d + 8 [0]\n' % (1, time, 0, kind, block * 8))
END
tracetool -q -d run.db import run.log
tracetool -d run.db map run.log --image run.img 2>said.txt
tracetool -d run.db sql "SELECT CAST(round(time) AS INTEGER) + 5 AS second, sector / 8 AS block, inode, evidence, file
    FROM io WHERE class = 'read'" --format tsv | sed '/^#/d' >run.tsv
python3 - >verdict.txt <<'END'
owners = {}
for i in (1, 2, 3):
    owners[i] = dict(map(int, line.split()) for line in open(f'owners.{i}'))
counts = {'right': 0, 'wrong': 0, 'early': 0, 'missed': 0}
paths = {}
for line in open('run.tsv'):
    second, block, inode, evidence, path = line.rstrip('\n').split('\t')
    state, block = int(second) // 10, int(block)
    proven = evidence in ('image', 'journal', 'journal-over-image')
    if inode == '':
        counts['missed'] += state > 0 and owners[state].get(block, 0) > 8
        continue
    if state == 0:
        # Before the first commit nothing of a file is proven.
        counts['early'] += proven
        continue
    # What is nobody's may be written already for the transaction that comes.
    truth = owners[state].get(block) or owners[min(state + 1, 3)].get(block)
    if proven:
        counts['right' if truth == int(inode) else 'wrong'] += 1
        paths.setdefault(second, set()).add(path)
    else:
        counts['missed'] += truth is not None
print(counts['wrong'], counts['early'], counts['missed'], counts['right'] > 2000)
for second, expected, unexpected in (('15', {'/first', '/more'}, {'/large', '/third', '/other/name'}),
                                     ('25', {'/second', '/other/piece'}, {'/first'}),
                                     ('35', {'/more'}, {'/first', '/second', '/other/piece'})):
    print(second, expected <= paths[second], unexpected & paths[second])
END
printf '%s\n' '0 0 0 True' '15 True set()' '25 True set()' '35 True set()' >wanted.txt
check "three transactions: wrong, early, missed, many; and what files were called" wanted.txt verdict.txt
tracetool -d run.db sql "SELECT horizon, transactions FROM map" --format tsv | sed 1d >got.txt
printf '5000000000\t3\n' >wanted.txt
check "three transactions: horizon" wanted.txt got.txt

# Earlier copies of the journal. The image's own has lost the first transactions, as if it had gone
# round: with a copy, all is as it was with all three; of two copies one is torn, and the other one
# taken; where there is a gap, nothing is.
dump_runs() {
    tracetool -d run.db sql "SELECT time, sector, action, file, file_type, block_type, inode, block_class, evidence
        FROM io ORDER BY id" --format tsv
    tracetool -d run.db sql "SELECT transactions, horizon, proven, journal, likely, unmapped FROM map" --format tsv
}
# lose IMAGE COPY N: IMAGE without the first N transactions; its journal before that is COPY.
lose() {
    debugfs -R "dump <8> $2" "$1" >/dev/null 2>&1
    python3 - "$@" <<'END'
import sys
commits, count = list(map(int, open('commits'))), int(sys.argv[3])
places = open('log-places').read().split()
with open(sys.argv[1], 'r+b') as image:
    for at in range(1, commits[count - 1] + 1):
        image.seek(int(places[at]) * 4096)
        image.write(bytes(4096))
END
}
cp run.img clean.img # all is in its place; what the journal held is still there
e2fsck -E journal_only -y clean.img >/dev/null 2>&1
tracetool -q -d run.db map run.log --image clean.img --replace
seq 0 "$(tail -n 1 commits)" | sed 's/^/bmap <8> /' >commands
debugfs -f commands run.img 2>/dev/null | grep -v '^debugfs' >log-places
dump_runs >wanted.txt
for lost in 1 2; do
    cp clean.img lost.img
    lose lost.img copy.jnl $lost
    tracetool -q -d run.db map run.log --image lost.img --replace
    dump_runs >got.txt
    expect "$lost lost transactions make a difference" test "$(cmp wanted.txt got.txt)"
    tracetool -q -d run.db map run.log --image lost.img --journal copy.jnl --replace
    dump_runs >got.txt
    check "a copy of the journal: $lost lost transactions" wanted.txt got.txt
done
cp copy.jnl torn.jnl
printf 'torn' | dd of=torn.jnl bs=1 seek=$((4096 * 2 + 100)) conv=notrunc status=none
gzip -k copy.jnl
tracetool -q -d run.db map run.log --image lost.img --journal torn.jnl --journal copy.jnl.gz --replace
dump_runs >got.txt
check "a copy that is torn, and one that is not" wanted.txt got.txt
tracetool -d run.db show run.log --format tsv | grep '^copies' >got.txt
printf 'copies of the journal\t2\n' >wanted.txt
check "show has the copies of the journal" wanted.txt got.txt
python3 - <<'END'
commits, places = list(map(int, open('commits'))), open('log-places').read().split()
with open('copy.jnl', 'r+b') as copy:
    for at in range(commits[0] + 1, commits[2] + 1):
        copy.seek(at * 4096)
        copy.write(bytes(4096))
END
tracetool -d run.db map run.log --image lost.img --journal copy.jnl --replace 2>&1 | grep copies >said.txt
echo "run.log: nothing was taken from 1 of the copies of the journal: it is in the others, or transactions between them and the next are missing" >wanted.txt
check "a gap between a copy of the journal and the image" wanted.txt said.txt
debugfs -R "dump <8> other.jnl" ext3-4k.img >/dev/null 2>&1
# shellcheck disable=SC2089 # quotes are meant
for line in "run.img --journal small|run.img: small is not a copy of a journal (debugfs -D makes one: dump <8> FILE)" \
    "run.img --journal other.jnl|run.img: other.jnl is not a copy of this file system's journal" \
    "no-journal.img --journal copy.jnl|no-journal.img: it has no journal that can be read, which copy.jnl could be a copy of" \
    "run.img --journal nosuch|nosuch: No such file or directory" \
    "run.img --when later|--when is after or before, not 'later'; see tracetool --help" \
    "run.img --image state0.img|there is one image of after the trace, and at most one with --when before: run.img or state0.img?; see tracetool --help" \
    "run.img --when before|an image from before the trace only confirms: give one of after it, too; see tracetool --help" \
    "run.img --journal copy.jnl --no-journal|--no-journal excludes --journal; see tracetool --help"; do
    # shellcheck disable=SC2086,SC2090 # words
    (printf small >small; tracetool -d run.db map run.log --image ${line%%|*} --replace) >out.txt 2>said.txt
    echo "tracetool: ${line#*|}" >wanted.txt
    check "map ${line%%|*}" wanted.txt said.txt
done

# An image from before the trace confirms what the one after it says, and says nothing by itself.
owners_by_debugfs state0.img >owners.0
tracetool -q -d run.db map run.log --image state3.img --image state0.img --when before --replace
tracetool -d run.db sql "SELECT DISTINCT sector / 8, inode, evidence FROM io WHERE class = 'read'
    AND inode NOT NULL ORDER BY 1" --format tsv | sed 1d >got.txt
awk 'BEGIN { OFS = "\t" } FNR == 1 { file++ } file == 1 { before[$1] = $2; next } $2 > 10 || $2 == 2 {
    print $1, $2, before[$1] == $2 ? "both-images" : "likely-image" }' owners.0 owners.3 >wanted.txt
check "an image from before the trace" wanted.txt got.txt
expect "it confirms some and others not" [ "$(cut -f 3 wanted.txt | sort -u | wc -l)" -eq 2 ]
cp state3.img same.img
gzip -kf same.img
rm same.img
for line in "state0.img --image state3.img|state3.img was written later than state0.img: give --when before behind the image of before the trace" \
    "state3.img --image same.img.gz|same.img.gz has the same bytes as state3.img, so it is not of before the trace: give an older one, or none"; do
    # shellcheck disable=SC2086 # words
    tracetool -d run.db map run.log --image ${line%%|*} --when before --replace >out.txt 2>said.txt
    expect "map ${line%%|*} --when before: status" [ $? -eq 2 ]
    echo "tracetool: ${line#*|}; see tracetool --help" >wanted.txt
    check "map ${line%%|*} --when before" wanted.txt said.txt
done
tracetool -q -d run.db map run.log --image state3.img --image wide.img --when before --replace >out.txt 2>said.txt
expect "an image of another file system: status" [ $? -eq 1 ]

# Fast commits after a transaction are not read, and map says so: by the tag that they begin with and its
# number. Those of an older transaction do not count.
make_image fast -t ext4 -b 4096 -O fast_commit -J size=4
cp fast.img fast-next.img
edit fast-next.img 'rm large' 'write piece more'
changed fast.img fast-next.img transaction
edit fast.img "jo -c -v 3" "jw -b $blocks transaction" jc
seq 0 1039 | sed 's/^/bmap <8> /' >commands
debugfs -f commands fast.img 2>/dev/null | grep -v '^debugfs' >log-places
# write_fast IMAGE NUMBER: the first tag of a fast commit of the transaction with that number.
write_fast() {
    python3 - "$@" <<'END'
import struct, sys
image, number = sys.argv[1], int(sys.argv[2])
places = list(map(int, open('log-places')))
table = [0] * 256
for byte in range(256):
    value = byte
    for i in range(8):
        value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    table[byte] = value
def crc32c(value, data):
    for byte in data:
        value = table[(value ^ byte) & 255] ^ value >> 8
    return value
with open(image, 'r+b') as out:
    # The kernel says that there may be some when it first mounts the file system.
    out.seek(places[0] * 4096)
    head = bytearray(out.read(1024))
    struct.pack_into('>I', head, 40, struct.unpack_from('>I', head, 40)[0] | 32)
    struct.pack_into('>I', head, 0x54, 64)
    struct.pack_into('>I', head, 0xFC, 0)
    struct.pack_into('>I', head, 0xFC, crc32c(0xFFFFFFFF, head))
    out.seek(places[0] * 4096)
    out.write(head)
    out.seek(places[struct.unpack_from('>I', head, 16)[0] - 64 + 1] * 4096)
    out.write(struct.pack('<HHII', 9, 8, 0, number).ljust(4096, b'\0'))
END
}
say_fast() { tracetool map --list "$1" | grep '^#.*fast commits'; }
number=$(debugfs -R logdump fast.img 2>/dev/null | sed -n 's/^Found expected sequence \([0-9]*\), type 2.*/\1/p' | tail -n 1)
cp fast.img fast-some.img
write_fast fast-some.img $((number + 1))
say_fast fast-some.img >got.txt
echo "# fast commits after its last transaction are not read: blocks that they give to files may be free here" >wanted.txt
check "fast commits" wanted.txt got.txt
cp fast.img fast-other.img
write_fast fast-other.img "$number"
say_fast fast-other.img >got.txt
check "fast commits of the transaction before do not count" none got.txt
awk 'BEGIN { printf "  8,0    0        1     0.000000000     7  C   W 8 + 8 [0]\n" }' >fast.log
tracetool -q -d fast.db import fast.log
tracetool -d fast.db map fast.log --image fast-some.img 2>&1 | grep 'fast commits' >got.txt
echo "fast.log: fast commits after the last transaction of fast-some.img are not read: blocks that they give to files may be free" >wanted.txt
check "map says so, too" wanted.txt got.txt

# What the log itself tells, before the image: by image and log, inode, evidence, class and file of one
# block of /large that the log gives to another file, one that it frees and gives back, one that it gives
# to /large, one that nothing is told of, and one that is free.
{
    large=$(debugfs -R 'stat /large' ext4.img 2>/dev/null | sed -n 's/^Inode: *\([0-9]*\).*/\1/p')
    first=$(debugfs -R 'blocks /large' ext4.img 2>/dev/null | awk '{ print $1 }')
    free=$(awk -F '\t' '!/^#/ { if (end != "" && $1 > end) gap = end; end = $1 + $2 } END { print gap }' plain.tsv)
    told() { # TIME TEXT
        echo "x-1 [000] ..... $1: $2"
    }
    io() { # ISSUED COMPLETED BLOCK
        told "$1" "block_rq_issue: $device W 4096 () $(($3 * 8)) + 8 be,0,4 [x]"
        told "$2" "block_rq_complete: $device W () $(($3 * 8)) + 8 be,0,4 [0]"
    }
    tell_log() { # DEVICE of the I/Os; the file system is on 8,1
        device=$1
        io 1.000000 1.000001 $((first + 1))
        told 1.100000 "ext4_allocate_inode: dev 8,1 ino 4000 dir 2 mode 0100644"
        told 1.200000 "ext4_allocate_blocks: dev 8,1 ino 4000 flags HINT_DATA len 1 block $first lblk 0"
        told 1.200000 "ext4_free_blocks: dev 8,1 ino $large mode 0100644 block $((first + 1)) count 1 flags "
        io 1.300000 1.300001 "$first"
        io 1.400000 1.600001 "$first" # freed while it was under way
        told 1.500000 "ext4_free_blocks: dev 8,1 ino 4000 mode 0100644 block $first count 1 flags "
        told 1.700000 "ext4_allocate_blocks: dev 8,1 ino $large flags HINT_DATA len 2 block $first lblk 0"
        io 1.800000 1.800001 "$first"
        told 1.900000 "ext4_allocate_blocks: dev 8,1 ino $large flags HINT_DATA len 1 block $free lblk 9"
        io 2.000000 2.000001 "$free"
        io 2.100000 2.100001 $((first + 2))
        io 2.200000 2.200001 0
        echo "CPU:0 [LOST 5 EVENTS]"
        io 2.300000 2.300001 "$free"
    }
}
tell_log 8,1 >tell.log
tracetool -q -d tell.db import tell.log
tracetool -d tell.db map tell.log --image ext4.img 2>said.txt
sqlite3 -tabs tell.db "SELECT CAST(round(time * 10) AS INTEGER), ifnull(inode, ''), evidence, block_class, ifnull(file, '')
    FROM io WHERE action = 'C' ORDER BY 1" >got.tsv
printf '%s\t%s\t%s\t%s\t%s\n' 0 "$large" image data /large 3 4000 image data '/<4000>' 6 4000 image data '/<4000>' \
    8 "$large" image data /large 10 "$large" image data /large 11 "$large" likely-image data /large \
    12 '' image superblock '' 13 '' none free '' >wanted.tsv
# What was lost at the end may have been another file with that inode, and so may be what has it in the
# image, where that has not the block that the log gave to it.
sed -i "s,^\(0\|10\)\(\t$large.*\)/large,\1\2/<$large>," wanted.tsv
check "told: the log before the image" wanted.tsv got.tsv
expect "told: it is said how many" grep -q '^tell.log: 5 of these are certain by allocation events of the log' said.txt
expect "told: the database is sound" tracetool -q -d tell.db check
tell_log 8,0 >other.log
tracetool -q -d tell.db import other.log
tracetool -d tell.db map other.log --image ext4.img 2>said.txt
expect "told: of another device" grep -q '^other.log: the allocation events of the log are of 8:1 and not used' said.txt
# By remaps it is that of the partition below.
{
    told 0.900000 "block_bio_remap: 8,0 W $((first * 8 + 2048)) + 8 <- (8,1) $((first * 8))"
    tell_log 8,0 | awk '/LOST/ { next }
        /block_rq/ { for (i = 1; i < NF; i++) if ($(i + 1) == "+") $i += 2048 } { print }'
} >below.log
tracetool -q -d tell.db import below.log
tracetool -q -d tell.db map below.log --image ext4.img
sqlite3 -tabs tell.db "SELECT CAST(round(time * 10) AS INTEGER) - 1, ifnull(inode, ''), evidence, block_class, ifnull(file, '')
    FROM io WHERE action = 'C' AND trace = 'below.log' ORDER BY 1" >got.tsv
sed -i "/^0/s,<$large>,large,; \$s,.*,13\t$large\timage\tdata\t/<$large>," wanted.tsv
check "told: of a partition, with nothing lost" wanted.tsv got.tsv

# A recording of a real kernel, with its own word on whose each block was.
recording=$shared/data/blocks-to-files
if [ -e "$recording/r1.img.zst" ]; then
    for part in blkparse img truth names; do zstd -qdf "$recording/r1.$part.zst" -o "r1.$part"; done
    python3 "$tests/map_judge.py" split r1.blkparse >blocks.log
    tracetool -q -d r1.db import blocks.log
    tracetool -q -d r1.db map blocks.log --image r1.img
    expect "recording: the database is sound" tracetool -q -d r1.db check
    # judge_recording: right, wrong and nobody's, of the inodes and of the names.
    judge_recording() {
        sqlite3 -tabs r1.db "SELECT event.time, sector, ifnull(inode, ''), ifnull(evidence, ''),
            ifnull(block_class, ''), ifnull(file, '') FROM io JOIN event USING (id)" >rows.tsv
        python3 "$tests/map_judge.py" judge blocks.log r1.truth r1.names rows.tsv 2>&1
    }
    judge_recording >verdict.txt
    printf '%s\t%s right\t0 wrong\t0 nobody\t%s names right\t0 names wrong\n' proven 2855 2737 >wanted.txt
    head -n 1 verdict.txt >got.txt
    check "recording: what is proven is so" wanted.txt got.txt
    for what in proven likely none; do
        tracetool -d r1.db report rw --evidence $what --format tsv | awk -F '\t' '!/^#/ { n += $2 } END { print n }'
        tracetool -d r1.db dump --evidence $what | grep -vc '^#'
    done >got.txt
    sqlite3 r1.db "WITH n(word, count) AS (SELECT CASE WHEN evidence LIKE 'likely%' THEN 2
        WHEN evidence = 'none' THEN 3 ELSE 1 END, count(*) FROM io WHERE evidence NOT NULL GROUP BY 1)
        SELECT count FROM n, (VALUES (1), (2)) ORDER BY word" >wanted.txt
    check "recording: --evidence" wanted.txt got.txt
    tracetool -d r1.db sql "SELECT count(*) FROM event, map, io USING (id) WHERE event.time < horizon
        AND io.evidence IN ('image', 'journal', 'journal-over-image')
        AND block_class IN ('data', 'directory', 'extent tree')" --format tsv | sed 1d >got.txt
    echo 0 >wanted.txt
    check "recording: before the horizon nothing is proven" wanted.txt got.txt
    tracetool -q -d r1.db map blocks.log --image r1.img --no-journal --replace
    judge_recording | cut -f 1-4 >got.txt
    printf '%s\t%s right\t%s wrong\t%s nobody\n' proven 0 0 0 likely 8759 4555 0 none 0 0 3788 >wanted.txt
    check "recording: the image alone" wanted.txt got.txt
    # Two witnesses: what the log tells, with the image alone, is what the journal proves.
    tracetool -q -d r1.db map blocks.log --image r1.img --replace
    python3 "$tests/map_judge.py" tell blocks.log r1.truth >told.log
    tracetool -q -d r1.db import told.log
    tracetool -q -d r1.db map told.log --image r1.img --no-journal
    sqlite3 -tabs r1.db "SELECT count(*), sum(j.inode IS l.inode)
        FROM io AS j JOIN io AS l ON l.trace = 'told.log' AND l.time = j.time AND l.sector = j.sector
        WHERE j.trace = 'blocks.log' AND l.evidence = 'image' AND l.inode NOT NULL
            AND j.evidence IN ('image', 'journal', 'journal-over-image')" >got.txt
    printf '%s\t%s\n' 2855 2855 >wanted.txt
    check "recording: what log and journal say" wanted.txt got.txt
else
    skip "no recording in $recording"
fi

# --- damaged images -----------------------------------------------------------------------------

# Whatever is done to an image, there is a map or a reason: DAMAGED=10000 for as many.
if ! python3 "$tests/map_damage.py" "$TRACETOOL" "${DAMAGED:-60}" 1 ext4-1k.img run.img phone.img >out.txt 2>said.txt; then
    fail "damaged images" said.txt
else
    pass
    expect "damaged images: some are mapped, some are not: $(cat out.txt)" grep -qE '^[1-9][0-9]* mapped, [1-9]' out.txt
fi

finish "map: "
