package launch

import (
	"cmp"
	"context"
	"errors"

	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// LintResult is the result of checking a CI file.
type LintResult struct {
	Errors   []string
	Warnings []string
	Merged   string // the CI file with all includes merged; empty if it has errors
	Read     []ReadFile
	Jobs     []syntax.JobDescription
	Project  string // full path of the project, if there is one
}

// LintRequest describes the push of a user for which a CI file is checked. Without a ref it is a push to the default
// branch. A ref that does not exist is a 404.
func (l *Launcher) LintRequest(ctx context.Context, row model.ProjectRow, user model.User, ref string) (Request, error) {
	o := Request{Project: row, User: user, Ref: cmp.Or(ref, row.Project.DefaultBranch)}
	var err error
	if o.SHA, err = l.Commit(ctx, row.Project, o.Ref); err != nil {
		return o, err
	}
	_, err = l.Repos.Project(row.Project.RepositoryStorage, row.Project.ID).Ref("refs/heads/" + o.Ref)
	o.Tag = err != nil
	return o, nil
}

// Commit returns the ID of the commit that a revision names, or a 404.
func (l *Launcher) Commit(ctx context.Context, project model.Project, rev string) (string, error) {
	repo, err := l.Repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err != nil {
		return "", err
	}
	sha, err := repo.Resolve(ctx, rev)
	if err != nil {
		return "", apierr.NotFound("Commit")
	}
	return sha, nil
}

// LintAlone checks a CI file that belongs to no project.
func (l *Launcher) LintAlone(ctx context.Context, user model.User, source []byte) (LintResult, error) {
	f := newFiles(l, Request{User: user}, git.Repo{})
	read := f.reader(ctx)
	sources := syntax.Sources{File: func(project, ref, path string) ([]byte, error) {
		if project == "" {
			return nil, syntax.ErrNoFile
		}
		return read(project, ref, path)
	}}
	facts := variables.Predefined(variables.Facts{Server: l.Server})
	var found LintResult
	config, err := syntax.Load(source, sources, syntax.Context{Source: "push", Predefined: facts})
	if err == nil {
		err = found.addConfig(config)
	}
	found.Read = f.read
	return found.withErrors(err)
}

// Lint checks a CI file in the context of a project. If source is nil, Lint checks the project's own CI file. With dry,
// Lint evaluates the rules as for a push.
func (l *Launcher) Lint(ctx context.Context, o Request, source []byte, dry bool) (LintResult, error) {
	found := LintResult{Project: o.Project.Project.FullPath}
	o.Source, o.Config = "push", source
	w, err := l.prepare(ctx, o)
	if err != nil {
		return found.withErrors(err)
	}
	text, err := w.source(ctx)
	if err != nil {
		return found.withErrors(err)
	}
	at := w.context(ctx)
	config, err := syntax.Load(text, syntax.Sources{File: w.files.reader(ctx)}, at)
	if err == nil {
		err = found.addConfig(config)
	}
	if err == nil && dry {
		err = found.evaluateRules(config, at)
	}
	found.Read = w.files.read
	return found.withErrors(err)
}

// addConfig copies the warnings, jobs and merged text of a valid file.
func (f *LintResult) addConfig(config *syntax.Config) error {
	for _, warning := range config.Warnings {
		f.Warnings = append(f.Warnings, warning.Message)
	}
	f.Jobs = config.Jobs()
	var err error
	f.Merged, err = config.MergedYAML()
	return err
}

// evaluateRules keeps only the jobs that the rules include.
func (f *LintResult) evaluateRules(config *syntax.Config, at syntax.Context) error {
	p, err := config.Compile(at)
	if err != nil {
		return err
	}
	f.Jobs = f.Jobs[:0]
	for _, j := range p.Jobs {
		f.Jobs = append(f.Jobs, syntax.JobDescription{Job: j})
	}
	return nil
}

// withErrors adds the errors of the file to the result. It returns other errors as they are.
func (f LintResult) withErrors(err error) (LintResult, error) {
	var mistakes syntax.Errors
	var no *RefusedError
	switch {
	case err == nil:
		return f, nil
	case errors.As(err, &mistakes):
		f.Errors = mistakes.Messages()
	case errors.As(err, &no):
		f.Errors = no.Texts
	case errors.Is(err, syntax.ErrFiltered), errors.Is(err, syntax.ErrNoJobs):
		f.Errors = []string{err.Error()}
	default:
		return f, err
	}
	f.Merged, f.Jobs = "", nil
	return f, nil
}
