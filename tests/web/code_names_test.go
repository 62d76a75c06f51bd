package web

import (
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
