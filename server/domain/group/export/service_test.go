package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/setting"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// place is a test instance: a store with its files.
type place struct {
	*Service
	st     *store.Store
	folder string
	queued []Job
	wikis  shelf
}

// shelf is a fake of Wikis: it holds the wikis of groups as text.
type shelf struct{ of map[int64]string }

func (s *shelf) PackGroupWiki(_ context.Context, id int64, to io.Writer) error {
	_, err := io.WriteString(to, s.of[id])
	return err
}

func (s *shelf) UnpackGroupWiki(_ context.Context, id int64, from io.Reader, _ int64) (bool, error) {
	text, err := io.ReadAll(from)
	if s.of == nil {
		s.of = map[int64]string{}
	}
	s.of[id] = string(text)
	return string(text) != "damaged", err
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{st: storetest.New(t), folder: t.TempDir()}
	blobs, err := blob.Open("", p.folder)
	if err != nil {
		t.Fatal(err)
	}
	p.Service = New(Dependencies{
		Store: p.st, Blobs: blobs, Wikis: &p.wikis, Logger: slog.New(slog.DiscardHandler),
		Enqueue: func(_ context.Context, job Job) error {
			p.queued = append(p.queued, job)
			return nil
		},
		TempFolder: filepath.Join(p.folder, "drafts"),
	})
	return p
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// group creates a group that a user owns.
func (p *place) group(t *testing.T, owner model.User, edit func(*model.Namespace)) model.Namespace {
	t.Helper()
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path, g.Visibility = "Acme", "acme", model.Private
	edit(&g)
	err := p.st.Namespaces.Create(t.Context(), &g)
	if err == nil {
		err = p.st.Members.Add(
			t.Context(),
			&model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: owner.ID, AccessLevel: model.Owner},
		)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// fill adds many labels to a group, and a milestone, a badge, a board and a member.
func (p *place) fill(t *testing.T, g model.Namespace, n int, member model.User) {
	t.Helper()
	labels := make([]model.Label, n)
	for i := range labels {
		labels[i] = model.Label{GroupID: &g.ID, Name: fmt.Sprintf("label %05d", i), Color: "#ff0000"}
	}
	name, text, due := "build", "What is <b>in</b> it", time.Date(2030, 5, 1, 0, 0, 0, 0, time.UTC)
	ctx := t.Context()
	_, err := p.st.Badges.Create(
		ctx, store.OwnedByGroup(g),
		&model.Badge{GroupID: &g.ID, Name: &name, LinkURL: "https://example.com", ImageURL: "https://example.com/%{project_path}"},
		9,
	)
	err = errors.Join(err,
		p.st.Labels.AddAll(ctx, labels),
		p.st.Milestones.AddAll(
			ctx, g.ID,
			[]model.Milestone{{GroupID: &g.ID, IID: 4, Title: "1.0", State: "closed", Description: &text, DueDate: &due}},
		),
		p.st.Boards.AddAll(ctx, store.OwnedByGroup(g), []model.BoardRow{
			{
				Board: model.Board{GroupID: &g.ID, Name: "Dev", HideClosedList: true},
				Lists: []model.BoardListRow{{Label: model.Label{Name: "label 00001"}}, {Label: model.Label{Name: "label 00000"}}},
			},
		}),
		p.st.Members.Add(
			ctx,
			&model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: member.ID, AccessLevel: model.Developer, ExpiresAt: &due},
		))
	if err != nil {
		t.Fatal(err)
	}
}

func shown(address string) func(*model.User) {
	at := time.Now().UTC()
	return func(u *model.User) { u.Email, u.PublicEmail, u.ConfirmedAt = address, &address, &at }
}

// exported writes the export of a group and returns its bytes.
func (p *place) exported(t *testing.T, g model.Namespace, by model.User) []byte {
	t.Helper()
	ctx := t.Context()
	if err := p.Export(ctx, g, by.ID); err != nil {
		t.Fatal(err)
	}
	if err := p.RunExport(ctx, p.queued[len(p.queued)-1].(Export)); err != nil {
		t.Fatal(err)
	}
	e := must[model.GroupExport](t)(p.st.GroupExports.Of(ctx, g.ID))
	if e.State != model.ExportFinished {
		t.Fatalf("%+v", e)
	}
	return must[[]byte](t)(io.ReadAll(must[io.ReadCloser](t)(p.Open(ctx, e, 0, e.Size))))
}

// imported imports an archive into a new group.
func (p *place) imported(t *testing.T, data []byte, by model.User, edit func(*model.Namespace)) (model.Namespace, model.GroupImport) {
	t.Helper()
	ctx := t.Context()
	u := must[Upload](t)(p.ReceiveUpload(ctx, bytes.NewReader(data)))
	g := p.group(t, by, edit)
	if err := p.Import(ctx, u, g.ID, by.ID); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second run changes nothing
		if err := p.RunImport(ctx, p.queued[len(p.queued)-1].(Import)); err != nil {
			t.Fatal(err)
		}
	}
	return g, must[model.GroupImport](t)(p.st.GroupImports.Of(ctx, g.ID))
}

// files returns the files of an archive by name.
func files(t *testing.T, data []byte, g model.Namespace) map[string]string {
	t.Helper()
	zip := must[*gzip.Reader](t)(gzip.NewReader(bytes.NewReader(data)))
	out := map[string]string{}
	for in := tar.NewReader(zip); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		text := must[[]byte](t)(io.ReadAll(in))
		out[h.Name] = string(text)
		if strings.HasPrefix(h.Name, inGroup(g.ID, ".")) && !strings.Contains(string(text), `"parent_id":null`) {
			t.Errorf("the first group lies in another: %s", text)
		}
	}
}

// checkImportedMember checks that a user is the one member of an imported group.
func checkImportedMember(t *testing.T, p *place, g model.Namespace, u model.User) {
	t.Helper()
	members := must[[]model.MemberAddress](t)(p.st.Members.ListAfterUser(t.Context(), g.ID, 0, 9))
	if len(members) != 1 || members[0].UserID != u.ID || members[0].AccessLevel != model.Developer || members[0].ExpiresAt == nil {
		t.Errorf("%+v", members)
	}
}

func TestTwoInstancesExchangeAGroup(t *testing.T) {
	t.Parallel()
	a, b := newPlace(t), newPlace(t)
	owner, ann := storetest.User(t, a.st, shown("owner@example.com")), storetest.User(t, a.st, shown("ann@example.com"))
	storetest.User(t, b.st) // so that ids differ
	other, annB := storetest.User(t, b.st, shown("other@example.com")), storetest.User(t, b.st, shown("ANN@example.com"))
	g := a.group(t, owner, func(g *model.Namespace) {
		g.Description, g.RequireTwoFactorAuthentication, g.Visibility = "All", true, model.Public
	})
	a.fill(t, g, 1201, ann)
	sub := a.group(t, owner, func(s *model.Namespace) {
		s.Name, s.Path, s.ParentID, s.Visibility = "Sub", "sub", &g.ID, model.Internal
	})
	a.fill(t, sub, 2, ann)
	first := a.exported(t, g, owner)

	into, i := b.imported(t, first, other, func(n *model.Namespace) { n.Name, n.Path = "New", "new" })
	// Each of the two groups has: the group itself, labels, a milestone, a badge, a board and two members. The owner
	// has no account on the other instance, so both of the owner's memberships are skipped.
	if i.State != model.ExportFinished || i.Records != 1201+2+2*6 || i.Imported != i.Records || i.SkippedMembers != 2 || i.Key != nil {
		t.Errorf("%+v", i)
	}
	groups := must[[]model.Namespace](t)(b.st.Namespaces.Tree(t.Context(), into.ID, 9))
	if len(groups) != 2 || groups[1].FullPath != "new/sub" || groups[1].Visibility != model.Private ||
		!groups[0].RequireTwoFactorAuthentication || groups[0].Description != "All" || groups[0].Name != "New" {
		t.Fatalf("%+v", groups)
	}
	checkImportedMember(t, b, groups[1], annB)
	made := model.Milestone{GroupID: &into.ID, Title: "next", State: "active"}
	if err := b.st.Milestones.Create(t.Context(), &made); err != nil || made.IID != 5 {
		t.Errorf("the next milestone is %d, %v", made.IID, err)
	}
	if err := b.st.Milestones.Delete(t.Context(), made.ID, nil); err != nil {
		t.Fatal(err)
	}
	// Exporting the copy yields the same content.
	checkSameFiles(t, files(t, first, g), files(t, b.exported(t, into, other), into), strings.NewReplacer(
		fmt.Sprintf("/%d", g.ID), fmt.Sprintf("/%d", into.ID),
		fmt.Sprintf("/%d", sub.ID), fmt.Sprintf("/%d", groups[1].ID),
	))
}

// checkSameFiles compares the files of two exports. renamed gives names of the first the IDs of the second instance. Files
// with members and settings may differ, but must be there.
func checkSameFiles(t *testing.T, first, again map[string]string, renamed *strings.Replacer) {
	t.Helper()
	for name, text := range first {
		name = renamed.Replace(name)
		if strings.HasSuffix(name, ".json") || strings.HasSuffix(name, "_all.ndjson") || strings.Contains(name, "members") {
			if again[name] == "" {
				t.Errorf("%s is missing", name)
			}
		} else if diff := cmp.Diff(text, again[name]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestRolesAndVisibilityFollowTheParent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	owner, ann, bob := storetest.User(t, p.st, shown("owner@example.com")),
		storetest.User(t, p.st, shown("ann@example.com")),
		storetest.User(t, p.st, shown("bob@example.com"))
	// has no public address
	hidden := storetest.User(t, p.st)
	// has not confirmed the address
	unsure := storetest.User(t, p.st, shown("unsure@example.com"), func(u *model.User) { u.ConfirmedAt = nil })
	// may not sign in
	blocked := storetest.User(t, p.st, shown("blocked@example.com"), func(u *model.User) { u.State = model.UserBlocked })
	parent := p.group(t, owner, func(g *model.Namespace) { g.Name, g.Path, g.Visibility = "Top", "top", model.Internal })
	add := func(g model.Namespace, u model.User, role model.Access) {
		t.Helper()
		if err := p.st.Members.Add(
			t.Context(), &model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: u.ID, AccessLevel: role},
		); err != nil {
			t.Fatal(err)
		}
	}
	add(parent, bob, model.Maintainer)
	from := p.group(t, owner, func(g *model.Namespace) { g.Visibility = model.Public })
	open := p.group(t, owner, func(g *model.Namespace) { g.Path, g.ParentID, g.Visibility = "open", &from.ID, model.Public })
	p.group(t, owner, func(g *model.Namespace) { g.Path, g.ParentID, g.Visibility = "shut", &from.ID, model.Private })
	for _, u := range []model.User{ann, bob, hidden, unsure, blocked} {
		add(from, u, model.Developer)
	}
	add(open, ann, model.Owner)
	into, i := p.imported(
		t, p.exported(t, from, owner), owner,
		func(g *model.Namespace) { g.Path, g.ParentID, g.Visibility = "copy", &parent.ID, model.Internal },
	)
	if i.State != model.ExportFinished || i.SkippedMembers != 3 {
		t.Errorf("%+v", i)
	}
	for _, g := range must[[]model.Namespace](t)(p.st.Namespaces.Tree(t.Context(), into.ID, 9)) {
		want := map[string]model.Visibility{"copy": model.Internal, "open": model.Internal, "shut": model.Private}[g.Path]
		if g.Visibility != want {
			t.Errorf("%s is %s", g.Path, g.Visibility)
		}
	}
	// Bob inherits a higher role from the parent group, so he keeps it.
	got := map[int64]model.Access{}
	for _, m := range must[[]model.MemberAddress](t)(p.st.Members.ListAfterUser(t.Context(), into.ID, 0, 9)) {
		got[m.UserID] = m.AccessLevel
	}
	if diff := cmp.Diff(map[int64]model.Access{owner.ID: model.Owner, ann.ID: model.Developer}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnImportThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	owner := storetest.User(t, p.st)
	data := packed(t, tree("7\n8\n", entry{name: part(7, labelsPart), text: lines(2, oneLabel)}, child(8, 7, "sub")))
	g, i := p.imported(t, data, owner, func(*model.Namespace) {})
	if i.State != model.ExportFailed || i.Error == nil || *i.Error != "two things in the archive have the same name" ||
		i.Key != nil || i.Imported != 0 {
		t.Errorf("%+v", i)
	}
	groups := must[[]model.Namespace](t)(p.st.Namespaces.Tree(t.Context(), g.ID, 9))
	labels := must[[]model.Label](t)(p.st.Labels.ListAfterName(t.Context(), g.ID, "", 9))
	if len(groups) != 1 || len(labels) != 0 {
		t.Errorf("%d groups, %d labels", len(groups), len(labels))
	}
	if keys := must[[]string](t)(p.st.JobArtifacts.ListRemovals(t.Context(), time.Now().Add(time.Second), 9)); len(keys) != 1 {
		t.Errorf("%d files are to be removed", len(keys))
	}
}

// noisyLabels returns labels with descriptions that cannot be compressed to less than 240 bytes each.
func noisyLabels(n int) string {
	var out strings.Builder
	source := rand.NewChaCha8([32]byte{})
	noise := make([]byte, 240)
	for range n {
		source.Read(noise)
		fmt.Fprintf(&out, `{"title":"bug","color":"#ff0000","description":"%x"}`+"\n", noise)
	}
	return out.String()
}

func TestWhatIsRefusedIsNotKept(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	good := packed(t, plain(entry{name: part(7, labelsPart), text: lines(100, oneLabel)}))
	broken := errors.New("broken off")
	for text, c := range map[string]struct {
		from io.Reader
		want error
	}{
		"too large": {io.MultiReader(bytes.NewReader(good[:20]), &zeros{left: 1 << 20}), nil},
		"no export": {strings.NewReader("no archive"), nil},
		"broken":    {io.MultiReader(bytes.NewReader(good[:len(good)/2]), iotest.ErrReader(broken)), broken},
	} {
		if _, err := p.ReceiveUpload(t.Context(), c.from); err == nil || (c.want != nil && !errors.Is(err, c.want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	limits := setting.Defaults()
	limits.MaxImportSize = 1
	if err := p.st.Settings.SetDefaults(t.Context(), store.SettingDefaults{Values: limits}); err != nil {
		t.Fatal(err)
	}
	large := packed(t, plain(entry{name: part(7, labelsPart), text: noisyLabels(6000)}))
	if _, err := p.ReceiveUpload(t.Context(), bytes.NewReader(large)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if drafts, err := os.ReadDir(filepath.Join(p.folder, "drafts")); len(drafts) > 0 {
		t.Errorf("%d drafts are left, %v", len(drafts), err)
	}
	// An upload that was complete before it was refused is removed soon.
	due := must[[]string](t)(p.st.JobArtifacts.ListRemovals(t.Context(), time.Now().Add(time.Second), 9))
	if len(due) != 4 {
		t.Errorf("%d files are to be removed", len(due))
	}
	left := must[[]string](t)(filepath.Glob(filepath.Join(p.folder, "exports", "*", "*", "*")))
	for _, file := range left {
		if !slices.Contains(due, "exports/"+filepath.Base(file)) {
			t.Errorf("%s is left", file)
		}
	}
}

func TestWhatIsLeftBehindIsDone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	ctx, owner := t.Context(), storetest.User(t, p.st)
	g := p.group(t, owner, func(*model.Namespace) {})
	if err := p.Export(ctx, g, owner.ID); err != nil {
		t.Fatal(err)
	}
	old := must[model.GroupExport](t)(p.st.GroupExports.Of(ctx, g.ID))
	if err := p.Resume(ctx, ResumeJob{}); err != nil {
		t.Fatal(err)
	}
	if e := must[model.GroupExport](t)(p.st.GroupExports.Of(ctx, g.ID)); e.State != model.ExportScheduled {
		t.Errorf("somebody may still work on it: %s", e.State)
	}
	long := func(what string, at time.Duration) {
		t.Helper()
		if _, err := p.st.SQL().ExecContext(
			ctx,
			"UPDATE group_exports SET "+what+" = '"+time.Now().UTC().Add(-at).Format("2006-01-02 15:04:05+00:00")+"'",
		); err != nil {
			t.Fatal(err)
		}
	}
	long("updated_at", 10*time.Minute)
	if err := p.Resume(ctx, ResumeJob{}); err != nil {
		t.Fatal(err)
	}
	if e := must[model.GroupExport](t)(p.st.GroupExports.Of(ctx, g.ID)); e.State != model.ExportFinished || e.ID != old.ID {
		t.Errorf("%+v", e)
	}
	// A new export replaces it, and the job of the old one does nothing.
	if err := errors.Join(p.Export(ctx, g, owner.ID), p.RunExport(ctx, Export{ExportID: old.ID})); err != nil {
		t.Fatal(err)
	}
	if e := must[model.GroupExport](t)(p.st.GroupExports.Of(ctx, g.ID)); e.State != model.ExportScheduled || e.Key != nil {
		t.Errorf("%+v", e)
	}
	long("expires_at", time.Minute)
	if err := p.Resume(ctx, ResumeJob{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.st.GroupExports.Of(ctx, g.ID); !store.IsNotFound(err) {
		t.Errorf("an expired export: %v", err)
	}
}

func TestAUserWhoIsNoLongerAnOwnerGetsNoExport(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	ctx := t.Context()
	g := p.group(t, storetest.User(t, p.st), func(*model.Namespace) {})
	if err := p.Export(ctx, g, storetest.User(t, p.st).ID); err != nil {
		t.Fatal(err)
	}
	if err := p.RunExport(ctx, p.queued[len(p.queued)-1].(Export)); err != nil {
		t.Fatal(err)
	}
	if e := must[model.GroupExport](t)(p.st.GroupExports.Of(ctx, g.ID)); e.State != model.ExportFailed || e.Key != nil {
		t.Errorf("%+v", e)
	}
}
