package model

// EventProject is the data that decides which events of a project a reader can see.
type EventProject struct {
	ID         int64
	Visible    bool
	Role       Access
	Admin      bool
	Visibility Visibility
	Code       FeatureAccess
	Issues     FeatureAccess
	Merges     FeatureAccess
	Snippets   FeatureAccess
	Wiki       FeatureAccess
}

// EventProjectOf returns the place of a project that a reader can see.
func EventProjectOf(r ProjectRow) EventProject {
	p := r.Project
	return EventProject{
		ID: p.ID, Visible: true, Role: r.Role(), Admin: r.Admin, Visibility: p.Visibility,
		Code: p.RepositoryAccessLevel, Issues: p.IssuesAccessLevel,
		Merges: p.MergeRequestsAccessLevel, Snippets: p.SnippetsAccessLevel, Wiki: p.WikiAccessLevel,
	}
}

// canSee reports whether the reader can see a part of the project. Members can see it from the given role on. Unless
// it is for members only, everybody who can see the project can see it, too; a part that shows code requires the role
// in a private project.
func (p EventProject) canSee(part FeatureAccess, least Access, code bool) bool {
	switch {
	case p.Admin:
		return true
	case part == FeatureDisabled:
		return false
	case p.Role >= least:
		return true
	}
	return part != FeaturePrivate && (!code || p.Visibility > Private)
}

// EventView lists the projects whose events a reader cannot see, by kind of event.
type EventView struct {
	ReaderID                                 int64 // 0 for an anonymous reader
	Hidden, Code, Issues, Merges, Milestones []int64
	Snippets, Wikis                          []int64
	Confidential                             []int64 // of confidential issues in these projects the reader sees only their own
}

// Add adds one project to the view.
func (v *EventView) Add(p EventProject) {
	if !p.Visible {
		v.Hidden = append(v.Hidden, p.ID)
		return
	}
	note := func(list *[]int64, sees bool) {
		if !sees {
			*list = append(*list, p.ID)
		}
	}
	issues, merges := p.canSee(p.Issues, Guest, false), p.canSee(p.Merges, Reporter, true)
	note(&v.Code, p.canSee(p.Code, Reporter, true))
	note(&v.Issues, issues)
	note(&v.Merges, merges)
	note(&v.Milestones, issues || merges)
	note(&v.Snippets, p.canSee(p.Snippets, Guest, false))
	note(&v.Wikis, p.canSee(p.Wiki, Guest, false))
	note(&v.Confidential, p.Admin || p.Role >= Reporter)
}

// Open reports whether the reader can see all events.
func (v *EventView) Open() bool {
	return len(v.Hidden)+len(v.Code)+len(v.Issues)+len(v.Merges)+len(v.Milestones)+len(v.Snippets)+len(v.Wikis)+len(v.Confidential) == 0
}

// EventRow is an event with the data that is shown with it.
type EventRow struct {
	Event       Event
	Author      User
	Title       *string
	IID         *int64
	Note        *Note
	NoteAuthor  User
	NoteableIID *int64
	WikiPage    *WikiPage
}
