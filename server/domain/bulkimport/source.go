package bulkimport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"svc/server/platform/outbound"
)

const (
	requestTime = time.Minute
	maxAnswer   = 16 << 20 // bytes
	perPage     = 100
	maxPages    = 500 // of one kind
)

// sourceError says why the other instance could not be read, in a text that the user may read.
type sourceError struct {
	text      string
	temporary bool // the request may succeed later
}

func (e *sourceError) Error() string { return e.text }

// source is the other instance.
type source struct {
	client *outbound.Client
	base   *url.URL
	token  string
	agent  string
}

// address returns the URL of a path of the API.
func (s *source) address(path string, query url.Values) (*url.URL, error) {
	return url.Parse(s.base.String() + "/api/v4" + path + "?" + query.Encode())
}

// repository returns the URL of a repository, with the access token.
func (s *source) repository(path string) string {
	u := *s.base
	u.User = url.UserPassword("oauth2", s.token)
	u.Path += "/" + path + ".git"
	return u.String()
}

// checkToken refuses an access token that the other instance does not accept.
func (s *source) checkToken(ctx context.Context) error {
	var version struct{ Version string }
	_, err := s.get(ctx, "/version", nil, &version)
	if err == nil && version.Version == "" {
		err = &sourceError{text: "The URL is not that of an instance with this API"}
	}
	return err
}

// more says what follows a page.
type more struct {
	next  bool
	total int64 // of all pages; 0 if it is not known
}

// get reads an answer of the API.
func (s *source) get(ctx context.Context, path string, query url.Values, into any) (m more, err error) {
	u, err := s.address(path, query)
	if err != nil {
		return m, &sourceError{text: "The path " + strconv.Quote(path) + " is not valid"}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	res, err := s.client.Stream(ctx, outbound.StreamRequest{
		Method: http.MethodGet, URL: u, Idle: requestTime,
		Header: http.Header{"User-Agent": {s.agent}, "Accept": {"application/json"}, "Authorization": {"Bearer " + s.token}},
	})
	if err != nil {
		return m, connectionError(err)
	}
	defer res.Body.Close()
	if err := statusError(res.Status, path); err != nil {
		return m, err
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return m, connectionError(err)
	case len(body) > maxAnswer:
		return m, &sourceError{text: fmt.Sprintf("The answer to %s is larger than %d MiB", path, maxAnswer>>20)}
	}
	if err := json.Unmarshal(body, into); err != nil {
		return m, &sourceError{text: "The answer to " + path + " is not what the API describes"}
	}
	m.next = res.Header.Get("X-Next-Page") != ""
	m.total, _ = strconv.ParseInt(res.Header.Get("X-Total"), 10, 64) // left out of long lists
	return m, nil
}

// page is get for one page of a list.
func (s *source) page(ctx context.Context, path string, query url.Values, page int64, into any) (more, error) {
	all := url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.FormatInt(page, 10)}}
	for name, values := range query {
		all[name] = values
	}
	return s.get(ctx, path, all, into)
}

func connectionError(err error) error {
	var blocked *outbound.BlockedError
	if errors.As(err, &blocked) {
		return &sourceError{text: "The URL is blocked: " + blocked.Reason}
	}
	return &sourceError{text: "The other instance could not be reached", temporary: true}
}

func statusError(status int, path string) error {
	text := "The other instance answers " + path + " with the status " + strconv.Itoa(status)
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return &sourceError{text: "The other instance does not accept the access token (" + path + ")"}
	case status == http.StatusNotFound:
		return &sourceError{text: "The other instance does not have " + path + ", or hides it from the access token"}
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		return &sourceError{text: text, temporary: true}
	}
	return &sourceError{text: text}
}
