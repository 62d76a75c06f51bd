package queue

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheBell(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewSignal()
		rung := b.Subscribe()
		b.Notify() // between the search and the wait
		if !b.Wait(t.Context(), rung, time.Now().Add(time.Minute)) {
			t.Error("a ring was missed")
		}
		begin := time.Now()
		if b.Wait(t.Context(), b.Subscribe(), time.Now().Add(time.Minute)) || time.Since(begin) != time.Minute {
			t.Error("it rang by itself")
		}
		if b.Wait(t.Context(), b.Subscribe(), time.Time{}) {
			t.Error("who must not wait waited")
		}
		gone, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if b.Wait(gone, b.Subscribe(), time.Now().Add(time.Minute)) || time.Since(begin) > 62*time.Second {
			t.Error("it waited for somebody who has gone")
		}
		rung = b.Subscribe()
		time.AfterFunc(time.Second, b.Close)
		if b.Wait(t.Context(), rung, time.Now().Add(time.Minute)) || b.Wait(t.Context(), b.Subscribe(), time.Now().Add(time.Minute)) {
			t.Error("a closed bell lets runners wait")
		}
		b.Notify()
	})
}
