"""Where the daemon under test runs: on this machine, or on a board reached by ssh with a serial adapter beside it."""
import os
import pathlib
import shlex
import subprocess
import termios
import threading
import tty

RELEASE = pathlib.Path(__file__).resolve().parent.parent / ".build/release"


class Here:
    """This machine; simulated time runs as fast as the case asks."""

    is_here = True
    tracker = str(RELEASE / "tracker")
    device_cli = str(RELEASE / "device-cli")
    device = None

    def scale(self, wanted):
        return wanted

    def command(self, words):
        return [str(word) for word in words]

    def run(self, words, timeout=30):
        return subprocess.run(self.command(words), capture_output=True, text=True, timeout=timeout, check=False)

    def write(self, path, text):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text(text)

    def folder(self, bench, name):
        folder = bench.folder / name
        folder.mkdir(exist_ok=True)
        return str(folder)

    def daemon_command(self, words, folder):
        """The command that starts a daemon; `folder` is what `folder()` gave for it."""
        return self.command(words)

    def signal(self, process, folder, number):
        """Signals the daemon that `daemon_command` started there."""
        if process.poll() is None:
            process.send_signal(number)

    def bridge(self, link):
        """Nothing to do: the daemon opens the simulator's pseudo-terminal itself."""

    def forward(self, port):
        """Nothing to do: the server is on this machine."""

    def leave(self):
        """Nothing to put back."""


class Board(Here):
    """A board with the tracker installed. `ssh` is a command that takes one shell line, like "ssh pi@board"; `player`
    is the serial adapter whose TX is wired to the board's receiver port `device`. Time is real there."""

    is_here = False

    def __init__(self, ssh, player, device, baud=9600):
        self.ssh = shlex.split(ssh)
        self.player = player
        self.device = device
        self.baud = baud
        self.tracker = "tracker"
        self.device_cli = "device-cli"
        self._tunnels = []
        self._folders = []
        self._stop = threading.Event()

    def scale(self, wanted):
        return 1

    def command(self, words):
        # exec: the line's process is the program itself, so that its exit status is the program's.
        return [*self.ssh, "exec " + shlex.join(str(word) for word in words)]

    def write(self, path, text):
        line = f"mkdir -p {shlex.quote(os.path.dirname(path))} && cat > {shlex.quote(str(path))}"
        subprocess.run([*self.ssh, line], input=text, text=True, check=True, timeout=30)

    def folder(self, bench, name):
        made = self.run(["mktemp", "-d"])
        if made.returncode != 0:
            raise RuntimeError(f"{' '.join(self.ssh)} does not work: {made.stderr.strip()}")
        self._folders.append(made.stdout.strip())
        return made.stdout.strip()

    def daemon_command(self, words, folder):
        # The shell's process becomes the daemon's, so its number is the daemon's too.
        return [*self.ssh, f"echo $$ > {folder}/pid && exec " + shlex.join(str(word) for word in words)]

    def signal(self, process, folder, number):
        # In one shell line on the board; a daemon that has ended already is no fault.
        subprocess.run([*self.ssh, f"kill -{int(number)} $(cat {folder}/pid)"], capture_output=True, timeout=30)

    def bridge(self, link):
        """Copies the simulator's pseudo-terminal to the adapter, at the receiver's baud."""
        source = os.open(link, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(source)
        target = os.open(self.player, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(target)
        speed = getattr(termios, f"B{self.baud}")
        settings = termios.tcgetattr(target)
        settings[4] = settings[5] = speed
        termios.tcsetattr(target, termios.TCSANOW, settings)
        threading.Thread(target=self._copy, args=(source, target), daemon=True).start()

    def _copy(self, source, target):
        try:
            while not self._stop.is_set():
                data = os.read(source, 512)
                if not data:
                    break
                os.write(target, data)
        except OSError:
            pass
        finally:
            os.close(source)
            os.close(target)

    def forward(self, port):
        """The server's port, reached from the board at its own 127.0.0.1."""
        if os.path.basename(self.ssh[0]) != "ssh":
            return
        self._tunnels.append(subprocess.Popen(
            [self.ssh[0], "-N", "-o", "ExitOnForwardFailure=yes", "-R", f"{port}:127.0.0.1:{port}", *self.ssh[1:]],
            stdin=subprocess.DEVNULL))

    def leave(self):
        self._stop.set()
        for tunnel in self._tunnels:
            tunnel.terminate()
            tunnel.wait()
        for folder in self._folders:
            self.run(["rm", "-rf", folder])
        self._tunnels, self._folders, self._stop = [], [], threading.Event()
