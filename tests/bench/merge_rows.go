package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"time"
)

const (
	merges     = 15
	mergeLimit = 300 * time.Millisecond
)

// benchMerges merges branches in a large repository, one after the other, over the API.
func benchMerges(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["merges"] {
		return nil
	}
	c, err := newFilledDatabase(ctx, o, kind, folder, "merges")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	b := &gitBench{rep: rep, svc: svc, folder: c.folder, project: "/api/v4/projects/root%2Fbench"}
	large := filepath.Join(folder, "large-"+kind+".git")
	if err := newLarge(ctx, large, largeMegabytes); err != nil {
		return err
	}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=bench"); err != nil {
		return err
	}
	if err := runGit(ctx, large, "push", "-q", b.remote(svc.addr), "main"); err != nil {
		return err
	}
	walls := make([]time.Duration, merges)
	for i := range walls {
		if walls[i], err = b.merge(ctx, i); err != nil {
			return err
		}
	}
	slices.Sort(walls)
	middle, worst := walls[merges/2], walls[merges-1]
	fmt.Fprintf(
		rep.out, "\nMerge in a repository of %d MB, %s: %.0f ms, %.0f ms at worst of %d\n", largeMegabytes, label(kind),
		millis(middle), millis(worst), merges,
	)
	rep.number(
		worst < mergeLimit,
		fmt.Sprintf("merge in a repository of %d MB under %v, %s", largeMegabytes, mergeLimit, label(kind)),
		fmt.Sprintf("%.0f ms at worst", millis(worst)),
	)
	return nil
}

// merge opens a merge request and merges it. Both branches get a commit first, so that there is something to merge.
func (b *gitBench) merge(ctx context.Context, i int) (time.Duration, error) {
	branch := fmt.Sprintf("change%d", i)
	write := func(branch, path string) error {
		form := url.Values{"branch": {branch}, "start_branch": {"main"}, "content": {path}, "commit_message": {"Change " + path}}
		if branch == "main" {
			form.Del("start_branch")
		}
		_, err := b.ask(ctx, http.MethodPost, b.project+"/repository/files/"+path, form.Encode())
		return err
	}
	if err := errors.Join(write(branch, branch), write("main", fmt.Sprintf("main%d", i))); err != nil {
		return 0, err
	}
	made, err := b.ask(ctx, http.MethodPost, b.project+"/merge_requests", url.Values{
		"source_branch": {branch}, "target_branch": {"main"}, "title": {branch},
	}.Encode())
	if err != nil {
		return 0, err
	}
	var request struct {
		IID   int    `json:"iid"`
		State string `json:"state"`
	}
	if err := json.Unmarshal(made, &request); err != nil {
		return 0, err
	}
	began := time.Now()
	done, err := b.ask(
		ctx, http.MethodPut, fmt.Sprintf("%s/merge_requests/%d/merge", b.project, request.IID),
		"should_remove_source_branch=true",
	)
	took := time.Since(began)
	if err == nil {
		err = json.Unmarshal(done, &request)
	}
	if err == nil && request.State != "merged" {
		err = fmt.Errorf("merge request %d is %s", request.IID, request.State)
	}
	return took, err
}
