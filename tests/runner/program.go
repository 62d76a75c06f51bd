// Package runner tests the server with the official runner program, unmodified.
//
//	program.go  the program and its version
//	machine.go  registers and runs it
//	wire.go     a proxy that checks what the runner and the server exchange
//	work.go     a server, a runner and a project, with helpers for tests
package runner

import "svc/tests/program"

// official is the official runner.
var official = program.Program{
	What: "official runner", Variable: "SVC_TEST_RUNNER", Name: "gitlab-runner", Installed: []string{"gitlab-runner"},
	Module: "gitlab.com/gitlab-org/gitlab-runner", Version: "v1.11.1-0.20200110014830-8e5683f82927", Package: ".",
}
