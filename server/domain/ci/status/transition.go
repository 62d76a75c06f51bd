package status

import "slices"

// Event is something that happens to a job.
type Event string

// The events.
const (
	Enqueue          Event = "enqueue"           // a runner may take it
	WaitForResource  Event = "wait_for_resource" // another job holds its resource group
	Prepare          Event = "prepare"           // something must be prepared first
	Actionize        Event = "actionize"         // it waits for a user
	Schedule         Event = "schedule"          // it waits for a time
	Run              Event = "run"               // a runner took it
	Skip             Event = "skip"              // it will not run
	Succeed          Event = "success"
	Drop             Event = "drop"              // it failed
	Cancel           Event = "cancel"            // it ends now
	CancelGracefully Event = "cancel_gracefully" // the runner ends it and confirms it
	Process          Event = "process"           // it waits again, because an earlier job is retried
)

// transition is a line of the table: the event leads from one of the from statuses to the status to.
type transition struct {
	event Event
	from  []Status
	to    Status
}

var transitions = []transition{
	{Enqueue, []Status{Created, Skipped, Manual, Scheduled, WaitingForResource, Preparing}, Pending},
	{WaitForResource, []Status{Created, Skipped, Manual, Scheduled}, WaitingForResource},
	{Prepare, []Status{Created, Skipped, Manual, Scheduled, WaitingForResource}, Preparing},
	{Actionize, []Status{Created, Scheduled}, Manual},
	{Schedule, []Status{Created}, Scheduled},
	{Run, []Status{Pending}, Running},
	{Skip, []Status{Created, WaitingForResource, Preparing, Pending}, Skipped},
	{Succeed, []Status{Created, WaitingForResource, Preparing, Pending, Running}, Success},
	{Drop, []Status{Created, WaitingForResource, Preparing, Pending, Running, Manual, Scheduled}, Failed},
	// A canceled job ends as canceled, whatever its runner reports.
	{Succeed, []Status{Canceling}, Canceled},
	{Drop, []Status{Canceling}, Canceled},
	{CancelGracefully, []Status{Running}, Canceling},
	{Cancel, []Status{Created, WaitingForResource, Preparing, Pending, Running, Canceling, Scheduled, Manual}, Canceled},
	{Process, []Status{Skipped, Manual}, Created},
}

// After returns the status that an event leads to, or false if the event cannot happen in this status.
func (s Status) After(e Event) (Status, bool) {
	for _, t := range transitions {
		if t.event == e && slices.Contains(t.from, s) {
			return t.to, true
		}
	}
	return s, false
}

// SourceStatuses returns the statuses in which an event can happen, for a conditional update.
func SourceStatuses(e Event) []Status {
	var all []Status
	for _, t := range transitions {
		if t.event == e {
			all = append(all, t.from...)
		}
	}
	return all
}

// CancelEvent returns the event that cancels a job: CancelKindly if the job runs on a runner that supports it,
// otherwise Cancel.
func CancelEvent(s Status, runnerCancelsKindly bool) Event {
	if s == Running && runnerCancelsKindly {
		return CancelGracefully
	}
	return Cancel
}
