package export

import (
	"context"
	"errors"

	"svc/server/domain/archive"
	"svc/server/domain/badge"
	"svc/store"
	"svc/store/model"
)

// issueBatch is how many issues or merge requests are read at a time: they have many parts.
const issueBatch = 100

// parts writes the records of the project.
func (x *exporter) parts(ctx context.Context) error {
	all := x.records(ctx)
	for _, name := range partNames {
		if err := x.Lines(partFolder+name+partExtension, all[name]); err != nil {
			return err
		}
	}
	return nil
}

// records returns the parts of the project by name.
func (x *exporter) records(ctx context.Context) map[string]archive.Records {
	return map[string]archive.Records{
		usersPart: pages(func(last *model.ArchivedUser) ([]model.ArchivedUser, error) {
			return x.Store.ProjectContents.UsersAfter(ctx, x.p.ID, last.ID, batchSize)
		}, func(u model.ArchivedUser) any {
			return User{ID: u.ID, Username: u.Username, Name: u.Name, PublicEmail: u.PublicEmail}
		}),
		labelsPart: pages(func(last *model.LabelRow) ([]model.LabelRow, error) {
			return x.Store.ProjectContents.LabelsAfter(ctx, x.p.ID, last.Label.ID, batchSize)
		}, func(l model.LabelRow) any { return labelOf(l.Label, l.Priority) }),
		milestonesPart: pages(func(last *model.Milestone) ([]model.Milestone, error) {
			return x.Store.ProjectContents.MilestonesAfter(ctx, x.p.ID, last.IID, batchSize)
		}, func(m model.Milestone) any {
			return Milestone{
				IID: m.IID, Title: m.Title, Description: m.Description, State: m.State, StartDate: archive.DayOf(m.StartDate),
				DueDate: archive.DayOf(m.DueDate), CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
			}
		}),
		issuesPart:      x.issues(ctx),
		requestsPart:    x.mergeRequests(ctx),
		notesPart:       x.notes(ctx),
		branchRulesPart: x.branchRules(ctx),
		tagRulesPart:    x.tagRules(ctx),
		boardsPart:      x.boards(ctx),
		releasesPart:    x.releases(ctx),
		badgesPart:      x.badges(ctx),
		membersPart: pages(func(last *model.Member) ([]model.Member, error) {
			return x.Store.ProjectContents.MembersAfter(ctx, x.p.ID, last.UserID, batchSize)
		}, func(m model.Member) any {
			return Member{UserID: m.UserID, AccessLevel: m.AccessLevel, ExpiresAt: archive.DayOf(m.ExpiresAt)}
		}),
	}
}

func labelOf(l model.Label, priority *int64) Label {
	return Label{Title: l.Name, Color: l.Color, Description: l.Description, Priority: priority}
}

// rows puts rows that are few enough to be read at once.
func rows[T any](read func() ([]T, error), show func(T) any) archive.Records {
	return func(put func(record any) error) error {
		all, err := read()
		for _, row := range all {
			err = errors.Join(err, put(show(row)))
		}
		return err
	}
}

func (x *exporter) branchRules(ctx context.Context) archive.Records {
	return rows(func() ([]model.ProtectedBranch, error) { return x.Store.Protections.Branches(ctx, x.p.ID) },
		func(b model.ProtectedBranch) any {
			return BranchRule{
				Name: b.Name, PushAccessLevel: b.PushAccessLevel, MergeAccessLevel: b.MergeAccessLevel,
				UnprotectAccessLevel: b.UnprotectAccessLevel, AllowForcePush: b.AllowForcePush,
			}
		})
}

func (x *exporter) tagRules(ctx context.Context) archive.Records {
	return rows(func() ([]model.ProtectedTag, error) { return x.Store.Protections.Tags(ctx, x.p.ID) },
		func(t model.ProtectedTag) any { return TagRule{Name: t.Name, CreateAccessLevel: t.CreateAccessLevel} })
}

func (x *exporter) boards(ctx context.Context) archive.Records {
	return rows(func() ([]model.BoardRow, error) {
		all, _, err := x.Store.Boards.List(ctx, store.OwnedByProject(x.p), store.Page{Limit: maxBoards})
		return all, err
	}, func(r model.BoardRow) any {
		b := Board{Name: r.Board.Name, HideBacklogList: r.Board.HideBacklogList, HideClosedList: r.Board.HideClosedList, Lists: []Label{}}
		for _, l := range r.Lists {
			b.Lists = append(b.Lists, labelOf(l.Label, nil))
		}
		return b
	})
}

func (x *exporter) badges(ctx context.Context) archive.Records {
	return rows(func() ([]model.Badge, error) {
		all, _, err := x.Store.Badges.List(ctx, store.OwnedByProject(x.p), nil, store.Page{Limit: 2 * badge.MaxBadges})
		return all, err
	}, func(b model.Badge) any { return Badge{Name: b.Name, LinkURL: b.LinkURL, ImageURL: b.ImageURL} })
}

// batches puts records that are made from batches of rows, each of which begins after the last row of the one before.
func batches[T any](most int, after func(last *T) ([]T, error), use func(batch []T, put func(record any) error) error) archive.Records {
	return func(put func(record any) error) error {
		var last T
		for {
			batch, err := after(&last)
			if err != nil {
				return err
			}
			if len(batch) > 0 {
				if err := use(batch, put); err != nil {
					return err
				}
				last = batch[len(batch)-1]
			}
			if len(batch) < most {
				return nil
			}
		}
	}
}

func (x *exporter) issues(ctx context.Context) archive.Records {
	return batches(issueBatch, func(last *model.Issue) ([]model.Issue, error) {
		return x.Store.ProjectContents.IssuesAfter(ctx, x.p.ID, last.IID, issueBatch)
	}, func(batch []model.Issue, put func(record any) error) error {
		links, assignees, err := x.Store.ProjectContents.IssueParts(ctx, idsOf(batch, func(i model.Issue) int64 { return i.ID }))
		if err != nil {
			return err
		}
		labels, err := x.Store.ProjectContents.LabelNames(ctx, idsOf(links, func(l model.IssueLabel) int64 { return l.LabelID }))
		if err != nil {
			return err
		}
		milestones, err := x.milestoneTitles(ctx, idsOf(batch, func(i model.Issue) int64 { return valueOf(i.MilestoneID) }))
		if err != nil {
			return err
		}
		titles := grouped(links, func(l model.IssueLabel) (int64, string) { return l.IssueID, labels[l.LabelID] })
		users := grouped(assignees, func(a model.IssueAssignee) (int64, int64) { return a.IssueID, a.UserID })
		for _, i := range batch {
			err = errors.Join(err, put(Issue{
				IID: i.IID, AuthorID: i.AuthorID, Title: i.Title, Description: i.Description, State: i.State, IssueType: i.IssueType,
				Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked, Milestone: milestones[valueOf(i.MilestoneID)],
				DueDate: archive.DayOf(i.DueDate), Severity: i.Severity, TimeEstimate: i.TimeEstimate, Weight: i.Weight,
				Labels: titles[i.ID], AssigneeIDs: users[i.ID], ClosedByID: i.ClosedByID, ClosedAt: i.ClosedAt,
				CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
			}))
		}
		return err
	})
}

func (x *exporter) mergeRequests(ctx context.Context) archive.Records {
	return batches(issueBatch, func(last *model.ArchivedMergeRequest) ([]model.ArchivedMergeRequest, error) {
		return x.Store.ProjectContents.MergeRequestsAfter(ctx, x.p.ID, last.MergeRequest.IID, issueBatch)
	}, func(batch []model.ArchivedMergeRequest, put func(record any) error) error {
		parts, err := x.Store.ProjectContents.MergeRequestParts(ctx,
			idsOf(batch, func(m model.ArchivedMergeRequest) int64 { return m.MergeRequest.ID }))
		if err != nil {
			return err
		}
		labels, err := x.Store.ProjectContents.LabelNames(ctx,
			idsOf(parts.Labels, func(l model.MergeRequestLabel) int64 { return l.LabelID }))
		if err != nil {
			return err
		}
		milestones, err := x.milestoneTitles(ctx,
			idsOf(batch, func(m model.ArchivedMergeRequest) int64 { return valueOf(m.MergeRequest.MilestoneID) }))
		if err != nil {
			return err
		}
		titles := grouped(parts.Labels, func(l model.MergeRequestLabel) (int64, string) { return l.MergeRequestID, labels[l.LabelID] })
		assignees := grouped(parts.Assignees, func(a model.MergeRequestAssignee) (int64, int64) { return a.MergeRequestID, a.UserID })
		reviewers := grouped(parts.Reviewers, func(a model.MergeRequestReviewer) (int64, int64) { return a.MergeRequestID, a.UserID })
		commits := grouped(parts.Commits, func(c model.MergeRequestCommit) (int64, string) { return c.MergeRequestID, c.SHA })
		for _, m := range batch {
			shown := mergeRequestOf(m, x.p.ID)
			id := m.MergeRequest.ID
			shown.Milestone, shown.Labels = milestones[valueOf(m.MergeRequest.MilestoneID)], titles[id]
			shown.AssigneeIDs, shown.ReviewerIDs, shown.Commits = assignees[id], reviewers[id], commits[id]
			err = errors.Join(err, put(shown))
		}
		return err
	})
}

func mergeRequestOf(row model.ArchivedMergeRequest, projectID int64) MergeRequest {
	m := row.MergeRequest
	return MergeRequest{
		IID: m.IID, AuthorID: m.AuthorID, FromFork: m.SourceProjectID == nil || *m.SourceProjectID != projectID,
		SourceBranch: m.SourceBranch, TargetBranch: m.TargetBranch, Title: m.Title, Description: m.Description, State: m.State,
		Draft: m.Draft, DiscussionLocked: m.DiscussionLocked, HeadSHA: m.HeadSHA, BaseSHA: m.BaseSHA, StartSHA: m.StartSHA,
		MergeCommitSHA: m.MergeCommitSHA, SquashCommitSHA: m.SquashCommitSHA, Changes: row.Changes, MergeUserID: m.MergeUserID,
		MergedAt: m.MergedAt, ClosedByID: m.ClosedByID, ClosedAt: m.ClosedAt, Squash: m.Squash,
		RemoveSourceBranch: m.RemoveSourceBranch, TimeEstimate: m.TimeEstimate, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
	}
}

// notes puts the notes of issues, then those of merge requests.
func (x *exporter) notes(ctx context.Context) archive.Records {
	return func(put func(record any) error) error {
		for _, kind := range []string{model.OnIssue, model.OnMergeRequest} {
			err := pages(func(last *model.ArchivedNote) ([]model.ArchivedNote, error) {
				return x.Store.ProjectContents.NotesAfter(ctx, kind, x.p.ID, last.Note.ID, batchSize)
			}, func(row model.ArchivedNote) any {
				n := row.Note
				return Note{
					NoteableType: kind, NoteableIID: row.On, DiscussionID: n.DiscussionID, Type: n.NoteType, AuthorID: n.AuthorID,
					Body: n.Body, System: n.System, Action: n.Action, Internal: n.Internal, Position: n.Position,
					Resolvable: n.Resolvable, ResolvedByID: n.ResolvedByID, ResolvedAt: n.ResolvedAt,
					CreatedAt: n.CreatedAt, UpdatedAt: n.UpdatedAt,
				}
			})(put)
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func (x *exporter) releases(ctx context.Context) archive.Records {
	return batches(issueBatch, func(last *model.Release) ([]model.Release, error) {
		return x.Store.ProjectContents.ReleasesAfter(ctx, x.p.ID, last.ID, issueBatch)
	}, func(batch []model.Release, put func(record any) error) error {
		links, of, err := x.Store.ProjectContents.ReleaseParts(ctx, idsOf(batch, func(r model.Release) int64 { return r.ID }))
		if err != nil {
			return err
		}
		titles, err := x.Store.ProjectContents.MilestoneTitles(ctx,
			idsOf(of, func(m model.ReleaseMilestone) int64 { return m.MilestoneID }))
		if err != nil {
			return err
		}
		milestones := grouped(of, func(m model.ReleaseMilestone) (int64, string) { return m.ReleaseID, titles[m.MilestoneID] })
		files := grouped(links, func(l model.ReleaseLink) (int64, ReleaseLink) {
			return l.ReleaseID, ReleaseLink{Name: l.Name, URL: l.URL, FilePath: l.FilePath, LinkType: l.LinkType}
		})
		for _, r := range batch {
			err = errors.Join(err, put(Release{
				Tag: r.Tag, SHA: r.SHA, Name: r.Name, Description: r.Description, AuthorID: r.AuthorID, Milestones: milestones[r.ID],
				Links: files[r.ID], ReleasedAt: r.ReleasedAt, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
			}))
		}
		return err
	})
}

func (x *exporter) milestoneTitles(ctx context.Context, ids []int64) (map[int64]*string, error) {
	titles, err := x.Store.ProjectContents.MilestoneTitles(ctx, ids)
	found := make(map[int64]*string, len(titles))
	for id, title := range titles {
		found[id] = &title
	}
	return found, err
}

func idsOf[T any](all []T, id func(T) int64) []int64 {
	ids := make([]int64, len(all))
	for i, row := range all {
		ids[i] = id(row)
	}
	return ids
}

// grouped returns values by the ids of their owners.
func grouped[T, V any](all []T, of func(T) (int64, V)) map[int64][]V {
	found := map[int64][]V{}
	for _, row := range all {
		id, value := of(row)
		found[id] = append(found[id], value)
	}
	return found
}

func valueOf(id *int64) int64 {
	if id == nil {
		return 0
	}
	return *id
}
