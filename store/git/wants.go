package git

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// maxWants is how many objects one fetch may name: as many as there may be refs.
const maxWants = 250_000

// refusedWant is a request for an object that no ref leads to, or that the repository does not have.
type refusedWant struct{ id string }

func (e *refusedWant) Error() string { return "upload-pack: not our ref " + e.id }

// wantChecker reads the request of a client that fetches on its way to git, and checks the objects that it asks for. It
// passes on a packet that ends a list of wants only if a ref leads to every object asked for: git itself would give any
// object that it has. Git accepts every special packet as the end of the wants, so guard does, too, and refuses those
// that the protocol version does not have. If the input ends inside a list, or is refused, git is killed: it would also
// accept the end of its input as the end of the wants.
type wantChecker struct {
	in      *bufio.Reader
	two     bool // the client speaks version 2 of the protocol, else 0 or 1
	has     func(id string) bool
	check   func(ids []string) error
	passed  []byte // checked, and not yet read by git
	wants   [][20]byte
	shallow [][20]byte // where the client's history ends
	endless bool       // the client asks for the history behind these
	open    bool       // a list has begun and not ended
	asked   bool       // the first list has ended: outside version 2 only haves follow
	failed  error
	broken  atomic.Pointer[error] // failed, for other goroutines; nil without a failure
}

func newWantChecker(ctx context.Context, r Repo, protocol string, in io.Reader) *wantChecker {
	return &wantChecker{
		in:    bufio.NewReaderSize(in, 64<<10),
		two:   protocol == protocolTwo,
		check: func(ids []string) error { return r.checkWants(ctx, ids) },
		has: func(id string) bool {
			_, err := r.Info(ctx, id)
			return err == nil
		},
	}
}

// failure returns why the request was not passed on, or nil.
func (g *wantChecker) failure() error {
	if err := g.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// Read returns the checked part of the request.
func (g *wantChecker) Read(p []byte) (int, error) {
	for len(g.passed) == 0 && g.failed == nil {
		if g.failed = g.more(); g.failed != nil && !errors.Is(g.failed, io.EOF) {
			g.broken.Store(&g.failed)
		}
	}
	if g.failed != nil {
		return 0, g.failed
	}
	n := copy(p, g.passed)
	g.passed = g.passed[n:]
	return n, nil
}

// more checks the lines that have arrived, up to a special packet.
func (g *wantChecker) more() error {
	g.passed = g.passed[:0]
	for {
		length, line, err := g.line()
		if errors.Is(err, io.EOF) {
			return g.end()
		}
		if err != nil {
			return err
		}
		if length < 4 {
			return g.handleSpecialPacket(length)
		}
		g.open = true
		if err := g.command(line); err != nil {
			return err
		}
		if err := g.recordWant(line); err != nil {
			return err
		}
		if g.in.Buffered() < 4 || len(g.passed) > 32<<10 {
			return nil
		}
	}
}

// The special packets, by their lengths.
const (
	markFlush     = 0 // ends a request
	markDelimiter = 1 // ends the header of a version 2 request
)

// handleSpecialPacket handles a special packet: it checks what the client asked for so far.
func (g *wantChecker) handleSpecialPacket(length int) error {
	if length != markFlush && (length != markDelimiter || !g.two) {
		return &RequestError{fmt.Sprintf("unexpected packet %04d", length)}
	}
	if length == markFlush {
		g.open, g.asked = false, true
	}
	return g.checkRequest()
}

// end handles the end of the input, which must not be inside a list.
func (g *wantChecker) end() error {
	if g.open && (g.two || !g.asked) {
		return errCutOff
	}
	return io.EOF
}

// line reads one line, or a special packet, which is shorter than any line, and adds it to the bytes to pass on. It
// returns io.EOF at an end between two lines.
func (g *wantChecker) line() (length int, content []byte, err error) {
	head, err := g.in.Peek(4)
	if err != nil && (len(head) > 0 || !errors.Is(err, io.EOF)) {
		return 0, nil, cutOff(err)
	}
	if err != nil {
		return 0, nil, err
	}
	var size [2]byte
	if _, err := hex.Decode(size[:], head); err != nil {
		return 0, nil, errPacket
	}
	length = int(size[0])<<8 | int(size[1])
	if length > maxPacket || length == 3 {
		return 0, nil, errPacket
	}
	begin := len(g.passed)
	g.passed = append(g.passed, make([]byte, max(length, 4))...)
	if _, err := io.ReadFull(g.in, g.passed[begin:]); err != nil {
		return 0, nil, cutOff(err)
	}
	return length, g.passed[begin+4:], nil
}

// command refuses the commands of version 2 other than ls-refs and fetch: git would reveal the size of any object.
func (g *wantChecker) command(line []byte) error {
	name, ok := strings.CutPrefix(strings.TrimSuffix(string(line[:min(len(line), 64)]), "\n"), "command=")
	if ok && g.two && name != "ls-refs" && name != "fetch" {
		return &RequestError{"this server accepts only ls-refs and fetch"}
	}
	return nil
}

// recordWant records what a line asks for. Git accepts ids in capitals, too, and ignores what follows an id.
func (g *wantChecker) recordWant(line []byte) error {
	into := &g.wants
	text, ok := bytes.CutPrefix(line, []byte("want "))
	if !ok {
		into = &g.shallow
		text, ok = bytes.CutPrefix(line, []byte("shallow "))
	}
	if !ok {
		if depth, ok := bytes.CutPrefix(line, []byte("deepen ")); ok {
			g.endless = g.endless || !isShort(strings.TrimSuffix(string(depth), "\n"))
		}
		return nil
	}
	var id [20]byte
	if len(text) < 40 {
		return errPacket
	}
	if _, err := hex.Decode(id[:], text[:40]); err != nil {
		return errPacket
	}
	if len(*into) >= maxWants {
		return &RequestError{fmt.Sprintf("a fetch can request at most %d objects", maxWants)}
	}
	*into = append(*into, id)
	return nil
}

// isShort reports whether a depth is an ordinary number. Git may read other numbers as «everything».
func isShort(depth string) bool {
	return len(depth) > 0 && len(depth) < 10 && depth[0] != '0' && strings.Trim(depth, "0123456789") == ""
}

// checkRequest checks the request that ends here. A client that asks for the complete history gets the commits behind the
// ends of its own history, so settle checks these, too.
func (g *wantChecker) checkRequest() error {
	var ids []string
	for _, id := range g.wants {
		ids = append(ids, hex.EncodeToString(id[:]))
	}
	if g.endless {
		for _, end := range g.shallow {
			if id := hex.EncodeToString(end[:]); g.has(id) {
				ids = append(ids, id)
			}
		}
	}
	g.wants, g.shallow, g.endless = nil, nil, false
	if len(ids) == 0 {
		return nil
	}
	return g.check(ids)
}

// checkWants refuses objects that no ref leads to. Nearly all wants are tips of refs. Among the others are commits that
// runners ask for, and files that partial clones ask for.
func (r Repo) checkWants(ctx context.Context, ids []string) error {
	refs, err := r.Refs("refs/")
	if err != nil {
		return err
	}
	tips := make(map[string]bool, len(refs))
	for _, ref := range refs {
		tips[ref.ID] = true
	}
	rest := map[string]bool{}
	for _, id := range ids {
		if !tips[id] {
			rest[id] = true
		}
	}
	if len(rest) == 0 {
		return nil
	}
	if len(refs) == 0 {
		return &refusedWant{ids[0]}
	}
	if len(rest) == 1 { // this answer is cached
		return r.checkWant(ctx, ids, rest)
	}
	return r.checkMany(ctx, rest)
}

// checkWant does the same as checkWants for a single object, like the commit of a job.
func (r Repo) checkWant(ctx context.Context, ids []string, rest map[string]bool) error {
	for _, id := range ids {
		if !rest[id] {
			continue
		}
		info, err := r.Info(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return &refusedWant{id}
		}
		if err != nil {
			return err
		}
		if info.Kind != KindCommit {
			return r.checkMany(ctx, rest)
		}
		ok, err := r.reachable(ctx, id)
		if err == nil && !ok {
			err = &refusedWant{id}
		}
		return err
	}
	return nil
}

// checkMany searches for objects in the files of the default branch, then in the bitmap, then in the whole history
// until all are found. It removes those it finds from the set.
func (r Repo) checkMany(ctx context.Context, rest map[string]bool) error {
	if _, head := r.Head(); head != "" {
		for id := range rest {
			ok, err := r.inFiles(ctx, head, id)
			if err != nil {
				return err
			}
			if ok {
				delete(rest, id)
			}
		}
	}
	if len(rest) == 0 || r.bitmapHas(ctx, rest) {
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	err := r.stream(ctx, nil, nil, []string{
		"rev-list", "--objects", "--in-commit-order", "--no-object-names", "--all",
	}, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			if delete(rest, lines.Text()); len(rest) == 0 {
				return errFound
			}
		}
		return lines.Err()
	})
	if errors.Is(err, errFound) {
		return nil
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	for id := range rest {
		return &refusedWant{id}
	}
	return err
}

// errFound ends a search that has succeeded.
var errFound = errors.New("found")

// bitmapHas reports whether the reachability bitmap has all objects. False may also mean that the bitmap gives no
// answer.
func (r Repo) bitmapHas(ctx context.Context, ids map[string]bool) bool {
	if !r.hasBitmap() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	var in strings.Builder
	for id := range ids {
		in.WriteString(id + "\n")
	}
	args := []string{"rev-list", "--use-bitmap-index", "--objects", "--count", "--stdin", "--not", "--all"}
	out, err := r.output(ctx, small, strings.NewReader(in.String()), args...)
	return err == nil && strings.TrimSpace(string(out)) == "0"
}
