package adminpages

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"svc/server/platform/build"
	"svc/server/transport/web/page"
)

// settings shows the settings in force. Secrets are hidden.
// GET /admin/settings
func (p *Pages) settings(v *page.Visit) error {
	return p.show(v, "settings", "Settings in force", struct{ Settings []slog.Attr }{p.Settings().LogValue().Group()})
}

// checkTime is how long a check may take before it counts as failed.
const checkTime = 2 * time.Second

// healthView is the content of the page about version and health.
type healthView struct {
	Built     build.Info
	Database  string
	Checks    []checkView
	Ready     bool
	Processes []string // that work on background jobs; empty with SQLite, which has one
	Stuck     int      // background jobs that do not advance
}

// checkView is the result of a check.
type checkView struct{ Name, Problem string }

// health shows the version, and whether the service can serve requests now, with the reasons if not.
// GET /admin/health
func (p *Pages) health(v *page.Visit) error {
	ctx, cancel := context.WithTimeout(v.Request().Context(), checkTime)
	defer cancel()
	view := healthView{Built: p.Built, Ready: true, Database: "SQLite"}
	if p.Store.Postgres() {
		view.Database = "PostgreSQL"
	}
	for _, check := range p.Checks {
		shown := checkView{Name: check.Name}
		if err := check.Run(ctx); err != nil {
			shown.Problem, view.Ready = strings.Join(strings.Fields(err.Error()), " "), false
		}
		view.Checks = append(view.Checks, shown)
	}
	var err error
	if view.Processes, err = p.Store.QueueAlive(v.Request().Context(), time.Minute); err != nil {
		return err
	}
	stuck, err := p.Store.QueueStuck(v.Request().Context(), time.Hour, maxStuck)
	if err != nil {
		return err
	}
	view.Stuck = len(stuck)
	return p.show(v, "health", "Version and health", view)
}

// maxStuck is up to which number the page counts jobs that do not advance.
const maxStuck = 100
