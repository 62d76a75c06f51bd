package web

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
)

// A text whose HTML would make the page larger than 150 KB is named as too large, instead of being in a form.
func TestVeryLargeTextsAreNotChangedInForms(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	api := fmt.Sprintf("/projects/%d/", s.project.ID)
	for _, name := range []string{"small", "large"} {
		if got := s.owner.JSON("POST", api+"repository/branches?ref=old&branch=to-"+name, ""); got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
	}
	for name, size := range map[string]int{"small": 20_000, "large": 30_000} {
		text := strings.Repeat("<", size)
		made(t, s.owner, api+"wikis", fmt.Sprintf(`{"title":%q,"content":%q}`, name, text))
		issue, _ := made(t, s.owner, api+"issues", fmt.Sprintf(`{"title":%q,"description":%q}`, name, text))
		_, note := made(t, s.owner, fmt.Sprintf("%sissues/%d/notes", api, issue), fmt.Sprintf(`{"body":%q}`, text))
		milestone, _ := made(t, s.owner, api+"milestones", fmt.Sprintf(`{"title":%q,"description":%q}`, name, text))
		made(t, s.owner, api+"releases", fmt.Sprintf(`{"tag_name":%q,"ref":"main","description":%q}`, name, text))
		request, _ := made(t, s.owner, api+"merge_requests",
			fmt.Sprintf(`{"title":%q,"description":%q,"source_branch":"main","target_branch":%q}`, name, text, "to-"+name))
		change := fmt.Sprintf(
			`{"branch":"main","commit_message":"Add it","actions":[{"action":"create","file_path":%q,"content":%q}]}`, name, text,
		)
		if got := s.owner.JSON("POST", api+"repository/commits", change); got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
		for _, path := range []string{
			"wiki/edit/" + name, "edit/main/" + name, fmt.Sprintf("issues/%d/edit", issue),
			fmt.Sprintf("issues/%d/notes/%d/edit", issue, note),
			fmt.Sprintf("milestones/%d/edit", milestone), "releases/" + name + "/edit", fmt.Sprintf("merge_requests/%d/edit", request),
		} {
			page := b.Get(s.root + "/-/" + path)
			if name == "small" {
				checkPage(t, page, 200, "", "")
				has(t, page, "&lt;&lt;&lt;")
				continue
			}
			checkPage(t, page, 422, "", "in the browser")
			lacks(t, page, "&lt;&lt;&lt;")
		}
	}
}

// A form of a snippet has the files that fit, and names the other ones.
func TestLargeFilesOfASnippetAreNotInItsForm(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	file := func(name string) string {
		return fmt.Sprintf(`{"file_path":%q,"content":%q}`, name, strings.Repeat("<", 15_000))
	}
	_, id := made(t, s.owner, "/snippets", `{"title":"Nails","visibility":"private","files":[`+file("a.txt")+","+file("b.txt")+"]}")
	page := s.SignedIn(s.owner.User).Get(fmt.Sprintf("/-/snippets/%d/edit", id))
	checkPage(t, page, 200, "", "b.txt is not text, or too large to be changed here. Change it with git.")
	has(t, page, `value="a.txt"`)
	lacks(t, page, `value="b.txt"`)
}
