package harness

import "time"

// OneMinute waits until so much is left of the minute that requests are counted in: a limit that the next requests reach begins anew
// with the next one.
func OneMinute(left time.Duration) {
	now := time.Now()
	if end := now.Truncate(time.Minute).Add(time.Minute); end.Sub(now) < left {
		time.Sleep(end.Sub(now))
	}
}
