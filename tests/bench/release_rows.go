package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

const (
	releaseCount = 20   // releases on a page
	releaseRatio = 12.0 // a page of releases costs at most so many times the CPU of GET /user
)

// benchReleases measures a page of releases with links, compared with the cheapest request.
func benchReleases(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "releases", rep, func(b *ciBench) error {
		return b.each(ctx, b.fillReleases, b.releasePage)
	})
}

// fillReleases creates a project with releases, each of a commit of its own and with two links.
func (b *ciBench) fillReleases(context.Context) error {
	if err := b.call(rawRequest(http.MethodPost, projectsPath, `{"name":"bench"}`), http.StatusCreated, nil); err != nil {
		return err
	}
	notes := strings.Repeat("Something was changed. ", 20)
	for i := range releaseCount {
		commit := fmt.Sprintf(`{"branch":"main","commit_message":"Change %[1]d",`+
			`"actions":[{"action":"create","file_path":"f%[1]d","content":"x"}]}`, i)
		err := b.call(rawRequest(http.MethodPost, "/api/v4/projects/1/repository/commits", commit), http.StatusCreated, nil)
		if err != nil {
			return err
		}
		release := fmt.Sprintf(`{"tag_name":"v1.%[1]d","ref":"main","name":"Release %[1]d","description":"%[2]s","assets":{"links":[`+
			`{"name":"linux","url":"https://files.example.com/%[1]d/linux","direct_asset_path":"/bin/linux"},`+
			`{"name":"mac","url":"https://files.example.com/%[1]d/mac","direct_asset_path":"/bin/mac"}]}}`, i, notes)
		if err := b.call(rawRequest(http.MethodPost, "/api/v4/projects/1/releases", release), http.StatusCreated, nil); err != nil {
			return err
		}
	}
	return nil
}

func (b *ciBench) releasePage(ctx context.Context) error {
	fmt.Fprintf(b.rep.out, "\n%s, releases; CPU with the database's\n", label(b.kind))
	user, err := b.measureCPU(ctx, 5, 300, func() error {
		return b.call(rawRequest(http.MethodGet, "/api/v4/user", ""), http.StatusOK, nil)
	})
	if err != nil {
		return err
	}
	page, err := b.measureCPU(ctx, 5, 300, func() error {
		return b.call(rawRequest(http.MethodGet, "/api/v4/projects/1/releases", ""), http.StatusOK, nil)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(b.rep.out, "%-46s %9.3f ms CPU, GET /user %.3f ms\n", "page of 20 releases with 40 links", millis(page), millis(user))
	b.rep.compared(b.kind, "CPU of a page of 20 releases", "GET /user", overOnce(page, user), releaseRatio, "")
	return nil
}
