package payload

import (
	"strings"

	"svc/store/git"
	"svc/store/model"
)

// MaxCommits is how many commits the body of a push lists. total_commits_count counts all.
const MaxCommits = 20

// PushInput is what the body of a push is made of. Everything besides Commits, Total and Tag is known when the push
// happens; these three are read from the repository, then or later.
type PushInput struct {
	Project   model.Project // with the default branch at the time of the push
	User      model.User    // the pusher
	Change    git.Command   // the ref with its old and new ids
	Protected bool          // the branch or tag is protected
	Options   []string      // push options, such as ci.skip
	Commits   []CommitFiles // oldest first, at most MaxCommits
	Total     int64         // of new commits, also of those that Commits lacks
	Tag       *git.Tag      // of a pushed tag; nil if it was deleted
}

// CommitFiles is a commit with the files that it changes.
type CommitFiles struct {
	Commit                   git.Commit
	Added, Modified, Removed []string
}

// Push is the body of a push to a branch or tag.
type Push struct {
	ObjectKind        string           `json:"object_kind"`
	EventName         string           `json:"event_name"`
	Before            string           `json:"before"`
	After             string           `json:"after"`
	Ref               string           `json:"ref"`
	RefProtected      bool             `json:"ref_protected"`
	CheckoutSHA       *string          `json:"checkout_sha"`
	Message           *string          `json:"message"`
	UserID            int64            `json:"user_id"`
	UserName          string           `json:"user_name"`
	UserUsername      string           `json:"user_username"`
	UserEmail         *string          `json:"user_email"`
	UserAvatar        *string          `json:"user_avatar"`
	ProjectID         int64            `json:"project_id"`
	Project           Project          `json:"project"`
	Commits           []PushCommit     `json:"commits"`
	TotalCommitsCount int64            `json:"total_commits_count"`
	PushOptions       map[string]any   `json:"push_options"`
	Repository        RepositoryDetail `json:"repository"`
}

// PushCommit is a commit in the body of a push.
type PushCommit struct {
	Commit
	Added    []string `json:"added"`
	Modified []string `json:"modified"`
	Removed  []string `json:"removed"`
}

const tagPrefix = "refs/tags/"

// Push builds the body of a push to a branch or, if the ref is a tag, to a tag.
func (i Instance) Push(in PushInput) Push {
	kind := "push"
	if strings.HasPrefix(in.Change.Ref, tagPrefix) {
		kind = "tag_push"
	}
	body := Push{
		ObjectKind: kind, EventName: kind, Before: in.Change.Old, After: in.Change.New, Ref: in.Change.Ref,
		RefProtected: in.Protected, UserID: in.User.ID, UserName: in.User.Name, UserUsername: in.User.Username,
		UserEmail: emailOrNull(in.User), UserAvatar: i.userAvatar(in.User), ProjectID: in.Project.ID,
		Project: i.project(in.Project), PushOptions: pushOptions(in.Options), Repository: i.repositoryDetail(in.Project),
	}
	i.Complete(&body, in)
	return body
}

// Complete sets the members that are read from the repository: the commits, and the message and commit of a tag. It
// reads Project, Commits, Total and Tag of the input, so that a body that was recorded without them can be completed
// later.
func (i Instance) Complete(body *Push, in PushInput) {
	body.Commits = each(in.Commits, func(c CommitFiles) PushCommit {
		return PushCommit{i.commit(in.Project, c.Commit), paths(c.Added), paths(c.Modified), paths(c.Removed)}
	})
	body.TotalCommitsCount = in.Total
	if body.After != git.Zero {
		body.CheckoutSHA = &body.After
	}
	if in.Tag == nil {
		return
	}
	if body.CheckoutSHA = nil; in.Tag.Commit != "" {
		body.CheckoutSHA = &in.Tag.Commit
	}
	if in.Tag.Annotated {
		body.Message = &in.Tag.Message
	}
}

// paths returns a list that becomes an array and not null.
func paths(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// pushOptions returns push options as an object: ci.skip becomes {"ci":{"skip":true}}, and ci.variable=A=1 becomes
// {"ci":{"variable":"A=1"}}. Options without a dot stand at the top.
func pushOptions(list []string) map[string]any {
	options := map[string]any{}
	for _, option := range list {
		name, text, valued := strings.Cut(option, "=")
		var value any = true
		if valued {
			value = text
		}
		space, key, dotted := strings.Cut(name, ".")
		if !dotted {
			options[name] = value
			continue
		}
		inner, ok := options[space].(map[string]any)
		if !ok {
			inner = map[string]any{}
			options[space] = inner
		}
		inner[key] = value
	}
	return options
}

// RepositoryUpdateInput is what the body of repository_update is made of.
type RepositoryUpdateInput struct {
	Project model.Project
	User    model.User // with the e-mail address
	Changes []git.Command
}

// RepositoryUpdate is the body of the system event repository_update: one for each push.
type RepositoryUpdate struct {
	EventName  string      `json:"event_name"`
	UserID     int64       `json:"user_id"`
	UserName   string      `json:"user_name"`
	UserEmail  string      `json:"user_email"`
	UserAvatar *string     `json:"user_avatar"`
	ProjectID  int64       `json:"project_id"`
	Project    Project     `json:"project"`
	Changes    []RefChange `json:"changes"`
	Refs       []string    `json:"refs"`
}

// RefChange is the change of one branch or tag.
type RefChange struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Ref    string `json:"ref"`
}

// RepositoryUpdate builds the body of repository_update.
func (i Instance) RepositoryUpdate(in RepositoryUpdateInput) RepositoryUpdate {
	return RepositoryUpdate{
		EventName: EventRepositoryUpdate, UserID: in.User.ID, UserName: in.User.Name, UserEmail: in.User.Email,
		UserAvatar: i.userAvatar(in.User), ProjectID: in.Project.ID, Project: i.project(in.Project),
		Changes: each(in.Changes, func(c git.Command) RefChange { return RefChange{Before: c.Old, After: c.New, Ref: c.Ref} }),
		Refs:    each(in.Changes, func(c git.Command) string { return c.Ref }),
	}
}
