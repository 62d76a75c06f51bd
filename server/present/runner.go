package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

const (
	onlineFor  = 2 * time.Hour
	staleAfter = 91 * 24 * time.Hour
)

// RunnerBasic shows a runner as other resources do.
func RunnerBasic(r model.Runner, now time.Time) gen.RunnerBasic {
	return gen.RunnerBasic{
		ID: r.ID, Description: r.Description, IPAddress: r.IPAddress, Active: !r.Paused, Paused: r.Paused, IsShared: r.RunnerType == model.InstanceRunner,
		RunnerType: gen.RunnerType(r.RunnerType), Name: r.Name, Online: online(r.ContactedAt, now), Status: runnerStatus(r.ContactedAt, r.CreatedAt, now),
	}
}

// RunnerManager shows a machine of a runner.
func RunnerManager(m model.RunnerManager, now time.Time) gen.JobRunnerManager {
	return gen.JobRunnerManager{
		ID: m.ID, SystemID: m.SystemID, Version: m.Version, Revision: m.Revision, Platform: m.Platform, Architecture: m.Architecture,
		CreatedAt: wire.NewTime(m.CreatedAt), ContactedAt: wire.TimePtr(m.ContactedAt), IPAddress: m.IPAddress, Status: runnerStatus(m.ContactedAt, m.CreatedAt, now),
	}
}

func online(contacted *time.Time, now time.Time) *bool {
	if contacted == nil {
		return nil
	}
	is := now.Sub(*contacted) < onlineFor
	return &is
}

func runnerStatus(contacted *time.Time, created, now time.Time) gen.RunnerStatus {
	last := created
	if contacted != nil {
		last = *contacted
	}
	switch {
	case now.Sub(last) > staleAfter:
		return gen.RunnerStatusStale
	case contacted == nil:
		return gen.RunnerStatusNeverContacted
	case now.Sub(last) < onlineFor:
		return gen.RunnerStatusOnline
	}
	return gen.RunnerStatusOffline
}
