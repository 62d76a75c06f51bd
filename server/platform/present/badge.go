package present

import (
	"net/url"
	"strings"

	"svc/gen"
	"svc/store/model"
)

// Placeholders holds the values of the placeholders in the URLs of badges, escaped for a URL.
type Placeholders struct{ pairs []string }

// Put adds a value; the slashes of a path stay.
func (p *Placeholders) Put(name, value string) {
	value = strings.ReplaceAll(url.PathEscape(value), "%2F", "/")
	p.pairs = append(p.pairs, "%{"+name+"}", value)
}

// Badge presents a badge with its placeholders replaced. A placeholder without a value stays.
func Badge(values Placeholders) func(model.Badge) gen.Badge {
	fill := strings.NewReplacer(values.pairs...)
	return func(b model.Badge) gen.Badge {
		kind := gen.BadgeKindProject
		if b.GroupID != nil {
			kind = gen.BadgeKindGroup
		}
		return gen.Badge{
			ID: b.ID, Kind: kind, Name: b.Name, LinkURL: b.LinkURL, ImageURL: b.ImageURL,
			RenderedLinkURL: fill.Replace(b.LinkURL), RenderedImageURL: fill.Replace(b.ImageURL),
		}
	}
}

// BadgeRender presents a preview of a badge.
func BadgeRender(values Placeholders, b model.Badge) gen.BadgeRender {
	shown := Badge(values)(b)
	return gen.BadgeRender{
		Name: shown.Name, LinkURL: shown.LinkURL, ImageURL: shown.ImageURL, RenderedLinkURL: shown.RenderedLinkURL,
		RenderedImageURL: shown.RenderedImageURL,
	}
}
