package launch

import (
	"context"
	"strings"

	"svc/store/git"
	"svc/store/model"
)

// LaunchOnRef creates a pipeline on a branch or tag. It returns an API error if the request does not lead to a pipeline
// that runs.
func (l *Launcher) LaunchOnRef(ctx context.Context, o Request, ref string) (model.Pipeline, error) {
	o, err := l.ResolveRef(ctx, o, ref)
	if err != nil {
		return model.Pipeline{}, APIError(err)
	}
	made, err := l.Launch(ctx, o)
	return made, APIError(err)
}

// ResolveRef sets the commit of a request from a ref: a branch or tag, by short or full name. It returns a *RefusedError
// if the ref does not exist, is a commit ID, or if the user may not run jobs on it.
func (l *Launcher) ResolveRef(ctx context.Context, o Request, ref string) (Request, error) {
	if git.LooksLikeID(ref) {
		return o, refused(noRef)
	}
	repo, err := l.repo(o.Project.Project)
	if err != nil {
		return o, err
	}
	branch, branchErr := repo.Ref("refs/heads/" + strings.TrimPrefix(ref, "refs/heads/"))
	tag, tagErr := repo.Ref("refs/tags/" + strings.TrimPrefix(ref, "refs/tags/"))
	id := branch
	switch {
	case branchErr == nil && tagErr == nil:
		return o, refused(twoRefs)
	case branchErr == nil:
		o.Ref = strings.TrimPrefix(ref, "refs/heads/")
	case tagErr == nil:
		o.Ref, o.Tag, id = strings.TrimPrefix(ref, "refs/tags/"), true, tag
	default:
		return o, refused(noRef)
	}
	info, err := repo.Info(ctx, id+"^{commit}")
	if err != nil {
		return o, refused(noRef) // a tag that does not point to a commit
	}
	o.SHA = info.ID
	_, may, err := l.Pusher.RefAccess(ctx, o.Project, o.Ref, o.Tag)
	if err == nil && !may {
		err = refused(notAllowed)
	}
	return o, err
}

// parseRef parses the full name of a branch or tag.
func parseRef(full string) (short string, tag, ok bool) {
	if short, ok = strings.CutPrefix(full, "refs/heads/"); ok {
		return short, false, true
	}
	short, ok = strings.CutPrefix(full, "refs/tags/")
	return short, true, ok
}

// runsCI reports whether a project has CI enabled and is not archived.
func runsCI(p model.Project) bool {
	return p.BuildsAccessLevel != model.FeatureDisabled && !p.Archived
}
