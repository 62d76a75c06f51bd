"""Starts a service for the tests of a client. It needs Python 3.9 or newer and nothing else.

With pytest, write `pytest_plugins = ["svctest"]` into conftest.py. Then every test that has an argument `world` gets a
world of its own, and all tests share one process.
"""

import json
import os
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

try:
    import pytest
except ImportError:  # the classes work without it
    pytest = None


class ControlError(Exception):
    """An error of the control plane."""


class World:
    """An isolated instance with its own URL, data and tokens."""

    def __init__(self, control_url, members):
        self._control_url = control_url
        self.name = members.get("name", "main")
        self.url = members["url"]
        self.username = members["username"]
        self.password = members["password"]
        self.token = members["token"]
        self.tokens = {user["username"]: user["token"] for user in members["users"]}

    def reset(self):
        """Gives the world the data that it began with."""
        self._call("POST", "/reset")

    def settle(self, timeout=60):
        """Waits until nothing is queued or running in the background."""
        self._call("POST", "/settle", {"timeout": timeout})

    def forward(self, seconds):
        """Moves the clock forward, and runs what is due by then."""
        return self._call("PUT", "/clock", {"forward": seconds, "timeout": 60})

    def set_clock(self, now):
        """Makes the clock show a time (a datetime with a time zone), and runs what is due by then."""
        return self._call("PUT", "/clock", {"now": now.isoformat(), "timeout": 60})

    def real_time(self):
        """Lets the clock show the real time again."""
        return self._call("DELETE", "/clock")

    def fault(self, kind, **members):
        """Makes requests fail: fault("status", status=429, retry_after=1, path="/api/v4/projects/**", every=3)."""
        return self._call("POST", "/faults", {"kind": kind, **members})

    def clear_faults(self):
        """Removes all faults."""
        self._call("DELETE", "/faults")

    def requests(self, **query):
        """Returns received requests: requests(path="/api/v4/user", method="GET", status=200, count=1, timeout=5)."""
        return self._list("/requests", query)

    def mails(self, **query):
        """Returns the mails of the world: mails(to="jane@example.com", count=1, timeout=5)."""
        return self._list("/mails", query)

    def webhooks(self, **query):
        """Returns the webhook deliveries of the world: webhooks(event="Push Hook", count=1, timeout=5)."""
        return self._list("/webhooks", query)

    def delete(self):
        """Throws the world away."""
        self._call("DELETE", "")

    def _list(self, path, query):
        return self._call("GET", path + "?" + urllib.parse.urlencode(query))

    def _call(self, method, path, body=None):
        return _call(self._control_url, method, "/worlds/" + urllib.parse.quote(self.name) + path, body)


class Service(World):
    """A running service; it is also its world main. Use it in a with statement, or call stop."""

    def __init__(self, *args, binary=None):
        command = [binary or os.environ.get("SVC_BINARY") or "svc", "serve", "--ephemeral", "--test-mode"]
        # The service ends when its standard input is closed, also by the death of this process.
        command += ["--stop-with-stdin", "--log-level=warn", *args]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        late = threading.Timer(60, self._process.kill)
        late.start()
        line = self._process.stdout.readline()
        late.cancel()
        if not line:
            self._process.wait()
            raise RuntimeError("the service does not start; its messages are above")
        ready = json.loads(line)
        super().__init__(ready["control_url"], ready)
        self.control_url, self.version, self.data = ready["control_url"], ready["version"], ready["data"]

    def world(self, **members):
        """Makes a world: world(seed=7), world(fixtures="version: 1\n…"), world(token_ttl=5, send_webhooks=True)."""
        return World(self.control_url, _call(self.control_url, "POST", "/worlds", members))

    def stop(self):
        """Ends the service."""
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def _call(control_url, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(control_url + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise ControlError(f"{method} {path}: {error.code} {error.read().decode()}") from None
    return json.loads(text) if text else None


if pytest:

    @pytest.fixture(scope="session")
    def svc():
        """One service for all tests."""
        with Service() as service:
            yield service

    @pytest.fixture
    def world(svc):
        """A world for one test."""
        made = svc.world()
        yield made
        made.delete()
