"""Chromium by its DevTools protocol: a page to open, click, type and look at. Standard library alone."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


def program():
    return next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)


class Socket:
    """As much of WebSocket as the protocol needs: text frames, whole messages."""

    def __init__(self, url):
        host, path = url[len("ws://"):].split("/", 1)
        name, port = host.split(":")
        self.s = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.s.sendall((f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.s.recv(4096)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        assert b" 101 " in head.split(b"\r\n")[0], head

    def take(self, count):
        while len(self.rest) < count:
            more = self.s.recv(1 << 16)
            if not more:
                raise EOFError("the browser closed the connection")
            self.rest += more
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = b"\x81" + (bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size))
        repeated = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big") if size else b""
        self.s.sendall(head + mask + masked)

    def receive(self):
        whole = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            data = self.take(size)
            if first & 15 in (0, 1):
                whole += data
                if first & 128:
                    return whole.decode()


class Page:
    """One tab. Console errors, exceptions and refused loads are kept in `faults`."""

    def __init__(self, browser, width, height, dark=False):
        made = json.load(urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{browser.port}/json/new?about:blank", method="PUT")))
        self.browser, self.socket, self.last, self.faults, self.width, self.height = browser, Socket(made["webSocketDebuggerUrl"]), 0, [], width, height
        for domain in ("Page", "Runtime", "Log", "DOM"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=browser.downloads)

    def size(self, width, height):
        self.width, self.height = width, height
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def heard(self, message):
        kind, told = message.get("method"), message.get("params", {})
        if kind == "Runtime.exceptionThrown":
            self.faults.append(told["exceptionDetails"].get("exception", {}).get("description") or told["exceptionDetails"]["text"])
        elif kind == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.faults.append(" ".join(str(a.get("value", a.get("description"))) for a in told["args"]))
        elif kind == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.faults.append(told["entry"]["text"] + " " + told["entry"].get("url", ""))

    def call(self, method, **params):
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.heard(message)

    def js(self, code):
        got = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"].get("exception", {}).get("description", "") + "\n" + code[:300])
        return got["result"].get("value")

    def wait(self, code, what=None, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.js(f"Boolean({code})"):
                return
            time.sleep(0.05)
        raise AssertionError(f"in vain: {what or code}\n" + str(self.js("document.querySelector('main')?.innerText"))[-1800:] + "\n" + "\n".join(self.faults))

    def open(self, address):
        self.call("Page.navigate", url=address)

    def click(self, find):
        """By a CSS selector, or by the text of a button or link: a real click, where it is seen. What arrives late may move it away from under the mouse: then once more."""
        for _ in range(5):
            where = self.js(f"""(async () => {{ const find = {json.dumps(find)}; let el; try {{ el = document.querySelector(find); }} catch {{}}
                el ||= [...document.querySelectorAll('button, a, label.button, summary')].find(e => e.offsetParent && e.innerText.trim().startsWith(find));
                if (!el) return null;
                const soon = () => new Promise(done => setTimeout(done, 30)), place = () => {{ el.scrollIntoView({{ block: 'center' }}); const r = el.getBoundingClientRect(); return [r.x + Math.min(r.width / 2, 60), r.y + r.height / 2]; }};
                let was = place(), now;
                for (let i = 0; i < 60; i++, was = now) {{ await soon(); now = place(); if (now[0] === was[0] && now[1] === was[1]) break; }}
                window.wasHit = false; el.addEventListener('click', () => {{ window.wasHit = true; }}, {{ once: true, capture: true }}); return was; }})()""")
            assert where, f"nothing to click: {find}\n" + str(self.js("document.body.innerText"))[:1500]
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], button="left", clickCount=1)
            if self.js("window.wasHit") is not False:  # nothing is known of it on a page that was left
                return
        raise AssertionError(f"it is not reached by a click: {find}")

    def key(self, name, text=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Backspace": 8}
        text = {"Enter": "\r", " ": " "}.get(name, name if len(name) == 1 else None) if text is None else text
        shared = {"key": name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper())), "modifiers": modifiers, "code": {" ": "Space"}.get(name, name)}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **({"text": text} if text else {}), **shared)
        self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path, whole=False):
        more = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            more = {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": self.width, "height": min(size["height"], 4000), "scale": 1}}
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"]))

    def upload(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        self.call("DOM.setFileInputFiles", files=[os.path.abspath(path)], nodeId=self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"])


class Browser:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="scrim-browser-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        self.process = subprocess.Popen([program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
                                         "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-port=0", f"--user-data-dir={self.folder}/profile", "about:blank"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = os.path.join(self.folder, "profile", "DevToolsActivePort")
        until = time.monotonic() + 60
        while not (os.path.exists(told) and open(told).read().count("\n")):
            assert time.monotonic() < until and self.process.poll() is None, "Chromium did not start"
            time.sleep(0.1)
        self.port = int(open(told).read().split("\n")[0])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
