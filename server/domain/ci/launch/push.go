package launch

import (
	"context"
	"errors"
	"slices"
	"strings"

	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// maxPipelinesPerPush is the largest number of refs in one push that get a pipeline.
const maxPipelinesPerPush = 4

// pushSource is the source of pipelines for pushes.
const pushSource = "push"

// Push describes a push.
type Push struct {
	Project model.Project
	UserID  int64
	Batch   string // unique ID of the push
	Changes []git.Command
	Options []string
}

// Pushed is the background job that creates the pipeline of one pushed ref.
type Pushed struct {
	ProjectID int64    `json:"project_id"`
	UserID    int64    `json:"user_id"`
	Batch     string   `json:"batch"`
	Ref       string   `json:"ref"`
	Old       string   `json:"old"`
	New       string   `json:"new"`
	Options   []string `json:"options,omitempty"`
}

// Kind returns the name of the background job.
func (Pushed) Kind() string { return "ci_push" }

// QueuePush queues the pipelines of a push, in the transaction that ends the push. A single ref without a CI file gets none.
func (l *Launcher) QueuePush(ctx context.Context, p Push) error {
	if !runsCI(p.Project) {
		return nil
	}
	made := 0
	for _, c := range p.Changes {
		if _, _, ok := parseRef(c.Ref); !ok || c.New == git.Zero || made == maxPipelinesPerPush {
			continue
		}
		if len(p.Changes) == 1 && l.lacksConfig(ctx, p.Project, c.New) {
			continue
		}
		made++
		err := l.enqueue(ctx, Pushed{
			ProjectID: p.Project.ID, UserID: p.UserID, Batch: p.Batch, Ref: c.Ref, Old: c.Old, New: c.New, Options: p.Options,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lacksConfig reports whether a commit has no CI file. It reads only the commit and its root folder, which the pusher has
// brought into memory: if the file can be elsewhere, the background job looks for it.
func (l *Launcher) lacksConfig(ctx context.Context, project model.Project, id string) bool {
	names := ConfigFiles(project)
	elsewhere := func(name string) bool { return strings.Contains(name, "/") }
	if len(names) == 0 || slices.ContainsFunc(names, elsewhere) {
		return false
	}
	repo, err := l.repo(project)
	if err != nil {
		return false
	}
	commit, err := repo.Commit(ctx, id)
	if err != nil {
		return false // such as an annotated tag
	}
	root, err := repo.Tree(ctx, commit.Tree)
	return err == nil && !slices.ContainsFunc(root, func(e git.Entry) bool { return slices.Contains(names, e.Name) })
}

// Pushed creates the pipeline of a pushed ref, if the user may run pipelines in the project.
func (l *Launcher) Pushed(ctx context.Context, p Pushed) error {
	o, err := l.order(ctx, p.ProjectID, p.UserID)
	if err != nil || o == nil {
		return err
	}
	short, tag, ok := parseRef(p.Ref)
	repo, err := l.repo(o.Project.Project)
	if err != nil {
		return err
	}
	info, err := repo.Info(ctx, p.New+"^{commit}")
	if errors.Is(err, git.ErrNotFound) || !ok {
		return nil // a tag that does not point to a commit
	}
	if err != nil {
		return err
	}
	o.Ref, o.Tag, o.SHA, o.Before = short, tag, info.ID, p.Old
	o.Source, o.Origin, o.Keep = pushSource, "push "+p.Batch+" "+p.Ref, true
	skip, given := options(p.Options)
	o.Variables = given
	commit, err := repo.Commit(ctx, o.SHA)
	if err != nil {
		return err
	}
	o.Skip = skip || syntax.SkipsCI(commit.Message)
	_, err = l.Launch(ctx, *o)
	return ignoreRefused(err)
}

// ignoreRefused ignores a *RefusedError: the background job is done without a pipeline.
func ignoreRefused(err error) error {
	var no *RefusedError
	if errors.As(err, &no) {
		return nil
	}
	return err
}

// order starts an order for a user and a project. It returns nil if the user, the project or its CI is no longer there.
func (l *Launcher) order(ctx context.Context, projectID, userID int64) (*Request, error) {
	user, err := l.Store.Users.Get(ctx, userID)
	if store.IsNotFound(err) || err == nil && user.State != model.UserActive {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	row, err := l.Store.Projects.Get(ctx, projectID, "", Reader(user))
	if store.IsNotFound(err) || err == nil && !runsCI(row.Project) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Request{Project: row, User: user}, nil
}

const maxOptions = 100

// options reads the push options for CI: ci.skip and ci.variable="KEY=value".
func options(all []string) (skip bool, given []model.PipelineVariable) {
	place := map[string]int{}
	for _, option := range all {
		if option == "ci.skip" {
			skip = true
		}
		text, ok := strings.CutPrefix(option, "ci.variable=")
		if !ok {
			continue
		}
		if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
			text = text[1 : len(text)-1]
		}
		key, value, ok := strings.Cut(text, "=")
		if !ok || !variables.IsKey(key) || len(given) == maxOptions {
			continue
		}
		if i, known := place[key]; known {
			given[i].Value = value
			continue
		}
		place[key] = len(given)
		given = append(given, model.PipelineVariable{Key: key, Value: value, VariableType: model.VariableEnv})
	}
	return skip, given
}
