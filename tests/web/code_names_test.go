package web

import (
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestFilesWithTheNamesOfOtherAddressesHavePages(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path = "roof" })
	local := harness.NewHistory(t)
	local.Write("raw/beam.txt", "oak")
	local.Write("x.git", "not a repository")
	local.Commit("Ann <ann@example.com>", "Lay the beams")
	local.Push(owner, project)
	b := h.SignedIn(owner.User)
	for path, text := range map[string]string{
		"/-/blob/main/raw/beam.txt": "oak", "/-/tree/main/raw": "beam.txt", "/-/blob/main/x.git": "not a repository",
	} {
		path = "/" + project.FullPath + path
		checkPage(t, b.Get(path), 200, path, text)
	}
}

// Programs and old texts link to pages without the separator. Only those who may see a page are led to it.
func TestOldAddressesLeadToThePages(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	group := h.Group(func(g *model.Namespace) { g.Path = "issues" })
	h.Join(group, owner.User, model.Owner)
	outsider := h.SignedIn(h.NewUserWithPassword().User)
	b := h.SignedIn(owner.User)
	for _, project := range []model.Project{
		h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path = "tags" }), h.Project(group.ID),
	} {
		local := harness.NewHistory(t)
		local.Write("beam.txt", "oak")
		local.Commit("Ann <ann@example.com>", "Lay the beams")
		local.Push(owner, project)
		for old, text := range map[string]string{
			"/blob/main/beam.txt": "oak", "/tree/main": "beam.txt", "/commits/main": "Lay the beams", "/issues?state=all": "Issues",
			"/compare/main...main": "main", "/branches": "main", "/merge_requests": "Merge requests",
		} {
			path, _, _ := strings.Cut(old, "?")
			checkPage(t, b.Get("/"+project.FullPath+old), 200, "/"+project.FullPath+"/-"+path, text)
			hidden(t, outsider, "/"+project.FullPath+old)
		}
		hidden(t, b, "/"+project.FullPath+"/wings/1")
	}
}
