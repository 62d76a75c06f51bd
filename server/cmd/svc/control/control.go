package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"svc/server/domain/fixture"
	"svc/server/platform/config"
	"svc/server/transport/middleware"
)

// MainWorld is the name of the world whose URL the service prints at its start.
const MainWorld = "main"

const (
	// maxAwake is how many worlds that nobody uses at the moment stay open. An open world needs some megabytes.
	maxAwake = 8
	// idleTime is how long a world stays open after its last request.
	idleTime = 5 * time.Second
	// checkTime is how often the worlds are checked for those that may sleep.
	checkTime = time.Second
)

// Options is what the control plane needs.
type Options struct {
	Config     config.Config     // settings of all worlds; each has its own URL and data folder below Config.Data
	Fixtures   *fixture.Document // what worlds begin with, unless the settings have a seed; nil for nothing
	Operations *middleware.Operations
	Logger     *slog.Logger
	// Prepared writes the data folder of an instance with a seed, if the program has one. It returns the secret key, or an
	// empty text if the program has none.
	Prepared func(seed int, folder string) (secretKey string, err error)
}

// Control holds the worlds.
type Control struct {
	Options
	document *document
	http     *http.Server
	stop     context.CancelFunc
	janitor  sync.WaitGroup
	work     sync.WaitGroup // what inBackground runs

	room       sync.Mutex // held while worlds are put to sleep because too many are awake
	mu         sync.Mutex
	worlds     map[string]*World
	made       int // number of worlds made so far
	closed     bool
	beginnings map[string]*beginning
}

// New prepares the data that the world main begins with, and starts that world on a listener.
func New(ctx context.Context, o Options, listener net.Listener) (*Control, error) {
	doc, err := loadDocument()
	if err != nil {
		return nil, fmt.Errorf("the document of the control plane: %w", err)
	}
	// Worlds can deliver to receivers in the test's own process.
	o.Config.WebhookAllow = append(slices.Clone(o.Config.WebhookAllow), "127.0.0.0/8", "::1/128", "localhost")
	c := &Control{Options: o, document: doc, worlds: map[string]*World{}, beginnings: map[string]*beginning{}}
	from := fromSeed(o.Config.Seed)
	if o.Fixtures != nil {
		from = fromFixtures(o.Fixtures, "of the start")
	}
	begin, err := c.begin(ctx, from)
	if err != nil {
		return nil, err
	}
	main := c.newWorld(MainWorld, begin, listener, o.Config.URL)
	if main.token = o.Config.RootToken; main.token == "" {
		main.token = begin.root.Token
	}
	if err := main.open(); err != nil {
		return nil, err
	}
	c.worlds[MainWorld] = main
	ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	c.janitor.Go(func() { c.putToSleep(ctx) })
	return c, nil
}

// Main returns the world main.
func (c *Control) Main() *World {
	main, _ := c.world(MainWorld)
	return main
}

// Serve answers requests to the control plane on a listener until Shutdown.
func (c *Control) Serve(listener net.Listener) error {
	c.mu.Lock()
	c.http = &http.Server{Handler: c.handler(), ReadHeaderTimeout: 10 * time.Second}
	c.mu.Unlock()
	if err := c.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown closes all worlds and the control plane. Requests that are running may finish until the context ends.
func (c *Control) Shutdown(ctx context.Context) error {
	c.stop()
	c.janitor.Wait()
	c.mu.Lock()
	controls, worlds := c.http, c.worlds
	c.worlds, c.closed = map[string]*World{}, true
	c.mu.Unlock()
	defer c.work.Wait()
	var errs []error
	if controls != nil {
		errs = append(errs, controls.Shutdown(ctx))
	}
	var all sync.WaitGroup
	for _, w := range worlds {
		all.Go(func() { w.shutdown(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// inBackground runs a function that Shutdown waits for. After Shutdown it does nothing and returns false.
func (c *Control) inBackground(run func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.work.Go(run)
	}
	return !c.closed
}

// errTaken is the error of a name that another world has.
var errTaken = errors.New("a world with this name exists")

// create makes a world.
func (c *Control) create(ctx context.Context, name string, from source, settings Settings) (*World, error) {
	begin, err := c.begin(ctx, from)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := c.newWorld(name, begin, listener, config.DefaultURL(listener.Addr().String()))
	w.settings.merge(settings)
	c.mu.Lock()
	c.made++
	if w.name == "" {
		w.name = fmt.Sprintf("world-%d", c.made)
	}
	_, taken := c.worlds[w.name]
	if !taken {
		c.worlds[w.name] = w
	}
	c.mu.Unlock()
	if taken {
		listener.Close()
		return nil, errTaken
	}
	if err := w.open(); err != nil {
		c.mu.Lock()
		delete(c.worlds, w.name)
		c.mu.Unlock()
		return nil, err
	}
	c.makeRoom()
	return w, nil
}

// remove deletes a world.
func (c *Control) remove(w *World) {
	c.mu.Lock()
	delete(c.worlds, w.name)
	c.mu.Unlock()
	w.delete()
}

// world returns a world by its name.
func (c *Control) world(name string) (*World, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok := c.worlds[name]
	return w, ok
}

// list returns all worlds in the order in which they were made.
func (c *Control) list() []*World {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*World, 0, len(c.worlds))
	for _, w := range c.worlds {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *World) int { return cmp.Compare(a.number, b.number) })
	return all
}

// newFolder returns a new folder below the data folder.
func (c *Control) newFolder(kind string) (string, error) {
	parent := filepath.Join(c.Config.Data, kind)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, "")
}
