// Package api tests the API from outside: every test starts a service with the harness, calls its operations over HTTP
// and compares the responses. The files are named for the area and the topic that they test; helpers are in the file
// that needs them most, those for all areas in helper_test.go, helper_roles_test.go and variables_test.go (expect).
package api

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"svc/tests/harness"
)

// TestMain checks, after all tests of this package, that every operation of the OpenAPI document was called with
// success and that every writing operation records an audit event or has a reason not to.
func TestMain(m *testing.M) {
	code := m.Run()
	allRan := flag.Lookup("test.run").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == ""
	if code == 0 && allRan {
		for _, r := range harness.Routes() {
			if !harness.Called(r.Op.OperationID) {
				fmt.Printf("no test has got a success from %s (%s %s)\n", r.Op.OperationID, r.Method, r.Path)
				code = 1
			}
			code = max(code, missingAudit(r))
		}
	}
	if code == 0 && os.Getenv("SVC_GOLDEN") == "write" {
		if err := harness.WriteExamples(allRan); err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}
