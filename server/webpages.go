package server

import (
	"context"
	"slices"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/highlight"
	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/web/cipages"
	"svc/server/transport/web/hookpages"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/issuepages"
	"svc/server/transport/web/mergerequestpages"
	"svc/server/transport/web/page"
	"svc/server/transport/web/planningpages"
	"svc/server/transport/web/projectpages"
)

// newPagePackages returns the packages of pages, in the order in which they add links to navigations.
func newPagePackages(d dependencies) []page.Package {
	highlighter := highlight.New()
	code := projectpages.New(projectpages.Dependencies{
		Store: d.store, Repositories: d.storages.repositories, Highlighter: highlighter, Search: d.searcher, URL: d.cfg.URL,
		SSHPort: d.cfg.SSHURLPort(), SSH: d.cfg.SSHListen != "", Limit: codePageLimit(d.limiter),
	})
	return slices.Concat(
		[]page.Package{code}, newIssuablePages(d), newCIPages(d), newPlacePages(d), newPublishingPages(d, highlighter),
	)
}

// newIssuablePages returns the pages of issues and merge requests, and of what both share.
func newIssuablePages(d dependencies) []page.Package {
	issuables := newIssuableServices(d)
	parts := &issuablepages.Parts{Store: d.store, Notes: issuables.notes, Issuables: d.issuables}
	epics := issuables.epics
	if !d.show.Paid {
		epics = nil
	}
	return []page.Package{
		issuepages.New(parts, issuables.issues),
		mergerequestpages.New(mergerequestpages.Dependencies{
			Parts: parts, Access: d.access, Service: issuables.mergeRequests, Merger: d.merger, Viewer: issuables.viewer,
		}),
		planningpages.New(d.store, issuables.milestones, issuables.labels, epics),
	}
}

// newCIPages returns the pages of pipelines and of webhooks.
func newCIPages(d dependencies) []page.Package {
	return []page.Package{
		cipages.New(cipages.Dependencies{
			Store: d.store, Access: d.access, Engine: d.engine, Launcher: d.launcher, Pusher: d.pusher, Writer: d.writer,
			Logs: d.jobLogs, Artifacts: d.artifacts, Reports: d.reports, Schedules: d.schedules, Environments: d.environments,
			Variables: d.variables, Runners: d.runners, Triggers: d.triggers, URL: d.cfg.URL,
		}),
		hookpages.New(hookpages.Dependencies{
			Store: d.store, Hooks: d.hooks, Limit: perCaller(d.limiter, d.namedLimit("hook_test")),
		}),
	}
}

// codePageLimit limits how often a caller opens pages that make git read much.
func codePageLimit(limiter *limit.Limiter) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		info := reqctx.Of(ctx)
		caller := info.IP.String()
		if info.Actor != nil {
			caller = strconv.FormatInt(info.Actor.User.ID, 10)
		}
		res, err := limiter.Take(ctx, limit.CodePages, caller)
		if err == nil && res.Over() {
			err = apierr.TooManyUntil(res.Wait())
		}
		return err
	}
}
