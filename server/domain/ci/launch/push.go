package launch

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// mostPipelines is how many refs of one push get a pipeline.
const mostPipelines = 4

// pushSource is the source of pipelines that pushes make.
const pushSource = "push"

// Push is what a push has changed.
type Push struct {
	Project model.Project
	UserID  int64
	Batch   string // its name, of which there is one
	Changes []git.Command
	Options []string
}

// Pushed is one ref of a push, of which a pipeline is to be made.
type Pushed struct {
	ProjectID int64    `json:"project_id"`
	UserID    int64    `json:"user_id"`
	Batch     string   `json:"batch"`
	Ref       string   `json:"ref"`
	Old       string   `json:"old"`
	New       string   `json:"new"`
	Options   []string `json:"options,omitempty"`
}

// Kind names the job in the queue.
func (Pushed) Kind() string { return "ci_push" }

// After has the pipelines of a push made, in the transaction that ends the push.
func (l *Launcher) After(ctx context.Context, p Push) error {
	if !runsCI(p.Project) {
		return nil
	}
	made := 0
	for _, c := range p.Changes {
		if _, _, ok := refOf(c.Ref); !ok || c.New == git.Zero || made == mostPipelines {
			continue
		}
		made++
		err := l.soon(ctx, Pushed{
			ProjectID: p.Project.ID, UserID: p.UserID, Batch: p.Batch, Ref: c.Ref, Old: c.Old, New: c.New, Options: p.Options,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Pushed makes the pipeline of a ref that was pushed, if the user who pushed may run pipelines in the project.
func (l *Launcher) Pushed(ctx context.Context, p Pushed) error {
	o, err := l.order(ctx, p.ProjectID, p.UserID)
	if err != nil || o == nil {
		return err
	}
	short, tag, ok := refOf(p.Ref)
	repo, err := l.repo(o.Project.Project)
	if err != nil {
		return err
	}
	info, err := repo.Info(ctx, p.New+"^{commit}")
	if errors.Is(err, git.ErrNotFound) || !ok {
		return nil // a tag of something else
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
	o.Skip = skip || syntax.Skips(commit.Message)
	_, err = l.Launch(ctx, *o)
	return settled(err)
}

// settled takes it for done that there is to be no pipeline.
func settled(err error) error {
	var no *RefusedError
	if errors.As(err, &no) {
		return nil
	}
	return err
}

// order begins an order for somebody in a project; nil if they, it or its CI are not there any more.
func (l *Launcher) order(ctx context.Context, projectID, userID int64) (*Order, error) {
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
	return &Order{Project: row, User: user}, nil
}

const maxOptions = 100

// options reads what a push says about CI: ci.skip, and ci.variable="KEY=value".
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
