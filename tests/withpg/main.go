// Command withpg runs a command with SVC_TEST_POSTGRES_URL set. If the variable is not set yet, withpg starts a
// temporary PostgreSQL.
//
//	go run ./tests/withpg [-durable] -- command [argument ...]
//
// withpg leaves a URL that is already set as it is. Its exit code is that of the command.
//
//	main.go              the command, its signals and its exit code
//	find.go              finds PostgreSQL, or installs it
//	cluster.go           creates, starts and stops a server
//	folder.go            the server's user and folder
//	attributes_linux.go  process attributes of the server on Linux
//	attributes_other.go  and on other systems
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

const urlVariable = "SVC_TEST_POSTGRES_URL"

func main() {
	// PostgreSQL gets a signal to stop when the thread that started it ends, so that thread must last as long as
	// withpg.
	runtime.LockOSThread()
	durable := flag.Bool("durable", false, "keep fsync on, for benchmarks")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "Usage: withpg [-durable] -- command [argument ...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(run(flag.Args(), *durable))
}

// run is main without os.Exit, so that deferred functions run.
func run(command []string, durable bool) int {
	if os.Getenv(urlVariable) != "" {
		return runCommand(command, os.Environ(), notify())
	}
	ctx, done := signal.NotifyContext(context.Background(), stopSignals()...)
	defer done()
	server, err := prepare(ctx, durable)
	if server != nil {
		defer server.stop()
	}
	signals := notify()
	if ctx.Err() != nil {
		return fail(errors.New("interrupted before the command began"))
	}
	if err != nil {
		return fail(err)
	}
	return runCommand(command, append(os.Environ(), urlVariable+"="+server.url), signals)
}

func prepare(ctx context.Context, durable bool) (*cluster, error) {
	bin, err := findOrInstall(ctx)
	if err != nil {
		return nil, err
	}
	return startCluster(ctx, bin, durable)
}

// stopSignals leaves out a hang-up that is ignored: under nohup the command must continue.
func stopSignals() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

func notify() <-chan os.Signal {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, stopSignals()...)
	return signals
}

// runCommand runs the command to its end, passes signals on to it, and returns its exit code as a shell would.
func runCommand(command, environ []string, signals <-chan os.Signal) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fail(err)
		return 127
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case sig := <-signals:
			if sig != os.Interrupt || !hasTerminal() {
				_ = cmd.Process.Signal(sig) // if it has just ended, Wait returns
			}
		case err := <-ended:
			return exitCode(cmd, err)
		}
	}
}

func exitCode(cmd *exec.Cmd, err error) int {
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 || err == nil {
		return code
	}
	return fail(err)
}

// hasTerminal reports whether Ctrl-C reaches the command without withpg. A second interrupt would make many programs
// give up their own clean-up.
func hasTerminal() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = terminal.Close()
	return true
}

func fail(err error) int {
	fmt.Fprintf(os.Stderr, "withpg: %v\n", err)
	return 1
}
