package packagepages

import (
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

const (
	maxFiles    = 100 // files of a package on its page
	maxVersions = 20  // other versions of a package on its page
)

// packageView is the content of the page of a package.
type packageView struct {
	model.PackageRow
	Title     string
	Version   string
	Pipeline  string // the address of the pipeline that published it; empty if the caller cannot read it
	Install   []step
	Files     []fileView
	More      bool // the package has more files
	Others    []listed
	AllOthers string // the address of the list of all versions
	MayDelete bool
	Delete    page.Button
}

// fileView is a file of a package.
type fileView struct {
	model.PackageFile
	Address string
	Delete  page.Button
}

// find returns the package of an address.
func (p *Pages) find(v *page.Visit) (model.PackageRow, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.PackageRow{}, page.NotFound()
	}
	row, err := p.Packages.Get(v.Request().Context(), v.Project.Project.ID, id)
	return row, page.Hide(apierr.OrNotFound(err))
}

// show shows a package with its files, other versions, and the commands that install it.
// GET /{project}/-/packages/{id}
func (p *Pages) show(v *page.Visit) error {
	row, err := p.find(v)
	if err != nil {
		return err
	}
	ctx, project := v.Request().Context(), v.Project.Project
	to := address(project.FullPath, row.Package.ID)
	view := packageView{PackageRow: row, Title: row.Package.Name, MayDelete: v.May(access.DestroyPackage), Delete: page.Button{
		Action: to + "/delete", Label: "Delete this version", Class: "danger",
		Confirm: "Delete it with all its files. This cannot be undone.",
	}}
	if row.Package.Version != nil {
		view.Version = *row.Package.Version
		view.Title += " " + view.Version
	}
	if row.Pipeline != nil && v.May(access.ReadPackagePipeline) && v.May(access.ReadPipeline) {
		view.Pipeline = "/" + project.FullPath + "/-/pipelines/" + strconv.FormatInt(row.Pipeline.Pipeline.ID, 10)
	}
	order := store.PackageFileOrder{By: "file_name"}
	files, total, err := p.Store.PackageFiles.List(ctx, row.Package.ID, order, store.Page{Limit: maxFiles})
	if err != nil {
		return err
	}
	view.More = total.More
	for _, f := range files {
		at := to + "/files/" + strconv.FormatInt(f.File.ID, 10)
		view.Files = append(view.Files, fileView{f.File, at, page.Button{
			Action: at + "/delete", Label: "Delete", Class: "danger", Confirm: "For good",
		}})
	}
	view.Install = p.install(project, row.Package, files)
	others, err := p.Packages.OtherVersions(ctx, row.Package)
	if err != nil {
		return err
	}
	for _, other := range others[:min(maxVersions, len(others))] {
		view.Others = append(view.Others, listed{other, address(project.FullPath, other.Package.ID)})
	}
	base := "/" + project.FullPath + "/-/packages"
	view.AllOthers = base + "?" + url.Values{"search": {row.Package.Name}, "type": {row.Package.PackageType}}.Encode()
	return v.Show(page.View{
		Templates: p.templates, Name: "show", Title: view.Title, Tab: page.TabPackages, Data: view,
		Crumbs: []page.Link{{Path: base, Label: "Packages"}},
	})
}

// findFile returns the package of an address, and one of its files.
func (p *Pages) findFile(v *page.Visit) (model.PackageRow, model.PackageFile, error) {
	row, err := p.find(v)
	if err != nil {
		return row, model.PackageFile{}, err
	}
	id, err := v.Number("file")
	if err != nil {
		return row, model.PackageFile{}, page.NotFound()
	}
	file, err := p.Store.PackageFiles.Get(v.Request().Context(), row.Package.ID, id)
	return row, file, page.Hide(apierr.OrNotFound(err))
}

// download sends a file of a package.
// GET /{project}/-/packages/{id}/files/{file}
func (p *Pages) download(v *page.Visit) error {
	row, file, err := p.findFile(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if v.Request().Method == http.MethodGet {
		if err := p.Packages.RecordDownload(ctx, row.Package); err != nil {
			return err
		}
	}
	name := file.FileName
	if plain, err := url.PathUnescape(name); err == nil { // a file in a folder has an escaped slash
		name = path.Base(plain)
	}
	return respond.Stream{
		Context: ctx, Type: "application/octet-stream", Disposition: respond.Attachment(name), CacheControl: respond.NoCache,
		ETag: `"` + file.FileSHA256 + `"`, Size: file.Size, Sandboxed: true,
		Open: func(offset, length int64) (io.ReadCloser, error) { return p.Packages.Open(ctx, file, offset, length) },
	}.Send(v.Response())
}

// delete deletes a package with its files.
// POST /{project}/-/packages/{id}/delete
func (p *Pages) delete(v *page.Visit) error {
	row, err := p.find(v)
	if err != nil {
		return err
	}
	if err := p.Packages.Delete(v.Request().Context(), *v.Project, row.Package, nil); err != nil {
		return err
	}
	return v.Done("/"+v.Project.Project.FullPath+"/-/packages", "The package was deleted.")
}

// deleteFile deletes a file of a package.
// POST /{project}/-/packages/{id}/files/{file}/delete
func (p *Pages) deleteFile(v *page.Visit) error {
	row, file, err := p.findFile(v)
	if err != nil {
		return err
	}
	if err := p.Packages.DeleteFile(v.Request().Context(), *v.Project, row.Package, file.ID, nil); err != nil {
		return err
	}
	return v.Done(address(v.Project.Project.FullPath, row.Package.ID), "The file was deleted.")
}
