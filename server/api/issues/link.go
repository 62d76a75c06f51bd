package issues

import (
	"context"
	"errors"
	"fmt"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// maxLinks is the maximum number of links of an issue.
const maxLinks = 1000

// ListProjectIssueLinks lists the linked issues of an issue.
// GET /projects/{id}/issues/{issue_iid}/links
func (s *Issues) ListProjectIssueLinks(
	ctx context.Context, req gen.ListProjectIssueLinksRequestObject,
) (gen.ListProjectIssueLinksResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.IssueLinks.List(ctx, found.Issue.ID, access.Reader(ctx), maxLinks)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueLinks200JSONResponse(present.All(rows, s.presenter(row.Project.FullPath, false).LinkedIssue)), nil
}

// CreateProjectIssueLink links two issues.
// POST /projects/{id}/issues/{issue_iid}/links
func (s *Issues) CreateProjectIssueLink(
	ctx context.Context, req gen.CreateProjectIssueLinkRequestObject,
) (gen.CreateProjectIssueLinkResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	_, other, err := s.find(ctx, req.Body.TargetProjectID, req.Body.TargetIssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	if other.Issue.ID == found.Issue.ID {
		return nil, apierr.Refused("An issue cannot be linked to itself")
	}
	kind := model.RelatesTo
	if req.Body.LinkType != nil {
		kind = string(*req.Body.LinkType)
	}
	link := model.IssueLink{SourceID: found.Issue.ID, TargetID: other.Issue.ID, LinkType: kind}
	if kind == model.IsBlockedBy {
		link = model.IssueLink{SourceID: other.Issue.ID, TargetID: found.Issue.ID, LinkType: model.Blocks}
	}
	if err := s.link(ctx, row, found, other, &link, kind); err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueLink201JSONResponse(s.linked(row, link.ID, kind, found, other)), nil
}

// link creates a link and writes a system note in both issues.
func (s *Issues) link(ctx context.Context, row model.ProjectRow, found, other model.IssueRow, link *model.IssueLink, kind string) error {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if _, err := s.store.IssueLinks.Between(ctx, found.Issue.ID, other.Issue.ID); !store.IsNotFound(err) {
			if err == nil {
				err = apierr.Conflict("Issue(s) already assigned")
			}
			return err
		}
		n, err := s.store.IssueLinks.Count(ctx, found.Issue.ID)
		if err == nil && n >= maxLinks {
			err = apierr.Refused(fmt.Sprintf("Maximum number of links (%d) exceeded", maxLinks))
		}
		if err != nil {
			return err
		}
		if err := s.store.IssueLinks.Create(ctx, link); err != nil {
			return err
		}
		words := map[string]string{
			model.RelatesTo:   "marked this issue as related to ",
			model.Blocks:      "marked this issue as blocking ",
			model.IsBlockedBy: "marked this issue as blocked by ",
		}
		return s.noteBoth(ctx, row, found, other, "relate", words[kind])
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Conflict("Issue(s) already assigned")
	}
	return err
}

// noteBoth writes a system note about a link in both issues. A note names the other issue only if every reader of the
// note can see it.
func (s *Issues) noteBoth(ctx context.Context, row model.ProjectRow, found, other model.IssueRow, action, words string) error {
	show := s.presenter(row.Project.FullPath, false)
	here, there := show.Issue(found).References, show.Issue(other).References
	target := issuable.IssueTarget(row.Project, found.Issue, nil)
	if err := s.issuables.AddSystemNotes(
		ctx, target, callerID(ctx), issuable.SimpleNote(action, words+visibleName(found.Issue, other.Issue, there.Relative)),
	); err != nil {
		return err
	}
	return s.store.Notes.Add(ctx, &model.Note{
		ProjectID: other.Issue.ProjectID, NoteableType: model.OnIssue, NoteableID: &other.Issue.ID, AuthorID: callerID(ctx),
		System: true, Action: &action,
		Body: map[string]string{
			"relate": "was linked to ", "unrelate": "is no longer linked to ",
		}[action] + visibleName(other.Issue, found.Issue, here.Full),
	})
}

// visibleName returns the name of an issue for the readers of another issue. It hides the name of a confidential issue and
// of an issue in another project, because not all of these readers can see it.
func visibleName(reads, other model.Issue, name string) string {
	if other.Confidential || other.ProjectID != reads.ProjectID {
		return "another issue"
	}
	return name
}

func (s *Issues) linked(row model.ProjectRow, id int64, kind string, source, target model.IssueRow) gen.IssueLink {
	show := s.presenter(row.Project.FullPath, false)
	return gen.IssueLink{ID: id, SourceIssue: show.Issue(source), TargetIssue: show.Issue(target), LinkType: gen.LinkType(kind)}
}

// GetProjectIssueLink returns a link of an issue.
// GET /projects/{id}/issues/{issue_iid}/links/{issue_link_id}
func (s *Issues) GetProjectIssueLink(
	ctx context.Context, req gen.GetProjectIssueLinkRequestObject,
) (gen.GetProjectIssueLinkResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	kind, other, err := s.linkOf(ctx, found, req.IssueLinkID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueLink200JSONResponse(s.linked(row, req.IssueLinkID, kind, found, other)), nil
}

// linkOf finds a link of an issue and the issue at its other end, which the caller must be able to see.
func (s *Issues) linkOf(ctx context.Context, found model.IssueRow, id int64) (string, model.IssueRow, error) {
	link, err := s.store.IssueLinks.Get(ctx, found.Issue.ID, id)
	if err == nil {
		kind := link.LinkType
		if kind == model.Blocks && link.TargetID == found.Issue.ID {
			kind = model.IsBlockedBy
		}
		var other model.IssueRow
		if other, err = s.store.Issues.GetByID(ctx, link.SourceID+link.TargetID-found.Issue.ID, access.Reader(ctx)); err == nil {
			return kind, other, nil
		}
	}
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return "", model.IssueRow{}, err
}

// DeleteProjectIssueLink removes a link of an issue.
// DELETE /projects/{id}/issues/{issue_iid}/links/{issue_link_id}
func (s *Issues) DeleteProjectIssueLink(
	ctx context.Context, req gen.DeleteProjectIssueLinkRequestObject,
) (gen.DeleteProjectIssueLinkResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	kind, other, err := s.linkOf(ctx, found, req.IssueLinkID)
	if err != nil {
		return nil, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.IssueLinks.Delete(ctx, req.IssueLinkID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		return s.noteBoth(ctx, row, found, other, "unrelate", "removed the relation with ")
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueLink200JSONResponse(s.linked(row, req.IssueLinkID, kind, found, other)), nil
}
