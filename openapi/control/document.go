// Package control has the OpenAPI document of the control plane for tests, which only svc serve --test-mode has. It is
// separate from the document of the service: nothing is generated from it, and package server/cmd/svc/control reads it at start.
package control

import _ "embed" // the document

// Document is the document in YAML.
//
//go:embed control.yaml
var Document []byte
