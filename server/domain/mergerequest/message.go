package mergerequest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"svc/server/platform/naming"
	"svc/store/git"
	"svc/store/model"
)

// messageValues are the values for placeholders in message templates.
type messageValues struct {
	project model.Project
	values  map[string]string
	commits []git.Commit // oldest first
}

const mostNamed = 100 // commits that messages name

// readMessageValues reads the values for the messages of a merge.
func (m *Merger) readMessageValues(
	ctx context.Context, project model.Project, repo git.Repo, user model.User, mr model.MergeRequest, target string,
) (messageValues, error) {
	w := messageValues{project: project}
	ids, err := repo.Between(ctx, target, mr.HeadSHA)
	if err != nil {
		return w, err
	}
	if w.commits, err = repo.Commits(ctx, ids[:min(len(ids), mostNamed)]); err != nil {
		return w, err
	}
	slices.Reverse(w.commits)
	issues, err := m.closes(ctx, project, mr)
	if err != nil {
		return w, err
	}
	description := ""
	if mr.Description != nil {
		description = strings.TrimSpace(*mr.Description)
	}
	path := project.FullPath
	if mr.SourceProjectID != nil && *mr.SourceProjectID != project.ID {
		if source, err := m.source(ctx, mr); err != nil {
			return w, err
		} else if source != nil {
			path = source.FullPath
		}
	}
	w.values = map[string]string{
		"source_branch": mr.SourceBranch, "target_branch": mr.TargetBranch,
		"title": mr.Title, "description": description, "issues": issues,
		"reference": fmt.Sprintf("%s!%d", project.FullPath, mr.IID), "local_reference": fmt.Sprintf("!%d", mr.IID),
		"url":               naming.MergeRequestURL(m.BaseURL, project.FullPath, mr.IID),
		"source_project_id": numberOf(mr.SourceProjectID), "merge_request_author": "", "merged_by": m.line(user),
		"first_commit": "", "first_multiline_commit": mr.Title, "first_multiline_commit_description": "",
		"all_commits": w.all(),
		"reviewed_by": "", "approved_by": "", "co_authored_by": "", "source_project_path": path,
	}
	return w, m.people(ctx, mr, &w)
}

func numberOf(id *int64) string {
	if id == nil {
		return ""
	}
	return fmt.Sprint(*id)
}

func (m *Merger) line(u model.User) string { return u.Name + " <" + u.CommitAddress(m.BaseURL) + ">" }

// people adds the values about people, and those about the first commits.
func (m *Merger) people(ctx context.Context, mr model.MergeRequest, w *messageValues) error {
	author, err := m.Store.Users.Get(ctx, mr.AuthorID)
	if err != nil {
		return err
	}
	w.values["merge_request_author"] = m.line(author)
	if len(w.commits) > 0 {
		w.values["first_commit"] = strings.TrimSpace(w.commits[0].Message)
	}
	for _, c := range w.commits {
		if title, rest, more := strings.Cut(strings.TrimSpace(c.Message), "\n"); more && len(c.Parents) < 2 {
			w.values["first_multiline_commit"] = title + "\n" + rest
			w.values["first_multiline_commit_description"] = strings.TrimSpace(rest)
			break
		}
	}
	var others []string
	for _, c := range w.commits {
		line := "Co-authored-by: " + c.Author.Name + " <" + c.Author.Email + ">"
		if !strings.EqualFold(c.Author.Email, author.CommitAddress(m.BaseURL)) && !slices.Contains(others, line) {
			others = append(others, line)
		}
	}
	w.values["co_authored_by"] = strings.Join(others, "\n")
	approved, err := m.Store.MergeRequests.Approvers(ctx, mr.ID)
	if err != nil {
		return err
	}
	var lines []string
	for _, u := range approved {
		lines = append(lines, "Approved-by: "+m.line(u.User))
	}
	w.values["approved_by"] = strings.Join(lines, "\n")
	reviewers, err := m.Store.MergeRequests.Reviewers(ctx, mr.ID)
	if err != nil {
		return err
	}
	lines = nil
	for _, r := range reviewers {
		lines = append(lines, "Reviewed-by: "+m.line(r.User))
	}
	w.values["reviewed_by"] = strings.Join(lines, "\n")
	return nil
}

// closes returns the sentence about the issues that a merge request closes.
func (m *Merger) closes(ctx context.Context, project model.Project, mr model.MergeRequest) (string, error) {
	rows, err := m.Store.IssueReferences.Closes(ctx, mr.ID)
	if err != nil || len(rows) == 0 {
		return "", err
	}
	var names []string
	for _, i := range rows {
		if i.ProjectID == project.ID {
			names = append(names, fmt.Sprintf("#%d", i.IID))
		}
	}
	switch n := len(names); n {
	case 0:
		return "", nil
	case 1:
		return "Closes " + names[0], nil
	default:
		return "Closes " + strings.Join(names[:n-1], ", ") + " and " + names[n-1], nil
	}
}

// all lists the messages of the commits.
func (w messageValues) all() string {
	var parts []string
	for _, c := range w.commits {
		if len(c.Parents) > 1 {
			continue
		}
		parts = append(parts, "* "+strings.TrimSpace(c.Message))
	}
	return strings.Join(parts, "\n\n")
}

const (
	usualMerge = "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\n" +
		"See merge request %{reference}"
	usualSquash = "%{title}"
)

// merge returns the message of the merge commit.
func (w messageValues) merge(given string) string {
	if strings.TrimSpace(given) != "" {
		return given
	}
	if t := w.project.MergeCommitTemplate; t != nil && strings.TrimSpace(*t) != "" {
		return w.fill(*t)
	}
	return w.fill(usualMerge)
}

// squash returns the message of the squash commit.
func (w messageValues) squash(given string) string {
	if strings.TrimSpace(given) != "" {
		return given
	}
	if t := w.project.SquashCommitTemplate; t != nil && strings.TrimSpace(*t) != "" {
		return w.fill(*t)
	}
	return w.fill(usualSquash)
}

var (
	placeholder = regexp.MustCompile(`%\{([a-z_]+)\}`)
	emptyLines  = regexp.MustCompile(`\n{3,}`)
	onlyNames   = regexp.MustCompile(`^\s*(?:%\{[a-z_]+\}\s*)+$`)
)

// fill replaces the placeholders of a template. Unknown placeholders stay. A line that consists only of placeholders
// with empty values is left out.
func (w messageValues) fill(template string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(template, "\r\n", "\n"), "\n") {
		filled := placeholder.ReplaceAllStringFunc(line, func(found string) string {
			value, known := w.values[found[2:len(found)-1]]
			if !known {
				return found
			}
			return value
		})
		if strings.TrimSpace(filled) == "" && onlyNames.MatchString(line) {
			continue
		}
		lines = append(lines, filled)
	}
	return strings.TrimSpace(emptyLines.ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
}
