package push

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// dripping returns one piece at a time, after a pause.
type dripping struct {
	pieces int
	size   int
	pause  time.Duration
}

func (d *dripping) Read(p []byte) (int, error) {
	if d.pieces == 0 {
		return 0, io.EOF
	}
	d.pieces--
	time.Sleep(d.pause)
	return min(d.size, len(p)), nil
}

func TestAFloorEndsWhatIsTooSlow(t *testing.T) {
	t.Parallel()
	floor := MinSpeed{Rate: 1000, Pause: time.Minute}
	for name, c := range map[string]struct {
		in    dripping
		floor MinSpeed
		slow  bool
	}{
		"a byte a second":            {dripping{300, 1, time.Second}, floor, true},
		"as fast as it must be":      {dripping{300, 1000, time.Second}, floor, false},
		"a little too slow":          {dripping{3000, 900, time.Second}, floor, true},
		"short pauses":               {dripping{10, 60000, 50 * time.Second}, floor, false},
		"a pause after many bytes":   {dripping{2, 1 << 20, 61 * time.Second}, floor, true},
		"any speed, without a floor": {dripping{300, 1, time.Second}, MinSpeed{Pause: time.Minute}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, c.floor.Reader(&c.in, nil), make([]byte, 1<<20))
			if slow := errors.Is(err, ErrTooSlow); slow != c.slow || !slow && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
