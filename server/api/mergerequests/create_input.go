package mergerequests

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
)

// newFrom converts the body of a request to create a merge request.
func newFrom(b gen.MergeRequestCreate) mergerequest.New {
	n := mergerequest.New{
		SourceBranch: b.SourceBranch, TargetBranch: b.TargetBranch, Title: b.Title, Description: b.Description.Ptr(),
		Squash: b.Squash.Ptr(), RemoveSourceBranch: b.RemoveSourceBranch.Ptr(),
		AllowCollaboration: wire.Value(b.AllowCollaboration.Ptr()) || wire.Value(b.AllowMaintainerToPush.Ptr()),
		Parts:              mergerequest.Parts{Assignees: b.AssigneeIds, Reviewers: b.ReviewerIds},
	}
	if id := b.AssigneeID.Ptr(); id != nil && b.AssigneeIds == nil {
		n.Parts.Assignees = &[]int64{*id}
	}
	n.Parts.Labels.Set = b.Labels
	if id := b.MilestoneID.Ptr(); id != nil {
		n.Parts.Milestone = &id
	}
	return n
}
