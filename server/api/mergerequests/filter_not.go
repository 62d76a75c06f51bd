package mergerequests

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/reqctx"
	"svc/store"
)

// readNot reads the parameter not, which excludes merge requests.
func readNot(ctx context.Context, f *store.MergeRequestFilter, not *gen.MergeRequestNot) {
	if not == nil {
		return
	}
	labels, names := notValues(ctx, "labels"), notValues(ctx, "assignee_username")
	var numbers []int64
	for _, text := range notValues(ctx, "iids") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	f.Not = store.IssuableExcept{
		Labels: labels, Milestone: wire.Value(not.Milestone), AuthorID: not.AuthorID,
		Author: wire.Value(not.AuthorUsername), AssigneeID: not.AssigneeID,
		Assignees: names, Emoji: wire.Value(not.MyReactionEmoji), IIDs: numbers,
	}
	f.NotSource, f.NotTarget = wire.Value(not.SourceBranch), wire.Value(not.TargetBranch)
	f.NotReviewerID, f.NotReviewer = not.ReviewerID, wire.Value(not.ReviewerUsername)
}

// maxNotValues is the maximum number of values in one list of the parameter not.
const maxNotValues = 100

// notValues returns a list in the parameter not.
func notValues(ctx context.Context, name string) []string {
	return reqctx.Of(ctx).QueryList("not["+name+"]", maxNotValues)
}
