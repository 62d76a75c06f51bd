package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"svc/tests/port"
)

const startLimit = 60 * time.Second

// cluster is a running PostgreSQL in a folder of its own.
type cluster struct {
	url    string
	folder string
	server *exec.Cmd
	ended  chan struct{}
}

// startCluster creates a database cluster and waits until it accepts connections. It leaves nothing behind if it fails.
func startCluster(ctx context.Context, bin string, durable bool) (c *cluster, err error) {
	who, err := serverUser()
	if err != nil {
		return nil, err
	}
	folder, err := makeFolder(who, durable)
	if err != nil {
		return nil, err
	}
	c = &cluster{folder: folder}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(folder)
		}
	}()

	initdb := c.program(ctx, who, filepath.Join(bin, "initdb"), "-D", c.data(), "-U", "svc",
		"--auth=trust", "--locale=C", "--encoding=UTF8", "--no-sync")
	if output, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb failed (%w):\n%s", err, output)
	}
	for range 3 { // another program may take the free port before PostgreSQL does
		err = c.start(ctx, who, filepath.Join(bin, "postgres"), durable)
		if err == nil || !strings.Contains(c.log(), "Address already in use") {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL did not start (%w), its log is:\n%s", err, c.log())
	}
	return c, nil
}

func (c *cluster) data() string { return filepath.Join(c.folder, "data") }

func (c *cluster) log() string {
	content, _ := os.ReadFile(filepath.Join(c.folder, "log"))
	return string(content)
}

// program prepares a server program: as the right user, in a folder that this user may enter, without the caller's PG
// settings.
func (c *cluster) program(ctx context.Context, who *syscall.Credential, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = c.folder
	cmd.SysProcAttr = serverAttributes(who)
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "PG") && !strings.HasPrefix(entry, "LC_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C") // withpg looks for English words in the log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func (c *cluster) start(ctx context.Context, who *syscall.Credential, postgres string, durable bool) error {
	number, err := port.Free()
	if err != nil {
		return err
	}
	args := []string{"-D", c.data()}
	settings := []string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(number), "unix_socket_directories=" + c.folder,
		"max_connections=300", "shared_buffers=128MB", "logging_collector=off",
	}
	if !durable {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	log, err := os.Create(filepath.Join(c.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	// The server is not bound to ctx: after the start, an interrupt is for the command, and the server must outlive the
	// command.
	server := c.program(context.WithoutCancel(ctx), who, postgres, args...)
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		return err
	}
	c.server, c.ended = server, make(chan struct{})
	go func(ended chan struct{}) {
		_ = server.Wait()
		close(ended)
	}(c.ended)
	c.url = fmt.Sprintf("postgres://svc@127.0.0.1:%d/postgres?sslmode=disable", number)
	if err := c.waitReady(ctx); err != nil {
		c.kill()
		return err
	}
	return nil
}

// waitReady reads the state from postmaster.pid, as pg_ctl does. Unlike a connection to the port, this cannot reach
// another server.
func (c *cluster) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		content, _ := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
		if lines := strings.Split(string(content), "\n"); len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready" {
			return nil
		}
		select {
		case <-c.ended:
			return errors.New("it ended at once")
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// kill ends the server without a checkpoint, because nobody will read the data again.
func (c *cluster) kill() {
	_ = c.server.Process.Signal(syscall.SIGQUIT) // PostgreSQL's immediate shutdown
	select {
	case <-c.ended:
	case <-time.After(10 * time.Second):
		_ = c.server.Process.Kill()
		<-c.ended
	}
}

// stop ends the server and removes its folder.
func (c *cluster) stop() {
	select {
	case <-c.ended:
		fmt.Fprintf(os.Stderr, "withpg: PostgreSQL ended before the command did, its log is:\n%s\n", c.log())
	default:
		c.kill()
	}
	if err := os.RemoveAll(c.folder); err != nil {
		fmt.Fprintf(os.Stderr, "withpg: remove the folder %s by hand (%v)\n", c.folder, err)
	}
}
