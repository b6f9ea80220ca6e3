"""TLS for real: the distribution's nginx in front of the simulated server, with certificates made on the spot."""
import socket
import subprocess
import threading
import time

import shimmed
from bench import ROOT, free_port
from case_list import case
from cases_journey import expect_all_received_once
from cases_server import driving, stored, sync
from daemon import get
from process import Skipped, spawn
from tls import Authority, Nginx

CLOCK_SHIM = ROOT / "hw-tests/clockshim.c"
PAST = {"begin": "20200101000000Z", "end": "20210101000000Z"}
# OpenSSL's own default refuses TLS 1.1; with this only the tracker's minimum stands in the way.
PERMISSIVE = """openssl_conf = all
[all]
ssl_conf = ssl
[ssl]
system_default = old
[old]
MinProtocol = TLSv1
CipherString = DEFAULT@SECLEVEL=0
"""
OLD = "ssl_ciphers DEFAULT@SECLEVEL=0;"


def secure(authority, port, **others):
    return {"url": f"https://localhost:{port}/points", "caFile": authority.certificate, **others}


def tls_step(tracker):
    """Whether `sync test` was happy, and what it says of TLS."""
    status, said = None, None
    for _ in range(50):
        status, said = sync(tracker, "test")
        if isinstance(said, dict):
            break
        # An upload is under way.
        time.sleep(0.2)
    steps = {step["step"]: (step["verdict"], step["text"]) for step in said["steps"]}
    return status == 0, steps


def refused(tracker, words, facts=()):
    """Waits until the queue says so, with every point kept, and `sync test` as well, with the certificate's facts."""
    seen = tracker.wait_for(
        lambda status: all(word in get(status, "queue.problem", "") for word in words), 60, f"it says {words}")
    tracker.expect(get(seen, "queue.pending") == get(seen, "queue.stored"), "every point still queued")
    tracker.expect(get(seen, "queue.lastAnswer") == "failed: tls", "no status where there was no answer")
    status, page = sync(tracker, "status")
    tracker.expect(status == 0 and all(word in page["problem"] for word in words), f"the reason in sync status: {page}")
    is_good, steps = tls_step(tracker)
    verdict, text = steps["TLS"]
    tracker.expect(not is_good and verdict == "failed" and steps["answer"][0] == "skipped", f"TLS failed: {steps}")
    tracker.expect(all(word in text for word in (*words, *facts)), f"{words} and {facts} in: {text}")


def recovers(tracker, uart, server):
    uart.toggle_silence()
    last = tracker.drain()
    tracker.expect(not get(last, "queue.quarantined"), "nothing set aside")
    expect_all_received_once(tracker, server, get(last, "queue.stored"))


def mended(sentence, words, make, facts=(), seconds=15):
    """A case: a server that `make` gives a certificate is refused, and a good one at its place gets every point."""

    def body(bench):
        server = bench.server()
        authority = Authority(bench)
        with Nginx(bench, server.port, make(bench, authority)) as proxy:
            tracker, uart = driving(bench, **secure(authority, proxy.port))
            stored(tracker, 3)
            refused(tracker, words, facts)
            tracker.expect(server.summary()["requests"] == 0, "no request got through")
        with Nginx(bench, server.port, authority.issue("good"), port=proxy.port):
            recovers(tracker, uart, server)

    case(sentence, seconds=seconds)(body)


mended("An expired certificate of the server is refused, and the points wait for its successor",
       ["certificate has expired", "check the clock"], lambda _, own: own.issue("old", **PAST),
       facts=["subject: CN=localhost", "expire date: Jan  1 00:00:00 2021 GMT", "issuer: CN=Depot Test CA"])
mended("A certificate for another host is refused, and the points wait for the right one", ["subject name", "another host's"],
       lambda _, own: own.issue("other", host="elsewhere.example"), facts=["subject: CN=elsewhere.example"])
mended("A self-signed certificate is refused, and the points wait for one of the authority",
       ["self-signed certificate", "upload.caFile"], lambda _, own: own.self_signed("self"), facts=["subject: CN=localhost"])
mended("A certificate of an unknown authority is refused, and the points wait for one of the known", ["unable to get local issuer",
       "upload.caFile"], lambda bench, _: Authority(bench, "Stranger").issue("theirs"), facts=["issuer: CN=Stranger"])


@case("Over TLS every point arrives once, and sync test names version and certificate", seconds=15)
def good(bench):
    server = bench.server()
    authority = Authority(bench)
    with Nginx(bench, server.port, authority.issue("good")) as proxy:
        tracker, uart = driving(bench, **secure(authority, proxy.port))
        stored(tracker, 5)
        is_good, steps = tls_step(tracker)
        tracker.expect(is_good, f"all good: {steps}")
        for fact in ("TLSv1.3", "subject: CN=localhost", "issuer: CN=Depot Test CA", "expire date: "):
            tracker.expect(fact in steps["TLS"][1], f"{fact} in: {steps}")
        recovers(tracker, uart, server)


def permissive(bench):
    """Words that start a program with OpenSSL's defaults lowered."""
    config = bench.folder / "permissive.cnf"
    config.write_text(PERMISSIVE)
    return ["env", f"OPENSSL_CONF={config}"]


def offers_old(port):
    tried = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10, check=False)
    return "Protocol  : TLSv1.1" in tried.stdout and tried.returncode == 0


@case("A server of TLS 1.1 is refused whatever the system allows, and the points wait for a newer one", seconds=15)
def old_protocol(bench):
    server = bench.server()
    authority = Authority(bench)
    pair = authority.issue("good")
    with Nginx(bench, server.port, pair, protocols="TLSv1.1", settings=OLD) as proxy:
        if not offers_old(proxy.port):
            raise Skipped("this OpenSSL cannot offer TLS 1.1 any more")
        tracker, uart = driving(bench, under=permissive(bench), **secure(authority, proxy.port))
        stored(tracker, 3)
        refused(tracker, ["protocol version", "TLS 1.2"])
    with Nginx(bench, server.port, pair, port=proxy.port):
        recovers(tracker, uart, server)


@case("A broker of TLS 1.1 is refused whatever the system allows", seconds=10)
def old_broker(bench):
    authority = Authority(bench)
    pair = authority.issue("good")
    port = free_port()
    broker = spawn(["openssl", "s_server", "-quiet", "-accept", f"127.0.0.1:{port}", "-tls1_1", "-cipher",
                    "DEFAULT@SECLEVEL=0", "-cert", pair.certificate, "-key", pair.key], bench.folder / "s_server.log")
    try:
        end = time.monotonic() + 5
        while not offers_old(port):
            if time.monotonic() > end:
                raise Skipped("this OpenSSL cannot offer TLS 1.1 any more")
            time.sleep(0.1)
        tracker, _ = driving(bench, under=permissive(bench), url=f"mqtts://localhost:{port}/points",
                             caFile=authority.certificate, format="flespi")
        seen = tracker.wait_for(
            lambda status: "protocol version" in get(status, "queue.problem", ""), 60, "it names the version")
        tracker.expect(get(seen, "queue.lastAnswer") == "failed: tls", "TLS is what failed")
    finally:
        broker.kill()
        broker.wait()


@case("A server that demands a client certificate gets the right one; none, a stranger's and a key open to others are told "
      "and cost no point", seconds=30)
def client_certificate(bench):
    server = bench.server()
    authority = Authority(bench)
    pair, ours, theirs = authority.issue("good"), authority.issue("cart-07"), Authority(bench, "Stranger").issue("cart-07")
    settings = f"ssl_client_certificate {authority.certificate}; ssl_verify_client on;"

    def shown(shown):
        return {"clientCertificate": shown.certificate, "clientKey": shown.key}

    with Nginx(bench, server.port, pair, settings=settings) as proxy:
        tracker, uart = driving(bench, **secure(authority, proxy.port))
        stored(tracker, 3)
        # Seven attempts would look for a poison point if the 400 were taken for one.
        tracker.wait_for(lambda status: get(status, "queue.failures", 0) >= 7, 60, "it has tried often")
        refused(tracker, ["No required SSL certificate", "upload.clientCertificate"])
        for wrong, words in ((shown(theirs), ["SSL certificate error", "upload.clientCertificate"]),
                             ({"clientCertificate": ours.certificate, "clientKey": theirs.key}, ["belong together"])):
            tracker.reconfigure(upload=secure(authority, proxy.port, **wrong))
            refused(tracker, words)
        ours.key.chmod(0o644)
        tracker.reconfigure(upload=secure(authority, proxy.port, **shown(ours)))
        words = ["upload.clientKey", "open to others", "chmod"]
        seen = tracker.wait_for(
            lambda status: all(word in get(status, "queue.problem", "") for word in words), 60, f"it says {words}")
        tracker.expect(get(seen, "queue.pending") == get(seen, "queue.stored"), "every point still queued")
        is_good, steps = tls_step(tracker)
        tracker.expect(not is_good and "chmod" in steps["TLS files"][1], f"the key refused: {steps}")
        ours.key.chmod(0o600)
        tracker.expect(server.summary()["requests"] == 0, "no request got through")
        recovers(tracker, uart, server)


class Cutter:
    """Listens, hears the first word of TLS, and hangs up."""

    def __init__(self, port):
        self.socket = socket.create_server(("127.0.0.1", port))
        self.cuts = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
                client.recv(4096)
                self.cuts += 1
                client.close()
            except OSError:
                return

    def stop(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


@case("A server that hangs up in the middle of the handshake is told from one that is down, and the points wait", seconds=15)
def cut_handshake(bench):
    server = bench.server()
    authority = Authority(bench)
    port = free_port()
    cutter = Cutter(port)
    tracker, uart = driving(bench, **secure(authority, port))
    stored(tracker, 3)
    refused(tracker, ["before TLS was agreed on"])
    cutter.stop()
    with Nginx(bench, server.port, authority.issue("good"), port=port):
        recovers(tracker, uart, server)


@case("A server that is restarted with a renewed certificate goes on being used", seconds=15)
def renewed(bench):
    server = bench.server()
    authority = Authority(bench)
    with Nginx(bench, server.port, authority.issue("first", end="20990101000000Z", begin="20200101000000Z")) as proxy:
        tracker, uart = driving(bench, **secure(authority, proxy.port))
        seen = tracker.wait_for(lambda status: get(status, "queue.uploadedThisRun", 0) > 0, 60, "points arrive")
    with Nginx(bench, server.port, authority.issue("second", end="20980101000000Z", begin="20200101000000Z"),
               port=proxy.port):
        before = get(seen, "queue.uploadedThisRun")
        tracker.wait_for(lambda status: get(status, "queue.uploadedThisRun", 0) > before, 60, "points go on arriving")
        is_good, steps = tls_step(tracker)
        tracker.expect(is_good and "2098" in steps["TLS"][1], f"the renewed one: {steps}")
        recovers(tracker, uart, server)


@case("With a clock that nobody has set TLS is not tried, and it goes on once it is right (E-191, F-31)", seconds=20)
def unset_clock(bench):
    shim, offset = shimmed.build(bench.folder, CLOCK_SHIM), bench.folder / "offset"
    # To the year 1970.
    offset.write_text(str(int(time.time()) - 1_000_000))
    server = bench.server()
    authority = Authority(bench)
    with Nginx(bench, server.port, authority.issue("good")) as proxy:
        tracker = bench.tracker(
            scale=1, service={"healthLoopSec": 10}, geolocation={"intervalMs": 5000, "vehicularIntervalMs": 5000},
            upload={**secure(authority, proxy.port), "autoSyncCoalesceSec": 1})
        uart = bench.uart(bench.journey("urban-drive").log, 1)
        tracker.start(under=["env", f"LD_PRELOAD={shim}", f"CLOCK_OFFSET={offset}"])
        # At this pace the drive's first point is all there is for a minute.
        stored(tracker, 1)
        seen = tracker.wait_for(
            lambda status: "clock is not set" in get(status, "queue.problem", ""), 30, "it says that the clock is not set")
        tracker.expect("failures" not in seen["queue"], "no attempt counted")
        _, steps = tls_step(tracker)
        tracker.expect(steps["clock"][0] == "failed", f"the clock in sync test: {steps}")
        tracker.expect(server.summary()["requests"] == 0, "nothing was sent")
        offset.write_text("0")
        recovers(tracker, uart, server)
