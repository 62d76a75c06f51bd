package control

import (
	"context"
	"errors"
	"net/http"
	"time"

	"svc/server/domain/fixture"
)

// Shown is a world as the control plane shows it.
type Shown struct {
	Name         string    `json:"name"`
	URL          string    `json:"url"`
	Username     string    `json:"username"`
	Password     string    `json:"password"`
	Token        string    `json:"token"`
	Seed         int       `json:"seed"`
	Users        []User    `json:"users"`
	TokenTTL     float64   `json:"token_ttl"`
	SendWebhooks bool      `json:"send_webhooks"`
	CreatedAt    time.Time `json:"created_at"`
}

// Show returns the world as the control plane shows it.
func (w *World) Show() Shown {
	w.mu.Lock()
	defer w.mu.Unlock()
	users := w.begin.users
	if users == nil {
		users = []User{}
	}
	return Shown{
		Name: w.name, URL: w.url, Username: w.begin.root.Username, Password: w.begin.root.Password, Token: w.token,
		Seed: w.begin.seed, Users: users, TokenTTL: *w.settings.TokenTTL, SendWebhooks: *w.settings.SendWebhooks,
		CreatedAt: w.created,
	}
}

// shown returns all worlds as the control plane shows them.
func (c *Control) shown() []Shown {
	all := []Shown{}
	for _, w := range c.list() {
		all = append(all, w.Show())
	}
	return all
}

// createWorld makes a world.
// POST /worlds
func (c *Control) createWorld(out http.ResponseWriter, r *http.Request) {
	var asked struct {
		Settings
		Name     string  `json:"name"`
		Seed     *int    `json:"seed"`
		Fixtures *string `json:"fixtures"`
	}
	if err := readBody(r, &asked); err != nil {
		answerJSON(out, http.StatusBadRequest, mistake{err.Error()})
		return
	}
	from := c.Main().begin.source
	switch {
	case asked.Seed != nil && asked.Fixtures != nil:
		answerJSON(out, http.StatusBadRequest, mistake{"a world begins with seed or with fixtures, not with both"})
		return
	case asked.Seed != nil:
		from = fromSeed(*asked.Seed)
	case asked.Fixtures != nil:
		doc, err := fixture.Read("fixtures", []byte(*asked.Fixtures))
		if err != nil {
			answerJSON(out, http.StatusBadRequest, mistake{err.Error()})
			return
		}
		from = fromFixtures(doc, *asked.Fixtures)
	}
	w, err := c.create(context.WithoutCancel(r.Context()), asked.Name, from, asked.Settings)
	switch {
	case errors.Is(err, errTaken):
		answerJSON(out, http.StatusConflict, mistake{"there is a world " + asked.Name + " already"})
	case err != nil:
		answerJSON(out, http.StatusInternalServerError, mistake{err.Error()})
	default:
		answerJSON(out, http.StatusCreated, w.Show())
	}
}

// getWorld shows a world.
// GET /worlds/{world}
func getWorld(w *World, _ *http.Request) (int, any) { return http.StatusOK, w.Show() }

// updateWorld changes the settings of a world.
// PATCH /worlds/{world}
func updateWorld(w *World, r *http.Request) (int, any) {
	var change Settings
	if err := readBody(r, &change); err != nil {
		return http.StatusBadRequest, mistake{err.Error()}
	}
	w.change(change)
	return http.StatusOK, w.Show()
}

// deleteWorld throws a world away.
// DELETE /worlds/{world}
func (c *Control) deleteWorld(w *World, _ *http.Request) (int, any) {
	if w.name == MainWorld {
		return http.StatusBadRequest, mistake{"the world main cannot be deleted; reset it instead"}
	}
	c.remove(w)
	return http.StatusNoContent, nil
}

// resetWorld gives a world the data of its beginning.
// POST /worlds/{world}/reset
func resetWorld(w *World, _ *http.Request) (int, any) {
	if err := w.reset(); err != nil {
		return http.StatusInternalServerError, mistake{err.Error()}
	}
	return http.StatusOK, w.Show()
}

// settleWorld waits until the background work of a world is done.
// POST /worlds/{world}/settle
func settleWorld(w *World, r *http.Request) (int, any) {
	var asked struct {
		Timeout  *float64 `json:"timeout"`
		Periodic bool     `json:"periodic"`
	}
	if err := readBody(r, &asked); err != nil {
		return http.StatusBadRequest, mistake{err.Error()}
	}
	began := time.Now()
	live, leave, err := w.enter()
	if err != nil {
		return http.StatusNotFound, mistake{err.Error()}
	}
	defer leave()
	ctx, cancel := within(r.Context(), asked.Timeout)
	defer cancel()
	if asked.Periodic {
		err = live.server.RunDue(ctx)
	}
	err = errors.Join(err, live.server.Worker.Settle(ctx), live.server.Flush(ctx))
	switch {
	case ctx.Err() != nil:
		return http.StatusGatewayTimeout, mistake{"jobs are still waiting or running"}
	case err != nil:
		return http.StatusInternalServerError, mistake{err.Error()}
	}
	return http.StatusOK, map[string]float64{"seconds": time.Since(began).Seconds()}
}
