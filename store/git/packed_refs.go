package git

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// packedRefs are the refs in the packed-refs file, sorted by name, and the state of the file. Git never changes that
// file: it replaces it.
type packedRefs struct {
	file os.FileInfo
	refs []Ref
}

// settled is the age from which on size and time of a file differ from those of all later files.
const settled = 100 * time.Millisecond

// same reports whether a file is still the one that was read.
func (p packedRefs) same(now os.FileInfo) bool {
	return os.SameFile(p.file, now) && p.file.Size() == now.Size() && p.file.ModTime().Equal(now.ModTime())
}

// bytes returns approximately how much memory the refs use.
func (p packedRefs) bytes() int { return int(p.file.Size()) + 32*len(p.refs) + entryCost }

// packed returns the refs in the packed-refs file. Callers share the slice and must not change it.
func (r Repo) packed() ([]Ref, error) {
	name := filepath.Join(r.dir, "packed-refs")
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if kept, ok := r.all.cache.packed.Get(r.dir); ok && kept.same(info) {
		return kept.refs, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	p := packedRefs{file: info, refs: parsePacked(string(data))}
	if age := time.Since(info.ModTime()); age > settled {
		r.all.cache.packed.Set(r.dir, p)
	}
	return p.refs, nil
}

// parsePacked reads the lines of the file. The lines between the refs name the targets of annotated tags.
func parsePacked(text string) []Ref {
	refs := make([]Ref, 0, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if ok && IsID(id) {
			refs = append(refs, Ref{Name: name, ID: id})
		}
	}
	if !slices.IsSortedFunc(refs, byRefName) { // a very old git did not sort them
		slices.SortFunc(refs, byRefName)
	}
	return refs
}

func byRefName(a, b Ref) int { return strings.Compare(a.Name, b.Name) }

// below returns the refs whose names begin with a prefix. The refs are sorted.
func below(refs []Ref, prefix string) []Ref {
	from, _ := slices.BinarySearchFunc(refs, prefix, func(ref Ref, prefix string) int { return strings.Compare(ref.Name, prefix) })
	n := 0
	for from+n < len(refs) && strings.HasPrefix(refs[from+n].Name, prefix) {
		n++
	}
	return refs[from : from+n]
}

// merged merges loose and packed refs, both sorted. If both have a name, the loose one counts.
func merged(loose, packed []Ref) []Ref {
	refs := make([]Ref, 0, len(loose)+len(packed))
	for len(loose) > 0 && len(packed) > 0 {
		order := byRefName(loose[0], packed[0])
		if order <= 0 {
			refs, loose = append(refs, loose[0]), loose[1:]
		} else {
			refs = append(refs, packed[0])
		}
		if order >= 0 {
			packed = packed[1:]
		}
	}
	return append(append(refs, loose...), packed...)
}

// readRef reads the id in the file of a ref. There may be thousands of such files, so it makes no more than three
// system calls for each.
func readRef(name string) (string, bool) {
	file, err := retry(func() (int, error) { return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return "", false
	}
	defer syscall.Close(file)
	text := make([]byte, 256) // anything longer is no id
	n, err := retry(func() (int, error) { return syscall.Read(file, text) })
	if err != nil {
		return "", false
	}
	id := strings.TrimSpace(string(text[:n]))
	return id, IsID(id)
}

// retry repeats a system call that a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
