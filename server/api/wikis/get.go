package wikis

import (
	"context"
	"html"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/wiki"
	"svc/server/platform/present"
)

// get presents a wiki page with its content, at the given version or at the last commit.
func (w *Wikis) get(ctx context.Context, in wiki.Place, slug string, version *string, asHTML *bool) (gen.WikiPage, error) {
	at, err := w.wikis.Open(ctx, in, wire.Value(version))
	if err != nil {
		return gen.WikiPage{}, err
	}
	found, err := at.Read(ctx, slug)
	if err != nil {
		return gen.WikiPage{}, err
	}
	content := found.Content
	if wire.Value(asHTML) {
		content = "<pre>" + html.EscapeString(content) + "</pre>"
	}
	return present.WikiPage(found.Slug, found.Title, found.Format, &content), nil
}
