// Package runner holds the acts on runners (create, change, delete, assign) and the acts of runners (request a job,
// update it, send its log and artifacts).
//
//	service.go       the dependencies
//	find.go          find a runner, and what the caller may do with it
//	settings.go      the settings of a runner and their limits
//	create.go        create and register runners
//	change.go        change a runner
//	delete.go        delete a runner
//	assign.go        the projects of a project runner
//	token.go         authentication tokens and registration tokens
//	audit.go         audit events
//	authenticate.go  which runner or job sends a request
//	request.go       a runner requests a job
//	finish.go        a runner reports the result of a job
//	log.go           a runner sends the log of a job
//	artifact.go      uploads and downloads of artifacts by jobs
package runner

import (
	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/logs"
	"svc/server/domain/ci/queue"
	"svc/store"
)

// Service holds the acts on runners and the acts of runners.
type Service struct {
	store     *store.Store
	engine    *engine.Engine
	queue     *queue.Queue
	logs      *logs.Logs
	artifacts *artifacts.Service
}

// Dependencies are the dependencies of a Service.
type Dependencies struct {
	Store     *store.Store
	Engine    *engine.Engine
	Queue     *queue.Queue
	Logs      *logs.Logs
	Artifacts *artifacts.Service
}

// New returns a Service.
func New(d Dependencies) *Service {
	return &Service{
		store: d.Store, engine: d.Engine, queue: d.Queue, logs: d.Logs, artifacts: d.Artifacts,
	}
}
