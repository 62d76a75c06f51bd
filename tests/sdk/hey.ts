import { client } from "./client/client.gen.js";
import { createProject, createProjectIssue, getCurrentUser, getProject, listProjectIssues } from "./client/index.js";

client.setConfig({ baseUrl: `${process.env.URL}/api/v4`, auth: process.env.TOKEN });

const { data: me } = await getCurrentUser();
console.log("Signed in as", me?.username);

const { data: project } = await createProject({ body: { name: "Hey tool" }, throwOnError: true });
console.log("Created", project.path_with_namespace);
const path = { id: project.path_with_namespace };
for (const n of [1, 2, 3, 4, 5]) {
  await createProjectIssue({ path: { id: project.id }, body: { title: `Task ${n}` }, throwOnError: true });
}

for (let page = 1; page > 0; ) {
  const { data: issues, response } = await listProjectIssues({
    path, query: { page, per_page: 2, sort: "asc" }, throwOnError: true,
  });
  for (const issue of issues) console.log("Page", page, "has", issue.title);
  page = Number(response.headers.get("x-next-page")); // empty on the last page
}

const missing = await getProject({ path: { id: "root/missing" } });
console.log("Error", missing.response?.status, missing.error?.message);
const refused = await createProject({ body: {} });
console.log("Error", refused.response?.status, JSON.stringify(refused.error));
