package blob

import (
	"testing"
	"time"
)

func TestABucketKnowsTheTime(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, _ string) {
		at, isBucket, err := ServerTime(t.Context(), s)
		if _, folder := s.(*folder); err != nil || isBucket == folder || isBucket && time.Since(at).Abs() > time.Minute {
			t.Errorf("the time of the server: %v %v %v", at, isBucket, err)
		}
	})
}
