package present

import (
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// CommitStatus presents the status of a commit; its Author must be loaded.
func (p Presenter) CommitStatus(s model.CommitStatus) gen.CommitStatus {
	return gen.CommitStatus{
		ID: s.ID, Sha: s.CommitID, Ref: s.Ref, Status: gen.CIStatus(s.Status), Name: s.Name, TargetURL: s.TargetURL,
		Description: s.Description,
		CreatedAt:   wire.NewTime(s.CreatedAt), StartedAt: wire.TimePtr(s.StartedAt),
		FinishedAt: wire.TimePtr(s.FinishedAt), Coverage: s.Coverage,
		Author: ptr(p.UserBasic(s.Author)),
	}
}

// CommitStatusRow returns a function that presents the statuses and jobs of a commit.
func (p Presenter) CommitStatusRow(project model.Project, sha string) func(model.CommitStatusRow) gen.CommitStatus {
	return func(r model.CommitStatusRow) gen.CommitStatus {
		shown := p.CommitStatus(r.CommitStatus)
		if r.PipelineID == nil {
			return shown
		}
		page := p.Base + "/" + project.FullPath + "/-/jobs/" + strconv.FormatInt(r.ID, 10)
		shown.Sha, shown.TargetURL, shown.PipelineID, shown.AllowFailure = sha, &page, r.PipelineID, r.AllowFailure
		if r.AuthorID == 0 {
			shown.Author = nil
		}
		return shown
	}
}
