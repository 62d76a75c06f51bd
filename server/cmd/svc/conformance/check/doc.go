// Package check compares answers with the OpenAPI document of this program. svc conformance uses it against any
// installation, and the tests of the project use it for every answer that they get.
//
//	document.go  the document, its operations, and which operation a request calls
//	answer.go    compare the status, headers and content type of an answer
//	schema.go    compare a JSON value with its schema
package check
