package features

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// targets returns the actors that a body names, such as User:1.
func (f *Features) targets(ctx context.Context, body gen.FeatureSet) ([]string, error) {
	var all []string
	for _, list := range []struct {
		names *string
		find  func(ctx context.Context, name string) (string, error)
	}{
		{body.User, f.user},
		{body.Group, f.group},
		{body.Namespace, f.namespace},
		{body.Project, f.project},
		{body.Repository, f.repository},
	} {
		for name := range strings.SplitSeq(wire.Value(list.names), ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			actor, err := list.find(ctx, name)
			if err != nil {
				return nil, refused(err)
			}
			all = append(all, actor)
		}
	}
	return all, nil
}

// refused turns an actor that does not exist into a 400 with the same text.
func refused(err error) error {
	var failure *apierr.Error
	if errors.As(err, &failure) && failure.Status == 404 {
		return apierr.Refused(failure.Error())
	}
	return err
}

func actor(kind string, id int64) string { return kind + ":" + strconv.FormatInt(id, 10) }

func (f *Features) user(ctx context.Context, name string) (string, error) {
	u, err := f.store.Users.GetByUsername(ctx, name)
	return actor("User", u.ID), apierr.OrNotFound(err, "User")
}

func (f *Features) group(ctx context.Context, path string) (string, error) {
	g, _, err := f.access.GroupAt(ctx, path, access.ReadGroup)
	return actor("Group", g.ID), err
}

func (f *Features) namespace(ctx context.Context, path string) (string, error) {
	n, err := f.store.Namespaces.Get(ctx, 0, path, store.Reader{Admin: true})
	if err == nil && n.Kind == model.NamespaceGroup {
		return actor("Group", n.ID), nil
	}
	return actor("Namespaces::UserNamespace", n.ID), apierr.OrNotFound(err, "Namespace")
}

func (f *Features) project(ctx context.Context, path string) (string, error) {
	row, err := f.access.Project(ctx, path, access.ReadProject)
	return actor("Project", row.Project.ID), err
}

func (f *Features) repository(ctx context.Context, path string) (string, error) {
	row, err := f.access.Project(ctx, strings.TrimSuffix(path, ".git"), access.ReadProject)
	return actor("Repository", row.Project.ID), err
}
