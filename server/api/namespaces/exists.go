package namespaces

import (
	"context"
	"strconv"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// maxSuggestions limits how many numbered paths are tried to find a free one.
const maxSuggestions = 100

// GetNamespaceExists reports whether a path is taken, and suggests a free one.
// GET /namespaces/{id}/exists
func (n *Namespaces) GetNamespaceExists(
	ctx context.Context, req gen.GetNamespaceExistsRequestObject,
) (gen.GetNamespaceExistsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadNamespace); err != nil {
		return nil, err
	}
	var in *model.Namespace
	if req.Params.ParentID != nil {
		parent, err := n.access.Namespace(ctx, strconv.FormatInt(*req.Params.ParentID, 10), access.ReadNamespace)
		if err != nil {
			return nil, err
		}
		in = &parent
	}
	tried := numberedPaths(req.ID)
	taken, err := n.store.Namespaces.Taken(ctx, in, tried)
	if err != nil {
		return nil, err
	}
	return gen.GetNamespaceExists200JSONResponse{
		Exists: taken[strings.ToLower(req.ID)], Suggests: firstFree(tried, taken),
	}, nil
}

// numberedPaths returns the path and its numbered variants: acme, acme1, acme2 …
func numberedPaths(path string) []string {
	paths := []string{path}
	for i := range maxSuggestions {
		paths = append(paths, path+strconv.Itoa(i+1))
	}
	return paths
}

// firstFree returns the first free path, or nothing if the requested path is free itself.
func firstFree(paths []string, taken map[string]bool) []string {
	for i, path := range paths {
		if !taken[strings.ToLower(path)] {
			return paths[i : i+min(i, 1)]
		}
	}
	return []string{}
}
