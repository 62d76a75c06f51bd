package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Advertised holds what a remote repository says about itself when a client begins to fetch or push.
type Advertised struct {
	Refs   []Ref             // in the order of the remote, without HEAD
	Peeled map[string]string // commits of annotated tags, by the ids of the tags
	Head   string            // the default branch; empty if the remote does not name it
	Caps   map[string]bool
}

// RemoteError is returned for a remote repository that does not follow git's protocol, or that reports an error.
type RemoteError struct{ Why string }

func (e *RemoteError) Error() string { return e.Why }

const (
	maxAdvertised    = 64 << 20 // bytes of all refs of a remote repository
	maxRemoteRefs    = 500000
	maxRemoteText    = 200 // bytes of an error text of the remote
	fetchCaps        = "side-band-64k ofs-delta no-progress agent=svc"
	maxRemotePreface = 10000 // lines before the objects
)

// ReadAdvertised reads the refs and capabilities of a remote repository, as its HTTP server sends them.
func ReadAdvertised(from io.Reader, service Service) (Advertised, error) {
	in := bufio.NewReaderSize(&capped{from: from, left: maxAdvertised}, 64<<10)
	first, err := readPacket(in)
	if err != nil || strings.TrimSpace(string(first)) != "# service="+string(service) {
		return Advertised{}, remoteFault(err, "the server does not speak git's smart HTTP protocol")
	}
	if _, err := readPacket(in); !errors.Is(err, errFlush) {
		return Advertised{}, remoteFault(err, "the list of refs is malformed")
	}
	a := Advertised{Peeled: map[string]string{}, Caps: map[string]bool{}}
	last := Ref{}
	for n := 0; ; n++ {
		line, err := readPacket(in)
		if errors.Is(err, errFlush) {
			return a, a.checkFormat()
		}
		if err != nil {
			return a, remoteFault(err, "the list of refs is incomplete")
		}
		if n > maxRemoteRefs {
			return a, &RemoteError{fmt.Sprintf("the repository has more than %d refs", maxRemoteRefs)}
		}
		if last, err = a.line(line, n == 0, last); err != nil {
			return a, err
		}
	}
}

// line reads one line of the list. last is the ref of the line before.
func (a *Advertised) line(line []byte, first bool, last Ref) (Ref, error) {
	if text, failed := bytes.CutPrefix(line, []byte("ERR ")); failed {
		return last, &RemoteError{"the server reports: " + remoteText(text)}
	}
	text, caps, has := bytes.Cut(line, []byte{0})
	if has && first {
		for _, name := range strings.Fields(string(caps)) {
			a.Caps[name] = true
			if head, ok := strings.CutPrefix(name, "symref=HEAD:refs/heads/"); ok && ValidBranch(head) {
				a.Head = head
			}
		}
	}
	id, name, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
	if id == "shallow" {
		return last, nil
	}
	if !ok || !IsID(id) {
		return last, &RemoteError{"the list of refs is malformed"}
	}
	switch tag, peeled := strings.CutSuffix(name, "^{}"); {
	case name == "HEAD", name == "capabilities^{}":
	case peeled && tag == last.Name:
		a.Peeled[last.ID] = id
	case ValidRef(name):
		last = Ref{Name: name, ID: id}
		a.Refs = append(a.Refs, last)
	}
	return last, nil
}

// checkFormat refuses repositories with other ids than ours.
func (a *Advertised) checkFormat() error {
	for name := range a.Caps {
		if format, ok := strings.CutPrefix(name, "object-format="); ok && format != "sha1" {
			return &RemoteError{"the repository uses the object format " + remoteText([]byte(format)) + "; only sha1 is supported"}
		}
	}
	return nil
}

// Copied returns the branches and tags that a copy of the remote gets, by their names: those with allowed names.
func (a *Advertised) Copied() map[string]string {
	refs := map[string]string{}
	for _, ref := range a.Refs {
		if isCopiedRef(ref.Name, a.Head) {
			refs[ref.Name] = ref.ID
		}
	}
	return refs
}

// FetchRequest returns the request for objects: those of wants, without those that haves lead to.
func FetchRequest(wants, haves []string) []byte {
	var b bytes.Buffer
	caps := " " + fetchCaps
	for _, id := range wants {
		_ = writePacket(&b, []byte("want "+id+caps+"\n")) // a buffer never fails
		caps = ""
	}
	_ = writeFlush(&b)
	for _, id := range haves {
		_ = writePacket(&b, []byte("have "+id+"\n"))
	}
	_ = writePacket(&b, []byte("done\n"))
	return b.Bytes()
}

// ReceiveFetched reads the response to a FetchRequest into a quarantine. The objects are checked like those of a push:
// each is valid, and each object that it names is there. A response with more bytes than the limit is refused; 0 means
// no limit.
func (r Repo) ReceiveFetched(ctx context.Context, from io.Reader, limit int64) (*Quarantine, error) {
	in := bufio.NewReaderSize(from, 64<<10)
	if err := skipAcknowledgements(in); err != nil {
		return nil, err
	}
	return r.receivePack(ctx, &bandReader{in: in}, limit)
}

// receivePack reads a pack into a quarantine and checks its objects.
func (r Repo) receivePack(ctx context.Context, from io.Reader, limit int64) (*Quarantine, error) {
	dir, err := os.MkdirTemp(filepath.Join(r.dir, "objects"), "incoming-")
	if err != nil {
		return nil, err
	}
	q := &Quarantine{repo: r, dir: dir}
	if err := os.Mkdir(filepath.Join(dir, "pack"), 0o700); err != nil {
		return q, err
	}
	data := &errorReader{Reader: from}
	args := indexPack(fetchThreads)
	if limit > 0 {
		args = append(args, "--max-input-size="+strconv.FormatInt(limit, 10))
	}
	err = r.run(ctx, call{wait: receiveWait, env: q.env(), stdin: data, stop: true, args: args, data: receiveMemory}, discard)
	if cut := data.error(); err != nil && cut != nil {
		err = cut
	}
	var failed *CommandError
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "exceeds maximum allowed size"):
		return q, ErrTooLarge
	case errors.As(err, &failed):
		return q, &RemoteError{"the objects are damaged or incomplete: " + remoteText([]byte(lastLine(failed.Stderr)))}
	}
	return q, err
}

// fetchThreads is how many threads check the objects of a fetch.
const fetchThreads = 2

// Tips checks that objects are there: ids of branches must be commits. It returns the names of the refs whose objects are
// missing or of another kind.
func (q *Quarantine) Tips(ctx context.Context, refs map[string]string) (bad []string, err error) {
	var ids strings.Builder
	names := make([]string, 0, len(refs))
	for name, id := range refs {
		names = append(names, name)
		ids.WriteString(id + "\n")
	}
	args := []string{"cat-file", "--batch-check=%(objecttype)", "--buffer"}
	c := call{wait: connectWait, env: q.env(), stdin: strings.NewReader(ids.String()), args: args}
	err = q.repo.run(ctx, c, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for _, name := range names {
			if !lines.Scan() {
				return errors.Join(io.ErrUnexpectedEOF, lines.Err())
			}
			kind := lines.Text()
			if kind != KindCommit && (strings.HasPrefix(name, "refs/heads/") || strings.HasSuffix(kind, "missing")) {
				bad = append(bad, name)
			}
		}
		return nil
	})
	return bad, err
}

// Adopt makes the refs of a repository that has none, and sets the default branch. If another process has made refs
// meanwhile, they stay.
func (r Repo) Adopt(ctx context.Context, refs, peeled map[string]string, head string) error {
	lock, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	if has, err := r.Refs("refs/"); err != nil || len(has) > 0 {
		return err
	}
	if head != "" {
		if err := r.writeFile("HEAD", "ref: refs/heads/"+head+"\n"); err != nil {
			return err
		}
	}
	return r.Fill(refs, peeled)
}

// skipAcknowledgements reads what comes before the objects.
func skipAcknowledgements(in *bufio.Reader) error {
	for range maxRemotePreface {
		line, err := readPacket(in)
		if errors.Is(err, errFlush) {
			continue
		}
		if err != nil {
			return remoteFault(err, "the response of the server is incomplete")
		}
		switch text := strings.TrimSuffix(string(line), "\n"); {
		case text == "NAK", strings.HasPrefix(text, "ACK ") && len(text) == 4+len(Zero):
			return nil
		case strings.HasPrefix(text, "ERR "):
			return &RemoteError{"the server reports: " + remoteText(line[4:])}
		case strings.HasPrefix(text, "shallow "), strings.HasPrefix(text, "unshallow "), strings.HasPrefix(text, "ACK "):
		default:
			return &RemoteError{"the response of the server is malformed"}
		}
	}
	return &RemoteError{"the response of the server is malformed"}
}

// bandReader reads the data of a connection that carries several streams.
type bandReader struct {
	in   *bufio.Reader
	left []byte
}

// Read returns data, and skips messages for people.
func (b *bandReader) Read(p []byte) (int, error) {
	for len(b.left) == 0 {
		line, err := readPacket(b.in)
		switch {
		case errors.Is(err, errFlush):
			return 0, io.EOF
		case err != nil:
			return 0, remoteFault(err, "the response of the server is incomplete")
		case len(line) == 0:
		case line[0] == dataBand:
			b.left = line[1:]
		case line[0] == errorBand:
			return 0, &RemoteError{"the server reports: " + remoteText(line[1:])}
		}
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// errorBand is the number of the stream with the error that ends a connection.
const errorBand = 3

// capped reads at most a number of bytes, and then fails.
type capped struct {
	from io.Reader
	left int64
}

// Read fails once the limit is reached.
func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, &RemoteError{fmt.Sprintf("the list of refs has more than %d bytes", maxAdvertised)}
	}
	n, err := c.from.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// remoteFault returns an error of the connection as it is, and an error of the protocol with a text.
func remoteFault(err error, text string) error {
	var malformed *RequestError
	if err == nil || errors.As(err, &malformed) || errors.Is(err, io.EOF) || errors.Is(err, errFlush) {
		return &RemoteError{text}
	}
	return err
}

// remoteText returns the beginning of a text of a remote server, without control characters.
func remoteText(text []byte) string {
	clean := strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(string(text[:min(len(text), maxRemoteText)]), "?"))
	return strings.TrimSpace(clean)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
