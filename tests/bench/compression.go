package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
)

const (
	maxSmallCost  = 1.1 // CPU of a small answer to a client that accepts compression, relative to one that does not
	leastSmallers = 5.0 // how many times a list becomes smaller
)

// benchCompression compares answers to clients that accept compression with answers to clients that do not: a small
// one, which must not become slower, and a list, which must become much smaller.
func benchCompression(ctx context.Context, o options, kind string, svc *process, rep *report) error {
	small := rawRequest(http.MethodGet, "/api/v4/version", "")
	list := rawRequest(http.MethodGet, listPath, "")
	fmt.Fprintf(rep.out, "\ncompression, %s\n", label(kind))
	for _, coding := range []string{"gzip", "zstd"} {
		cost, _, err := compare(ctx, o, svc, small, coding)
		if err != nil {
			return err
		}
		rep.compared(kind, "CPU of a small answer, "+coding+",", "a plain one", cost, maxSmallCost, "")
		cost, smaller, err := compare(ctx, o, svc, list, coding)
		if err != nil {
			return err
		}
		rep.number(smaller >= leastSmallers, fmt.Sprintf("list of %d, %s: at least 5 times smaller, %s", variables, coding, label(kind)),
			fmt.Sprintf("%.1f times, for %.2f x the CPU of plain", smaller, cost.median))
	}
	return nil
}

// compare returns the CPU time of a compressed answer relative to the plain one, and how many times smaller it is.
func compare(ctx context.Context, o options, svc *process, plain []byte, coding string) (cost spread, smaller float64, err error) {
	coded := bytes.Replace(plain, []byte("\r\n\r\n"), []byte("\r\nAccept-Encoding: "+coding+"\r\n\r\n"), 1)
	long, _, err := answer(svc, plain)
	if err != nil {
		return cost, 0, err
	}
	short, _, err := answer(svc, coded)
	if err != nil {
		return cost, 0, err
	}
	var before, after measured
	for range o.rounds {
		m, err := measure(ctx, svc, [][]byte{plain}, atOnce, o.duration)
		if err != nil {
			return cost, 0, err
		}
		before.add(m)
		if m, err = measure(ctx, svc, [][]byte{coded}, atOnce, o.duration); err != nil {
			return cost, 0, err
		}
		after.add(m)
	}
	return after.over(&before), float64(len(long)) / float64(len(short)), nil
}
