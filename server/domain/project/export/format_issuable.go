package export

import (
	"errors"
	"net/url"
	"time"

	"svc/server/domain/archive"
	"svc/store/git"
	"svc/store/model"
)

// Issue is an issue. It names labels and milestones by their titles.
type Issue struct {
	IID              int64        `json:"iid"`
	AuthorID         int64        `json:"author_id"`
	Title            string       `json:"title"`
	Description      *string      `json:"description"`
	State            string       `json:"state"`
	IssueType        string       `json:"issue_type"`
	Confidential     bool         `json:"confidential"`
	DiscussionLocked *bool        `json:"discussion_locked"`
	Milestone        *string      `json:"milestone"`
	DueDate          *archive.Day `json:"due_date"`
	Severity         string       `json:"severity"`
	TimeEstimate     int64        `json:"time_estimate"`
	Weight           *int64       `json:"weight"`
	Labels           []string     `json:"labels"`
	AssigneeIDs      []int64      `json:"assignee_ids"`
	ClosedByID       *int64       `json:"closed_by_id"`
	ClosedAt         *time.Time   `json:"closed_at"`
	CreatedAt        time.Time    `json:"created_at"`
	UpdatedAt        time.Time    `json:"updated_at"`
}

// Check returns what is wrong with the record.
func (i Issue) Check() error {
	if i.Weight != nil && (*i.Weight < 0 || *i.Weight > maxIID) || i.TimeEstimate < 0 || i.TimeEstimate > 1<<40 {
		return bad("the weight or time_estimate of an issue is out of range")
	}
	return errors.Join(
		number("an issue", i.IID), archive.Text("the title of an issue", i.Title, 1, maxTitle),
		archive.Optional("the description of an issue", i.Description, maxText),
		archive.OneOf("the state of an issue", i.State, model.Opened, model.Closed),
		archive.OneOf("the issue_type of an issue", i.IssueType, "issue", "incident", "test_case", "task"),
		archive.OneOf("the severity of an issue", i.Severity, "UNKNOWN", "LOW", "MEDIUM", "HIGH", "CRITICAL"),
		named("an issue", i.Milestone, i.Labels, i.AssigneeIDs), times("an issue", &i.CreatedAt, &i.UpdatedAt, i.ClosedAt),
	)
}

// MergeRequest is a merge request. Its diff follows from its commits, which are in the bundle.
type MergeRequest struct {
	IID                int64      `json:"iid"`
	AuthorID           int64      `json:"author_id"`
	FromFork           bool       `json:"from_fork"`
	SourceBranch       string     `json:"source_branch"`
	TargetBranch       string     `json:"target_branch"`
	Title              string     `json:"title"`
	Description        *string    `json:"description"`
	State              string     `json:"state"`
	Draft              bool       `json:"draft"`
	DiscussionLocked   *bool      `json:"discussion_locked"`
	Milestone          *string    `json:"milestone"`
	HeadSHA            string     `json:"head_sha"`
	BaseSHA            string     `json:"base_sha"`
	StartSHA           string     `json:"start_sha"`
	MergeCommitSHA     *string    `json:"merge_commit_sha"`
	SquashCommitSHA    *string    `json:"squash_commit_sha"`
	Commits            []string   `json:"commits"`
	Changes            int64      `json:"changes"`
	MergeUserID        *int64     `json:"merge_user_id"`
	MergedAt           *time.Time `json:"merged_at"`
	ClosedByID         *int64     `json:"closed_by_id"`
	ClosedAt           *time.Time `json:"closed_at"`
	Squash             bool       `json:"squash"`
	RemoveSourceBranch *bool      `json:"remove_source_branch"`
	TimeEstimate       int64      `json:"time_estimate"`
	Labels             []string   `json:"labels"`
	AssigneeIDs        []int64    `json:"assignee_ids"`
	ReviewerIDs        []int64    `json:"reviewer_ids"`
	CreatedAt          time.Time  `json:"created_at"`
	UpdatedAt          time.Time  `json:"updated_at"`
}

// Check returns what is wrong with the record.
func (m MergeRequest) Check() error {
	if len(m.Commits) > maxCommits+2 || len(m.ReviewerIDs) > maxNamed {
		return bad("a merge request has more than %d commits or %d reviewers", maxCommits, maxNamed)
	}
	for _, id := range m.Commits {
		if !git.IsID(id) {
			return bad("a commit of a merge request is invalid")
		}
	}
	for _, id := range []*string{&m.HeadSHA, &m.BaseSHA, &m.StartSHA, m.MergeCommitSHA, m.SquashCommitSHA} {
		if id != nil {
			if err := sha("a merge request", *id); err != nil {
				return err
			}
		}
	}
	if !git.ValidBranch(m.SourceBranch) || !git.ValidBranch(m.TargetBranch) || len(m.SourceBranch)+len(m.TargetBranch) > maxRef {
		return bad("a branch of a merge request is invalid")
	}
	if m.TimeEstimate < 0 || m.TimeEstimate > 1<<40 || m.Changes < 0 || m.Changes > maxIID {
		return bad("the time_estimate or changes of a merge request is out of range")
	}
	return errors.Join(
		number("a merge request", m.IID), archive.Text("the title of a merge request", m.Title, 1, maxTitle),
		archive.Optional("the description of a merge request", m.Description, maxText),
		archive.OneOf("the state of a merge request", m.State, model.Opened, model.Closed, model.Merged),
		named("a merge request", m.Milestone, m.Labels, m.AssigneeIDs),
		times("a merge request", &m.CreatedAt, &m.UpdatedAt, m.MergedAt, m.ClosedAt),
	)
}

// named checks what an issue or merge request names.
func named(what string, milestone *string, labels []string, users []int64) error {
	if len(labels) > maxNamed || len(users) > maxNamed {
		return bad("%s has more than %d labels or assignees", what, maxNamed)
	}
	for _, l := range labels {
		if err := archive.Text("a label of "+what, l, 1, maxTitle); err != nil {
			return err
		}
	}
	return archive.Optional("the milestone of "+what, milestone, maxTitle)
}

// Release is a release with its links. It names milestones by their titles.
type Release struct {
	Tag         string        `json:"tag"`
	SHA         string        `json:"sha"`
	Name        *string       `json:"name"`
	Description *string       `json:"description"`
	AuthorID    *int64        `json:"author_id"`
	Milestones  []string      `json:"milestones"`
	Links       []ReleaseLink `json:"links"`
	ReleasedAt  time.Time     `json:"released_at"`
	CreatedAt   time.Time     `json:"created_at"`
	UpdatedAt   time.Time     `json:"updated_at"`
}

// ReleaseLink is a file that a release links to.
type ReleaseLink struct {
	Name     string  `json:"name"`
	URL      string  `json:"url"`
	FilePath *string `json:"filepath"`
	LinkType string  `json:"link_type"`
}

// Check returns what is wrong with the record.
func (r Release) Check() error {
	if len(r.Links) > maxNamed || len(r.Milestones) > maxNamed {
		return bad("a release has more than %d links or milestones", maxNamed)
	}
	names, urls, paths := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, l := range r.Links {
		if err := l.check(); err != nil {
			return err
		}
		if names[l.Name] || urls[l.URL] || l.FilePath != nil && paths[*l.FilePath] {
			return bad("a release has two links with the same name, URL or path")
		}
		names[l.Name], urls[l.URL] = true, true
		if l.FilePath != nil {
			paths[*l.FilePath] = true
		}
	}
	if !git.ValidRef("refs/tags/" + r.Tag) {
		return bad("the tag of a release is invalid")
	}
	return errors.Join(
		archive.Text("the tag of a release", r.Tag, 1, maxTitle), sha("a release", r.SHA),
		archive.Optional("the name of a release", r.Name, maxTitle),
		archive.Optional("the description of a release", r.Description, maxText),
		times("a release", &r.ReleasedAt, &r.CreatedAt, &r.UpdatedAt),
	)
}

func (l ReleaseLink) check() error {
	u, err := url.Parse(l.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ftp" {
		return bad("the URL of a link of a release is invalid")
	}
	if l.FilePath != nil && (len(*l.FilePath) < 2 || (*l.FilePath)[0] != '/') {
		return bad("the path of a link of a release is invalid")
	}
	return errors.Join(
		archive.Text("the name of a link", l.Name, 1, maxTitle), archive.Text("the URL of a link", l.URL, 1, 2048),
		archive.Optional("the path of a link", l.FilePath, 128),
		archive.OneOf("the type of a link", l.LinkType, model.LinkOther, model.LinkRunbook, model.LinkImage, model.LinkPackage),
	)
}
