// Package limit counts requests against limits, in memory or, where several processes share one database, in it.
package limit

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"svc/store"
)

// Rule is how many requests a caller may make in a window of time. A rule with Most 0 is off.
type Rule struct {
	Name       string
	Most       int
	Window     time.Duration
	Text       string // of the refusal, where the contract has one
	Everywhere bool   // counted over all projects, not for each of them
	Exempt     bool   // administrators are not counted
}

// Named are the limits of single operations, as x-limit in the YAML names them. How many requests each takes is a setting.
var Named = map[string]Rule{
	"archive":         {Window: time.Minute, Text: "This archive has been requested too many times. Try again later."},
	"changelog":       {Window: time.Minute, Text: "This changelog has been requested too many times. Try again later."},
	"export":          {Window: time.Minute},
	"export_download": {Window: time.Minute},
	"import":          {Window: time.Minute},
	"jobs":            {Window: time.Minute, Everywhere: true},
	"notes":           {Window: time.Minute, Everywhere: true},
	"large_blob":      {Window: time.Minute}, // over 10 MB
	"tracked_event":   {Window: time.Minute},
	"users":           {Window: 10 * time.Minute, Everywhere: true, Exempt: true},
}

// Sizes are the numbers of requests that the named limits take, by name; a limit without one is off.
type Sizes map[string]int

// Rule is a named limit with its size.
func (s Sizes) Rule(name string) Rule {
	rule := Named[name]
	rule.Name, rule.Most = name, s[name]
	return rule
}

// How often one address may try a password, on pages, where applications send one, and over git.
var (
	PasswordPages = Rule{Name: "sign_in", Most: 60, Window: time.Minute}
	PasswordGrant = Rule{Name: "password_grant", Most: 60, Window: time.Minute}
	PasswordGit   = Rule{Name: "git_password", Most: 60, Window: time.Minute}
)

// Result is what a count says.
type Result struct {
	Rule     Rule
	Observed int64
	Reset    time.Time // when the window ends
}

// Over tells whether the request is one too many.
func (r Result) Over() bool { return r.Rule.Most > 0 && r.Observed > int64(r.Rule.Most) }

// Wait is how many seconds it takes until the next window begins, at least one.
func (r Result) Wait() int { return max(1, int(math.Ceil(time.Until(r.Reset).Seconds()))) }

// Remaining is how many requests are left in the window.
func (r Result) Remaining() int64 { return max(0, int64(r.Rule.Most)-r.Observed) }

// Header returns the headers that describe a limit: how many requests it takes in a minute, how many were counted, and when it begins
// anew; over the limit also how long to wait.
func (r Result) Header() map[string]string {
	perMinute := math.Round(float64(r.Rule.Most) / r.Rule.Window.Minutes())
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

// Counter counts some more requests of a key in a window and returns the count.
type Counter func(ctx context.Context, key string, start, end time.Time, more int64) (int64, error)

// Limiter counts requests.
type Limiter struct{ memory *memory }

// New counts in the database when several processes may share it, else in memory.
func New(st *store.Store) *Limiter {
	if st.Postgres() {
		return &Limiter{newMemory(st.RateCounters.Add)}
	}
	return &Limiter{newMemory(nil)}
}

// share is the part of a limit that a process takes out of the database at once: of generous limits not every request need write.
// What one process has taken and not used is missing to the others.
const share = 60

// Take counts one request of a caller. Windows are the same for all processes: they begin at multiples of their length.
func (l *Limiter) Take(ctx context.Context, rule Rule, caller string) (Result, error) {
	start := time.Now().UTC().Truncate(rule.Window)
	res := Result{Rule: rule, Reset: start.Add(rule.Window)}
	if rule.Most <= 0 {
		return res, nil
	}
	var err error
	res.Observed, err = l.memory.take(ctx, rule.Name+":"+caller, start, res.Reset, max(int64(rule.Most/share), 1))
	return res, err
}
