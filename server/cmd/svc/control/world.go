package control

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"svc/server"
	"svc/server/platform/config"
	"svc/store/clock"
	"svc/store/secret"
)

// World is an isolated instance.
type World struct {
	control  *Control
	number   int
	name     string
	url      string
	token    string
	begin    *beginning
	http     *http.Server
	listener net.Listener
	created  time.Time

	faults   faults
	requests *record[Request]
	mails    *record[Mail]
	webhooks *record[Webhook]

	mu       sync.Mutex
	settings Settings
	folder   string
	clock    *clock.Clock
	frozen   bool
	live     *instance // nil while the world sleeps
	used     time.Time // when the last request ended
	alarm    *time.Timer
	closed   bool
}

// Settings can be changed while a world runs.
type Settings struct {
	TokenTTL     *float64 `json:"token_ttl"`
	SendWebhooks *bool    `json:"send_webhooks"`
}

func (s *Settings) merge(change Settings) {
	if change.TokenTTL != nil {
		s.TokenTTL = change.TokenTTL
	}
	if change.SendWebhooks != nil {
		s.SendWebhooks = change.SendWebhooks
	}
}

// newWorld returns a world that is not open yet.
func (c *Control) newWorld(name string, begin *beginning, listener net.Listener, url string) *World {
	ttl, send := c.Config.TokenTTL.Seconds(), false
	w := &World{
		control: c, name: name, url: url, token: secret.NewToken(), begin: begin, listener: listener, created: time.Now(),
		settings: Settings{TokenTTL: &ttl, SendWebhooks: &send},
		requests: newRecord[Request](maxRequests), mails: newRecord[Mail](maxCaptured),
		webhooks: newRecord[Webhook](maxCaptured),
	}
	c.mu.Lock()
	w.number = len(c.worlds) + c.made
	c.mu.Unlock()
	w.http = &http.Server{
		Handler: http.HandlerFunc(w.serve), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: server.MaxHeaderBytes,
		IdleTimeout: 2 * time.Minute,
	}
	return w
}

// config returns the settings of the world.
func (w *World) config(folder string) config.Config {
	cfg := w.control.Config
	cfg.Data, cfg.URL, cfg.SecretKey = folder, w.url, w.begin.secretKey
	cfg.TokenTTL = time.Duration(*w.settings.TokenTTL * float64(time.Second))
	return cfg
}

// open gives the world its first data and begins to answer requests.
func (w *World) open() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.startAnew(); err != nil {
		return err
	}
	go func() { _ = w.http.Serve(w.listener) }() // until the world is closed
	return nil
}

// reset replaces the data of the world by that of its beginning. Requests that are running end on the old data.
func (w *World) reset() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	old, oldFolder := w.live, w.folder
	if err := w.startAnew(); err != nil {
		return err
	}
	w.faults.clear()
	w.requests.clear()
	w.mails.clear()
	w.webhooks.clear()
	switch {
	case old == nil:
		w.control.inBackground(func() { _ = os.RemoveAll(oldFolder) })
	case old.users == 0:
		w.discard(old)
	default:
		old.retired = true
	}
	return nil
}

// startAnew copies the beginning into a new folder and opens it. The caller holds the lock.
func (w *World) startAnew() error {
	folder, err := w.control.copyOf(w.begin)
	if err != nil {
		return err
	}
	w.folder, w.live, w.clock, w.frozen = folder, nil, &clock.Clock{}, false
	live, err := w.wake()
	if err != nil {
		return err
	}
	return live.store.Tokens.SetDigest(context.Background(), w.begin.tokenID, secret.Digest(w.token))
}

// change changes the settings. The next request opens the world with them.
func (w *World) change(settings Settings) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settings.merge(settings)
	w.closeLive()
}

// delete closes the connections of the world and deletes its files.
func (w *World) delete() {
	_ = w.http.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.closeLive()
	_ = os.RemoveAll(filepath.Clean(w.folder))
}

// shutdown lets running requests finish, and closes the world.
func (w *World) shutdown(ctx context.Context) {
	if w.http.Shutdown(ctx) != nil {
		_ = w.http.Close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.closeLive()
}

// discard closes an instance that a reset has replaced, and deletes its folder, in the background.
func (w *World) discard(old *instance) {
	w.control.inBackground(func() {
		if err := old.discard(); err != nil {
			w.control.Logger.Warn("cannot close the old data of a world", "world", w.name, "error", err)
		}
	})
}
