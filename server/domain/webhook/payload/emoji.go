package payload

import (
	"strconv"

	"svc/store/model"
)

// The actions of emoji.
const (
	ActionAward  = "award"
	ActionRevoke = "revoke"
)

// EmojiInput is what the body of an emoji reaction is made of.
type EmojiInput struct {
	Project model.Project
	User    model.User
	Award   model.AwardEmoji
	Action  string      // award or revoke
	Note    *model.Note // that the emoji is on, if it is on a note
	Target  Target      // what the emoji or the note is on
}

// Emoji is the body of an emoji reaction.
type Emoji struct {
	ObjectKind       string                  `json:"object_kind"`
	EventType        string                  `json:"event_type"`
	User             User                    `json:"user"`
	ProjectID        int64                   `json:"project_id"`
	Project          Project                 `json:"project"`
	ObjectAttributes EmojiAttributes         `json:"object_attributes"`
	Note             *NoteAttributes         `json:"note,omitempty"`
	Issue            *IssueAttributes        `json:"issue,omitempty"`
	MergeRequest     *MergeRequestAttributes `json:"merge_request,omitempty"`
	ProjectSnippet   *Snippet                `json:"project_snippet,omitempty"`
	Commit           *Commit                 `json:"commit,omitempty"`
}

// EmojiAttributes are the attributes of an emoji reaction.
type EmojiAttributes struct {
	ID            int64  `json:"id"`
	UserID        int64  `json:"user_id"`
	Name          string `json:"name"`
	AwardableType string `json:"awardable_type"`
	AwardableID   int64  `json:"awardable_id"`
	CreatedAt     string `json:"created_at"`
	UpdatedAt     string `json:"updated_at"`
	Action        string `json:"action"`
	AwardedOnURL  string `json:"awarded_on_url"`
}

// Emoji builds the body of an emoji reaction.
func (i Instance) Emoji(in EmojiInput) Emoji {
	a := in.Award
	body := Emoji{
		ObjectKind: "emoji", EventType: in.Action, User: i.user(in.User), ProjectID: in.Project.ID, Project: i.project(in.Project),
		ObjectAttributes: EmojiAttributes{
			ID: a.ID, UserID: a.UserID, Name: a.Name, AwardableType: a.AwardableType, AwardableID: a.AwardableID,
			CreatedAt: stamp(a.CreatedAt), UpdatedAt: stamp(a.UpdatedAt), Action: in.Action,
			AwardedOnURL: i.targetURL(in.Project, in.Target),
		},
	}
	if in.Note != nil {
		body.ObjectAttributes.AwardedOnURL += "#note_" + strconv.FormatInt(in.Note.ID, 10)
		body.Note = new(i.noteAttributes(in.Project, *in.Note, in.Target))
	}
	shown := i.target(in.Project, in.Target)
	body.Commit, body.MergeRequest, body.Issue, body.ProjectSnippet = shown.commit, shown.mergeRequest, shown.issue, shown.snippet
	return body
}
