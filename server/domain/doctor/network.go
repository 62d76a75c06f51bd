package doctor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"svc/server/platform/mail"
	"svc/store/blob"
)

const (
	// maxDifference is how far the clock of the database may be off: leases of background jobs and expiry dates depend on
	// it.
	maxDifference = 5 * time.Second
	// maxBucketDifference is how far the clock of a bucket may be off: it refuses requests with a wrong time.
	maxBucketDifference = time.Minute

	connectTimeout = 10 * time.Second

	repairClock = "Synchronize the clocks, for example: timedatectl set-ntp true"
)

// checkClocks compares the clocks of the database and of the bucket with the one of this machine.
func (d *Doctor) checkClocks(ctx context.Context, r *Result) error {
	if !d.store.Postgres() && d.Config.BlobURL == "" {
		r.Note = "everything has the clock of this machine"
		return nil
	}
	var notes []string
	if d.store.Postgres() {
		before := d.Now()
		at, err := d.store.ServerTime(ctx)
		if err != nil {
			return err
		}
		off := at.Sub(middle(before, d.Now()))
		notes = append(notes, fmt.Sprintf("the database is %s", difference(off)))
		if off.Abs() > maxDifference {
			r.problem(repairClock, "the clock of the database is %s", difference(off))
		}
	}
	if d.Config.BlobURL != "" {
		if off, known := d.bucketDifference(ctx); known {
			notes = append(notes, fmt.Sprintf("the bucket is %s", difference(off)))
			if off.Abs() > maxBucketDifference {
				r.problem(repairClock, "the clock of the bucket is %s; it refuses requests if the difference is too large", difference(off))
			}
		}
	}
	r.Note = strings.Join(notes, ", ")
	return nil
}

// bucketDifference returns how far the clock of the bucket is ahead. A bucket that does not answer is reported by another
// check.
func (d *Doctor) bucketDifference(ctx context.Context) (time.Duration, bool) {
	files, err := blob.Open(d.Config.BlobURL, d.BlobFolder)
	if err != nil {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	before := d.Now()
	at, known, err := blob.ServerTime(ctx, files)
	return at.Sub(middle(before, d.Now())), known && err == nil
}

// middle returns the time in the middle of a request, when the server has answered.
func middle(before, after time.Time) time.Time { return before.Add(after.Sub(before) / 2) }

// difference describes how far a clock is off.
func difference(off time.Duration) string {
	switch off = off.Round(100 * time.Millisecond); {
	case off > 0:
		return off.String() + " ahead"
	case off < 0:
		return off.Abs().String() + " behind"
	}
	return "exact"
}

// checkConnections connects to everything that the service needs from the network.
func (d *Doctor) checkConnections(ctx context.Context, r *Result) error {
	var notes []string
	if d.Config.SMTPURL == "" {
		notes = append(notes, "mail is written to the log")
	} else if err := limited(ctx, func(ctx context.Context) error {
		return mail.CheckServer(ctx, d.Config.SMTPURL, d.Config.Sender())
	}); err != nil {
		r.problem("Check that the server runs, and the host, the user and the password in SVC_SMTP_URL.",
			"the mail server cannot be used: %v", err)
	}
	if d.Config.BlobURL != "" {
		err := limited(ctx, func(ctx context.Context) error {
			files, err := blob.Open(d.Config.BlobURL, d.BlobFolder)
			if err == nil {
				_, _, err = blob.ServerTime(ctx, files)
			}
			return err
		})
		if err != nil {
			r.problem("Check that it runs, and the endpoint, the bucket, the region and the access key in SVC_BLOB_URL.",
				"the bucket cannot be used: %v", err)
		}
	}
	notes = append(notes, d.checkOwnURL(ctx, r))
	r.Note = strings.Join(notes, ", ")
	return nil
}

// limited runs f for a limited time.
func limited(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	return f(ctx)
}

// healthPath answers without a token, as long as the process runs.
const healthPath = "/-/health"

// checkOwnURL asks the service at its own URL. It returns a note.
func (d *Doctor) checkOwnURL(ctx context.Context, r *Result) string {
	err := limited(ctx, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.Config.URL+healthPath, nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		text, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
		if err != nil {
			return err
		}
		return checkHealthText(req.URL.String(), res.StatusCode, string(text))
	})
	switch {
	case err == nil:
		return "the service answers at " + d.Config.URL
	case !d.Running:
		return "the service is stopped, or runs on another machine"
	}
	inside := limited(ctx, func(ctx context.Context) error {
		status, text, err := d.Ask(ctx, healthPath)
		if err != nil {
			return err
		}
		return checkHealthText(d.Config.Listen, status, text)
	})
	if inside != nil {
		r.problem("Look at the log of the service, and check the settings listen and url.",
			"the service runs, but cannot be reached at its URL: %v; nor at the address on which it listens: %v", err, inside)
		return "the service runs"
	}
	r.problem("Check the setting url, the name in DNS, the certificate, and the proxy in front of the service.",
		"the service answers on %s, but cannot be reached at its URL: %v", d.Config.Listen, err)
	return "the service runs"
}

// checkHealthText checks that an answer to a request for healthPath comes from this service.
func checkHealthText(from string, status int, text string) error {
	if status != http.StatusOK || !strings.HasPrefix(text, "svc OK") {
		return fmt.Errorf("%s answered %d, not as this service does", from, status)
	}
	return nil
}
