package packages

import (
	"context"
	"errors"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Publisher is the client that publishes a package in a project: the caller of the request, or a deploy token.
type Publisher struct {
	Project     model.ProjectRow // with the role of the caller
	DeployToken bool             // the client is no user
}

// Upload describes where to add a file that was received.
type Upload struct {
	Type       string
	Name       string
	SearchName string // the name by which clients find the package; empty if it is the name
	Version    string // empty for a package without a version
	Status     string // empty for the status default, or for the status of the existing package
	Metadata   string // of a new package, as JSON
	Tags       []string
	NewPackage bool // refuse if the package exists
	NewName    bool // refuse if the package has a file with this name
}

// Published is a file of a package.
type Published struct {
	Package model.Package
	File    model.PackageFile
}

// Add adds a received file to a package, and creates the package unless it exists. It returns a *store.ConflictError if
// the package or the file exists and must not. If it fails, the bytes of the file are removed.
func (s *Service) Add(ctx context.Context, by Publisher, u Upload, file model.PackageFile) (Published, error) {
	// All bytes are stored now, so a client that disconnects does not stop the rest.
	ctx = context.WithoutCancel(ctx)
	upload := store.PackageUpload{
		Package: model.Package{
			ProjectID: by.Project.Project.ID, PackageType: u.Type, Name: u.Name, SearchName: u.SearchName,
			Status: model.PackageDefault, Metadata: "{}",
		},
		File: &file, NewPackage: u.NewPackage, NewName: u.NewName, Tags: u.Tags,
	}
	if u.SearchName == "" {
		upload.Package.SearchName = u.Name
	}
	if u.Version != "" {
		upload.Package.Version = &u.Version
	}
	if u.Status != "" {
		upload.Package.Status, upload.SetStatus = u.Status, true
	}
	if u.Metadata != "" {
		upload.Package.Metadata = u.Metadata
	}
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		upload.Package.CreatorID = &actor.User.ID
		if actor.Job != nil && actor.Job.ProjectID == by.Project.Project.ID {
			upload.PipelineID = &actor.Job.PipelineID
		}
	}
	repeat, err := s.mayRepeat(ctx, by.Project.Project, u, file.FileName)
	upload.NewName = upload.NewName || !repeat
	if err == nil {
		err = s.store.Packages.Publish(ctx, &upload)
	}
	if !repeat {
		err = Duplicate(err, ErrDuplicate())
	}
	if err != nil {
		return Published{}, errors.Join(err, s.Discard(ctx, file))
	}
	return Published{Package: upload.Package, File: file}, nil
}

// Duplicate returns the response for a package or file that exists and must not.
func Duplicate(err, response error) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return response
	}
	return err
}

// ErrDuplicate refuses a package that exists.
func ErrDuplicate() error { return apierr.BadRequest("Duplicate package is not allowed") }
