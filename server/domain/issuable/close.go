package issuable

import (
	"context"
	"strings"
	"time"

	"svc/server/domain/discussion/mention"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// SetState closes or reopens an issue and writes what follows: the system note, the activity event and the
// notifications. Closing also completes the to-do items for the issue. The caller holds the lock of the issue. by names
// what closed it, such as a commit, and is empty if a user closed it.
func (s *Service) SetState(
	ctx context.Context, project model.Project, i model.Issue, author int64, state, by string,
) (model.Issue, error) {
	if i.State == state {
		return i, nil
	}
	set, action, news, text := map[string]any{"state": state}, model.EventReopened, events.ReopenIssue, "reopened"
	set["closed_at"], set["closed_by_id"], set["duplicated_to_id"] = nil, nil, nil
	if state == model.Closed {
		set["closed_at"], set["closed_by_id"] = clock.Now(ctx).UTC().Truncate(time.Microsecond), author
		action, news, text = model.EventClosed, events.CloseIssue, "closed"
		if by != "" {
			text = "closed via " + by
		}
	}
	after, err := s.store.Issues.Update(ctx, i, set)
	if err != nil {
		return i, err
	}
	t := IssueTarget(project, after, nil)
	if err := s.AddSystemNotes(ctx, t, author, SimpleNote(action, text)); err != nil {
		return after, err
	}
	if err := s.RecordState(ctx, t, author, action); err != nil {
		return after, err
	}
	if state == model.Closed {
		if err := s.store.Todos.DoneForTarget(ctx, model.OnIssue, i.ID, 0); err != nil {
			return after, err
		}
	}
	if err := s.events.Activity(ctx, project, events.On(author, action, model.OnIssue, i.ID)); err != nil {
		return after, err
	}
	return after, s.Notify(ctx, t, author, news, nil)
}

// StoreReferences stores which issues a merge request mentions in its title and description, and which it closes: only
// issues that its author can see. Call it whenever the title or the description changes, in the same transaction.
func (s *Service) StoreReferences(
	ctx context.Context,
	project model.Project,
	mergeRequestID int64,
	text string,
	author *store.Reader,
) error {
	named, closes := mention.Issues(text)
	found, err := s.lookUp(ctx, project, named, author)
	if err != nil {
		return err
	}
	var rows []model.MergeRequestIssue
	for ref, i := range found {
		rows = append(rows, model.MergeRequestIssue{MergeRequestID: mergeRequestID, IssueID: i.ID, Closes: closes[ref]})
	}
	return s.store.IssueReferences.Set(ctx, mergeRequestID, rows)
}

func (s *Service) lookUp(
	ctx context.Context, project model.Project, named []mention.Reference, r *store.Reader,
) (map[mention.Reference]model.Issue, error) {
	refs, back := make([]store.IssueRef, len(named)), map[store.IssueRef]mention.Reference{}
	for n, ref := range named {
		path := ref.Project
		if path == "" {
			path = project.FullPath
		}
		refs[n] = store.IssueRef{Project: strings.ToLower(path), IID: ref.IID} // paths are case-insensitive
		back[refs[n]] = ref
	}
	rows, err := s.store.IssueReferences.Find(ctx, refs, r)
	found := map[mention.Reference]model.Issue{}
	for ref, i := range rows {
		ref.Project = strings.ToLower(ref.Project)
		if name, ok := back[ref]; ok {
			found[name] = i
		}
	}
	return found, err
}

// CloseByReference closes the open issues that a text closes, such as the message of a commit on the default branch, if
// its author may close them. by names the text. Projects can turn this off.
func (s *Service) CloseByReference(
	ctx context.Context, project model.Project, text, by string, author *store.Reader,
) error {
	named, closes := mention.Issues(text)
	if len(closes) == 0 || !project.AutocloseReferencedIssues {
		return nil
	}
	found, err := s.lookUp(ctx, project, named, author)
	if err != nil {
		return err
	}
	for ref, i := range found {
		if !closes[ref] {
			continue
		}
		if err := s.CloseFor(ctx, i, author, by); err != nil {
			return err
		}
	}
	return nil
}

// CloseFor closes an issue on behalf of a user. It does nothing if the user may not close it.
func (s *Service) CloseFor(ctx context.Context, i model.Issue, author *store.Reader, by string) error {
	row, err := s.store.Projects.Get(ctx, i.ProjectID, "", author)
	if err != nil {
		return err
	}
	if row.Project.Archived || !row.ReadsIssues() || row.Role() < model.Reporter && i.AuthorID != author.UserID {
		return nil
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := s.store.Issues.Lock(ctx, i.ID)
		if err != nil {
			return err
		}
		watch, err := s.Hooks.WatchIssue(ctx, row.Project, i.ID)
		if err != nil {
			return err
		}
		if _, err = s.SetState(ctx, row.Project, locked, author.UserID, model.Closed, by); err != nil {
			return err
		}
		return watch.Announce(ctx, author.UserID, 0)
	})
}

// CloseMerged closes the issues that a merged merge request closes. by names the merge request.
func (s *Service) CloseMerged(
	ctx context.Context, project model.Project, mergeRequestID int64, by string, author *store.Reader,
) error {
	if !project.AutocloseReferencedIssues {
		return nil
	}
	rows, err := s.store.IssueReferences.Closes(ctx, mergeRequestID)
	if err != nil {
		return err
	}
	for _, i := range rows {
		if err := s.CloseFor(ctx, i, author, by); err != nil {
			return err
		}
	}
	return nil
}
