// Package runner lets the official runner program, unmodified, work for the real server.
//
//	program.go  which one
//	machine.go  registers it and runs it
//	wire.go     what it and the server say to each other
//	work.go     a server, a runner and a project, and questions about them
package runner

import "svc/tests/program"

// official is the program.
var official = program.Program{
	What: "official runner", Named: "SVC_TEST_RUNNER", Name: "gitlab-runner", Installed: []string{"gitlab-runner"},
	Module: "gitlab.com/gitlab-org/gitlab-runner", Version: "v1.11.1-0.20200110014830-8e5683f82927", Package: ".",
}
