package mergerequestpages

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"svc/server/domain/mergerequest"
	"svc/server/domain/repository/branch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// What a form offers: branches, commits of a comparison, and characters of a title.
const (
	branches = 300
	commits  = 20
	maxTitle = 200
)

// comparison is what a new merge request would merge.
type comparison struct {
	Source, Target string
	Into           string // the path of the target project
	Root           string // the address of the source project
	Commits        []git.Commit
	Total          int
	Known          bool   // the commits were compared
	Change         string // the address on which to choose other branches
}

// choiceView is the content of the page on which a person chooses the branches.
type choiceView struct {
	Action  string
	Fields  []page.Field
	Mistake string
}

// targets returns the projects into which the caller can merge branches of a project: the project that it was forked from, and
// itself.
func (p *Pages) targets(ctx context.Context, source model.ProjectRow) ([]model.ProjectRow, error) {
	all := []model.ProjectRow{source}
	id := source.Project.ForkedFromID
	if id == nil {
		return all, nil
	}
	row, err := p.access.Project(ctx, strconv.FormatInt(*id, 10), access.CreateMergeRequest)
	if page.IsRefusal(err) || store.IsNotFound(err) || err == nil && p.service.CheckMayCreate(ctx, source, row) != nil {
		return all, nil
	}
	return append([]model.ProjectRow{row}, all...), err
}

// target returns the target project that an address or a form names; without one, the first of targets.
func target(targets []model.ProjectRow, id string) (model.ProjectRow, error) {
	for _, row := range targets {
		if id == "" || id == strconv.FormatInt(row.Project.ID, 10) {
			return row, nil
		}
	}
	return model.ProjectRow{}, apierr.Invalid("target_project_id", "is not a project that this one was forked from")
}

// newRequest shows the form for a new merge request, or the choice of its branches if the address does not name one.
// GET /{project}/-/merge_requests/new
func (p *Pages) newRequest(v *page.Visit) error {
	if v.Actor == nil {
		return v.AskToSignIn()
	}
	ctx := v.Request().Context()
	if p.service.CheckMayCreate(ctx, *v.Project, *v.Project) != nil {
		return page.NotFound()
	}
	if v.Project.Project.EmptyRepo { // the list says how to push the first branch
		return v.Redirect(kind.List(v.Project.Project.FullPath))
	}
	source := v.QueryParam("merge_request[source_branch]")
	if source == "" || v.QueryParam("change_branches") != "" {
		return p.showChoice(v, http.StatusOK, "")
	}
	return p.showNew(v, source, v.QueryParam("merge_request[target_branch]"), v.QueryParam("merge_request[target_project_id]"), nil)
}

// showChoice shows the form on which a person chooses branches.
func (p *Pages) showChoice(v *page.Visit, status int, mistake string) error {
	ctx, project := v.Request().Context(), v.Project.Project
	repo, err := p.merger.Repo(project)
	if err != nil {
		return err
	}
	targets, err := p.targets(ctx, *v.Project)
	if err != nil {
		return err
	}
	into, err := p.merger.Repo(targets[0].Project)
	if err != nil {
		return err
	}
	from := v.QueryParam("merge_request[source_branch]")
	sources, err := branchField("merge_request[source_branch]", "Source branch", repo, from)
	if err != nil {
		return err
	}
	chosen := v.QueryParam("merge_request[target_branch]")
	if chosen == "" {
		chosen = targets[0].Project.DefaultBranch
	}
	ends, err := branchField("merge_request[target_branch]", "Target branch", into, chosen)
	if err != nil {
		return err
	}
	view := choiceView{Action: kind.List(project.FullPath) + "/new", Fields: []page.Field{sources}, Mistake: mistake}
	if len(targets) > 1 {
		choice := page.Field{Name: "merge_request[target_project_id]", Label: "Target project", Type: "select"}
		for _, row := range targets {
			choice.Options = append(choice.Options, page.Option{Value: strconv.FormatInt(row.Project.ID, 10), Label: row.Project.FullPath})
		}
		view.Fields = append(view.Fields, choice)
	}
	view.Fields = append(view.Fields, ends)
	return v.Show(page.View{
		Templates: p.templates, Name: "choose", Status: status, Title: "New merge request", Tab: page.TabMerge,
		Crumbs: kind.Crumbs(project.FullPath, 0), Data: view,
	})
}

// branchField is a field with the branches of a repository, the chosen one first.
func branchField(name, label string, repo git.Repo, chosen string) (page.Field, error) {
	f := page.Field{Name: name, Label: label, Type: "select"}
	refs, err := branch.List(repo, func(string) bool { return true })
	slices.SortStableFunc(refs, func(a, b git.Ref) int { return order(b.Name == chosen) - order(a.Name == chosen) })
	for _, ref := range refs[:min(len(refs), branches)] {
		f.Options = append(f.Options, page.Option{Value: ref.Name, Label: ref.Name, Chosen: ref.Name == chosen})
	}
	f.Options = issuablepages.Fit(f.Options)
	if len(f.Options) < len(refs) {
		f.Hint = "Only the first branches are listed. Name others in the address of this page."
	}
	return f, err
}

// order returns a number by which chosen things come first.
func order(chosen bool) int {
	if chosen {
		return 1
	}
	return 0
}

// showNew shows the form for a new merge request, after a refusal with its reason.
func (p *Pages) showNew(v *page.Visit, source, into, projectID string, refused error) error {
	ctx, project := v.Request().Context(), v.Project.Project
	targets, err := p.targets(ctx, *v.Project)
	if err != nil {
		return err
	}
	to, err := target(targets, projectID)
	if err != nil {
		return p.showChoice(v, http.StatusUnprocessableEntity, "The target project is unknown.")
	}
	if into == "" {
		into = to.Project.DefaultBranch
	}
	compared, err := p.compare(ctx, project, to.Project, source, into)
	if err != nil {
		if errors.Is(err, git.ErrNotFound) {
			return p.showChoice(v, http.StatusUnprocessableEntity, "One of the branches does not exist.")
		}
		return err
	}
	remove := to.Project.RemoveSourceBranchAfterMerge
	draft := model.MergeRequestRow{MergeRequest: model.MergeRequest{
		SourceProjectID: &project.ID, Title: defaultTitle(compared), Squash: mergerequest.SquashDefault(to.Project),
		RemoveSourceBranch: &remove,
	}}
	form, err := p.form(ctx, to, draft, kind.List(project.FullPath), "Create the merge request")
	if err != nil {
		return err
	}
	form.Hidden = []page.Field{
		{Name: "source_branch", Value: source},
		{Name: "target_branch", Value: into},
		{Name: "target_project_id", Value: strconv.FormatInt(to.Project.ID, 10)},
	}
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "edit", Status: status, Title: "New merge request", Tab: page.TabMerge,
		Crumbs: kind.Crumbs(project.FullPath, 0), Data: formView{Form: form, Compare: &compared},
	})
}

// compare reads what a new merge request would merge. The commits of a fork are not compared: they may not be in the target
// project yet.
func (p *Pages) compare(ctx context.Context, source, into model.Project, from, to string) (comparison, error) {
	c := comparison{
		Source: from, Target: to, Into: into.FullPath, Root: "/" + source.FullPath,
		Change: kind.List(source.FullPath) + "/new?change_branches=1",
	}
	repo, err := p.merger.Repo(source)
	if err != nil {
		return c, err
	}
	head, err := repo.Ref("refs/heads/" + from)
	if err != nil {
		return c, err
	}
	targetRepo, err := p.merger.Repo(into)
	if err != nil {
		return c, err
	}
	base, err := targetRepo.Ref("refs/heads/" + to)
	if err != nil || source.ID != into.ID {
		return c, err
	}
	ids, err := repo.Between(ctx, base, head)
	if err != nil {
		return c, err
	}
	c.Total, c.Known = len(ids), true
	c.Commits, err = repo.Commits(ctx, ids[:min(len(ids), commits)])
	return c, err
}

// defaultTitle returns the title of the only commit, or the name of the branch in words.
func defaultTitle(c comparison) string {
	if c.Total == 1 {
		return page.Clip(maxTitle, c.Commits[0].Title())
	}
	words := strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(c.Source))
	if words == "" {
		return c.Source
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// create creates a merge request.
// POST /{project}/-/merge_requests
func (p *Pages) create(v *page.Visit) error {
	created, into, err := p.createFrom(v)
	if err != nil {
		source := v.Value("source_branch")
		if source == "" {
			return p.showChoice(v, http.StatusUnprocessableEntity, "Choose a source branch.")
		}
		return p.showNew(v, source, v.Value("target_branch"), v.Value("target_project_id"), explained(err))
	}
	return v.Done(kind.Address(into, created.IID), "The merge request was created.")
}

// createFrom creates the merge request that a form describes, and returns it with the path of its project.
func (p *Pages) createFrom(v *page.Visit) (model.MergeRequest, string, error) {
	ctx, none := v.Request().Context(), model.MergeRequest{}
	sent, err := issuablepages.ReadFields(v)
	if err != nil {
		return none, "", err
	}
	targets, err := p.targets(ctx, *v.Project)
	if err != nil {
		return none, "", err
	}
	into, err := target(targets, v.Value("target_project_id"))
	if err == nil {
		err = p.service.CheckMayCreate(ctx, *v.Project, into)
	}
	if err != nil {
		return none, "", err
	}
	squash, remove := v.Value("squash") != "", v.Value("remove_source_branch") != ""
	prepared, err := p.service.Prepare(ctx, *v.Project, into, mergerequest.New{
		SourceBranch: v.Value("source_branch"), TargetBranch: v.Value("target_branch"), Title: sent.Title, Description: &sent.Description,
		Squash: &squash, RemoveSourceBranch: &remove, AllowCollaboration: v.Value("allow_collaboration") != "", Parts: partsFrom(sent),
	})
	if err != nil {
		return none, "", err
	}
	created, err := p.service.Create(ctx, prepared)
	return created, into.Project.FullPath, err
}
