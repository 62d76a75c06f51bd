package export

import (
	"errors"
	"slices"
	"strings"

	"svc/server/domain/archive"
	"svc/server/domain/badge"
	"svc/server/platform/naming"
	"svc/store"
	"svc/store/model"
)

// version is the version of the format. It changes when older archives can no longer be read.
const version = "1\n"

// The names in an archive. The parts of a group come in this order, so that labels precede the boards that use them.
const (
	versionFile = "VERSION"
	groupsFile  = "tree/groups/_all.ndjson"
	groupFolder = "tree/groups/"

	labelsPart     = "labels"
	milestonesPart = "milestones"
	badgesPart     = "badges"
	boardsPart     = "boards"
	membersPart    = "members"

	// wikiFile comes after the parts: a line with the commit of the wiki, then a pack with that commit and its history.
	wikiFile = "/wiki.pack"
)

var partNames = []string{labelsPart, milestonesPart, badgesPart, boardsPart, membersPart}

// The limits for unpacking.
const (
	maxGroups   = 5000
	maxRecords  = 250_000
	maxBytes    = 1 << 30 // unpacked
	maxRatio    = 200     // unpacked bytes per packed byte
	freeBytes   = 16 << 20
	maxLine     = 8 << 20 // a description of a million characters fits
	maxBoards   = 100     // per group; also the lists of a board
	maxBadges   = badge.MaxBadges
	maxText     = 1_000_000
	maxIID      = 1 << 31
	maxDetails  = 500
	maxTitle    = 255
	maxUsername = 255
)

var limits = archive.Limits{Bytes: maxBytes, Ratio: maxRatio, Free: freeBytes, Records: maxRecords, Line: maxLine}

// ErrTooLarge means that an archive has more bytes than allowed.
var ErrTooLarge = archive.ErrTooLarge

// BadArchiveError means that an archive cannot be imported. Its text is shown to the user who sent the archive.
type BadArchiveError = archive.BadArchiveError

func bad(format string, args ...any) error { return archive.Bad(format, args...) }

// Group holds the attributes of a group.
type Group struct {
	ID                             int64  `json:"id"`
	ParentID                       *int64 `json:"parent_id"` // nil for the first group
	Name                           string `json:"name"`
	Path                           string `json:"path"`
	Description                    string `json:"description"`
	Visibility                     string `json:"visibility"`
	ShareWithGroupLock             bool   `json:"share_with_group_lock"`
	RequireTwoFactorAuthentication bool   `json:"require_two_factor_authentication"`
	TwoFactorGracePeriod           int64  `json:"two_factor_grace_period"`
	ProjectCreationLevel           string `json:"project_creation_level"`
	SubgroupCreationLevel          string `json:"subgroup_creation_level"`
	AutoDevopsEnabled              *bool  `json:"auto_devops_enabled"`
	MentionsDisabled               *bool  `json:"mentions_disabled"`
	EmailsDisabled                 bool   `json:"emails_disabled"`
	LfsEnabled                     bool   `json:"lfs_enabled"`
	DefaultBranchProtection        int64  `json:"default_branch_protection"`
	RequestAccessEnabled           bool   `json:"request_access_enabled"`
	SharedRunnersSetting           string `json:"shared_runners_setting"`
	PreventSharingOutsideHierarchy bool   `json:"prevent_sharing_groups_outside_hierarchy"`
}

// Label is a label.
type Label struct {
	Title       string  `json:"title"`
	Color       string  `json:"color"`
	Description *string `json:"description"`
}

// Milestone is a milestone.
type Milestone struct {
	IID         int64        `json:"iid"`
	Title       string       `json:"title"`
	Description *string      `json:"description"`
	State       string       `json:"state"`
	StartDate   *archive.Day `json:"start_date"`
	DueDate     *archive.Day `json:"due_date"`
}

// Badge is a badge.
type Badge struct {
	Name     *string `json:"name"`
	LinkURL  string  `json:"link_url"`
	ImageURL string  `json:"image_url"`
}

// Board is a board with its lists in order.
type Board struct {
	Name            string      `json:"name"`
	HideBacklogList bool        `json:"hide_backlog_list"`
	HideClosedList  bool        `json:"hide_closed_list"`
	Lists           []BoardList `json:"lists"`
}

// BoardList is a list of a board. Its label may belong to a parent group.
type BoardList struct {
	Label Label `json:"label"`
}

// Member is the role of a user in a group.
type Member struct {
	AccessLevel model.Access `json:"access_level"`
	ExpiresAt   *archive.Day `json:"expires_at"`
	User        User         `json:"user"`
}

// User identifies a member. The id is from the instance that wrote the archive.
type User struct {
	ID          int64   `json:"id"`
	Username    string  `json:"username"`
	PublicEmail *string `json:"public_email"`
}

// check returns what is wrong with the attributes of a group. The name and path of the first group are not used.
func (g Group) check(first bool) error {
	if !first {
		if wrong := naming.Name(g.Name); wrong != "" {
			return bad("the name of a group %s", wrong)
		}
		if wrong := naming.Path(g.Path, false); wrong != "" {
			return bad("the path of a group %s", wrong)
		}
	}
	if g.TwoFactorGracePeriod < 0 || g.TwoFactorGracePeriod > maxIID || g.DefaultBranchProtection < 0 || g.DefaultBranchProtection > 4 {
		return bad("two_factor_grace_period or default_branch_protection is out of range")
	}
	return errors.Join(
		archive.Text("the description of a group", g.Description, 0, maxDetails),
		archive.OneOf("visibility", g.Visibility, model.Private.String(), model.Internal.String(), model.Public.String()),
		archive.OneOf("project_creation_level", g.ProjectCreationLevel, "noone", "maintainer", "developer"),
		archive.OneOf("subgroup_creation_level", g.SubgroupCreationLevel, "owner", "maintainer"),
		archive.OneOf(
			"shared_runners_setting", g.SharedRunnersSetting, "enabled", "disabled_and_overridable",
			"disabled_and_unoverridable", "disabled_with_override",
		),
	)
}

// Check returns what is wrong with the record.
func (l Label) Check() error {
	if strings.Contains(l.Title, ",") {
		return bad("the title of a label contains a comma")
	}
	return errors.Join(
		archive.Color(l.Color), archive.Text("the title of a label", l.Title, 1, maxTitle),
		archive.Optional("the description of a label", l.Description, maxDetails),
	)
}

// Check returns what is wrong with the record.
func (m Milestone) Check() error {
	if m.IID < 1 || m.IID > maxIID {
		return bad("the iid of a milestone is out of range")
	}
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Time().Before(*m.StartDate.Time()) {
		return bad("a milestone ends before it begins")
	}
	return errors.Join(
		archive.Text("the title of a milestone", m.Title, 1, maxTitle),
		archive.Optional("the description of a milestone", m.Description, maxText),
		archive.OneOf("the state of a milestone", m.State, model.MilestoneActive, model.MilestoneClosed),
	)
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

// Check returns what is wrong with the record.
func (b Board) Check() error {
	if len(b.Lists) > maxBoards {
		return bad("a board has more than %d lists", maxBoards)
	}
	seen := map[string]bool{}
	for _, l := range b.Lists {
		if err := l.Label.Check(); err != nil {
			return err
		}
		if seen[l.Label.Title] {
			return bad("a board has two lists for the same label")
		}
		seen[l.Label.Title] = true
	}
	return archive.Text("the name of a board", b.Name, 1, maxTitle)
}

// Check returns what is wrong with the record.
func (m Member) Check() error {
	if !slices.Contains(
		[]model.Access{model.Minimal, model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner},
		m.AccessLevel,
	) {
		return bad("the access_level of a member is invalid")
	}
	return errors.Join(
		archive.Text("the username of a member", m.User.Username, 0, maxUsername),
		archive.Optional("the address of a member", m.User.PublicEmail, maxTitle),
	)
}

// row returns the row of the group, without its parent.
func (g Group) row() model.Namespace {
	n := model.DefaultNamespace(model.NamespaceGroup)
	n.Name, n.Path, n.Description = g.Name, g.Path, g.Description
	n.Visibility = map[string]model.Visibility{"internal": model.Internal, "public": model.Public}[g.Visibility]
	n.ShareWithGroupLock, n.RequireTwoFactorAuthentication, n.TwoFactorGracePeriod = g.ShareWithGroupLock,
		g.RequireTwoFactorAuthentication, g.TwoFactorGracePeriod
	n.ProjectCreationLevel, n.SubgroupCreationLevel = g.ProjectCreationLevel, g.SubgroupCreationLevel
	n.AutoDevopsEnabled, n.MentionsDisabled, n.EmailsDisabled, n.LfsEnabled = g.AutoDevopsEnabled, g.MentionsDisabled,
		g.EmailsDisabled, g.LfsEnabled
	n.DefaultBranchProtection, n.RequestAccessEnabled = g.DefaultBranchProtection, g.RequestAccessEnabled
	n.SharedRunnersSetting, n.PreventSharingOutsideHierarchy = g.SharedRunnersSetting, g.PreventSharingOutsideHierarchy
	return n
}

func groupOf(n model.Namespace, first bool) Group {
	g := Group{
		ID: n.ID, ParentID: n.ParentID, Name: n.Name, Path: n.Path, Description: n.Description, Visibility: n.Visibility.String(),
		ShareWithGroupLock: n.ShareWithGroupLock, RequireTwoFactorAuthentication: n.RequireTwoFactorAuthentication,
		TwoFactorGracePeriod: n.TwoFactorGracePeriod,
		ProjectCreationLevel: n.ProjectCreationLevel, SubgroupCreationLevel: n.SubgroupCreationLevel,
		AutoDevopsEnabled: n.AutoDevopsEnabled,
		MentionsDisabled:  n.MentionsDisabled, EmailsDisabled: n.EmailsDisabled, LfsEnabled: n.LfsEnabled,
		DefaultBranchProtection: n.DefaultBranchProtection,
		RequestAccessEnabled:    n.RequestAccessEnabled, SharedRunnersSetting: n.SharedRunnersSetting,
		PreventSharingOutsideHierarchy: n.PreventSharingOutsideHierarchy,
	}
	if first {
		g.ParentID = nil
	}
	return g
}

func labelOf(l model.Label) Label {
	return Label{Title: l.Name, Color: l.Color, Description: l.Description}
}

func (l Label) row(groupID *int64) model.Label {
	return model.Label{GroupID: groupID, Name: l.Title, Color: l.Color, Description: l.Description}
}

func boardOf(r model.BoardRow) Board {
	b := Board{Name: r.Board.Name, HideBacklogList: r.Board.HideBacklogList, HideClosedList: r.Board.HideClosedList, Lists: []BoardList{}}
	for _, l := range r.Lists {
		b.Lists = append(b.Lists, BoardList{labelOf(l.Label)})
	}
	return b
}

func (b Board) row(groupID *int64) model.BoardRow {
	r := model.BoardRow{
		Board: model.Board{GroupID: groupID, Name: b.Name, HideBacklogList: b.HideBacklogList, HideClosedList: b.HideClosedList},
	}
	for _, l := range b.Lists {
		r.Lists = append(r.Lists, model.BoardListRow{Label: l.Label.row(nil)})
	}
	return r
}

// explain returns an error that the user who imports may read, or nil if the error is internal.
func explain(err error) *BadArchiveError {
	var refused *BadArchiveError
	var deep *store.TooDeepError
	var long *store.PathTooLongError
	var taken *store.ConflictError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &deep), errors.As(err, &long):
		return &BadArchiveError{Text: err.Error()}
	case errors.As(err, &taken):
		return &BadArchiveError{Text: "two things in the archive have the same name"}
	}
	return nil
}
