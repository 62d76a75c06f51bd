package web

import (
	"net/url"
	"strconv"

	"svc/store"
)

const (
	perPage = 20 // rows of a list: a page stays small even with the longest texts
	maxPage = 1000
)

// pager is the current page of a list, and the links to the pages before and after it.
type pager struct {
	Before, After string
	number        int
	page          store.Page
	link          func(number int) string
}

// pager reads the requested page of a list; query holds the other parameters of the links.
func (v *Visit) pager(query url.Values) pager {
	number, err := strconv.Atoi(v.QueryParam("page"))
	if err != nil || number < 1 || number > maxPage {
		number = 1
	}
	path := v.Request().URL.Path
	return pager{number: number, page: store.Page{Limit: perPage, Offset: (number - 1) * perPage}, link: func(n int) string {
		values := url.Values{"page": {strconv.Itoa(n)}}
		for name, kept := range query {
			values[name] = kept
		}
		return path + "?" + values.Encode()
	}}
}

// of adds the links, once the list is read.
func (p pager) of(more bool) pager {
	if p.number > 1 {
		p.Before = p.link(p.number - 1)
	}
	if more && p.number < maxPage {
		p.After = p.link(p.number + 1)
	}
	return p
}
