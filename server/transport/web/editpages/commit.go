package editpages

import (
	"svc/server/domain/repository/commit"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// changed is the reason of a refusal if somebody else has changed the file meanwhile.
const changed = "Somebody has changed this file since you opened the page. Compare your text with the current file, or commit to a new " +
	"branch, which begins where you did."

// commitFields are the fields of every page that makes a commit.
func (p *Pages) commitFields(v *page.Visit, in place, message string) ([]page.Field, error) {
	target, hint := in.Branch, "Another name makes a new branch."
	may, err := p.Pusher.MayPush(v.Request().Context(), *v.Project, in.Branch)
	if err != nil {
		return nil, err
	}
	if !may {
		target = v.Actor.User.Username + "-patch-" + page.Short(in.Commit)
		hint = "You may not push to " + in.Branch + ", so this makes a new branch."
	}
	return []page.Field{
		{Name: "message", Label: "Commit message", Type: "textarea", Rows: 3, Value: message, Required: true},
		{Name: "branch", Label: "Branch", Type: "text", Value: target, Hint: hint, Required: true, Autocomplete: "off"},
	}, nil
}

// commit makes a commit with changes of files. If the form names another branch, it begins at the commit that the person
// has seen. It returns the branch.
func (p *Pages) commit(v *page.Visit, in place, changes []git.Change, seen []commit.Seen) (string, error) {
	edit := commit.Edit{Branch: v.Value("branch"), Message: v.Text("message"), Changes: changes, Seen: seen}
	broken := map[string][]string{}
	if edit.Message == "" {
		broken["message"] = []string{"can't be blank"}
	}
	if edit.Branch == "" {
		broken["branch"] = []string{"can't be blank"}
	}
	if err := page.Broken(broken); err != nil {
		return "", err
	}
	if in.Commit != "" && edit.Branch != in.Branch {
		edit.Start, edit.Seen = commit.Start{SHA: in.Commit}, nil
		if shown := v.Value("head"); git.LooksLikeID(shown) {
			edit.Start.SHA = shown
		}
	}
	_, err := p.Writer.Write(v.Request().Context(), *v.Project, edit)
	return edit.Branch, err
}
