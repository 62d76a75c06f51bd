package model

// EventPlace is what decides which events of a project somebody sees.
type EventPlace struct {
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

// EventPlaceOf is a project that a reader sees.
func EventPlaceOf(r ProjectRow) EventPlace {
	p := r.Project
	return EventPlace{
		ID: p.ID, Visible: true, Role: r.Role(), Admin: r.Admin, Visibility: p.Visibility, Code: p.RepositoryAccessLevel, Issues: p.IssuesAccessLevel,
		Merges: p.MergeRequestsAccessLevel, Snippets: p.SnippetsAccessLevel, Wiki: p.WikiAccessLevel,
	}
}

// reaches tells whether the reader reaches a part of the project: members from a role up and, unless it is for members only,
// everybody who sees the project; one that lays code open takes the role in a private project.
func (p EventPlace) reaches(part FeatureAccess, least Access, code bool) bool {
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

// EventView says which events a reader does not see, by the projects that they are in.
type EventView struct {
	ReaderID                                 int64 // 0 for an anonymous one
	Hidden, Code, Issues, Merges, Milestones []int64
	Snippets, Wikis                          []int64
	Confidential                             []int64 // of these, only confidential issues that are the reader's own
}

// Add judges one more project.
func (v *EventView) Add(p EventPlace) {
	if !p.Visible {
		v.Hidden = append(v.Hidden, p.ID)
		return
	}
	note := func(list *[]int64, sees bool) {
		if !sees {
			*list = append(*list, p.ID)
		}
	}
	issues, merges := p.reaches(p.Issues, Guest, false), p.reaches(p.Merges, Reporter, true)
	note(&v.Code, p.reaches(p.Code, Reporter, true))
	note(&v.Issues, issues)
	note(&v.Merges, merges)
	note(&v.Milestones, issues || merges)
	note(&v.Snippets, p.reaches(p.Snippets, Guest, false))
	note(&v.Wikis, p.reaches(p.Wiki, Guest, false))
	note(&v.Confidential, p.Admin || p.Role >= Reporter)
}

// Open tells whether nothing is kept from the reader.
func (v *EventView) Open() bool {
	return len(v.Hidden)+len(v.Code)+len(v.Issues)+len(v.Merges)+len(v.Milestones)+len(v.Snippets)+len(v.Wikis)+len(v.Confidential) == 0
}

// EventRow is an event with what is shown of it.
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
