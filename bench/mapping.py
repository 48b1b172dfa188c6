"""Measures `tracetool map` of a whole trace with an image of 64 GiB, compared with a scan of its events and with a
plain UPDATE of as many rows by the sqlite3 shell."""
import os
import shutil
import subprocess
from dataclasses import dataclass, field

from measuring import Failed, say
from peers import forget

FORMAT = "most-binary"
IMAGE_SIZE = "64G"
FILES, FILE_BLOCKS = 16, 150000  # of 4 KiB each: more than the log's sectors


@dataclass
class Mapped:
    """Runs by method."""

    events: int
    image: list = field(default_factory=list)
    map: list = field(default_factory=list)
    scan: list = field(default_factory=list)
    update: list = field(default_factory=list)


class Mapping:
    def __init__(self, shop, log):
        self.shop = shop
        self.log = log
        self.image = shop.path("map.img")
        self.made, self.used = shop.path("map.db"), shop.path("map-used.db")

    def run(self):
        mapped = Mapped(self.shop.events)
        self.make()
        for number in range(self.shop.rounds):
            say(f"files by their blocks, round {number + 1} of {self.shop.rounds}")
            self.round(mapped)
        forget(self.made, self.used)
        os.unlink(self.image)
        return mapped

    def make(self):
        commands = "".join(f"write /dev/null file{i}\nfallocate file{i} 0 {FILE_BLOCKS - 1}\n"
                           for i in range(FILES))
        forget(self.made, self.image)
        self.quietly(["mke2fs", "-q", "-F", "-t", "ext4", self.image, IMAGE_SIZE])
        self.quietly(["debugfs", "-w", "-f", "-", self.image], commands)
        self.quietly(self.shop.tracetool.import_command(self.made, self.log, FORMAT))

    @staticmethod
    def quietly(command, words=""):
        done = subprocess.run(command, input=words.encode(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False,
                              env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")

    def fresh(self):
        """Copies the database, so that each method begins with the same state."""
        forget(self.used)
        shutil.copyfile(self.made, self.used)
        os.sync()

    def round(self, mapped):
        tool, run = self.shop.tracetool, self.shop.measure.run
        mapped.image.append(run([tool.program, "map", "--list", self.image]))
        mapped.scan.append(run(tool.report_command(self.made, ["rw", "--from", "0.000000001"])))
        self.fresh()
        mapped.map.append(run(tool.command(self.used, "map", "bench", "--image", self.image)))
        self.fresh()
        # Drops the triggers of other programs' changes, which are not part of the UPDATE.
        self.quietly(["sqlite3", self.used], "DROP TRIGGER event_updated; DELETE FROM event_column;")
        mapped.update.append(run(["sqlite3", self.used, "UPDATE event SET flags = flags | 1 << 22,"
                                  " object = ifnull(object, 0) + 1"]))


def measure_mapping(shop, log):
    """None and a doubt on failure."""
    try:
        return Mapping(shop, log).run()
    except (Failed, OSError) as failed:
        shop.doubts.append(f"Files by their blocks: {failed}.")
        return None
