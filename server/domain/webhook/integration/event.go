package integration

import (
	"encoding/json"
	"strings"
)

// Event is what messages read of the body of a webhook.
type Event struct {
	kind string // such as push or confidential_issue: the name of the trigger without _hooks
	body body
}

// body has the members of all bodies that messages show. A body has only some of them.
type body struct {
	Ref          string      `json:"ref"`
	Before       string      `json:"before"`
	After        string      `json:"after"`
	RefProtected bool        `json:"ref_protected"`
	UserName     string      `json:"user_name"`
	User         *user       `json:"user"`
	Project      project     `json:"project"`
	Commits      []commit    `json:"commits"`
	Total        int64       `json:"total_commits_count"`
	Labels       []label     `json:"labels"`
	Attributes   attributes  `json:"object_attributes"`
	Commit       *commit     `json:"commit"`
	Issue        *noteTarget `json:"issue"`
	MergeRequest *noteTarget `json:"merge_request"`
	Snippet      *noteTarget `json:"snippet"`
	Builds       []build     `json:"builds"`

	// Of deployments.
	Status        string  `json:"status"`
	Environment   any     `json:"environment"` // a text; an object in the bodies of jobs
	DeployableID  *int64  `json:"deployable_id"`
	DeployableURL *string `json:"deployable_url"`
	CommitURL     *string `json:"commit_url"`
	CommitTitle   *string `json:"commit_title"`
	ShortSHA      string  `json:"short_sha"`
}

type user struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type project struct {
	ID            int64   `json:"id"`
	Path          string  `json:"path_with_namespace"`
	URL           string  `json:"web_url"`
	DefaultBranch *string `json:"default_branch"`
}

type commit struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	URL      string   `json:"url"`
	Author   user     `json:"author"`
	Added    []string `json:"added"`
	Modified []string `json:"modified"`
	Removed  []string `json:"removed"`
}

type label struct {
	Title string `json:"title"`
}

type build struct {
	ID           int64  `json:"id"`
	Name         string `json:"name"`
	Status       string `json:"status"`
	AllowFailure bool   `json:"allow_failure"`
}

// noteTarget is what a comment is on.
type noteTarget struct {
	ID     int64   `json:"id"`
	IID    int64   `json:"iid"`
	Title  string  `json:"title"`
	URL    string  `json:"url"`
	Labels []label `json:"labels"`
}

type attributes struct {
	ID           int64  `json:"id"`
	IID          int64  `json:"iid"`
	Title        string `json:"title"`
	Action       string `json:"action"`
	URL          string `json:"url"`
	Note         string `json:"note"`
	Ref          string `json:"ref"`
	Tag          bool   `json:"tag"`
	SHA          string `json:"sha"`
	Status       string `json:"status"`
	Duration     *int64 `json:"duration"`
	ProtectedRef bool   `json:"protected_ref"`
	Default      bool   `json:"default_branch"`
}

// Read reads the body of a webhook. trigger is its name in the delivery log.
func Read(trigger, content string) (Event, error) {
	e := Event{kind: strings.TrimSuffix(trigger, "_hooks")}
	return e, json.Unmarshal([]byte(content), &e.body)
}

// UserID returns the ID of the user who caused the event, or 0.
func (e Event) UserID() int64 {
	if e.body.User == nil {
		return 0
	}
	return e.body.User.ID
}

// actor returns the name of the user who caused the event.
func (e Event) actor() string {
	switch {
	case e.body.User != nil:
		return e.body.User.Name
	case e.body.UserName != "":
		return e.body.UserName
	}
	return "Somebody"
}

// labels returns the names of the labels of the issue or merge request.
func (e Event) labels() map[string]bool {
	list := e.body.Labels
	for _, on := range []*noteTarget{e.body.Issue, e.body.MergeRequest} {
		if on != nil {
			list = append(list, on.Labels...)
		}
	}
	names := map[string]bool{}
	for _, l := range list {
		names[l.Title] = true
	}
	return names
}
