package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// RemoteMirror presents a repository that a project pushes to.
func RemoteMirror(m model.RemoteMirror) gen.RemoteMirror {
	return gen.RemoteMirror{
		ID: m.ID, Enabled: m.Enabled, URL: m.URL, UpdateStatus: gen.MirrorStatus(m.UpdateStatus),
		LastUpdateAt: wire.TimePtr(m.LastUpdateAt), LastUpdateStartedAt: wire.TimePtr(m.LastUpdateStartedAt),
		LastSuccessfulUpdateAt: wire.TimePtr(m.LastSuccessfulUpdateAt), LastError: m.LastError,
		OnlyProtectedBranches: m.OnlyProtectedBranches, KeepDivergentRefs: m.KeepDivergentRefs,
		MirrorBranchRegex: m.MirrorBranchRegex, AuthMethod: gen.MirrorAuthMethodPassword, HostKeys: []gen.MirrorHostKey{},
	}
}

// PullMirror presents a repository that a project pulls from.
func PullMirror(m model.PullMirror) gen.PullMirror {
	return gen.PullMirror{
		ID: m.ID, Enabled: m.Enabled, URL: m.URL, UpdateStatus: gen.MirrorStatus(m.UpdateStatus),
		LastUpdateAt: wire.TimePtr(m.LastUpdateAt), LastUpdateStartedAt: wire.TimePtr(m.LastUpdateStartedAt),
		LastSuccessfulUpdateAt: wire.TimePtr(m.LastSuccessfulUpdateAt), LastError: m.LastError,
		MirrorTriggerBuilds: m.MirrorTriggerBuilds, OnlyMirrorProtectedBranches: m.OnlyMirrorProtectedBranches,
		MirrorOverwritesDivergedBranches: m.MirrorOverwritesDivergedBranches, MirrorBranchRegex: m.MirrorBranchRegex,
	}
}
