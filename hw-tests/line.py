"""A serial line in the case's own hands: a pseudo-terminal whose bytes and plug the case controls."""
import os
import termios
import threading
import time
import tty


class Line:
    def __init__(self, link):
        self.link = link
        self.master = None
        self._lock = threading.Lock()
        self.plug()

    def plug(self):
        master, slave = os.openpty()
        tty.setraw(slave)
        os.symlink(os.ttyname(slave), self.link)
        os.close(slave)
        os.set_blocking(master, False)
        with self._lock:
            self.master = master

    def unplug(self):
        with self._lock:
            os.unlink(self.link)
            os.close(self.master)
            self.master = None

    def write(self, data):
        """Sends what fits; a line that nobody reads, or that is unplugged, loses the rest, like a real one."""
        with self._lock:
            if self.master is None:
                return
            try:
                os.write(self.master, data)
            except OSError:
                pass

    def baud(self):
        """The speed the reader has set."""
        speed = termios.tcgetattr(self.master)[4]
        return next((int(name[1:]) for name in dir(termios)
                     if name[0] == "B" and name[1:].isdigit() and getattr(termios, name) == speed), None)


def sentence(body):
    checksum = 0
    for character in body.encode():
        checksum ^= character
    return f"${body}*{checksum:02X}\r\n".encode()


def epoch(second, latitude=4807.038, valid=True):
    """RMC and GGA of one second of a day in 2026, standing in one place."""
    clock = time.strftime("%H%M%S", time.gmtime(second % 86400)) + ".00"
    status, quality, satellites = ("A", 1, "09") if valid else ("V", 0, "00")
    place = f"{latitude:.4f},N,01131.0000,E" if valid else ",,,"
    mode = "A" if valid else "N"
    return (sentence(f"GPRMC,{clock},{status},{place},0.00,0.0,150626,,,{mode}")
            + sentence(f"GPGGA,{clock},{place},{quality},{satellites},0.9,545.4,M,46.9,M,,"))
