package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options says what to test.
type Options struct {
	URL      string // of the installation
	Token    string // of an administrator
	Level    Level
	Only     []string // areas, operations or parts of promises; empty for everything
	Parallel int      // number of scenarios that run at the same time
	Keep     bool     // do not delete what was created
	Lenient  bool     // accept further members and other headers than the document has
	Progress io.Writer
	Areas    []Area // the cases; empty for all
}

// Level says what the suite may do to the installation.
type Level string

// The levels.
const (
	Read  Level = "read"  // only read what is there
	Write Level = "write" // create things below a random prefix, and delete them at the end
)

// suite is one run.
type suite struct {
	options  Options
	client   *client
	values   *values
	prefix   string
	requests atomic.Int64
	began    time.Time

	mu      sync.Mutex
	results []Result
}

// Run tests an installation. An error means that the tests could not run.
func Run(ctx context.Context, o Options) (*Report, error) {
	s, product, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	err = s.prepare(ctx)
	if err == nil {
		s.runAll(ctx)
	}
	report := &Report{
		URL: s.options.URL, Level: string(s.options.Level), Prefix: s.prefix, Product: product, Began: s.began,
		Leftovers: s.clean(ctx), Results: s.sorted(),
	}
	if err != nil {
		return nil, err
	}
	report.Requests, report.Took = s.requests.Load(), time.Since(s.began)
	report.Coverage = coverage(report.Results)
	report.count()
	return report, ctx.Err()
}

// begin checks the options and that the installation answers.
func begin(ctx context.Context, o Options) (*suite, string, error) {
	base, err := url.Parse(strings.TrimRight(o.URL, "/"))
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, "", fmt.Errorf("--url %q is not the URL of an installation, such as https://svc.example.com", o.URL)
	}
	if o.Token == "" {
		return nil, "", errors.New("--token is missing: the suite needs the token of an administrator")
	}
	o.URL, o.Parallel = base.String(), max(1, o.Parallel)
	if o.Level == "" {
		o.Level = Write
	}
	if o.Areas == nil {
		o.Areas = Areas()
	}
	s := &suite{options: o, values: newValues(nil), began: time.Now()}
	s.client = newClient(base, o.Parallel, o.Lenient, func() { s.requests.Add(1) })
	s.values.set("admin_token", o.Token)
	product, err := s.greet(ctx)
	return s, product, err
}

// greet checks that the token is an administrator's, and returns the name of the product.
func (s *suite) greet(ctx context.Context) (string, error) {
	session := s.session("preparation", "greeting")
	user, err := session.Call(ctx, Admin, "GET /user", "", 200)
	if err != nil {
		return "", fmt.Errorf("the installation does not accept the token: %w", err)
	}
	if admin, _ := member(user.JSON, "is_admin"); admin != true {
		return "", errors.New("--token is not the token of an administrator")
	}
	s.values.set("admin_id", user.Member("id"))
	s.values.set("admin_username", user.Member("username"))
	if version, err := session.Call(ctx, Admin, "GET /version", "", 200); err == nil {
		return "version " + version.Member("version"), nil
	}
	return "", nil
}

func (s *suite) session(area, scenario string) *Session {
	return &Session{suite: s, area: area, scenario: scenario, values: newValues(s.values)}
}

// prepare creates what the cases need, or finds something to read.
func (s *suite) prepare(ctx context.Context) error {
	if s.options.Level == Read {
		return s.discover(ctx)
	}
	return s.createWorld(ctx)
}

// runAll runs the selected scenarios, several at the same time.
func (s *suite) runAll(ctx context.Context) {
	slots := make(chan struct{}, s.options.Parallel)
	var wait sync.WaitGroup
	for _, area := range s.options.Areas {
		for _, scenario := range area.Scenarios {
			wanted := s.selected(area, scenario)
			if !slices.Contains(wanted, true) {
				continue
			}
			slots <- struct{}{}
			wait.Go(func() {
				defer func() { <-slots }()
				s.runScenario(ctx, area, scenario, wanted)
			})
		}
	}
	wait.Wait()
}

// selected returns for each case of a scenario whether its result is wanted.
func (s *suite) selected(area Area, scenario Scenario) []bool {
	wanted := make([]bool, len(scenario.Cases))
	for i, c := range scenario.Cases {
		wanted[i] = (s.options.Level != Read || c.Reads) && Selects(s.options.Only, area, scenario, c)
	}
	return wanted
}

// Selects reports whether one of the words names the area, the operation, the scenario or a part of the promise.
func Selects(only []string, area Area, scenario Scenario, c Case) bool {
	if len(only) == 0 {
		return true
	}
	operation := c.Operation
	if route := routeOf(c); route != nil {
		operation = route.Op.OperationID
	}
	return slices.ContainsFunc(only, func(word string) bool {
		return strings.EqualFold(word, area.Name) || strings.EqualFold(word, operation) ||
			strings.EqualFold(word, scenario.Name) || strings.Contains(strings.ToLower(c.Promise), strings.ToLower(word))
	})
}

// runScenario runs the cases of a scenario up to the last one that is wanted.
func (s *suite) runScenario(ctx context.Context, area Area, scenario Scenario, wanted []bool) {
	session := s.session(area.Name, scenario.Name)
	if scenario.Finish != nil {
		defer scenario.Finish(context.WithoutCancel(ctx), session)
	}
	if scenario.Prepare != nil && s.options.Level != Read {
		if err := scenario.Prepare(ctx, session); err != nil {
			var skip skipError
			if !errors.As(err, &skip) {
				session.record(Case{Promise: "The scenario \"" + scenario.Name + "\" can be prepared."}, err)
			}
			for i, c := range scenario.Cases {
				if wanted[i] {
					session.last, session.problems = nil, nil
					session.record(c, skipError{"its scenario could not be prepared: " + err.Error()})
				}
			}
			return
		}
	}
	last := len(wanted) - 1
	for !wanted[last] {
		last--
	}
	for i, c := range scenario.Cases[:last+1] {
		if s.options.Level == Read && !wanted[i] {
			continue
		}
		session.run(ctx, c, wanted[i])
	}
	s.progress(area, scenario)
}

func (s *suite) progress(area Area, scenario Scenario) {
	if s.options.Progress != nil {
		fmt.Fprintf(s.options.Progress, "%s: %s\n", area.Name, scenario.Name)
	}
}

func (s *suite) add(r Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.order = len(s.results)
	s.results = append(s.results, r)
}

// sorted returns the results by area and scenario, in the order of the tables.
func (s *suite) sorted() []Result {
	place := map[string]int{}
	for _, area := range s.options.Areas {
		for _, scenario := range area.Scenarios {
			place[area.Name+"\x00"+scenario.Name] = len(place)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sorted := slices.Clone(s.results)
	slices.SortStableFunc(sorted, func(a, b Result) int {
		if d := place[a.Area+"\x00"+a.Scenario] - place[b.Area+"\x00"+b.Scenario]; d != 0 {
			return d
		}
		return a.order - b.order
	})
	return sorted
}
