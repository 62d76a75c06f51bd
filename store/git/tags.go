package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Tag is a tag of a commit, or of another object.
type Tag struct {
	Name      string
	Target    string // id of the tag object of an annotated tag, else of what it points to
	Commit    string // id; empty for a tag of something else
	Annotated bool
	Message   string // of an annotated tag, without its signature
	Tagger    Person // of an annotated tag; without a name in very old ones
}

const (
	maxTag      = 1 << 20 // bytes of an annotated tag
	maxTagChain = 10      // a tag may point to a tag
)

// Tags returns all tags, sorted by name.
func (r Repo) Tags(ctx context.Context) ([]Tag, error) {
	refs, err := r.Refs("refs/tags/")
	if err != nil {
		return nil, err
	}
	return r.ReadTags(ctx, refs)
}

// ReadTags reads tags by their refs.
func (r Repo) ReadTags(ctx context.Context, refs []Ref) ([]Tag, error) {
	tags := make([]Tag, len(refs))
	var unknown []int
	for i, ref := range refs {
		tag, ok := r.all.cache.tags.Get(r.dir + ref.ID)
		if !ok {
			unknown = append(unknown, i)
		}
		tag.Name = strings.TrimPrefix(ref.Name, "refs/tags/")
		tags[i] = tag
	}
	if len(unknown) == 0 {
		return tags, nil
	}
	err := r.withBatch(ctx, func(b *batch) error {
		for _, i := range unknown {
			tag, err := b.tag(refs[i].ID)
			if err != nil {
				return err
			}
			r.all.cache.tags.Set(r.dir+refs[i].ID, tag)
			tag.Name = tags[i].Name
			tags[i] = tag
		}
		return nil
	})
	return tags, err
}

// tag reads the object that the ref of a tag points to, and follows it to the commit.
func (b *batch) tag(id string) (Tag, error) {
	tag := Tag{Target: id}
	for step := range maxTagChain {
		info, err := b.ask("info", id)
		if errors.Is(err, ErrNotFound) {
			return tag, nil // its target is missing
		}
		if err != nil {
			return tag, err
		}
		if info.Kind == KindCommit {
			tag.Commit = id
		}
		if info.Kind != "tag" || info.Size > maxTag {
			return tag, nil
		}
		data, err := b.contents(id)
		if err != nil {
			return tag, err
		}
		headers, message, _ := strings.Cut(string(data), "\n\n")
		next := ""
		for line := range strings.SplitSeq(headers, "\n") {
			if value, ok := strings.CutPrefix(line, "object "); ok {
				next = value
			}
			if value, ok := strings.CutPrefix(line, "tagger "); ok && step == 0 {
				tag.Tagger = parsePerson(value)
			}
		}
		if step == 0 {
			tag.Annotated, tag.Message = true, unsigned(readable(message))
		}
		if id = next; !IsID(id) {
			return tag, nil
		}
	}
	return tag, nil
}

// unsigned returns a message without the signature at its end.
func unsigned(message string) string {
	for _, begin := range signatureBegins {
		if at := strings.Index(message, begin); at == 0 || at > 0 && message[at-1] == '\n' {
			message = message[:at]
		}
	}
	return strings.TrimRight(message, "\n")
}

// WriteTag writes an annotated tag of a commit and returns its id. No ref points to it yet.
func (r Repo) WriteTag(name, commit, message string, tagger Person) (string, error) {
	if !ValidTag(name) || !IsID(commit) {
		return "", ErrBadName
	}
	message = strings.TrimRight(strings.ReplaceAll(message, "\x00", ""), "\n") + "\n"
	return r.writeObject("tag", fmt.Appendf(nil, "object %s\ntype commit\ntag %s\ntagger %s\n\n%s", commit, name, tagger.line(), message))
}

// CompareVersions orders names by the numbers in them. A pre-release like v1.0-rc1 comes before its version.
func CompareVersions(a, b string) int {
	x, y := versionParts(a), versionParts(b)
	for i := range min(len(x), len(y)) {
		if c := comparePart(x[i], y[i]); c != 0 {
			return c
		}
	}
	longer, sign := x, 1
	if len(y) > len(x) {
		longer, sign = y, -1
	}
	if shorter := min(len(x), len(y)); len(longer) > shorter {
		if strings.HasPrefix(longer[shorter], "-") {
			return -sign
		}
		return sign
	}
	return strings.Compare(a, b)
}

// versionParts splits a name where digits begin and end.
func versionParts(name string) []string {
	var parts []string
	begin := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || digit(name[i]) != digit(name[i-1]) {
			parts = append(parts, name[begin:i])
			begin = i
		}
	}
	return parts
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func comparePart(a, b string) int {
	if !digit(a[0]) || !digit(b[0]) {
		// «.» continues the version, «-» begins a pre-release.
		if minus := strings.HasPrefix(a, "-"); minus != strings.HasPrefix(b, "-") {
			if minus {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	}
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return slices.Compare([]byte(a), []byte(b))
}
