package access

import (
	"context"
	"strings"

	"svc/store"
)

// AliasPath returns the path of the project that a name from a git client means. A name without a slash is an alias; one that
// does not exist becomes a path that no project has. Other names are paths and stay as they are.
func (a *Access) AliasPath(ctx context.Context, name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	path, err := a.store.ProjectAliases.Path(ctx, name)
	if store.IsNotFound(err) {
		return "-/" + name, nil
	}
	return path, err
}
