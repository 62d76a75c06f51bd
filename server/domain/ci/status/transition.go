package status

import "slices"

// Event is what happens to a job.
type Event string

// The events.
const (
	Enqueue         Event = "enqueue"           // it may be taken by a runner
	WaitForResource Event = "wait_for_resource" // another job holds its resource group
	Prepare         Event = "prepare"           // something must be ready before
	Actionize       Event = "actionize"         // it waits for a person
	Schedule        Event = "schedule"          // it waits for a time
	Run             Event = "run"               // a runner took it
	Skip            Event = "skip"              // it is not wanted any more
	Succeed         Event = "success"
	Drop            Event = "drop"              // it failed
	Cancel          Event = "cancel"            // it ends now
	CancelKindly    Event = "cancel_gracefully" // the runner ends it and says when
	Process         Event = "process"           // it waits again, for a job before it is tried again
)

// transition is a line of the table: in these states the event leads there.
type transition struct {
	event Event
	from  []Status
	to    Status
}

var transitions = []transition{
	{Enqueue, []Status{Created, Skipped, Manual, Scheduled, WaitingForResource, Preparing}, Pending},
	{WaitForResource, []Status{Created, Skipped, Manual, Scheduled}, WaitingForResource},
	{Prepare, []Status{Created, Skipped, Manual, Scheduled, WaitingForResource}, Preparing},
	{Actionize, []Status{Created}, Manual},
	{Schedule, []Status{Created}, Scheduled},
	{Run, []Status{Pending}, Running},
	{Skip, []Status{Created, WaitingForResource, Preparing, Pending}, Skipped},
	{Succeed, []Status{Created, WaitingForResource, Preparing, Pending, Running}, Success},
	{Drop, []Status{Created, WaitingForResource, Preparing, Pending, Running, Manual, Scheduled}, Failed},
	// Whatever the runner reports of a job that was to stop, it has stopped.
	{Succeed, []Status{Canceling}, Canceled},
	{Drop, []Status{Canceling}, Canceled},
	{CancelKindly, []Status{Running}, Canceling},
	{Cancel, []Status{Created, WaitingForResource, Preparing, Pending, Running, Canceling, Scheduled, Manual}, Canceled},
	{Process, []Status{Skipped, Manual}, Created},
}

// After is the state that an event leads to; false if it cannot happen in this one.
func (s Status) After(e Event) (Status, bool) {
	for _, t := range transitions {
		if t.event == e && slices.Contains(t.from, s) {
			return t.to, true
		}
	}
	return s, false
}

// From lists the states in which an event can happen, for a conditional update.
func From(e Event) []Status {
	var all []Status
	for _, t := range transitions {
		if t.event == e {
			all = append(all, t.from...)
		}
	}
	return all
}

// CancelEvent is how a job is canceled: kindly if it runs on a runner that knows how to, at once otherwise.
func CancelEvent(s Status, runnerCancelsKindly bool) Event {
	if s == Running && runnerCancelsKindly {
		return CancelKindly
	}
	return Cancel
}
