#!/usr/bin/env python3
"""ClickHouse's HTTP interface on loopback by libchdb, which has no server: for tests with a current version where
its server is not packaged. One statement at a time.

    chdb_server.py LIBRARY FOLDER --port-file FILE

LIBRARY is libchdb.so of npm's @chdb/lib-linux-x64-gnu; FOLDER has its data.
"""
import argparse
import ctypes
import gzip
import http.server
import os
import re
import tempfile
import threading
import urllib.parse


class Engine:
    def __init__(self, library, folder):
        chdb = ctypes.CDLL(library)
        for name, result in (("chdb_connect", ctypes.POINTER(ctypes.c_void_p)), ("chdb_query_n", ctypes.c_void_p),
                             ("chdb_result_error", ctypes.c_char_p), ("chdb_result_buffer", ctypes.c_void_p),
                             ("chdb_result_length", ctypes.c_size_t), ("chdb_destroy_query_result", None)):
            getattr(chdb, name).restype = result
        chdb.chdb_query_n.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
        for name in ("chdb_result_error", "chdb_result_buffer", "chdb_result_length", "chdb_destroy_query_result"):
            getattr(chdb, name).argtypes = [ctypes.c_void_p]
        words = [b"clickhouse", b"--path=" + folder.encode()]
        self.chdb, self.folder, self.lock = chdb, folder, threading.Lock()
        self.link = chdb.chdb_connect(len(words), (ctypes.c_char_p * len(words))(*words))

    def run(self, statement, form):
        """Returns the answer, or the error and None."""
        result = self.chdb.chdb_query_n(self.link[0], statement, len(statement), form, len(form))
        error = self.chdb.chdb_result_error(result)
        answer = None if error else ctypes.string_at(self.chdb.chdb_result_buffer(result), self.chdb.chdb_result_length(result))
        self.chdb.chdb_destroy_query_result(result)
        return error, answer

    def insert(self, statement, rows):
        """libchdb truncates data after a statement at 256 KiB, so they go through a file."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            file.write(rows)
            file.flush()
            return self.run(re.sub(rb"\s+FORMAT\s+(\w+)\s*$", b" FROM INFILE '" + file.name.encode() + rb"' FORMAT \1",
                                   statement), b"TSV")

    def ask(self, settings, body):
        query = settings.pop("query", "").encode("utf-8", "surrogateescape")
        form = settings.pop("default_format", "TabSeparated").encode()
        database = settings.pop("database", "")
        with self.lock:
            if database:
                error, _ = self.run(b"USE `" + database.encode() + b"`", form)
                if error:
                    return error, None
            if query and body and re.match(rb"\s*INSERT", query, re.I):
                return self.insert(query, body)
            return self.run(query + b"\n" + body if query else body, form)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine = None

    def log_message(self, *_):
        pass

    def body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            body = bytearray()
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                body += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return bytes(body)
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self):
        parts = urllib.parse.urlsplit(self.path)
        body = self.body()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if parts.path == "/ping":
            error, answer = None, b"Ok.\n"
        else:
            settings = dict(urllib.parse.parse_qsl(parts.query, errors="surrogateescape"))
            error, answer = self.engine.ask(settings, body)
        answer = error if answer is None else answer
        self.send_response(500 if error else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = answer


def main():
    words = argparse.ArgumentParser()
    words.add_argument("library")
    words.add_argument("folder")
    words.add_argument("--port-file", required=True)
    given = words.parse_args()
    Handler.engine = Engine(given.library, given.folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with open(given.port_file + ".new", "w", encoding="utf-8") as file:
        file.write("%d\n" % server.server_address[1])
    os.rename(given.port_file + ".new", given.port_file)
    server.serve_forever()


main()
