package issue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// MaxLinks is the maximum number of links of an issue.
const MaxLinks = 1000

// Link links an issue to another one and writes a system note in both. kind is what the issue is to the other one, such
// as model.IsBlockedBy.
func (s *Service) Link(
	ctx context.Context, row model.ProjectRow, found, other model.IssueRow, kind string,
) (model.IssueLink, error) {
	if other.Issue.ID == found.Issue.ID {
		return model.IssueLink{}, apierr.Refused("An issue cannot be linked to itself")
	}
	link := model.IssueLink{SourceID: found.Issue.ID, TargetID: other.Issue.ID, LinkType: kind}
	if kind == model.IsBlockedBy {
		link = model.IssueLink{SourceID: other.Issue.ID, TargetID: found.Issue.ID, LinkType: model.Blocks}
	}
	err := s.insertLink(ctx, row, found, other, &link, kind)
	return link, err
}

// linkWords are the texts of the system notes about new links.
var linkWords = map[string]string{
	model.RelatesTo:   "marked this issue as related to ",
	model.Blocks:      "marked this issue as blocking ",
	model.IsBlockedBy: "marked this issue as blocked by ",
}

// insertLink creates a link and writes a system note in both issues.
func (s *Service) insertLink(
	ctx context.Context, row model.ProjectRow, found, other model.IssueRow, link *model.IssueLink, kind string,
) error {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if _, err := s.store.IssueLinks.Between(ctx, found.Issue.ID, other.Issue.ID); !store.IsNotFound(err) {
			if err == nil {
				err = apierr.Conflict("Issue(s) already assigned")
			}
			return err
		}
		n, err := s.store.IssueLinks.Count(ctx, found.Issue.ID)
		if err == nil && n >= MaxLinks {
			err = apierr.Refused(fmt.Sprintf("Maximum number of links (%d) exceeded", MaxLinks))
		}
		if err != nil {
			return err
		}
		if err := s.store.IssueLinks.Create(ctx, link); err != nil {
			return err
		}
		return s.noteBoth(ctx, row, found, other, "relate", linkWords[kind])
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Conflict("Issue(s) already assigned")
	}
	return err
}

// Unlink removes a link between two issues and writes a system note in both.
func (s *Service) Unlink(
	ctx context.Context, row model.ProjectRow, found, other model.IssueRow, linkID int64, unmodifiedSince *time.Time,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.IssueLinks.Delete(ctx, linkID, unmodifiedSince); err != nil {
			return err
		}
		return s.noteBoth(ctx, row, found, other, "unrelate", "removed the relation with ")
	})
}

// noteBoth writes a system note about a link in both issues. A note names the other issue only if every reader of the
// note can see it.
func (s *Service) noteBoth(
	ctx context.Context, row model.ProjectRow, found, other model.IssueRow, action, words string,
) error {
	target := issuable.IssueTarget(row.Project, found.Issue, nil)
	name := visibleName(found.Issue, other.Issue, reference(other.Issue))
	note := issuable.SimpleNote(action, words+name)
	if err := s.issuables.AddSystemNotes(ctx, target, callerID(ctx), note); err != nil {
		return err
	}
	name = visibleName(other.Issue, found.Issue, found.ProjectPath+reference(found.Issue))
	return s.store.Notes.AddSystem(ctx, &model.Note{
		ProjectID: other.Issue.ProjectID, NoteableType: model.OnIssue, NoteableID: &other.Issue.ID,
		AuthorID: callerID(ctx), System: true, Action: &action,
		Body: map[string]string{"relate": "marked this issue as related to ", "unrelate": "removed the relation with "}[action] + name,
	})
}

// visibleName returns the name of an issue for the readers of another issue. It hides the name of a confidential issue
// and of an issue in another project, because not all of these readers can see it.
func visibleName(reads, other model.Issue, name string) string {
	if other.Confidential || other.ProjectID != reads.ProjectID {
		return "another issue"
	}
	return name
}
