package bulkimport

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/server/platform/outbound"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Entity describes a group or project to import.
type Entity struct {
	Type                                string // model.BulkImportGroup or model.BulkImportProject
	SourcePath                          string
	Slug                                string // the last part of the path here; empty for that of SourcePath
	Namespace                           string // the path of the group here; empty for the top level, or the caller's own projects
	MigrateProjects, MigrateMemberships bool
}

// maxImports is how many imports a user may have that have not ended.
const maxImports = 5

// Create starts an import from the instance at a URL, with an access token for it.
func (s *Service) Create(ctx context.Context, at, token string, entities []Entity) (made model.BulkImport, err error) {
	src, err := s.newSource(at, token)
	if err == nil {
		err = s.checkAddress(ctx, at)
	}
	if err != nil {
		return made, err
	}
	rows := make([]*model.BulkImportEntity, len(entities))
	for i, e := range entities {
		if rows[i], err = s.check(ctx, e); err != nil {
			return made, err
		}
	}
	if err := src.checkToken(ctx); err != nil {
		return made, apierr.Unprocessable(err.Error())
	}
	user := reqctx.Of(ctx).Actor.User
	made = model.BulkImport{
		UserID: user.ID, SourceURL: src.base.String(), Sealed: s.vault.Seal([]byte(token), owner(user.ID)), Status: model.BulkImportCreated,
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		if err := s.Store.BulkImports.Create(ctx, &made, maxImports); err != nil {
			return events.Change{}, err
		}
		for _, row := range rows {
			row.BulkImportID = made.ID
		}
		return change(user, made, "bulk_import_created", "Started an import from another instance"), s.add(ctx, rows)
	})
	var full *store.LimitError
	if errors.As(err, &full) {
		err = apierr.Unprocessable(fmt.Sprintf("You have %d imports that have not ended", full.Most))
	}
	return made, err
}

// add adds groups and projects to an import, and queues their jobs.
func (s *Service) add(ctx context.Context, rows []*model.BulkImportEntity) error {
	if err := s.Store.BulkImports.AddEntities(ctx, rows); err != nil {
		return err
	}
	for _, row := range rows {
		if err := s.queue(ctx, row.ID, 0); err != nil {
			return err
		}
	}
	return nil
}

// newRow returns a group or project that is copied from the beginning.
func newRow(e Entity) *model.BulkImportEntity {
	return &model.BulkImportEntity{
		EntityType: e.Type, SourceFullPath: e.SourcePath, DestinationSlug: e.Slug, DestinationNamespace: e.Namespace,
		MigrateProjects: e.MigrateProjects, MigrateMemberships: e.MigrateMemberships, Status: model.BulkImportCreated,
		Stage: stageCreate, Page: 1, Stats: "{}",
	}
}

// check refuses a group or project that the caller may not create.
func (s *Service) check(ctx context.Context, e Entity) (*model.BulkImportEntity, error) {
	e.SourcePath, e.Namespace = strings.Trim(e.SourcePath, "/ "), strings.Trim(e.Namespace, "/ ")
	if e.SourcePath == "" {
		return nil, apierr.BadParameter("entities[source_full_path] is empty")
	}
	if e.Slug == "" {
		e.Slug = e.SourcePath[strings.LastIndex(e.SourcePath, "/")+1:]
	}
	if why := naming.Path(e.Slug, e.Namespace == "" && e.Type == model.BulkImportGroup); why != "" {
		return nil, apierr.Unprocessable("destination_slug " + why)
	}
	var err error
	if e.Type == model.BulkImportGroup {
		_, err = s.placeOfGroup(ctx, e.Namespace)
	} else {
		_, err = s.placeOfProject(ctx, e.Namespace)
	}
	var refused *apierr.Error
	if store.IsNotFound(err) || (errors.As(err, &refused) && refused.Status < 500) {
		err = apierr.Unprocessable("You cannot create the destination " + strings.Trim(e.Namespace+"/"+e.Slug, "/"))
	}
	return newRow(e), err
}

// newSource returns the instance at a URL.
func (s *Service) newSource(at, token string) (*source, error) {
	u, err := outbound.Parse(at)
	if err != nil {
		return nil, blockedAddress(err)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, apierr.Unprocessable("url must not have a user, a query or a fragment")
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/v4")
	base := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(path, "/")}
	return &source{client: s.Client, base: base, token: token, agent: s.Agent}, nil
}

// checkAddress refuses an address that must not be reached.
func (s *Service) checkAddress(ctx context.Context, at string) error {
	return blockedAddress(s.Client.Check(ctx, at, false))
}

func blockedAddress(err error) error {
	var blocked *outbound.BlockedError
	if errors.As(err, &blocked) {
		return apierr.Unprocessable("url is blocked: " + blocked.Reason)
	}
	return err
}

// Cancel ends an import that has not ended.
func (s *Service) Cancel(ctx context.Context, i model.BulkImport) (model.BulkImport, error) {
	err := events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		if err := s.Store.BulkImports.Stop(ctx, i.ID, model.BulkImportCanceled); err != nil {
			return events.Change{}, err
		}
		c := change(reqctx.Of(ctx).Actor.User, i, "bulk_import_canceled", "Canceled an import from another instance")
		var err error
		i, err = s.Store.BulkImports.Find(ctx, i.ID)
		return c, err
	})
	return i, err
}

func change(by model.Caller, i model.BulkImport, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.User(by.ID, by.Username), Message: message,
		Target: events.Target{Type: "BulkImport", ID: i.ID, Details: i.SourceURL},
	}
}

// reader returns how the caller reads rows.
func reader(ctx context.Context) *store.Reader { return access.Reader(ctx) }
