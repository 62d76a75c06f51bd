package store

import (
	"context"
	"maps"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"
)

// placesOfAuthor defines the table places: the projects in which a user has events. It jumps from one project to the
// next along the index, however many events there are in each.
const placesOfAuthor = `places(id) AS (
  SELECT min(project_id) FROM events WHERE author_id = ` + opaqueNumber + `
  UNION ALL
  SELECT (SELECT min(e.project_id) FROM events e WHERE e.author_id = ` + opaqueNumber +
	` AND e.project_id > places.id) FROM places WHERE places.id IS NOT NULL)`

const placeOfEvents = "projects.id, projects.visibility, projects.repository_access_level, " +
	"projects.issues_access_level, projects.merge_requests_access_level, " +
	"projects.snippets_access_level, projects.wiki_access_level"

// ViewOfAuthor returns what a reader sees of the events of a user.
func (s Events) ViewOfAuthor(ctx context.Context, authorID int64, r *Reader) (model.EventView, error) {
	view := viewOf(r)
	if r != nil && r.Admin {
		return view, nil
	}
	err := s.places(ctx, condition{placesOfAuthor, []any{authorID, authorID}}, r, func(p model.EventProject) { view.Add(p) })
	return view, err
}

// ViewOfMember returns what a reader sees of their own events and of the events in the projects that they are a member
// of, and the ids of these projects.
func (s Events) ViewOfMember(ctx context.Context, r *Reader) (model.EventView, []int64, error) {
	view, err := s.ViewOfAuthor(ctx, r.UserID, r)
	if err != nil {
		return view, nil, err
	}
	judged := map[int64]bool{}
	for _, list := range [][]int64{
		view.Hidden, view.Code, view.Issues, view.Merges, view.Milestones, view.Snippets, view.Wikis, view.Confidential,
	} {
		for _, id := range list {
			judged[id] = true
		}
	}
	var mine []int64
	theirs := &Reader{UserID: r.UserID, External: r.External} // not Admin: an administrator's own roles count
	err = s.places(ctx, condition{
		s.projectsOf(model.Guest, "id", 0) + ", places AS (SELECT id FROM found)", nil,
	}, theirs, func(p model.EventProject) {
		mine = append(mine, p.ID)
		if p.Admin = r.Admin; !judged[p.ID] {
			view.Add(p)
		}
	})
	return view, mine, err
}

func viewOf(r *Reader) model.EventView {
	if r == nil {
		return model.EventView{}
	}
	return model.EventView{ReaderID: r.UserID}
}

// places reads the projects of the table places with everything that decides what a reader sees there.
func (s Events) places(ctx context.Context, table condition, r *Reader, add func(model.EventProject)) error {
	with, roles, joins, args := "WITH RECURSIVE ", ", 0, 0, 0", "", []any(nil)
	if r != nil {
		with, roles, joins, args = with+readerRoles+", ", roleColumns, roleJoins, readerArgs(r, s.today())
	}
	statement := with + table.text + " SELECT " + placeOfEvents + roles + " FROM places CROSS JOIN projects" + joins +
		" WHERE projects.id = places.id"
	err := s.db.LongRows(ctx, statement, append(args, table.args...), func(row query.Scanner) error {
		var p model.EventProject
		var direct, shared, inherited model.Access
		if err := row.Scan(
			&p.ID, &p.Visibility, &p.Code, &p.Issues, &p.Merges, &p.Snippets, &p.Wiki, &direct, &shared, &inherited,
		); err != nil {
			return err
		}
		p.Role = max(direct, shared, inherited)
		p.Visible = p.Visibility >= widestVisible(r) || p.Role >= model.Guest
		add(p)
		return nil
	})
	return query.Translate(err)
}

// eventTarget is the number and title of an issue, a merge request or a milestone.
type eventTarget struct {
	iid   *int64
	title string
}

// complete adds users, notes, wiki pages and the titles of the targets to events, with one query each.
func (s Events) complete(ctx context.Context, rows []model.EventRow) error {
	people, wanted := map[int64]bool{}, map[string]map[int64]bool{}
	want := func(kind string, id int64) {
		if wanted[kind] == nil {
			wanted[kind] = map[int64]bool{}
		}
		wanted[kind][id] = true
	}
	for i := range rows {
		e := rows[i].Event
		people[e.AuthorID] = true
		if e.TargetType != nil && e.TargetID != nil {
			want(noteKinds(*e.TargetType), *e.TargetID)
		}
	}
	notes, err := byID(ctx, s.base, wanted[model.OnNote], func(n *model.Note) int64 { return n.ID })
	if err != nil {
		return err
	}
	for _, n := range notes {
		people[n.AuthorID] = true
		if n.NoteableID != nil {
			want(n.NoteableType, *n.NoteableID)
		}
	}
	users, err := Users(s).shown(ctx, people)
	if err != nil {
		return err
	}
	titles, err := s.titles(ctx, wanted)
	if err != nil {
		return err
	}
	pages, err := byID(ctx, s.base, wanted[model.OnWikiPage], func(p *model.WikiPage) int64 { return p.ID })
	if err != nil {
		return err
	}
	for i := range rows {
		fillEvent(&rows[i], users, notes, titles)
		if e := rows[i].Event; e.TargetType != nil && *e.TargetType == model.OnWikiPage && pages[*e.TargetID] != nil {
			rows[i].WikiPage = pages[*e.TargetID]
			rows[i].Title = &rows[i].WikiPage.Title
		}
	}
	return nil
}

func fillEvent(row *model.EventRow, users map[int64]*model.User, notes map[int64]*model.Note, titles map[string]map[int64]eventTarget) {
	e := row.Event
	row.Author = *users[e.AuthorID]
	if e.TargetType == nil || e.TargetID == nil {
		return
	}
	row.IID = e.TargetID
	kind, id := noteKinds(*e.TargetType), *e.TargetID
	if kind == model.OnNote {
		n := notes[id]
		if n == nil {
			return
		}
		row.Note, row.NoteAuthor = n, *users[n.AuthorID]
		if n.NoteableID == nil {
			return
		}
		if about, ok := titles[n.NoteableType][*n.NoteableID]; ok {
			row.Title, row.NoteableIID = &about.title, about.iid
		}
		return
	}
	if about, ok := titles[kind][id]; ok {
		row.Title = &about.title
		if about.iid != nil {
			row.IID = about.iid
		}
	}
}

// noteKinds returns the type of an event's target, with one type for all kinds of notes.
func noteKinds(kind string) string {
	if kind == "DiffNote" || kind == "DiscussionNote" {
		return model.OnNote
	}
	return kind
}

// titleQueries read the number and title of the targets of events.
var titleQueries = map[string]string{
	model.OnIssue:        "SELECT id, iid, title FROM issues WHERE id ",
	model.OnMergeRequest: "SELECT id, iid, title FROM merge_requests WHERE id ",
	model.OnMilestone:    "SELECT id, iid, title FROM milestones WHERE id ",
	model.OnSnippet:      "SELECT id, CAST(NULL AS bigint), title FROM snippets WHERE id ",
	"Project":            "SELECT id, CAST(NULL AS bigint), name FROM projects WHERE id ",
	"User":               "SELECT id, CAST(NULL AS bigint), name FROM users WHERE id ",
}

func (s Events) titles(ctx context.Context, wanted map[string]map[int64]bool) (map[string]map[int64]eventTarget, error) {
	all := make(map[string]map[int64]eventTarget, len(wanted))
	for kind, ids := range wanted {
		statement := titleQueries[kind]
		if statement == "" {
			continue
		}
		found := make(map[int64]eventTarget, len(ids))
		in := s.inIDs(slices.Collect(maps.Keys(ids)))
		err := s.db.LongRows(ctx, statement+in.text, in.args, func(row query.Scanner) error {
			var id int64
			var t eventTarget
			err := row.Scan(&id, &t.iid, &t.title)
			found[id] = t
			return err
		})
		if err != nil {
			return nil, query.Translate(err)
		}
		all[kind] = found
	}
	return all, nil
}
