package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	worldRuns        = 5
	worldCount       = 200
	worldMemoryLimit = 300 << 20
	resetLimit       = 50 * time.Millisecond
	resetPart        = 5 // a reset takes at most this part of a start
)

// testService is a service that was started with --test-mode.
type testService struct {
	world
	ControlURL string `json:"control_url"`

	cmd   *exec.Cmd
	stdin io.Closer
}

// world is a world of a test service.
type world struct{ URL, Token string }

// startTestService starts a service with the control plane, and returns how long it took until it was ready.
func startTestService(ctx context.Context, program string, args ...string) (*testService, time.Duration, error) {
	s := &testService{}
	s.cmd = exec.CommandContext(
		ctx, program, append([]string{"serve", "--ephemeral", "--test-mode", "--stop-with-stdin", "--log-level=error"}, args...)...,
	)
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "SVC_") {
			s.cmd.Env = append(s.cmd.Env, entry)
		}
	}
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, 0, err
	}
	s.stdin = stdin
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, 0, err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	took := time.Since(began)
	if err != nil {
		return nil, 0, fmt.Errorf("the service with --test-mode does not start: %w", err)
	}
	return s, took, json.Unmarshal(line, s)
}

func (s *testService) stop() error {
	s.stdin.Close()
	return s.cmd.Wait()
}

// worlds measures the control plane: the time of a reset by turns with that of a start, and the memory of many worlds.
func worlds(ctx context.Context, o options, rep *report) error {
	start, reset := time.Hour, time.Hour
	for range worldRuns {
		s, took, err := startTestService(ctx, o.svc, "--seed", "7")
		if err != nil {
			return err
		}
		start = min(start, took)
		for range worldRuns {
			began := time.Now()
			if err := callJSON(ctx, http.MethodPost, s.ControlURL+"/worlds/main/reset", "", "", nil); err != nil {
				return err
			}
			if err := callJSON(ctx, http.MethodGet, s.URL+"/api/v4/user", s.Token, "", nil); err != nil {
				return err
			}
			reset = min(reset, time.Since(began))
		}
		if err := s.stop(); err != nil {
			return err
		}
	}
	rep.number(reset < resetLimit, "a reset of a world with demonstration data, and the next request, under 50 ms",
		fmt.Sprintf("%.1f ms, best of %d", reset.Seconds()*1000, worldRuns*worldRuns))
	rep.number(reset*resetPart < start, "a reset, and the next request, at most a fifth of a start", fmt.Sprintf(
		"%.1f ms and %d ms, best of each", reset.Seconds()*1000, start.Milliseconds(),
	))
	return manyWorlds(ctx, o, rep)
}

// manyWorlds measures the memory of a process with many worlds that have been used.
func manyWorlds(ctx context.Context, o options, rep *report) error {
	s, _, err := startTestService(ctx, o.svc)
	if err != nil {
		return err
	}
	most := int64(0)
	for range worldCount {
		var w world
		if err := callJSON(ctx, http.MethodPost, s.ControlURL+"/worlds", "", "{}", &w); err != nil {
			return err
		}
		project := `{"name":"Web","initialize_with_readme":true}`
		if err := callJSON(ctx, http.MethodPost, w.URL+"/api/v4/projects", w.Token, project, nil); err != nil {
			return err
		}
		rss, err := (&process{cmd: s.cmd}).rss()
		if err != nil {
			return err
		}
		most = max(most, rss)
	}
	rep.number(most < worldMemoryLimit, fmt.Sprintf("%d worlds in one process, each used, at most 300 MiB", worldCount),
		fmt.Sprintf("%.1f MiB at most", float64(most)/(1<<20)))
	return s.stop()
}

// callJSON sends a request and reads its answer.
func callJSON(ctx context.Context, method, url, token, body string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("PRIVATE-TOKEN", token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s answered %d: %s", method, url, res.StatusCode, answer)
	}
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(answer, into)
}
