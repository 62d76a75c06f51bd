// Package control is the control plane for tests of clients: svc serve --ephemeral --test-mode. It runs many worlds in
// one process. A world is an isolated instance with its own base URL, database, repositories and tokens. The document
// openapi/control/control.yaml describes its API, and docs/test-control.md how to use it.
//
//	control.go     all worlds, and the limit on those that are awake
//	world.go       one world: make, reset, delete
//	sleep.go       worlds that nobody uses are closed, and opened again by the next request
//	instance.go    the open database and service of a world
//	beginning.go   prepared data folders, of which worlds get copies
//	copy.go        copies of folders
//	serve.go       the path of a request through a world
//	fault.go       faults: which requests they match
//	fault_apply.go what faults do to a request
//	pattern.go     patterns of paths
//	record.go      records: requests, mails and webhook deliveries
//	capture.go     mails and webhook deliveries are kept
//	api*.go        the operations of the control plane
//	document.go    the document, and validation of requests by it
package control
