package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"svc/tests/cputime"
	"svc/tests/port"
)

const readyLimit = 30 * time.Second

// process is a server under measurement: svc or the floor.
type process struct {
	name  string
	addr  string
	log   string
	cmd   *exec.Cmd
	ended chan struct{}
}

// startSvc starts svc as a user would, and waits until it is ready.
func startSvc(ctx context.Context, program string, c dataCopy) (*process, error) {
	p, err := spawnSvc(ctx, program, c)
	if err != nil {
		return nil, err
	}
	return p, p.waitReady(ctx)
}

func spawnSvc(ctx context.Context, program string, c dataCopy, flags ...string) (*process, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	settings := []string{
		"SVC_DATA=" + c.folder, "SVC_DATABASE_URL=" + c.url, "SVC_LISTEN=" + addr, "SVC_URL=" + baseURL,
		"SVC_ROOT_TOKEN=" + token,
	}
	for _, name := range []string{
		"CHANGELOG", "EXPORT", "EXPORT_DOWNLOAD", "IMPORT", "JOBS", "NOTES", "LARGE_BLOB", "TRACKED_EVENT", "USERS",
	} {
		settings = append(settings, "SVC_LIMIT_"+name+"=0") // one caller stands for many users
	}
	return spawn(ctx, "svc", addr, c.folder, settings, program, append([]string{"serve"}, flags...)...)
}

// startFloor starts this program again as the floor, and waits until it is ready.
func startFloor(ctx context.Context, c dataCopy, flags ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	p, err := spawn(ctx, "floor", addr, c.folder, nil, self, append(
		[]string{"floor", "-listen", addr, "-sqlite", c.sqlitePath(), "-postgres", c.url}, flags...,
	)...)
	if err != nil {
		return nil, err
	}
	return p, p.waitReady(ctx)
}

func spawn(ctx context.Context, name, addr, folder string, settings []string, program string, args ...string) (*process, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	p := &process{name: name, addr: addr, log: filepath.Join(folder, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the process has its own handle
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Env = settings
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "SVC_") { // the caller's settings are for another server
			p.cmd.Env = append(p.cmd.Env, entry)
		}
	}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 10 * time.Second
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // its log says how it ended
		close(p.ended)
	}()
	return p, nil
}

// waitReady polls every millisecond, so that start-up is measured to the millisecond.
func (p *process) waitReady(ctx context.Context) error {
	question := rawRequest(http.MethodGet, "/-/readiness", "")
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	for {
		if c, err := dial(p.addr); err == nil {
			status, err := c.do(question)
			c.close()
			if err == nil && status == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.ended:
			return p.fail(errors.New("ended before it was ready"))
		case <-ctx.Done():
			p.stop()
			return p.fail(errors.New("did not get ready"))
		case <-time.After(time.Millisecond):
		}
	}
}

// stop stops the process as an administrator would, and waits until it has ended.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// fail adds the end of the process's log to an error.
func (p *process) fail(err error) error {
	log, _ := os.ReadFile(p.log) // an error without the log is useful as well
	lines := bytes.Split(bytes.TrimSpace(log), []byte("\n"))
	lines = lines[max(0, len(lines)-10):]
	return fmt.Errorf("%s: %w; the end of its log is:\n%s", p.name, err, bytes.Join(lines, []byte("\n")))
}

// cpu returns the CPU time that the process has used so far.
func (p *process) cpu() (time.Duration, error) { return cputime.Of(p.cmd.Process.Pid) }

// rss returns the resident memory of the process, in bytes.
func (p *process) rss() (int64, error) { return p.memory("VmRSS:") }

// memory returns a number of bytes from the status of the process in /proc.
func (p *process) memory(name string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == name {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("%s is not in /proc", name)
}

func freeAddress() (string, error) {
	free, err := port.Free()
	return fmt.Sprint("127.0.0.1:", free), err
}
