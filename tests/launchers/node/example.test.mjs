import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "svctest";

let svc;
before(async () => {
  svc = await start();
});
after(() => svc.stop());

// The client under test: it returns who has a token, and tries again after 429.
async function username(url, token) {
  for (;;) {
    const response = await fetch(`${url}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } });
    if (response.status !== 429) return (await response.json()).username;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After"))));
  }
}

test("the client tries again", async () => {
  const world = await svc.world();
  await world.fault({ kind: "status", status: 429, retry_after: 1, count: 1 });
  assert.equal(await username(world.url, world.token), "root");
  const sent = await world.requests({ path: "/api/v4/user" });
  assert.deepEqual(sent.map((request) => request.status), [429, 200]);
  await world.delete();
});

test("the client sees the demonstration data", async () => {
  const world = await svc.world({ seed: 7 });
  assert.equal(await username(world.url, world.tokens.ada), "ada");
  await world.delete();
});
