package mergerequests

import (
	"context"
	"strconv"
	"strings"

	"svc/gen"
	"svc/store"
)

// readScope limits a list to merge requests that the caller created, is assigned to or reviews.
func readScope(ctx context.Context, f *store.MergeRequestFilter, scope *gen.MergeRequestScope) {
	if scope == nil {
		return
	}
	me := caller(ctx)
	switch strings.ReplaceAll(string(*scope), "-", "_") {
	case "created_by_me":
		if f.AuthorID == nil && f.Author == "" {
			f.AuthorID = &me
		}
	case "assigned_to_me":
		f.Assignee = strconv.FormatInt(me, 10)
		if me == 0 {
			f.Assignee = "-1" // matches nobody
		}
	case "reviews_for_me":
		f.Reviewer = strconv.FormatInt(me, 10)
		if me == 0 {
			f.Reviewer = "-1"
		}
	}
}
