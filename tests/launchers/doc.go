// Package launchers tests the helpers that start a service for the tests of a client, in Go, Python and JavaScript: the
// examples in their documentation are run as they are.
package launchers
