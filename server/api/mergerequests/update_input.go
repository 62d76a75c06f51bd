package mergerequests

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
)

// changeFrom converts the body of a request to change a merge request.
func changeFrom(b gen.MergeRequestUpdate) mergerequest.Change {
	c := mergerequest.Change{
		Title: b.Title, Description: b.Description, TargetBranch: b.TargetBranch, Squash: b.Squash.Ptr(),
		RemoveSourceBranch: b.RemoveSourceBranch, AllowCollaboration: b.AllowMaintainerToPush.Ptr(),
		Locked: b.DiscussionLocked, Parts: partsFrom(b),
	}
	if allow := b.AllowCollaboration.Ptr(); allow != nil {
		c.AllowCollaboration = allow
	}
	if b.StateEvent != nil {
		c.State = string(*b.StateEvent)
	}
	return c
}

// partsFrom converts the assignees, reviewers, labels and milestone in a request to change a merge request.
func partsFrom(b gen.MergeRequestUpdate) mergerequest.Parts {
	p := mergerequest.Parts{
		Assignees: listFrom(b.AssigneeIds), Reviewers: listFrom(b.ReviewerIds),
		Labels: issuable.LabelInput{Set: listFrom(b.Labels), Add: b.AddLabels, Remove: b.RemoveLabels},
	}
	if b.AssigneeID.IsSet() && p.Assignees == nil {
		p.Assignees = &[]int64{}
		if id := b.AssigneeID.Ptr(); id != nil && *id != 0 {
			p.Assignees = &[]int64{*id}
		}
	}
	if b.MilestoneID.IsSet() {
		id := b.MilestoneID.Ptr()
		p.Milestone = &id
	}
	return p
}

// listFrom returns an optional list: nil if it is not given, an empty list for null.
func listFrom[T any](given wire.Optional[[]T]) *[]T {
	if !given.IsSet() {
		return nil
	}
	if list := given.Ptr(); list != nil {
		return list
	}
	return &[]T{}
}
