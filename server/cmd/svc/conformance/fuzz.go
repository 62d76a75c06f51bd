package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"svc/server/cmd/svc/conformance/check"
	"svc/server/cmd/svc/conformance/generate"
)

// FuzzOptions says how long to test with generated requests.
type FuzzOptions struct {
	Time  time.Duration
	Seed  uint64        // the same seed makes the same requests, as far as the answers are the same
	Limit time.Duration // an answer that takes longer is a failure
}

// requestsPerProject is after how many requests a fuzzer begins again with a new project.
const requestsPerProject = 400

// Fuzz tests an installation with requests that are generated from the document. They are sent by users without rights
// on anything but their own group and project, and name only things that the suite has created.
func Fuzz(ctx context.Context, o Options, f FuzzOptions) (*Report, error) {
	if o.Level == Read {
		return nil, errors.New("--fuzz creates things: use --level write")
	}
	o.Areas = []Area{}
	s, product, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	err = s.createWorld(ctx)
	findings := map[string]*finding{}
	if err == nil {
		findings, err = s.fuzzAll(ctx, f)
	}
	left := s.clean(ctx)
	if err != nil {
		return nil, err
	}
	report := &Report{
		URL: s.options.URL, Level: "fuzz", Prefix: s.prefix, Product: product, Began: s.began, Seed: f.Seed, Leftovers: left,
		Results: fuzzResults(findings), Requests: s.requests.Load(), Took: time.Since(s.began),
	}
	report.Coverage = coverage(report.Results)
	report.count()
	return report, ctx.Err()
}

// finding is what the requests of one operation have shown.
type finding struct {
	requests int
	good     int // answered with success
	result   *Result
}

// fuzzAll runs several fuzzers until the time is over.
func (s *suite) fuzzAll(ctx context.Context, f FuzzOptions) (map[string]*finding, error) {
	limited, cancel := context.WithTimeout(ctx, f.Time)
	defer cancel()
	if len(newFuzzer(s, f, 0).routes) == 0 {
		return nil, errors.New("--only names no operation or tag that may be called with generated requests")
	}
	fuzzers := make([]*fuzzer, s.options.Parallel)
	problems := make([]error, len(fuzzers))
	var wait sync.WaitGroup
	for i := range fuzzers {
		fuzzers[i] = newFuzzer(s, f, i)
		wait.Go(func() { problems[i] = fuzzers[i].run(limited) })
	}
	wait.Wait()
	all := map[string]*finding{}
	for _, fuzzer := range fuzzers {
		for id, found := range fuzzer.findings {
			if all[id] == nil {
				all[id] = &finding{}
			}
			all[id].requests += found.requests
			all[id].good += found.good
			if all[id].result == nil {
				all[id].result = found.result
			}
		}
	}
	return all, errors.Join(problems...)
}

// fuzzResults makes one result for each operation.
func fuzzResults(findings map[string]*finding) []Result {
	var results []Result
	for _, id := range slices.Sorted(maps.Keys(findings)) {
		found := findings[id]
		result := Result{
			Area: "fuzz", Scenario: "generated requests", Operation: id, Kind: Good, Outcome: Passed,
			Promise: fmt.Sprintf("%s answers generated requests as the document says (%d requests, %d successful).",
				id, found.requests, found.good),
		}
		if found.result != nil {
			result.Outcome, result.Problems, result.Caller = Failed, found.result.Problems, found.result.Caller
			result.Request, result.Answer, result.Contract = found.result.Request, found.result.Answer, found.result.Contract
		}
		results = append(results, result)
	}
	return results
}

// fuzzer sends generated requests, one after the other.
type fuzzer struct {
	session  *Session
	source   *generate.Source
	number   int
	round    int
	limit    time.Duration
	routes   []check.Route
	chains   []chain
	pool     map[string][]string // path of an item, such as /projects/{id}/issues/{issue_iid} → values of the last parameter
	limited  map[string]bool     // operations that a rate limit refuses
	findings map[string]*finding
}

func newFuzzer(s *suite, f FuzzOptions, number int) *fuzzer {
	z := &fuzzer{
		session: s.session("fuzz", fmt.Sprint("fuzzer ", number)), source: generate.New(f.Seed, uint64(number)), number: number,
		limit: f.Limit, limited: map[string]bool{}, findings: map[string]*finding{},
	}
	z.source.Override = z.override
	for _, r := range check.Routes() {
		if mayFuzz(r) && (len(s.options.Only) == 0 || slices.Contains(s.options.Only, r.Op.OperationID) ||
			slices.Contains(s.options.Only, r.Op.Tags[0])) {
			z.routes = append(z.routes, r)
		}
	}
	z.chains = chains(z.routes)
	return z
}

// run sends requests until the time is over.
func (z *fuzzer) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := z.beginRound(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("prepare a project for generated requests: %w", err)
		}
		for i := 0; i < requestsPerProject && ctx.Err() == nil; i++ {
			if len(z.chains) > 0 && z.source.Chance(30) {
				z.runChain(ctx, z.chains[z.source.IntN(len(z.chains))])
				continue
			}
			r := z.routes[z.source.IntN(len(z.routes))]
			if !z.limited[r.Op.OperationID] {
				z.try(ctx, z.generate(r))
			}
			if z.session.last != nil && z.session.last.Status == 401 {
				break // a request has ended the token of the user
			}
		}
	}
	return nil
}

// beginRound creates a user, a group and a project for the next requests.
func (z *fuzzer) beginRound(ctx context.Context) error {
	z.round++
	s := z.session
	name := fmt.Sprintf("fuzz_%d_%d", z.number, z.round)
	path := fmt.Sprintf("fuzz-%d-%d", z.number, z.round)
	if err := s.createUser(ctx, name, `"force_random_password":true`); err != nil {
		return err
	}
	for _, part := range []string{"id", "username", "token"} {
		value, err := s.values.get(name + "_" + part)
		if err != nil {
			return err
		}
		s.values.set("fuzz_"+part, value)
	}
	group, err := s.Call(ctx, Admin, "POST /groups", `{"name":"`+path+`","path":"`+path+`","parent_id":<group>}`, 201)
	if err != nil {
		return err
	}
	s.values.set("fuzz_group", group.Member("id"))
	if _, err := s.Call(ctx, Admin, "POST /groups/<fuzz_group>/members", `{"user_id":<fuzz_id>,"access_level":50}`, 201); err != nil {
		return err
	}
	project, err := s.Call(ctx, fuzzUser, "POST /projects",
		`{"name":"Fuzz","path":"fuzz","namespace_id":<fuzz_group>,"initialize_with_readme":true}`, 201)
	if err != nil {
		return err
	}
	s.values.set("fuzz_project", project.Member("id"))
	if err := z.fillPool(); err != nil {
		return err
	}
	return z.fillProject(ctx)
}

// fillProject creates one thing of each kind that many operations are about, and adds it to the pool.
func (z *fuzzer) fillProject(ctx context.Context) error {
	const project = "/projects/{id}"
	for _, thing := range []struct{ send, body, member, item string }{
		{"POST /projects/<fuzz_project>/repository/commits", `{"branch":"feature","start_branch":"main","commit_message":"Change",
			"actions":[{"action":"create","file_path":"a.txt","content":"a\n"}]}`, "id", project + "/repository/commits/{sha}"},
		{"POST /projects/<fuzz_project>/issues", `{"title":"An issue"}`, "iid", project + "/issues/{issue_iid}"},
		{
			"POST /projects/<fuzz_project>/merge_requests", `{"source_branch":"feature","target_branch":"main","title":"A change"}`, "iid",
			project + "/merge_requests/{merge_request_iid}",
		},
		{"POST /projects/<fuzz_project>/issues/1/notes", `{"body":"A note"}`, "id", project + "/issues/{issue_iid}/notes/{note_id}"},
		{
			"POST /projects/<fuzz_project>/issues/1/discussions", `{"body":"A question"}`, "id",
			project + "/issues/{issue_iid}/discussions/{discussion_id}",
		},
		{"POST /projects/<fuzz_project>/labels", `{"name":"a label","color":"#112233"}`, "name", project + "/labels/{name}"},
		{"POST /projects/<fuzz_project>/milestones", `{"title":"A milestone"}`, "id", project + "/milestones/{milestone_id}"},
	} {
		made, err := z.session.Call(ctx, fuzzUser, thing.send, thing.body, 201)
		if err != nil {
			return err
		}
		z.remember(thing.item, made.Member(thing.member))
	}
	return nil
}

// fuzzUser is the user of the current round.
const fuzzUser Caller = "fuzz"

// fillPool sets the values that the first requests may name.
func (z *fuzzer) fillPool() error {
	z.pool = map[string][]string{}
	for _, known := range []struct{ value, path string }{
		{"fuzz_project", "/projects/{id}"},
		{"fuzz_group", "/groups/{id}"},
		{"fuzz_id", "/users/{id}"},
		{"guest_id", "/users/{id}"},
		{"guest_id", "/projects/{id}/members/{user_id}"},
		{"guest_id", "/groups/{id}/members/{user_id}"},
	} {
		value, err := z.session.values.get(known.value)
		if err != nil {
			return err
		}
		z.pool[known.path] = append(z.pool[known.path], value)
	}
	z.pool["/projects/{id}/repository/branches/{branch}"] = []string{"main"}
	z.pool["/projects/{id}/repository/files/{file_path}"] = []string{"README.md"}
	return nil
}
