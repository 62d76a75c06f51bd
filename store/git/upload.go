package git

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Service is one of the two services of git's transport.
type Service string

// The services.
const (
	UploadPack  Service = "git-upload-pack"  // for clone and fetch
	ReceivePack Service = "git-receive-pack" // for push
)

// transferBuffer is the size of a pipe, and of git's packets: a smaller buffer would split them.
const transferBuffer = 64 << 10

// onlyReader hides the other methods of a reader, which would allocate another buffer.
type onlyReader struct{ io.Reader }

// Advertise writes the refs or capabilities that a client needs before it clones or fetches. The protocol is the
// version that the client has asked for, like version=2.
func (r Repo) Advertise(ctx context.Context, protocol string, to io.Writer) error {
	if err := writePacket(to, []byte("# service="+string(UploadPack)+"\n")); err != nil {
		return err
	}
	if err := writeFlush(to); err != nil {
		return err
	}
	return r.stream(ctx, protocolEnv(protocol), nil, r.uploadArgs("--http-backend-info-refs"), func(from io.Reader) error {
		_, err := io.Copy(to, from)
		return err
	})
}

// Upload answers the request of a client that clones or fetches. Only the context limits its time.
func (r Repo) Upload(ctx context.Context, protocol string, in io.Reader, to io.Writer) error {
	return r.transfer(ctx, protocol, in, to, r.uploadArgs("--stateless-rpc"))
}

// Serve does the same as Upload over a connection that both sides keep open, as over SSH.
func (r Repo) Serve(ctx context.Context, protocol string, in io.Reader, to io.Writer) error {
	err := r.transfer(ctx, protocol, in, to, r.uploadArgs("--strict"))
	var refused *refusedWant
	if errors.As(err, &refused) {
		drain(ctx, in)
	}
	return err
}

// drain lets a refused client finish sending: otherwise it would report a broken pipe instead of the reason.
func drain(ctx context.Context, in io.Reader) {
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in) // ends with the connection
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(drainTime):
	}
}

// drainTime is how long a refused client may go on sending.
const drainTime = 5 * time.Second

// uploadArgs returns the settings for fetches. The guard checks which ids a client may ask for. Filters that read their
// rules from a file are forbidden, because they could name that file by any revision.
func (r Repo) uploadArgs(mode string) []string {
	return []string{
		"-c", "uploadpack.allowFilter=true", "-c", "uploadpackfilter.sparse:oid.allow=false", "-c",
		"uploadpack.allowAnySHA1InWant=true", "-c", "transfer.advertiseObjectInfo=false",
		"-c", "transfer.hideRefs=" + hiddenRefs, "upload-pack", mode, r.dir,
	}
}

func (r Repo) transfer(ctx context.Context, protocol string, in io.Reader, to io.Writer, args []string) error {
	process := r.all.measured.begin(ctx, "upload-pack")
	err := r.transferFrom(ctx, protocol, in, to, args)
	process.end(err)
	return err
}

func (r Repo) transferFrom(ctx context.Context, protocol string, in io.Reader, to io.Writer, args []string) error {
	cmd := r.command(ctx, args...)
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], protocolEnv(protocol)...)
	stderr := &stderrStart{}
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	asked := newWantChecker(ctx, r, protocol, in)
	if err := (call{stdin: asked, stop: true}).start(cmd); err != nil {
		return err
	}
	if _, err := io.CopyBuffer(onlyWriter{to}, onlyReader{out}, make([]byte, transferBuffer)); err != nil {
		_ = cmd.Cancel() // the client has disconnected
		_ = cmd.Wait()
		return err
	}
	err = cmd.Wait()
	if failed := asked.failure(); failed != nil {
		return refuse(failed, to)
	}
	if exit, ok := err.(*exec.ExitError); ok { //nolint:errorlint // Wait returns it as it is
		return uploadError(exit.ExitCode(), stderr.String())
	}
	return err
}

// refuse ends a request whose end git has not seen and has not answered. The client shows why it does not get an
// object.
func refuse(failed error, to io.Writer) error {
	var refused *refusedWant
	if !errors.As(failed, &refused) {
		return failed
	}
	told := writePacket(to, []byte("ERR "+refused.Error()+"\n"))
	return errors.Join(&CommandError{Command: "upload-pack", Code: 1, Stderr: refused.Error()}, refused, told)
}

// protocolErrors are parts of git's messages about requests that do not follow the protocol.
var protocolErrors = []string{
	"protocol error", "hung up unexpectedly", "expected SHA1 list", "unexpected line", "nvalid deepen",
	"nvalid shallow", "cannot be used together",
	"ambiguous deepen-not", "filter", "not our ref", "unknown capability", "no command requested", "invalid command",
	"mismatched object format",
	"expected flush", "remote error",
}

// uploadError returns the failure of an upload-pack. It is a RequestError, too, if git blames the request.
func uploadError(code int, stderr string) error {
	failed := &CommandError{Command: "upload-pack", Code: code, Stderr: stderr}
	for _, part := range protocolErrors {
		if strings.HasPrefix(stderr, "fatal: ") && strings.Contains(stderr, part) {
			return errors.Join(failed, &RequestError{"upload-pack: the request does not follow git's protocol"})
		}
	}
	return failed
}

// protocolTwo is how a client asks for version 2 of the protocol.
const protocolTwo = "version=2"

// protocolEnv passes on the protocol version of a client, and nothing else.
func protocolEnv(protocol string) []string {
	switch protocol {
	case "version=1", protocolTwo:
		return []string{"GIT_PROTOCOL=" + protocol}
	}
	return nil
}
