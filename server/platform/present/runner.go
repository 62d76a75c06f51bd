package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// RunnerBasic presents a runner in the form that other resources contain.
func RunnerBasic(r model.Runner, now time.Time) gen.RunnerBasic {
	status := contactStatus(r.ContactedAt, r.CreatedAt, now)
	if r.Paused {
		status = gen.RunnerStatusPaused
	}
	return gen.RunnerBasic{
		ID: r.ID, Description: r.Description, IPAddress: r.IPAddress, Active: !r.Paused, Paused: r.Paused,
		IsShared:   r.RunnerType == model.InstanceRunner,
		RunnerType: gen.RunnerType(r.RunnerType), Name: r.Name, Online: online(r.ContactedAt, now), Status: status,
	}
}

// RunnerManager presents one machine of a runner.
func RunnerManager(m model.RunnerManager, now time.Time) gen.JobRunnerManager {
	return gen.JobRunnerManager{
		ID: m.ID, SystemID: m.SystemID, Version: m.Version, Revision: m.Revision, Platform: m.Platform, Architecture: m.Architecture,
		CreatedAt: wire.NewTime(m.CreatedAt), ContactedAt: wire.TimePtr(m.ContactedAt), IPAddress: m.IPAddress,
		Status: contactStatus(m.ContactedAt, m.CreatedAt, now),
	}
}

func online(contacted *time.Time, now time.Time) *bool {
	if contacted == nil {
		return nil
	}
	is := now.Sub(*contacted) < model.RunnerOnlineFor
	return &is
}

// contactStatus returns the status that follows from the last contact alone.
func contactStatus(contacted *time.Time, created, now time.Time) gen.RunnerStatus {
	return gen.RunnerStatus(model.ContactStatus(contacted, created, now))
}

// RunnerDetail presents a runner with its projects and its group.
func (p Presenter) RunnerDetail(r model.Runner, projects []model.Project, group *model.Namespace, now time.Time) gen.RunnerDetail {
	basic := RunnerBasic(r, now)
	shown := gen.RunnerDetail{
		ID: basic.ID, Description: basic.Description, IPAddress: basic.IPAddress, Active: basic.Active,
		Paused: basic.Paused, IsShared: basic.IsShared,
		RunnerType: basic.RunnerType, Name: basic.Name, Online: basic.Online, Status: basic.Status,
		TagList: texts(r.Tags), RunUntagged: r.RunUntagged,
		Locked: r.Locked, MaximumTimeout: r.MaximumTimeout, AccessLevel: gen.RunnerAccessLevel(r.AccessLevel),
		Version: r.Version, Revision: r.Revision,
		Platform: r.Platform, Architecture: r.Architecture, ContactedAt: wire.TimePtr(r.ContactedAt), MaintenanceNote: r.MaintenanceNote,
		Projects: []gen.RunnerProject{}, Groups: []gen.RunnerGroup{},
	}
	for _, project := range projects {
		shown.Projects = append(shown.Projects, gen.RunnerProject{
			ID: project.ID, Name: project.Name, NameWithNamespace: project.FullName, Path: project.Path,
			PathWithNamespace: project.FullPath,
		})
	}
	if group != nil {
		shown.Groups = append(shown.Groups, gen.RunnerGroup{ID: group.ID, Name: group.Name, WebURL: p.Base + "/groups/" + group.FullPath})
	}
	return shown
}

// JobTokenProject presents a project whose jobs have access to another project.
func (p Presenter) JobTokenProject(row model.Project) gen.JobTokenProject {
	return gen.JobTokenProject{
		ID: row.ID, Name: row.Name, Path: row.Path, PathWithNamespace: row.FullPath,
		WebURL: p.Base + "/" + row.FullPath,
	}
}

// JobTokenGroup presents a group whose jobs have access to a project.
func (p Presenter) JobTokenGroup(row model.Namespace) gen.JobTokenGroup {
	return gen.JobTokenGroup{ID: row.ID, Name: row.Name, WebURL: p.Base + "/groups/" + row.FullPath}
}
