package control

import (
	"context"
	"errors"
	"slices"
	"time"
)

// A world that nobody uses sleeps: only its files, its listener and its records are left. The next request opens it, which
// takes some milliseconds. A world with jobs that are due stays awake, and a world with a job for a later time is opened
// at that time. Periodic jobs neither keep a world awake nor open it: they run each minute while the world is used, and
// whenever a test asks for them.

// sleepAhead is how soon the next job of a world may be due if the world is put to sleep.
const sleepAhead = 2 * time.Second

var errClosed = errors.New("the world is closed")

// enter returns the open instance of the world, which stays open until leave is called.
func (w *World) enter() (live *instance, leave func(), err error) {
	live, woke, err := w.use()
	if err != nil {
		return nil, nil, err
	}
	if woke {
		w.control.makeRoom()
	}
	return live, func() { w.leave(live) }, nil
}

// use counts a user of the instance, and opens the world first if it sleeps.
func (w *World) use() (live *instance, woke bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, false, errClosed
	}
	if w.live == nil {
		if _, err := w.wake(); err != nil {
			return nil, false, err
		}
		woke = true
	}
	w.live.users++
	return w.live, woke, nil
}

// leave ends the use of an instance. The last one to leave an instance that a reset has replaced closes it.
func (w *World) leave(live *instance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	live.users--
	w.used = time.Now()
	if live.users == 0 && live.retired {
		w.discard(live)
	}
}

// wake opens the instance of the world. The caller holds the lock.
func (w *World) wake() (*instance, error) {
	if w.alarm != nil {
		w.alarm.Stop()
		w.alarm = nil
	}
	live, err := openInstance(w, w.folder)
	if err != nil {
		return nil, err
	}
	w.live, w.used = live, time.Now()
	return live, nil
}

// sleep closes the instance, if no request is running and no job is due. It reports whether the world sleeps now.
func (w *World) sleep(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.live == nil {
		return true
	}
	if w.live.users > 0 {
		return false
	}
	idle, next, err := w.live.server.Worker.Idle(ctx, sleepAhead)
	if err != nil || !idle {
		return false
	}
	w.closeLive()
	if next != nil {
		w.alarm = time.AfterFunc(time.Until(*next), w.awakeForJob)
	}
	return true
}

// awakeForJob opens the world because a job is due.
func (w *World) awakeForJob() {
	_, leave, err := w.enter()
	switch {
	case err == nil:
		leave()
	case !errors.Is(err, errClosed):
		w.control.Logger.Error("cannot open a world for a job", "world", w.name, "error", err)
	}
}

// closeLive closes the instance of the world, if it is open. If requests are running, they get closeTime to end. The
// caller holds the lock.
func (w *World) closeLive() {
	if w.alarm != nil {
		w.alarm.Stop()
		w.alarm = nil
	}
	if w.live == nil {
		return
	}
	if err := w.live.close(); err != nil {
		w.control.Logger.Warn("cannot close a world in time", "world", w.name, "error", err)
	}
	w.live = nil
}

// awake returns when the world was last used, if it is awake and nobody uses it now.
func (w *World) awake() (used time.Time, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.used, w.live != nil && w.live.users == 0
}

// putToSleep puts worlds that were not used for some time to sleep, until the context ends.
func (c *Control) putToSleep(ctx context.Context) {
	tick := time.NewTicker(checkTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, one := range c.idleWorlds() {
			if time.Since(one.used) > idleTime {
				one.world.sleep(ctx)
			}
		}
	}
}

// makeRoom puts worlds to sleep if too many are awake: in the background, or at once if far too many are.
func (c *Control) makeRoom() {
	switch awake := len(c.idleWorlds()); {
	case awake > 2*maxAwake:
		c.room.Lock()
		defer c.room.Unlock()
		c.sleepLongestUnused()
	case awake > maxAwake && c.room.TryLock():
		if !c.inBackground(func() {
			defer c.room.Unlock()
			c.sleepLongestUnused()
		}) {
			c.room.Unlock()
		}
	}
}

// sleepLongestUnused puts the worlds to sleep that were not used for the longest time, until few enough are awake. If they
// have jobs, it runs these first.
func (c *Control) sleepLongestUnused() {
	ctx, cancel := context.WithTimeout(context.Background(), roomTime)
	defer cancel()
	idle := c.idleWorlds()
	for i, one := range idle {
		if len(idle)-i <= maxAwake {
			return
		}
		if !one.world.sleep(ctx) {
			one.world.finishJobs(ctx)
			one.world.sleep(ctx)
		}
	}
}

// roomTime is how long worlds may need for their jobs when others need room.
const roomTime = 2 * time.Second

// finishJobs runs the jobs of the world that are due soon.
func (w *World) finishJobs(ctx context.Context) {
	live, leave := w.enterAwake()
	if live == nil {
		return
	}
	defer leave()
	_ = live.server.Worker.Settle(ctx) // if the time is not enough, the world stays awake
}

// enterAwake is enter for a world that is awake. It returns nil if the world sleeps.
func (w *World) enterAwake() (live *instance, leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.live == nil {
		return nil, nil
	}
	live, used := w.live, w.used
	live.users++
	return live, func() {
		w.leave(live)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.used = used // nobody has used it
	}
}

// idleWorld is a world that is awake although nobody uses it.
type idleWorld struct {
	world *World
	used  time.Time
}

// idleWorlds returns the worlds that are awake although nobody uses them; those that were used last come last.
func (c *Control) idleWorlds() []idleWorld {
	var all []idleWorld
	for _, w := range c.list() {
		if used, ok := w.awake(); ok {
			all = append(all, idleWorld{w, used})
		}
	}
	slices.SortFunc(all, func(a, b idleWorld) int { return a.used.Compare(b.used) })
	return all
}
