package present

import (
	"fmt"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// PackagePresenter presents packages to one caller.
type PackagePresenter struct {
	Presenter
	Deletes   bool // the caller may delete packages
	Pipelines bool // the caller may read pipelines
	InGroup   bool // the list is that of a group
}

// Package presents a package in a list.
func (p PackagePresenter) Package(row model.PackageRow) gen.Package {
	shown := gen.Package{
		ID: row.Package.ID, Name: row.Package.Name, Version: row.Package.Version,
		PackageType: gen.PackageType(row.Package.PackageType), Status: gen.PackageStatus(row.Package.Status),
		UnderscoreLinks: p.links(row), CreatedAt: wire.NewTime(row.Package.CreatedAt),
		LastDownloadedAt: wire.TimePtr(row.Package.LastDownloadedAt), CreatorID: row.Package.CreatorID,
		ProjectID: row.Package.ProjectID, Tags: All(row.Tags, PackageTag), Pipeline: p.pipeline(row.ProjectPath, row.Pipeline),
		Pipelines: []gen.PackagePipeline{},
	}
	if p.InGroup {
		shown.ProjectPath = &row.ProjectPath
	}
	return shown
}

// PackageDetail presents a single package, with other versions.
func (p PackagePresenter) PackageDetail(row model.PackageRow, others []model.PackageRow) gen.PackageDetail {
	b := p.Package(row)
	return gen.PackageDetail{
		ID: b.ID, Name: b.Name, Version: b.Version, PackageType: b.PackageType, Status: b.Status, UnderscoreLinks: b.UnderscoreLinks,
		CreatedAt: b.CreatedAt, LastDownloadedAt: b.LastDownloadedAt, CreatorID: b.CreatorID, ProjectID: b.ProjectID,
		Tags: b.Tags, Pipeline: b.Pipeline, Pipelines: b.Pipelines, Versions: All(others, p.version),
	}
}

// version presents another version of a package.
func (p PackagePresenter) version(row model.PackageRow) gen.PackageVersion {
	shown := gen.PackageVersion{
		ID: row.Package.ID, CreatedAt: wire.NewTime(row.Package.CreatedAt), Tags: All(row.Tags, PackageTag),
		Pipelines: []gen.PackagePipeline{},
	}
	if row.Package.Version != nil {
		shown.Version = *row.Package.Version
	}
	if pipeline := p.pipeline(row.ProjectPath, row.Pipeline); pipeline != nil {
		shown.Pipelines = append(shown.Pipelines, *pipeline)
	}
	return shown
}

func (p PackagePresenter) links(row model.PackageRow) gen.PackageLinks {
	var links gen.PackageLinks
	if row.Package.Status == model.PackageDefault || row.Package.Status == model.PackageDeprecated {
		path := fmt.Sprintf("/%s/-/packages/%d", row.ProjectPath, row.Package.ID)
		links.WebPath = &path
	}
	if p.Deletes {
		url := fmt.Sprintf("%s/api/v4/projects/%d/packages/%d", p.Base, row.Package.ProjectID, row.Package.ID)
		links.DeleteAPIPath = &url
	}
	return links
}

// pipeline presents the pipeline that published something; nil if there is none, or if the caller may not read it.
func (p PackagePresenter) pipeline(path string, row *model.PackagePipelineRow) *gen.PackagePipeline {
	if row == nil || !p.Pipelines {
		return nil
	}
	shown := p.PackagePipeline(path, *row)
	return &shown
}

// PackagePipeline presents a pipeline that published a package; path is the full path of its project.
func (p Presenter) PackagePipeline(path string, row model.PackagePipelineRow) gen.PackagePipeline {
	b := p.Pipeline(path, row.Pipeline)
	shown := gen.PackagePipeline{
		ID: b.ID, Iid: b.Iid, ProjectID: b.ProjectID, Sha: b.Sha, Ref: b.Ref, Status: b.Status, Source: b.Source,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, WebURL: b.WebURL,
	}
	if row.User != nil {
		basic := p.UserBasic(*row.User)
		shown.User = &basic
	}
	return shown
}

// PackageTag presents a tag of an npm package.
func PackageTag(t model.PackageTag) gen.PackageTag {
	return gen.PackageTag{
		ID: t.ID, PackageID: t.PackageID, Name: t.Name, CreatedAt: wire.NewTime(t.CreatedAt), UpdatedAt: wire.NewTime(t.UpdatedAt),
	}
}

// PackageFile presents a file of a package; path is the full path of the project.
func (p PackagePresenter) PackageFile(path string, row model.PackageFileRow) gen.PackageFile {
	f := row.File
	shown := gen.PackageFile{
		ID: f.ID, PackageID: f.PackageID, CreatedAt: wire.NewTime(f.CreatedAt), FileName: f.FileName, Size: f.Size,
		FileMd5: f.FileMD5, FileSha1: f.FileSHA1, FileSha256: f.FileSHA256,
	}
	if pipeline := p.pipeline(path, row.Pipeline); pipeline != nil {
		shown.Pipelines = &[]gen.PackagePipeline{*pipeline}
	}
	return shown
}

// PackageProtectionRule presents a protection rule of packages.
func PackageProtectionRule(r model.PackageProtectionRule) gen.PackageProtectionRule {
	return gen.PackageProtectionRule{
		ID: r.ID, ProjectID: r.ProjectID, PackageNamePattern: r.PackageNamePattern,
		PackageType:                 gen.PackageProtectionType(r.PackageType),
		MinimumAccessLevelForPush:   (*gen.PackagePushLevel)(r.MinimumAccessLevelForPush),
		MinimumAccessLevelForDelete: (*gen.PackageDeleteLevel)(r.MinimumAccessLevelForDelete),
	}
}
