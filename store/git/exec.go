package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	small   = 1 << 20  // bytes of an output that is read at once
	large   = 64 << 20 // the same, for callers that read much
	timeout = time.Minute
)

// environment contains nothing from the server: no settings of the machine or of a user, no pagers, prompts or hooks.
var environment = []string{
	"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C.UTF-8", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
	"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ADVICE=0",
}

// CommandError is a failed git command.
type CommandError struct {
	Command string
	Code    int
	Stderr  string
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("git %s ended with %d: %s", e.Command, e.Code, strings.TrimSpace(e.Stderr))
}

// command prepares a git command on this repository. When the context ends, git and its child processes are killed.
func (r Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(
		[]string{"--git-dir", r.dir, "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*", "-c", "core.fsync=all"},
		args...,
	)...)
	cmd.Env = environment
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// output runs git and returns its output, at most the given number of bytes.
func (r Repo) output(ctx context.Context, most int64, stdin io.Reader, args ...string) ([]byte, error) {
	return r.outputWith(ctx, nil, most, stdin, args...)
}

func (r Repo) outputWith(ctx context.Context, env []string, most int64, stdin io.Reader, args ...string) ([]byte, error) {
	var out bytes.Buffer
	err := r.stream(ctx, env, stdin, args, func(from io.Reader) error {
		n, err := out.ReadFrom(io.LimitReader(from, most+1))
		if err == nil && n > most {
			err = ErrTooLarge
		}
		return err
	})
	return out.Bytes(), err
}

// stream runs git and passes its output to read. If read returns early, git is killed.
func (r Repo) stream(ctx context.Context, env []string, stdin io.Reader, args []string, read func(io.Reader) error) error {
	return r.streamFor(ctx, timeout, env, stdin, args, read)
}

// streamFor does the same as stream, with another time limit.
func (r Repo) streamFor(
	ctx context.Context, most time.Duration, env []string, stdin io.Reader, args []string, read func(io.Reader) error,
) error {
	return r.run(ctx, call{wait: most, env: env, stdin: stdin, args: args}, read)
}

// call is one run of git.
type call struct {
	wait  time.Duration // the time limit
	env   []string
	stdin io.Reader // git may end before it has read all; then the rest is not read
	stop  bool      // if reading stdin fails, git is killed instead of seeing the end of the input
	args  []string
	keep  *os.File // stays open until git ends, even if this process dies
	data  uint64   // limit of allocated bytes; 0 for none
}

func (r Repo) run(ctx context.Context, c call, read func(io.Reader) error) error {
	if err := r.Flush(); err != nil {
		return err
	}
	process := r.all.measured.begin(ctx, c.name())
	err := r.runProcess(ctx, c, read)
	process.end(err)
	return err
}

func (r Repo) runProcess(ctx context.Context, c call, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.wait)
	defer cancel()
	cmd := r.command(ctx, c.args...)
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], c.env...)
	if c.keep != nil {
		cmd.ExtraFiles = []*os.File{c.keep}
	}
	stderr := &stderrStart{}
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.start(cmd); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	readErr := read(out)
	late := ctx.Err() // then the output was cut off, and what read says about it does not matter
	if readErr != nil {
		cancel()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case late != nil && !errors.Is(readErr, errEnough):
		return late
	case readErr != nil:
		return readErr
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return &CommandError{Command: c.name(), Code: exit.ExitCode(), Stderr: stderr.String()}
	}
	return err
}

// start starts git and feeds it. It does not wait for input that is left when git ends: over SSH a client that has sent
// everything waits for the answer.
func (c call) start(cmd *exec.Cmd) error {
	var in io.WriteCloser
	var err error
	if c.stdin != nil {
		if in, err = cmd.StdinPipe(); err != nil {
			return err
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if c.data > 0 {
		limitMemory(cmd.Process.Pid, c.data)
	}
	if in != nil {
		go func() {
			from := &errorReader{Reader: c.stdin}
			_, _ = io.Copy(in, from) // git notices by itself that input is missing
			if c.stop && from.error() != nil {
				_ = cmd.Cancel() // before git sees the end of its input
			}
			in.Close()
		}()
	}
	return nil
}

// errorReader remembers why reading failed.
type errorReader struct {
	io.Reader
	failed atomic.Pointer[error]
}

// Read reads, and remembers an error.
func (f *errorReader) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// error returns why reading failed, or nil. A reader that was never read has not failed.
func (f *errorReader) error() error {
	if f == nil || f.failed.Load() == nil {
		return nil
	}
	return *f.failed.Load()
}

// name returns the git command, without the settings before it.
func (c call) name() string {
	for i := 0; i < len(c.args); i++ {
		if c.args[i] != "-c" {
			return c.args[i]
		}
		i++
	}
	return ""
}

// stderrStart keeps the beginning of the error output of git.
type stderrStart struct{ text []byte }

// Write keeps at most 4 KiB.
func (t *stderrStart) Write(p []byte) (int, error) {
	if room := 4096 - len(t.text); room > 0 {
		t.text = append(t.text, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (t *stderrStart) String() string { return strings.ToValidUTF8(string(t.text), "?") }

// exitCode returns the exit status of a failed git command, or 0.
func exitCode(err error) int {
	var e *CommandError
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}
