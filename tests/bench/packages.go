package main

import (
	"context"
	"crypto/md5"  //nolint:gosec // svc computes it, too
	"crypto/sha1" //nolint:gosec // svc computes it, too
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

const (
	packageRatio  = 1.3      // CPU of svc, relative to a bare copy through the store of files
	packageSize   = 1 << 30  // bytes of the file
	packageRounds = 2        // transfers of each kind; the cheaper one counts
	packageMemory = 24 << 20 // bytes by which svc may grow
	packageFile   = "/api/v4/projects/1/packages/generic/tools/1.0/large.bin"
	copyChecked   = "/checked" // paths of the floor: with the checksums that svc computes, and without
	copyBare      = "/bare"
)

// serveBlobs returns the floor of packages: it copies files into the store of files, and out of it.
func serveBlobs(folder string) (http.Handler, error) {
	blobs, err := blob.Open("", folder)
	if err != nil {
		return nil, err
	}
	keys := map[string]string{copyChecked: blob.PackageKey(), copyBare: blob.PackageKey()}
	sizes := map[string]int64{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := keys[r.URL.Path]
		if key == "" || r.Method == http.MethodGet && sizes[key] == 0 {
			return // the check that it is ready
		}
		if err := copyBlob(w, r, blobs, key, sizes); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}), nil
}

func copyBlob(w http.ResponseWriter, r *http.Request, blobs blob.Store, key string, sizes map[string]int64) (err error) {
	if r.Method == http.MethodPut {
		from := io.Reader(r.Body)
		if r.URL.Path == copyChecked {
			from = io.TeeReader(r.Body, io.MultiWriter(md5.New(), sha1.New(), sha256.New())) //nolint:gosec // see the imports
		}
		sizes[key], err = blobs.Put(r.Context(), key, from)
		return err
	}
	from, err := blobs.Read(r.Context(), key, 0, sizes[key])
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.CopyBuffer(struct{ io.Writer }{w}, from, make([]byte, 128<<10))
	return err
}

// benchPackages compares the upload and the download of a large package with a copy through the store of files.
func benchPackages(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["packages"] {
		return nil
	}
	d, err := newData(ctx, o.svc, kind, filepath.Join(folder, "packages"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.remove()) }()
	if err := addPackageProject(ctx, d.svc); err != nil {
		return err
	}
	svc, err := startSvc(ctx, o.svc, d.svc)
	if err != nil {
		return err
	}
	defer svc.stop()
	bare, err := startFloor(ctx, d.floor, "-blobs", filepath.Join(d.floor.folder, "blobs"))
	if err != nil {
		return err
	}
	defer bare.stop()
	before, err := svc.rss()
	if err != nil {
		return err
	}
	for _, transfer := range [][2]string{{"upload", http.MethodPut}, {"download", http.MethodGet}} {
		if err := comparePackages(ctx, kind, transfer[0], transfer[1], svc, bare, rep); err != nil {
			return err
		}
	}
	after, err := svc.rss()
	if err != nil {
		return err
	}
	rep.number(after-before <= packageMemory, "memory after packages of 1 GiB, "+label(kind)+": at most 24 MB more",
		fmt.Sprintf("%.1f MB more", float64(after-before)/(1<<20)))
	return nil
}

func comparePackages(ctx context.Context, kind, what, method string, svc, bare *process, rep *report) error {
	var ours, checked, plain measured
	for range packageRounds {
		for _, m := range []struct {
			p    *process
			path string
			to   *measured
		}{{svc, packageFile, &ours}, {bare, copyChecked, &checked}, {bare, copyBare, &plain}} {
			spent, err := transferPackage(ctx, m.p, method, m.path)
			if err != nil {
				return err
			}
			m.to.add(measured{requests: 1, cpu: spent})
		}
	}
	rep.compared(kind, "CPU of the "+what+" of a package of 1 GiB", "a copy through the store of files with the same checksums",
		ours.over(&checked), packageRatio,
		fmt.Sprintf("%.0f and %.0f ms; a copy without checksums %.0f ms", millis(ours.cpu), millis(checked.cpu), millis(plain.cpu)))
	return nil
}

// transferPackage sends or reads the file and returns the CPU time that the server needed.
func transferPackage(ctx context.Context, p *process, method, path string) (time.Duration, error) {
	before, err := p.cpu()
	if err != nil {
		return 0, err
	}
	var body io.Reader
	if method == http.MethodPut {
		body = io.LimitReader(zeros{}, packageSize)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+p.addr+path, body)
	if err != nil {
		return 0, err
	}
	if body != nil {
		req.ContentLength = packageSize
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, res.Body)
	err = errors.Join(err, res.Body.Close())
	if err == nil && (res.StatusCode >= 300 || method == http.MethodGet && n != packageSize) {
		err = fmt.Errorf("%s %s: %s, %d bytes", method, path, res.Status, n)
	}
	if err != nil {
		return 0, err
	}
	after, err := p.cpu()
	return after - before, err
}

// addPackageProject gives root a project.
func addPackageProject(ctx context.Context, c dataCopy) (err error) {
	st, err := store.Open(ctx, c.options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	root, err := st.Users.GetByUsername(ctx, "root")
	if err != nil {
		return err
	}
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path = *root.NamespaceID, "Packages", "packages"
	return st.Projects.Create(ctx, &p, nil)
}

// zeros is an endless file.
type zeros struct{}

// Read fills the buffer with zeros.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
