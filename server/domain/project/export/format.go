package export

import (
	"errors"
	"slices"
	"strings"
	"time"

	"svc/server/domain/archive"
	"svc/server/domain/badge"
	"svc/server/domain/discussion/note"
	"svc/store/git"
	"svc/store/model"
)

// version is the version of the format. It changes when older archives can no longer be read.
const version = "1\n"

// The files of an archive, in this order.
const (
	versionFile = "VERSION"
	projectFile = "tree/project.json"
	bundleFile  = "project.bundle"
	wikiFile    = "project.wiki.bundle"
	lfsFolder   = "lfs-objects/"
	uploadIndex = "uploads/index.ndjson"
	uploadFiles = "uploads/"
	avatarFile  = "avatar"
	partFolder  = "tree/project/"
)

// The parts of a project, in the order of the archive: a part refers only to parts before it.
const (
	usersPart        = "users"
	labelsPart       = "labels"
	milestonesPart   = "milestones"
	issuesPart       = "issues"
	requestsPart     = "merge_requests"
	notesPart        = "notes"
	membersPart      = "project_members"
	branchRulesPart  = "protected_branches"
	tagRulesPart     = "protected_tags"
	boardsPart       = "boards"
	releasesPart     = "releases"
	badgesPart       = "project_badges"
	partExtension    = ".ndjson"
	maxCommits       = 1000 // of a merge request
	maxNamed         = 200  // assignees, reviewers, labels, links and milestones of one record
	maxText          = 1_000_000
	maxTitle         = 255
	maxRef           = 1024
	maxIID           = 1 << 31
	maxBoards        = 100
	maxUploads       = 100_000
	maxUsers         = 100_000
	maxProtections   = 1000
	maxDescription   = 2000
	maxLabelsOf      = 50_000
	maxMilestonesOf  = 50_000
	maxFailures      = 100
	maxFailureLength = 500
)

var partNames = []string{
	usersPart, labelsPart, milestonesPart, issuesPart, requestsPart, notesPart, membersPart, branchRulesPart, tagRulesPart, boardsPart,
	releasesPart, badgesPart,
}

// limits are the limits for reading an archive.
var limits = archive.Limits{Bytes: 64 << 30, Ratio: 200, Free: 16 << 20, Records: 500_000, Line: 8 << 20}

func bad(format string, args ...any) error { return archive.Bad(format, args...) }

// User identifies a user. The id is from the instance that wrote the archive; other records refer to it.
type User struct {
	ID          int64   `json:"id"`
	Username    string  `json:"username"`
	Name        string  `json:"name"`
	PublicEmail *string `json:"public_email"`
}

// Check returns what is wrong with the record.
func (u User) Check() error {
	if u.ID < 1 {
		return bad("the id of a user is out of range")
	}
	return errors.Join(
		archive.Text("the username of a user", u.Username, 1, maxTitle), archive.Text("the name of a user", u.Name, 0, maxTitle),
		archive.Optional("the address of a user", u.PublicEmail, maxTitle),
	)
}

// Label is a label of the project, or one of a group that the project uses.
type Label struct {
	Title       string  `json:"title"`
	Color       string  `json:"color"`
	Description *string `json:"description"`
	Priority    *int64  `json:"priority"`
}

// Check returns what is wrong with the record.
func (l Label) Check() error {
	if l.Priority != nil && (*l.Priority < 0 || *l.Priority > maxIID) {
		return bad("the priority of a label is out of range")
	}
	if strings.Contains(l.Title, ",") {
		return bad("the title of a label contains a comma")
	}
	return errors.Join(
		archive.Color(l.Color), archive.Text("the title of a label", l.Title, 1, maxTitle),
		archive.Optional("the description of a label", l.Description, 500),
	)
}

// Milestone is a milestone.
type Milestone struct {
	IID         int64        `json:"iid"`
	Title       string       `json:"title"`
	Description *string      `json:"description"`
	State       string       `json:"state"`
	StartDate   *archive.Day `json:"start_date"`
	DueDate     *archive.Day `json:"due_date"`
	CreatedAt   time.Time    `json:"created_at"`
	UpdatedAt   time.Time    `json:"updated_at"`
}

// Check returns what is wrong with the record.
func (m Milestone) Check() error {
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Time().Before(*m.StartDate.Time()) {
		return bad("a milestone ends before it begins")
	}
	return errors.Join(
		number("a milestone", m.IID), archive.Text("the title of a milestone", m.Title, 1, maxTitle),
		archive.Optional("the description of a milestone", m.Description, maxText),
		archive.OneOf("the state of a milestone", m.State, model.MilestoneActive, model.MilestoneClosed),
		times("a milestone", &m.CreatedAt, &m.UpdatedAt),
	)
}

// Note is a comment on an issue or merge request, or a system note.
type Note struct {
	NoteableType string     `json:"noteable_type"`
	NoteableIID  int64      `json:"noteable_iid"`
	DiscussionID string     `json:"discussion_id"`
	Type         *string    `json:"type"`
	AuthorID     int64      `json:"author_id"`
	Body         string     `json:"note"`
	System       bool       `json:"system"`
	Action       *string    `json:"action"`
	Internal     bool       `json:"internal"`
	Position     *string    `json:"position"`
	Resolvable   bool       `json:"resolvable"`
	ResolvedByID *int64     `json:"resolved_by_id"`
	ResolvedAt   *time.Time `json:"resolved_at"`
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
}

// Check returns what is wrong with the record.
func (n Note) Check() error {
	if n.Position != nil {
		at, ok := note.PositionOf(n.Position)
		if !ok || len(*n.Position) > 16<<10 || !git.IsID(at.HeadSHA) || !slices.Contains([]string{"text", "image", "file"}, at.Type) {
			return bad("the position of a note is invalid")
		}
	}
	types := []string{model.DiffNote, model.DiscussionNote}
	if n.Type != nil && !slices.Contains(types, *n.Type) || n.Type != nil && *n.Type == model.DiffNote && n.Position == nil {
		return bad("the type of a note is invalid")
	}
	return errors.Join(
		archive.OneOf("the noteable_type of a note", n.NoteableType, model.OnIssue, model.OnMergeRequest),
		number("the subject of a note", n.NoteableIID), archive.Text("the text of a note", n.Body, 0, maxText),
		archive.Text("the discussion_id of a note", n.DiscussionID, 1, 64), archive.Optional("the action of a note", n.Action, 64),
		times("a note", &n.CreatedAt, &n.UpdatedAt, n.ResolvedAt),
	)
}

// Member is the role of a user in the project.
type Member struct {
	UserID      int64        `json:"user_id"`
	AccessLevel model.Access `json:"access_level"`
	ExpiresAt   *archive.Day `json:"expires_at"`
}

// Check returns what is wrong with the record.
func (m Member) Check() error {
	if !slices.Contains([]model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner}, m.AccessLevel) {
		return bad("the access_level of a member is invalid")
	}
	return nil
}

// BranchRule protects branches.
type BranchRule struct {
	Name                 string       `json:"name"`
	PushAccessLevel      model.Access `json:"push_access_level"`
	MergeAccessLevel     model.Access `json:"merge_access_level"`
	UnprotectAccessLevel model.Access `json:"unprotect_access_level"`
	AllowForcePush       bool         `json:"allow_force_push"`
}

// Check returns what is wrong with the record.
func (b BranchRule) Check() error {
	return errors.Join(
		archive.Text("the name of a protected branch", b.Name, 1, maxTitle),
		ruleLevel(b.PushAccessLevel), ruleLevel(b.MergeAccessLevel), ruleLevel(b.UnprotectAccessLevel),
	)
}

// TagRule protects tags.
type TagRule struct {
	Name              string       `json:"name"`
	CreateAccessLevel model.Access `json:"create_access_level"`
}

// Check returns what is wrong with the record.
func (t TagRule) Check() error {
	return errors.Join(archive.Text("the name of a protected tag", t.Name, 1, maxTitle), ruleLevel(t.CreateAccessLevel))
}

// ruleLevel checks the role of a rule: nobody, developers, maintainers or administrators.
func ruleLevel(level model.Access) error {
	if !slices.Contains([]model.Access{0, model.Developer, model.Maintainer, 60}, level) {
		return bad("the access level of a rule is invalid")
	}
	return nil
}

// Board is a board with its lists in order.
type Board struct {
	Name            string  `json:"name"`
	HideBacklogList bool    `json:"hide_backlog_list"`
	HideClosedList  bool    `json:"hide_closed_list"`
	Lists           []Label `json:"lists"`
}

// Check returns what is wrong with the record.
func (b Board) Check() error {
	if len(b.Lists) > maxBoards {
		return bad("a board has more than %d lists", maxBoards)
	}
	seen := map[string]bool{}
	for _, l := range b.Lists {
		if err := l.Check(); err != nil {
			return err
		}
		if seen[l.Title] {
			return bad("a board has two lists for the same label")
		}
		seen[l.Title] = true
	}
	return archive.Text("the name of a board", b.Name, 1, maxTitle)
}

// Badge is a badge.
type Badge struct {
	Name     *string `json:"name"`
	LinkURL  string  `json:"link_url"`
	ImageURL string  `json:"image_url"`
}

// Check returns what is wrong with the record.
func (b Badge) Check() error {
	for _, address := range []string{b.LinkURL, b.ImageURL} {
		if wrong := badge.CheckURL(address); wrong != "" {
			return bad("the URL of a badge %s", wrong)
		}
	}
	return archive.Optional("the name of a badge", b.Name, badge.MaxName)
}

// UploadEntry is a file that users have attached to texts.
type UploadEntry struct {
	Secret   string `json:"secret"`
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
}

// number checks the number of a record.
func number(what string, iid int64) error {
	if iid < 1 || iid > maxIID {
		return bad("the iid of %s is out of range", what)
	}
	return nil
}

// times checks that times can be stored and shown. Nil is allowed.
func times(what string, all ...*time.Time) error {
	for _, t := range all {
		if t != nil && (t.Year() < 1970 || t.Year() > 9999) {
			return bad("a time of %s is out of range", what)
		}
	}
	return nil
}

// sha checks the id of a commit. An empty one is allowed.
func sha(what, id string) error {
	if id != "" && !git.IsID(id) {
		return bad("a commit of %s is invalid", what)
	}
	return nil
}
