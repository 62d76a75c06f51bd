package api

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"svc/tests/harness"
)

// After all tests of this package, every operation of the document must have been called with success.
func TestMain(m *testing.M) {
	code := m.Run()
	if run := flag.Lookup("test.run").Value.String(); code == 0 && run == "" && flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == "" {
		for _, r := range harness.Routes() {
			if !harness.Called(r.Op.OperationID) {
				fmt.Printf("no test has got a success from %s (%s %s)\n", r.Op.OperationID, r.Method, r.Path)
				code = 1
			}
			code = max(code, unwritten(r))
		}
	}
	os.Exit(code)
}
