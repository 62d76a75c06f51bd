package mergerequests

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// change is one change of a merge request.
type change struct {
	id    int64
	set   map[string]any
	parts parts
	state string                   // "close", "reopen" or empty
	span  *mergerequest.Comparison // set if the target branch changes
	title *string
	text  wire.Optional[string]
}

// read reads a change from the request and validates it. Only developers may change the parts of a merge request; from
// other callers it ignores them.
func (m *MergeRequests) read(ctx context.Context, row model.ProjectRow, mr model.MergeRequest, b gen.MergeRequestUpdate) (change, error) {
	c := change{id: mr.ID, set: map[string]any{}, title: b.Title, text: b.Description}
	if b.Title != nil {
		title := strings.TrimSpace(*b.Title)
		if title == "" {
			return c, apierr.Invalid("title", "can't be blank")
		}
		c.set["title"], c.set["draft"], c.title = title, issuable.IsDraft(title), &title
	}
	if b.Description.IsSet() {
		c.set["description"] = b.Description.Ptr()
	}
	if b.RemoveSourceBranch.IsSet() {
		c.set["remove_source_branch"] = b.RemoveSourceBranch.Ptr()
	}
	if squash := b.Squash.Ptr(); squash != nil {
		c.set["squash"] = mergerequest.Squashes(row.Project, *squash)
	}
	if err := m.collaborate(ctx, mr, b, &c); err != nil {
		return c, err
	}
	if b.StateEvent != nil {
		c.state = string(*b.StateEvent)
	}
	if b.TargetBranch != nil && *b.TargetBranch != mr.TargetBranch {
		if err := m.retarget(ctx, row.Project, mr, *b.TargetBranch, &c); err != nil {
			return c, err
		}
	}
	if row.Role() < model.Developer {
		return c, nil
	}
	return c, m.readParts(ctx, row, b, &c)
}

// collaborate reads whether members of the target project may push to the source branch. Only callers who may push to
// the source project may set this; from other callers it is ignored.
func (m *MergeRequests) collaborate(ctx context.Context, mr model.MergeRequest, b gen.MergeRequestUpdate, c *change) error {
	var wanted *bool
	for _, allow := range []*bool{b.AllowMaintainerToPush.Ptr(), b.AllowCollaboration.Ptr()} {
		if allow != nil {
			wanted = allow
		}
	}
	if wanted == nil || mr.SourceProjectID == nil {
		return nil
	}
	_, err := m.access.Project(ctx, strconv.FormatInt(*mr.SourceProjectID, 10), access.PushCode)
	var no *apierr.Error
	switch {
	case errors.As(err, &no):
		return nil
	case err != nil:
		return err
	}
	c.set["allow_collaboration"] = *wanted
	return nil
}

// retarget validates another target branch and adds it to the change.
func (m *MergeRequests) retarget(ctx context.Context, project model.Project, mr model.MergeRequest, branch string, c *change) error {
	if mr.State != model.Opened {
		return invalidMergeRequest("Only the target branch of an open merge request can be changed")
	}
	if mr.SourceProjectID != nil && *mr.SourceProjectID == project.ID && mr.SourceBranch == branch {
		return invalidMergeRequest("You can't use same project/branch for source and target")
	}
	mr.TargetBranch = branch
	if !git.ValidBranch(branch) {
		return invalidMergeRequest("Target branch \"" + clip(branch) + "\" does not exist")
	}
	tips, err := m.merger.Tips(ctx, project, mr)
	if err != nil {
		return err
	}
	if tips.Target == "" {
		return invalidMergeRequest("Target branch \"" + clip(branch) + "\" does not exist")
	}
	span, err := m.merger.Compare(ctx, project, mr)
	if err != nil {
		return err
	}
	if span.Base == "" {
		return invalidMergeRequest("The branches have no common history")
	}
	c.span = &span
	c.set["target_branch"], c.set["target_sha"], c.set["merge_status"] = branch, tips.Target, model.MergeUnchecked
	return nil
}
