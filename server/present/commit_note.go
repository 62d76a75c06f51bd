package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// CommitComment shows a note on a commit; its Author must be loaded.
func (p Presenter) CommitComment(n model.CommitNote) gen.CommitComment {
	return gen.CommitComment{
		Note: n.Note, Path: n.Path, Line: n.Line, LineType: (*gen.CommitLineType)(n.LineType),
		Author: p.UserBasic(n.Author), CreatedAt: wire.NewTime(n.CreatedAt),
	}
}

// CommitStatus shows the status of a commit; its Author must be loaded.
func (p Presenter) CommitStatus(s model.CommitStatus) gen.CommitStatus {
	return gen.CommitStatus{
		ID: s.ID, Sha: s.CommitID, Ref: s.Ref, Status: gen.CommitState(s.Status), Name: s.Name, TargetURL: s.TargetURL, Description: s.Description,
		CreatedAt: wire.NewTime(s.CreatedAt), StartedAt: wire.TimePtr(s.StartedAt), FinishedAt: wire.TimePtr(s.FinishedAt), Coverage: s.Coverage,
		Author: p.UserBasic(s.Author),
	}
}
