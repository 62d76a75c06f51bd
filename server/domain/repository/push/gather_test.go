package push

import (
	"testing"
	"testing/synctest"
	"time"

	"svc/store/git"
)

func TestTheNextRoundWaitsForThoseWhoComeBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		waiting, answered int
		back              int // callers who come back, one each millisecond
		most              time.Duration
		took              time.Duration
		round             int
	}{
		"few callers":        {waiting: 1, answered: fewCallers, back: 3, most: time.Hour, round: 1},
		"all come back":      {waiting: 2, answered: 5, back: 9, most: time.Hour, took: 5 * time.Millisecond, round: 7},
		"nobody else waits":  {answered: 5, back: 5, most: time.Hour, took: 5 * time.Millisecond, round: 5},
		"one comes back":     {waiting: 1, answered: 5, back: 1, most: 20 * time.Millisecond, took: 20 * time.Millisecond, round: 2},
		"after a long round": {waiting: 1, answered: 5, most: time.Hour, took: gatherTime, round: 1},
		"nobody comes back":  {answered: 5, most: 20 * time.Millisecond, took: 20 * time.Millisecond},
		"one caller alone":   {answered: 1, most: time.Hour},
		"a full line":        {waiting: roundMost, answered: roundMost, most: time.Hour, round: roundMost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var lines commitQueues
				var repo git.Repo
				join := func(n int) {
					for range n {
						lines.join(repo, &commitRequest{}, func() {})
					}
				}
				join(c.waiting + 1)
				lines.next(repo, 1) // the round that is over: the line stays open
				go func() {
					for range c.back {
						time.Sleep(time.Millisecond)
						join(1)
					}
				}()
				began := time.Now()
				more, n := lines.gather(repo, c.answered, c.most), 0
				took := time.Since(began)
				if more {
					n = len(lines.next(repo, roundMost))
				}
				if n != c.round || took != c.took {
					t.Errorf("a round of %d after %s, not of %d after %s", n, took, c.round, c.took)
				}
				time.Sleep(time.Second) // until all have come back
			})
		})
	}
}
