"""A server of one's own for a test: started, asked, ended; with a folder that nobody else uses."""
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

SCRIM = os.path.abspath(os.environ.get("SCRIM", "build/scrim"))


class Folder:
    def __enter__(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # debits wait for the disk, and there are many
        self.path = tempfile.mkdtemp(prefix="scrimtest-", dir=memory)
        for name in ("run", "state"):
            os.mkdir(os.path.join(self.path, name), 0o700)
        self.env = dict(os.environ, XDG_RUNTIME_DIR=os.path.join(self.path, "run"), XDG_STATE_HOME=os.path.join(self.path, "state"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def left(self):
        return sorted(os.listdir(os.path.join(self.path, "run")))


class Server:
    def __init__(self, folder, *words, env=None):
        self.folder, self.words, self.env = folder, words, env or folder.env

    def __enter__(self):
        self.process = subprocess.Popen([SCRIM, "serve", "-q", *self.words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env)
        self.address = self.process.stdout.readline().strip()
        assert self.address, self.process.stderr.read()
        rest = self.address.split("://")[1]
        self.port = int(rest.split(":")[1].split("/")[0])
        self.token = rest.split("#")[1] if "#" in rest else ""
        return self

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()

    def confined(self):
        """No new privileges, and a filter of system calls, for every thread."""
        folder = f"/proc/{self.process.pid}/task"
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/status") as file:
                said = dict(line.split(":\t", 1) for line in file if ":\t" in line)
            if said["NoNewPrivs"].strip() != "1" or said["Seccomp"].strip() != "2":
                return False
        return True

    def ask(self, method, path, body=None, token=None, headers=None):
        """(status, headers, bytes)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        given = {"Authorization": "Bearer " + (self.token if token is None else token)}
        given.update(headers or {})
        connection.putrequest(method, path, skip_host="Host" in given)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None and "Content-Length" not in given:
            given["Content-Length"] = str(len(body))
        for name, value in given.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        try:
            if body:
                connection.send(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before it was all sent
        reply = connection.getresponse()
        got = reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read()
        connection.close()
        return got

    def json(self, method, path, body=None, **more):
        status, _, text = self.ask(method, path, body, **more)
        assert status < 300, (method, path, status, text)
        return json.loads(text)

    def job(self, path, body):
        number = self.json("POST", path, body)["job"]
        until = time.monotonic() + 300
        while time.monotonic() < until:
            how = self.json("GET", f"/api/jobs/{number}?wait=5000")
            if how["state"] != "running":
                return how
        raise AssertionError(f"{path} does not end")
