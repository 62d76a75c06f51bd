package server

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

	"svc/oauth"
	"svc/server/api/alerts"
	"svc/server/api/branches"
	"svc/server/api/issues"
	"svc/server/api/keys"
	"svc/server/api/pages"
	"svc/server/api/repositories"
	"svc/server/api/runners"
	"svc/server/api/users"
	"svc/server/domain/account"
	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/logs"
	"svc/server/domain/ci/queue"
	"svc/server/domain/ci/variables"
	"svc/server/domain/discussion/notify"
	"svc/server/domain/group/export"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/domain/monitoring/intake"
	"svc/server/domain/repository/lfs"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/measure"
	"svc/server/domain/repository/push"
	sites "svc/server/domain/site"
	"svc/server/domain/site/acme"
	"svc/server/domain/upkeep"
	"svc/server/platform/access"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/server/platform/naming"
	"svc/server/platform/present"
	"svc/server/platform/worker"
	"svc/server/transport/sitehttp"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/secret"
)

// hand holds the services that background jobs and requests share.
type hand struct {
	work    *worker.Worker
	pusher  *push.Pusher
	keeper  *lifecycle.Keeper
	sides   *lifecycle.Sides
	large   *lfs.Keeper
	tickets lfs.Tickets
	letters *account.Letters
	engine  *engine.Engine
	launch  *launch.Launcher
	logs    *logs.Logs
	files   *artifacts.Keeper
	parcels *export.Keeper
	queue   *queue.Queue
	bell    *queue.Bell
	events  *events.Recorder
	desk    *issuable.Desk
	links   notify.Links

	errorKeys secret.Vault // encrypts client keys of error tracking
	siteKeys  secret.Vault // encrypts private keys of sites
	siteNames naming.Sites
	finder    *sitehttp.Finder // finds sites; nil if sites are off
	prover    *sites.Prover
	blobStore blob.Store
	merger    *mergerequest.Merger
	alerts    alerts.Parts
}

// newHand creates the shared services and registers the background jobs.
func newHand(cfg config.Config, st *store.Store, places *places, logger *slog.Logger, provider *oauth.Provider) (*hand, error) {
	h := &hand{bell: queue.NewBell(), blobStore: places.blobs}
	storages := places.repos
	h.events = events.New(st, func(ctx context.Context, news events.News) error { return h.work.Enqueue(ctx, news) })
	h.desk = issuable.New(st, h.events)
	meter := measure.New(st, storages, logger)
	queued := func(ctx context.Context, job lifecycle.Job) error { return enqueue(ctx, h.work, job, cfg.MoveGrace) }
	h.keeper, h.sides = lifecycle.New(st, storages, meter, queued), lifecycle.NewSides(st, storages, queued)
	h.pusher = push.New(st, storages, logger, int64(cfg.MaxPushSize)<<20, push.Follow{
		Each: []push.After{
			func(ctx context.Context, p push.Result) error {
				return h.launch.After(ctx, launch.Push{
					Project: p.Project, UserID: p.UserID, Batch: p.Batch, Changes: p.Changes, Options: p.Options,
				})
			},
			func(ctx context.Context, p push.Result) error { return h.merger.Pushed(ctx, p) },
		},
		Once: []push.After{
			h.keeper.Pushed, meter.Pushed,
			func(ctx context.Context, p push.Result) error {
				return h.work.Enqueue(ctx, repositories.Counting{ProjectID: p.ProjectID})
			},
		},
	})
	var err error
	h.large = lfs.New(st, places.large, int64(cfg.MaxLFSSize)<<20)
	if h.tickets, err = lfs.NewTickets(cfg.SecretKey); err != nil {
		return nil, err
	}
	jobs := worker.NewJobs()
	if err := errors.Join(h.names(cfg, st, jobs, logger), h.reports(cfg, st, jobs)); err != nil {
		return nil, err
	}
	upkeep.Register(jobs, st, provider.Expire)
	worker.Handle(jobs, users.Delete(st), worker.Long)
	worker.Handle(jobs, issues.TellDue(st, h.events), worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, issues.Due{})
	worker.Handle(jobs, repositories.Count(st, storages), worker.Later)
	worker.Handle(jobs, branches.DeleteMerged(st, h.pusher), worker.Long)
	worker.Handle(jobs, meter.Run, worker.Upkeep)
	worker.Every(jobs, time.Minute, measure.Changed{})
	gitJobs(jobs, h.pusher, h.keeper, h.sides)
	h.pipelines(st, jobs)
	h.blobs(cfg, st, jobs, logger)
	h.launches(cfg, st, storages, jobs)
	h.merges(cfg, st, jobs)
	built := build.Read()
	h.queue = queue.New(
		st, h.engine, h.files, storages,
		variables.Server{URL: cfg.URL, Version: built.Version, Revision: built.Revision}, access.SeesProject, h.bell,
	)
	worker.Handle(jobs, keys.ReadSubkeys(st), worker.Upkeep)
	worker.Every(jobs, 24*time.Hour, keys.Subkeys{})
	worker.Handle(jobs, h.large.Remove, worker.Upkeep)
	worker.Every(jobs, time.Hour, lfs.Removal{})
	worker.Handle(jobs, h.large.Sweep, worker.Upkeep)
	worker.Every(jobs, 24*time.Hour, lfs.Sweep{})
	if err := h.post(cfg, st, logger, jobs); err != nil {
		return nil, err
	}
	h.work, err = worker.New(st, logger, jobs)
	return h, err
}

// names creates the services for sites (names, domain verification, certificates) and the vaults for keys of sites and
// error tracking.
func (h *hand) names(cfg config.Config, st *store.Store, jobs *worker.Jobs, logger *slog.Logger) (err error) {
	h.siteNames = naming.NewSites(cfg.SecretKey)
	h.finder = newFinder(cfg, st, h)
	if h.siteKeys, err = secret.NewVault(cfg.SecretKey, "keys of sites"); err != nil {
		return err
	}
	if h.errorKeys, err = secret.NewVault(cfg.SecretKey, "error tracking"); err != nil {
		return err
	}
	h.prover = sites.NewProver(st, cfg.PagesDNS)
	worker.Handle(jobs, h.prover.Run, worker.Network)
	worker.Every(jobs, time.Hour, sites.Proofs{})
	accounts, err := secret.NewVault(cfg.SecretKey, "accounts of authorities")
	if err != nil {
		return err
	}
	issuer, err := acme.New(acme.Options{
		Store: st, Accounts: accounts, Keys: h.siteKeys, Directory: cfg.ACMEDirectory, Email: cfg.ACMEEmail, CA: cfg.ACMECA, Logger: logger,
		Queue: func(ctx context.Context, order acme.Order) error { return h.work.Enqueue(ctx, order) },
	})
	if err != nil {
		return err
	}
	worker.Handle(jobs, issuer.Round, worker.Network)
	worker.Handle(jobs, issuer.Order, worker.Network)
	worker.Every(jobs, time.Minute, acme.Round{})
	return nil
}

// reports creates the services that receive alerts.
func (h *hand) reports(cfg config.Config, st *store.Store, jobs *worker.Jobs) (err error) {
	h.alerts.Intake = intake.New(
		st, cfg.Tier != "free",
		func(ctx context.Context, job intake.Incident) error { return h.work.Enqueue(ctx, job) },
	)
	h.alerts.Incidents = intake.NewIncidents(st, h.desk, h.events)
	worker.Handle(jobs, h.alerts.Incidents.Run)
	h.alerts.Vault, err = secret.NewVault(cfg.SecretKey, "alert integrations")
	return err
}

// enqueue queues a repository job. Many pushes that ask for the same maintenance queue it only once. The old copy of a
// moved repository is removed after the grace period.
func enqueue(ctx context.Context, work *worker.Worker, job lifecycle.Job, grace time.Duration) error {
	switch job.(type) {
	case lifecycle.Care, lifecycle.SideCare:
		return work.EnqueueOnce(ctx, job)
	case lifecycle.Cleanup:
		return work.EnqueueAt(ctx, job, time.Now().Add(grace))
	}
	return work.Enqueue(ctx, job)
}

// gitJobs registers the jobs that maintain repositories.
func gitJobs(jobs *worker.Jobs, pusher *push.Pusher, keeper *lifecycle.Keeper, sides *lifecycle.Sides) {
	worker.Handle(jobs, pusher.RecoverJob, worker.Later)
	worker.Every(jobs, 5*time.Minute, push.Recovery{})
	worker.Handle(jobs, keeper.Fork)
	worker.Handle(jobs, keeper.Care, worker.Upkeep)
	worker.Handle(jobs, sides.Care, worker.Upkeep)
	worker.Handle(jobs, keeper.Remove, worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.Remove{})
	worker.Handle(jobs, keeper.Sweep, worker.Upkeep)
	worker.Handle(jobs, keeper.Move, worker.Long)
	worker.Handle(jobs, keeper.MoveAll, worker.Long)
	worker.Handle(jobs, keeper.Moves, worker.Upkeep)
	worker.Handle(jobs, keeper.Cleanup, worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.Moves{})
	worker.Every(jobs, 12*time.Hour, lifecycle.Sweep{})
}

// pipelines creates the engine that moves jobs and pipelines forward.
func (h *hand) pipelines(st *store.Store, jobs *worker.Jobs) {
	h.engine = engine.New(st, h.later, h.bell.Ring)
	worker.Handle(jobs, h.engine.Process)
	worker.Handle(jobs, h.engine.Resource)
	worker.Handle(jobs, h.engine.Due)
	worker.Handle(jobs, h.engine.Upstream)
	worker.Handle(jobs, h.engine.Supersede)
	worker.Handle(jobs, h.engine.Overdue)
	worker.Handle(jobs, h.engine.AutoStop)
	worker.Every(jobs, time.Minute, engine.AutoStop{})
	worker.Every(jobs, time.Minute, engine.Overdue{})
}

// later queues a job for a time. The zero time means soon.
func (h *hand) later(ctx context.Context, job engine.Payload, at time.Time) error {
	if at.IsZero() {
		return h.work.Enqueue(ctx, job)
	}
	return h.work.EnqueueAt(ctx, job, at)
}

// launches creates the launcher of pipelines.
func (h *hand) launches(cfg config.Config, st *store.Store, storages *git.Repositories, jobs *worker.Jobs) {
	built := build.Read()
	h.launch = launch.New(launch.Parts{
		Store: st, Repos: storages, Engine: h.engine,
		Server: variables.Server{URL: cfg.URL, Version: built.Version, Revision: built.Revision},
		Later:  h.later, Sees: access.SeesProject, Runs: h.pusher.Runs, Files: h.files,
	})
	worker.Handle(jobs, h.launch.Pushed)
	worker.Handle(jobs, h.launch.Kept)
	worker.Handle(jobs, h.launch.Bridge)
	worker.Handle(jobs, h.launch.Scheduled)
	worker.Handle(jobs, h.launch.Schedules)
	worker.Every(jobs, time.Minute, launch.Schedules{})
}

// merges creates the service that updates merge requests after pushes and pipelines.
func (h *hand) merges(cfg config.Config, st *store.Store, jobs *worker.Jobs) {
	show := present.Presenter{Base: cfg.URL}
	h.merger = mergerequest.New(mergerequest.Parts{
		Store: st, Pusher: h.pusher, Launch: h.launch, Events: h.events, Desk: h.desk, Email: show.AuthorEmail,
		URL: show.MergeRequestURL, Sees: access.SeesProject,
		Soon: func(ctx context.Context, job mergerequest.Payload) error { return h.work.Enqueue(ctx, job) },
	})
	worker.Handle(jobs, h.merger.Refresh)
	worker.Handle(jobs, h.merger.Target)
	worker.Handle(jobs, h.merger.Checking)
	worker.Handle(jobs, h.merger.After)
	worker.Handle(jobs, h.merger.Rebase)
	worker.Handle(jobs, h.merger.Concluded)
	worker.Handle(jobs, h.merger.Mentions)
	worker.Handle(jobs, h.merger.Withdraw)
}

// blobs creates the services that store logs and artifacts of jobs, exports of groups, and sites.
func (h *hand) blobs(cfg config.Config, st *store.Store, jobs *worker.Jobs, logger *slog.Logger) {
	folder, blobs := blobFolder(cfg), h.blobStore
	h.logs = logs.New(st, blobs, int64(cfg.MaxLogSize)<<20)
	h.files = artifacts.New(st, blobs, int64(cfg.MaxArtifactSize)<<20)
	worker.Handle(jobs, h.files.Expire, worker.Upkeep)
	worker.Every(jobs, 10*time.Minute, artifacts.Expiry{})
	worker.Handle(jobs, h.files.Empty, worker.Upkeep)
	worker.Handle(jobs, h.files.Remove, worker.Upkeep)
	worker.Every(jobs, time.Minute, artifacts.Removal{})
	h.parcels = export.New(st, blobs, filepath.Join(folder, "drafts"), int64(cfg.MaxImportSize)<<20, h.sides,
		func(ctx context.Context, job export.Job) error { return h.work.Enqueue(ctx, job) }, logger)
	if cfg.Tier == "free" {
		h.parcels.WithoutWikis()
	}
	worker.Handle(jobs, h.parcels.RunExport, worker.Long)
	worker.Handle(jobs, h.parcels.RunImport, worker.Long)
	worker.Handle(jobs, h.parcels.Rest, worker.Upkeep)
	worker.Every(jobs, time.Minute, export.Rest{})
	worker.Handle(jobs, sites.NewPublisher(st, h.engine, h.files, blobs, int64(cfg.MaxPagesSize)<<20, logger).Publish, worker.Long)
}

// runners returns the dependencies of the runner operations.
func (h *hand) runners(cfg config.Config) runners.Parts {
	return runners.Parts{
		Engine: h.engine, Queue: h.queue, Logs: h.logs, Files: h.files, Poll: cfg.RunnerPoll,
		Expire: time.Duration(cfg.ArtifactDays) * 24 * time.Hour,
	}
}

// post creates the services that send email.
func (h *hand) post(cfg config.Config, st *store.Store, logger *slog.Logger, jobs *worker.Jobs) error {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return err
	}
	office, err := mail.New(mail.Options{
		SMTP: cfg.SMTPURL, From: cfg.Sender(), Host: base.Hostname(), Key: cfg.SecretKey, Logger: logger,
		Queue: func(ctx context.Context, job mail.Sending) error { return h.work.Enqueue(ctx, job) },
		Each:  func(ctx context.Context, jobs []mail.Sending) error { return worker.EnqueueEach(ctx, h.work, jobs) },
	})
	if err != nil {
		return err
	}
	worker.Handle(jobs, office.Run, worker.Mail)
	h.letters = account.NewLetters(st, office, cfg.URL)
	worker.Handle(jobs, h.letters.Run)
	if h.links, err = notify.NewLinks(cfg.SecretKey); err != nil {
		return err
	}
	teller, err := notify.New(st, office, cfg.URL, h.links)
	if err != nil {
		return err
	}
	worker.Handle(jobs, teller.Run, worker.Later)
	return nil
}

// sites returns the dependencies of the Pages operations.
func (h *hand) sites(cfg config.Config, st *store.Store, judge *access.Access) pages.Parts {
	return pages.Parts{
		Store: st, Access: judge, Events: h.events, Prover: h.prover, Vault: h.siteKeys, On: cfg.Pages,
		Host: sites.Host{Own: cfg.Hostname(), Pages: cfg.PagesDomain()},
		URL:  cfg.PagesURL, Names: h.siteNames, Force: cfg.PagesTLSListen != "" && cfg.PagesTLSCert != "",
	}
}
