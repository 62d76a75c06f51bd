package mergerequests

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
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

func (m *MergeRequests) readParts(ctx context.Context, row model.ProjectRow, b gen.MergeRequestUpdate, c *change) error {
	listed := func(given wire.Optional[[]int64]) *[]int64 {
		if !given.IsSet() {
			return nil
		}
		if ids := given.Ptr(); ids != nil {
			return ids
		}
		return &[]int64{}
	}
	c.parts.assignees, c.parts.reviewers = listed(b.AssigneeIds), listed(b.ReviewerIds)
	if b.AssigneeID.IsSet() && c.parts.assignees == nil {
		c.parts.assignees = &[]int64{}
		if id := b.AssigneeID.Ptr(); id != nil && *id != 0 {
			c.parts.assignees = &[]int64{*id}
		}
	}
	if b.DiscussionLocked.IsSet() {
		c.set["discussion_locked"] = b.DiscussionLocked.Ptr()
	}
	c.parts.labels.Add, c.parts.labels.Remove = b.AddLabels, b.RemoveLabels
	if b.Labels.IsSet() {
		c.parts.labels.Set = &[]string{}
		if names := b.Labels.Ptr(); names != nil {
			c.parts.labels.Set = names
		}
	}
	if b.MilestoneID.IsSet() {
		milestone, err := m.milestone(ctx, row.Project, b.MilestoneID.Ptr())
		if err != nil {
			return err
		}
		c.parts.milestone = &milestone
		c.set["milestone_id"] = milestone
	}
	return nil
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

// explain turns the conflict with another open merge request into a 409.
func (m *MergeRequests) explain(ctx context.Context, mr model.MergeRequest, err error) error {
	var taken *store.ConflictError
	if !errors.As(err, &taken) || taken.Constraint != "merge_requests_open" {
		return err
	}
	return &apierr.Error{
		Status: 409,
		Body:   apierr.Body{Message: []string{"Another open merge request already exists for this source branch"}},
	}
}

// apply writes a change with its system notes, events and notifications, in the caller's transaction.
func (m *MergeRequests) apply(ctx context.Context, row model.ProjectRow, c change) error {
	before, err := m.store.MergeRequests.Lock(ctx, c.id)
	if err != nil {
		return err
	}
	t, me := issuable.MergeRequestTarget(row.Project, before), caller(ctx)
	if err := m.changeState(ctx, row, t, before, &c); err != nil {
		return err
	}
	if err := m.store.MergeRequests.Update(ctx, before.ID, c.set); err != nil {
		return err
	}
	if c.span != nil {
		after := before
		after.HeadPipelineID = nil
		if err := m.merger.AddVersion(ctx, after, *c.span); err != nil {
			return err
		}
	}
	if err := m.issuables.AddSystemNotes(ctx, t, me, notesOf(before, c)...); err != nil {
		return err
	}
	if c.title != nil || c.text.IsSet() {
		title, body := before.Title, wire.Value(before.Description)
		if c.title != nil {
			title = *c.title
		}
		if c.text.IsSet() {
			body = wire.Value(c.text.Ptr())
		}
		if err := m.issuables.StoreReferences(ctx, row.Project, before.ID, title+"\n"+body, access.Reader(ctx)); err != nil {
			return err
		}
		if err := m.issuables.AddMentionTodos(ctx, t, me, title+"\n"+body, before.Title+"\n"+wire.Value(before.Description), nil); err != nil {
			return err
		}
	}
	if err := m.relabel(ctx, row, t, c.parts); err != nil {
		return err
	}
	return errors.Join(m.reassign(ctx, t, c.parts), m.review(ctx, t, c.parts))
}

// changeState closes or reopens a merge request.
func (m *MergeRequests) changeState(ctx context.Context, row model.ProjectRow, t issuable.Target, before model.MergeRequest, c *change) error {
	me := caller(ctx)
	action, news := "", ""
	switch {
	case c.state == "close" && before.State == model.Opened:
		c.set["state"], c.set["closed_by_id"], c.set["closed_at"] = model.Closed, me, now()
		c.set["auto_merge"], c.set["auto_merge_user_id"], c.set["auto_merge_options"] = false, nil, nil
		action, news = model.EventClosed, events.CloseMergeRequest
		if err := m.store.Todos.DoneForTarget(ctx, model.OnMergeRequest, before.ID, 0); err != nil {
			return err
		}
	case c.state == "reopen" && before.State == model.Closed:
		if err := m.reopen(ctx, row.Project, before, c); err != nil {
			return err
		}
		action, news = model.EventReopened, events.ReopenMergeRequest
	default:
		return nil
	}
	if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.SimpleNote(action, action)); err != nil {
		return err
	}
	if err := m.events.Activity(ctx, row.Project, events.On(me, action, model.OnMergeRequest, before.ID)); err != nil {
		return err
	}
	return m.issuables.Notify(ctx, t, me, news, nil)
}

// reopen reopens a merge request with the current commits of its branches.
func (m *MergeRequests) reopen(ctx context.Context, project model.Project, mr model.MergeRequest, c *change) error {
	tips, err := m.merger.Tips(ctx, project, mr)
	switch {
	case err != nil:
		return err
	case tips.Source == "":
		return invalidMergeRequest("Source branch \"" + clip(mr.SourceBranch) + "\" does not exist")
	case tips.Target == "":
		return invalidMergeRequest("Target branch \"" + clip(mr.TargetBranch) + "\" does not exist")
	}
	c.set["state"], c.set["closed_by_id"], c.set["closed_at"] = model.Opened, nil, nil
	c.set["head_sha"], c.set["target_sha"], c.set["merge_status"] = tips.Source, tips.Target, model.MergeUnchecked
	return m.merger.ScheduleRefresh(ctx, mr, caller(ctx))
}

// notesOf returns the system notes about a change.
func notesOf(before model.MergeRequest, c change) []issuable.SystemNote {
	var notes []issuable.SystemNote
	if c.title != nil && *c.title != before.Title {
		notes = append(notes, issuable.TitleNote(before.Title, *c.title))
		switch draft := issuable.IsDraft(*c.title); {
		case draft && !before.Draft:
			notes = append(notes, issuable.SimpleNote("title", "marked this merge request as **draft**"))
		case !draft && before.Draft:
			notes = append(notes, issuable.SimpleNote("title", "marked this merge request as **ready**"))
		}
	}
	if c.text.IsSet() && wire.Value(c.text.Ptr()) != wire.Value(before.Description) {
		notes = append(notes, issuable.SimpleNote("description", "changed the description"))
	}
	if branch, ok := c.set["target_branch"].(string); ok {
		notes = append(notes, issuable.SimpleNote("branch", "changed target branch from `"+before.TargetBranch+"` to `"+branch+"`"))
	}
	if locked, ok := c.set["discussion_locked"].(*bool); ok && wire.Value(locked) != wire.Value(before.DiscussionLocked) {
		notes = append(notes, issuable.LockNote(wire.Value(locked), model.OnMergeRequest))
	}
	return notes
}

// relabel changes the labels and writes the system notes about labels and milestone.
func (m *MergeRequests) relabel(ctx context.Context, row model.ProjectRow, t issuable.Target, p parts) error {
	me := caller(ctx)
	if p.labels.IsSet() {
		has, err := m.store.MergeRequests.Labels(ctx, t.ID)
		if err != nil {
			return err
		}
		want, err := m.issuables.Labels(ctx, row.Project, p.labels, has, true)
		if err != nil {
			return err
		}
		added, removed, err := m.store.MergeRequests.Relabel(ctx, t.ID, want)
		if err != nil {
			return err
		}
		if len(added)+len(removed) > 0 {
			if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.LabelNote(added, removed)); err != nil {
				return err
			}
		}
	}
	if p.milestone == nil {
		return nil
	}
	if *p.milestone == nil {
		return m.issuables.AddSystemNotes(ctx, t, me, issuable.MilestoneNote(nil))
	}
	found, err := m.store.Milestones.Find(ctx, store.OwnedByProject(row.Project), **p.milestone)
	if err != nil {
		return err
	}
	return m.issuables.AddSystemNotes(ctx, t, me, issuable.MilestoneNote(&found.Milestone))
}

// reassign changes the assignees of a merge request, creates to-dos for the new assignees and sends the notifications.
func (m *MergeRequests) reassign(ctx context.Context, t issuable.Target, p parts) error {
	if p.assignees == nil {
		return nil
	}
	before, err := m.store.MergeRequests.AssigneeIDs(ctx, t.ID)
	if err != nil {
		return err
	}
	after, err := m.issuables.Assignable(ctx, t, *p.assignees)
	if err != nil || slices.Equal(before, after) {
		return err
	}
	if err := m.store.MergeRequests.Assign(ctx, t.ID, after); err != nil {
		return err
	}
	added, removed, err := m.names(ctx, before, after)
	if err != nil {
		return err
	}
	me := caller(ctx)
	if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.AssigneeNote(added, removed)); err != nil {
		return err
	}
	if err := m.issuables.AddAssignedTodos(ctx, t, me, without(after, before)); err != nil {
		return err
	}
	return m.issuables.Notify(ctx, t, me, events.ReassignMergeRequest, before)
}

// review changes the reviewers of a merge request, creates to-dos for the new reviewers and sends the notifications.
func (m *MergeRequests) review(ctx context.Context, t issuable.Target, p parts) error {
	if p.reviewers == nil {
		return nil
	}
	before, err := m.store.MergeRequests.ReviewerIDs(ctx, t.ID)
	if err != nil {
		return err
	}
	after, err := m.issuables.Assignable(ctx, t, *p.reviewers)
	if err != nil || slices.Equal(before, after) {
		return err
	}
	if err := m.store.MergeRequests.SetReviewers(ctx, t.ID, after); err != nil {
		return err
	}
	added, removed, err := m.names(ctx, before, after)
	if err != nil {
		return err
	}
	var said []string
	if len(added) > 0 {
		said = append(said, "requested review from @"+strings.Join(added, " @"))
	}
	if len(removed) > 0 {
		said = append(said, "removed review request for @"+strings.Join(removed, " @"))
	}
	me := caller(ctx)
	if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.SimpleNote("reviewer", strings.Join(said, " and "))); err != nil {
		return err
	}
	if err := m.issuables.AddTodos(ctx, t, me, model.TodoReviewRequested, without(after, before)); err != nil {
		return err
	}
	return m.issuables.Notify(ctx, t, me, events.ReviewMergeRequest, before)
}

// names returns the usernames of the added and of the removed users.
func (m *MergeRequests) names(ctx context.Context, before, after []int64) (added, removed []string, err error) {
	wanted := map[int64]bool{}
	for _, id := range slices.Concat(before, after) {
		wanted[id] = true
	}
	users, err := m.store.Users.Shown(ctx, wanted)
	if err != nil {
		return nil, nil, err
	}
	name := func(ids []int64) []string {
		var names []string
		for _, id := range ids {
			if u := users[id]; u != nil {
				names = append(names, u.Username)
			}
		}
		return names
	}
	return name(without(after, before)), name(without(before, after)), nil
}

func without(all, but []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return slices.Contains(but, id) })
}
