package cipages

import (
	"errors"
	"html/template"
	"net/http"
	"strings"

	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/syntax"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// lintView is the content of the page that checks the CI file.
type lintView struct {
	Path, Ref, File string
	Text            string
	MayCheck        bool   // the visitor may check a text of their own
	MaySave         bool   // and commit it
	Seen            string // identifies the text that the visitor has changed
	Message         string // of the commit
	Checked         bool
	Result          launch.LintResult
	Problem         string
	Jobs            []syntax.JobDescription
	MoreJobs        int
	Merged          string
}

const (
	maxLintJobs = 50
	maxMistakes = 20
	shownConfig = 40_000 // bytes of HTML of the CI file
	shownMerged = 25_000 // bytes of HTML of the file with everything that it includes
)

// lint checks the CI file of a ref, which is the default branch if the address names none.
// GET /{project}/-/ci/lint
func (p *Pages) lint(v *page.Visit) error {
	if v.Actor == nil {
		return page.NotFound() // the check runs for a user, as in the API
	}
	view := lintView{Ref: v.QueryParam("ref")}
	request, err := p.lintRequest(v, view.Ref)
	if isMissing(err) && view.Ref == "" {
		return p.showLint(v, http.StatusOK, view) // an empty repository
	}
	if err != nil {
		return page.Hide(err)
	}
	view.Ref = request.Ref
	name, content, err := p.Launcher.ReadConfig(v.Request().Context(), v.Project.Project, request.SHA)
	if err != nil {
		return err
	}
	if view.File = name; name != "" {
		view.Text, view.Checked, view.Seen = string(content), v.May(access.CreatePipeline), digest(content)
	}
	if view.Checked { // only for users who may run pipelines: the file may include others that they must be able to read
		if view.Result, err = p.Launcher.Lint(v.Request().Context(), request, nil, false); err != nil {
			return err
		}
	}
	return p.showLint(v, http.StatusOK, view)
}

// lintText checks a text as if it were the CI file of a ref.
// POST /{project}/-/ci/lint
func (p *Pages) lintText(v *page.Visit) error {
	view := lintView{
		Ref: strings.TrimSpace(v.Value("ref")), Text: strings.ReplaceAll(v.Value("content"), "\r\n", "\n"), Checked: true,
		Seen: v.Value("seen"), Message: v.Value("commit_message"),
	}
	request, err := p.lintRequest(v, view.Ref)
	if isMissing(err) && v.Project.Project.EmptyRepo && (view.Ref == "" || view.Ref == v.Project.Project.DefaultBranch) {
		request.SHA, request.Tag, err = git.Zero, false, nil // an empty repository has no other files
	}
	if isMissing(err) {
		view.Checked, view.Problem = false, "There is no branch or tag “"+view.Ref+"”."
		return p.showLint(v, http.StatusUnprocessableEntity, view)
	}
	if err == nil {
		view.Ref = request.Ref
		view.Result, err = p.Launcher.Lint(v.Request().Context(), request, []byte(view.Text), v.Value("dry_run") != "")
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(view.Result.Errors) > 0 {
		status = http.StatusUnprocessableEntity
	} else if v.Value("save") != "" {
		return p.saveConfig(v, request, view)
	}
	return p.showLint(v, status, view)
}

// lintRequest describes the push of the visitor for which a file is checked.
func (p *Pages) lintRequest(v *page.Visit, ref string) (launch.Request, error) {
	ctx := v.Request().Context()
	user, err := p.Store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return launch.Request{}, err
	}
	return p.Launcher.LintRequest(ctx, *v.Project, user, ref)
}

func isMissing(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

func (p *Pages) showLint(v *page.Visit, status int, view lintView) error {
	view.Path, view.MayCheck = at(v, "ci/lint"), v.May(access.CreatePipeline)
	files := launch.ConfigFiles(v.Project.Project)
	view.MaySave = view.MayCheck && v.May(access.PushCode) && len(files) > 0
	if view.Ref == "" {
		view.Ref = v.Project.Project.DefaultBranch
	}
	if view.File == "" && len(files) > 0 {
		view.File = files[0]
	}
	if view.Message == "" {
		view.Message = "Change the CI file"
	}
	view.Jobs = view.Result.Jobs[:min(len(view.Result.Jobs), maxLintJobs)]
	view.MoreJobs = len(view.Result.Jobs) - len(view.Jobs)
	view.Result.Errors = view.Result.Errors[:min(len(view.Result.Errors), maxMistakes)]
	view.Result.Warnings = view.Result.Warnings[:min(len(view.Result.Warnings), maxMistakes)]
	if len(template.HTMLEscapeString(view.Text)) > shownConfig {
		view.Text, view.Problem = "", "The file is too large to show it here."
	}
	if view.Merged = view.Result.Merged; len(template.HTMLEscapeString(view.Merged)) > shownMerged {
		view.Merged = ""
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "lint", Status: status, Title: "Check the CI file", Tab: page.TabPipelines, Nav: nav(v, "ci/lint"),
		Data: view,
	})
}
