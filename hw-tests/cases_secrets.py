"""What is secret stays secret: everything that the daemon and its commands write or say is searched for it (E-194)."""
import base64
import os
import pathlib
import stat

from bench import free_port
from case_list import case
from cases_server import driving, stored, sync
from daemon import get
from peers import Peer
from tls import Authority, Nginx

# Where credentials may stand: what `sync configure` kept, and the copy of the last good configuration.
VAULT = {"sync.json", "config.last-good.yaml"}
ASKED = [
    ["status"], ["status", "--json"], ["sync", "status"], ["sync", "status", "--json"], ["sync", "test"],
    ["sync", "test", "--json"], ["sync", "now"], ["sync", "request", "--json"], ["sync", "quarantine", "list"],
    ["decisions", "--json"], ["raw"], ["judged"], ["fixture"], ["gnss", "status", "--json"], ["gnss", "sky"],
    ["fence", "list"], ["fence", "history"], ["odometer"], ["points"], ["count"], ["sessions", "--json"],
    ["session", "show"], ["session", "show", "--json"], ["config", "show"], ["config", "show", "--json"],
    ["link", "--json"], ["power", "--json"], ["battery", "--json"], ["sensors", "--json"],
]
# Answered by what is written in the configuration, without the daemon.
TOLD = [["config", "explain"], ["config", "check"]]


class Secrets:
    """Words that must not come up, and everything that was said so far."""

    def __init__(self):
        self.words = {}
        self.said = []

    def new(self, name):
        return self.hold(name, f"s3cret-{name}-{os.urandom(6).hex()}")

    def hold(self, name, word):
        self.words[name] = word
        return word

    def ask(self, tracker, when):
        """Every command, and all files of the state directory as they are at this moment: the log ahead of the database."""
        for words in ASKED:
            answer = tracker.cli(*words, "--socket", tracker.socket, timeout=60)
            self.said.append((f"{when}, {' '.join(words)}", answer.stdout + answer.stderr))
        for words in TOLD:
            answer = tracker.cli(*words, *([tracker.config] if words[-1] == "check" else []))
            self.said.append((f"{when}, {' '.join(words)}", answer.stdout + answer.stderr))
        self.look(tracker, when)

    def tell(self, tracker, when, *words):
        answer = tracker.cli(*words, "--socket", tracker.socket)
        self.said.append((f"{when}, {' '.join(words[:2])}", answer.stdout + answer.stderr))
        return answer.returncode

    def look(self, tracker, when):
        for place, _, names in os.walk(tracker.state):
            for name in names:
                file = pathlib.Path(place) / name
                try:
                    mode, data = file.stat().st_mode, file.read_bytes()
                except FileNotFoundError:
                    continue
                if name in VAULT:
                    tracker.expect(stat.S_IMODE(mode) == 0o600, f"{name} for the service user alone")
                else:
                    self.said.append((f"{when}, {name}", data))
        self.said.append((f"{when}, the log", tracker.log.read_bytes()))

    def expect_kept(self, tracker):
        tracker.expect(len(self.said) > 50, "something was said")
        for where, text in self.said:
            data = text if isinstance(text, bytes) else text.encode()
            for name, word in self.words.items():
                tracker.expect(word.encode() not in data, f"no {name} in: {where}")


@case("No credential is in anything the daemon writes or says, whatever the server does (E-194)", seconds=60)
def web(bench):
    secrets = Secrets()
    token = bench.folder / "token"
    token.write_text(f"X-Api-Key: {secrets.new('file')}\n")
    token.chmod(0o600)
    server = bench.server(
        answers=f"500,garbage,cut,half,422,302>https://elsewhere.example/?token={secrets.new('redirect')},429+5,200*")
    authority = Authority(bench)
    pair, ours = authority.issue("good"), authority.issue("cart-07")
    secrets.hold("key", ours.key.read_text().splitlines()[2])
    settings = f"ssl_client_certificate {authority.certificate}; ssl_verify_client on;"
    with Nginx(bench, server.port, pair, settings=settings) as proxy:
        tracker, _ = driving(
            bench, url=f"{proxy.url}?token={secrets.new('query')}", caFile=authority.certificate,
            clientCertificate=ours.certificate, clientKey=ours.key, credentialFile=token,
            headers={"Authorization": f"Bearer {secrets.new('header')}"})
        out = bench.folder / "recorded"
        secrets.said.append(("record", tracker.cli(
            "record", "--out", str(out), "--seconds", "2", "--socket", tracker.socket).stderr))
        tracker.wait_for(lambda status: get(status, "queue.failures", 0) > 0, 60, "a failure")
        secrets.ask(tracker, "failing")
        tracker.wait_for(lambda status: get(status, "queue.uploadedThisRun", 0) > 0, 90, "points arrive")
        secrets.ask(tracker, "taken")
        server.stop()
        server = bench.server(port=server.port, answers="403*")
        tracker.wait_for(lambda status: get(status, "queue.state") == "halted", 60, "a 403")
        secrets.ask(tracker, "halted")
        server.stop()
        server = bench.server(port=server.port, answers="401*")
        secrets.tell(tracker, "halted", "sync", "resume")
        tracker.wait_for(lambda status: get(status, "queue.state") == "unconfigured", 60, "a 401")
        secrets.ask(tracker, "refused")
    refused_urls(bench, tracker, secrets)
    configured(tracker, secrets, proxy)
    secrets.ask(tracker, "refused connection")
    with Nginx(bench, server.port, authority.self_signed("self"), port=proxy.port):
        tracker.wait_for(lambda status: get(status, "queue.lastAnswer") == "failed: tls", 60, "TLS fails")
        secrets.ask(tracker, "untrusted")
    with Nginx(bench, server.port, port=proxy.port):
        tracker.wait_for(lambda status: "curl 35" in get(status, "queue.problem", ""), 60, "no TLS there")
        secrets.ask(tracker, "no TLS")
    tracker.stop()
    secrets.look(tracker, "stopped")
    secrets.said.append(("record", out.read_bytes() if out.exists() else b""))
    secrets.expect_kept(tracker)


def refused_urls(bench, tracker, secrets):
    """Addresses and headers that are wrong are refused without being repeated."""
    word = secrets.new("userinfo")
    for url in (f"https://cart:{word}@localhost/points", f"https//localhost/{word}", f"mqtts://cart:{word}@localhost"):
        status = secrets.tell(tracker, "wrong address", "sync", "configure", "--url", url)
        tracker.expect(status == 1, f"refused, not {status}")
        wrong = bench.folder / "wrong.yaml"
        wrong.write_text(f'upload:\n  url: "{url}"\n')
        answer = tracker.cli("config", "check", str(wrong))
        tracker.expect(answer.returncode == 1, "config check refuses it")
        secrets.said.append(("config check", answer.stdout + answer.stderr))
    secrets.tell(tracker, "wrong header", "sync", "configure", "--url", "https://localhost/", "--header", f"Bearer {word}")


def configured(tracker, secrets, proxy):
    lines = pathlib.Path(tracker.folder) / "lines"
    lines.write_text(f"Authorization: Bearer {secrets.new('configured')}\n")
    url = f"{proxy.url}/{secrets.new('path')}"
    status = secrets.tell(tracker, "configured", "sync", "configure", "--url", url, "--headers-from", str(lines))
    tracker.expect(status == 0, f"taken, not {status}")
    lines.unlink()
    tracker.wait_for(lambda status: get(status, "queue.lastAnswer") == "failed: connect", 60, "nobody listens")


class Mosquitto(Peer):
    """The distribution's broker with one account."""

    def __init__(self, bench, user, password):
        self.port = free_port()
        config, accounts = bench.folder / "mosquitto.conf", bench.folder / "accounts"
        # Made with a salt of its own; the broker takes plain text nowhere.
        digest = bench.place.run(["mosquitto_passwd", "-c", "-b", accounts, user, password])
        config.write_text(f"listener {self.port} 127.0.0.1\npassword_file {accounts}\nuser root\n")
        super().__init__(bench, "mosquitto", ["-c", config])
        self.wait_until(lambda: digest.returncode == 0 and self.listens(self.port), "it listens")


@case("No password of a broker is in anything the daemon writes or says (E-194)", seconds=20)
def broker(bench):
    secrets = Secrets()
    password = secrets.new("password")
    with Mosquitto(bench, "cart", password) as peer:
        def basic(word):
            return secrets.hold(f"basic {len(secrets.words)}", base64.b64encode(f"cart:{word}".encode()).decode())

        upload = {"url": f"mqtt://127.0.0.1:{peer.port}/points", "format": "flespi"}
        tracker, _ = driving(bench, **upload, headers={"Authorization": f"Basic {basic(password)}"})
        tracker.wait_for(lambda status: get(status, "queue.uploadedThisRun", 0) > 0, 60, "points arrive")
        secrets.ask(tracker, "taken")
        tracker.reconfigure(upload={"headers": {"Authorization": f"Basic {basic(secrets.new('wrong password'))}"}})
        tracker.wait_for(lambda status: get(status, "queue.state") == "halted", 60, "the broker refuses")
        secrets.ask(tracker, "refused")
    tracker.reconfigure(upload={"headers": {"Authorization": f"Bearer {secrets.new('wrong kind')}"}})
    tracker.wait_for(lambda status: "Basic" in get(status, "queue.problem", ""), 60, "not a broker's credential")
    secrets.ask(tracker, "wrong kind")
    stored(tracker, 3)
    tracker.expect(sync(tracker, "status")[0] == 0, "still there")
    tracker.stop()
    secrets.look(tracker, "stopped")
    secrets.expect_kept(tracker)
