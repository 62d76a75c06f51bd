// Runs gitbeaker against a running service: tests/sdk/run starts one.
import assert from "node:assert/strict";
import { Gitlab } from "@gitbeaker/rest";

const api = new Gitlab({ host: process.env.SVC_URL, token: process.env.SVC_ROOT_TOKEN });
assert.equal((await api.Users.showCurrentUser()).username, "root");

// Users: create, list by both paginations, change, delete.
for (let i = 0; i < 5; i++) {
  await api.Users.create({ name: `Js ${i}`, username: `js${i}`, email: `js${i}@example.com`, password: "correct horse battery", skipConfirmation: true });
}
assert.equal((await api.Users.all({ search: "Js ", perPage: 2 })).length, 5);
const ids = (await api.Users.all({ pagination: "keyset", orderBy: "id", sort: "asc", perPage: 3 })).map((u) => u.id);
assert.deepEqual(ids, [...ids].sort((a, b) => a - b));
assert.ok(ids.length >= 6);
const [user] = await api.Users.all({ username: "JS1" });
assert.equal((await api.Users.edit(user.id, { name: "Renamed", bio: "about me" })).bio, "about me");
const [last] = await api.Users.all({ username: "js4" });
await api.Users.remove(last.id);

// Groups and their members.
const top = await api.Groups.create("Js top", "js-top", { visibility: "public" });
const sub = await api.Groups.create("Js sub", "js-sub", { parentId: top.id, visibility: "public" });
assert.equal((await api.Groups.show("js-top/js-sub")).id, sub.id);
assert.ok((await api.Groups.all({ perPage: 2 })).some((g) => g.full_path === "js-top"));
assert.equal((await api.Groups.edit(top.id, { description: "changed" })).description, "changed");
await api.GroupMembers.add(top.id, 30, { userId: user.id });
assert.equal((await api.GroupMembers.edit(top.id, user.id, 40)).access_level, 40);
assert.ok((await api.GroupMembers.all(sub.id, { includeInherited: true })).some((m) => m.id === user.id && m.access_level === 40));
await api.GroupMembers.remove(top.id, user.id);

// Projects and their members.
for (let i = 0; i < 5; i++) {
  await api.Projects.create({ name: `Js project ${i}`, namespaceId: top.id, visibility: "public", topics: ["js"] });
}
assert.equal((await api.Projects.all({ topic: "js", perPage: 2 })).length, 5);
assert.equal((await api.Projects.all({ topic: "js", pagination: "keyset", orderBy: "id", sort: "asc", perPage: 2 })).length, 5);
const project = await api.Projects.show("js-top/js-project-1");
assert.equal((await api.Projects.edit(project.id, { description: "changed" })).description, "changed");
await api.ProjectMembers.add(project.id, 20, { userId: user.id });
assert.equal((await api.ProjectMembers.edit(project.id, user.id, 30)).access_level, 30);
assert.ok((await api.ProjectMembers.all(project.id)).some((m) => m.id === user.id));
await api.ProjectMembers.remove(project.id, user.id);
await api.Projects.remove(project.id);
await assert.rejects(api.Projects.show(project.id), (e) => e.cause.response.status === 404);
await api.Groups.remove(top.id);
console.log("gitbeaker is served");
