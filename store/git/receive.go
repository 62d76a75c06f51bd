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

// Command is one change of a ref that a push asks for.
type Command struct {
	Ref      string
	Old, New string // Zero if the ref is created or deleted
	Refused  string // why the change is refused; empty if it is not
}

// Push is the part of a push before its objects.
type Push struct {
	Commands []Command
	Options  []string
	caps     map[string]bool
	in       *bufio.Reader
	source   *errorReader
	refusal  string // why the whole push is refused, though the client can be answered
}

const (
	receiveCaps = "report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options " +
		"object-format=sha1 agent=svc"
	// MaxCommands is how many refs one push may change.
	MaxCommands = 10000
	maxOptions  = 100

	maxCommand     = 1200    // bytes of a line: two ids and the longest name
	maxCaps        = 1200    // bytes of the capabilities, which follow the first command
	maxHead        = 4 << 20 // bytes of all commands
	maxOptionBytes = 256 << 10

	receiveWait   = time.Hour        // for receiving objects; a slow connection takes its time
	connectWait   = 15 * time.Minute // for a walk over all received objects
	updateWait    = 10 * time.Minute // for writing refs, thousands of files at most
	receiveMemory = 1 << 30          // a pack of a few bytes can ask for any amount of memory
)

// AdvertiseReceive writes the refs and our capabilities for a client that is about to push.
func (r Repo) AdvertiseReceive(to io.Writer, http bool) error {
	refs, err := r.Refs("refs/")
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(refs, func(ref Ref) bool { return isHidden(ref.Name) || isMergeRequestRef(ref.Name) })
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

// ReadPush reads the commands and options, and leaves the objects unread. It returns nil if the client wants nothing.
func ReadPush(in io.Reader) (*Push, error) {
	source := &errorReader{Reader: in}
	p := &Push{in: bufio.NewReaderSize(source, 64<<10), caps: map[string]bool{}, source: source}
	for size, most := 0, maxCommand+maxCaps; ; most = maxCommand {
		line, err := readPacketOf(p.in, most)
		if errors.Is(err, errFlush) {
			break
		}
		if errors.Is(err, io.EOF) && len(p.Commands) == 0 {
			return nil, nil
		}
		if err != nil {
			return nil, cutOff(err)
		}
		if size += len(line); size > maxHead {
			return nil, &RequestError{fmt.Sprintf("the commands of a push must not have more than %d bytes", maxHead)}
		}
		if id, ok := bytes.CutPrefix(bytes.TrimSuffix(line, []byte("\n")), []byte("shallow ")); ok &&
			IsID(string(id)) && len(p.Commands) == 0 {
			continue // where the client's history ends; the check for completeness covers it
		}
		if len(p.Commands) >= MaxCommands {
			p.refusal = fmt.Sprintf("a push can change at most %d refs: push them in several steps", MaxCommands)
			return p, nil
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
	if len(text) > maxCommand {
		return errLong
	}
	if first {
		for _, name := range strings.Fields(string(caps)) {
			p.caps[name] = true
		}
	}
	parts := strings.SplitN(strings.TrimSuffix(string(text), "\n"), " ", 3)
	if len(parts) != 3 || !IsID(parts[0]) || !IsID(parts[1]) {
		return errPacket
	}
	c := Command{Old: parts[0], New: parts[1], Ref: parts[2]}
	if !ValidRef(c.Ref) {
		c.Refused = "funny refname"
	}
	p.Commands = append(p.Commands, c)
	return nil
}

func (p *Push) readOptions() error {
	for size := 0; ; {
		line, err := readPacket(p.in)
		if errors.Is(err, errFlush) {
			return nil
		}
		if err != nil {
			return cutOff(err)
		}
		if size += len(line); len(p.Options) >= maxOptions || size > maxOptionBytes {
			return &RequestError{fmt.Sprintf("a push can have at most %d options with %d bytes in total", maxOptions, maxOptionBytes)}
		}
		p.Options = append(p.Options, strings.TrimSuffix(string(line), "\n"))
	}
}

// brings reports whether objects follow: a push that only deletes refs has none.
func (p *Push) brings() bool {
	return slices.ContainsFunc(p.Commands, func(c Command) bool { return c.New != Zero })
}

// Quarantine holds the objects of a push until it is accepted.
type Quarantine struct {
	repo Repo
	dir  string
}

// Receive reads the objects of a push into a quarantine, and checks that they are valid and complete. A push with more
// bytes than the limit is refused; 0 means no limit.
func (r Repo) Receive(ctx context.Context, p *Push, limit int64) (*Quarantine, error) {
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
	args := indexPack(1) // one thread, because each would hold its own objects
	if limit > 0 {
		args = append(args, "--max-input-size="+strconv.FormatInt(limit, 10))
	}
	err = r.run(ctx, call{wait: receiveWait, env: q.env(), stdin: p.in, args: args, data: receiveMemory}, discard)
	if cut := p.source.error(); err != nil && cut != nil {
		err = cut // the client is gone, or too slow
	}
	if err != nil {
		return q, fmt.Errorf("unpack: %w", err)
	}
	return q, q.connected(ctx, p)
}

// indexPack returns the command that reads a pack and checks its objects. Large objects are not held in memory. Old faults
// that other servers accept are accepted.
func indexPack(threads int) []string {
	return []string{
		"-c", "core.bigFileThreshold=16m", "-c", "core.deltaBaseCacheLimit=64m", "index-pack", "--threads=" + strconv.Itoa(threads),
		"--stdin", "--fix-thin", "--strict=badTimezone=ignore,missingSpaceBeforeDate=ignore,zeroPaddedFilemode=ignore",
	}
}

func discard(from io.Reader) error {
	_, err := io.Copy(io.Discard, from)
	return err
}

// env makes git see the objects in quarantine.
func (q *Quarantine) env() []string {
	return []string{
		"GIT_OBJECT_DIRECTORY=" + q.dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + filepath.Join(q.repo.dir, "objects"),
		"GIT_QUARANTINE_PATH=" + q.dir,
	}
}

func (q *Quarantine) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return q.repo.outputWith(ctx, q.env(), small, stdin, args...)
}

// connected refuses commands whose new objects, or objects behind them, are missing.
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

// IsAncestor reports whether a commit is an ancestor of another. It sees the objects in quarantine, too.
func (q *Quarantine) IsAncestor(ctx context.Context, old, younger string) (bool, error) {
	if !IsID(old) || !IsID(younger) {
		return false, ErrBadName
	}
	_, err := q.run(ctx, nil, "merge-base", "--is-ancestor", old, younger)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Accept moves the objects into the repository. It moves packs before their indexes, so a reader that finds an index
// finds the pack.
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
	return syncFolder(packs) // before a ref points to objects in them
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Discard deletes the objects.
func (q *Quarantine) Discard() {
	if q != nil {
		os.RemoveAll(q.dir)
	}
}

// manyCommands is the number of commands from which on all refs are read at once.
const manyCommands = 32

// CheckOld refuses the commands that expect another value of a ref than it has.
func (r Repo) CheckOld(p *Push) {
	value := r.Ref
	if len(p.Commands) > manyCommands {
		value = r.allRefs()
	}
	for i := range p.Commands {
		c := &p.Commands[i]
		if c.Refused != "" {
			continue
		}
		now, err := value(c.Ref)
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

// allRefs does the same as Ref for many names, and reads all refs once.
func (r Repo) allRefs() func(name string) (string, error) {
	refs, err := r.Refs("refs/")
	if err != nil {
		return r.Ref
	}
	ids := make(map[string]string, len(refs))
	for _, ref := range refs {
		ids[ref.Name] = ref.ID
	}
	return func(name string) (string, error) {
		if id, ok := ids[name]; ok {
			return id, nil
		}
		return "", ErrNotFound
	}
}

// Refuse answers a push that is refused as a whole, without reading its objects. It returns false for other pushes. It
// reads what the client still sends for a while: otherwise the client might not read the answer.
func (p *Push) Refuse(ctx context.Context, to io.Writer) (bool, error) {
	if p.refusal == "" {
		return false, nil
	}
	p.RefuseAll(p.refusal)
	err := p.Report(to, p.refusal)
	f, ok := to.(interface{ Flush() })
	if !ok { // over SSH the client may wait until we close
		drain(ctx, p.in)
		return true, err
	}
	f.Flush()
	for buf, until := make([]byte, transferBuffer), time.Now().Add(drainTime); err == nil && time.Now().Before(until) && ctx.Err() == nil; {
		if _, end := p.in.Read(buf); end != nil { // the body must not be read any more after this function returns
			break
		}
	}
	return true, err
}

// Atomic reports whether the push asks for all changes or none.
func (p *Push) Atomic() bool { return p.caps["atomic"] }

// Refuses reports whether a command was refused.
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

// RefuseAll refuses all commands that are not refused already.
func (p *Push) RefuseAll(why string) { p.refuseOthers(why) }

// Report sends the client the result of its push. unpack says why the objects were not accepted; it is empty if they
// were.
func (p *Push) Report(to io.Writer, unpack string) error {
	if !p.caps["report-status"] && !p.caps["report-status-v2"] {
		return nil
	}
	if unpack == "" {
		unpack = "ok"
	}
	var report bytes.Buffer
	err := writePacket(&report, []byte("unpack "+firstLine(unpack)+"\n"))
	for _, c := range p.Commands {
		text := "ok " + c.Ref
		if c.Refused != "" {
			text = "ng " + c.Ref + " " + firstLine(c.Refused)
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
	if _, err := (band{to, dataBand}).Write(report.Bytes()); err != nil {
		return err
	}
	return writeFlush(to)
}

// Say sends lines that the client shows to its user. It sends nothing if the client cannot show messages. It ignores the
// capability quiet, which git also sends if it only shows no progress because its output is not a terminal.
func (p *Push) Say(to io.Writer, lines []string) error {
	if len(lines) == 0 || !p.caps["side-band-64k"] {
		return nil
	}
	_, err := (band{to, textBand}).Write([]byte(strings.Join(lines, "\n") + "\n"))
	return err
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text[:min(len(text), 1000)]
}
