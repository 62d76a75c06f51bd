package svctest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The tests run the program of this source, unless SVC_BINARY names another one.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if os.Getenv("SVC_BINARY") != "" {
		return m.Run()
	}
	folder, err := os.MkdirTemp("", "svc-launchers-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "svc")
	if out, err := exec.Command("go", "build", "-o", program, "svc/server/cmd/svc").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build svc: %v\n%s", err, out)
		return 1
	}
	os.Setenv("SVC_BINARY", program)
	return m.Run()
}
