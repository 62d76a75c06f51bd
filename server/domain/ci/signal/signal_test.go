package signal

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestASignalWakesWaitingRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New()
		changed := s.Subscribe()
		s.Notify() // between the search and the wait
		if !s.Wait(t.Context(), changed, time.Now().Add(time.Minute)) {
			t.Error("a notification was missed")
		}
		begin := time.Now()
		if s.Wait(t.Context(), s.Subscribe(), time.Now().Add(time.Minute)) || time.Since(begin) != time.Minute {
			t.Error("it woke without a notification")
		}
		if s.Wait(t.Context(), s.Subscribe(), time.Time{}) {
			t.Error("a request without a deadline waited")
		}
		gone, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if s.Wait(gone, s.Subscribe(), time.Now().Add(time.Minute)) || time.Since(begin) > 62*time.Second {
			t.Error("it waited for a client that has disconnected")
		}
		changed = s.Subscribe()
		time.AfterFunc(time.Second, s.Close)
		if s.Wait(t.Context(), changed, time.Now().Add(time.Minute)) || s.Wait(t.Context(), s.Subscribe(), time.Now().Add(time.Minute)) {
			t.Error("requests wait for a closed signal")
		}
		s.Notify()
	})
}
