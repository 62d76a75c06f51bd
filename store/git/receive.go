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
	"time"
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

	receiveWait   = time.Hour        // for objects to come in; a slow line takes its time
	connectWait   = 15 * time.Minute // for a walk over all that has come
	receiveMemory = 1 << 30          // a pack of a few bytes can ask for any amount
)

// AdvertiseReceive writes the refs and what we understand, for a client that is about to push.
func (r Repo) AdvertiseReceive(to io.Writer, http bool) error {
	refs, err := r.Refs("refs/")
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(refs, func(ref Ref) bool { return isHidden(ref.Name) || isProposed(ref.Name) })
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
		if id, ok := bytes.CutPrefix(bytes.TrimSuffix(line, []byte("\n")), []byte("shallow ")); ok && IsID(string(id)) && len(p.Commands) == 0 {
			continue // where the client's history ends; ours goes on, and that it does is checked
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
	// Large objects are not held in memory, threads would each hold their own, and old faults that others let in are let in.
	args := []string{
		"-c", "core.bigFileThreshold=16m", "-c", "core.deltaBaseCacheLimit=64m", "index-pack", "--threads=1", "--stdin", "--fix-thin",
		"--strict=badTimezone=ignore,missingSpaceBeforeDate=ignore,zeroPaddedFilemode=ignore",
	}
	if limit > 0 {
		args = append(args, "--max-input-size="+strconv.FormatInt(limit, 10))
	}
	err = r.run(ctx, call{wait: receiveWait, env: q.env(), stdin: p.in, args: args, data: receiveMemory}, discard)
	if err != nil {
		return q, fmt.Errorf("unpack: %w", err)
	}
	return q, q.connected(ctx, p)
}

func discard(from io.Reader) error {
	_, err := io.Copy(io.Discard, from)
	return err
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
		args := []string{"rev-list", "--objects", "--stdin", "--quiet", "--not", "--all"}
		return q.repo.run(ctx, call{wait: connectWait, env: q.env(), stdin: in, args: args, data: receiveMemory}, discard)
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
	return syncFolder(packs) // before a ref names what is in them
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Discard forgets the objects.
func (q *Quarantine) Discard() {
	if q != nil {
		os.RemoveAll(q.dir)
	}
}

// CheckOld refuses the commands that expect another value of a ref than it has.
func (r Repo) CheckOld(p *Push) {
	for i := range p.Commands {
		c := &p.Commands[i]
		if c.Refused != "" {
			continue
		}
		now, err := r.Ref(c.Ref)
		if err != nil {
			now = Zero
		}
		switch {
		case c.Old == Zero && c.New == Zero:
			c.Refused = "nothing to do"
		case now == c.Old:
		case c.Old == Zero:
			c.Refused = "reference already exists"
		case now == Zero:
			c.Refused = "reference does not exist"
		default:
			c.Refused = "incorrect old value provided"
		}
	}
}

// Update changes refs that are still what the commands expect: each by itself or, for an atomic push, all or none. A
// command that was not done says why.
func (r Repo) Update(ctx context.Context, p *Push) error {
	l, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release()
	return l.Update(ctx, p)
}

// Update is Repo.Update for who has the lock.
func (l *Lock) Update(ctx context.Context, p *Push) error {
	if p.Atomic() && p.Refuses() {
		p.refuseOthers("atomic push failed")
		return nil
	}
	l.clearStale(p.Commands)
	if !p.Atomic() {
		return l.updateSome(ctx, p.Commands)
	}
	if err := l.updateRefs(ctx, p.Commands); err != nil {
		p.refuseOthers("atomic push failed")
	}
	return ctx.Err()
}

// updateSome changes what it can: where one ref cannot be changed, the halves are tried, and so on.
func (l *Lock) updateSome(ctx context.Context, commands []Command) error {
	if len(commands) == 0 || l.updateRefs(ctx, commands) == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if len(commands) == 1 {
		commands[0].Refused = NotUpdated
		return nil
	}
	half := len(commands) / 2
	if err := l.updateSome(ctx, commands[:half]); err != nil {
		return err
	}
	return l.updateSome(ctx, commands[half:])
}

// updateRefs is one transaction of git's. It is said where it ends, so that a server that dies while it speaks changes
// nothing.
func (l *Lock) updateRefs(ctx context.Context, commands []Command) error {
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
	text := "start\x00" + in.String() + "prepare\x00commit\x00"
	return l.repo.run(ctx, call{wait: timeout, stdin: strings.NewReader(text), args: []string{"update-ref", "--stdin", "-z"}, keep: l.file}, discard)
}

// Atomic tells whether all is to be done or nothing.
func (p *Push) Atomic() bool { return p.caps["atomic"] }

// Refuses tells whether something of it was refused.
func (p *Push) Refuses() bool {
	return slices.ContainsFunc(p.Commands, func(c Command) bool { return c.Refused != "" })
}

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
