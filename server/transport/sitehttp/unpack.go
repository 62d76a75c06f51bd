package sitehttp

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"svc/store/blob"
	"svc/store/model"
)

const (
	tidyEvery    = 10 * time.Minute
	unpackTime   = 5 * time.Minute
	patience     = 30 * time.Second // how long a request waits for a site that is being unpacked
	maxUnpacking = 2                // number of sites that are unpacked at a time
	drafts       = "drafts"
)

// errBusy says that a site is not unpacked yet.
var errBusy = errors.New("the site is being unpacked")

// root is the folder of an unpacked site.
type root struct {
	*os.Root
	packed bool // the site has files that end with .gz or .br
}

// localSites holds the sites on this machine.
type localSites struct {
	folder   string
	slots    chan struct{}
	mu       sync.Mutex
	sites    map[string]bool       // by folder; true if it has compressed files
	flights  map[string]*unpacking // sites that are being unpacked
	unwanted map[string]bool       // sites that nobody needed at the last check
}

// unpacking is a site that is being unpacked, shared by all requests that wait for it.
type unpacking struct {
	done chan struct{}
	err  error
}

// open creates an empty folder.
func (u *localSites) open(folder string) error {
	u.folder, u.slots = folder, make(chan struct{}, maxUnpacking)
	u.sites, u.flights, u.unwanted = map[string]bool{}, map[string]*unpacking{}, map[string]bool{}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("empty the folder of sites: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(folder, drafts), 0o700); err != nil {
		return fmt.Errorf("create the folder of sites: %w", err)
	}
	return nil
}

// root opens the folder of a site, and unpacks the site before if necessary.
func (s *Server) root(ctx context.Context, site *model.PagesSite) (*root, error) {
	name := path.Base(site.Key)
	for range 2 { // once more if the folder was removed meanwhile
		if err := s.ready(ctx, site, name); err != nil {
			return nil, err
		}
		opened, err := os.OpenRoot(filepath.Join(s.unpacked.folder, name))
		if err == nil {
			s.unpacked.mu.Lock()
			packed := s.unpacked.sites[name]
			s.unpacked.mu.Unlock()
			return &root{opened, packed}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		s.unpacked.mu.Lock()
		delete(s.unpacked.sites, name)
		s.unpacked.mu.Unlock()
	}
	return nil, errBusy
}

// ready waits until a site is unpacked. The first request starts the unpacking, which continues for all others even if
// that request ends.
func (s *Server) ready(ctx context.Context, site *model.PagesSite, name string) error {
	u := &s.unpacked
	u.mu.Lock()
	if _, ok := u.sites[name]; ok {
		u.mu.Unlock()
		return nil
	}
	f := u.flights[name]
	if f == nil {
		f = &unpacking{done: make(chan struct{})}
		u.flights[name] = f
		go s.unpack(context.WithoutCancel(ctx), *site, name, f)
	}
	u.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return errBusy
	}
}

func (s *Server) unpack(ctx context.Context, site model.PagesSite, name string, f *unpacking) {
	u := &s.unpacked
	u.slots <- struct{}{}
	ctx, cancel := context.WithTimeout(ctx, unpackTime)
	packed, err := s.extract(ctx, site, filepath.Join(u.folder, name))
	cancel()
	<-u.slots
	if errors.Is(err, blob.ErrNotFound) {
		err = errNoPage // the site was removed a moment ago
	}
	u.mu.Lock()
	if f.err = err; err == nil {
		u.sites[name] = packed
	}
	delete(u.flights, name)
	u.mu.Unlock()
	close(f.done)
}

// extract unpacks a site into a draft folder and then moves it to its place.
func (s *Server) extract(ctx context.Context, site model.PagesSite, place string) (packed bool, err error) {
	draft, err := os.MkdirTemp(filepath.Join(s.unpacked.folder, drafts), "")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(draft)) }()
	file, err := os.Create(filepath.Join(draft, "site.zip"))
	if err != nil {
		return false, err
	}
	defer file.Close()
	from, err := s.Blobs.Read(ctx, site.Key, 0, site.PackedSize)
	if err != nil {
		return false, err
	}
	size, err := io.Copy(file, from)
	if err = errors.Join(err, from.Close()); err != nil {
		return false, fmt.Errorf("read the site of project %d: %w", site.ProjectID, err)
	}
	files := filepath.Join(draft, "files")
	if err := os.Mkdir(files, 0o700); err != nil {
		return false, err
	}
	if packed, err = unzip(file, size, files); err != nil {
		return false, fmt.Errorf("unpack the site of project %d: %w", site.ProjectID, err)
	}
	return packed, os.Rename(files, place)
}

// unzip writes the files of an archive into a folder, and nowhere else.
func unzip(from io.ReaderAt, size int64, into string) (packed bool, err error) {
	archive, err := zip.NewReader(from, size)
	if err != nil {
		return false, err
	}
	folder, err := os.OpenRoot(into)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	made := map[string]bool{".": true}
	for _, file := range archive.File {
		if !fs.ValidPath(file.Name) || !file.Mode().IsRegular() {
			return false, fmt.Errorf("%q is not a regular file", file.Name)
		}
		if parent := path.Dir(file.Name); !made[parent] {
			if err := folder.MkdirAll(filepath.FromSlash(parent), 0o700); err != nil {
				return false, err
			}
			made[parent] = true
		}
		if err := extractFile(folder, file); err != nil {
			return false, err
		}
		packed = packed || strings.HasSuffix(file.Name, ".gz") || strings.HasSuffix(file.Name, ".br")
	}
	return packed, nil
}

func extractFile(folder *os.Root, file *zip.File) error {
	from, err := file.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	into, err := folder.OpenFile(filepath.FromSlash(file.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(into, io.LimitReader(from, int64(file.UncompressedSize64)+1)) // the library checks size and checksum
	return errors.Join(err, into.Close())
}

// tidy deletes the local copies of removed sites. It deletes a copy one round after the site was removed, so that
// requests which found it are finished.
func (s *Server) tidy(ctx context.Context) error {
	u := &s.unpacked
	u.mu.Lock()
	keys := make([]string, 0, len(u.sites))
	for name := range u.sites {
		keys = append(keys, "pages/"+name)
	}
	u.mu.Unlock()
	wanted := map[string]bool{}
	for start := 0; start < len(keys); start += 500 {
		found, err := s.Store.PagesDeployments.Keys(ctx, keys[start:min(start+500, len(keys))])
		if err != nil {
			return err
		}
		for _, key := range found {
			wanted[key] = true
		}
	}
	unwanted := map[string]bool{}
	var errs []error
	for _, key := range keys {
		name := path.Base(key)
		switch {
		case wanted[key]:
		case u.unwanted[name]:
			u.mu.Lock()
			delete(u.sites, name)
			u.mu.Unlock()
			errs = append(errs, os.RemoveAll(filepath.Join(u.folder, name)))
		default:
			unwanted[name] = true
		}
	}
	u.unwanted = unwanted
	return errors.Join(errs...)
}
