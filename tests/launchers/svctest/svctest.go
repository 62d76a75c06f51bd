// Package svctest starts a service for the tests of a client. It uses the standard library only, so a project that tests a
// client can copy its two files.
//
//	svctest.go  start and stop
//	world.go    worlds: reset, clock, faults, records
package svctest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Options changes how the service is started.
type Options struct {
	Binary string   // the program; $SVC_BINARY or svc on the PATH if empty
	Args   []string // further arguments, such as --seed=1 or --fixtures=data.yaml
}

// startLimit is how long the service may take to start.
const startLimit = time.Minute

// Service is a running service.
type Service struct {
	*World     // the world main
	ControlURL string
	Version    string
	Data       string // folder with all files, which is deleted at the end

	cmd    *exec.Cmd
	stdin  io.Closer
	errors *bytes.Buffer
}

// Start starts a service that ends with the test. It never outlives the process of the test.
func Start(t testing.TB, options ...Options) *Service {
	t.Helper()
	s, err := start(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

var (
	shared     *Service
	errShared  error
	sharedOnce sync.Once
)

// Shared returns one service for all tests of the process. It is started at the first call and ends with the process.
func Shared(t testing.TB) *Service {
	t.Helper()
	sharedOnce.Do(func() { shared, errShared = start() })
	if errShared != nil {
		t.Fatal(errShared)
	}
	return shared
}

func start(options ...Options) (*Service, error) {
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	if o.Binary == "" {
		o.Binary = os.Getenv("SVC_BINARY")
	}
	if o.Binary == "" {
		o.Binary = "svc"
	}
	s := &Service{errors: &bytes.Buffer{}}
	args := append([]string{"serve", "--ephemeral", "--test-mode", "--stop-with-stdin", "--log-level=warn"}, o.Args...)
	s.cmd = exec.Command(o.Binary, args...)
	s.cmd.Stderr = s.errors
	stdin, err := s.cmd.StdinPipe() // the service ends when this end is closed, also by the death of this process
	if err != nil {
		return nil, err
	}
	s.stdin = stdin
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the service; set SVC_BINARY to the path of svc: %w", err)
	}
	late := time.AfterFunc(startLimit, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		_ = s.cmd.Wait() // what it printed says why
		return nil, fmt.Errorf("the service does not start: %s", s.errors)
	}
	return s, s.read(line)
}

// read reads the line that the service prints when it is ready.
func (s *Service) read(line []byte) error {
	var ready struct {
		World
		ControlURL string `json:"control_url"`
		Version    string `json:"version"`
		Data       string `json:"data"`
	}
	if err := json.Unmarshal(line, &ready); err != nil {
		return fmt.Errorf("the service printed %q: %w", line, err)
	}
	s.World, s.ControlURL, s.Version, s.Data = &ready.World, ready.ControlURL, ready.Version, ready.Data
	s.Name, s.control = "main", s.ControlURL
	return nil
}

// stop ends the service.
func (s *Service) stop() error {
	_ = s.stdin.Close()
	if err := s.cmd.Wait(); err != nil {
		return errors.Join(err, errors.New(s.errors.String()))
	}
	return nil
}
