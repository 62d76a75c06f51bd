package conformance

import (
	"context"
	"fmt"
)

// repositories has the content of repositories.
func repositories() Area {
	return Area{Name: "repository", Scenarios: []Scenario{
		{Name: "trees and blobs", Cases: treeCases},
		{Name: "archives", Cases: archiveCases},
		{Name: "comparisons", Cases: compareCases},
		{Name: "changelogs", Cases: changelogCases},
		{Name: "repositories that are there", Cases: repositoryReadCases},
	}}
}

// privateCode are the refusals of reading code in a private project. Guests see the project, but not its code.
var privateCode = map[Caller]int{Anonymous: 404, Outsider: 404, Guest: 403}

var treeCases = []Case{
	{
		Promise: "The files of the default branch are listed, folders first.",
		Allowed: readers, As: Reporter, Status: 200, Refused: privateCode,
		Send: "GET /projects/<project>/repository/tree",
		Has: `[{"id":"*","name":"docs","type":"tree","path":"docs","mode":"040000"},{"name":"src"},
			{"name":"README.md","type":"blob","mode":"100644"}]`,
	},
	{
		Promise: "The tree of a public project can be read without a token.", As: Anonymous,
		Send: "GET /projects/<public_project>/repository/tree", Status: 200, Has: `[{"name":"docs"}]`,
	},
	{
		Promise: "A folder is listed.", As: Reporter, Send: "GET /projects/<project>/repository/tree?path=docs", Status: 200,
		Has: `[{"id":"<project_blob>","name":"guide.md","path":"docs/guide.md"}]`, Then: length(1),
	},
	{
		Promise: "recursive lists every file.", As: Reporter, Send: "GET /projects/<project>/repository/tree?recursive=true", Status: 200,
		Then: length(5),
	},
	{
		Promise: "The tree of a tag is listed.", As: Reporter, Send: "GET /projects/<project>/repository/tree?ref=v1.0.0", Status: 200,
		Has: `[{"name":"README.md"}]`, Then: length(1),
	},
	{Promise: "The tree of a missing ref is 404.", As: Reporter, Send: "GET /projects/<project>/repository/tree?ref=nowhere", Status: 404},
	{Promise: "A missing folder is 404.", As: Reporter, Send: "GET /projects/<project>/repository/tree?path=nowhere", Status: 404},
	{
		Promise: "recursive must be a boolean.", As: Reporter, Send: "GET /projects/<project>/repository/tree?recursive=maybe", Status: 400,
	},
	{
		Promise: "A blob has its size and its content as base64.", Allowed: readers,
		As: Reporter, Send: "GET /projects/<project>/repository/blobs/<project_blob>",
		Status: 200, Has: `{"size":8,"encoding":"base64","content":"IyBHdWlkZQo=","sha":"<project_blob>"}`, Refused: privateCode,
	},
	{
		Promise: "A missing blob is 404.", As: Reporter, Status: 404,
		Send: "GET /projects/<project>/repository/blobs/0000000000000000000000000000000000000001",
	},
	{
		Promise: "A blob is read as bytes.",
		Allowed: readers, As: Reporter, Send: "GET /projects/<project>/repository/blobs/<project_blob>/raw", Status: 200,
		Text: "# Guide", Refused: privateCode,
	},
	{
		Promise: "The bytes of a missing blob are 404.", As: Reporter, Status: 404,
		Send: "GET /projects/<project>/repository/blobs/0000000000000000000000000000000000000001/raw",
	},
}

var archiveCases = []Case{
	{
		Promise: "An archive is a compressed tar by default.",
		As:      Reporter, Send: "GET /projects/<project>/repository/archive", Status: 200,
		Headers: Header{"Content-Disposition": "*"}, Then: begins("\x1f\x8b"), Refused: privateCode,
	},
	{
		Promise: "An archive can be a ZIP file.", As: Reporter, Send: "GET /projects/<project>/repository/archive.zip", Status: 200,
		Then: begins("PK"), Refused: privateCode,
	},
	{
		Promise: "An archive of a folder at a tag.", As: Reporter, Status: 404,
		Send: "GET /projects/<project>/repository/archive.tar?sha=v1.0.0&path=docs",
	},
	{
		Promise: "An archive in another format is refused.",
		As:      Reporter, Send: "GET /projects/<project>/repository/archive.rar", Status: 404,
	},
	{
		Promise: "The archive of a missing ref is 404.",
		As:      Reporter, Send: "GET /projects/<project>/repository/archive?sha=nowhere", Status: 404,
	},
}

var compareCases = []Case{
	{
		Promise: "Two refs are compared.", Allowed: readers,
		As: Reporter, Send: "GET /projects/<project>/repository/compare?from=v1.0.0&to=main", Status: 200,
		Has: `{"commit":{"id":"<project_sha>"},"commits":[{"id":"<project_sha>","title":"Add a guide"}],
			"diffs":[{"new_path":"docs/guide.md","new_file":true},{"new_path":"src/main.go"}],"compare_timeout":false,
			"compare_same_ref":false,"web_url":"*"}`,
		Refused: privateCode,
	},
	{
		Promise: "A ref compared with itself has no commits.", As: Reporter, Status: 200,
		Send: "GET /projects/<project>/repository/compare?from=main&to=main",
		Has:  `{"commit":null,"commits":[],"diffs":[],"compare_same_ref":true}`,
	},
	{Promise: "A comparison needs both refs.", As: Reporter, Send: "GET /projects/<project>/repository/compare?from=main", Status: 400},
	{
		Promise: "A comparison with a missing ref is 404.", As: Reporter,
		Send: "GET /projects/<project>/repository/compare?from=main&to=nowhere", Status: 404,
	},
	{
		Promise: "Contributors are listed with the number of their commits.",
		Allowed: readers, As: Reporter, Status: 200, Refused: privateCode,
		Send: "GET /projects/<project>/repository/contributors?order_by=commits&sort=desc",
		Has:  `[{"name":"*","email":"*","commits":2,"additions":"*","deletions":"*"}]`,
	},
	{
		Promise: "The order of contributors must be known.", As: Reporter,
		Send: "GET /projects/<project>/repository/contributors?order_by=height", Status: 400,
	},
	{
		Promise: "The merge base of two refs is a commit.", Allowed: readers, As: Reporter, Status: 200, Refused: privateCode,
		Send: "GET /projects/<project>/repository/merge_base?refs[]=feature%2Fone&refs[]=main",
		Has: `{"id":"<project_sha>","short_id":"*","title":"Add a guide","parent_ids":["<project_first_sha>"],"message":"*",
			"author_name":"*","authored_date":"*","committed_date":"*"}`,
	},
	{
		Promise: "A merge base needs two refs.",
		As:      Reporter, Send: "GET /projects/<project>/repository/merge_base?refs[]=main", Status: 400,
	},
	{Promise: "A merge base needs refs.", As: Reporter, Send: "GET /projects/<project>/repository/merge_base", Status: 400},
}

// The cases of changelogs use several callers, because products limit how often one caller may ask.
var changelogCases = []Case{
	{
		Promise: "A changelog is generated from the trailers of commits.", As: Reporter, Status: 200,
		Send: "GET /projects/<project>/repository/changelog?version=1.1.0", Has: `{"notes":"*"}`, Text: "Add a guide", Refused: privateCode,
	},
	{Promise: "A changelog needs a version.", As: Developer, Send: "GET /projects/<project>/repository/changelog", Status: 400},
	{
		Promise: "The version must be a semantic version.", As: Developer,
		Send: "GET /projects/<project>/repository/changelog?version=next", Status: 400,
	},
	{
		Promise: "Without a tag before the version, from is needed.", As: Developer,
		Send: "GET /projects/<project>/repository/changelog?version=0.1.0", Status: 422,
	},
	{
		Promise: "A branch for the changelog is created.", As: Maintainer, Send: "POST /projects/<project>/repository/branches",
		JSON: `{"branch":"releases","ref":"main"}`, Status: 201,
	},
	{
		Promise: "A changelog is committed to a file.", As: Maintainer, Send: "POST /projects/<project>/repository/changelog",
		JSON: `{"version":"1.1.0","branch":"releases"}`, Status: 200,
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403, Reporter: 403},
	},
	{
		Promise: "The committed changelog is in the repository.", As: Reporter, Status: 200,
		Send: "GET /projects/<project>/repository/files/CHANGELOG.md/raw?ref=releases", Text: "1.1.0",
	},
	{
		Promise: "Committing a changelog needs a version.", As: Maintainer, Send: "POST /projects/<project>/repository/changelog",
		JSON: `{"branch":"releases"}`, Status: 400,
	},
}

var repositoryReadCases = []Case{
	{Promise: "The tree of a missing project is 404.", Send: "GET /projects/<missing>/repository/tree", Status: 404, Reads: true},
	{
		Promise: "Any commit compared with itself is the same ref.", Reads: true, Status: 200,
		Send: "GET /projects/<project_with_code>/repository/compare?from=<code_sha>&to=<code_sha>", Has: `{"compare_same_ref":true}`,
	},
	{
		Promise: "The contributors of any project are listed.", Reads: true, Status: 200,
		Send: "GET /projects/<project_with_code>/repository/contributors", Then: sortedBy("commits", false),
	},
}

// length checks how many rows a list has.
func length(want int) func(context.Context, *Session, *Answer) error {
	return func(_ context.Context, _ *Session, a *Answer) error {
		if rows, _ := a.JSON.([]any); len(rows) != want {
			return fmt.Errorf("the list has %d rows, expected %d", len(rows), want)
		}
		return nil
	}
}

// begins checks the first bytes of a file.
func begins(want string) func(context.Context, *Session, *Answer) error {
	return func(_ context.Context, _ *Session, a *Answer) error {
		if len(a.Body) < len(want) || string(a.Body[:len(want)]) != want {
			return fmt.Errorf("the file begins with %q", clip(string(a.Body), 8))
		}
		return nil
	}
}
