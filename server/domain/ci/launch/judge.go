package launch

import (
	"context"

	"svc/store/model"
)

// judge refuses a pipeline that its user may not run, wherever the order comes from: pipelines take a developer's role in the
// project, and on a protected ref the right to push or merge there. Variables take the right to give them. It returns whether the ref is protected. What is not merged
// yet is not protected.
func (l *Launcher) judge(ctx context.Context, o Order) (protected bool, err error) {
	project := o.Project
	if o.User.State != model.UserActive || project.Role() < model.Developer || !runsCI(project.Project) || !project.ReadsJobs() {
		return false, refused(noRole)
	}
	if len(o.Variables) > 0 && !o.Vouched && !MayGive(project) {
		return false, refused(noGiving)
	}
	ref := o.Ref
	if m := o.MergeRequest; m != nil && m.SourceProjectID != nil && *m.SourceProjectID == project.Project.ID {
		ref = m.SourceBranch // the ref of a fork's merge request has a name that no rule knows
	}
	protected, may, err := l.Runs(ctx, project, ref, o.Tag)
	if err == nil && !may && o.Source != pushSource { // a push was judged by the rules of its ref already
		err = refused(notAllowed)
	}
	return protected && o.MergeRequest == nil, err
}
