import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const api = createClient<paths>({
  baseUrl: `${process.env.URL}/api/v4`,
  headers: { "PRIVATE-TOKEN": process.env.TOKEN },
});

const { data: me } = await api.GET("/user");
console.log("Signed in as", me?.username);

const { data: project, error } = await api.POST("/projects", { body: { name: "Fetch tool" } });
if (error) throw new Error(JSON.stringify(error));
console.log("Created", project.path_with_namespace);
const path = { id: project.path_with_namespace };
for (const n of [1, 2, 3, 4, 5]) {
  await api.POST("/projects/{id}/issues", { params: { path: { id: project.id } }, body: { title: `Task ${n}` } });
}

for (let page = 1; page > 0; ) {
  const { data: issues = [], response } = await api.GET("/projects/{id}/issues", {
    params: { path, query: { page, per_page: 2, sort: "asc" } },
  });
  for (const issue of issues) console.log("Page", page, "has", issue.title);
  page = Number(response.headers.get("x-next-page")); // empty on the last page
}

const missing = await api.GET("/projects/{id}", { params: { path: { id: "root/missing" } } });
console.log("Error", missing.response.status, missing.error?.message);
const refused = await api.POST("/projects", { body: {} });
console.log("Error", refused.response.status, JSON.stringify(refused.error));
