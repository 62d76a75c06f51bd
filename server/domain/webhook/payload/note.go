package payload

import (
	"encoding/json"
	"strconv"

	"svc/store/git"
	"svc/store/model"
)

// The actions of notes and of rows that can be deleted.
const (
	ActionCreate = "create"
	ActionDelete = "delete"
)

// NoteInput is what the body of a note is made of. Exactly one target is set.
type NoteInput struct {
	Project model.Project
	User    model.User // who wrote or edited it
	Note    model.Note
	Action  string // create or update
	Target  Target
}

// Target is what a note or an emoji is on: one of its members is set.
type Target struct {
	Commit       *git.Commit
	Issue        *model.IssueRow
	MergeRequest *MergeRequestState
	Snippet      *SnippetFile
}

// SnippetFile is a snippet with the content of its first file.
type SnippetFile struct {
	Snippet model.Snippet
	Content string
}

// Confidential reports whether only hooks for confidential notes get the note: an internal note, or any note on a
// confidential issue.
func (in NoteInput) Confidential() bool {
	return in.Note.Internal || in.Target.Issue != nil && in.Target.Issue.Issue.Confidential
}

// Note is the body of a note.
type Note struct {
	ObjectKind       string                  `json:"object_kind"`
	EventType        string                  `json:"event_type"`
	User             User                    `json:"user"`
	ProjectID        int64                   `json:"project_id"`
	Project          Project                 `json:"project"`
	Repository       Repository              `json:"repository"`
	ObjectAttributes NoteAttributes          `json:"object_attributes"`
	Commit           *Commit                 `json:"commit,omitempty"`
	MergeRequest     *MergeRequestAttributes `json:"merge_request,omitempty"`
	Issue            *IssueAttributes        `json:"issue,omitempty"`
	Snippet          *Snippet                `json:"snippet,omitempty"`
}

// NoteAttributes are the attributes of a note. Emoji contain them without an action.
type NoteAttributes struct {
	ID               int64     `json:"id"`
	Note             string    `json:"note"`
	Description      string    `json:"description"`
	NoteableType     string    `json:"noteable_type"`
	NoteableID       *int64    `json:"noteable_id"`
	AuthorID         int64     `json:"author_id"`
	ProjectID        int64     `json:"project_id"`
	CommitID         *string   `json:"commit_id"`
	DiscussionID     string    `json:"discussion_id"`
	Type             *string   `json:"type"`
	LineCode         *string   `json:"line_code"`
	Position         *Position `json:"position"`
	OriginalPosition *Position `json:"original_position"`
	ChangePosition   *Position `json:"change_position"`
	StDiff           *struct{} `json:"st_diff"`    // of older instances; always null
	Attachment       *struct{} `json:"attachment"` // of older instances; always null
	System           bool      `json:"system"`
	Internal         bool      `json:"internal"`
	ResolvedAt       *string   `json:"resolved_at"`
	ResolvedByID     *int64    `json:"resolved_by_id"`
	ResolvedByPush   *bool     `json:"resolved_by_push"`
	CreatedAt        string    `json:"created_at"`
	UpdatedAt        string    `json:"updated_at"`
	UpdatedByID      *int64    `json:"updated_by_id"`
	Action           string    `json:"action,omitempty"`
	URL              string    `json:"url"`
}

// Position is a place in a diff.
type Position struct {
	BaseSHA      *string    `json:"base_sha"`
	StartSHA     *string    `json:"start_sha"`
	HeadSHA      *string    `json:"head_sha"`
	PositionType string     `json:"position_type"`
	OldPath      *string    `json:"old_path"`
	NewPath      *string    `json:"new_path"`
	OldLine      *int64     `json:"old_line"`
	NewLine      *int64     `json:"new_line"`
	LineRange    *LineRange `json:"line_range"`
}

// LineRange is several lines of a diff.
type LineRange struct {
	Start Line `json:"start"`
	End   Line `json:"end"`
}

// Line is the first or last line of several lines.
type Line struct {
	LineCode *string `json:"line_code"`
	Type     *string `json:"type"`
	OldLine  *int64  `json:"old_line"`
	NewLine  *int64  `json:"new_line"`
}

// Snippet is a snippet of a project.
type Snippet struct {
	ID              int64   `json:"id"`
	Title           string  `json:"title"`
	Description     *string `json:"description"`
	Content         string  `json:"content"`
	AuthorID        int64   `json:"author_id"`
	ProjectID       *int64  `json:"project_id"`
	CreatedAt       string  `json:"created_at"`
	UpdatedAt       string  `json:"updated_at"`
	FileName        string  `json:"file_name"`
	Type            string  `json:"type"`
	VisibilityLevel int64   `json:"visibility_level"`
	URL             string  `json:"url"`
}

// Note builds the body of a note.
func (i Instance) Note(in NoteInput) Note {
	body := Note{
		ObjectKind: "note", EventType: "note", User: i.user(in.User), ProjectID: in.Project.ID, Project: i.project(in.Project),
		Repository: i.repository(in.Project), ObjectAttributes: i.noteAttributes(in.Project, in.Note, in.Target),
	}
	if in.Confidential() {
		body.EventType = "confidential_note"
	}
	body.ObjectAttributes.Action = in.Action
	shown := i.target(in.Project, in.Target)
	body.Commit, body.MergeRequest, body.Issue, body.Snippet = shown.commit, shown.mergeRequest, shown.issue, shown.snippet
	return body
}

// shownTarget is a target as bodies show it.
type shownTarget struct {
	commit       *Commit
	mergeRequest *MergeRequestAttributes
	issue        *IssueAttributes
	snippet      *Snippet
}

func (i Instance) target(p model.Project, t Target) shownTarget {
	shown := shownTarget{commit: i.commitOrNull(p, t.Commit)}
	if t.MergeRequest != nil {
		shown.mergeRequest = new(i.mergeRequestAttributes(*t.MergeRequest))
	}
	if t.Issue != nil {
		shown.issue = new(i.issueAttributes(p, *t.Issue))
	}
	if t.Snippet != nil {
		shown.snippet = new(i.snippet(p, *t.Snippet))
	}
	return shown
}

// targetURL returns the URL of the page of a target; the URL of the project if there is none.
func (i Instance) targetURL(p model.Project, t Target) string {
	switch {
	case t.Commit != nil:
		return i.commitURL(p, t.Commit.ID)
	case t.Issue != nil:
		return i.issueURL(p, t.Issue.Issue)
	case t.MergeRequest != nil:
		return i.mergeRequestURL(p, t.MergeRequest.Row.MergeRequest)
	case t.Snippet != nil:
		return i.page(p, "snippets", t.Snippet.Snippet.ID)
	}
	return i.web(p)
}

func (i Instance) noteAttributes(p model.Project, n model.Note, t Target) NoteAttributes {
	at := position(n.Position)
	return NoteAttributes{
		ID: n.ID, Note: n.Body, Description: i.absolute(p, n.Body), NoteableType: n.NoteableType, NoteableID: n.NoteableID,
		AuthorID: n.AuthorID, ProjectID: n.ProjectID, CommitID: n.CommitID, DiscussionID: n.DiscussionID, Type: n.NoteType,
		LineCode: lineCode(at), Position: at, OriginalPosition: at, System: n.System, Internal: n.Internal,
		ResolvedAt: written(n.ResolvedAt, stamp), ResolvedByID: n.ResolvedByID, CreatedAt: stamp(n.CreatedAt),
		UpdatedAt: stamp(n.UpdatedAt), URL: i.targetURL(p, t) + "#note_" + strconv.FormatInt(n.ID, 10),
	}
}

// position reads the stored position in a diff; nil if the note has none.
func position(stored *string) *Position {
	var at Position
	if stored == nil || json.Unmarshal([]byte(*stored), &at) != nil {
		return nil
	}
	return &at
}

// lineCode returns the code of the line that a note is on, if the client has sent it.
func lineCode(at *Position) *string {
	if at == nil || at.LineRange == nil {
		return nil
	}
	return at.LineRange.End.LineCode
}

func (i Instance) snippet(p model.Project, f SnippetFile) Snippet {
	s := f.Snippet
	shown := Snippet{
		ID: s.ID, Title: s.Title, Description: i.absoluteOrNull(p, s.Description), Content: f.Content, AuthorID: s.AuthorID,
		ProjectID: s.ProjectID, CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt), Type: "ProjectSnippet",
		VisibilityLevel: int64(s.Visibility), URL: i.page(p, "snippets", s.ID),
	}
	if paths := s.Paths(); len(paths) > 0 {
		shown.FileName = paths[0]
	}
	return shown
}
