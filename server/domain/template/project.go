package template

import (
	"context"
	"errors"
	"strings"

	"svc/store/git"
)

// folders have the templates of issues and merge requests in a repository.
var folders = map[Kind]string{Issues: ".gitlab/issue_templates", MergeRequests: ".gitlab/merge_request_templates"}

// maxTemplate is the largest size of a template in bytes.
const maxTemplate = 1 << 20

// NamesIn returns the names of the templates of issues or merge requests on the default branch of a repository: those of the
// Markdown files, sorted.
func NamesIn(ctx context.Context, repo git.Repo, kind Kind) ([]string, error) {
	entries, err := entriesOf(ctx, repo, kind)
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if name, isTemplate := strings.CutSuffix(e.Name, ".md"); isTemplate && name != "" && e.Kind() == git.KindBlob {
			names = append(names, name)
		}
	}
	return names, err
}

// GetIn returns a template of issues or merge requests.
func GetIn(ctx context.Context, repo git.Repo, kind Kind, name string) (Template, error) {
	entries, err := entriesOf(ctx, repo, kind)
	if err != nil {
		return Template{}, err
	}
	for _, e := range entries {
		if e.Name != name+".md" || e.Kind() != git.KindBlob {
			continue
		}
		_, data, err := repo.Object(ctx, e.ID, maxTemplate)
		if errors.Is(err, git.ErrTooLarge) {
			return Template{}, notFound(kind)
		}
		return Template{name, strings.ToValidUTF8(string(data), "\uFFFD")}, err
	}
	return Template{}, notFound(kind)
}

// entriesOf returns the entries of the folder with templates; none if it does not exist.
func entriesOf(ctx context.Context, repo git.Repo, kind Kind) ([]git.Entry, error) {
	_, head := repo.Head()
	if head == "" {
		return nil, nil
	}
	folder, err := repo.TreeAt(ctx, head, folders[kind])
	if errors.Is(err, git.ErrNotFound) || err == nil && folder.Kind() != git.KindTree {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return repo.Tree(ctx, folder.ID)
}
