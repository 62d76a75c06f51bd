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
	"svc/oauth"
	"svc/server/access"
	"svc/server/account"
	"svc/server/api/applications"
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
	"svc/server/limit"
	"svc/server/mail"
	"svc/server/measure"
	"svc/server/middleware"
	"svc/server/page"
	"svc/server/present"
	"svc/server/push"
	"svc/server/request"
	"svc/server/upkeep"
	"svc/server/web"
	"svc/server/worker"
	"svc/store"
	"svc/store/git"
	"svc/store/model"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Server is the whole service, ready to be started.
type Server struct {
	Handler http.Handler
	Worker  *worker.Worker
	usage   *access.Usage
	repos   *git.Repositories
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

	repos, err := git.Open(cfg.Roots())
	if err != nil {
		return nil, err
	}
	show := present.Presenter{Base: cfg.URL, Paid: paid}
	provider, err := newProvider(cfg, st, auth, show)
	if err != nil {
		return nil, err
	}
	hand, err := newHand(cfg, st, repos, logger, provider)
	if err != nil {
		return nil, err
	}
	work, pusher, writer := hand.work, hand.pusher, commit.New(st, hand.pusher)
	registry := newRegistry(st, built)
	work.Measure(registry)

	pages := page.MaxOffset(cfg.MaxOffset)
	judge := access.New(st)
	limiter := limit.New(st)
	auth.OnLock(hand.letters.Locked)
	site, err := web.New(web.Options{
		Store: st, Auth: auth, Limiter: limiter, Letters: hand.letters, OAuth: provider, URL: cfg.URL, Key: cfg.SecretKey, Registration: cfg.Registration,
		Lifetime: access.Lifetime(cfg.MaxTokenLifetime),
		Ask:      func(ctx context.Context, job account.Forgotten) error { return work.Enqueue(ctx, job) },
	})
	if err != nil {
		return nil, err
	}
	handler, err := routes(parts{
		cfg: cfg, logger: logger, registry: registry, auth: auth, limiter: limiter, ops: ops,
		git: githttp.New(auth, judge, repos, pusher), oauth: provider, web: site,
		api: &api{
			Applications: applications.New(st, provider, pages),
			Avatars:      avatars.New(st, judge, show),
			Branches:     branches.New(st, judge, pusher, pages, show, func(ctx context.Context, job branches.Cleanup) error { return work.Enqueue(ctx, job) }),
			Changelogs:   changelogs.New(st, judge, pusher, show),
			Commits:      commits.New(st, judge, pusher, pages, show),
			CommitWrites: commitwrites.New(st, judge, writer, show),
			DeployTokens: deploytokens.New(st, judge, pages),
			Files:        files.New(judge, repos, writer),
			Groups:       groups.New(st, judge, pages, show),
			Keys:         keys.New(st, pages, show),
			Members:      members.New(st, judge, pages, show),
			Metadata:     metadata.New(built, paid),
			Namespaces:   namespaces.New(st, judge, pages, show),
			Probes:       probes.New(st.Ping, work.Check),
			Profiles:     profiles.New(st, pages, show, hand.letters),
			Projects:     projects.New(st, judge, pages, show, writer, hand.measurer),
			Protections:  protections.New(st, judge, pages),
			Repositories: repositories.New(st, judge, repos, pages, show, largeBlobs(limiter)),
			Tags:         tags.New(st, judge, pusher, pages, show),
			Tokens:       tokens.New(st, judge, pages, access.Lifetime(cfg.MaxTokenLifetime), base.Hostname()),
			Users:        users.New(st, show, pages, func(ctx context.Context, d users.Deletion) error { return work.Enqueue(ctx, d) }, hand.letters, users.OwnsNoGroupAlone(st)),
			Variables:    variables.New(st, pages, cfg.MaxInstanceVariables),
		},
	})
	if err != nil {
		return nil, err
	}
	return &Server{Handler: handler, Worker: work, usage: usage, repos: repos, logger: logger}, nil
}

// hand is what works behind the requests.
type hand struct {
	work     *worker.Worker
	pusher   *push.Pusher
	measurer *measure.Measurer
	letters  *account.Letters
}

// newHand registers the jobs and makes what they work with.
func newHand(cfg config.Config, st *store.Store, repos *git.Repositories, logger *slog.Logger, provider *oauth.Provider) (*hand, error) {
	h := &hand{measurer: measure.New(st, repos, logger)}
	h.pusher = push.New(st, repos, logger, int64(cfg.MaxPushSize)<<20, h.measurer.Pushed, func(ctx context.Context, p push.Result) error {
		return h.work.Enqueue(ctx, repositories.Counting{ProjectID: p.ProjectID})
	})
	jobs := worker.NewJobs()
	upkeep.Register(jobs, st, provider.Expire)
	worker.Handle(jobs, users.Delete(st))
	worker.Handle(jobs, repositories.Count(st, repos))
	worker.Handle(jobs, branches.DeleteMerged(st, h.pusher))
	worker.Handle(jobs, h.pusher.RecoverJob)
	worker.Every(jobs, 5*time.Minute, push.Recovery{})
	worker.Handle(jobs, h.measurer.Run)
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	post, err := mail.New(mail.Options{
		SMTP: cfg.SMTPURL, From: cfg.Sender(), Host: base.Hostname(), Key: cfg.SecretKey, Logger: logger,
		Queue: func(ctx context.Context, job mail.Sending) error { return h.work.Enqueue(ctx, job) },
	})
	if err != nil {
		return nil, err
	}
	worker.Handle(jobs, post.Run)
	h.letters = account.NewLetters(st, post, cfg.URL)
	worker.Handle(jobs, h.letters.Run)
	worker.Every(jobs, time.Minute, measure.Changed{})
	h.work, err = worker.New(st, logger, jobs)
	return h, err
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

// Shutdown answers the requests that have begun, lets jobs finish and writes down what is noted, until the context ends.
func (s *Server) Shutdown(ctx context.Context) error {
	var errs []error
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

// newProvider gives applications tokens. Which names and passwords are good, the same rules say as for git.
func newProvider(cfg config.Config, st *store.Store, auth *access.Authenticator, show present.Presenter) (*oauth.Provider, error) {
	return oauth.New(st, oauth.Options{
		BaseURL: cfg.URL, SecretKey: cfg.SecretKey, Scopes: access.OAuthScopes(), Restricted: access.AdministratorScopes, Picture: show.UserAvatar,
		Password: func(ctx context.Context, login, password string) (model.Caller, error) {
			actor, err := auth.Password(ctx, login, password)
			if err != nil {
				return model.Caller{}, err
			}
			return actor.User, nil
		},
		Refused: func(err error) bool {
			var e *apierr.Error
			return errors.As(err, &e) && e.Status < http.StatusInternalServerError
		},
	})
}
