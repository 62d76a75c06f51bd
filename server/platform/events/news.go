package events

import (
	"context"

	"svc/store/secret"
)

// Notification is something that people may want to learn by mail. It is queued, and a background job finds out who gets which
// mail. Its event is one of the flags of notification settings, or an event of which only participants are notified.
type Notification struct {
	ID         string  `json:"id"` // unique, so that each recipient gets one mail
	Event      string  `json:"event"`
	ProjectID  int64   `json:"project_id"`
	AuthorID   int64   `json:"author_id"`             // who did it; not notified, unless their settings ask for it
	TargetType string  `json:"target_type,omitempty"` // Issue, MergeRequest, Commit, Pipeline or Release; empty for the project itself
	TargetID   int64   `json:"target_id,omitempty"`
	NoteID     int64   `json:"note_id,omitempty"` // for new_note
	Further    []int64 `json:"further,omitempty"` // the other notes of a review, for new_note
	Before     []int64 `json:"before,omitempty"`  // the assignees or reviewers before, for reassign_…
	Text       string  `json:"text,omitempty"`    // further details: an old path, a new commit
}

// Kind names the job in the queue.
func (Notification) Kind() string { return "tell_news" }

// The target types of news about a pipeline and about a release.
const (
	OnPipeline = "Pipeline"
	OnRelease  = "Release"
)

// The events of news.
const (
	NewNote              = "new_note"
	NewIssue             = "new_issue"
	ReopenIssue          = "reopen_issue"
	CloseIssue           = "close_issue"
	ReassignIssue        = "reassign_issue"
	IssueDue             = "issue_due"
	NewMergeRequest      = "new_merge_request"
	PushToMergeRequest   = "push_to_merge_request"
	ReopenMergeRequest   = "reopen_merge_request"
	CloseMergeRequest    = "close_merge_request"
	ReassignMergeRequest = "reassign_merge_request"
	ReviewMergeRequest   = "change_reviewer_merge_request"
	MergeMergeRequest    = "merge_merge_request"
	ApproveMergeRequest  = "approve_merge_request"
	MergeWhenSucceeds    = "merge_when_pipeline_succeeds"
	FailedPipeline       = "failed_pipeline"
	FixedPipeline        = "fixed_pipeline"
	SuccessPipeline      = "success_pipeline"
	MovedProject         = "moved_project"
	NewRelease           = "new_release"
)

// Notify queues news in the caller's transaction.
func (r *Recorder) Notify(ctx context.Context, news Notification) error {
	if news.ID == "" {
		news.ID = secret.Random()[:20]
	}
	return r.queue(ctx, news)
}
