package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

const (
	pagesRatio = 1.3 // CPU per request of svc, relative to http.FileServer
	pagesHost  = "pages.bench.example"
	pagesFile  = "site/docs/page.html"
)

// benchPages compares a file of a Pages site with the same file from http.FileServer.
func benchPages(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["pages"] {
		return nil
	}
	d, err := newData(ctx, o.svc, kind, filepath.Join(folder, "pages"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.remove()) }()
	page := []byte("<!doctype html>\n" + strings.Repeat("<p>A page of a site.</p>\n", 400))
	if err := publish(ctx, d.svc, page); err != nil {
		return err
	}
	files := filepath.Join(d.floor.folder, "files")
	for name, data := range map[string][]byte{pagesFile: page, "-/readiness": nil} {
		place := filepath.Join(files, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, data, 0o600)); err != nil {
			return err
		}
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	svc, err := spawnSvc(ctx, o.svc, d.svc, "--pages-listen", address, "--pages-host", pagesHost)
	if err != nil {
		return err
	}
	defer svc.stop()
	if err := svc.waitReady(ctx); err != nil {
		return err
	}
	bare, err := startFloor(ctx, d.floor, "-files", files)
	if err != nil {
		return err
	}
	defer bare.stop()
	sites := *svc
	sites.addr = address
	return comparePages(ctx, o, kind, bare, &sites, rep)
}

func comparePages(ctx context.Context, o options, kind string, bare, sites *process, rep *report) error {
	r := request{
		row: "pages", label: "site",
		raw: [][]byte{[]byte("GET /" + pagesFile + " HTTP/1.1\r\nHost: root." + pagesHost + "\r\n\r\n")},
	}
	if err := sameAnswer(r, bare, sites); err != nil {
		return err
	}
	for _, concurrency := range o.concurrency {
		c := cell{kind: kind, request: r, concurrency: concurrency}
		for round := range o.rounds + 1 { // the first round warms up
			floor, err := measure(ctx, bare, r.raw, concurrency, o.duration)
			if err != nil {
				return err
			}
			svc, err := measure(ctx, sites, r.raw, concurrency, o.duration)
			if err != nil {
				return err
			}
			if round > 0 {
				c.floor.add(floor)
				c.svc.add(svc)
			}
		}
		rep.compared(kind, fmt.Sprintf("CPU of a file of a site, %d callers,", concurrency), "http.FileServer", c.svc.over(&c.floor),
			pagesRatio, fmt.Sprintf("%.1f and %.1f µs", micros(c.svc.cpu), micros(c.floor.cpu)))
	}
	return nil
}

// publish gives root a project with a site of one page, as a job would.
func publish(ctx context.Context, c dataCopy, page []byte) (err error) {
	st, err := store.Open(ctx, c.options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	blobs, err := blob.Open("", filepath.Join(c.folder, "blobs"))
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	f, err := w.Create(strings.TrimPrefix(pagesFile, "site/"))
	if err != nil {
		return err
	}
	if _, err = f.Write(page); err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	root, err := st.Users.GetByUsername(ctx, "root")
	if err != nil {
		return err
	}
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path, p.PagesAccessLevel = *root.NamespaceID, "Site", "site", model.FeaturePublic
	if err := st.Projects.Create(ctx, &p, nil); err != nil {
		return err
	}
	d := model.PagesDeployment{ProjectID: p.ID, JobID: 1, Root: "public", Key: blob.PagesKey(), Size: int64(len(page)), FileCount: 1}
	if err := st.JobArtifacts.ScheduleRemoval(ctx, d.Key, time.Now().UTC().Add(time.Hour)); err != nil {
		return err
	}
	if d.PackedSize, err = blobs.Put(ctx, d.Key, io.Reader(&packed)); err != nil {
		return err
	}
	_, err = st.PagesDeployments.Publish(ctx, &d)
	return err
}
