package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// issueWithNotes makes an issue with a public note and an internal one.
func issueWithNotes(t *testing.T, owner *harness.Caller, p model.Project, body string) issue {
	t.Helper()
	made := read[issue](t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues", p.ID), body), 201)
	notes := fmt.Sprintf("/projects/%d/issues/%d/notes", p.ID, made.IID)
	expect(t, owner.JSON("POST", notes, `{"body":"for everybody"}`), 201, "")
	expect(t, owner.JSON("POST", notes, `{"body":"for reporters","internal":true}`), 201, "")
	return made
}

// noteBodies returns the notes of an issue that a caller can read.
func noteBodies(t *testing.T, c *harness.Caller, p model.Project, iid int64) string {
	t.Helper()
	var all []string
	for _, n := range read[[]struct{ Body string }](t,
		c.Send("GET", fmt.Sprintf("/projects/%d/issues/%d/notes?sort=asc", p.ID, iid), ""), 200) {
		all = append(all, n.Body)
	}
	return strings.Join(all, "|")
}

func TestIssuesAreCopiedByReportersOfBothProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	open := func(p *model.Project) { p.Visibility = model.Public }
	public, private := h.Project(*owner.User.NamespaceID, open), h.Project(*owner.User.NamespaceID)
	mine := h.Project(*owner.User.NamespaceID, open)
	for _, p := range []model.Project{public, private} {
		hidden := map[bool]string{true: "403 403 403", false: "404 404 403"}[p.ID == public.ID]
		members := newCallersByRole(h, p)
		for _, role := range everyRole[1:8] {
			h.JoinProject(mine, members[role].User, model.Owner)
		}
		for _, action := range []string{"clone", "move"} {
			members.statuses(t, action+" from", "401 "+hidden+" 201 201 201 201 201", func(c *harness.Caller) harness.Answer {
				found := issueWithNotes(t, owner, p, `{"title":"a"}`)
				return c.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/%s", p.ID, found.IID, action),
					fmt.Sprintf(`{"to_project_id":%d,"with_notes":true}`, mine.ID))
			})
			members.statuses(t, action+" into", "401 "+hidden+" 201 201 201 201 201", func(c *harness.Caller) harness.Answer {
				found := issueWithNotes(t, owner, mine, `{"title":"a"}`)
				return c.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/%s", mine.ID, found.IID, action),
					fmt.Sprintf(`{"to_project_id":%d,"with_notes":true}`, p.ID))
			})
		}
	}
}

func TestCopiesOfIssuesRevealNothingThatReadersMayNotSee(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, stranger := h.NewUser(), h.NewUser()
	open := func(p *model.Project) { p.Visibility = model.Public }
	public, other, private := h.Project(*owner.User.NamespaceID, open), h.Project(*owner.User.NamespaceID, open),
		h.Project(*owner.User.NamespaceID)
	closed := h.Project(*owner.User.NamespaceID, open, func(p *model.Project) { p.IssuesAccessLevel = model.FeaturePrivate })
	for _, c := range []struct {
		from, to  model.Project
		body      string
		says, got string // text in the issue and in its copy
	}{
		{public, other, `{"title":"a"}`, other.FullPath + "#", public.FullPath + "#"},
		{public, public, `{"title":"a"}`, public.FullPath + "#", public.FullPath + "#"},
		{public, private, `{"title":"a"}`, "another project", public.FullPath + "#"},
		{private, public, `{"title":"a"}`, public.FullPath + "#", "another project"},
		{closed, public, `{"title":"a"}`, public.FullPath + "#", "another project"},
		{public, other, `{"title":"a","confidential":true}`, "another project", "another project"},
		{public, public, `{"title":"a","confidential":true}`, "another issue", "another issue"},
	} {
		for action, done := range map[string]string{"clone": "cloned", "move": "moved"} {
			if action == "move" && c.from.ID == c.to.ID {
				continue
			}
			found := issueWithNotes(t, owner, c.from, c.body)
			made := read[issue](t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/%s", c.from.ID, found.IID, action),
				fmt.Sprintf(`{"to_project_id":%d,"with_notes":true}`, c.to.ID)), 201)
			if said := noteBodies(t, owner, c.from, found.IID); !strings.Contains(said, done+" to "+c.says) {
				t.Errorf("%s of %s from %s to %s: the issue says %q", action, c.body, c.from.Path, c.to.Path, said)
			}
			said := noteBodies(t, owner, c.to, made.IID)
			if !strings.Contains(said, done+" from "+c.got) || !strings.Contains(said, "for reporters") ||
				!strings.Contains(said, "for everybody") {
				t.Errorf("%s of %s from %s to %s: the copy says %q", action, c.body, c.from.Path, c.to.Path, said)
			}
			if c.to.Visibility == model.Public && !made.Confidential &&
				strings.Contains(noteBodies(t, stranger, c.to, made.IID), "for reporters") {
				t.Errorf("%s: everybody reads the internal notes of the copy", action)
			}
		}
	}
}

func TestIssuesOfArchivedProjectsCannotBeCopied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p, mine := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public }),
		h.Project(*owner.User.NamespaceID)
	found := issueWithNotes(t, owner, p, `{"title":"a"}`)
	in := fmt.Sprintf("/projects/%d/issues/%d", p.ID, found.IID)
	expect(t, owner.JSON("PUT", in, `{"discussion_locked":true}`), 200, "")
	expect(t, owner.Send("POST", fmt.Sprintf("/projects/%d/archive", p.ID), ""), 201, "")
	before := noteBodies(t, owner, p, found.IID)
	for _, action := range []string{"clone", "move"} {
		newCallersByRole(h, p).statuses(t, action, "401 403 403 403 403 403 403 403 403", func(c *harness.Caller) harness.Answer {
			if c.User.ID != 0 && !c.User.Admin {
				h.JoinProject(mine, c.User, model.Owner)
			}
			return c.JSON("POST", in+"/"+action, fmt.Sprintf(`{"to_project_id":%d}`, mine.ID))
		})
	}
	if after := noteBodies(t, owner, p, found.IID); after != before {
		t.Errorf("the notes were %q and are %q", before, after)
	}
}

func TestACopyOfAnIssueHasItsWeight(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	from, to := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	all := fmt.Sprintf("/projects/%d/issues", from.ID)
	type weighed struct {
		IID    int64
		Weight *int64
	}
	for _, action := range []string{"clone", "move"} {
		for body, want := range map[string]string{
			`{"title":"a","weight":3}`: "3", `{"title":"a","weight":0}`: "0", `{"title":"a"}`: "none",
		} {
			made := read[weighed](t, owner.JSON("POST", all, body), 201)
			copied := read[weighed](t,
				owner.JSON("POST", fmt.Sprintf("%s/%d/%s", all, made.IID, action), fmt.Sprintf(`{"to_project_id":%d}`, to.ID)), 201)
			got := "none"
			if copied.Weight != nil {
				got = fmt.Sprint(*copied.Weight)
			}
			if got != want {
				t.Errorf("%s of %s has the weight %s", action, body, got)
			}
		}
	}
}
