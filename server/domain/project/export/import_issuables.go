package export

import (
	"context"
	"crypto/sha1" //nolint:gosec // the ids of threads have its length; nothing depends on its strength
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// titles loads the labels and milestones of the project once. They come before everything that names them.
func (m *importer) titles(ctx context.Context) (err error) {
	if m.labelIDs != nil {
		return nil
	}
	if m.labelIDs, err = m.Store.ProjectContents.LabelIDs(ctx, m.row.Project.ID); err != nil {
		return err
	}
	m.milestoneIDs, err = m.Store.ProjectContents.MilestoneIDs(ctx, m.row.Project.ID)
	return err
}

// milestone returns the id of a milestone, or nil if the project does not have it.
func (m *importer) milestone(title *string) *int64 {
	if title == nil {
		return nil
	}
	if id, ok := m.milestoneIDs[*title]; ok {
		return &id
	}
	return nil
}

// labelsHere returns the ids of labels, each once.
func (m *importer) labelsHere(titles []string) []int64 {
	var ids []int64
	for _, title := range titles {
		if id, ok := m.labelIDs[title]; ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (m *importer) issues(batch []Issue, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		if err := m.titles(ctx); err != nil {
			return err
		}
		rows := make([]model.Issue, len(batch))
		for at, i := range batch {
			row := model.Issue{
				ProjectID: m.row.Project.ID, IID: i.IID, Title: i.Title, State: i.State, IssueType: i.IssueType,
				Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked, MilestoneID: m.milestone(i.Milestone),
				DueDate: i.DueDate.Time(), Severity: i.Severity, TimeEstimate: i.TimeEstimate, Weight: i.Weight,
				ClosedByID: m.optionalUser(i.ClosedByID), ClosedAt: i.ClosedAt, CreatedAt: i.CreatedAt.UTC(), UpdatedAt: i.UpdatedAt.UTC(),
			}
			row.AuthorID, row.Description = m.writtenBy(i.AuthorID, i.Description)
			rows[at] = row
		}
		return m.Store.ProjectContents.AddIssues(ctx, rows, func() (labels []model.IssueLabel, assignees []model.IssueAssignee) {
			for at, i := range batch {
				for _, id := range m.labelsHere(i.Labels) {
					labels = append(labels, model.IssueLabel{IssueID: rows[at].ID, LabelID: id})
				}
				for _, id := range m.usersHere(i.AssigneeIDs) {
					assignees = append(assignees, model.IssueAssignee{IssueID: rows[at].ID, UserID: id})
				}
			}
			return labels, assignees
		})
	})
}

func (m *importer) mergeRequests(batch []MergeRequest, records int64) error {
	first := m.lines[requestsPart]
	m.lines[requestsPart] += int64(len(batch))
	if records <= m.done {
		return nil
	}
	var complete []MergeRequest
	var lacking []int64 // lines
	for at, r := range batch {
		has, err := m.hasCommits(r)
		if err != nil {
			return err
		}
		if has {
			complete = append(complete, r)
		} else {
			lacking = append(lacking, first+int64(at)+1)
		}
	}
	return m.batch(records, func(ctx context.Context) error {
		if err := m.titles(ctx); err != nil {
			return err
		}
		for _, line := range lacking {
			if err := m.failed(ctx, requestsPart, line, "The repository does not have the commits of the merge request"); err != nil {
				return err
			}
		}
		if len(complete) == 0 {
			return nil
		}
		rows := make([]model.MergeRequest, len(complete))
		for at, r := range complete {
			rows[at] = m.mergeRequest(ctx, r)
		}
		return m.Store.ProjectContents.AddMergeRequests(ctx, rows, func() (store.MergeRequestParts, []model.MergeRequestVersion) {
			return m.mergeRequestParts(ctx, complete, rows)
		})
	})
}

// hasCommits reports whether the repository has the commits that the diff of a merge request needs.
func (m *importer) hasCommits(r MergeRequest) (bool, error) {
	p := m.row.Project
	repo := m.Repos.Project(p.RepositoryStorage, p.ID)
	for _, id := range []string{r.HeadSHA, r.BaseSHA, r.StartSHA} {
		if id == "" {
			continue
		}
		info, err := repo.Info(m.ctx, id)
		if errors.Is(err, git.ErrNotFound) || err == nil && info.Kind != git.KindCommit {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

func (m *importer) mergeRequest(ctx context.Context, r MergeRequest) model.MergeRequest {
	now := clock.Now(ctx).UTC()
	row := model.MergeRequest{
		ProjectID: m.row.Project.ID, IID: r.IID, SourceBranch: r.SourceBranch, TargetBranch: r.TargetBranch, Title: r.Title,
		State: r.State, Draft: r.Draft, DiscussionLocked: r.DiscussionLocked, MilestoneID: m.milestone(r.Milestone),
		HeadSHA: r.HeadSHA, BaseSHA: r.BaseSHA, StartSHA: r.StartSHA, TargetSHA: r.StartSHA, MergeStatus: model.MergeUnchecked,
		MergeCommitSHA: r.MergeCommitSHA, SquashCommitSHA: r.SquashCommitSHA, MergeUserID: m.optionalUser(r.MergeUserID),
		MergedAt: r.MergedAt, ClosedByID: m.optionalUser(r.ClosedByID), ClosedAt: r.ClosedAt, Squash: r.Squash,
		RemoveSourceBranch: r.RemoveSourceBranch, TimeEstimate: r.TimeEstimate, PreparedAt: &now,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if !r.FromFork {
		row.SourceProjectID = &m.row.Project.ID
	}
	row.AuthorID, row.Description = m.writtenBy(r.AuthorID, r.Description)
	return row
}

// mergeRequestParts returns the parts and the only versions of merge requests.
func (m *importer) mergeRequestParts(
	ctx context.Context, batch []MergeRequest, rows []model.MergeRequest,
) (p store.MergeRequestParts, versions []model.MergeRequestVersion) {
	now := clock.Now(ctx).UTC()
	for at, r := range batch {
		id := rows[at].ID
		versions = append(versions, model.MergeRequestVersion{
			MergeRequestID: id, HeadSHA: r.HeadSHA, BaseSHA: r.BaseSHA, StartSHA: r.StartSHA, Changes: r.Changes,
			CreatedAt: rows[at].CreatedAt,
		})
		for _, label := range m.labelsHere(r.Labels) {
			p.Labels = append(p.Labels, model.MergeRequestLabel{MergeRequestID: id, LabelID: label})
		}
		for _, user := range m.usersHere(r.AssigneeIDs) {
			p.Assignees = append(p.Assignees, model.MergeRequestAssignee{MergeRequestID: id, UserID: user})
		}
		for _, user := range m.usersHere(r.ReviewerIDs) {
			p.Reviewers = append(p.Reviewers, model.MergeRequestReviewer{
				MergeRequestID: id, UserID: user, State: model.ReviewUnreviewed, CreatedAt: now,
			})
		}
		commits := slices.Clone(r.Commits)
		slices.Sort(commits)
		for _, commit := range slices.Compact(commits) {
			p.Commits = append(p.Commits, model.MergeRequestCommit{ProjectID: m.row.Project.ID, SHA: commit, MergeRequestID: id})
		}
	}
	return p, versions
}

func (m *importer) notes(batch []Note, records int64) error {
	first := m.lines[notesPart]
	m.lines[notesPart] += int64(len(batch))
	return m.batch(records, func(ctx context.Context) error {
		numbers := map[string][]int64{}
		for _, n := range batch {
			numbers[n.NoteableType] = append(numbers[n.NoteableType], n.NoteableIID)
		}
		ids := map[string]map[int64]int64{}
		for kind, iids := range numbers {
			found, err := m.Store.ProjectContents.Numbers(ctx, kind, m.row.Project.ID, iids)
			if err != nil {
				return err
			}
			ids[kind] = found
		}
		var rows []model.Note
		for at, n := range batch {
			id, ok := ids[n.NoteableType][n.NoteableIID]
			if !ok {
				message := fmt.Sprintf("%s %d was not imported", n.NoteableType, n.NoteableIID)
				if err := m.failed(ctx, notesPart, first+int64(at)+1, message); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, m.note(n, id))
		}
		return m.Store.ProjectContents.AddNotes(ctx, rows)
	})
}

func (m *importer) note(n Note, noteableID int64) model.Note {
	row := model.Note{
		ProjectID: m.row.Project.ID, NoteableType: n.NoteableType, NoteableID: &noteableID, DiscussionID: m.thread(n),
		NoteType: n.Type, System: n.System, Action: n.Action, Internal: n.Internal, Position: n.Position, Resolvable: n.Resolvable,
		ResolvedByID: m.optionalUser(n.ResolvedByID), ResolvedAt: n.ResolvedAt, CreatedAt: n.CreatedAt.UTC(), UpdatedAt: n.UpdatedAt.UTC(),
	}
	text := &n.Body
	row.AuthorID, text = m.writtenBy(n.AuthorID, text)
	if row.Body = *text; n.System {
		row.Body = n.Body
	}
	return row
}

// thread returns the id of the thread of a note. It follows from the project, the subject and the thread in the archive,
// so notes that are stored in different batches stay together, and no archive can name the thread of another project.
func (m *importer) thread(n Note) string {
	text := fmt.Sprintf("%d %s %d %s", m.row.Project.ID, n.NoteableType, n.NoteableIID, n.DiscussionID)
	sum := sha1.Sum([]byte(text)) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}

func (m *importer) releases(batch []Release, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		if err := m.titles(ctx); err != nil {
			return err
		}
		for _, r := range batch {
			row := model.Release{
				ProjectID: m.row.Project.ID, Tag: r.Tag, SHA: r.SHA, Name: r.Name, Description: m.text(r.Description),
				ReleasedAt: r.ReleasedAt.UTC(), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
			}
			if r.AuthorID != nil {
				var by int64
				by, row.Description = m.writtenBy(*r.AuthorID, r.Description)
				row.AuthorID = &by
			}
			var milestones []int64
			for _, title := range r.Milestones {
				if id := m.milestone(&title); id != nil && !slices.Contains(milestones, *id) {
					milestones = append(milestones, *id)
				}
			}
			if err := m.Store.Releases.Create(ctx, &row, linksOf(r), milestones); err != nil {
				return err
			}
		}
		return nil
	})
}

func linksOf(r Release) []model.ReleaseLink {
	links := make([]model.ReleaseLink, len(r.Links))
	for i, l := range r.Links {
		links[i] = model.ReleaseLink{Name: l.Name, URL: l.URL, FilePath: l.FilePath, LinkType: l.LinkType}
	}
	return links
}
