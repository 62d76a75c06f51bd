package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestASubmodulePointsToAnotherCommit(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group().ID, called("web", model.Private))
	maintainer, developer := h.ProjectMember(project, model.Maintainer), h.ProjectMember(project, model.Developer)
	before, after := strings.Repeat("1", 40), strings.Repeat("2", 40)
	r := harness.NewHistory(t)
	r.Write("README.md", "web")
	r.Git("add", "-A")
	r.Git("update-index", "--add", "--cacheinfo", "160000,"+before+",lib/one")
	r.Git("commit", "-q", "-m", "Begin")
	r.Push(maintainer, project, "HEAD:refs/heads/main")
	base := fmt.Sprintf("/projects/%d", project.ID)
	one := base + "/repository/submodules/lib%2Fone"
	body := func(branch, sha, more string) string {
		return `{"branch":"` + branch + `","commit_sha":"` + sha + `"` + more + `}`
	}
	expect(t, h.ProjectMember(project, model.Reporter).JSON("PUT", one, body("main", after, "")), 403, "")
	expect(t, h.NewUser().JSON("PUT", one, body("main", after, "")), 404, "")
	expect(t, developer.JSON("PUT", one, body("main", after, "")), 403, "") // the branch is protected
	expect(t, maintainer.JSON("PUT", one, body("main", "12", "")), 400, "")
	expect(t, maintainer.JSON("PUT", one, `{"branch":"main"}`), 400, `{"error":"commit_sha is missing"}`)
	expect(t, maintainer.JSON("PUT", one, body("main", before, "")), 400, `{"message":"The submodule is already at `+before+`"}`)
	for _, path := range []string{"README.md", "lib", "none", "lib%2Fnone"} {
		expect(t, maintainer.JSON("PUT", base+"/repository/submodules/"+path, body("main", after, "")), 400,
			`{"message":"The submodule's path is invalid"}`)
	}
	made := maintainer.JSON("PUT", one, body("main", after, ""))
	expect(t, made, 200, "")
	if member(t, made, "title") != "Update submodule lib/one to "+after {
		t.Errorf("%s", made.Body)
	}
	tree := maintainer.Send("GET", base+"/repository/tree?path=lib", "")
	if !strings.Contains(tree.Body, after) || !strings.Contains(tree.Body, `"mode":"160000"`) {
		t.Errorf("%s", tree.Body)
	}
	made = maintainer.JSON("PUT", one, body("main", before, `,"commit_message":"Go back"`))
	if expect(t, made, 200, ""); member(t, made, "title") != "Go back" {
		t.Errorf("%s", made.Body)
	}
}
