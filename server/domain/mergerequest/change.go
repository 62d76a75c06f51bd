package mergerequest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// Change describes what to change in a merge request. Fields that are nil, empty or not set stay as they are.
type Change struct {
	Title              *string
	Description        wire.Optional[string]
	TargetBranch       *string
	State              string // "close" or "reopen"
	Squash             *bool
	RemoveSourceBranch wire.Optional[bool]
	AllowCollaboration *bool               // ignored unless the caller may push to the source project
	Locked             wire.Optional[bool] // ignored unless the caller is a developer
	Parts              Parts               // ignored unless the caller is a developer
}

// CheckMayChange refuses callers who may not change a merge request. Developers, the author and the assignees may.
func (s *Service) CheckMayChange(ctx context.Context, row model.ProjectRow, mr model.MergeRequest) error {
	me := caller(ctx)
	if row.Role() >= model.Developer || mr.AuthorID == me && me != 0 {
		return nil
	}
	assignees, err := s.store.MergeRequests.AssigneeIDs(ctx, mr.ID)
	if err == nil && (me == 0 || !slices.Contains(assignees, me)) {
		err = apierr.Forbidden()
	}
	return err
}

// Apply changes a merge request, with its system notes, events, to-dos and notifications, and returns its new row. The
// caller must be allowed to change it: see CheckMayChange.
func (s *Service) Apply(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, c Change,
) (after model.MergeRequest, err error) {
	u, err := s.validate(ctx, row, mr, c)
	if err != nil {
		return mr, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) (err error) {
		after, err = s.write(ctx, row, mr.ID, u)
		return err
	})
	if isOpenConflict(err) {
		err = conflict("Another open merge request already exists for this source branch")
	}
	return after, err
}

// update is a validated change of a merge request.
type update struct {
	set         map[string]any // the new values of columns
	parts       Parts
	state       string      // "close", "reopen" or empty
	comparison  *Comparison // set if the target branch changes
	title       *string
	description wire.Optional[string]
}

// validate validates a change. From callers who are not developers it ignores the parts.
func (s *Service) validate(ctx context.Context, row model.ProjectRow, mr model.MergeRequest, c Change) (update, error) {
	u := update{set: map[string]any{}, state: c.State, description: c.Description}
	if c.Title != nil {
		title := strings.TrimSpace(*c.Title)
		if title == "" {
			return u, apierr.Invalid("title", "can't be blank")
		}
		u.set["title"], u.set["draft"], u.title = title, issuable.IsDraft(title), &title
	}
	if c.Description.IsSet() {
		u.set["description"] = c.Description.Ptr()
	}
	if c.RemoveSourceBranch.IsSet() {
		u.set["remove_source_branch"] = c.RemoveSourceBranch.Ptr()
	}
	if c.Squash != nil {
		u.set["squash"] = Squashes(row.Project, *c.Squash)
	}
	if c.AllowCollaboration != nil {
		may, err := s.mayAllowCollaboration(ctx, mr)
		if err != nil {
			return u, err
		}
		if may {
			u.set["allow_collaboration"] = *c.AllowCollaboration
		}
	}
	if c.TargetBranch != nil && *c.TargetBranch != mr.TargetBranch {
		if err := s.retarget(ctx, row.Project, mr, *c.TargetBranch, &u); err != nil {
			return u, err
		}
	}
	if row.Role() < model.Developer {
		return u, nil
	}
	return u, s.validateParts(ctx, row.Project, c, &u)
}

// validateParts adds what only developers may change to an update.
func (s *Service) validateParts(ctx context.Context, project model.Project, c Change, u *update) error {
	u.parts = c.Parts
	if c.Locked.IsSet() {
		u.set["discussion_locked"] = c.Locked.Ptr()
	}
	if err := s.findMilestone(ctx, project, &u.parts); err != nil {
		return err
	}
	if u.parts.Milestone != nil {
		u.set["milestone_id"] = *u.parts.Milestone
	}
	return nil
}

// mayAllowCollaboration reports whether the caller may decide that members of the target project push to the source
// branch: callers who may push to the source project.
func (s *Service) mayAllowCollaboration(ctx context.Context, mr model.MergeRequest) (bool, error) {
	if mr.SourceProjectID == nil {
		return false, nil
	}
	_, err := s.access.Project(ctx, strconv.FormatInt(*mr.SourceProjectID, 10), access.PushCode)
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return false, nil
	}
	return err == nil, err
}

// retarget validates another target branch and adds it to the update.
func (s *Service) retarget(
	ctx context.Context, project model.Project, mr model.MergeRequest, branch string, u *update,
) error {
	if mr.State != model.Opened {
		return invalid("Only the target branch of an open merge request can be changed")
	}
	if mr.SourceProjectID != nil && *mr.SourceProjectID == project.ID && mr.SourceBranch == branch {
		return invalid(sameBranch)
	}
	mr.TargetBranch = branch
	if !git.ValidBranch(branch) {
		return noTargetBranch(branch)
	}
	tips, err := s.merger.Tips(ctx, project, mr)
	if err != nil {
		return err
	}
	if tips.Target == "" {
		return noTargetBranch(branch)
	}
	comparison, err := s.merger.Compare(ctx, project, mr)
	if err != nil {
		return err
	}
	if comparison.Base == "" {
		return invalid(noCommonHistory)
	}
	u.comparison = &comparison
	u.set["target_branch"], u.set["target_sha"], u.set["merge_status"] = branch, tips.Target, model.MergeUnchecked
	return nil
}
