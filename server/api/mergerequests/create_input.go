package mergerequests

import (
	"context"
	"net/http"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// newMergeRequest builds a new merge request from the request, and validates its branches and the commits between them.
func (m *MergeRequests) newMergeRequest(
	ctx context.Context, source, target model.ProjectRow, b gen.MergeRequestCreate,
) (model.MergeRequest, mergerequest.Comparison, error) {
	mr := model.MergeRequest{
		ProjectID: target.Project.ID, AuthorID: caller(ctx), SourceProjectID: &source.Project.ID,
		SourceBranch: b.SourceBranch, TargetBranch: b.TargetBranch,
		Title: strings.TrimSpace(b.Title), Description: b.Description.Ptr(), State: model.Opened,
		Draft: issuable.IsDraft(b.Title), MergeStatus: model.MergeUnchecked,
		Squash: mergerequest.SquashDefault(target.Project), RemoveSourceBranch: b.RemoveSourceBranch.Ptr(),
	}
	if mr.Title == "" {
		return mr, mergerequest.Comparison{}, apierr.Invalid("title", "can't be blank")
	}
	if squash := b.Squash.Ptr(); squash != nil {
		mr.Squash = mergerequest.Squashes(target.Project, *squash)
	}
	if mr.RemoveSourceBranch == nil {
		mr.RemoveSourceBranch = &target.Project.RemoveSourceBranchAfterMerge
	}
	for _, allow := range []*bool{b.AllowCollaboration.Ptr(), b.AllowMaintainerToPush.Ptr()} {
		mr.AllowCollaboration = mr.AllowCollaboration || wire.Value(allow)
	}
	if source.Project.ID == target.Project.ID && mr.SourceBranch == mr.TargetBranch {
		return mr, mergerequest.Comparison{}, invalidMergeRequest("You can't use same project/branch for source and target")
	}
	span, err := m.readBranches(ctx, target.Project, &mr)
	if err != nil {
		return mr, span, err
	}
	if iid, err := m.store.MergeRequests.FindOpenIID(
		ctx, source.Project.ID, mr.SourceBranch, target.Project.ID, mr.TargetBranch,
	); err != nil || iid != 0 {
		if err == nil {
			err = m.openConflict(ctx, mr)
		}
		return mr, span, err
	}
	return mr, span, nil
}

// readBranches reads the branches and the commits of a new merge request.
func (m *MergeRequests) readBranches(ctx context.Context, target model.Project, mr *model.MergeRequest) (mergerequest.Comparison, error) {
	tips, err := m.merger.Tips(ctx, target, *mr)
	switch {
	case err != nil:
		return mergerequest.Comparison{}, err
	case !git.ValidBranch(mr.SourceBranch) || tips.Source == "":
		return mergerequest.Comparison{}, invalidMergeRequest("Source branch \"" + clip(mr.SourceBranch) + "\" does not exist")
	case !git.ValidBranch(mr.TargetBranch) || tips.Target == "":
		return mergerequest.Comparison{}, invalidMergeRequest("Target branch \"" + clip(mr.TargetBranch) + "\" does not exist")
	}
	mr.HeadSHA, mr.TargetSHA = tips.Source, tips.Target
	span, err := m.merger.Compare(ctx, target, *mr)
	if err != nil {
		return span, err
	}
	if span.Base == "" {
		return span, invalidMergeRequest("The branches have no common history")
	}
	mr.BaseSHA, mr.StartSHA = span.Base, span.Start
	return span, nil
}

func clip(name string) string {
	const most = 100
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.ToValidUTF8(name, "?")
}

// invalidMergeRequest returns the error of an invalid merge request in the format that clients expect: 422 {"message": [text]}.
func invalidMergeRequest(text string) error {
	return &apierr.Error{Status: http.StatusUnprocessableEntity, Body: apierr.Body{Message: []string{text}}}
}
