#!/usr/bin/env python3
"""A proxy between a client and a store on loopback that damages some answers.

    proxy.py FAULT PORT [--match REGEX] [--skip N] [--times N] [--port-file FILE] [--log FILE]

PORT is the store's. Faults apply to requests whose statement (in the query string, or in the first
64 KiB of the body) matches REGEX: after the first N of --skip, to N of --times (default: all). Other
requests are forwarded unchanged. Listens on a free port, which it writes to FILE, until it is killed.

Faults marked with * forward the request: the store executed it.

    none*      no fault: only the log
    lose*      the connection ends without an answer
    short*     half of the body, with the full length in the header
    cut*       one byte of the body is missing, with a matching length
    more*      one byte too many, with a matching length
    changed*   one bit in the middle of the body is flipped
    error*     status 200, and the text of an error after half of the body
    late*      an answer after 3 seconds
    html       status 200 and a page
    endless    status 200 and an endless body
    lengthy    status 200, a length of 10 GB, and as many bytes as are read
    header     endless headers
    redirect   status 302 to a port that records requests (`followed` in the log)
    noise      status 200 and random bytes
    giant      status 200 and a string with a length of 2^63 - 1 bytes
    varint     status 200 and a length with endless bytes
    empty      status 200 and no bytes
    busy       status 500 and code 210, as after a lost connection
    denied     status 401 and code 193, as for a wrong password, with control characters for terminals
    refuse     the connection ends before the request is read

A request for /?become=FAULT&skip=N&times=N changes the options, as a restart would.
"""
import argparse
import http.client
import http.server
import os
import random
import re
import threading
import urllib.parse

TERMINAL = b"Code: 193, e.displayText() = DB::Exception: \x1b[31mWrong password\x1b]0;owned\x07\r\n"
BUSY = b"Code: 210, e.displayText() = DB::NetException: Connection refused (127.0.0.1:9000)\n"
PAGE = b"<!DOCTYPE html><html><body><h1>Welcome to the hotel</h1><script>alert(1)</script></body></html>\n"


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fault = "none"
    store = 0
    match = re.compile("")
    skip = 0
    times = 0
    log_file = None
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    @classmethod
    def note(cls, word):
        with cls.lock:
            cls.log_file.write(word + "\n")
            cls.log_file.flush()

    def chunks(self):
        """Body of a request, also with chunked encoding."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            body = bytearray()
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                body += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return bytes(body)
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def is_faulty(self, body):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("query", [""])[0]
        statement = query + "\n" + body[:65536].decode("latin-1")
        with self.lock:
            if not self.match.search(statement):
                return False
            if Proxy.skip > 0:
                Proxy.skip -= 1
                return False
            if Proxy.times == 0:
                return False
            Proxy.times -= 1
        return True

    def ask(self, body):
        link = http.client.HTTPConnection("127.0.0.1", self.store, timeout=120)
        kept = {k: v for k, v in self.headers.items()
                if k.lower() not in ("host", "connection", "expect", "transfer-encoding", "content-length")}
        link.request(self.command, self.path, body, kept)
        answer = link.getresponse()
        result = answer.status, answer.getheaders(), answer.read()
        link.close()
        return result

    def reply(self, status, body, length=None, headers=()):
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server", "keep-alive"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def forever(self, before, piece):
        self.wfile.write(before)
        sent = 0
        try:
            while True:
                self.wfile.write(piece)
                sent += len(piece)
        except OSError:
            self.note("sent %d" % sent)
        self.close_connection = True

    def alone(self, fault):
        """Faults that do not query the store."""
        head = b"HTTP/1.1 200 OK\r\n"
        if fault == "html":
            self.reply(200, PAGE, headers=[("Content-Type", "text/html")])
        elif fault == "endless":
            self.forever(head + b"Connection: close\r\n\r\n", bytes(1 << 20))
        elif fault == "lengthy":
            self.forever(head + b"Content-Length: 10000000000\r\n\r\n", bytes(1 << 20))
        elif fault == "header":
            self.forever(head, b"X-Filler: " + b"x" * 4000 + b"\r\n")
        elif fault == "redirect":
            self.reply(302, b"", headers=[("Location", "http://127.0.0.1:%d/?elsewhere" % self.server.elsewhere)])
        elif fault == "noise":
            self.reply(200, random.Random(1).randbytes(4096))
        elif fault == "giant":
            self.reply(200, b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f" * 8 + b"some bytes")
        elif fault == "varint":
            self.reply(200, b"\xff" * 4096)
        elif fault == "empty":
            self.reply(200, b"")
        elif fault == "busy":
            self.reply(500, BUSY)
        elif fault == "denied":
            self.reply(401, TERMINAL)
        else:
            self.close_connection = True

    def passed_on(self, fault, status, headers, body):
        """Faults that damage the store's answer."""
        half = len(body) // 2
        if fault == "lose":
            self.close_connection = True
        elif fault == "short":
            self.reply(status, body[:half], len(body), headers)
            self.close_connection = True
        elif fault == "cut":
            self.reply(status, body[:-1], None, headers)
        elif fault == "more":
            self.reply(status, body + b"\x01", None, headers)
        elif fault == "changed":
            self.reply(status, body[:half] + bytes([b ^ 1 for b in body[half:half + 1]]) + body[half + 1:], None, headers)
        elif fault == "error":
            self.reply(status, body[:half] + b"Code: 241, e.displayText() = DB::Exception: Memory limit\n", None, headers)
        else:
            if fault == "late":
                threading.Event().wait(3)
            self.reply(status, body, None, headers)

    def become(self, words):
        with self.lock:
            Proxy.fault, Proxy.skip, Proxy.times = words["become"][0], int(words["skip"][0]), int(words["times"][0])
            self.log_file.seek(0)
            self.log_file.truncate()
        self.reply(200, b"")

    def answer(self):
        words = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        if "become" in words:
            return self.become(words)
        if self.path == "/?elsewhere":
            self.note("followed")
        if self.fault == "refuse" and self.is_faulty(b""):
            self.note("refuse")
            self.close_connection = True
            return
        body = self.chunks()
        fault = self.fault if self.is_faulty(body) else "pass"
        self.note(fault)
        try:
            if fault in ("pass", "none", "lose", "short", "cut", "more", "changed", "error", "late"):
                self.passed_on(fault, *self.ask(body))
            else:
                self.alone(fault)
        except OSError:
            self.close_connection = True

    do_GET = do_POST = answer


def main():
    words = argparse.ArgumentParser()
    words.add_argument("fault")
    words.add_argument("port", type=int)
    words.add_argument("--match", default="")
    words.add_argument("--skip", type=int, default=0)
    words.add_argument("--times", type=int, default=-1)
    words.add_argument("--port-file", default="/dev/stdout")
    words.add_argument("--log", default="/dev/null")
    given = words.parse_args()
    Proxy.fault, Proxy.store, Proxy.match = given.fault, given.port, re.compile(given.match, re.DOTALL)
    Proxy.skip, Proxy.times = given.skip, given.times
    Proxy.log_file = open(given.log, "w", encoding="utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    # A redirect leads back here, to a recorded path.
    server.elsewhere = server.server_address[1]
    with open(given.port_file + ".new" if given.port_file != "/dev/stdout" else "/dev/stdout", "w", encoding="utf-8") as file:
        file.write("%d\n" % server.server_address[1])
    if given.port_file != "/dev/stdout":
        os.rename(given.port_file + ".new", given.port_file)
    server.serve_forever()


main()
