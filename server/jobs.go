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
	"svc/server/domain/member"
	"svc/server/domain/mergerequest"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/domain/monitoring/intake"
	"svc/server/domain/repository/lfs"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	sites "svc/server/domain/site"
	"svc/server/domain/site/acme"
	"svc/server/platform/access"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/server/platform/maintenance"
	"svc/server/platform/naming"
	"svc/server/platform/present"
	"svc/server/platform/worker"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/sitehttp"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/secret"
)

// services holds the services that background jobs and requests share.
type services struct {
	work    *worker.Worker
	pusher  *push.Pusher
	keeper  *lifecycle.Repositories
	sides   *lifecycle.SideRepositories
	lfs     *lfs.Store
	tickets lfs.Tickets
	letters *account.Mails
	engine  *engine.Engine
	launch  *launch.Launcher
	logs    *logs.Logs
	files   *artifacts.Service
	exports *export.Service
	queue   *queue.Queue
	bell    *queue.Signal
	events  *events.Recorder
	desk    *issuable.Service
	links   notify.Links

	errorKeys secret.Vault // encrypts client keys of error tracking
	siteKeys  secret.Vault // encrypts private keys of sites
	siteNames naming.Sites
	finder    *sitehttp.Finder // finds sites; nil if sites are off
	prover    *sites.DomainVerifier
	blobStore blob.Store
	merger    *mergerequest.Merger
	alerts    alerts.Dependencies
}

// newServices creates the shared services and registers the background jobs.
func newServices(cfg config.Config, st *store.Store, places *fileStorages, logger *slog.Logger, provider *oauth.Provider) (*services, error) {
	h := &services{bell: queue.NewSignal(), blobStore: places.blobs}
	storages := places.repos
	h.events = events.New(st, func(ctx context.Context, news events.Notification) error { return h.work.Enqueue(ctx, news) })
	h.desk = issuable.New(st, h.events)
	measurer := lifecycle.NewMeasurer(st, storages, logger)
	queued := func(ctx context.Context, job lifecycle.Job) error { return enqueue(ctx, h.work, job, cfg.MoveGrace) }
	h.keeper, h.sides = lifecycle.New(st, storages, measurer, queued), lifecycle.NewSideRepositories(st, storages, queued)
	h.pusher = push.New(st, storages, logger, int64(cfg.MaxPushSize)<<20, push.Follow{
		Each: []push.After{
			func(ctx context.Context, p push.Result) error {
				return h.launch.QueuePush(ctx, launch.Push{
					Project: p.Project, UserID: p.UserID, Batch: p.Batch, Changes: p.Changes, Options: p.Options,
				})
			},
			func(ctx context.Context, p push.Result) error { return h.merger.Pushed(ctx, p) },
		},
		Once: []push.After{
			h.keeper.Pushed, measurer.Pushed,
			func(ctx context.Context, p push.Result) error {
				return h.work.Enqueue(ctx, repositories.Counting{ProjectID: p.ProjectID})
			},
		},
	})
	var err error
	h.lfs = lfs.New(st, places.large, int64(cfg.MaxLFSSize)<<20)
	if h.tickets, err = lfs.NewTickets(cfg.SecretKey); err != nil {
		return nil, err
	}
	jobs := worker.NewJobs()
	if err := errors.Join(h.siteJobs(cfg, st, jobs, logger), h.alertJobs(cfg, st, jobs)); err != nil {
		return nil, err
	}
	maintenance.Register(jobs, st, expiries(st, h.events, provider))
	worker.Handle(jobs, users.Delete(st), worker.Long)
	worker.Handle(jobs, issues.RunNotifyDue(st, h.events), worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, issues.NotifyDue{})
	worker.Handle(jobs, repositories.Count(st, storages), worker.Later)
	worker.Handle(jobs, branches.DeleteMerged(st, h.pusher), worker.Long)
	worker.Handle(jobs, measurer.Run, worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.MeasureJob{})
	gitJobs(jobs, h.pusher, h.keeper, h.sides)
	h.pipelines(st, jobs)
	h.blobs(cfg, st, jobs, logger)
	h.launches(cfg, st, storages, jobs)
	h.merges(cfg, st, jobs)
	built := build.Read()
	h.queue = queue.New(queue.Dependencies{
		Store: st, Engine: h.engine, Artifacts: h.files, Repositories: storages,
		Server: variables.Server{URL: cfg.URL, Version: built.Version, Revision: built.Revision},
		CanSee: access.SeesProject, Signal: h.bell,
	})
	worker.Handle(jobs, keys.ReadSubkeys(st), worker.Upkeep)
	worker.Every(jobs, 24*time.Hour, keys.Subkeys{})
	worker.Handle(jobs, h.lfs.Remove, worker.Upkeep)
	worker.Every(jobs, time.Hour, lfs.Removal{})
	worker.Handle(jobs, h.lfs.Sweep, worker.Upkeep)
	worker.Every(jobs, 24*time.Hour, lfs.Sweep{})
	if err := h.mailJobs(cfg, st, logger, jobs); err != nil {
		return nil, err
	}
	h.work, err = worker.New(st, logger, jobs)
	return h, err
}

// expiries returns what the job that deletes expired rows does, in order.
func expiries(st *store.Store, recorder *events.Recorder, provider *oauth.Provider) []maintenance.Expiry {
	return []maintenance.Expiry{
		// Sessions, mailed tokens, statuses, unconfirmed addresses, idle bot users, locks after wrong passwords.
		{Name: "accounts", Run: func(ctx context.Context, now time.Time) error { return account.Expire(ctx, st, now) }},
		// Memberships, invitations, shares of groups and projects.
		{Name: "members", Run: func(ctx context.Context, now time.Time) error { return member.Expire(ctx, st, now) }},
		// Activity events that are older than three years.
		{Name: "events", Run: recorder.Expire},
		// Counters of rate limits.
		{Name: "rate limits", Run: func(ctx context.Context, now time.Time) error { return limit.Expire(ctx, st, now) }},
		// Errors of error tracking that did not occur for a long time.
		{Name: "tracked errors", Run: func(ctx context.Context, now time.Time) error {
			return st.ErrorTracking.DeleteOld(ctx, now.UTC().Add(-errortracking.Lifetime))
		}},
		// Codes, tokens and grants of OAuth.
		{Name: "oauth", Run: func(ctx context.Context, _ time.Time) error { return provider.Expire(ctx) }},
	}
}

// siteJobs creates the services for sites (names, domain verification, certificates) and the vaults for keys of sites and
// error tracking.
func (h *services) siteJobs(cfg config.Config, st *store.Store, jobs *worker.Jobs, logger *slog.Logger) (err error) {
	h.siteNames = naming.NewSites(cfg.SecretKey)
	h.finder = newFinder(cfg, st, h)
	if h.siteKeys, err = secret.NewVault(cfg.SecretKey, "keys of sites"); err != nil {
		return err
	}
	if h.errorKeys, err = secret.NewVault(cfg.SecretKey, "error tracking"); err != nil {
		return err
	}
	h.prover = sites.NewDomainVerifier(st, cfg.PagesDNS)
	worker.Handle(jobs, h.prover.Run, worker.Network)
	worker.Every(jobs, time.Hour, sites.VerifyDomainsJob{})
	accounts, err := secret.NewVault(cfg.SecretKey, "accounts of authorities")
	if err != nil {
		return err
	}
	issuer, err := acme.New(acme.Dependencies{
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

// alertJobs creates the services that receive alerts.
func (h *services) alertJobs(cfg config.Config, st *store.Store, jobs *worker.Jobs) (err error) {
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
	case lifecycle.MaintainJob, lifecycle.MaintainSideJob:
		return work.EnqueueOnce(ctx, job)
	case lifecycle.Cleanup:
		return work.EnqueueAt(ctx, job, time.Now().Add(grace))
	}
	return work.Enqueue(ctx, job)
}

// gitJobs registers the jobs that maintain repositories.
func gitJobs(jobs *worker.Jobs, pusher *push.Pusher, keeper *lifecycle.Repositories, sides *lifecycle.SideRepositories) {
	worker.Handle(jobs, pusher.RecoverJob, worker.Later)
	worker.Every(jobs, 5*time.Minute, push.Recovery{})
	worker.Handle(jobs, keeper.Fork)
	worker.Handle(jobs, keeper.Maintain, worker.Upkeep)
	worker.Handle(jobs, sides.Maintain, worker.Upkeep)
	worker.Handle(jobs, keeper.Remove, worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.Remove{})
	worker.Handle(jobs, keeper.Sweep, worker.Upkeep)
	worker.Handle(jobs, keeper.Move, worker.Long)
	worker.Handle(jobs, keeper.MoveAll, worker.Long)
	worker.Handle(jobs, keeper.FinishMoves, worker.Upkeep)
	worker.Handle(jobs, keeper.Cleanup, worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.FinishMovesJob{})
	worker.Every(jobs, 12*time.Hour, lifecycle.Sweep{})
}

// pipelines creates the engine that moves jobs and pipelines forward.
func (h *services) pipelines(st *store.Store, jobs *worker.Jobs) {
	h.engine = engine.New(st, h.later, h.bell.Notify)
	worker.Handle(jobs, h.engine.Process)
	worker.Handle(jobs, h.engine.AssignResource)
	worker.Handle(jobs, h.engine.StartDelayed)
	worker.Handle(jobs, h.engine.UpdateBridge)
	worker.Handle(jobs, h.engine.Supersede)
	worker.Handle(jobs, h.engine.DropOverdue)
	worker.Handle(jobs, h.engine.AutoStop)
	worker.Every(jobs, time.Minute, engine.AutoStop{})
	worker.Every(jobs, time.Minute, engine.DropOverdue{})
}

// later queues a job for a time. The zero time means soon.
func (h *services) later(ctx context.Context, job engine.Payload, at time.Time) error {
	if at.IsZero() {
		return h.work.Enqueue(ctx, job)
	}
	return h.work.EnqueueAt(ctx, job, at)
}

// launches creates the launcher of pipelines.
func (h *services) launches(cfg config.Config, st *store.Store, storages *git.Repositories, jobs *worker.Jobs) {
	built := build.Read()
	h.launch = launch.New(launch.Dependencies{
		Store: st, Repos: storages, Engine: h.engine,
		Server: variables.Server{URL: cfg.URL, Version: built.Version, Revision: built.Revision},
		Later:  h.later, CanSee: access.SeesProject, RefAccess: h.pusher.RefAccess, Files: h.files,
	})
	worker.Handle(jobs, h.launch.Pushed)
	worker.Handle(jobs, h.launch.KeepCommit)
	worker.Handle(jobs, h.launch.Bridge)
	worker.Handle(jobs, h.launch.Scheduled)
	worker.Handle(jobs, h.launch.Schedules)
	worker.Every(jobs, time.Minute, launch.Schedules{})
}

// merges creates the service that updates merge requests after pushes and pipelines.
func (h *services) merges(cfg config.Config, st *store.Store, jobs *worker.Jobs) {
	show := present.Presenter{Base: cfg.URL}
	h.merger = mergerequest.New(mergerequest.Dependencies{
		Store: st, Pusher: h.pusher, Launch: h.launch, Events: h.events, Issuables: h.desk, Email: show.AuthorEmail,
		URL: show.MergeRequestURL, Sees: access.SeesProject,
		Enqueue: func(ctx context.Context, job mergerequest.Payload) error { return h.work.Enqueue(ctx, job) },
	})
	worker.Handle(jobs, h.merger.Refresh)
	worker.Handle(jobs, h.merger.RunTarget)
	worker.Handle(jobs, h.merger.RunCheck)
	worker.Handle(jobs, h.merger.AfterMerge)
	worker.Handle(jobs, h.merger.Rebase)
	worker.Handle(jobs, h.merger.PipelineConcluded)
	worker.Handle(jobs, h.merger.CloseMentioned)
	worker.Handle(jobs, h.merger.DeleteRef)
}

// blobs creates the services that store logs and artifacts of jobs, exports of groups, and sites.
func (h *services) blobs(cfg config.Config, st *store.Store, jobs *worker.Jobs, logger *slog.Logger) {
	folder, blobs := blobFolder(cfg), h.blobStore
	h.logs = logs.New(st, blobs, int64(cfg.MaxLogSize)<<20)
	h.files = artifacts.New(st, blobs, int64(cfg.MaxArtifactSize)<<20)
	worker.Handle(jobs, h.files.Expire, worker.Upkeep)
	worker.Every(jobs, 10*time.Minute, artifacts.ExpireJob{})
	worker.Handle(jobs, h.files.Empty, worker.Upkeep)
	worker.Handle(jobs, h.files.RemoveBlobs, worker.Upkeep)
	worker.Every(jobs, time.Minute, artifacts.RemoveBlobsJob{})
	h.exports = export.New(export.Dependencies{
		Store: st, Blobs: blobs, Wikis: h.sides, Logger: logger, TempFolder: filepath.Join(folder, "drafts"),
		Enqueue: func(ctx context.Context, job export.Job) error { return h.work.Enqueue(ctx, job) },
		MaxSize: int64(cfg.MaxImportSize) << 20, OmitWikis: cfg.Tier == "free",
	})
	worker.Handle(jobs, h.exports.RunExport, worker.Long)
	worker.Handle(jobs, h.exports.RunImport, worker.Long)
	worker.Handle(jobs, h.exports.Resume, worker.Upkeep)
	worker.Every(jobs, time.Minute, export.ResumeJob{})
	worker.Handle(jobs, sites.NewPublisher(st, h.engine, h.files, blobs, int64(cfg.MaxPagesSize)<<20, logger).Publish, worker.Long)
}

// runners returns the dependencies of the runner operations.
func (h *services) runners(cfg config.Config) runners.Dependencies {
	return runners.Dependencies{
		Engine: h.engine, Queue: h.queue, Logs: h.logs, Files: h.files, Poll: cfg.RunnerPoll,
		Expire: time.Duration(cfg.ArtifactDays) * 24 * time.Hour,
	}
}

// mailJobs creates the services that send email.
func (h *services) mailJobs(cfg config.Config, st *store.Store, logger *slog.Logger, jobs *worker.Jobs) error {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return err
	}
	office, err := mail.New(mail.Options{
		SMTP: cfg.SMTPURL, From: cfg.Sender(), Host: base.Hostname(), Key: cfg.SecretKey, Logger: logger,
		Queue: func(ctx context.Context, job mail.SendJob) error { return h.work.Enqueue(ctx, job) },
		Each:  func(ctx context.Context, jobs []mail.SendJob) error { return worker.EnqueueEach(ctx, h.work, jobs) },
	})
	if err != nil {
		return err
	}
	worker.Handle(jobs, office.Run, worker.Mail)
	h.letters = account.NewMails(st, office, cfg.URL)
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
func (h *services) sites(cfg config.Config, st *store.Store, judge *access.Access) pages.Dependencies {
	return pages.Dependencies{
		Store: st, Access: judge, Events: h.events, Verifier: h.prover, Vault: h.siteKeys, Enabled: cfg.Pages,
		Host: sites.Host{Own: cfg.Hostname(), Pages: cfg.PagesDomain()},
		URL:  cfg.PagesURL, Names: h.siteNames, TLSOnly: cfg.PagesTLSListen != "" && cfg.PagesTLSCert != "",
	}
}
