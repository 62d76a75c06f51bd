// Starts a service for the tests of a client. It needs Node.js 20 or newer and nothing else, and works with node:test,
// vitest and jest.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** An isolated instance with its own URL, data and tokens. */
export class World {
  #controlUrl;

  constructor(controlUrl, members) {
    this.#controlUrl = controlUrl;
    this.name = members.name ?? "main";
    this.url = members.url;
    this.username = members.username;
    this.password = members.password;
    this.token = members.token;
    this.tokens = Object.fromEntries(members.users.map((user) => [user.username, user.token]));
  }

  /** Gives the world the data that it began with. */
  reset = () => this.#call("POST", "/reset");

  /** Waits until nothing is queued or running in the background. */
  settle = (timeout = 60) => this.#call("POST", "/settle", { timeout });

  /** Moves the clock forward by seconds, and runs what is due by then. */
  forward = (seconds) => this.#call("PUT", "/clock", { forward: seconds, timeout: 60 });

  /** Makes the clock show a time, and runs what is due by then. */
  setClock = (now) => this.#call("PUT", "/clock", { now: now.toISOString(), timeout: 60 });

  /** Lets the clock show the real time again. */
  realTime = () => this.#call("DELETE", "/clock");

  /** Makes requests fail: fault({ kind: "status", status: 429, retry_after: 1, path: "/api/v4/projects/**", every: 3 }). */
  fault = (fault) => this.#call("POST", "/faults", fault);

  /** Removes all faults. */
  clearFaults = () => this.#call("DELETE", "/faults");

  /** Returns received requests: requests({ path: "/api/v4/user", method: "GET", status: 200, count: 1, timeout: 5 }). */
  requests = (query = {}) => this.#call("GET", `/requests?${new URLSearchParams(query)}`);

  /** Returns the mails of the world: mails({ to: "jane@example.com", count: 1, timeout: 5 }). */
  mails = (query = {}) => this.#call("GET", `/mails?${new URLSearchParams(query)}`);

  /** Returns the webhook deliveries of the world: webhooks({ event: "Push Hook", count: 1, timeout: 5 }). */
  webhooks = (query = {}) => this.#call("GET", `/webhooks?${new URLSearchParams(query)}`);

  /** Throws the world away. */
  delete = () => this.#call("DELETE", "");

  #call = (method, path, body) => call(this.#controlUrl, method, `/worlds/${encodeURIComponent(this.name)}${path}`, body);
}

/** A running service; it is also its world main. */
export class Service extends World {
  #child;

  constructor(child, ready) {
    super(ready.control_url, ready);
    this.#child = child;
    this.controlUrl = ready.control_url;
    this.version = ready.version;
    this.data = ready.data;
  }

  /** Makes a world: world({ seed: 7 }), world({ fixtures: "version: 1\n…" }), world({ token_ttl: 5 }). */
  world = async (members = {}) => new World(this.controlUrl, await call(this.controlUrl, "POST", "/worlds", members));

  /** Ends the service. */
  stop = () =>
    new Promise((resolve) => {
      this.#child.ref();
      this.#child.once("exit", resolve);
      this.#child.stdin.end();
    });
}

/**
 * Starts a service: start(), start({ args: ["--seed=1"], binary: "/path/of/svc" }). It never outlives this process: it ends
 * when its standard input is closed, also by the death of this process.
 */
export async function start({ args = [], binary = process.env.SVC_BINARY || "svc" } = {}) {
  const flags = ["serve", "--ephemeral", "--test-mode", "--stop-with-stdin", "--log-level=warn", ...args];
  const child = spawn(binary, flags, { stdio: ["pipe", "pipe", "inherit"] });
  const ready = await new Promise((resolve, reject) => {
    const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the service does not start; its messages are above")));
    createInterface({ input: child.stdout }).once("line", (line) => {
      clearTimeout(late);
      resolve(JSON.parse(line));
    });
  });
  child.removeAllListeners("exit");
  child.unref(); // the tests may end without stop
  child.stdin.unref();
  child.stdout.unref();
  return new Service(child, ready);
}

async function call(controlUrl, method, path, body) {
  const response = await fetch(controlUrl + path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}
