package model

import "time"

// The kinds of resource events.
const (
	LabelEvents     = "label"
	StateEvents     = "state"
	MilestoneEvents = "milestone"
	WeightEvents    = "weight"
	IterationEvents = "iteration"
)

// The actions of resource events about labels and milestones. The action of an event about the state is the new state,
// such as closed. Events about the weight have ResourceAdded or ResourceRemoved.
const (
	ResourceAdded   = "add"
	ResourceRemoved = "remove"
)

// ResourceEvent says that the labels, the state, the milestone or the weight of an issue, a merge request
// or an epic changed. It has one of IssueID, MergeRequestID and EpicID.
type ResourceEvent struct {
	ID             int64
	Kind           string
	IssueID        *int64
	MergeRequestID *int64
	EpicID         *int64
	UserID         *int64 // nil after the user was deleted
	Action         string
	LabelID        *int64 // nil after the label was deleted
	MilestoneID    *int64 // nil after the milestone was deleted
	Weight         *int64
	IterationID    *int64 // nil after the iteration was deleted
	CreatedAt      time.Time
}

// ResourceEventRow is a resource event with the things that are shown with it.
type ResourceEventRow struct {
	Event     ResourceEvent
	User      *User
	Label     *Label
	Milestone *MilestoneRow
	Iteration *IterationRow
}
