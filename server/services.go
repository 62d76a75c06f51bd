package server

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

	"svc/oauth"
	"svc/server/domain/account"
	"svc/server/domain/auditstream"
	"svc/server/domain/bulkimport"
	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/environment"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/logs"
	"svc/server/domain/ci/queue"
	"svc/server/domain/ci/report"
	"svc/server/domain/ci/runner"
	"svc/server/domain/ci/schedule"
	"svc/server/domain/ci/signal"
	"svc/server/domain/ci/trigger"
	"svc/server/domain/ci/variables"
	"svc/server/domain/ci/variablestore"
	"svc/server/domain/discussion/notify"
	"svc/server/domain/featureflag"
	"svc/server/domain/group"
	"svc/server/domain/group/export"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/domain/mergerequest/statuscheck/manage"
	"svc/server/domain/monitoring/alert"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/domain/monitoring/intake"
	"svc/server/domain/packages"
	"svc/server/domain/project"
	projectexport "svc/server/domain/project/export"
	"svc/server/domain/relationexport"
	"svc/server/domain/release"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lfs"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/domain/repository/remote"
	"svc/server/domain/search"
	"svc/server/domain/securefile"
	"svc/server/domain/site"
	"svc/server/domain/site/acme"
	"svc/server/domain/terraform"
	"svc/server/domain/upload"
	"svc/server/domain/webhook"
	"svc/server/domain/webhook/announce"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/access"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/server/platform/naming"
	"svc/server/platform/outbound"
	"svc/server/platform/telemetry"
	"svc/server/platform/worker"
	"svc/server/transport/sitehttp"
	"svc/store"
	"svc/store/cache"
	"svc/store/clock"
	"svc/store/observe"
	"svc/store/secret"
)

// services holds the services that background jobs and requests share, and what all of them stand on.
type services struct {
	cfg      config.Config // the settings of the start
	live     *config.Live  // the settings in force
	store    *store.Store
	storages *fileStorages
	logger   *slog.Logger
	provider *oauth.Provider
	testing  Testing

	worker    *worker.Worker // set last: it needs all jobs
	recorder  *events.Recorder
	issuables *issuable.Service

	// Repositories.
	repositories     *lifecycle.Repositories
	sideRepositories *lifecycle.SideRepositories // wikis and snippets
	measurer         *lifecycle.Measurer
	pusher           *push.Pusher
	lfs              *lfs.Store
	lfsTickets       lfs.Tickets
	merger           *mergerequest.Merger
	releases         *release.Service

	// CI/CD.
	engine    *engine.Engine
	launcher  *launch.Launcher
	jobLogs   *logs.Logs
	artifacts *artifacts.Service
	jobQueue  *queue.Queue
	jobSignal *signal.Signal // wakes runners that wait for a job

	environments *environment.Service
	reports      *report.Service
	runners      *runner.Service
	schedules    *schedule.Service
	triggers     *trigger.Service
	variables    *variablestore.Service

	// Sites.
	siteVault      secret.Vault // encrypts private keys of sites
	siteNames      naming.Sites
	siteFinder     *sitehttp.Finder // nil if sites are off
	sites          *site.Service
	domainVerifier *site.DomainVerifier
	certificates   *acme.Issuer
	sitePublisher  *site.Publisher

	packages *packages.Service
	searcher *search.Service

	// Mail.
	mailer           *mail.Mailer
	accountMails     *account.Mails
	accounts         *account.Service
	notifier         *notify.Notifier
	unsubscribeLinks notify.Links

	groupExports *export.Service
	remotes      *remote.Service // repositories on other servers
	bulkImports  *bulkimport.Service
	uploads      *upload.Service

	projectExports  *projectexport.Service
	relationExports *relationexport.Service

	// Webhooks.
	hooks         *webhook.Service
	hookClient    *outbound.Client
	statusChecks  *manage.Service
	hookAnnouncer *announce.Announcer

	// Monitoring.
	alertIntake   *intake.Intake
	incidents     *intake.Incidents
	alerts        *alert.Service
	errorTracking *errortracking.Service

	featureFlags *featureflag.Service
	terraform    *terraform.Service
	secureFiles  *securefile.Service

	// Observation; each is nil if it is off.
	exporter    *telemetry.Exporter
	served      served
	tracer      *observe.Tracer
	auditStream *auditstream.Stream
	caches      []func() []cache.Size // whose sizes metrics show
}

// newServices creates the shared services, each after those that it needs, and at last the worker with all jobs.
func newServices(
	live *config.Live, st *store.Store, storages *fileStorages, logger *slog.Logger, provider *oauth.Provider,
	testing Testing,
) (*services, error) {
	cfg := *live.Get()
	s := &services{
		cfg: cfg, live: live, store: st, storages: storages, logger: logger, provider: provider, testing: testing,
		jobSignal: signal.New(),
	}
	if err := s.putSettings(context.Background(), cfg); err != nil {
		return nil, err
	}
	s.recorder = events.New(st, s.enqueueNews).WithHooks(s.enqueueHook)
	s.hookAnnouncer = announce.New(st, storages.repositories, s.recorder, payload.Instance{Base: cfg.URL, SSHPort: cfg.SSHURLPort()})
	s.issuables = issuable.New(st, s.recorder, s.hookAnnouncer)
	s.addRepositories()
	s.addPipelines()
	s.addMerger()
	s.packages = packages.New(st, storages.blobs, int64(cfg.MaxPackageSize)<<20)
	s.searcher = search.New(st, storages.repositories)
	s.addGroupExports()
	s.uploads = upload.New(s.store, s.storages.blobs)
	err := errors.Join(
		s.addMail(), s.addHooks(), s.addRemotes(), s.addBulkImports(), s.addLFS(), s.addProjectExports(), s.addSites(), s.addMonitoring(),
		s.addObservation(),
	)
	if err != nil {
		return nil, err
	}
	s.worker, err = worker.New(st, logger, s.jobs())
	return s, err
}

// addRepositories creates the services that create and maintain repositories and receive pushes.
func (s *services) addRepositories() {
	s.measurer = lifecycle.NewMeasurer(s.store, s.storages.repositories, s.logger)
	s.repositories = lifecycle.New(s.store, s.storages.repositories, s.measurer, s.enqueueRepositoryJob)
	s.sideRepositories = lifecycle.NewSideRepositories(s.store, s.storages.repositories, s.enqueueRepositoryJob)
	s.pusher = push.New(s.store, s.storages.repositories, s.logger, s.pushFollowUps()).
		WithLinks(s.cfg.URL)
	s.releases = release.New(s.store, s.pusher, s.hookAnnouncer, s.recorder)
}

// addLFS creates the service that stores large files.
func (s *services) addLFS() (err error) {
	s.lfs = lfs.New(s.store, s.storages.lfsFiles, int64(s.cfg.MaxLFSSize)<<20)
	s.lfsTickets, err = lfs.NewTickets(s.cfg.SecretKey)
	return err
}

// addPipelines creates the services that start pipelines, move them forward, give jobs to runners, and store logs and
// artifacts.
func (s *services) addPipelines() {
	built := build.Read()
	server := variables.Server{URL: s.cfg.URL, Version: built.Version, Revision: built.Revision}
	s.engine = engine.New(s.store, s.enqueueAt, s.jobSignal).WithHooks(s.hookAnnouncer)
	s.jobLogs = logs.New(s.store, s.storages.blobs, int64(s.cfg.MaxLogSize)<<20)
	s.artifacts = artifacts.New(s.store, s.storages.blobs)
	s.launcher = launch.New(launch.Dependencies{
		Store: s.store, Repos: s.storages.repositories, Engine: s.engine, Server: server, Later: s.enqueueAt,
		Pusher: s.pusher, Files: s.artifacts,
	})
	s.jobQueue = queue.New(queue.Dependencies{
		Store: s.store, Engine: s.engine, Artifacts: s.artifacts, Repositories: s.storages.repositories, Server: server,
		Signal: s.jobSignal, Sign: s.provider.Sign,
	})
	s.environments = environment.New(s.store, s.engine, s.pusher)
	s.reports = report.New(s.store, s.artifacts)
	s.runners = runner.New(runner.Dependencies{
		Store: s.store, Engine: s.engine, Queue: s.jobQueue, Logs: s.jobLogs, Artifacts: s.artifacts,
	})
	s.schedules = schedule.New(s.store, s.launcher)
	s.triggers = trigger.New(s.store)
	s.variables = variablestore.New(s.store)
}

// addMerger creates the service that merges merge requests and updates them after pushes and pipelines.
func (s *services) addMerger() {
	s.merger = mergerequest.NewMerger(mergerequest.Dependencies{
		Store: s.store, Pusher: s.pusher, Launch: s.launcher, Events: s.recorder, Issuables: s.issuables,
		BaseURL: s.cfg.URL, Enqueue: enqueue[mergerequest.Payload](s),
	})
}

// addGroupExports creates the service that exports and imports groups.
func (s *services) addGroupExports() {
	s.groupExports = export.New(export.Dependencies{
		Store: s.store, Blobs: s.storages.blobs, Wikis: s.sideRepositories, Enqueue: enqueue[export.Job](s),
		Logger: s.logger, TempFolder: filepath.Join(BlobFolder(s.cfg), "drafts"),
		OmitWikis: s.cfg.Tier == "free", Hooks: s.hookAnnouncer,
	})
}

// addHooks creates the service that delivers to webhooks.
func (s *services) addHooks() error {
	allow, err := outbound.ParseAllowlist(s.cfg.WebhookAllow)
	if err != nil {
		return err
	}
	s.hookClient = outbound.New(outbound.Options{Allow: allow, OwnURL: s.cfg.URL, Around: s.testing.Webhook})
	s.hooks, err = webhook.New(webhook.Dependencies{
		Store: s.store, Bodies: s.hookAnnouncer, Mailer: s.mailer, Client: s.hookClient,
		URL: s.cfg.URL, UserAgent: "svc/" + build.Read().Version, Logger: s.logger, Enqueue: s.enqueueHookAt,
	}, s.cfg.SecretKey)
	if err != nil {
		return err
	}
	vault, err := secret.NewVault(s.cfg.SecretKey, secret.StatusCheckPurpose)
	s.statusChecks = manage.New(manage.Dependencies{
		Store: s.store, Client: s.hookClient, Bodies: s.hookAnnouncer, Vault: vault, URL: s.cfg.URL,
		UserAgent: "svc/" + build.Read().Version, Logger: s.logger, Enqueue: enqueue[manage.Payload](s),
	})
	return err
}

// addRemotes creates the service that copies repositories of other servers. It has the client of webhooks.
func (s *services) addRemotes() (err error) {
	s.remotes, err = remote.New(remote.Dependencies{
		Store: s.store, Repos: s.storages.repositories, Measurer: s.measurer, Client: s.hookClient,
		Agent: "git/2.0 (svc/" + build.Read().Version + ")", Logger: s.logger, Enqueue: enqueue[remote.Job](s),
		Pusher: s.pusher,
	}, s.cfg.SecretKey)
	return err
}

// addProjectExports creates the service that exports and imports projects, which has the client of webhooks, and the one that
// exports relations of groups and projects.
func (s *services) addProjectExports() (err error) {
	s.projectExports, err = projectexport.New(projectexport.Dependencies{
		Store: s.store, Blobs: s.storages.blobs, Repos: s.storages.repositories, Wikis: s.sideRepositories, Measurer: s.measurer,
		LFS: s.lfs, Client: s.hookClient, Agent: "svc/" + build.Read().Version, Enqueue: enqueue[projectexport.Job](s),
		Logger: s.logger, TempFolder: filepath.Join(BlobFolder(s.cfg), "drafts"),
	}, s.cfg.SecretKey)
	s.relationExports = relationexport.New(relationexport.Dependencies{
		Store: s.store, Blobs: s.storages.blobs, Groups: s.groupExports, Projects: s.projectExports,
		Enqueue: enqueue[relationexport.Job](s), Logger: s.logger,
	})
	return err
}

// addBulkImports creates the service that imports groups and projects from other instances. It has the client of webhooks.
func (s *services) addBulkImports() (err error) {
	permissions, writer := access.New(s.store), commit.New(s.store, s.pusher, s.cfg.URL)
	s.bulkImports, err = bulkimport.New(bulkimport.Dependencies{
		Store: s.store, Access: permissions, Groups: group.NewService(s.store, permissions, s.groupExports, s.hookAnnouncer),
		Projects: project.NewService(s.store, permissions, s.repositories, writer, s.recorder, s.hookAnnouncer), Remotes: s.remotes,
		Client: s.hookClient, Agent: "svc/" + build.Read().Version, Logger: s.logger,
		Enqueue: func(ctx context.Context, job bulkimport.Payload, at time.Time) error {
			if at.IsZero() {
				return s.worker.Enqueue(ctx, job)
			}
			return s.worker.EnqueueAt(ctx, job, at)
		},
	}, s.cfg.SecretKey)
	return err
}

// enqueueHook queues the job that delivers to a webhook.
func (s *services) enqueueHook(ctx context.Context, hookID int64, slow bool) error {
	return s.enqueueHookAt(ctx, hookID, slow, time.Time{})
}

// enqueueHookAt queues the job that delivers to a webhook for a time. The zero time means now.
func (s *services) enqueueHookAt(ctx context.Context, hookID int64, slow bool, at time.Time) error {
	var job worker.Payload = webhook.DeliverJob{HookID: hookID}
	if slow {
		job = webhook.DeliverSlowJob{HookID: hookID}
	}
	if at.IsZero() {
		return s.worker.Enqueue(ctx, job)
	}
	return s.worker.EnqueueAt(ctx, job, at)
}

// addSites creates the services for Pages sites: names, publication, verification of domains, certificates.
func (s *services) addSites() (err error) {
	s.siteNames = naming.NewSites(s.cfg.SecretKey)
	s.siteFinder = newSiteFinder(s.cfg, s.store, s.siteNames)
	s.sitePublisher = site.NewPublisher(
		s.store, s.engine, s.artifacts, s.storages.blobs, s.logger,
	)
	s.domainVerifier = site.NewDomainVerifier(s.store, s.cfg.PagesDNS)
	if s.siteVault, err = secret.NewVault(s.cfg.SecretKey, secret.SiteKeyPurpose); err != nil {
		return err
	}
	s.sites = site.New(s.store, s.recorder, s.domainVerifier, s.siteVault, site.Host{
		Own: s.cfg.Hostname(), Pages: s.cfg.PagesDomain(),
	})
	accounts, err := secret.NewVault(s.cfg.SecretKey, secret.ACMEAccountPurpose)
	if err != nil {
		return err
	}
	s.certificates, err = acme.New(acme.Dependencies{
		Store: s.store, Accounts: accounts, Keys: s.siteVault, Directory: s.cfg.ACMEDirectory, Email: s.cfg.ACMEEmail,
		CA: s.cfg.ACMECA, Logger: s.logger, Queue: enqueue[acme.Order](s),
	})
	return err
}

// addMonitoring creates the services for alerts, error tracking and feature flags.
func (s *services) addMonitoring() error {
	paid := s.cfg.Tier != "free"
	s.alertIntake = intake.New(s.store, paid, enqueue[intake.Incident](s))
	s.incidents = intake.NewIncidents(s.store, s.issuables, s.recorder)
	alertKeys, err := secret.NewVault(s.cfg.SecretKey, secret.AlertPurpose)
	if err != nil {
		return err
	}
	s.alerts = alert.New(s.store, s.alertIntake, s.incidents, s.uploads, alertKeys, paid)
	clientKeys, err := secret.NewVault(s.cfg.SecretKey, secret.ErrorTrackingPurpose)
	if err != nil {
		return err
	}
	s.errorTracking = errortracking.New(s.store, s.recorder, clientKeys)
	instanceIDs, err := secret.NewVault(s.cfg.SecretKey, secret.FeatureFlagsPurpose)
	if err != nil {
		return err
	}
	s.featureFlags = featureflag.New(s.store, instanceIDs, s.hookAnnouncer)
	return s.addEncryptedFiles()
}

// addEncryptedFiles creates the services for Terraform states and secure files.
func (s *services) addEncryptedFiles() error {
	states, err := secret.NewVault(s.cfg.SecretKey, secret.TerraformPurpose)
	if err != nil {
		return err
	}
	s.terraform = terraform.New(s.store, states)
	files, err := secret.NewVault(s.cfg.SecretKey, secret.SecureFilesPurpose)
	s.secureFiles = securefile.New(s.store, files)
	return err
}

// addMail creates the services that send mail.
func (s *services) addMail() error {
	base, err := url.Parse(s.cfg.URL)
	if err != nil {
		return err
	}
	s.mailer, err = mail.New(mail.Options{
		SMTP: s.cfg.SMTPURL, From: s.cfg.Sender(), Host: base.Hostname(), Key: s.cfg.SecretKey, Logger: s.logger,
		Queue: enqueue[mail.SendJob](s),
		Each:  func(ctx context.Context, jobs []mail.SendJob) error { return worker.EnqueueEach(ctx, s.worker, jobs) },
		Keep:  s.testing.Mail,
	})
	if err != nil {
		return err
	}
	s.accountMails = account.NewMails(s.store, s.mailer, s.cfg.URL, s.hookAnnouncer)
	s.accounts = account.New(s.store, s.accountMails, enqueue[account.Deletion](s), s.cfg.Tier != "free")
	if s.unsubscribeLinks, err = notify.NewLinks(s.cfg.SecretKey); err != nil {
		return err
	}
	s.notifier, err = notify.New(s.store, s.mailer, s.cfg.URL, s.unsubscribeLinks)
	return err
}

// enqueue returns a function that queues jobs of one type, in the caller's transaction. Services are created before the
// worker, so the function looks for the worker when it is called.
func enqueue[J worker.Payload](s *services) func(ctx context.Context, job J) error {
	return func(ctx context.Context, job J) error { return s.worker.Enqueue(ctx, job) }
}

// enqueueNews queues news for the job that mails them. Without a mail server nobody would be told.
func (s *services) enqueueNews(ctx context.Context, news events.Notification) error {
	if !s.mailer.Delivers() {
		return nil
	}
	return s.worker.Enqueue(ctx, news)
}

// enqueueAt queues a job of a pipeline for a time. The zero time means soon.
func (s *services) enqueueAt(ctx context.Context, job engine.Payload, at time.Time) error {
	if at.IsZero() {
		return s.worker.Enqueue(ctx, job)
	}
	return s.worker.EnqueueAt(ctx, job, at)
}

// enqueueRepositoryJob queues a repository job. Many pushes that ask for the same maintenance queue it only once. The old
// copy of a moved repository is removed after the grace period.
func (s *services) enqueueRepositoryJob(ctx context.Context, job lifecycle.Job) error {
	switch job.(type) {
	case lifecycle.MaintainJob, lifecycle.MaintainSideJob:
		return s.worker.EnqueueOnce(ctx, job)
	case lifecycle.Cleanup:
		return s.worker.EnqueueAt(ctx, job, clock.Now(ctx).Add(s.cfg.MoveGrace))
	}
	return s.worker.Enqueue(ctx, job)
}
