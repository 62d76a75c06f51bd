package page

import (
	"net/url"
	"strconv"

	"svc/store"
)

const (
	perPage = 20 // rows of a list: a page stays small even with the longest texts
	maxPage = 1000
)

// Pager is the current page of a list, and the links to the pages before and after it. The template "pager" shows it.
type Pager struct {
	Before, After string
	Page          store.Page
	number        int
	link          func(number int) string
}

// Pager reads the requested page of a list. The links keep the named parameters of the address, so that filters stay.
func (v *Visit) Pager(filters ...string) Pager { return v.PagerOf(perPage, filters...) }

// PagerOf is Pager with another number of rows.
func (v *Visit) PagerOf(rows int, filters ...string) Pager {
	number, err := strconv.Atoi(v.QueryParam("page"))
	if err != nil || number < 1 || number > maxPage {
		number = 1
	}
	return Pager{number: number, Page: store.Page{Limit: rows, Offset: (number - 1) * rows}, link: func(n int) string {
		return v.With(url.Values{"page": {strconv.Itoa(n)}}, filters...)
	}}
}

// With returns the address of this page with other parameters; of the present ones, it keeps those that are named.
func (v *Visit) With(change url.Values, keep ...string) string {
	values, now := url.Values{}, v.QueryParams()
	for _, name := range keep {
		if len(now[name]) > 0 && now.Get(name) != "" {
			values[name] = now[name]
		}
	}
	for name, value := range change {
		values[name] = value
	}
	path := v.Request().URL.EscapedPath()
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// Of adds the links, once the list is read and it is known whether there are more rows.
func (p Pager) Of(more bool) Pager {
	if p.number > 1 {
		p.Before = p.link(p.number - 1)
	}
	if more && p.number < maxPage {
		p.After = p.link(p.number + 1)
	}
	return p
}

// Number returns the number of the page, from 1.
func (p Pager) Number() int { return p.number }
