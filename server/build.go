package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/server/api/avatars"
	"svc/server/api/branches"
	"svc/server/api/changelogs"
	"svc/server/api/commits"
	"svc/server/api/commitwrites"
	"svc/server/api/deploytokens"
	"svc/server/api/files"
	"svc/server/api/groups"
	"svc/server/api/keys"
	"svc/server/api/members"
	"svc/server/api/metadata"
	"svc/server/api/namespaces"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/protections"
	"svc/server/api/repositories"
	"svc/server/api/tags"
	"svc/server/api/tokens"
	"svc/server/api/users"
	"svc/server/api/variables"
	"svc/server/apierr"
	"svc/server/build"
	"svc/server/commit"
	"svc/server/config"
	"svc/server/githttp"
	"svc/server/gitssh"
	"svc/server/limit"
	"svc/server/measure"
	"svc/server/middleware"
	"svc/server/page"
	"svc/server/present"
	"svc/server/push"
	"svc/server/repos"
	"svc/server/request"
	"svc/server/upkeep"
	"svc/server/worker"
	"svc/store"
	"svc/store/git"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Server is the whole service, ready to be started.
type Server struct {
	Handler http.Handler
	Worker  *worker.Worker
	usage   *access.Usage
	repos   *git.Repositories
	push    *push.Pusher
	keeper  *repos.Keeper
	ssh     *gitssh.Server // nil when it is off
	logger  *slog.Logger
	http    *http.Server
	cancel  context.CancelFunc
	noted   sync.WaitGroup
}

// LoadOperations reads the embedded document; it is slow enough to be done while the database is opened.
func LoadOperations() (*middleware.Operations, error) { return middleware.LoadOperations(gen.SpecJSON) }

// New wires the service by hand, from the store upwards. The database must be migrated.
func New(cfg config.Config, st *store.Store, ops *middleware.Operations, logger *slog.Logger) (*Server, error) {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	paid := cfg.Tier != "free"
	built := build.Read()
	usage := access.NewUsage(st)
	auth := access.NewAuthenticator(st, usage, cfg.Impersonation)

	storages, err := git.Open(cfg.Roots())
	if err != nil {
		return nil, err
	}
	hand, err := newHand(cfg, st, storages, logger)
	if err != nil {
		return nil, err
	}
	registry := newRegistry(st, built)
	hand.work.Measure(registry)

	show := present.Presenter{Base: cfg.URL, SSH: cfg.SSHURLPort(), Paid: paid}
	pages := page.MaxOffset(cfg.MaxOffset)
	judge := access.New(st)
	work, pusher, writer := hand.work, hand.pusher, commit.New(st, hand.pusher, show.AuthorEmail)
	limiter := limit.New(st)
	handler, err := routes(parts{
		cfg: cfg, logger: logger, registry: registry, auth: auth, limiter: limiter, ops: ops,
		git: githttp.New(auth, judge, storages, pusher), project: st.Projects.IDByPath,
		api: &api{
			Avatars:      avatars.New(st, judge, show),
			Branches:     branches.New(st, judge, pusher, pages, show, func(ctx context.Context, job branches.Cleanup) error { return work.Enqueue(ctx, job) }),
			Changelogs:   changelogs.New(st, judge, pusher, writer, show),
			Commits:      commits.New(st, judge, pusher, pages, show),
			CommitWrites: commitwrites.New(st, judge, writer, show),
			DeployTokens: deploytokens.New(st, judge, pages),
			Files:        files.New(judge, storages, writer, files.Limit(largeBlobs(limiter))),
			Groups:       groups.New(st, judge, pages, show),
			Keys:         keys.New(st, pages, show),
			Members:      members.New(st, judge, pages, show),
			Metadata:     metadata.New(built, paid),
			Namespaces:   namespaces.New(st, judge, pages, show),
			Probes:       probes.New(st.Ping, work.Check),
			Profiles:     profiles.New(st, pages, show),
			Projects:     projects.New(st, hand.keeper, judge, pages, show, writer),
			Protections:  protections.New(st, judge, pages),
			Repositories: repositories.New(st, judge, storages, pages, show, largeBlobs(limiter)),
			Tags:         tags.New(st, judge, pusher, pages, show),
			Tokens:       tokens.New(st, judge, pages, access.Lifetime(cfg.MaxTokenLifetime), base.Hostname()),
			Users:        users.New(st, show, pages, func(ctx context.Context, d users.Deletion) error { return work.Enqueue(ctx, d) }, users.OwnsNoGroupAlone(st)),
			Variables:    variables.New(st, pages, cfg.MaxInstanceVariables),
		},
	})
	if err != nil {
		return nil, err
	}
	s := &Server{Handler: handler, Worker: work, usage: usage, repos: storages, push: pusher, keeper: hand.keeper, logger: logger}
	if cfg.SSHListen != "" {
		s.ssh, err = gitssh.New(auth, judge, pusher, cfg.Data, logger)
	}
	return s, err
}

// hand is what works behind the requests.
type hand struct {
	work   *worker.Worker
	pusher *push.Pusher
	keeper *repos.Keeper
}

// newHand registers the jobs and makes what they work with.
func newHand(cfg config.Config, st *store.Store, storages *git.Repositories, logger *slog.Logger) (*hand, error) {
	h := &hand{}
	meter := measure.New(st, storages, logger)
	h.keeper = repos.New(st, storages, meter, func(ctx context.Context, job repos.Job) error { return enqueue(ctx, h.work, job) })
	h.pusher = push.New(st, storages, logger, int64(cfg.MaxPushSize)<<20, h.keeper.Pushed, meter.Pushed, func(ctx context.Context, p push.Result) error {
		return h.work.Enqueue(ctx, repositories.Counting{ProjectID: p.ProjectID})
	})
	jobs := worker.NewJobs()
	upkeep.Register(jobs, st)
	worker.Handle(jobs, users.Delete(st))
	worker.Handle(jobs, repositories.Count(st, storages))
	worker.Handle(jobs, branches.DeleteMerged(st, h.pusher))
	worker.Handle(jobs, meter.Run)
	worker.Every(jobs, time.Minute, measure.Changed{})
	gitJobs(jobs, h.pusher, h.keeper)
	var err error
	h.work, err = worker.New(st, logger, jobs)
	return h, err
}

// enqueue queues a job of the repositories; care that many pushes ask for is given once.
func enqueue(ctx context.Context, work *worker.Worker, job repos.Job) error {
	if _, ok := job.(repos.Care); ok {
		return work.EnqueueOnce(ctx, job)
	}
	return work.Enqueue(ctx, job)
}

// gitJobs are the jobs that repositories need.
func gitJobs(jobs *worker.Jobs, pusher *push.Pusher, keeper *repos.Keeper) {
	worker.Handle(jobs, pusher.RecoverJob)
	worker.Every(jobs, 5*time.Minute, push.Recovery{})
	worker.Handle(jobs, keeper.Fork)
	worker.Handle(jobs, keeper.Care)
	worker.Handle(jobs, keeper.Remove)
	worker.Every(jobs, time.Minute, repos.Remove{})
	worker.Handle(jobs, keeper.Sweep)
	worker.Every(jobs, 12*time.Hour, repos.Sweep{})
}

func newRegistry(st *store.Store, built build.Info) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for name, pool := range st.Pools() {
		registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "svc_build_info", Help: "What this program was built from."},
		[]string{"version", "revision", "go"})
	info.WithLabelValues(built.Version, built.Revision, built.Go).Set(1)
	registry.MustRegister(info)
	return registry
}

// Serve works jobs and answers requests on a listener until Shutdown.
func (s *Server) Serve(listener net.Listener) error {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	if err := s.Worker.Start(ctx); err != nil {
		return err
	}
	s.noted.Go(func() {
		if err := s.push.Recover(ctx); err != nil && ctx.Err() == nil {
			s.logger.Error("end the pushes that were broken off", "error", err) // the periodic job tries again
		}
	})
	s.noted.Go(func() {
		s.usage.Run(ctx, func(err error) { s.logger.Error("note usage", "error", err) })
	})
	s.http = &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug),
	}
	err := s.http.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// ServeSSH answers git over SSH on a listener until Shutdown; the setting for it must be on.
func (s *Server) ServeSSH(listener net.Listener) error {
	if s.ssh == nil {
		return errors.New("git over SSH is off")
	}
	return s.ssh.Serve(listener)
}

// HostKeys are the fingerprints that the server is known by over SSH.
func (s *Server) HostKeys() []string {
	if s.ssh == nil {
		return nil
	}
	return s.ssh.Fingerprints()
}

// Shutdown answers the requests that have begun, lets jobs finish and writes down what is noted, until the context ends.
func (s *Server) Shutdown(ctx context.Context) error {
	var errs []error
	if s.ssh != nil {
		s.noted.Go(func() { _ = s.ssh.Shutdown(ctx) }) // what has not ended in time is ended
	}
	if s.http != nil {
		errs = append(errs, s.http.Shutdown(ctx))
	}
	errs = append(errs, s.Worker.Stop(ctx))
	if s.cancel != nil {
		s.cancel()
	}
	s.noted.Wait()
	s.repos.Close()
	return errors.Join(errs...)
}

// Flush writes down noted usage now.
func (s *Server) Flush(ctx context.Context) error { return s.usage.Flush(ctx) }

// largeBlobs counts blobs that are large, by caller and project.
func largeBlobs(limiter *limit.Limiter) repositories.Limit {
	rule := limit.Named["large_blob"]
	rule.Name = "large_blob"
	return func(ctx context.Context, projectID int64) error {
		info := request.Of(ctx)
		caller := info.IP.String()
		if info.Actor != nil {
			caller = strconv.FormatInt(info.Actor.User.ID, 10)
		}
		res, err := limiter.Take(ctx, rule, caller+":"+strconv.FormatInt(projectID, 10))
		if err == nil && res.Over() {
			err = apierr.TooMany(rule.Text)
		}
		return err
	}
}

// RemoveRepositories removes the repositories of deleted projects now.
func (s *Server) RemoveRepositories(ctx context.Context) error {
	return s.keeper.Remove(ctx, repos.Remove{})
}
