package export

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"svc/server/domain/archive"
	"svc/server/domain/avatar"
	"svc/server/domain/badge"
	"svc/server/domain/upload"
	"svc/store/git"
	"svc/store/lfs"
)

// sink receives the content of an archive, in the order of the format. Every method gets the number of records that are
// read with the batch, so that a sink can pass over those that it has stored before.
type sink interface {
	project(p Project, records int64) error
	bundle(from io.Reader, records int64) error
	wiki(from io.Reader, records int64) error
	lfs(oid string, size int64, from io.Reader, records int64) error
	upload(u UploadEntry, from io.Reader, records int64) error
	avatar(picture []byte, records int64) error
	users(batch []User) error
	labels(batch []Label, records int64) error
	milestones(batch []Milestone, records int64) error
	issues(batch []Issue, records int64) error
	mergeRequests(batch []MergeRequest, records int64) error
	notes(batch []Note, records int64) error
	members(batch []Member, records int64) error
	branchRules(batch []BranchRule, records int64) error
	tagRules(batch []TagRule, records int64) error
	boards(batch []Board, records int64) error
	releases(batch []Release, records int64) error
	badges(batch []Badge, records int64) error
}

// The steps of an archive; the parts follow in their order.
const (
	stepBundle = iota
	stepWiki
	stepLFS
	stepIndex
	stepUploads
	stepAvatar
	stepParts
)

// reader reads an archive. It accepts only the file names that can come next, so no other name is ever used.
type reader struct {
	from     *archive.Reader
	to       sink
	step     int
	lastOID  string
	uploads  []UploadEntry // that are still to come
	counts   map[string]int
	previous map[string]int64 // the highest number of each part
	numbers  Project
}

// Read reads an archive to its end and returns the settings of its project and the number of its records. If the archive
// is invalid, the error is a *archive.BadArchiveError.
func Read(ctx context.Context, from io.Reader, to sink) (Project, int64, error) {
	r := &reader{to: to, counts: map[string]int{}, previous: map[string]int64{}}
	var err error
	if r.from, err = archive.Open(ctx, from, limits); err == nil {
		err = r.all()
	}
	return r.numbers, r.from.Records, r.from.Explain(err)
}

func (r *reader) all() error {
	if err := r.from.Version(versionFile, version); err != nil {
		return err
	}
	if err := r.from.First(projectFile); err != nil {
		return err
	}
	p, err := archive.Object[Project](r.from)
	if err != nil {
		return err
	}
	r.numbers = p
	if err := r.to.project(p, r.from.Records); err != nil {
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
	if len(r.uploads) > 0 {
		return bad("the archive ends before all files of %s", uploadIndex)
	}
	return r.from.Finish()
}

// entry reads one file.
func (r *reader) entry() error {
	if err := r.from.Next(); err != nil {
		return err
	}
	name := r.from.Name
	switch {
	case name == bundleFile && r.move(stepBundle, stepWiki):
		return r.bundle(r.to.bundle)
	case name == wikiFile && r.move(stepWiki, stepLFS):
		return r.bundle(r.to.wiki)
	case strings.HasPrefix(name, lfsFolder) && r.move(stepLFS, stepLFS):
		return r.lfs(strings.TrimPrefix(name, lfsFolder))
	case name == uploadIndex && r.move(stepIndex, stepUploads):
		return r.index()
	case len(r.uploads) > 0:
		return r.upload(name)
	case name == avatarFile && r.move(stepAvatar, stepParts):
		return r.avatar()
	}
	part, ok := strings.CutPrefix(name, partFolder)
	part, named := strings.CutSuffix(part, partExtension)
	if at := slices.Index(partNames, part); ok && named && at >= 0 && r.move(stepParts+at, stepParts+at+1) {
		return r.part(part)
	}
	return bad("%q is out of order in the archive", name)
}

// move reports whether a step can come now, and sets the step that can come next.
func (r *reader) move(step, next int) bool {
	if step < r.step || len(r.uploads) > 0 {
		return false
	}
	r.step = next
	return true
}

// bundle passes a git bundle on.
func (r *reader) bundle(use func(from io.Reader, records int64) error) error {
	if err := r.from.Count(); err != nil {
		return err
	}
	err := use(r.from, r.from.Records)
	var wrong *git.BundleError
	if errors.As(err, &wrong) {
		return bad("%s cannot be read: %s", r.from.Name, wrong.Why)
	}
	return err
}

func (r *reader) lfs(oid string) error {
	if !lfs.IsOID(oid) || oid <= r.lastOID {
		return bad("%q is out of order in the archive", r.from.Name)
	}
	r.lastOID = oid
	if err := r.from.Count(); err != nil {
		return err
	}
	return r.to.lfs(oid, r.from.Size, r.from, r.from.Records)
}

var secrets = regexp.MustCompile(`\A[0-9a-f]{32}\z`)

// Check returns what is wrong with the record.
func (u UploadEntry) Check() error {
	if !secrets.MatchString(u.Secret) || u.Size < 0 || u.Filename == "" || u.Filename != upload.SafeName(u.Filename) {
		return bad("%s is invalid", uploadIndex)
	}
	return archive.Text("the name of a file", u.Filename, 1, maxTitle)
}

// index reads the list of uploads. Their files follow in the same order.
func (r *reader) index() error {
	return archive.Lines(r.from, func(batch []UploadEntry) error {
		if r.uploads = append(r.uploads, batch...); len(r.uploads) > maxUploads {
			return bad("the archive has more than %d uploads", maxUploads)
		}
		return nil
	})
}

func (r *reader) upload(name string) error {
	u := r.uploads[0]
	if name != uploadFiles+u.Secret || r.from.Size != u.Size {
		return bad("found %q instead of the next file of %s", name, uploadIndex)
	}
	r.uploads = r.uploads[1:]
	return r.to.upload(u, r.from, r.from.Records-int64(len(r.uploads)))
}

func (r *reader) avatar() error {
	picture, err := io.ReadAll(io.LimitReader(r.from, avatar.MaxSize+1))
	if err != nil {
		return err
	}
	if len(picture) > avatar.MaxSize {
		return bad("the avatar has more than %d bytes", avatar.MaxSize)
	}
	if err := r.from.Count(); err != nil {
		return err
	}
	return r.to.avatar(picture, r.from.Records)
}

// part reads the records of a part.
func (r *reader) part(name string) error {
	switch name {
	case usersPart:
		return each(r, name, maxUsers, nil, func(batch []User, _ int64) error { return r.to.users(batch) })
	case labelsPart:
		return each(r, name, maxLabelsOf, nil, r.to.labels)
	case milestonesPart:
		return each(r, name, maxMilestonesOf, func(m Milestone) int64 { return m.IID }, r.to.milestones)
	case issuesPart:
		return each(r, name, maxIID, func(i Issue) int64 { return i.IID }, r.to.issues)
	case requestsPart:
		return each(r, name, maxIID, func(m MergeRequest) int64 { return m.IID }, r.to.mergeRequests)
	case notesPart:
		return each(r, name, maxIID, nil, r.to.notes)
	case membersPart:
		return each(r, name, maxUsers, nil, r.to.members)
	case branchRulesPart:
		return each(r, name, maxProtections, nil, r.to.branchRules)
	case tagRulesPart:
		return each(r, name, maxProtections, nil, r.to.tagRules)
	case boardsPart:
		return each(r, name, maxBoards, nil, r.to.boards)
	case releasesPart:
		return each(r, name, maxIID, nil, r.to.releases)
	}
	return each(r, name, badge.MaxBadges, nil, r.to.badges)
}

// each reads the records of a part, which must be in the order of their numbers if they have some.
func each[T archive.Checked](
	r *reader, name string, most int, number func(T) int64, use func(batch []T, records int64) error,
) error {
	return archive.Lines(r.from, func(batch []T) error {
		if r.counts[name] += len(batch); r.counts[name] > most {
			return bad("the archive has more than %d records of the kind %s", most, name)
		}
		for _, record := range batch {
			if number == nil {
				break
			}
			iid := number(record)
			if iid <= r.previous[name] || iid > r.highest(name) {
				return bad("the numbers in %s are out of order", r.from.Name)
			}
			r.previous[name] = iid
		}
		return use(batch, r.from.Records)
	})
}

// highest returns the highest number that a record of a part can have.
func (r *reader) highest(part string) int64 {
	switch part {
	case issuesPart:
		return r.numbers.Issues
	case requestsPart:
		return r.numbers.MergeRequests
	}
	return maxIID
}

// discard is a sink that checks bundles and discards everything.
type discard struct{}

func (discard) project(Project, int64) error { return nil }
func (discard) bundle(from io.Reader, _ int64) error {
	_, err := git.OpenBundle(from)
	return err
}

func (discard) wiki(from io.Reader, _ int64) error {
	_, err := git.OpenBundle(from)
	return err
}
func (discard) lfs(string, int64, io.Reader, int64) error  { return nil }
func (discard) upload(UploadEntry, io.Reader, int64) error { return nil }
func (discard) avatar([]byte, int64) error                 { return nil }
func (discard) users([]User) error                         { return nil }
func (discard) labels([]Label, int64) error                { return nil }
func (discard) milestones([]Milestone, int64) error        { return nil }
func (discard) issues([]Issue, int64) error                { return nil }
func (discard) mergeRequests([]MergeRequest, int64) error  { return nil }
func (discard) notes([]Note, int64) error                  { return nil }
func (discard) members([]Member, int64) error              { return nil }
func (discard) branchRules([]BranchRule, int64) error      { return nil }
func (discard) tagRules([]TagRule, int64) error            { return nil }
func (discard) boards([]Board, int64) error                { return nil }
func (discard) releases([]Release, int64) error            { return nil }
func (discard) badges([]Badge, int64) error                { return nil }
