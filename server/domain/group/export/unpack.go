package export

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"svc/server/domain/archive"
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
	ctx    context.Context
	from   *archive.Reader
	to     sink
	order  []int64
	next   int // index in order of the next group
	part   int // index after the last part that was read
	depth  map[int64]int
	paths  map[string]bool // parent and path of each group
	boards int             // of the current group
	badges int
}

// Read reads an archive to its end and returns the number of its records. If the archive is invalid, the error is a
// *BadArchiveError.
func Read(ctx context.Context, from io.Reader, to sink) (int64, error) {
	r := &reader{ctx: ctx, to: to, depth: map[int64]int{}, paths: map[string]bool{}}
	var err error
	if r.from, err = archive.Open(ctx, from, limits); err == nil {
		err = r.all()
	}
	return r.from.Records, r.from.Explain(err)
}

func (r *reader) all() error {
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
	return r.from.Finish()
}

// begin reads the files before the groups.
func (r *reader) begin() error {
	if err := r.from.Version(versionFile, version); err != nil {
		return err
	}
	if err := r.from.First(groupsFile); err != nil {
		return err
	}
	order, err := readIDs(r.from)
	r.order = order
	return err
}

// entry reads one file.
func (r *reader) entry() error {
	if err := r.from.Next(); err != nil {
		return err
	}
	if r.next < len(r.order) && r.from.Name == inGroup(r.order[r.next], ".json") {
		return r.group()
	}
	if r.next > 0 && r.from.Name == inGroup(r.order[r.next-1], wikiFile) && r.part <= len(partNames) {
		r.part = len(partNames) + 1
		if err := r.from.Count(); err != nil {
			return err
		}
		return r.to.wiki(r.ctx, r.from)
	}
	if r.next > 0 {
		name, ok := strings.CutPrefix(r.from.Name, inGroup(r.order[r.next-1], "/"))
		name, named := strings.CutSuffix(name, ".ndjson")
		if at := slices.Index(partNames, name); ok && named && at >= r.part {
			r.part = at + 1
			return r.lines(name)
		}
	}
	return bad("%q is out of order in the archive", r.from.Name)
}

// group reads the attributes of the next group.
func (r *reader) group() error {
	data, err := io.ReadAll(io.LimitReader(r.from, maxLine))
	if err != nil {
		return err
	}
	var g Group
	if json.Unmarshal(data, &g) != nil || g.ID != r.order[r.next] {
		return bad("%s does not contain a group", r.from.Name)
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
	if err := r.from.Count(); err != nil {
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
		return archive.Lines(r.from, func(batch []Label) error { return r.to.labels(r.ctx, batch) })
	case milestonesPart:
		return archive.Lines(r.from, func(batch []Milestone) error { return r.to.milestones(r.ctx, batch) })
	case badgesPart:
		return archive.Lines(r.from, func(batch []Badge) error {
			if r.badges += len(batch); r.badges > maxBadges {
				return bad("a group has more than %d badges", maxBadges)
			}
			return r.to.badges(r.ctx, batch)
		})
	case boardsPart:
		return archive.Lines(r.from, func(batch []Board) error {
			if r.boards += len(batch); r.boards > maxBoards {
				return bad("a group has more than %d boards", maxBoards)
			}
			return r.to.boards(r.ctx, batch)
		})
	}
	return archive.Lines(r.from, func(batch []Member) error { return r.to.members(r.ctx, batch) })
}
