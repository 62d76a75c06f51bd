package export

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"svc/store"
)

// sink receives the content of an archive: a group, then its parts, then the next group.
type sink interface {
	group(ctx context.Context, g Group) error
	labels(ctx context.Context, batch []Label) error
	milestones(ctx context.Context, batch []Milestone) error
	badges(ctx context.Context, batch []Badge) error
	boards(ctx context.Context, batch []Board) error
	members(ctx context.Context, batch []Member) error
	wiki(ctx context.Context, from io.Reader) error
}

// discardSink is a sink that discards everything.
type discardSink struct{}

func (discardSink) group(context.Context, Group) error            { return nil }
func (discardSink) labels(context.Context, []Label) error         { return nil }
func (discardSink) milestones(context.Context, []Milestone) error { return nil }
func (discardSink) badges(context.Context, []Badge) error         { return nil }
func (discardSink) boards(context.Context, []Board) error         { return nil }
func (discardSink) members(context.Context, []Member) error       { return nil }
func (discardSink) wiki(context.Context, io.Reader) error         { return nil }

// reader reads an archive. It accepts only the file names that can come next, so no other name is ever used.
type reader struct {
	ctx     context.Context
	tar     *tar.Reader
	to      sink
	name    string // the current file
	order   []int64
	next    int // index in order of the next group
	part    int // index after the last part that was read
	depth   map[int64]int
	paths   map[string]bool // parent and path of each group
	boards  int             // of the current group
	badges  int
	records int64
}

// Read reads an archive to its end and returns the number of its records. If the archive is invalid, the error is a
// *BadArchiveError.
func Read(ctx context.Context, from io.Reader, to sink) (int64, error) {
	packed := &source{from: from}
	r := &reader{ctx: ctx, to: to, depth: map[int64]int{}, paths: map[string]bool{}}
	err := r.all(packed)
	if packed.failed != nil { // a read error takes precedence over what it caused
		err = packed.failed
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && packed.failed == nil {
		err = bad("the archive is damaged")
	}
	return r.records, err
}

func (r *reader) all(packed *source) error {
	zip, err := gzip.NewReader(packed)
	if err != nil {
		return bad("the file is not compressed with gzip")
	}
	content := &measured{from: zip, packed: packed}
	r.tar = tar.NewReader(content)
	if err := r.begin(); err != nil {
		return err
	}
	for {
		err := r.entry()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if r.next < len(r.order) {
		return bad("the archive ends before all groups of its list")
	}
	// Bytes after the last file count towards the limits too, and the checksum at the end is checked.
	if _, err := io.Copy(io.Discard, content); err != nil {
		return err
	}
	return nil
}

// header reads the header of the next file. It returns io.EOF after the last file.
func (r *reader) header() error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	h, err := r.tar.Next()
	if errors.Is(err, tar.ErrHeader) {
		return bad("the archive is damaged or not a tar file")
	}
	if err != nil {
		return err
	}
	r.name = h.Name
	if len(r.name) > 100 {
		r.name = r.name[:100]
	}
	if h.Typeflag != tar.TypeReg || len(h.PAXRecords) > 0 {
		return bad("%q is not a regular file", r.name)
	}
	return nil
}

// begin reads the files before the groups.
func (r *reader) begin() error {
	if err := r.header(); err != nil {
		return early(err)
	}
	if r.name != versionFile {
		return bad("found %q instead of %s", r.name, versionFile)
	}
	found, err := io.ReadAll(io.LimitReader(r.tar, 64))
	if err != nil {
		return err
	}
	if string(found) != version {
		return bad("the archive has the format %.20q; this service reads %q", found, version)
	}
	if err := r.header(); err != nil {
		return early(err)
	}
	if r.name != groupsFile {
		return bad("found %q instead of %s", r.name, groupsFile)
	}
	r.order, err = readIDs(r.tar)
	return err
}

// early turns an early end of the archive into an error for the user.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return bad("the archive is empty")
	}
	return err
}

// entry reads one file.
func (r *reader) entry() error {
	if err := r.header(); err != nil {
		return err
	}
	if r.next < len(r.order) && r.name == inGroup(r.order[r.next], ".json") {
		return r.group()
	}
	if r.next > 0 && r.name == inGroup(r.order[r.next-1], wikiFile) && r.part <= len(partNames) {
		r.part = len(partNames) + 1
		if err := r.count(); err != nil {
			return err
		}
		return r.to.wiki(r.ctx, r.tar)
	}
	if r.next > 0 {
		name, ok := strings.CutPrefix(r.name, inGroup(r.order[r.next-1], "/"))
		name, named := strings.CutSuffix(name, ".ndjson")
		if at := slices.Index(partNames, name); ok && named && at >= r.part {
			r.part = at + 1
			return r.lines(name)
		}
	}
	return bad("%q is out of order in the archive", r.name)
}

// group reads the attributes of the next group.
func (r *reader) group() error {
	data, err := io.ReadAll(io.LimitReader(r.tar, maxLine))
	if err != nil {
		return err
	}
	var g Group
	if json.Unmarshal(data, &g) != nil || g.ID != r.order[r.next] {
		return bad("%s does not contain a group", r.name)
	}
	first := r.next == 0
	if err := g.check(first); err != nil {
		return err
	}
	if !first {
		if err := r.checkPlace(g); err != nil {
			return err
		}
	}
	r.depth[g.ID] = r.depthOf(g)
	r.next, r.part, r.boards, r.badges = r.next+1, 0, 0, 0
	if err := r.count(); err != nil {
		return err
	}
	return r.to.group(r.ctx, g)
}

// depthOf returns the nesting depth of a group in the archive.
func (r *reader) depthOf(g Group) int {
	if g.ParentID == nil || r.next == 0 {
		return 0
	}
	return r.depth[*g.ParentID] + 1
}

// checkPlace checks the parent, depth and path of a group.
func (r *reader) checkPlace(g Group) error {
	if g.ParentID == nil {
		return bad("the archive has two top-level groups")
	}
	if _, known := r.depth[*g.ParentID]; !known {
		return bad("a group comes before its parent group")
	}
	if r.depthOf(g) >= store.MaxDepth {
		return bad("groups are nested more than %d levels deep", store.MaxDepth)
	}
	path := inGroup(*g.ParentID, "/"+strings.ToLower(g.Path))
	if r.paths[path] {
		return bad("two groups have the same path")
	}
	r.paths[path] = true
	return nil
}

// lines reads a part of a group.
func (r *reader) lines(name string) error {
	switch name {
	case labelsPart:
		return readLines(r, func(batch []Label) error { return r.to.labels(r.ctx, batch) })
	case milestonesPart:
		return readLines(r, func(batch []Milestone) error { return r.to.milestones(r.ctx, batch) })
	case badgesPart:
		return readLines(r, func(batch []Badge) error {
			if r.badges += len(batch); r.badges > maxBadges {
				return bad("a group has more than %d badges", maxBadges)
			}
			return r.to.badges(r.ctx, batch)
		})
	case boardsPart:
		return readLines(r, func(batch []Board) error {
			if r.boards += len(batch); r.boards > maxBoards {
				return bad("a group has more than %d boards", maxBoards)
			}
			return r.to.boards(r.ctx, batch)
		})
	}
	return readLines(r, func(batch []Member) error { return r.to.members(r.ctx, batch) })
}

// count counts a record and checks the limit.
func (r *reader) count() error {
	if r.records++; r.records > maxRecords {
		return bad("the archive has more than %d records", maxRecords)
	}
	return nil
}

// source counts packed bytes and keeps the error of a failed read.
type source struct {
	from   io.Reader
	n      int64
	failed error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed = err
	}
	return n, err
}

// measured reads unpacked bytes and fails when there are too many.
type measured struct {
	from   io.Reader
	packed *source
	n      int64
}

// Read implements io.Reader. All errors of a damaged file become a *BadArchiveError.
func (m *measured) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.n += int64(n)
	switch {
	case m.n > maxBytes:
		return 0, bad("the unpacked archive is larger than %d bytes", maxBytes)
	case m.n > freeBytes && m.n/maxRatio > m.packed.n:
		return 0, bad("the compression ratio of the archive is too high (maximum is %d)", maxRatio)
	case err != nil && !errors.Is(err, io.EOF) && m.packed.failed == nil:
		return n, bad("the archive is damaged")
	}
	return n, err
}
