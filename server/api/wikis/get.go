package wikis

import (
	"context"
	"errors"
	"html"

	"svc/gen"
	"svc/server/domain/repository/wiki"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/git"
)

// get presents a wiki page with its content, at the given version or at the last commit.
func (w *Wikis) get(ctx context.Context, in wiki.Place, slug string, version *string, asHTML *bool) (gen.WikiPage, error) {
	repo, at, err := w.repositories.Open(ctx, in.Repository)
	if err != nil {
		return gen.WikiPage{}, err
	}
	if version != nil {
		if at, err = repo.Resolve(ctx, *version); errors.Is(err, git.ErrNotFound) {
			return gen.WikiPage{}, apierr.NotFound("Wiki Page")
		}
		if err != nil {
			return gen.WikiPage{}, err
		}
	}
	found, err := wiki.Find(ctx, repo, at, slug)
	if err != nil {
		return gen.WikiPage{}, wiki.Explain(err)
	}
	content, err := wiki.Content(ctx, repo, at, found)
	if err != nil {
		return gen.WikiPage{}, wiki.Explain(err)
	}
	if asHTML != nil && *asHTML {
		content = "<pre>" + html.EscapeString(content) + "</pre>"
	}
	return present.WikiPage(found.Slug, found.Title, found.Format, &content), nil
}
