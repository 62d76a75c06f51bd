package doctor_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"svc/server/domain/doctor"
	"svc/store/storetest"
)

// refusing returns an address that refuses connections.
func refusing(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestAMailServerAndABucketThatCannotBeUsedAreFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	found := s.run(func(o *doctor.Options) {
		o.Only = []string{"connections"}
		o.Config.SMTPURL = "smtp://" + refusing(t)
		o.Config.BlobURL = "s3://id:secret@files?endpoint=" + url.QueryEscape("http://"+refusing(t))
	})["connections"]
	expect(t, found, doctor.StatusProblem, "the mail server cannot be used")
	expect(t, found, doctor.StatusProblem, "the bucket cannot be used")
}

func TestClocksThatDifferAreFound(t *testing.T) {
	t.Parallel()
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
	}))
	t.Cleanup(late.Close)
	s := newScene(t)
	found := s.run(func(o *doctor.Options) {
		o.Only = []string{"clocks"}
		o.Config.BlobURL = "s3://id:secret@files?endpoint=" + url.QueryEscape(late.URL)
	})["clocks"]
	expect(t, found, doctor.StatusProblem, "the clock of the bucket is")
	if !storetest.Postgres() {
		return // SQLite has the clock of this machine
	}
	found = s.run(func(o *doctor.Options) {
		o.Only = []string{"clocks"}
		o.Now = func() time.Time { return time.Now().Add(time.Minute) }
	})["clocks"]
	expect(t, found, doctor.StatusProblem, "the clock of the database is")
}
