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
	"slices"
	"strconv"
	"strings"
)

// Command is one change that a push asks for.
type Command struct {
	Ref      string
	Old, New string // Zero for a ref that is to be made or deleted
	Refused  string // why not; empty if it is to be done
}

// Push is what a client has sent ahead of its objects.
type Push struct {
	Commands []Command
	Options  []string
	caps     map[string]bool
	in       *bufio.Reader
}

const (
	receiveCaps = "report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1 agent=svc"
	maxCommands = 10000
	maxOptions  = 100
)

// AdvertiseReceive writes the refs and what we understand, for a client that is about to push.
func (r Repo) AdvertiseReceive(to io.Writer, http bool) error {
	refs, err := r.Refs("refs/")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	if http {
		if err := errors.Join(writePacket(out, []byte("# service="+string(ReceivePack)+"\n")), writeFlush(out)); err != nil {
			return err
		}
	}
	if len(refs) == 0 {
		refs = []Ref{{ID: Zero, Name: "capabilities^{}"}}
	}
	for i, ref := range refs {
		line := ref.ID + " " + ref.Name
		if i == 0 {
			line += "\x00" + receiveCaps
		}
		if err := writePacket(out, []byte(line+"\n")); err != nil {
			return err
		}
	}
	if err := writeFlush(out); err != nil {
		return err
	}
	return out.Flush()
}

// ReadPush reads the commands and options; the objects stay where they are. A nil push is a client that wants nothing.
func ReadPush(in io.Reader) (*Push, error) {
	p := &Push{in: bufio.NewReaderSize(in, 64<<10), caps: map[string]bool{}}
	for {
		line, err := readPacket(p.in)
		if errors.Is(err, errFlush) {
			break
		}
		if errors.Is(err, io.EOF) && len(p.Commands) == 0 {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if err := p.command(line); err != nil {
			return nil, err
		}
	}
	if len(p.Commands) == 0 {
		return nil, nil
	}
	if p.caps["push-options"] {
		return p, p.readOptions()
	}
	return p, nil
}

func (p *Push) command(line []byte) error {
	text, caps, first := bytes.Cut(line, []byte{0})
	if first {
		for _, name := range strings.Fields(string(caps)) {
			p.caps[name] = true
		}
	}
	parts := strings.SplitN(strings.TrimSuffix(string(text), "\n"), " ", 3)
	if len(parts) != 3 || !IsID(parts[0]) || !IsID(parts[1]) {
		return errPacket
	}
	if len(p.Commands) >= maxCommands {
		return fmt.Errorf("a push changes at most %d refs", maxCommands)
	}
	c := Command{Old: parts[0], New: parts[1], Ref: parts[2]}
	if !ValidRef(c.Ref) {
		c.Refused = "funny refname"
	}
	p.Commands = append(p.Commands, c)
	return nil
}

func (p *Push) readOptions() error {
	for {
		line, err := readPacket(p.in)
		if errors.Is(err, errFlush) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.Options) >= maxOptions {
			return fmt.Errorf("a push has at most %d options", maxOptions)
		}
		p.Options = append(p.Options, strings.TrimSuffix(string(line), "\n"))
	}
}

// brings tells whether objects follow: a push that only deletes has none.
func (p *Push) brings() bool {
	return slices.ContainsFunc(p.Commands, func(c Command) bool { return c.New != Zero })
}

// Quarantine is where the objects of a push wait until it is accepted.
type Quarantine struct {
	repo Repo
	dir  string
}

// Receive takes the objects of a push in, apart from the others, and checks that they are sound and whole. Progress
// goes to the client. With a limit in bytes a larger push is refused.
func (r Repo) Receive(ctx context.Context, p *Push, limit int64, progress io.Writer) (*Quarantine, error) {
	dir, err := os.MkdirTemp(filepath.Join(r.dir, "objects"), "incoming-")
	if err != nil {
		return nil, err
	}
	q := &Quarantine{repo: r, dir: dir}
	if err := os.Mkdir(filepath.Join(dir, "pack"), 0o700); err != nil {
		return q, err
	}
	if !p.brings() {
		return q, nil
	}
	args := []string{"-c", "fetch.fsckObjects=true", "index-pack", "--stdin", "--fix-thin", "--strict"}
	if limit > 0 {
		args = append(args, "--max-input-size="+strconv.FormatInt(limit, 10))
	}
	if _, err := q.run(ctx, p.in, args...); err != nil {
		return q, fmt.Errorf("unpack: %w", err)
	}
	return q, q.connected(ctx, p)
}

// Env lets git see the objects that wait.
func (q *Quarantine) env() []string {
	return []string{"GIT_OBJECT_DIRECTORY=" + q.dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + filepath.Join(q.repo.dir, "objects"), "GIT_QUARANTINE_PATH=" + q.dir}
}

func (q *Quarantine) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return q.repo.outputWith(ctx, q.env(), small, stdin, args...)
}

// connected refuses commands whose new objects, or objects behind them, are not there.
func (q *Quarantine) connected(ctx context.Context, p *Push) error {
	check := func(ids ...string) error {
		in := strings.NewReader(strings.Join(ids, "\n") + "\n")
		_, err := q.run(ctx, in, "rev-list", "--objects", "--stdin", "--quiet", "--not", "--all")
		return err
	}
	var ids []string
	for _, c := range p.Commands {
		if c.New != Zero && c.Refused == "" {
			ids = append(ids, c.New)
		}
	}
	if len(ids) == 0 || check(ids...) == nil {
		return nil
	}
	for i, c := range p.Commands {
		if c.New != Zero && c.Refused == "" && check(c.New) != nil {
			p.Commands[i].Refused = "missing necessary objects"
		}
	}
	return ctx.Err()
}

// IsAncestor tells whether a commit is behind another, the objects that wait included.
func (q *Quarantine) IsAncestor(ctx context.Context, old, younger string) (bool, error) {
	if !IsID(old) || !IsID(younger) {
		return false, ErrBadName
	}
	_, err := q.run(ctx, nil, "merge-base", "--is-ancestor", old, younger)
	if code(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Accept moves the objects to the others. Packs go before their indexes: who sees an index finds the pack.
func (q *Quarantine) Accept() error {
	defer q.Discard()
	packs := filepath.Join(q.repo.dir, "objects", "pack")
	entries, err := os.ReadDir(filepath.Join(q.dir, "pack"))
	if err != nil {
		return err
	}
	for _, ending := range []string{".rev", ".pack", ".idx"} {
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ending) {
				if err := os.Rename(filepath.Join(q.dir, "pack", e.Name()), filepath.Join(packs, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Discard forgets the objects.
func (q *Quarantine) Discard() {
	if q != nil {
		os.RemoveAll(q.dir)
	}
}

// NotUpdated is why a command was not done whose ref is not any more what it expects, or cannot be.
const NotUpdated = "failed to update ref"

// Update changes refs that are still what the commands expect: each by itself or, for an atomic push, all or none. A
// command that was not done says why.
func (r Repo) Update(ctx context.Context, p *Push) error {
	if p.Atomic() && slices.ContainsFunc(p.Commands, func(c Command) bool { return c.Refused != "" }) {
		p.refuseOthers("atomic push failed")
		return nil
	}
	if err := r.updateRefs(ctx, p.Commands); err == nil {
		return nil
	} else if p.Atomic() {
		p.refuseOthers("atomic push failed")
		return ctx.Err()
	}
	for i := range p.Commands {
		if p.Commands[i].Refused != "" {
			continue
		}
		if err := r.updateRefs(ctx, p.Commands[i:i+1]); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p.Commands[i].Refused = NotUpdated
		}
	}
	return nil
}

// updateRefs is one transaction of git's.
func (r Repo) updateRefs(ctx context.Context, commands []Command) error {
	var in bytes.Buffer
	for _, c := range commands {
		switch {
		case c.Refused != "":
		case c.New == Zero:
			fmt.Fprintf(&in, "delete %s\x00%s\x00", c.Ref, c.Old)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", c.Ref, c.New, c.Old)
		}
	}
	if in.Len() == 0 {
		return nil
	}
	_, err := r.output(ctx, small, &in, "update-ref", "--stdin", "-z")
	return err
}

// Atomic tells whether all is to be done or nothing.
func (p *Push) Atomic() bool { return p.caps["atomic"] }

func (p *Push) refuseOthers(why string) {
	for i := range p.Commands {
		if p.Commands[i].Refused == "" {
			p.Commands[i].Refused = why
		}
	}
}

// RefuseAll refuses what is not refused already.
func (p *Push) RefuseAll(why string) { p.refuseOthers(why) }

// Report tells the client what became of its push: unpack is why the objects were not taken in, or empty.
func (p *Push) Report(to io.Writer, unpack string) error {
	if !p.caps["report-status"] && !p.caps["report-status-v2"] {
		return nil
	}
	if unpack == "" {
		unpack = "ok"
	}
	var report bytes.Buffer
	err := writePacket(&report, []byte("unpack "+line(unpack)+"\n"))
	for _, c := range p.Commands {
		text := "ok " + c.Ref
		if c.Refused != "" {
			text = "ng " + c.Ref + " " + line(c.Refused)
		}
		err = errors.Join(err, writePacket(&report, []byte(text+"\n")))
	}
	if err = errors.Join(err, writeFlush(&report)); err != nil {
		return err
	}
	if !p.caps["side-band-64k"] {
		_, err = to.Write(report.Bytes())
		return err
	}
	if _, err := (band{to, bandData}).Write(report.Bytes()); err != nil {
		return err
	}
	return writeFlush(to)
}

// Progress is where to tell the person who pushes something; it shows as «remote: …».
func (p *Push) Progress(to io.Writer) io.Writer {
	if !p.caps["side-band-64k"] {
		return io.Discard
	}
	return band{to, bandProgress}
}

func line(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text[:min(len(text), 1000)]
}
