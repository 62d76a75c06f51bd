package sitehttp

import (
	"context"
	"net"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/server/platform/naming"
	"svc/store"
	"svc/store/cache"
	"svc/store/clock"
	"svc/store/model"
)

// place is a site, the path at which it begins, and the path of the requested file in it.
type place struct {
	site   *model.PagesSite
	prefix string // without a trailing slash
	rest   string // empty, or with a leading slash
}

const (
	maxNested = 21   // folders of a path that may be groups and a project
	maxURL    = 4096 // bytes of a path
	maxName   = 253
)

// Finder finds sites by host and path.
type Finder struct {
	store *store.Store
	host  string // the domain below which sites have their names
	names naming.Sites
	sites cache.Cache[*model.PagesSite] // nil for a name without a site

	addresses Addresses
}

// Addresses returns the URLs of sites.
type Addresses struct {
	Below func(label string) string             // URL of a name below the host
	Own   func(host string, secure bool) string // URL of a domain that a project has verified; secure if it has a certificate
}

// NewFinder returns a finder for the sites below a host, and those with verified domains.
func NewFinder(st *store.Store, host string, names naming.Sites, a Addresses) *Finder {
	return &Finder{store: st, host: host, names: names, addresses: a, sites: cache.WithExpiry[*model.PagesSite](10_000, fresh)}
}

// CacheSizes returns the sizes of the caches of sites, for metrics.
func (s *Finder) CacheSizes() []cache.Size { return []cache.Size{s.sites.Size("sites")} }

// isBelowHost reports whether a name is below the host of all sites.
func (s *Finder) isBelowHost(host string) bool { return strings.HasSuffix(host, "."+s.host) }

// find finds the site of a host and a path.
func (s *Finder) find(ctx context.Context, host, path string) (place, error) {
	if len(path) > maxURL || len(host) > maxName || !strings.HasPrefix(path, "/") || !utf8.ValidString(host+path) ||
		strings.ContainsRune(host+path, 0) {
		return place{}, errNoPage
	}
	if !s.isBelowHost(host) {
		site, err := s.named(ctx, host)
		if err == nil && site == nil {
			err = errNoPage
		}
		return place{site: site, rest: path}, err
	}
	label := strings.TrimSuffix(host, "."+s.host)
	if id, ok := s.names.Project(label); ok {
		site, err := s.unique(ctx, id, label)
		if err == nil && site == nil {
			err = errNoPage
		}
		return place{site: site, rest: path}, err
	}
	return s.nested(ctx, label, host, path)
}

// unique returns the site of a project at the project's own name, which changes with the path of the project. It returns
// nil if the project has switched its own name off.
func (s *Finder) unique(ctx context.Context, id int64, label string) (*model.PagesSite, error) {
	site, known := s.sites.Get("#" + idText(id))
	if !known {
		row, err := s.store.PagesDeployments.AtProject(ctx, id, clock.Now(ctx).UTC())
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			site = &row
		}
		s.sites.Set("#"+idText(id), site)
	}
	if site == nil || site.NotUnique || s.label(site) != label {
		return nil, nil
	}
	return site, nil
}

// label returns the own name of a site.
func (s *Finder) label(site *model.PagesSite) string {
	return s.names.Of(site.ProjectID, site.FullPath[strings.LastIndexByte(site.FullPath, '/')+1:])
}

// named returns the site at a domain that its project has verified.
func (s *Finder) named(ctx context.Context, host string) (*model.PagesSite, error) {
	if site, known := s.sites.Get("/" + host); known {
		return site, nil
	}
	row, err := s.store.PagesDeployments.AtDomain(ctx, host, clock.Now(ctx).UTC())
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	var site *model.PagesSite
	if err == nil {
		site = &row
	}
	s.sites.Set("/"+host, site)
	return site, nil
}

// nested returns the site of the project at the beginning of a path. A project and a group cannot have the same path,
// so the first match is the only one. If there is none, it is the project that is named like the host.
func (s *Finder) nested(ctx context.Context, namespace, host, path string) (place, error) {
	var paths []string
	var ends []int
	for end := 1; end < len(path) && len(paths) < maxNested; end++ {
		if next := strings.IndexByte(path[end:], '/'); next >= 0 {
			end += next
		} else {
			end = len(path)
		}
		paths, ends = append(paths, strings.ToLower(namespace+path[:end])), append(ends, end)
	}
	paths, ends = append(paths, namespace+"/"+host), append(ends, 0)
	for i, name := range paths {
		site, known := s.sites.Get(name)
		if !known {
			if err := s.load(ctx, paths[i:]); err != nil {
				return place{}, err
			}
			site, _ = s.sites.Get(name)
		}
		if site != nil {
			return place{site: site, prefix: path[:ends[i]], rest: path[ends[i]:]}, nil
		}
	}
	return place{}, errNoPage
}

// load looks up the sites of some projects, and caches for a moment which exist.
func (s *Finder) load(ctx context.Context, paths []string) error {
	rows, err := s.store.PagesDeployments.AtPaths(ctx, paths, clock.Now(ctx).UTC())
	if err != nil {
		return err
	}
	found := make(map[string]*model.PagesSite, len(rows))
	for i := range rows {
		found[strings.ToLower(rows[i].FullPath)] = &rows[i]
	}
	for _, path := range paths {
		s.sites.Set(path, found[path])
	}
	return nil
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// withPort adds a port to a host, unless it is the default port.
func withPort(host string, port, usual int) string {
	if port == usual || port == 0 {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}
