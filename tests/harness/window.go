package harness

import "time"

// WaitForMinute waits until at least left remains of the current minute. Rate limits count requests per minute, so the
// requests that follow are counted in the same minute.
func WaitForMinute(left time.Duration) {
	now := time.Now()
	if end := now.Truncate(time.Minute).Add(time.Minute); end.Sub(now) < left {
		time.Sleep(end.Sub(now))
	}
}
