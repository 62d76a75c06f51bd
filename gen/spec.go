// Package gen is compiled from openapi/; nobody edits it, but for this file, which embeds the document.
package gen

import _ "embed"

// SpecJSON is the published OpenAPI document, compact.
//
//go:embed openapi.json
var SpecJSON []byte

// Requests is the view of the document that requests are validated by: no answers, no prose, no references.
//
//go:embed requests.json
var Requests []byte
