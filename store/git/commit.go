package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Person is the author or committer of a commit, with the time and its zone.
type Person struct {
	Name, Email string
	When        time.Time
}

// Commit is a commit as it is stored.
type Commit struct {
	ID        string
	Tree      string
	Parents   []string
	Author    Person
	Committer Person
	Message   string
}

// Title is the first line of the message.
func (c Commit) Title() string {
	title, _, _ := strings.Cut(strings.TrimLeft(c.Message, "\n"), "\n")
	return strings.TrimSpace(title)
}

const maxCommit = 8 << 20

// Commit reads a commit by its id.
func (r Repo) Commit(ctx context.Context, id string) (Commit, error) {
	all, err := r.Commits(ctx, []string{id})
	if err != nil {
		return Commit{}, err
	}
	return all[0], nil
}

// Commits reads commits by their ids, in that order.
func (r Repo) Commits(ctx context.Context, ids []string) ([]Commit, error) {
	out := make([]Commit, len(ids))
	var missing []int
	for i, id := range ids {
		if c, ok := r.all.cache.commits.Get(r.dir + id); ok {
			out[i] = c
		} else if o, ok := r.findBuffered(id); ok && o.kind == KindCommit {
			out[i] = parseCommit(id, string(o.data))
		} else {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	err := r.withBatchUnflushed(ctx, func(b *batch) error { // none of these is in the buffer
		for few := range slices.Chunk(missing, maxAsked) {
			if err := r.readCommits(b, ids, few, out); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// maxAsked is how many objects one batch asks for. Git reads all questions before it answers.
const maxAsked = 200

// readCommits reads the missing commits. It asks for their sizes first.
func (r Repo) readCommits(b *batch, ids []string, missing []int, out []Commit) error {
	var wanted []string
	for _, i := range missing {
		if !IsID(ids[i]) {
			return ErrNotFound
		}
		wanted = append(wanted, ids[i])
	}
	infos, err := b.infos(wanted)
	if err != nil {
		return err
	}
	for _, info := range infos {
		switch {
		case info.Kind != KindCommit:
			return ErrNotFound
		case info.Size > maxCommit:
			return fmt.Errorf("commit %s: %w: %w", info.ID, ErrTooLarge, errBatchUsable)
		}
	}
	return b.each(infos, func(at int, data []byte) {
		i := missing[at]
		out[i] = parseCommit(ids[i], string(data))
		r.all.cache.commits.Set(r.dir+ids[i], out[i])
	})
}

// parseCommit reads the headers and the message. Text that is not UTF-8 counts as Latin 1, as in old histories.
func parseCommit(id, data string) Commit {
	c := Commit{ID: id}
	headers, message, _ := strings.Cut(data, "\n\n")
	for line := range strings.SplitSeq(headers, "\n") {
		key, value, _ := strings.Cut(line, " ") // a continuation line begins with a space
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author = parsePerson(value)
		case "committer":
			c.Committer = parsePerson(value)
		}
	}
	c.Message = readable(message)
	return c
}

// parsePerson reads «Name <email> seconds +0000».
func parsePerson(text string) Person {
	name, rest, _ := strings.Cut(text, "<")
	email, when, _ := strings.Cut(rest, ">")
	p := Person{Name: readable(strings.TrimSpace(name)), Email: readable(strings.TrimSpace(email))}
	seconds, zone, _ := strings.Cut(strings.TrimSpace(when), " ")
	n, _ := strconv.ParseInt(seconds, 10, 64)
	offset := 0
	if len(zone) == 5 {
		hours, err1 := strconv.Atoi(zone[1:3])
		minutes, err2 := strconv.Atoi(zone[3:])
		if err1 == nil && err2 == nil && hours < 24 && minutes < 60 {
			offset = hours*3600 + minutes*60
		}
		if zone[0] == '-' {
			offset = -offset
		}
	}
	p.When = time.Unix(min(max(n, 0), 253402300799), 0).In(time.FixedZone("", offset))
	return p
}

func readable(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

// maxCounted limits how many commits of a push are counted.
const maxCounted = 100000

// Pushed counts the commits that a change of a ref adds, and returns the title of the last one. A change adds the
// commits that were not in the history of the ref. A new ref adds the commits that are not in the default branch; a new
// default branch adds its whole history.
func (r Repo) Pushed(ctx context.Context, change Command) (int64, string, error) {
	tip, err := r.peel(ctx, change.New)
	if err != nil {
		return 0, "", nil //nolint:nilerr // a tag may be of something else than a commit
	}
	c, err := r.Commit(ctx, tip)
	if err != nil {
		return 0, "", err
	}
	if len(c.Parents) == 0 || len(c.Parents) == 1 && c.Parents[0] == change.Old {
		return 1, c.Title(), nil
	}
	args := []string{"rev-list", "--count", "--max-count=" + strconv.Itoa(maxCounted), tip}
	if change.Old != Zero {
		args = append(args, "^"+change.Old)
	} else if head, at := r.Head(); at != "" && change.Ref != "refs/heads/"+head {
		args = append(args, "^"+at)
	}
	out, err := r.output(ctx, small, nil, args...)
	if err != nil {
		return 0, c.Title(), nil //nolint:nilerr // the old one may be gone
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return n, c.Title(), err
}
