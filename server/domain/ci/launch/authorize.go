package launch

import (
	"context"

	"svc/store/model"
)

// authorize refuses a pipeline that its user may not run, whatever the source of the request. The user needs the Developer
// role in the project, and on a protected ref the right to push or merge there. Passing variables needs a permission of
// its own. authorize also reports whether the ref is protected. The ref of a merge request does not count as protected,
// because its commits are not merged yet.
func (l *Launcher) authorize(ctx context.Context, o Request) (protected bool, err error) {
	project := o.Project
	if o.User.State != model.UserActive || project.Role() < model.Developer || !runsCI(project.Project) || !project.ReadsJobs() {
		return false, refused(noRole)
	}
	if len(o.Variables) > 0 && !o.VariablesTrusted && !MaySetVariables(project) {
		return false, refused(noVariables)
	}
	ref := o.Ref
	if m := o.MergeRequest; m != nil && m.SourceProjectID != nil && *m.SourceProjectID == project.Project.ID {
		ref = m.SourceBranch // the ref of a merge request from a fork has a name that matches no rule
	}
	protected, may, err := l.Pusher.RefAccess(ctx, project, ref, o.Tag)
	if err == nil && !may && o.Source != pushSource { // a push has already been checked against the rules of its ref
		err = refused(notAllowed)
	}
	return protected && o.MergeRequest == nil, err
}
