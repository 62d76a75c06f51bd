package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	token     = "bench-token-0123456789abcdef"
	baseURL   = "http://bench.example"
	variables = 20
	warmUp    = 300 * time.Millisecond
)

// request is the request of one line. An update goes to all variables in turn, so that it does not measure the lock of
// one row.
type request struct {
	row   string
	label string
	raw   [][]byte
}

const listPath = "/api/v4/admin/ci/variables"

const updateBody = `{"value":"eu-central-2","description":"Where we deploy to","protected":true}`

func requests() []request {
	updates := make([][]byte, variables)
	for i := range updates {
		updates[i] = rawRequest(http.MethodPut, listPath+"/"+variableKey(i), updateBody)
	}
	return []request{
		{row: "user", label: "GET user", raw: [][]byte{rawRequest(http.MethodGet, "/api/v4/user", "")}},
		{row: "list", label: fmt.Sprintf("list of %d", variables), raw: [][]byte{rawRequest(http.MethodGet, listPath, "")}},
		{row: "update", label: "PUT JSON", raw: updates},
	}
}

func variableKey(i int) string { return fmt.Sprintf("DEPLOY_REGION_%02d", i) }

// benchRequest measures the floor and svc in turns, so that other load on the machine affects both.
func benchRequest(ctx context.Context, o options, kind string, r request, bare, svc *process, rep *report) error {
	if err := sameAnswer(r, bare, svc); err != nil {
		return err
	}
	for _, p := range []*process{bare, svc} {
		if _, err := measure(ctx, p, r.raw, 32, warmUp); err != nil {
			return err
		}
	}
	for _, concurrency := range o.concurrency {
		c := cell{kind: kind, request: r, concurrency: concurrency}
		for range o.rounds {
			m, err := measure(ctx, bare, r.raw, concurrency, o.duration)
			if err != nil {
				return err
			}
			c.floor.add(m)
			if m, err = measure(ctx, svc, r.raw, concurrency, o.duration); err != nil {
				return err
			}
			c.svc.add(m)
		}
		rep.cell(&c)
	}
	return nil
}

// sameAnswer makes sure that the floor does the work that svc is compared with.
func sameAnswer(r request, bare, svc *process) error {
	want, contentType, err := answer(svc, r.raw[0])
	if err != nil {
		return err
	}
	got, floorType, err := answer(bare, r.raw[0])
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) || floorType != contentType {
		return fmt.Errorf("the answers differ:\nfloor (%s): %s\nsvc   (%s): %s", floorType, got, contentType, want)
	}
	return nil
}

func answer(p *process, raw []byte) (body []byte, contentType string, err error) {
	c, err := dial(p.addr)
	if err != nil {
		return nil, "", p.fail(err)
	}
	defer c.close()
	status, err := c.do(raw)
	if err != nil {
		return nil, "", p.fail(err)
	}
	if status != http.StatusOK && status != http.StatusCreated {
		return nil, "", p.fail(fmt.Errorf("answered %d: %s", status, c.body))
	}
	return c.body, c.contentType, nil
}
