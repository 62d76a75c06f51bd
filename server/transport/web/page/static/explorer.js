"use strict";
// The explorer of the API: finds operations while one types, and sends the request that the form of an operation describes.
(() => {
  const byID = (id) => document.getElementById(id);
  if (byID("search")) findWhileTyping();
  const page = byID("operation");
  if (!page) return;

  const form = byID("call"), body = byID("body"), who = byID("who"), token = byID("token"), shown = 2 << 20;
  const { method, csrf } = page.dataset, reads = method === "GET";
  let running = null, saved = "";

  class Mistake extends Error {
    constructor(text, control) {
      super(text);
      this.control = control;
    }
  }

  // ---- the form ----

  // values returns what an input has, as a list of names and values; an empty input is not sent.
  function values(field) {
    const { name, kind, comma } = field.dataset, control = field.querySelector("input, select, textarea");
    const lines = () => control.value.split("\n").map((line) => line.trim()).filter(Boolean);
    const list = (all) => (comma ? (all.length ? [[name, all.join(",")]] : []) : all.map((v) => [name.replace(/(\[\])?$/, "[]"), v]));
    let found;
    switch (kind) {
      case "choices": found = list([...control.selectedOptions].map((o) => o.value)); break;
      case "lines": found = list(lines()); break;
      case "pairs": found = lines().map((line) => {
        const at = line.indexOf("=");
        if (at < 1) throw new Mistake(`${name}: write name=value, one a line.`, control);
        return [`${name}[${line.slice(0, at).trim()}]`, line.slice(at + 1).trim()];
      }); break;
      case "file": found = control.files.length ? [[name, control.files[0]]] : []; break;
      case "number":
        if (control.validity.badInput) throw new Mistake(`${name} is not a number.`, control);
        found = control.value === "" ? [] : [[name, control.value]];
        break;
      default: found = control.value === "" ? [] : [[name, control.value]];
    }
    if (!found.length && field.dataset.required) throw new Mistake(`${name} is required.`, control);
    return found;
  }

  function all(place) {
    return [...form.querySelectorAll(`.field[data-in="${place}"]`)].flatMap(values);
  }

  // flat writes the members of a JSON body as fields of a form.
  function flat(value, name) {
    if (Array.isArray(value)) return value.flatMap((item) => flat(item, name + "[]"));
    if (value && typeof value === "object") return Object.entries(value).flatMap(([key, item]) => flat(item, name ? `${name}[${key}]` : key));
    return [[name, value === null ? "" : String(value)]];
  }

  function readJSON() {
    const text = byID("text"), wrong = byID("text-error");
    wrong.textContent = "";
    text.removeAttribute("aria-invalid");
    if (text.value.trim() === "") {
      if (body.dataset.required) throw new Mistake("The body is required.", text);
      return undefined;
    }
    try {
      return JSON.parse(text.value);
    } catch (e) {
      wrong.textContent = "This is not JSON: " + e.message;
      text.setAttribute("aria-invalid", "true");
      throw new Mistake("The body is not JSON.", text);
    }
  }

  // readBody returns the body of the request: its media type, content, and arguments of curl.
  function readBody() {
    if (!body) return {};
    const { kind, media } = body.dataset;
    if (kind === "raw") {
      const file = byID("file").files[0], text = byID("text").value;
      if (file) return { media, content: file, curl: [["--data-binary", "@" + file.name]] };
      return text ? { media, content: text, curl: [["--data-binary", text]] } : {};
    }
    let fields = all("body"), parts = media === "multipart/form-data";
    if (kind === "json") {
      const value = readJSON();
      if (!fields.length) return value === undefined ? {} : { media, content: byID("text").value, curl: [["--data", byID("text").value.trim()]] };
      fields = [...flat(value || {}, ""), ...fields];
      parts = true;
    }
    if (!parts) {
      return fields.length ? { media, content: new URLSearchParams(fields), curl: fields.map(([n, v]) => ["--data-urlencode", n + "=" + v]), own: true } : {};
    }
    const content = new FormData(), curl = [];
    for (const [name, value] of fields) {
      content.append(name, value);
      curl.push(value instanceof File ? ["--form", `${name}=@${value.name}`] : ["--form-string", `${name}=${value}`]);
    }
    return { content, curl, own: true };
  }

  // read returns the request that the form describes.
  function read() {
    const path = page.dataset.path.replace(/\{([^}]+)\}/g, (_, name) => {
      const field = form.querySelector(`.field[data-in="path"][data-name="${CSS.escape(name)}"]`);
      return encodeURIComponent(values(field)[0][1].replace(/%2F/gi, "/")); // some write the slash as %2F already
    });
    const query = all("query").map(([n, v]) => `${encodeURIComponent(n)}=${encodeURIComponent(v)}`).join("&");
    const sent = readBody(), headers = all("header");
    if (sent.media && !sent.own) headers.push(["Content-Type", sent.media]);
    return { path: path + (query ? "?" + query : ""), headers, content: sent.content, curl: sent.curl || [] };
  }

  const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'");

  function command(request) {
    const lines = ["curl"];
    if (!reads && !(method === "POST" && request.curl.length)) lines.push("--request " + method);
    if (who.value === "session" || who.value === "token") lines.push('--header "PRIVATE-TOKEN: $TOKEN"');
    if (who.value === "job") lines.push('--header "JOB-TOKEN: $TOKEN"');
    for (const [name, value] of request.headers) lines.push("--header " + quoted(`${name}: ${value}`));
    for (const [option, value] of request.curl) lines.push(option + " " + quoted(value));
    lines.push(quoted(page.dataset.base + request.path));
    return lines.join(" \\\n  ").replace(/^curl \\\n {2}/, "curl ");
  }

  function update() {
    byID("curl-card").hidden = false;
    let text;
    try {
      text = command(read());
    } catch (e) {
      if (!(e instanceof Mistake)) throw e;
      text = "# " + e.message;
    }
    byID("curl").textContent = text;
  }

  // ---- credentials ----

  function store(value) {
    try {
      if (value) sessionStorage.setItem("svc.explorer", JSON.stringify(value));
      else sessionStorage.removeItem("svc.explorer");
    } catch { /* the browser stores nothing: the token lasts as long as the page */ }
  }

  function stored() {
    try {
      return JSON.parse(sessionStorage.getItem("svc.explorer")) || {};
    } catch {
      return {};
    }
  }

  function credentials() {
    byID("token-part").hidden = who.value !== "token" && who.value !== "job";
  }

  function note(text) {
    byID("token-note").textContent = text;
  }

  // remembered fills in the token of this tab, and warns if it was made for other scopes.
  function remembered() {
    const kept = stored();
    if (kept.who && [...who.options].some((o) => o.value === kept.who)) who.value = kept.who;
    if (kept.token) token.value = kept.token;
    const enough = page.dataset.scopes.split(" ").filter(Boolean);
    if (kept.token && kept.scopes && who.value === "token" && enough.length && !kept.scopes.some((s) => enough.includes(s))) {
      note(`The token of this tab has the scope ${kept.scopes.join(", ")}. This operation needs ${enough.join(" or ")}.`);
    }
  }

  async function make() {
    const button = byID("make");
    button.disabled = true;
    try {
      const answer = await fetch(`/-/explorer/${page.dataset.id}/token`, {
        method: "POST", headers: { "X-CSRF-Token": csrf, Accept: "application/json" }, credentials: "same-origin",
      });
      if (answer.redirected || answer.status !== 201) {
        note("The token was not made. Reload the page; you may have to sign in again.");
        return;
      }
      const made = await answer.json();
      who.value = "token";
      token.value = made.token;
      token.type = "text"; // a new token is shown once
      store({ who: "token", token: made.token, scopes: made.scopes });
      credentials();
      update();
      note(`A token with the scope ${made.scopes.join(", ")} was made. It expires on ${made.expires_at}, and is used now. It is not shown again after you close this tab.`);
    } catch {
      note("The token was not made: the service did not answer.");
    } finally {
      button.disabled = false;
    }
  }

  // ---- sending ----

  function sure(request) {
    const dialog = byID("sure");
    if (!dialog) return Promise.resolve(true);
    byID("sure-call").textContent = method + " " + request.path;
    dialog.showModal();
    byID("sure-no").focus();
    return new Promise((done) => {
      const close = (answer) => () => {
        dialog.onclose = null;
        dialog.close();
        done(answer);
      };
      byID("sure-yes").onclick = close(true);
      byID("sure-no").onclick = close(false);
      dialog.onclose = close(false);
    });
  }

  function complain(e) {
    if (!(e instanceof Mistake)) throw e;
    show({ status: "Not sent", good: false, mistakes: [e.message] });
    if (e.control) {
      for (let d = e.control.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
      e.control.focus();
    }
  }

  async function send(path) {
    if (running) return;
    let request;
    try {
      request = read();
      if ((who.value === "token" || who.value === "job") && !token.value.trim()) throw new Mistake("Paste a token, or make one.", token);
    } catch (e) {
      complain(e);
      return;
    }
    if (path) request.path = path;
    if (page.dataset.ask && !(await sure(request))) return;
    const headers = new Headers(request.headers), options = { method, headers, cache: "no-store", credentials: "omit" };
    if (who.value === "token") headers.set("PRIVATE-TOKEN", token.value.trim());
    if (who.value === "job") headers.set("JOB-TOKEN", token.value.trim());
    if (who.value === "session") {
      options.credentials = "same-origin";
      if (!reads) headers.set("X-CSRF-Token", csrf);
    }
    if (request.content !== undefined) options.body = request.content;
    await exchange(request, options);
  }

  async function exchange(request, options) {
    const button = byID("send"), began = performance.now();
    running = new AbortController();
    options.signal = running.signal;
    button.textContent = "Cancel";
    try {
      const answer = await fetch(request.path, options), content = await answer.blob();
      await present(answer, content, performance.now() - began);
    } catch (e) {
      show({ status: e.name === "AbortError" ? "Canceled" : "No answer", good: false, mistakes: e.name === "AbortError" ? [] : [String(e.message || e)] });
    } finally {
      running = null;
      button.textContent = "Send";
    }
  }

  // ---- the answer ----

  // pretty indents JSON without changing its numbers and texts.
  function pretty(text) {
    let out = "", depth = 0, before = "";
    const line = () => "\n" + "  ".repeat(depth);
    for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
      const closes = part === "}" || part === "]", opened = before === "{" || before === "[";
      if (closes) depth--;
      if (closes ? !opened : opened) out += line();
      out += part;
      if (part === "{" || part === "[") depth++;
      if (part === ",") out += line();
      if (part === ":") out += " ";
      before = part;
    }
    return out;
  }

  const sizeOf = (n) => (n < 1000 ? n + " bytes" : n < 1e6 ? (n / 1e3).toFixed(1) + " kB" : (n / 1e6).toFixed(1) + " MB");

  async function present(answer, content, took) {
    const media = answer.headers.get("Content-Type") || "", json = /json/i.test(media);
    const readable = json || /^text\/|xml|yaml|javascript|urlencoded/i.test(media);
    let text = readable ? await content.slice(0, shown).text() : "", value = null;
    const cut = readable && content.size > shown;
    if (json && !cut) {
      try {
        value = JSON.parse(text);
        text = pretty(text);
      } catch { /* shown as it is */ }
    }
    show({
      status: `${answer.status} ${answer.statusText}`.trim(), good: answer.ok, took, size: content.size, text, cut,
      mistakes: answer.ok ? [] : reasons(answer, value), links: answer.headers.get("Link"), headers: [...answer.headers],
      file: content.size && (cut || !readable) ? { content, name: fileName(answer) } : null,
    });
  }

  // reasons returns what an error says to a person; the hint is last.
  function reasons(answer, value) {
    const found = [];
    const say = (v) => (typeof v === "string" ? v : JSON.stringify(v));
    for (const name of ["message", "error", "error_description", "hint"]) if (value && value[name]) found.push(say(value[name]));
    if (answer.status === 401 && who.value === "session") found.push("Your session may have changed. Reload this page.");
    if (answer.status === 401 && who.value === "none") found.push("This operation needs credentials. Choose them on this page.");
    return found;
  }

  function fileName(answer) {
    const given = /filename="?([^";]+)"?/.exec(answer.headers.get("Content-Disposition") || "");
    return given ? given[1] : page.dataset.id;
  }

  function show(a) {
    byID("answer").hidden = false;
    const status = byID("status");
    status.textContent = a.status;
    status.className = a.good ? "ok" : "no";
    byID("size").textContent = a.took === undefined ? "" : `${Math.round(a.took)} ms, ${sizeOf(a.size)}`;
    const hint = byID("hint"), lines = a.mistakes || [];
    hint.hidden = !lines.length;
    hint.replaceChildren(...lines.map((text) => {
      const p = document.createElement("p");
      p.textContent = text;
      return p;
    }));
    byID("content").textContent = a.text || "";
    byID("headers").textContent = (a.headers || []).map(([n, v]) => `${n}: ${v}`).join("\n");
    links(a.links || "");
    save(a.file, a.cut);
    if (innerWidth < 1024) byID("answer").scrollIntoView({ block: "start" });
  }

  // links makes a button of each page that the header Link names.
  function links(header) {
    byID("pages").replaceChildren(...[...header.matchAll(/<([^>]+)>;\s*rel="([^"]+)"/g)].map(([, target, rel]) => {
      const button = document.createElement("button"), to = new URL(target, location.href);
      button.type = "button";
      button.className = "quiet";
      button.textContent = rel;
      button.title = to.pathname + to.search;
      button.addEventListener("click", () => {
        for (const [name, value] of to.searchParams) {
          const control = document.getElementsByName("query." + name)[0];
          if (control && control.tagName === "INPUT") control.value = value;
        }
        update();
        send(to.pathname + to.search);
      });
      return button;
    }));
  }

  function save(file, cut) {
    if (saved) URL.revokeObjectURL(saved);
    saved = "";
    const place = byID("save");
    place.replaceChildren();
    if (!file) return;
    saved = URL.createObjectURL(file.content);
    const link = document.createElement("a");
    link.href = saved;
    link.download = file.name;
    link.textContent = "Download " + file.name;
    place.append(cut ? "Only the first 2 MB are shown. " : "", link);
  }

  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // pages without https have no clipboard of their own
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  // ---- start ----

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) running.abort();
    else send();
  });
  form.addEventListener("input", update);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      send();
    }
  });
  who.addEventListener("change", () => {
    store({ ...stored(), who: who.value });
    credentials();
  });
  token.addEventListener("input", () => store({ who: who.value, token: token.value }));
  if (byID("make")) byID("make").addEventListener("click", make);
  byID("copy").addEventListener("click", (event) => copy(event.target, byID("curl").textContent));
  byID("copy-token").addEventListener("click", (event) => copy(event.target, token.value));
  remembered();
  credentials();
  update();

  function findWhileTyping() {
    const input = byID("q");
    let timer = 0, last = input.value.trim(), latest = 0;
    const find = async () => {
      const q = input.value.trim();
      if (q === last) return;
      last = q;
      const mine = ++latest, path = "/-/explorer" + (q ? "?q=" + encodeURIComponent(q) : "");
      const answer = await fetch(path, { headers: { Accept: "text/html" } }).catch(() => null);
      if (!answer || !answer.ok || mine !== latest) return;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("results");
      byID("results").replaceChildren(...next.childNodes);
      history.replaceState(null, "", path);
    };
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(find, 150);
    });
  }
})();
