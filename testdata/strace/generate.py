#!/usr/bin/env python3
"""Makes the logs of testdata/strace, and what must come out of them.

    testdata/strace/generate.py FOLDER

A small model of a kernel runs a program: processes with tables of descriptors, open files with
positions, files with sizes. Each call is noted with what it did, and printed as strace prints it with
one mix of flags after another. What is expected comes from the model; no line is ever read.
"""
import os
import sys

BASE = 1795303426_000000000  # ns since 1970 of the first call
DAY = 86400_000000000


class File:
    def __init__(self, path):
        self.path, self.size = path, 0


class Open:
    """An open file description."""

    def __init__(self, file, append=False):
        self.file, self.append, self.position = file, append, 0


class Process:
    def __init__(self, pid, command, table):
        self.pid, self.command, self.table = pid, command, table


class Call:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class Kernel:
    def __init__(self):
        self.now, self.calls, self.files, self.ends = BASE, [], {}, []
        self.busy = {}  # by thread: when its last call ended
        first = Process(100, None, {})
        self.threads = {100: first}

    def call(self, tid, name, begin, rest='', value=0, error=None, file=None, offset=None, size=None,
             took=20, gap=50, descriptor=None, returned=None, child=None, ended=True):
        """Notes a call; `begin` and `rest` are its arguments as printed at its begin and its end."""
        self.now = max(self.now, self.busy.get(tid, 0)) + gap * 1000
        self.busy[tid] = self.now + took * 1000
        process = self.threads[tid]
        self.calls.append(Call(
            tid=tid, pid=process.pid, process=process, name=name, begin=begin, rest=rest, value=value,
            error=error, file=file, offset=offset, size=size, start=self.now,
            end=self.now + took * 1000, descriptor=descriptor, returned=returned, child=child,
            ended=ended))
        return self.calls[-1]

    # --- calls; `took` may reach over others' -------------------------------------------------------

    def execve(self, tid, path, **more):
        process = self.threads[tid]
        process.command = os.path.basename(path)
        process.table = {fd: (file, mark) for fd, (file, mark) in process.table.items() if not mark}
        self.call(tid, 'execve', f'"{path}", ["x"], 0x7ffc /* 3 vars */', file=path, **more)

    def open(self, tid, path, flags, printed=None, **more):
        process = self.threads[tid]
        fd = min(set(range(3, 99)) - set(process.table))
        file = self.files.setdefault(path, File(path))
        file.size = 0 if 'O_TRUNC' in flags else file.size
        process.table[fd] = (Open(file, 'O_APPEND' in flags), 'O_CLOEXEC' in flags)
        self.call(tid, 'openat', f'AT_FDCWD, "{printed or path}", {flags}', value=fd, file=path,
                  returned=path, **more)
        return fd

    def described(self, tid, fd):
        return self.threads[tid].table[fd][0]

    def move(self, tid, name, fd, count, at=None, **more):
        """read, write, pread64, pwrite64"""
        opened, writes = self.described(tid, fd), 'write' in name
        place = at if at is not None else opened.file.size if writes and opened.append else opened.position
        if not writes:
            count = max(0, min(count, opened.file.size - place))
        if writes:
            opened.file.size = max(opened.file.size, place + count)
        if at is None:
            opened.position = place + count
        text = '"' + 'a' * min(count, 32) + '"' + ('...' if count > 32 else '')
        offset = '' if at is None else f', {at}'
        known = None if at is None and writes and opened.append else place
        begin, rest = (f'@{fd}, ', f'{text}, {count}{offset}') if not writes else \
            (f'@{fd}, {text}, {count}{offset}', '')
        self.call(tid, name, begin, rest, value=count, file=opened.file.path, offset=known, size=count,
                  descriptor=fd, **more)

    def seek(self, tid, fd, offset):
        opened = self.described(tid, fd)
        opened.position = offset
        self.call(tid, 'lseek', f'@{fd}, {offset}, SEEK_SET', value=offset, file=opened.file.path,
                  descriptor=fd)

    def about(self, tid, name, fd, **more):
        self.call(tid, name, f'@{fd}', file=self.described(tid, fd).file.path, descriptor=fd, **more)

    def close(self, tid, fd, **more):
        path = self.described(tid, fd).file.path
        del self.threads[tid].table[fd]
        self.call(tid, 'close', f'@{fd}', file=path, descriptor=fd, **more)

    def dup(self, tid, fd, to):
        opened = self.described(tid, fd)
        self.threads[tid].table[to] = (opened, False)
        self.call(tid, 'dup2', f'@{fd}, {to}', value=to, file=opened.file.path, descriptor=fd,
                  returned=opened.file.path)

    def failed(self, tid, name, path, error):
        self.call(tid, name, f'"{path}", 0x7ffd', value=-1, error=error, file=path)

    def clone(self, tid, number, thread, **more):
        parent = self.threads[tid]
        self.threads[number] = parent if thread else \
            Process(number, parent.command, dict(parent.table))
        flags = 'CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD' if thread else \
            'CLONE_CHILD_CLEARTID|SIGCHLD'
        self.call(tid, 'clone', f'child_stack=NULL, flags={flags}', f', child_tidptr=0xb690',
                  value=number, child=number, **more)

    def exit(self, tid):
        self.call(tid, 'exit_group', '0', value=None, ended=False, took=0)
        self.ends.append((self.now + 10000, tid))


def program():
    """A database with a rollback journal, a log that is appended to, a thread, a child and its exec."""
    k = Kernel()
    main, thread, child = 100, 101, 102
    k.execve(main, '/system/bin/app')
    k.call(main, 'brk', 'NULL', value=0x1000)
    k.failed(main, 'stat', '/data/none (really) = 3', 'ENOENT')
    db = k.open(main, '/data/a "b" é.db', 'O_RDWR|O_CREAT|O_CLOEXEC', '/data/a \\"b\\" \\303\\251.db')
    k.move(main, 'pwrite64', db, 4096, 0)
    k.move(main, 'pread64', db, 100, 0)
    k.about(main, 'fdatasync', db, took=900)
    log = k.open(main, '/data/log', 'O_WRONLY|O_CREAT|O_APPEND')
    k.move(main, 'write', log, 5)
    k.clone(main, thread, True)
    journal = k.open(main, '/data/a-journal', 'O_RDWR|O_CREAT|O_TRUNC')
    k.call(thread, 'rseq', '0x7fcee8897fe0, 0x20, 0', gap=10)
    k.move(thread, 'write', journal, 512)
    k.move(main, 'pread64', db, 50, 4000, took=400)
    k.move(thread, 'write', journal, 4096, gap=100)
    k.about(thread, 'fsync', journal, took=700)
    k.call(main, 'futex', '0x7f00, FUTEX_WAIT_PRIVATE, 2, NULL', value=-1, error='EAGAIN', gap=100)
    k.dup(main, journal, 20)
    k.seek(main, 20, 0)
    k.move(main, 'read', journal, 28, gap=800)
    k.close(main, 20)
    k.clone(main, child, False)
    k.move(child, 'read', journal, 512, gap=30)
    k.move(main, 'read', journal, 512)
    k.execve(child, '/system/bin/tool')
    k.move(child, 'write', log, 7)
    k.move(child, 'write', journal, 100)
    k.failed(child, 'unlink', '/data/none', 'EACCES')
    k.exit(child)
    k.call(main, 'wait4', '-1, ', '[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL', value=child,
           gap=300)
    k.close(main, journal)
    k.call(main, 'unlink', '"/data/a-journal"', file='/data/a-journal')
    k.move(main, 'write', db, 4096)
    k.about(main, 'fsync', db, took=1200)
    k.close(main, db)
    k.exit(thread)
    k.exit(main)
    return k


ERRORS = {'ENOENT': 'No such file or directory', 'EAGAIN': 'Resource temporarily unavailable',
          'EACCES': 'Zugriff verweigert (13)'}


def escaped(path):
    """As -y prints a name: without quotation marks around it, with < and > as numbers."""
    return ''.join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\<>' else
                   '\\' + chr(b) if chr(b) in '"\\' else '\\%o' % b for b in path.encode())


def clock(nanoseconds, form):
    if form == 'epoch':
        return '%d.%06d ' % (nanoseconds // 10**9, nanoseconds // 1000 % 10**6)
    second = nanoseconds // 10**9 % 86400
    day = '%02d:%02d:%02d' % (second // 3600, second // 60 % 60, second % 60)
    return day + (' ' if form == 'seconds' else '.%06d ' % (nanoseconds // 1000 % 10**6))


class Printer:
    """Prints the calls of a model with some flags."""

    def __init__(self, kernel, times='epoch', pids='column', took=False, names=False, shift=0,
                 colours=False, torn=False):
        self.kernel, self.times, self.pids, self.took, self.names = kernel, times, pids, took, names
        self.shift, self.colours, self.torn = shift, colours, torn
        self.lines, self.last, self.alive = [], None, {100}

    def moments(self):
        """What is printed, in order: begins and ends of calls, and ends of threads."""
        moments = []
        for number, call in enumerate(self.kernel.calls):
            moments.append((call.start, number, 'begin', call))
            moments.append((call.end, number, 'end', call))
        moments += [(time, 10**6, 'exit', tid) for time, tid in self.kernel.ends]
        moments.sort(key=lambda moment: moment[:2] + (moment[2] != 'begin',))
        return moments

    def time(self, nanoseconds):
        if self.times == 'none':
            return ''
        if self.times == 'relative':
            since = 0 if self.last is None else nanoseconds - self.last
            self.last = nanoseconds
            return '%6d.%06d ' % (since // 10**9, since // 1000 % 10**6)
        return clock(nanoseconds + self.shift, self.times)

    def head(self, tid, nanoseconds):
        pid = ''
        if self.pids == 'column':
            pid = '%-5d ' % tid
        elif self.pids == 'brackets' and len(self.alive) > 1:
            pid = '[pid %5d] ' % tid
        return pid + self.time(nanoseconds)

    def arguments(self, text, call):
        name = f'<{escaped(call.file)}>' if self.names and call.descriptor is not None else ''
        return text.replace(f'@{call.descriptor}', f'{call.descriptor}{name}')

    def result(self, call):
        if not call.ended:
            return '= ?'
        text = '0x1000' if call.name == 'brk' else str(call.value)
        if call.returned and self.names:
            text += f'<{escaped(call.returned)}>'
        if call.error:
            text += f' {call.error} ({ERRORS[call.error]})'
        took = (call.end - call.start) // 1000
        return '= ' + text + (' <%d.%06d>' % (took // 10**6, took % 10**6) if self.took else '')

    def emit(self, line):
        self.lines.append('\x1b[1m' + line + '\x1b[0m\r' if self.colours else line)

    def print(self):
        moments, open_calls = self.moments(), {}
        for place, (time, _, what, of) in enumerate(moments):
            if what == 'exit':
                self.emit(self.head(of, time) + '+++ exited with 0 +++')
                self.alive.discard(of)
            elif what == 'begin':
                whole = moments[place + 1][2:] == ('end', of)
                self.begin(of, time, whole)
            elif of.split:
                self.emit(self.head(of.tid, time) + f'<... {of.name} resumed>'
                          + self.arguments(of.rest, of) + ') ' + self.result(of))
        return self

    def begin(self, call, time, whole):
        head, begin = self.head(call.tid, time), self.arguments(call.begin, call)
        call.split = not whole
        if call.child:
            self.alive.add(call.child)
        if call.child and self.torn:
            self.emit(f'{head}{call.name}({begin}strace: Process {call.child} attached')
            head, begin = '', None
        if whole:
            text = self.arguments(call.rest, call) + ')'
            text = text if begin is None else f'{call.name}({begin}{text}'
            self.emit((head + text).ljust(59) + ' ' + self.result(call))
        else:
            mark = ' <unfinished ...>'
            self.emit(head + (mark if begin is None else f'{call.name}({begin}{mark}'))

    def print_thread(self, tid):
        """-ff: a file of one thread, in which no call is interrupted."""
        self.lines, self.pids = [], None
        for call in self.kernel.calls:
            if call.tid == tid:
                self.begin(call, call.start, True)
        for time, number in self.kernel.ends:
            if number == tid:
                self.emit(self.head(tid, time) + '+++ exited with 0 +++')
        return '\n'.join(self.lines) + '\n'

    # --- what is expected -------------------------------------------------------------------------

    def duration(self, call):
        if not call.ended:
            return ''
        if self.took or (call.split and self.times in ('epoch', 'day', 'relative')):
            return call.end - call.start
        return ''

    def expected(self):
        rows, first = [], self.kernel.calls[0].start
        # Of the same second, calls are in order of their ends.
        order = (lambda call: call.end if call.split else call.start) if self.times == 'seconds' else \
            (lambda call: call.start)
        for call in sorted(self.kernel.calls, key=order):
            time = call.start - first
            if self.times == 'seconds':
                time = ((call.start + self.shift) // 10**9 - (first + self.shift) // 10**9) * 10**9
            rows.append((time, call.tid, call.pid, call.process.command, call.name, call.value,
                         call.error, self.duration(call), call.file, call.offset, call.size))
        return ''.join('\t'.join('' if field is None else str(field) for field in row) + '\n'
                       for row in rows)


# --- damage -----------------------------------------------------------------------------------------

GOOD = ['7 1795303426.000000 openat(AT_FDCWD, "/a", O_RDONLY) = 3',
        '7 1795303426.100000 read(3, "x"..., 100) = 100',
        '7 1795303426.200000 close(3) = 0']

# Lines behind the first good one, and the reason for which each of them is rejected.
DAMAGED = {
    'prose': [('this is no line of strace', 'no-line')],
    'prose-with-time': [('7 1795303426.050000 hello world', 'no-line')],
    'result-huge': [('7 1795303426.050000 brk(NULL) = 99999999999999999999', 'bad-result')],
    'result-missing': [('7 1795303426.050000 brk(NULL) =', 'cut')],
    'result-letters': [('7 1795303426.050000 brk(NULL) = three', 'cut')],
    'result-twice': [('7 1795303426.050000 open("a", 0) = 3 0', 'cut')],
    'bracket-missing': [('7 1795303426.050000 read(3, "x", 1', 'cut')],
    'string-open': [('7 1795303426.050000 write(3, "xyz', 'cut')],
    'resumed-cut': [('7 1795303426.050000 <... read resumed>"x', 'cut')],
    'other-time': [('7 23:23:46.050000 brk(NULL) = 0x1', 'other-time')],
    'time-before': [('7 1795303425.000000 brk(NULL) = 0x1', None)],
    'time-huge': [('7 99999999999.000000 brk(NULL) = 0x1', 'no-line')],
    'time-decimals': [('7 1795303426.0500000000 brk(NULL) = 0x1', 'no-line')],
    'thread-huge': [('123456789012 brk(NULL) = 0x1', 'no-line')],
    'nul': [('7 1795303426.050000 brk(NULL\0) = 0x1', 'nul')],
    'tail-of-nothing': [(') = 5', 'no-line')],
    'output-behind-cut': [('7 1795303426.050000 write(1, "a\\nb", 3a', 'cut')],
    'open-at-the-end': [('8 1795303426.050000 read(9,  <unfinished ...>', None)],
    'two': [('?', 'no-line'), ('7 1795303426.050000 read(', 'cut'),
            ('7 1795303426.060000 brk(0x1', 'cut')],
}

FAIL = {
    'blank-lines': '\n\n\n',
    'prose': 'once upon a time\nthere was (a) call\nthat did = nothing\n',
    'only-comments': '# a\n# b\n',
    'only-notes': '+++ exited\n--- SIGCHLD\nstrace\n',
    'cut-calls': 'open("a\nread(3\nfwrite(4, "\n',
    'summary': '% time     seconds  usecs/call     calls    errors syscall\n'
               '------ ----------- ----------- --------- --------- ----------------\n'
               '100.00    0.000001           1         1           total\n',
}


def damaged(folder):
    for name, lines in DAMAGED.items():
        text = [GOOD[0]] + [line for line, _ in lines] + GOOD[1:]
        write(f'{folder}/damaged/{name}.strace', '\n'.join(text) + '\n')
        counts, offset = {}, len(GOOD[0]) + 1
        for line, reason in lines:
            if reason is not None:
                counts.setdefault(reason, [0, offset])[0] += 1
            offset += len(line.encode()) + 1
        bad = sum(count for count, _ in counts.values())
        write(f'{folder}/damaged/{name}.strace.expected',
              f'events\t{len(text) - bad}\nrejected\t{bad}\n' + ''.join(
                  f'reason\t{reason}\t{count}\t{first}\n' for reason, (count, first) in
                  counts.items()))
    for name, text in FAIL.items():
        write(f'{folder}/fail/{name}.strace', text)
    write(f'{folder}/fail/empty.strace', '')


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(text.encode())


def main(folder):
    until = 86400_000000000 - 2_000000 - BASE % DAY  # so that midnight falls into the run
    forms = {
        'column': dict(took=True),
        'interrupted': dict(),
        'names': dict(took=True, names=True),
        'relative': dict(times='relative', took=True),
        'midnight': dict(times='day', shift=until),
        'seconds': dict(times='seconds'),
        'error': dict(pids='brackets', torn=True),
        'coloured': dict(pids='brackets', torn=True, colours=True, times='day'),
    }
    damaged(folder)
    for name, flags in forms.items():
        printer = Printer(program(), **flags).print()
        write(f'{folder}/ok/{name}.strace', '\n'.join(printer.lines) + '\n')
        write(f'{folder}/expected/{name}.tsv', printer.expected())
    printer = Printer(program(), took=True)
    for tid in (100, 101, 102):
        write(f'{folder}/ok/threads/out.{tid}', printer.print_thread(tid))
    write(f'{folder}/expected/threads.tsv', printer.expected())


if __name__ == '__main__':
    main(sys.argv[1])
