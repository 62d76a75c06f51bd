package bulkimport

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// maxNotePages is how many pages of comments of an issue are copied.
const maxNotePages = 20

type sourcePerson struct{ Name, Username string }

type sourceIssue struct {
	IID          int64
	Title        string
	Description  *string
	State        string
	Type         string `json:"issue_type"`
	Confidential bool
	Locked       *bool `json:"discussion_locked"`
	Labels       []string
	Milestone    *struct{ Title string }
	DueDate      *string `json:"due_date"`
	Author       sourcePerson
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
	ClosedAt     *time.Time `json:"closed_at"`
	NotesCount   int64      `json:"user_notes_count"`

	notes []sourceNote
	cut   bool // it has more comments
}

type sourceNote struct {
	Body      string
	Author    sourcePerson
	System    bool
	Internal  bool
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// issues copies a page of the issues with their comments.
func (c *copier) issues(ctx context.Context) (batch, error) {
	var rows []sourceIssue
	query := url.Values{"scope": {"all"}, "order_by": {"created_at"}, "sort": {"asc"}}
	m, err := c.source.page(ctx, c.at("/issues"), query, c.entity.Page, &rows)
	if err != nil {
		return batch{}, err
	}
	for i := range rows {
		if err := c.readNotes(ctx, &rows[i]); err != nil {
			return batch{}, err
		}
	}
	return batch{more: m, fetched: int64(len(rows)), write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		return c.addIssues(ctx, rows)
	}}, nil
}

// readNotes reads the comments of an issue.
func (c *copier) readNotes(ctx context.Context, i *sourceIssue) error {
	if i.NotesCount == 0 {
		return nil
	}
	query := url.Values{"order_by": {"created_at"}, "sort": {"asc"}}
	for page := int64(1); ; page++ {
		var notes []sourceNote
		m, err := c.source.page(ctx, c.at("/issues/"+number(i.IID)+"/notes"), query, page, &notes)
		if err != nil {
			return err
		}
		i.notes = append(i.notes, slices.DeleteFunc(notes, func(n sourceNote) bool { return n.System })...)
		if !m.next {
			return nil
		}
		if page == maxNotePages {
			i.cut = true
			return nil
		}
	}
}

// addIssues adds the issues of a page.
func (c *copier) addIssues(ctx context.Context, rows []sourceIssue) (made int64, failed []model.BulkImportFailure, err error) {
	row, err := c.newProject(ctx)
	if err != nil {
		return 0, nil, err
	}
	parts, err := c.parts(ctx, row, rows)
	if err != nil {
		return 0, nil, err
	}
	for _, i := range rows {
		if parts.known[i.IID] {
			continue
		}
		at := c.sourcePage("/-/issues/", number(i.IID))
		if title := strings.TrimSpace(i.Title); title == "" || utf8.RuneCountInString(title) > maxTitle || i.IID <= 0 {
			failed = append(failed, failure(stageIssues, "RecordInvalid", "The title is empty or too long", at, i.Title))
			continue
		}
		if i.cut {
			failed = append(failed, failure("notes", "RecordInvalid", "The issue has more comments than this service copies", at, i.Title))
		}
		if err := c.addIssue(ctx, row.Project, i, parts); err != nil {
			return 0, nil, err
		}
		made++
	}
	return made, failed, nil
}

// issueParts are the labels and milestones of the issues of a page, and the numbers of issues that exist already.
type issueParts struct {
	labels     map[string]model.Label
	milestones map[string]int64
	known      map[int64]bool
}

func (c *copier) parts(ctx context.Context, row model.ProjectRow, rows []sourceIssue) (p issueParts, err error) {
	p = issueParts{map[string]model.Label{}, map[string]int64{}, map[int64]bool{}}
	var names, titles []string
	iids := make([]int64, len(rows))
	for i, r := range rows {
		names, iids[i] = append(names, r.Labels...), r.IID
		if r.Milestone != nil {
			titles = append(titles, r.Milestone.Title)
		}
	}
	slices.Sort(names)
	in := store.OwnedByProject(row.Project)
	labels, err := c.Store.Labels.Named(ctx, in, slices.Compact(names), false)
	if err != nil {
		return p, err
	}
	for _, l := range labels {
		p.labels[l.Name] = l
	}
	milestones, err := c.Store.Milestones.FindByTitles(ctx, in, titles)
	if err != nil {
		return p, err
	}
	for _, m := range milestones {
		p.milestones[m.Milestone.Title] = m.Milestone.ID
	}
	if len(rows) == 0 {
		return p, nil
	}
	f := store.IssueFilter{}
	f.IIDs = iids
	found, _, err := c.Store.Issues.List(ctx, store.InProject(row, reader(ctx)), f, store.Page{Limit: perPage})
	for _, i := range found {
		p.known[i.Issue.IID] = true
	}
	return p, err
}

// addIssue adds an issue with its comments, in the name of the user who imports.
func (c *copier) addIssue(ctx context.Context, p model.Project, i sourceIssue, parts issueParts) error {
	text := written(i.Description, i.Author)
	made := model.Issue{
		ProjectID: p.ID, IID: i.IID, AuthorID: c.user.ID, Title: strings.TrimSpace(i.Title), Description: &text, State: model.Opened,
		IssueType: "issue", Confidential: i.Confidential, DiscussionLocked: i.Locked, DueDate: day(i.DueDate), Severity: "UNKNOWN",
		CreatedAt: past(ctx, i.CreatedAt), UpdatedAt: past(ctx, i.UpdatedAt),
	}
	if slices.Contains([]string{"incident", "test_case", "task"}, i.Type) {
		made.IssueType = i.Type
	}
	if i.State == model.Closed {
		at := made.UpdatedAt
		if i.ClosedAt != nil {
			at = past(ctx, *i.ClosedAt)
		}
		made.State, made.ClosedAt, made.ClosedByID = model.Closed, &at, &c.user.ID
	}
	if i.Milestone != nil {
		if id, ok := parts.milestones[i.Milestone.Title]; ok {
			made.MilestoneID = &id
		}
	}
	var labels []model.Label
	for _, name := range i.Labels {
		if l, ok := parts.labels[name]; ok {
			labels = append(labels, l)
		}
	}
	if err := c.Store.Issues.Create(ctx, &made, labels, nil); err != nil {
		return err
	}
	notes := make([]*model.Note, len(i.notes))
	for n, s := range i.notes {
		notes[n] = &model.Note{
			ProjectID: p.ID, NoteableType: model.OnIssue, NoteableID: &made.ID, AuthorID: c.user.ID, Body: written(&s.Body, s.Author),
			Internal: s.Internal, CreatedAt: past(ctx, s.CreatedAt), UpdatedAt: past(ctx, s.UpdatedAt),
		}
	}
	return c.Store.Notes.Add(ctx, notes...)
}

// written returns a text with a line about its author, who is not a user here.
func written(text *string, by sourcePerson) string {
	line := "*Created by: " + strings.NewReplacer("*", "", "@", "", "\n", " ").Replace(by.Name+" ("+by.Username+")") + "*"
	if text == nil || *text == "" {
		return line
	}
	whole := *text
	if utf8.RuneCountInString(whole) > maxText-len(line)-2 {
		whole = string([]rune(whole)[:maxText-len(line)-2])
	}
	return whole + "\n\n" + line
}

// past returns a time of the other instance, or the present if that is in the future or missing.
func past(ctx context.Context, at time.Time) time.Time {
	if now := clock.Now(ctx).UTC(); at.After(now) || at.Year() < 1970 {
		return now
	}
	return at.UTC()
}
