package mergerequest

import (
	"context"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// New describes a new merge request.
type New struct {
	SourceBranch       string
	TargetBranch       string
	Title              string
	Description        *string
	Squash             *bool // nil for the default of the target project
	RemoveSourceBranch *bool // nil for the default of the target project
	AllowCollaboration bool
	Parts              Parts // ignored unless the caller is a developer of the target project
}

// Prepared is a new merge request that has been validated but not stored.
type Prepared struct {
	Target     model.ProjectRow
	row        model.MergeRequest
	comparison Comparison
	parts      Parts
	commands   quickaction.Commands // of the description
}

// CheckMayCreate refuses callers who may not create a merge request from a branch of one project into another project.
func (s *Service) CheckMayCreate(ctx context.Context, source, target model.ProjectRow) error {
	if source.Role() < model.Developer {
		return apierr.Forbidden()
	}
	if source.Project.ID == target.Project.ID {
		return nil
	}
	return s.CheckMayPropose(ctx, source, target)
}

// CheckMayPropose refuses callers who may not propose merge requests to another project of the fork network, and
// projects that are not in the network.
func (s *Service) CheckMayPropose(ctx context.Context, source, target model.ProjectRow) error {
	same, err := s.store.Projects.SameNetwork(ctx, source.Project.ID, target.Project.ID)
	switch {
	case err != nil:
		return err
	case !target.MayPropose():
		return apierr.Forbidden()
	case !same:
		return invalid("Source project is not a fork of the target project")
	}
	return nil
}

// Prepare validates a new merge request and reads the commits of its branches. It may take long, so call it before the
// transaction that creates the merge request.
func (s *Service) Prepare(ctx context.Context, source, target model.ProjectRow, n New) (Prepared, error) {
	rest, commands := quickaction.Split(model.OnMergeRequest, wire.Value(n.Description))
	if len(commands) > 0 {
		n.Description = &rest
	}
	p := Prepared{Target: target, row: n.row(ctx, source.Project, target.Project), commands: commands}
	if p.row.Title == "" {
		return p, apierr.Invalid("title", "can't be blank")
	}
	if source.Project.ID == target.Project.ID && n.SourceBranch == n.TargetBranch {
		return p, invalid(sameBranch)
	}
	var err error
	if p.comparison, err = s.readBranches(ctx, target.Project, &p.row); err != nil {
		return p, err
	}
	iid, err := s.store.MergeRequests.FindOpenIID(
		ctx, source.Project.ID, n.SourceBranch, target.Project.ID, n.TargetBranch,
	)
	if err == nil && iid != 0 {
		err = s.openConflict(ctx, p.row)
	}
	if err != nil || target.Role() < model.Developer { // callers from outside may not set the parts
		return p, err
	}
	p.parts = n.Parts
	return p, s.findMilestone(ctx, target.Project, &p.parts)
}

// row returns the row of a new merge request, without what is read from the repositories.
func (n New) row(ctx context.Context, source, target model.Project) model.MergeRequest {
	mr := model.MergeRequest{
		ProjectID: target.ID, AuthorID: caller(ctx), SourceProjectID: &source.ID,
		SourceBranch: n.SourceBranch, TargetBranch: n.TargetBranch,
		Title: strings.TrimSpace(n.Title), Description: n.Description, State: model.Opened,
		Draft: issuable.IsDraft(n.Title), MergeStatus: model.MergeUnchecked,
		Squash: SquashDefault(target), RemoveSourceBranch: n.RemoveSourceBranch, AllowCollaboration: n.AllowCollaboration,
	}
	if n.Squash != nil {
		mr.Squash = Squashes(target, *n.Squash)
	}
	if mr.RemoveSourceBranch == nil {
		mr.RemoveSourceBranch = &target.RemoveSourceBranchAfterMerge
	}
	return mr
}

// readBranches reads the branches and the commits of a new merge request.
func (s *Service) readBranches(ctx context.Context, target model.Project, mr *model.MergeRequest) (Comparison, error) {
	tips, err := s.merger.Tips(ctx, target, *mr)
	switch {
	case err != nil:
		return Comparison{}, err
	case !git.ValidBranch(mr.SourceBranch) || tips.Source == "":
		return Comparison{}, noSourceBranch(mr.SourceBranch)
	case !git.ValidBranch(mr.TargetBranch) || tips.Target == "":
		return Comparison{}, noTargetBranch(mr.TargetBranch)
	}
	mr.HeadSHA, mr.TargetSHA = tips.Source, tips.Target
	comparison, err := s.merger.Compare(ctx, target, *mr)
	if err != nil {
		return comparison, err
	}
	if comparison.Base == "" {
		return comparison, invalid(noCommonHistory)
	}
	mr.BaseSHA, mr.StartSHA = comparison.Base, comparison.Start
	return comparison, nil
}

// findMilestone replaces the wanted milestone with one of the project or of a group above it.
func (s *Service) findMilestone(ctx context.Context, project model.Project, p *Parts) error {
	if p.Milestone == nil {
		return nil
	}
	var none *int64
	id := *p.Milestone
	if id == nil || *id == 0 {
		p.Milestone = &none
		return nil
	}
	found, err := s.store.Milestones.Find(ctx, store.OwnedByProject(project), *id)
	if store.IsNotFound(err) {
		return apierr.Invalid("milestone", "is invalid")
	}
	wanted := &found.Milestone.ID
	p.Milestone = &wanted
	return err
}
