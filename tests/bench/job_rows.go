package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// jobsLine sends requests of many users in turn. The floor returns the page of all jobs with ids below behind.
func jobsLine(label, query string, behind int, same bool) *line {
	l := &line{label: label, same: same}
	for i := range jobsReaders {
		l.svc = append(l.svc, rawAs(readerToken(i), http.MethodGet, jobsPath+"?"+query, ""))
	}
	l.floor = [][]byte{rawAs(readerToken(0), http.MethodGet, fmt.Sprintf("%s?behind=%d", jobsPath, behind), "")}
	return l
}

func jobLines() []*line {
	const all = 1 << 50
	keyset := func(behind int) string {
		return "pagination=keyset&order_by=id&sort=desc&cursor=" +
			base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"_kd":"n","id":"%d"}`, behind))
	}
	return []*line{
		jobsLine("jobs keyset, first", "pagination=keyset&order_by=id&sort=desc", all, true),
		jobsLine("jobs keyset, middle", keyset(manyJobs/2), manyJobs/2, true),
		jobsLine("jobs keyset, end", keyset(100), 100, true),
		jobsLine("jobs offset, first", "page=1", all, true),
		jobsLine("jobs offset, 100th", "page=100", manyJobs-99*20+1, true),
		jobsLine("jobs, scope success", "scope=success", all, false),
		jobsLine("jobs, scope failed", "scope=failed", all, false),
		jobsLine("jobs, scope canceled, page 5", "scope=canceled&page=5", all, false),
		jobsLine("jobs, scope pending, running", "scope[]=pending&scope[]=running", all, false),
		jobsLine(
			"jobs, four scopes, keyset",
			"scope[]=failed&scope[]=canceled&scope[]=success&scope[]=running&pagination=keyset&order_by=id&sort=desc",
			all, true,
		),
	}
}

// benchJobs measures job lists of a project with a million jobs.
func benchJobs(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["jobs"] {
		return nil
	}
	began := time.Now()
	c, err := newFilledDatabase(ctx, o, kind, folder, "jobs")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	if err := c.fillJobs(ctx, o.svc); err != nil {
		return err
	}
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	bare, err := startFloor(ctx, c.dataCopy)
	if err != nil {
		return err
	}
	defer bare.stop()
	rep.lineHeading(c, fmt.Sprintf("a project of %d jobs", manyJobs), time.Since(began))
	lines := jobLines()
	if err := c.measureLines(ctx, o, lines, svc, bare, rep); err != nil {
		return err
	}
	holds := true
	var found []string
	for _, l := range lines {
		holds = holds && l.ratio() <= maxRatio
		found = append(found, fmt.Sprintf("%.2f", l.ratio()))
	}
	rep.number(holds, "page of 20 of 1,000,000 jobs at most 2 x the floor, "+label(kind), strings.Join(found, ", "))
	return nil
}
