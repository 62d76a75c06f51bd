package cipages

import (
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"

	"svc/server/domain/ci/launch"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/secret"
)

// digest identifies the text of a CI file.
func digest(content []byte) string { return hex.EncodeToString(secret.Digest(string(content))) }

// errChanged refuses to overwrite a change of somebody else.
var errChanged = errors.New("the file has changed since the page was opened")

// saveConfig commits a valid CI file to a branch.
func (p *Pages) saveConfig(v *page.Visit, request launch.Request, view lintView) error {
	files := launch.ConfigFiles(v.Project.Project)
	if !v.May(access.PushCode) || len(files) == 0 {
		return apierr.Forbidden()
	}
	ctx := v.Request().Context()
	_, err := p.Writer.Write(ctx, *v.Project, commit.Edit{
		Branch: request.Ref, Message: view.Message,
		Build: func(_ git.Repo, parent string) ([]git.Change, error) {
			change := git.Change{Action: git.ActionCreate, Path: files[0], Content: []byte(view.Text)}
			if parent == "" {
				return []git.Change{change}, nil
			}
			name, content, err := p.Launcher.ReadConfig(ctx, v.Project.Project, parent)
			if err != nil {
				return nil, err
			}
			if name != "" {
				change.Action, change.Path = git.ActionUpdate, name
				if digest(content) != view.Seen {
					return nil, errChanged
				}
			}
			return []git.Change{change}, nil
		},
	})
	if err == nil {
		to := at(v, "ci/lint") + "?" + url.Values{"ref": {request.Ref}}.Encode()
		return v.Done(to, "The file was saved in a commit on "+request.Ref+".")
	}
	form := page.Form{Action: v.Request().URL.Path}
	if errors.Is(err, errChanged) {
		view.Problem = "The file has changed since you opened this page. Copy your text, open the page again, and put your changes in."
		return p.showLint(v, http.StatusConflict, view)
	}
	status, err := v.Fill(err, &form)
	if err != nil {
		return err
	}
	for _, mistake := range form.Mistakes {
		view.Problem += mistake + " "
	}
	return p.showLint(v, status, view)
}
