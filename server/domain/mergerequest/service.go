package mergerequest

import (
	"context"
	"net/http"
	"strings"
	"time"

	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
)

// Service creates, changes, approves, merges and deletes merge requests on behalf of the caller of a request. It
// returns refusals as API errors.
type Service struct {
	store     *store.Store
	access    *access.Access
	merger    *Merger
	issuables *issuable.Service
	events    *events.Recorder

	quickActions *quickaction.Service
}

// NewService returns a Service that shares the dependencies of the merger.
func NewService(m *Merger, a *access.Access, quickActions *quickaction.Service) *Service {
	return &Service{
		store: m.Store, access: a, merger: m, issuables: m.Issuables, events: m.Events, quickActions: quickActions,
	}
}

// Parts are the assignees, reviewers, labels and milestone of a merge request. A part that is nil stays as it is.
type Parts struct {
	Assignees *[]int64
	Reviewers *[]int64
	Labels    issuable.LabelInput
	Milestone **int64 // the ID nil or 0 means no milestone
}

// caller returns the ID of the caller, or 0 for anonymous callers.
func caller(ctx context.Context) int64 {
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}

// now returns the current time with the precision of the database.
func now(ctx context.Context) time.Time { return clock.Now(ctx).UTC().Truncate(time.Microsecond) }

// invalid returns the error of an invalid merge request in the format that clients expect: 422 {"message": [text]}.
func invalid(text string) error {
	return &apierr.Error{Status: http.StatusUnprocessableEntity, Body: apierr.Body{Message: []string{text}}}
}

// noSourceBranch is the error of a source branch that does not exist.
func noSourceBranch(name string) error {
	return invalid("Source branch \"" + clip(name) + "\" does not exist")
}

// noTargetBranch is the error of a target branch that does not exist.
func noTargetBranch(name string) error {
	return invalid("Target branch \"" + clip(name) + "\" does not exist")
}

// The texts of further errors about branches.
const (
	sameBranch      = "You can't use same project/branch for source and target"
	noCommonHistory = "The branches have no common history"
)

// clip shortens the name of a branch for an error message.
func clip(name string) string {
	const most = 100
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.ToValidUTF8(name, "?")
}
