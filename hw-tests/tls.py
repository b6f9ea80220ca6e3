"""A certificate authority made on the spot, and the distribution's nginx as TLS in front of the simulated server."""
import shutil
import subprocess

from bench import free_port
from peers import Peer
from process import Failed, Skipped

ISSUING = """[ca]
default_ca = own
[own]
database = {folder}/index
new_certs_dir = {folder}
rand_serial = yes
unique_subject = no
copy_extensions = copy
default_md = sha256
policy = any
[any]
commonName = supplied
"""

PROXY = """daemon off;
master_process off;
pid {folder}/nginx.pid;
events {{ }}
http {{
    access_log off;
    client_max_body_size 0;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port}{ssl};
        {settings}
        location / {{ {answer} }}
    }}
}}
"""


def openssl(*words):
    if not shutil.which("openssl"):
        raise Skipped("no openssl; 'make setup' installs it")
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode != 0:
        raise Failed(f"openssl {words[0]}: {done.stderr}")


class Pair:
    """A certificate and its key, in files."""

    def __init__(self, folder, name):
        self.certificate = folder / f"{name}.pem"
        self.key = folder / f"{name}.key"


class Authority(Pair):
    """Signs certificates; its own is what `upload.caFile` names."""

    def __init__(self, bench, name="Depot Test CA"):
        self.folder = bench.folder / name.replace(" ", "-")
        self.folder.mkdir()
        super().__init__(self.folder, "authority")
        self.config = self.folder / "openssl.cnf"
        self.config.write_text(ISSUING.format(folder=self.folder))
        (self.folder / "index").write_text("")
        self._request(self, name, "-x509", "-days", "30")

    @staticmethod
    def _request(pair, name, *words, out=None):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", pair.key,
                "-out", out or pair.certificate, "-subj", f"/CN={name}", *words)

    def issue(self, file, host="localhost", begin=None, end=None):
        """`begin` and `end`: like 20200101000000Z; by default valid for the next month."""
        pair = Pair(self.folder, file)
        request = self.folder / f"{file}.csr"
        self._request(pair, host, "-addext", f"subjectAltName=DNS:{host}", out=request)
        span = ["-startdate", begin, "-enddate", end] if end else ["-days", "30"]
        openssl("ca", "-batch", "-notext", "-config", self.config, "-cert", self.certificate, "-keyfile", self.key,
                "-in", request, "-out", pair.certificate, *span)
        return pair

    def self_signed(self, file, host="localhost"):
        pair = Pair(self.folder, file)
        self._request(pair, host, "-x509", "-days", "30", "-addext", f"subjectAltName=DNS:{host}")
        return pair


class Nginx(Peer):
    """nginx on a loopback port, as one process with all its files in the bench's folder. `backend`: the port that it
    passes requests on to; without one it answers them itself, with 200."""

    def __init__(self, bench, backend, pair=None, port=None, protocols="TLSv1.2 TLSv1.3", settings=""):
        self.port = port or free_port()
        folder = bench.folder / f"nginx-{self.port}"
        folder.mkdir(exist_ok=True)
        if pair:
            settings = (f"ssl_certificate {pair.certificate}; ssl_certificate_key {pair.key}; "
                        f"ssl_protocols {protocols}; {settings}")
        config = folder / "nginx.conf"
        answer = f"proxy_pass http://127.0.0.1:{backend}; proxy_http_version 1.1;" if backend else "return 200;"
        config.write_text(PROXY.format(
            folder=folder, port=self.port, answer=answer, settings=settings, ssl=" ssl" if pair else ""))
        super().__init__(bench, "nginx", ["-p", folder, "-e", folder / "error.log", "-c", config])
        self.wait_until(lambda: self.listens(self.port), "it listens")

    @property
    def url(self):
        return f"https://localhost:{self.port}/points"
