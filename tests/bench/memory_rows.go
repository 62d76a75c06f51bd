package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	mixedRequests = 30_000
	mixedCallers  = 16
	mixedLimit    = 120 << 20
	quietAfter    = 8 * time.Second // after its start or the last request, a server is quiet
)

// benchMemory measures the memory of a server that has answered many requests of all kinds, directly and after some seconds: the
// server gives memory back when it is quiet.
func benchMemory(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "memory", rep, func(b *ciBench) error {
		ids, err := b.fillLists()
		if err != nil {
			return err
		}
		before, err := b.svc.rss()
		if err != nil {
			return err
		}
		if err := b.sendMixed(ctx, mixed(ids)); err != nil {
			return err
		}
		directly, err := b.svc.rss()
		if err != nil {
			return err
		}
		time.Sleep(quietAfter)
		after, err := b.svc.rss()
		if err != nil {
			return err
		}
		what := fmt.Sprintf("memory %v after %d mixed requests at most 120 MiB, %s", quietAfter, mixedRequests, label(kind))
		rep.number(after <= mixedLimit, what,
			fmt.Sprintf("%.0f MiB; before them %.0f MiB, directly after them %.0f MiB",
				float64(after)/(1<<20), float64(before)/(1<<20), float64(directly)/(1<<20)))
		return nil
	})
}

// mixed returns requests of all kinds: all lists, single things, git objects, pages, and writes.
func mixed(ids *strings.Replacer) [][]byte {
	const project, branch = "/api/v4/projects/{project}", "?ref=main"
	var all [][]byte
	add := func(method, path, body string) { all = append(all, rawRequest(method, ids.Replace(path), body)) }
	for _, l := range lists() {
		add(http.MethodGet, "/api/v4"+l.path, "")
	}
	for _, path := range []string{
		"/api/v4/user", project, project + "/issues/1", project + "/merge_requests/1", "/api/v4/groups/{group}",
		project + "/repository/tree" + branch, project + "/repository/files/README.md" + branch,
		project + "/repository/files/README.md/raw" + branch, project + "/repository/commits/main", project + "/repository/branches",
		project + "/merge_requests/1/changes", "/lists/bench", "/lists/bench/-/tree/main", "/lists/bench/-/issues", "/api/v4/openapi.json",
	} {
		add(http.MethodGet, path, "")
	}
	for _, path := range []string{"/issues", "/milestones"} {
		add(http.MethodPost, project+path, `{"title":"Number {number}"}`)
	}
	add(http.MethodPost, project+"/issues/1/notes", `{"body":"Number {number}"}`)
	add(http.MethodPost, project+"/labels", `{"name":"label {number}","color":"#112233"}`)
	add(http.MethodPut, project+"/issues/2", `{"description":"Number {number}"}`)
	add(http.MethodPut, project+"/variables/KEY_1", `{"value":"a value {number}"}`)
	return all
}

// sendMixed sends the requests in turn, by some callers at once.
func (b *ciBench) sendMixed(ctx context.Context, requests [][]byte) error {
	var sent atomic.Int64
	var wait sync.WaitGroup
	failed := make(chan error, mixedCallers)
	for i := range mixedCallers {
		wait.Go(func() {
			w, err := newWorker(b.svc.addr, requests, i*len(requests)/mixedCallers)
			if err != nil {
				failed <- err
				return
			}
			defer w.client.close()
			for sent.Add(1) <= mixedRequests && ctx.Err() == nil {
				if err := w.ask(); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	wait.Wait()
	select {
	case err := <-failed:
		return b.svc.fail(err)
	default:
		return ctx.Err()
	}
}
