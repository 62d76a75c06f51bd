import json
import time
import urllib.error
import urllib.request


def username(url, token):
    """The client under test: it returns who has a token, and tries again after 429."""
    request = urllib.request.Request(url + "/api/v4/user", headers={"PRIVATE-TOKEN": token})
    while True:
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)["username"]
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(int(error.headers["Retry-After"]))


def test_the_client_tries_again(world):
    world.fault("status", status=429, retry_after=1, count=1)
    assert username(world.url, world.token) == "root"
    assert [request["status"] for request in world.requests(path="/api/v4/user")] == [429, 200]


def test_the_client_sees_the_demonstration_data(svc):
    world = svc.world(seed=7)
    assert username(world.url, world.tokens["ada"]) == "ada"
    world.delete()
