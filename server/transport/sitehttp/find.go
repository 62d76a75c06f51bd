package sitehttp

import (
	"context"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/naming"
	"svc/store"
	"svc/store/kept"
	"svc/store/model"
)

// place is a site, where it begins and what is asked of it.
type place struct {
	site   *model.PagesSite
	prefix string // without a slash at the end
	rest   string // empty, or with a slash in front
}

const (
	maxNested = 21   // folders of a path that may be groups and a project
	maxURL    = 4096 // bytes of a path
	maxName   = 253
)

// Finder finds sites by host and path.
type Finder struct {
	store *store.Store
	host  string // below which sites have their names
	names naming.Sites
	sites kept.Cache[*model.PagesSite] // nil for what is none

	addresses Addresses
}

// Addresses are where browsers find sites.
type Addresses struct {
	Below func(label string) string             // of a name below the host
	Own   func(host string, secure bool) string // of a name that a project has proved, which may have a certificate
}

// NewFinder finds the sites below a host, and those with names of their own.
func NewFinder(st *store.Store, host string, names naming.Sites, a Addresses) *Finder {
	return &Finder{store: st, host: host, names: names, addresses: a, sites: kept.Brief[*model.PagesSite](10_000, fresh)}
}

// below tells whether a name is one of a namespace's.
func (s *Finder) below(host string) bool { return strings.HasSuffix(host, "."+s.host) }

// find finds the site that a host and a path name.
func (s *Finder) find(ctx context.Context, host, path string) (place, error) {
	if len(path) > maxURL || len(host) > maxName || !strings.HasPrefix(path, "/") || !utf8.ValidString(host+path) || strings.ContainsRune(host+path, 0) {
		return place{}, errNone
	}
	if !s.below(host) {
		site, err := s.named(ctx, host)
		if err == nil && site == nil {
			err = errNone
		}
		return place{site: site, rest: path}, err
	}
	label := strings.TrimSuffix(host, "."+s.host)
	if id, ok := s.names.Project(label); ok {
		site, err := s.unique(ctx, id, label)
		if err == nil && site == nil {
			err = errNone
		}
		return place{site: site, rest: path}, err
	}
	return s.nested(ctx, label, host, path)
}

// unique is the site of a project at the name that it has for itself, which changes with the path of the project.
func (s *Finder) unique(ctx context.Context, id int64, label string) (*model.PagesSite, error) {
	site, known := s.sites.Get("#" + idText(id))
	if !known {
		row, err := s.store.PagesDeployments.AtProject(ctx, id)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			site = &row
		}
		s.sites.Set("#"+idText(id), site)
	}
	if site == nil || s.label(site) != label {
		return nil, nil
	}
	return site, nil
}

// label is the name that a site has for itself.
func (s *Finder) label(site *model.PagesSite) string {
	return s.names.Of(site.ProjectID, site.FullPath[strings.LastIndexByte(site.FullPath, '/')+1:])
}

// named is the site of a name that a project has proved to be its own.
func (s *Finder) named(ctx context.Context, host string) (*model.PagesSite, error) {
	if site, known := s.sites.Get("/" + host); known {
		return site, nil
	}
	row, err := s.store.PagesDeployments.AtDomain(ctx, host, time.Now().UTC())
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

// nested is the site of the project that a path begins with. No project is called like a group, so that the first one found is the
// only one; without any it is the project that is called like the host.
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
	return place{}, errNone
}

// load looks for the sites of some projects, and remembers for a moment which there are.
func (s *Finder) load(ctx context.Context, paths []string) error {
	rows, err := s.store.PagesDeployments.AtPaths(ctx, paths)
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

// withPort adds a port to a host, unless it is the usual one.
func withPort(host string, port, usual int) string {
	if port == usual || port == 0 {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}
