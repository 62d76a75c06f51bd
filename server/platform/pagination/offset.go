// Package pagination reads the page of a list that a request asks for, and writes the headers that link to the other
// pages.
package pagination

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
)

const (
	defaultSize = 20
	maxSize     = 100
)

// MaxOffset is the largest offset into lists of projects, groups and users; 0 means no limit. It is set once, at start.
type MaxOffset int

// bounded lists the kinds of rows whose lists have a largest offset.
var bounded = map[string]bool{"Project": true, "Group": true, "User": true}

// Window is one page of an offset-paginated list.
type Window struct {
	store.Page
	number, size int64
	base         string
	url          *url.URL
}

// Kind describes a list, for error messages about it.
type Kind struct {
	Name   string // the type of a row, for error messages
	Keyset bool   // the list offers keyset pagination beyond the largest offset
}

// Offset reads the page that a caller requests.
func (m MaxOffset) Offset(ctx context.Context, kind Kind, number, size *int64) (Window, error) {
	w := Window{number: 1, size: defaultSize}
	if number != nil {
		w.number = *number
	}
	if size != nil {
		w.size = min(*size, maxSize)
	}
	if !bounded[kind.Name] {
		m = 0
	}
	const sane = 1 << 40 // so that the product below cannot overflow
	if m == 0 && w.number > sane {
		return w, apierr.BadParameter("page is invalid")
	}
	if m > 0 && (w.number > sane || w.number*w.size > int64(m)) {
		text := fmt.Sprintf(
			"Offset pagination has a maximum allowed offset of %d for requests that return objects of type %s.", m,
			kind.Name,
		)
		if kind.Keyset {
			text += " Remaining records can be retrieved using keyset pagination."
		}
		return w, apierr.Pagination(text)
	}
	w.Page = store.Page{Limit: int(w.size), Offset: int((w.number - 1) * w.size)}
	info := reqctx.Of(ctx)
	w.base, w.url = info.BaseURL, info.URL
	return w, nil
}

// OffsetOnly reads the page that a caller requests of a list without keyset pagination. name is the type of a row.
func OffsetOnly[T ~string](ctx context.Context, m MaxOffset, name string, number, size *int64, pagination *T) (Window, error) {
	if err := NoKeyset(pagination); err != nil {
		return Window{}, err
	}
	return m.Offset(ctx, Kind{Name: name}, number, size)
}

// NoKeyset refuses keyset pagination for a list that has none.
func NoKeyset[T ~string](pagination *T) error {
	if pagination != nil && *pagination == "keyset" {
		return apierr.NoKeyset()
	}
	return nil
}

// Headers are the seven headers of an offset-paginated list, in the shape of the generated header structs.
type Headers struct {
	Link        *string
	XNextPage   *string
	XPage       *string
	XPerPage    *string
	XPrevPage   *string
	XTotal      *string
	XTotalPages *string
}

// Set writes the headers that have a value, for responses that generated code does not write.
func (h Headers) Set(to http.Header) {
	for name, value := range map[string]*string{
		"Link": h.Link, "X-Next-Page": h.XNextPage, "X-Page": h.XPage, "X-Per-Page": h.XPerPage,
		"X-Prev-Page": h.XPrevPage, "X-Total": h.XTotal,
		"X-Total-Pages": h.XTotalPages,
	} {
		if value != nil {
			to.Set(name, *value)
		}
	}
}

// Headers returns the headers of the page. The totals are missing if the store did not count them.
func (w Window) Headers(total store.Total) Headers {
	number, size := strconv.FormatInt(w.number, 10), strconv.FormatInt(w.size, 10)
	h := Headers{XPage: &number, XPerPage: &size}
	pages := max(1, (total.Count+w.size-1)/w.size)
	prev, next := "", ""
	if w.number > 1 {
		prev = strconv.FormatInt(w.number-1, 10)
	}
	if total.More {
		next = strconv.FormatInt(w.number+1, 10)
	}
	h.XPrevPage, h.XNextPage = &prev, &next // sent even when empty
	if total.Known {
		count, last := strconv.FormatInt(total.Count, 10), strconv.FormatInt(pages, 10)
		h.XTotal, h.XTotalPages = &count, &last
	}
	links := w.links(h)
	h.Link = &links
	return h
}

func (w Window) links(h Headers) string {
	if w.url == nil {
		return ""
	}
	query := parameters(w.url)
	if len(query["per_page"]) == 0 {
		query.Set("per_page", *h.XPerPage)
	}
	var b strings.Builder
	add := func(rel, number string) {
		if number == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		query.Set("page", number)
		b.WriteString("<" + w.base + w.url.EscapedPath() + "?" + query.Encode() + `>; rel="` + rel + `"`)
	}
	add("prev", *h.XPrevPage)
	add("next", *h.XNextPage)
	add("first", "1")
	if h.XTotalPages != nil {
		add("last", *h.XTotalPages)
	}
	return b.String()
}

// parameters returns the query parameters of the request, including a credential that the caller sent there: without it
// the link to the next page would be an anonymous request.
func parameters(u *url.URL) url.Values {
	// A bare ; belongs to its value; net/url would drop the parameter.
	query, _ := url.ParseQuery(strings.ReplaceAll(u.RawQuery, ";", "%3B"))
	return query
}
