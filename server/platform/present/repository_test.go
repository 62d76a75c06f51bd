package present

import (
	"testing"
	"time"

	"svc/store/git"
	"svc/store/model"
)

func TestACommitAndAComparison(t *testing.T) {
	t.Parallel()
	who := git.Person{Name: "Ann", Email: "ann@example.com", When: noon.In(time.FixedZone("", 5400))}
	c := git.Commit{
		ID: "ed899a2f4b50b4370feeea94676502b42383c746", Parents: []string{"4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
		Author: who, Committer: who,
		Message: "Title\n\nBody <b>\n",
	}
	golden(t, "commit", free.Commit(model.Project{FullPath: "acme/web"}, c))
	golden(t, "commit_first", free.Commit(model.Project{FullPath: "acme/web"}, git.Commit{ID: c.ID}))
	of := ComparisonInput{Project: model.Project{FullPath: "acme/web"}, From: "ä b", To: "topic/x", Straight: true, Unified: true}
	golden(t, "comparison", free.Comparison(of, git.Comparison{Cut: true, Commits: []git.Commit{c}, Files: []git.FileDiff{
		{
			OldPath: "a", NewPath: "b", OldMode: "100644", NewMode: "100755", Status: 'R', Head: "--- a/a\n+++ b/b\n",
			Text: "@@ -1 +1 @@\n-a\n+b\n",
		},
		{OldPath: "n", NewPath: "n", OldMode: "000000", NewMode: "120000", Status: 'A', Head: "--- /dev/null\n", TooLarge: true},
	}}))
	golden(
		t,
		"comparison_same",
		free.Comparison(
			ComparisonInput{Project: model.Project{FullPath: "acme/web"}, From: "main", To: "main", Same: true},
			git.Comparison{},
		),
	)
	golden(t, "tree_entry", TreeEntry(git.ListEntry{Entry: git.Entry{ID: c.ID, Name: "docs", Mode: 0o40000}, Path: "a/docs"}))
	golden(t, "contributor", Contributor(git.Author{Name: "Ann", Email: "ann@example.com", Commits: 3}, 5, 7))
}
