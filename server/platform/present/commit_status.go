package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// CommitStatus presents the status of a commit; its Author must be loaded.
func (p Presenter) CommitStatus(s model.CommitStatus) gen.CommitStatus {
	return gen.CommitStatus{
		ID: s.ID, Sha: s.CommitID, Ref: s.Ref, Status: gen.CommitState(s.Status), Name: s.Name, TargetURL: s.TargetURL,
		Description: s.Description,
		CreatedAt:   wire.NewTime(s.CreatedAt), StartedAt: wire.TimePtr(s.StartedAt),
		FinishedAt: wire.TimePtr(s.FinishedAt), Coverage: s.Coverage,
		Author: p.UserBasic(s.Author),
	}
}
