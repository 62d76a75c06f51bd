// Package snapshot reads an instance over its API into a document of fixtures. It reads what fixtures can declare, and
// warns about things that it leaves out.
//
//	client.go      requests and pages
//	snapshot.go    users, runners, and the order of everything
//	groups.go      groups, and what groups and projects have in common
//	projects.go    projects and their planning
//	repository.go  commits, branches and tags
//	requests.go    notes and merge requests
//	pipelines.go   pipelines, jobs, releases and packages
//	events.go      activity
package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// client reads the API of an instance.
type client struct {
	base  string // without a slash at the end
	token string
	http  *http.Client
}

const (
	requestTime = 2 * time.Minute
	maxAnswer   = 256 << 20 // bytes of an answer
	maxPause    = time.Minute
)

// statusError is an answer that is no success.
type statusError struct {
	path   string
	status int
	body   string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("GET %s: %d %.200s", e.path, e.status, e.body)
}

// isStatus reports whether an error is an answer with a status.
func isStatus(err error, status int) bool {
	var answer *statusError
	return errors.As(err, &answer) && answer.status == status
}

// get reads a path below /api/v4 and returns the body and the number of the next page, if there is one.
func (c *client) get(ctx context.Context, path string) (body []byte, next string, err error) {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/api/v4"+path, nil)
		if err != nil {
			return nil, "", err
		}
		req.Header.Set("Private-Token", c.token)
		res, err := c.http.Do(req)
		if err != nil {
			return nil, "", err
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		res.Body.Close()
		switch {
		case err != nil:
			return nil, "", err
		case res.StatusCode == http.StatusTooManyRequests:
			if err := pause(ctx, res.Header.Get("Retry-After")); err != nil {
				return nil, "", err
			}
			continue
		case res.StatusCode != http.StatusOK:
			return nil, "", &statusError{path, res.StatusCode, strings.TrimSpace(string(body))}
		}
		return body, res.Header.Get("X-Next-Page"), nil
	}
}

// pause waits as long as the service asks for.
func pause(ctx context.Context, seconds string) error {
	wait := time.Second
	if n, err := strconv.Atoi(seconds); err == nil && n > 0 {
		wait = min(time.Duration(n)*time.Second, maxPause)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// one reads an object.
func one[T any](ctx context.Context, c *client, path string) (T, error) {
	var value T
	body, _, err := c.get(ctx, path)
	if err == nil {
		err = json.Unmarshal(body, &value)
	}
	return value, err
}

// all reads a whole list, page by page. The path can have a query.
func all[T any](ctx context.Context, c *client, path string) ([]T, error) {
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	var found []T
	for page := "1"; page != ""; {
		body, next, err := c.get(ctx, path+separator+"per_page=100&page="+page)
		if err != nil {
			return nil, err
		}
		var rows []T
		if err := json.Unmarshal(body, &rows); err != nil {
			return nil, fmt.Errorf("GET %s: %w", path, err)
		}
		found = append(found, rows...)
		page = next
	}
	return found, nil
}
