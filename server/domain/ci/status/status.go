// Package status defines the statuses of jobs and pipelines and the transitions between them. It works on values only,
// without a database and without a clock. The engine applies it to rows.
//
//	status.go      the statuses and their groups
//	transition.go  which event leads from which status to which
//	composite.go   the status of a stage or pipeline, computed from its jobs
//	next.go        what happens to a waiting job, given the jobs before it
//	fit.go         which jobs a runner may run
//	retry.go       after which failures a job is retried
//	action.go      which actions users may take on a job
//	reason.go      failure reasons
//	overdue.go     which jobs have waited or run too long
//	supersede.go   which jobs a newer pipeline cancels
//	resource.go    which job gets a resource group
package status

import "slices"

// Status is the status of a job, a stage or a pipeline, as the API shows it.
type Status string

// The statuses. Canceling is a running job that was canceled and whose runner has not confirmed it yet.
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

// All lists every status.
var All = []Status{
	Created, WaitingForResource, Preparing, Pending, Running, Canceling, Success, Failed, Canceled, Skipped, Manual, Scheduled,
}

// Active lists the statuses of a job that has started to wait or run, and is not finished.
var Active = []Status{WaitingForResource, Preparing, Pending, Running, Canceling}

// Cancelable lists the statuses that a cancel ends. Canceling a single job also ends a manual job.
var Cancelable = []Status{Created, WaitingForResource, Preparing, Pending, Running, Scheduled}

// Complete lists the final statuses. A retry can leave some of them.
var Complete = []Status{Success, Failed, Canceled, Skipped}

// IsActive reports whether the status is in Active.
func (s Status) IsActive() bool { return slices.Contains(Active, s) }

// IsAlive reports whether the job will continue by itself, without a user and without a scheduled time.
func (s Status) IsAlive() bool { return s == Created || s.IsActive() }

// IsCancelable reports whether the status is in Cancelable.
func (s Status) IsCancelable() bool { return slices.Contains(Cancelable, s) }

// IsComplete reports whether the job is finished.
func (s Status) IsComplete() bool { return slices.Contains(Complete, s) }

// IsBlocked reports whether the job waits for a user or a scheduled time.
func (s Status) IsBlocked() bool { return s == Manual || s == Scheduled }

// IsValid reports whether s is a valid status.
func IsValid(s string) bool { return slices.Contains(All, Status(s)) }
