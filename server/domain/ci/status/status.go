// Package status knows the states of jobs and pipelines and what follows what. It takes values and returns values: no
// database, no clock. The engine applies it to rows.
//
//	status.go      the states and their groups
//	transition.go  which event leads from which state to which
//	composite.go   the state of a stage or pipeline out of those of its jobs
//	next.go        what becomes of a job that waits, once the jobs before it are known
//	retry.go       after which failures a job is tried again
//	action.go      what users may do to a job in which state
//	reason.go      why jobs fail
//	overdue.go     which jobs have waited or run too long
//	supersede.go   which jobs a newer pipeline ends
//	resource.go    who gets a resource group
package status

import "slices"

// Status is the state of a job, a stage or a pipeline, as the API shows it.
type Status string

// The states. Canceling is a running job that was told to stop and whose runner has not yet answered.
const (
	Created            Status = "created"
	WaitingForResource Status = "waiting_for_resource"
	Preparing          Status = "preparing"
	Pending            Status = "pending"
	Running            Status = "running"
	Canceling          Status = "canceling"
	Success            Status = "success"
	Failed             Status = "failed"
	Canceled           Status = "canceled"
	Skipped            Status = "skipped"
	Manual             Status = "manual"
	Scheduled          Status = "scheduled"
)

// All is every state.
var All = []Status{
	Created, WaitingForResource, Preparing, Pending, Running, Canceling, Success, Failed, Canceled, Skipped, Manual, Scheduled,
}

// Active states are those of a job that has set out and is not done.
var Active = []Status{WaitingForResource, Preparing, Pending, Running, Canceling}

// Cancelable states are those that a cancel ends; it also ends manual jobs, when it is meant for them.
var Cancelable = []Status{Created, WaitingForResource, Preparing, Pending, Running, Scheduled}

// Complete states are ends, though some can be left by a retry.
var Complete = []Status{Success, Failed, Canceled, Skipped}

// IsActive tells whether the job has set out and is not done.
func (s Status) IsActive() bool { return slices.Contains(Active, s) }

// IsAlive tells whether something will still happen to the job by itself, without a person or a time.
func (s Status) IsAlive() bool { return s == Created || s.IsActive() }

// IsCancelable tells whether there is something to cancel.
func (s Status) IsCancelable() bool { return slices.Contains(Cancelable, s) }

// IsComplete tells whether the job is done.
func (s Status) IsComplete() bool { return slices.Contains(Complete, s) }

// IsBlocked tells whether the job waits for a person or a time.
func (s Status) IsBlocked() bool { return s == Manual || s == Scheduled }

// Holds tells whether there is such a state.
func Holds(s string) bool { return slices.Contains(All, Status(s)) }
