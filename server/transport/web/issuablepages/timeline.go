package issuablepages

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// perPage is how many threads a page shows.
const perPage = 20

// Timeline is the threads of an item, and the form for a comment.
type Timeline struct {
	Threads     []Thread
	Pager       page.Pager
	Token, Base string // of forms: the token against forged requests, and the path of the item
	Noun        string
	MayComment  bool
	MayInternal bool // the caller may write comments for members only
	Locked      bool
	SignIn      bool   // the visitor could comment after signing in
	Switch      string // "close" or "reopen", if the caller may do that together with a comment
}

// Thread is notes that reply to each other.
type Thread struct {
	ID, Token, Base      string
	Notes                []Note
	Place, PlacePath     string // the file and line of a thread in a diff, and the address that shows it
	Hidden               int    // notes that only the page of the thread shows
	Path                 string // of that page
	File                 string // of a thread that is shown among the changes; its forms lead back there
	Resolvable, Resolved bool
	ResolvedBy           string
	MayReply, MayResolve bool
}

// System reports whether the service wrote the thread.
func (t Thread) System() bool { return t.Notes[0].System }

// Note is a comment, or a system note.
type Note struct {
	ID               int64
	Author           model.User
	Text             Text
	System, Internal bool
	CreatedAt        time.Time
	EditedAt         *time.Time
	MayChange        bool
	Path             string // of the note
}

// Timeline reads one page of the threads of an item.
func (p *Parts) Timeline(v *page.Visit, k Kind, item note.Item, texts *Texts) (Timeline, error) {
	ctx := v.Request().Context()
	pager := v.PagerOf(perPage)
	rows, total, err := p.Store.Notes.Threads(ctx, item.Filter(), pager.Page)
	if err != nil {
		return Timeline{}, err
	}
	t := Timeline{
		Token: v.Token(), Base: k.Address(item.Row.Project.FullPath, item.On.IID), Pager: pager.Of(total.More), Noun: k.Noun,
		Locked: item.On.Locked, MayInternal: access.ReadsInternal(item.Row), SignIn: v.Actor == nil,
	}
	t.MayComment = v.Actor != nil && v.May(access.CreateNote) && item.CheckMayComment() == nil
	t.Threads, err = p.Threads(v, k, item, texts, rows)
	return t, err
}

// Threads prepares threads for a page.
func (p *Parts) Threads(v *page.Visit, k Kind, item note.Item, texts *Texts, rows []model.Thread) ([]Thread, error) {
	labels, err := p.labelsIn(v.Request().Context(), item.Row.Project, rows)
	if err != nil {
		return nil, err
	}
	base, token := k.Address(item.Row.Project.FullPath, item.On.IID), v.Token()
	mayComment := v.Actor != nil && v.May(access.CreateNote) && item.CheckMayComment() == nil
	mayResolve := v.Actor != nil && v.May(access.ResolveNote) && item.CheckMayResolve() == nil
	threads, left := make([]Thread, 0, len(rows)), pageNotes
	for _, row := range rows {
		if len(row.Notes) == 0 {
			continue
		}
		first := row.Notes[0].Note
		t := Thread{
			ID: row.ID, Token: token, Base: base, Resolvable: first.Resolvable, Resolved: first.Resolvable && first.ResolvedAt != nil,
			MayReply: mayComment && !first.System, MayResolve: mayResolve && first.Resolvable,
		}
		if by := row.Notes[0].ResolvedBy; by != nil {
			t.ResolvedBy = by.Name
		}
		if at, ok := note.PositionOf(first.Position); ok {
			t.Place = place(at)
			t.PlacePath = base + "/diffs?" + url.Values{"file": {at.NewPath}}.Encode() + "#note_" + strconv.FormatInt(first.ID, 10)
		}
		some := firstAndLast(row.Notes, left)
		left -= len(some)
		t.Hidden, t.Path = len(row.Notes)-len(some), base+"/discussions/"+row.ID
		for _, n := range some {
			shown, err := showNote(v, item, texts, labels, n, base)
			if err != nil {
				return nil, err
			}
			t.Notes = append(t.Notes, shown)
		}
		threads = append(threads, t)
	}
	return threads, nil
}

// How many notes a page shows, and how many of one thread among others.
const (
	pageNotes   = 40
	threadNotes = 8
)

// firstAndLast returns the first note of a thread and its newest ones; only the first if the page has no room left.
func firstAndLast(notes []model.NoteRow, left int) []model.NoteRow {
	most := min(threadNotes, max(left, 1))
	if len(notes) <= most {
		return notes
	}
	return append([]model.NoteRow{notes[0]}, notes[len(notes)-most+1:]...)
}

// place names the place of a thread in a diff.
func place(at note.Position) string {
	switch {
	case at.NewLine != nil:
		return at.NewPath + ", line " + strconv.FormatInt(*at.NewLine, 10)
	case at.OldLine != nil:
		return at.OldPath + ", old line " + strconv.FormatInt(*at.OldLine, 10)
	}
	return at.NewPath
}

func showNote(v *page.Visit, item note.Item, texts *Texts, labels map[string]string, row model.NoteRow, base string) (Note, error) {
	n := row.Note
	shown := Note{
		ID: n.ID, Author: row.Author, System: n.System, Internal: n.Internal, CreatedAt: n.CreatedAt,
		Path:      base + "/notes/" + strconv.FormatInt(n.ID, 10),
		MayChange: v.Actor != nil && v.May(access.AdminNote) && item.CheckMayChange(n) == nil,
	}
	body := n.Body
	if n.System {
		body = labelIDs.ReplaceAllStringFunc(body, func(id string) string {
			if name, ok := labels[id]; ok {
				return name
			}
			return id
		})
	} else if n.UpdatedAt.Sub(n.CreatedAt) > time.Second {
		shown.EditedAt = &n.UpdatedAt
	}
	var err error
	shown.Text, err = texts.Render(body)
	return shown, err
}

// labelIDs finds labels in system notes, such as ~12.
var labelIDs = regexp.MustCompile(`~\d{1,18}\b`)

// labelsIn returns the names of the labels in system notes as Markdown, in one statement.
func (p *Parts) labelsIn(ctx context.Context, project model.Project, threads []model.Thread) (map[string]string, error) {
	var ids []int64
	for _, t := range threads {
		for _, n := range t.Notes {
			if !n.Note.System {
				continue
			}
			for _, found := range labelIDs.FindAllString(n.Note.Body, -1) {
				if id, err := strconv.ParseInt(found[1:], 10, 64); err == nil {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 0 {
		return map[string]string{}, nil
	}
	labels, err := p.Store.Labels.ByID(ctx, store.OwnedByProject(project), ids)
	names := make(map[string]string, len(labels))
	for _, l := range labels {
		names["~"+strconv.FormatInt(l.ID, 10)] = "**" + escapeMarkdown(l.Name) + "**"
	}
	return names, err
}

// escapeMarkdown returns a text as Markdown that shows it as it is.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// FindNote leads from an address that names a note to the page that has it, or to the first page if the note is gone. It reports
// whether it did. The address that it leads to always has a page, so that the script of the page does not ask again.
func (p *Parts) FindNote(v *page.Visit, k Kind, item note.Item) (bool, error) {
	id, err := strconv.ParseInt(v.QueryParam("note"), 10, 64)
	if err != nil || id < 1 {
		return false, nil //nolint:nilerr // the address names no note
	}
	ctx, to := v.Request().Context(), k.Address(item.Row.Project.FullPath, item.On.IID)
	row, err := p.Notes.Note(ctx, item, id)
	if page.IsRefusal(err) {
		return true, v.Redirect(to + "?page=1")
	}
	if err != nil {
		return false, err
	}
	thread, err := p.Notes.Thread(ctx, item, row.Note.DiscussionID)
	if err != nil {
		return false, page.Hide(err)
	}
	before, err := p.Store.Notes.ThreadsBefore(ctx, item.Filter(), id)
	if err != nil {
		return false, err
	}
	if len(thread.Notes) > threadNotes { // the timeline does not show all of them
		to += "/discussions/" + thread.ID
		before = int64(max(slices.IndexFunc(thread.Notes, func(n model.NoteRow) bool { return n.Note.ID == id }), 0))
	}
	number := strconv.FormatInt(before/perPage+1, 10)
	return true, v.Redirect(to + "?page=" + number + "#note_" + strconv.FormatInt(id, 10))
}
