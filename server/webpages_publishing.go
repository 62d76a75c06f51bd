package server

import (
	"svc/server/domain/repository/wiki"
	"svc/server/domain/snippet"
	"svc/server/platform/highlight"
	"svc/server/transport/web/adminpages"
	"svc/server/transport/web/flagpages"
	"svc/server/transport/web/monitoringpages"
	"svc/server/transport/web/packagepages"
	"svc/server/transport/web/page"
	"svc/server/transport/web/releasepages"
	"svc/server/transport/web/snippetpages"
	"svc/server/transport/web/wikipages"
)

// newPublishingPages returns the pages of what projects publish beside their code, and those of administrators.
func newPublishingPages(d dependencies, highlighter *highlight.Highlighter) []page.Package {
	return []page.Package{
		wikipages.New(wiki.NewService(d.store, d.sideRepositories, d.writer, d.hookAnnouncer)),
		snippetpages.New(snippetpages.Dependencies{
			Store: d.store, Access: d.access, Highlight: highlighter,
			Snippets: snippet.New(d.store, d.sideRepositories, d.writer),
		}),
		releasepages.New(releasepages.Dependencies{Store: d.store, Releases: d.releases, Pusher: d.pusher}),
		packagepages.New(packagepages.Dependencies{Store: d.store, Packages: d.packages, URL: d.cfg.URL}),
		monitoringpages.New(monitoringpages.Dependencies{
			Store: d.store, Alerts: d.alerts, Errors: d.errorTracking, URL: d.cfg.URL,
		}),
		flagpages.New(flagpages.Dependencies{Store: d.store, Flags: d.featureFlags, URL: d.cfg.URL}),
		adminpages.New(adminpages.Dependencies{
			Store: d.store, Accounts: d.accounts, Repositories: d.repositories, Settings: d.live.Get, Built: d.built,
			Paid: d.show.Paid, Checks: []adminpages.Check{
				{Name: "Database", Run: d.store.Ping},
				{Name: "Background jobs", Run: d.worker.Check},
				{Name: "Storage", Run: d.storages.check},
			},
		}),
	}
}
