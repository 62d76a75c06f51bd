package wikis

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/wiki"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

// create creates a page.
func (w *Wikis) create(ctx context.Context, in wiki.Place, body gen.WikiPageCreate) (gen.WikiPage, error) {
	format := wiki.Markdown
	if body.Format != nil {
		format = string(*body.Format)
	}
	made, err := w.wikis.Create(ctx, in, body.Title, format, body.Content)
	return present.WikiPage(made.Slug, made.Title, made.Format, &body.Content), err
}

// update changes a page.
func (w *Wikis) update(ctx context.Context, in wiki.Place, slug string, body gen.WikiPageUpdate) (gen.WikiPage, error) {
	if body.Title == nil && body.Content == nil && body.Format == nil {
		return gen.WikiPage{}, apierr.BadParameter("title, content, format are missing, at least one parameter must be provided")
	}
	c := wiki.Change{Title: body.Title, Format: (*string)(body.Format), Content: body.Content}
	changed, err := w.wikis.Apply(ctx, in, slug, c)
	if err != nil {
		return gen.WikiPage{}, err
	}
	return w.get(ctx, in, changed.Slug, nil, nil)
}
