package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Session runs the cases of one scenario, one after the other.
type Session struct {
	suite    *suite
	area     string
	scenario string
	values   *values
	last     *Answer  // of the running case
	problems []string // of the running case
}

// patience is how long a case with Until asks again.
const patience = 15 * time.Second

// run runs a case, first for the callers that it refuses. Cases that nobody asked for run only for what they keep.
func (s *Session) run(ctx context.Context, c Case, wanted bool) {
	for _, caller := range slices.Sorted(maps.Keys(c.Refused)) {
		refusal := c
		refusal.As, refusal.Status = caller, c.Refused[caller]
		refusal.Has, refusal.Lacks, refusal.Text, refusal.Headers = "", "", "", nil
		refusal.Keep, refusal.Then, refusal.Until = nil, nil, false
		refusal.Promise = fmt.Sprintf("%s The %s gets %d.", c.Promise, caller, refusal.Status)
		if wanted {
			s.record(refusal, s.try(ctx, refusal))
		}
	}
	err := s.try(ctx, c)
	if wanted {
		s.record(c, err)
	}
	if err != nil || len(s.problems) > 0 {
		for placeholder := range c.Keep {
			s.values.lack(placeholder, "an earlier case did not pass")
		}
	}
	for _, caller := range c.Allowed {
		allowed := c
		allowed.As, allowed.Keep = caller, nil
		allowed.Promise = fmt.Sprintf("%s The %s can do that, too.", c.Promise, caller)
		if wanted {
			s.record(allowed, s.try(ctx, allowed))
		}
	}
}

// try runs a case once. The error says that it could not run; differences are in s.problems.
func (s *Session) try(ctx context.Context, c Case) error {
	s.last, s.problems = nil, nil
	if c.Do != nil {
		return c.Do(ctx, s)
	}
	r, err := s.request(c)
	if err != nil {
		return err
	}
	began := time.Now()
	for {
		s.problems = nil
		a, err := s.send(ctx, r)
		if err != nil {
			return err
		}
		s.compare(ctx, c, a)
		if len(s.problems) == 0 || !c.Until || time.Since(began) > patience {
			break
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return s.keep(c)
}

// request makes the request of a case.
func (s *Session) request(c Case) (Request, error) {
	method, path, ok := strings.Cut(c.Send, " ")
	if !ok {
		return Request{}, fmt.Errorf("%q is not a method and a path", c.Send)
	}
	path, err := s.values.fillPath(path)
	if err != nil {
		return Request{}, err
	}
	r := Request{Method: method, Path: absolute(path), Header: http.Header{}, As: c.As}
	if r.As == "" {
		r.As = Admin
	}
	if err := s.addBody(&r, c); err != nil {
		return Request{}, err
	}
	for name, value := range c.Header {
		if value, err = s.values.fill(value, asItIs); err != nil {
			return Request{}, err
		}
		r.Header.Set(name, value)
	}
	return r, s.authenticate(&r)
}

func (s *Session) addBody(r *Request, c Case) (err error) {
	var body, contentType string
	switch {
	case c.JSON != "":
		body, err = s.values.fill(c.JSON, asJSON)
		contentType = "application/json"
	case c.Form != "":
		body, err = s.values.fill(c.Form, asQuery)
		contentType = "application/x-www-form-urlencoded"
	case c.File != nil:
		filled, problem := s.fillFile(*c.File)
		if problem != nil {
			return problem
		}
		r.Body, contentType, err = multipartBody(filled)
	}
	if err != nil {
		return err
	}
	if body != "" {
		r.Body = []byte(body)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return nil
}

func (s *Session) fillFile(f File) (File, error) {
	var err error
	if f.Content, err = s.values.fill(f.Content, asItIs); err != nil {
		return f, err
	}
	fields := map[string]string{}
	for name, value := range f.Fields {
		if fields[name], err = s.values.fill(value, asItIs); err != nil {
			return f, err
		}
	}
	f.Fields = fields
	return f, nil
}

// authenticate adds the token of the caller, unless the case has a credential of its own.
func (s *Session) authenticate(r *Request) error {
	if r.As == Anonymous || r.Header.Get("Authorization") != "" || r.Header.Get("PRIVATE-TOKEN") != "" {
		return nil
	}
	token, err := s.values.get(string(r.As) + "_token")
	if err != nil {
		return err
	}
	r.Header.Set("PRIVATE-TOKEN", token)
	return nil
}

// send sends a request and compares the answer with the document.
func (s *Session) send(ctx context.Context, r Request) (*Answer, error) {
	a, err := s.suite.client.send(ctx, r)
	if err != nil {
		return nil, err
	}
	s.last = a
	s.problems = append(s.problems, s.suite.client.compare(a)...)
	return a, nil
}

// compare compares an answer with what the case says.
func (s *Session) compare(ctx context.Context, c Case, a *Answer) {
	if c.Status != 0 && a.Status != c.Status {
		s.problems = append(s.problems, fmt.Sprintf("the status is %d, expected %d", a.Status, c.Status))
		return
	}
	s.problems = append(s.problems, s.compareMembers(c, a)...)
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		s.problems = append(s.problems, s.compareHeader(name, c.Headers[name], a)...)
	}
	if c.Then != nil {
		if err := c.Then(ctx, s, a); err != nil {
			s.problems = append(s.problems, err.Error())
		}
	}
}

func (s *Session) compareMembers(c Case, a *Answer) []string {
	var found []string
	if c.Has != "" {
		filled, err := s.values.fill(c.Has, asJSON)
		var want any
		if err == nil {
			err = json.Unmarshal([]byte(filled), &want)
		}
		if err != nil {
			return []string{"the case itself is wrong: " + err.Error()}
		}
		found = append(found, differences(want, a.JSON, "")...)
	}
	for _, path := range strings.Fields(c.Lacks) {
		if _, present := member(a.JSON, path); present {
			found = append(found, "member ."+path+" must not be there")
		}
	}
	if c.Text != "" {
		want, err := s.values.fill(c.Text, asItIs)
		if err != nil || !strings.Contains(string(a.Body), want) {
			found = append(found, fmt.Sprintf("the body does not contain %q", want))
		}
	}
	return found
}

func (s *Session) compareHeader(name, want string, a *Answer) []string {
	got := a.Header.Get(name)
	want, err := s.values.fill(want, asItIs)
	_, present := a.Header[http.CanonicalHeaderKey(name)]
	switch {
	case err != nil:
		return []string{"the case itself is wrong: " + err.Error()}
	case want == "" && got == "", want == "*" && present, want == got:
		return nil
	case !present:
		return []string{"header " + name + " is missing"}
	}
	return []string{fmt.Sprintf("header %s is %q, expected %q", name, got, want)}
}

// keep stores values of the answer for later cases.
func (s *Session) keep(c Case) error {
	for placeholder, path := range c.Keep {
		value, ok := member(s.last.JSON, path)
		if !ok {
			if len(s.problems) == 0 {
				s.problems = append(s.problems, "member ."+path+" is missing")
			}
			continue
		}
		s.values.set(placeholder, value)
	}
	return nil
}

// record stores the result of a check.
func (s *Session) record(c Case, err error) {
	result := Result{
		Area: s.area, Scenario: s.scenario, Promise: c.Promise, Caller: c.As, Kind: kindOf(c.Status), Outcome: Passed,
		Operation: c.Operation,
	}
	if s.last != nil {
		result.Millis = s.last.Took.Milliseconds()
	}
	if route := routeOf(c); route != nil {
		result.Operation = route.Op.OperationID
		result.Contract = fmt.Sprintf("%s %s (%s) in the OpenAPI document, docs/api/%s.md", route.Method, route.Path,
			route.Op.OperationID, route.Op.Tags[0])
	}
	var missing missingValue
	var skip skipError
	switch {
	case errors.As(err, &missing), errors.As(err, &skip):
		result.Outcome, result.Reason = Skipped, err.Error()
	case errors.Is(err, context.Canceled):
		result.Outcome, result.Reason = Skipped, "the run was interrupted"
	case err != nil:
		result.Outcome, result.Problems = Failed, append([]string{err.Error()}, s.problems...)
	case len(s.problems) > 0:
		result.Outcome, result.Problems = Failed, s.problems
	}
	if result.Outcome == Failed {
		result.describe(s.suite.client.base.String(), s.last)
		result.Request, result.Answer = s.values.hide(result.Request), s.values.hide(result.Answer)
	}
	s.suite.add(result)
}

// skipError means that a case cannot be tried on this installation.
type skipError struct{ reason string }

func (e skipError) Error() string { return e.reason }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Call sends a request that prepares or completes something. An answer with another status is an error.
func (s *Session) Call(ctx context.Context, as Caller, send, body string, want int) (*Answer, error) {
	r, err := s.request(Case{As: as, Send: send, JSON: body})
	if err != nil {
		return nil, err
	}
	a, err := s.send(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", send, err)
	}
	if a.Status != want {
		return a, fmt.Errorf("%s as %s answered %d, expected %d: %s", send, r.As, a.Status, want, clip(string(a.Body), 300))
	}
	return a, nil
}
