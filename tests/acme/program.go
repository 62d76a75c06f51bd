// Package acme tests certificates for Pages domains with a real certificate authority, which runs as a separate
// program.
//
//	program.go  the authority and its version
//	machine.go  starts the authority and the name server that it asks
package acme

import "svc/tests/program"

// authority is Pebble, the test authority of Let's Encrypt.
var authority = program.Program{
	What: "certificate authority", Variable: "SVC_TEST_ACME", Name: "pebble",
	Module: "github.com/letsencrypt/pebble/v2", Version: "v2.10.1", Package: "./cmd/pebble",
}
