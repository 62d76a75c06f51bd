// Package acme lets a real authority, as a program of its own, certify the names of sites.
//
//	program.go  which one
//	machine.go  runs it, with a name server that it asks
package acme

import "svc/tests/program"

// authority is the program.
var authority = program.Program{
	What: "certificate authority", Named: "SVC_TEST_ACME", Name: "pebble",
	Module: "github.com/letsencrypt/pebble/v2", Version: "v2.10.1", Package: "./cmd/pebble",
}
