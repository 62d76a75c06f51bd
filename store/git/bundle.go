package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// bundleSignature is the first line of a bundle.
const bundleSignature = "# v2 git bundle\n"

const (
	maxBundleRefs = 500000
	maxBundleLine = 4096
)

// BundledRefs returns the refs that a bundle of a project has: branches, tags, and the newest commits of merge requests.
func (r Repo) BundledRefs() ([]Ref, error) {
	all, err := r.Refs("refs/")
	if err != nil {
		return nil, err
	}
	refs := make([]Ref, 0, len(all))
	for _, ref := range all {
		if isBundledRef(ref.Name) {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// isBundledRef reports whether a bundle of a project can have a ref.
func isBundledRef(name string) bool {
	if number, ok := strings.CutPrefix(name, mergeRequestRefs); ok {
		iid, head := strings.CutSuffix(number, "/head")
		return head && isNumber(iid)
	}
	return strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/tags/")
}

func isNumber(text string) bool {
	return text != "" && text[0] != '0' && len(text) < 19 && strings.Trim(text, "0123456789") == ""
}

// WriteBundle writes a git bundle with refs and all objects that they lead to. Without refs, it writes nothing.
func (r Repo) WriteBundle(ctx context.Context, refs []Ref, to io.Writer) error {
	if len(refs) == 0 {
		return nil
	}
	var header, ids strings.Builder
	header.WriteString(bundleSignature)
	for _, ref := range refs {
		header.WriteString(ref.ID + " " + ref.Name + "\n")
		ids.WriteString(ref.ID + "\n")
	}
	if _, err := io.WriteString(to, header.String()+"\n"); err != nil {
		return err
	}
	args := []string{"-c", "pack.threads=1", "pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"}
	return r.streamFor(ctx, maintainWait, nil, strings.NewReader(ids.String()), args, func(from io.Reader) error {
		_, err := io.Copy(to, from)
		return err
	})
}

// Bundle is a git bundle that is being read.
type Bundle struct {
	Refs map[string]string // ids by names
	in   *bufio.Reader
}

// BundleError says what is wrong with a bundle.
type BundleError struct{ Why string }

func (e *BundleError) Error() string { return e.Why }

// OpenBundle reads the refs of a git bundle. It refuses bundles that need objects of another repository.
func OpenBundle(from io.Reader) (*Bundle, error) {
	b := &Bundle{Refs: map[string]string{}, in: bufio.NewReaderSize(from, maxBundleLine)}
	for first := true; ; first = false {
		line, err := b.in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, bufio.ErrBufferFull):
			return nil, &BundleError{"it is not a git bundle"}
		case err != nil:
			return nil, err
		case first && string(line) != bundleSignature:
			return nil, &BundleError{"it is not a git bundle of version 2"}
		case first:
			continue
		case len(line) == 1:
			return b, nil
		}
		if err := b.line(strings.TrimSuffix(string(line), "\n")); err != nil {
			return nil, err
		}
	}
}

// line reads the line of a ref.
func (b *Bundle) line(line string) error {
	id, name, ok := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "-"):
		return &BundleError{"it needs commits of another repository"}
	case !ok || !IsID(id):
		return &BundleError{"the list of refs is malformed"}
	case len(b.Refs) >= maxBundleRefs:
		return &BundleError{fmt.Sprintf("it has more than %d refs", maxBundleRefs)}
	}
	if isBundledRef(name) && ValidRef(name) {
		b.Refs[name] = id
	}
	return nil
}

// Keep leaves out refs whose names are not allowed in a project. head is the default branch.
func (b *Bundle) Keep(head string) {
	for name := range b.Refs {
		if !isMergeRequestRef(name) && !isCopiedRef(name, head) {
			delete(b.Refs, name)
		}
	}
}

// ReceiveBundle reads the objects of a bundle into the repository. The objects are checked like those of a push. Refs
// whose objects are missing or of another kind are removed from the bundle. It returns the commits of annotated tags, by
// the ids of the tags. No ref points to the objects yet. A bundle with more bytes than the limit is refused.
func (r Repo) ReceiveBundle(ctx context.Context, b *Bundle, limit int64) (peeled map[string]string, err error) {
	q, err := r.receivePack(ctx, b.in, limit)
	defer q.Discard()
	var remote *RemoteError
	if errors.As(err, &remote) {
		return nil, &BundleError{remote.Why}
	}
	if err != nil {
		return nil, err
	}
	if peeled, err = q.peel(ctx, b.Refs); err != nil {
		return nil, err
	}
	return peeled, q.Accept()
}

// peel finds the objects that refs lead to, and removes refs whose objects are missing. Only tags may lead to objects
// other than commits.
func (q *Quarantine) peel(ctx context.Context, refs map[string]string) (map[string]string, error) {
	var lines strings.Builder
	names := make([]string, 0, len(refs))
	for name, id := range refs {
		names = append(names, name)
		lines.WriteString(id + "^{}\n")
	}
	peeled := map[string]string{}
	args := []string{"cat-file", "--batch-check=%(objectname) %(objecttype)", "--buffer"}
	c := call{wait: connectWait, env: q.env(), stdin: strings.NewReader(lines.String()), args: args}
	err := q.repo.run(ctx, c, func(from io.Reader) error {
		answers := bufio.NewScanner(from)
		for _, name := range names {
			if !answers.Scan() {
				return errors.Join(io.ErrUnexpectedEOF, answers.Err())
			}
			id, kind, _ := strings.Cut(answers.Text(), " ")
			switch isTag := strings.HasPrefix(name, "refs/tags/"); {
			case !IsID(id), !isTag && (kind != KindCommit || id != refs[name]):
				delete(refs, name)
			case id != refs[name]:
				peeled[refs[name]] = id
			}
		}
		return nil
	})
	return peeled, err
}
