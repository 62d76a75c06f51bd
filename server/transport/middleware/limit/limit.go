// Package limit counts requests against rate limits: in memory, or in the database if several processes share it.
package limit

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"svc/store"
	"svc/store/clock"
)

// Rule is the largest number of requests of a caller in a window of time. A rule with Most 0 is off.
type Rule struct {
	Name         string
	Max          int
	Window       time.Duration
	Text         string // the error message, if the contract has one
	AllProjects  bool   // counted over all projects together
	ExemptAdmins bool   // administrators are not counted
	ByOperation  bool   // the operation itself counts, because only some of its responses count
}

// Current returns a rule as it is now; its numbers may change while the service runs. Nil is a rule that is off.
type Current func() Rule

// Rule returns the rule as it is now.
func (c Current) Rule() Rule {
	if c == nil {
		return Rule{}
	}
	return c()
}

// Fixed returns a rule that never changes.
func Fixed(r Rule) Current { return func() Rule { return r } }

// Named holds the limits of single operations, by the name that x-limit in the OpenAPI document uses. The number of
// requests of each is a setting.
var Named = map[string]Rule{
	"archive":         {Window: time.Minute, Text: "This archive has been requested too many times. Try again later."},
	"changelog":       {Window: time.Minute, Text: "This changelog has been requested too many times. Try again later."},
	"export":          {Window: time.Minute},
	"export_download": {Window: time.Minute, ByOperation: true}, // once there is an archive
	"hook_test":       {Window: time.Minute},
	"import":          {Window: time.Minute},
	"jobs":            {Window: time.Minute, AllProjects: true},
	"notes":           {Window: time.Minute, AllProjects: true},
	"large_blob":      {Window: time.Minute, ByOperation: true}, // files over 10 MiB
	"search":          {Window: time.Minute, AllProjects: true},
	"tracked_event":   {Window: time.Minute},
	"users":           {Window: 10 * time.Minute, AllProjects: true, ExemptAdmins: true},
}

// Sizes holds the number of requests that each named limit allows; a limit without a number is off.
type Sizes map[string]int

// Rule returns a named limit with its number of requests.
func (s Sizes) Rule(name string) Rule {
	rule := Named[name]
	rule.Name, rule.Max = name, s[name]
	return rule
}

// Hint describes a named limit for a caller who has exceeded it.
func (r Rule) Hint() string {
	window := "minute"
	if r.Window != time.Minute {
		window = strconv.Itoa(int(r.Window.Minutes())) + " minutes"
	}
	return fmt.Sprintf("The limit is %d requests per %s. An administrator can change it with the setting limit-%s.",
		r.Max, window, strings.ReplaceAll(r.Name, "_", "-"))
}

// How often one address may try a password: on pages, in the OAuth password grant, and over git.
var (
	PasswordPages = Rule{Name: "sign_in", Max: 60, Window: time.Minute}
	PasswordGrant = Rule{Name: "password_grant", Max: 60, Window: time.Minute}
	PasswordGit   = Rule{Name: "git_password", Max: 60, Window: time.Minute}
)

// RawFile is how often one file of a project can be downloaded at the address of its page, by all callers together.
var RawFile = Rule{Name: "raw_file", Max: 300, Window: time.Minute, Text: "You cannot access the raw file. Please wait a minute."}

// CodePages is how often a caller can open pages that make git read much: searches in code, and the origin of lines.
var CodePages = Rule{Name: "code_pages", Max: 60, Window: time.Minute}

// Result is the state of a limit after a request was counted.
type Result struct {
	Rule     Rule
	Observed int64
	Reset    time.Time // when the window ends
	now      time.Time // when the request was counted
}

// Over reports whether the request exceeds the limit.
func (r Result) Over() bool { return r.Rule.Max > 0 && r.Observed > int64(r.Rule.Max) }

// Wait returns the seconds until the next window begins, at least one.
func (r Result) Wait() int { return max(1, int(math.Ceil(r.Reset.Sub(r.now).Seconds()))) }

// Remaining returns the number of requests left in the window.
func (r Result) Remaining() int64 { return max(0, int64(r.Rule.Max)-r.Observed) }

// Header returns the headers that describe a limit: how many requests it allows per minute, how many were counted, and
// when the window ends; over the limit also how long to wait.
func (r Result) Header() map[string]string {
	perMinute := math.Round(float64(r.Rule.Max) / r.Rule.Window.Minutes())
	h := map[string]string{
		"RateLimit-Limit":     strconv.FormatInt(int64(perMinute), 10),
		"RateLimit-Name":      r.Rule.Name,
		"RateLimit-Observed":  strconv.FormatInt(r.Observed, 10),
		"RateLimit-Remaining": strconv.FormatInt(r.Remaining(), 10),
		"RateLimit-Reset":     strconv.FormatInt(r.Reset.Unix(), 10),
	}
	if r.Over() {
		h["RateLimit-ResetTime"] = r.Reset.UTC().Format(http.TimeFormat)
		h["Retry-After"] = strconv.Itoa(r.Wait())
	}
	return h
}

// Counter adds requests to the count of a key in a window and returns the new count.
type Counter func(ctx context.Context, key string, start, end time.Time, more int64) (int64, error)

// Limiter counts requests.
type Limiter struct{ memory *windowCounter }

// New returns a limiter. It counts in the database if several processes can share it, else in memory.
func New(st *store.Store) *Limiter {
	if st.Postgres() {
		return &Limiter{newMemory(st.RateCounters.Add)}
	}
	return &Limiter{newMemory(nil)}
}

// shares divides a limit: a process reserves this fraction of the limit in the database at once, so that with a high
// limit not every request needs a write. Other processes cannot use requests that one process has reserved but not
// used.
const shares = 60

// Take counts one request of a caller. Windows are the same for all processes: they begin at multiples of their length.
func (l *Limiter) Take(ctx context.Context, rule Rule, caller string) (Result, error) {
	now := clock.Now(ctx).UTC()
	start := now.Truncate(rule.Window)
	res := Result{Rule: rule, Reset: start.Add(rule.Window), now: now}
	if rule.Max <= 0 {
		return res, nil
	}
	var err error
	res.Observed, err = l.memory.take(ctx, rule.Name+":"+caller, start, res.Reset, max(int64(rule.Max/shares), 1))
	return res, err
}

// Expire deletes the counters of windows that have ended from the database.
func Expire(ctx context.Context, st *store.Store, now time.Time) error {
	_, err := st.RateCounters.DeleteExpired(ctx, now.UTC())
	return err
}
