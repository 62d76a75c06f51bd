// Package intake records alerts and creates the incidents that follow from them.
package intake

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"svc/server/domain/monitoring/alert/format"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Intake records alerts.
type Intake struct {
	store  *store.Store
	paid   bool
	queue  func(ctx context.Context, job Incident) error
	queues queues
}

// New returns an Intake. In paid tiers, the payload identifies alerts that have no fingerprint. queue schedules the
// work on incidents.
func New(st *store.Store, paid bool, queue func(ctx context.Context, job Incident) error) *Intake {
	i := &Intake{store: st, paid: paid, queue: queue}
	i.queues.write = i.write
	return i
}

// Endpoint returns the endpoint that alerts of a project are sent to.
func (i *Intake) Endpoint(ctx context.Context, project, identifier string) (model.AlertEndpoint, error) {
	return i.store.Alerts.Endpoint(ctx, project, identifier)
}

// Record records the alerts of a message, all or none, and returns their new state in the order of the message. It
// returns format.ErrMalformed for a message that cannot be parsed, and format.ErrFormat for one in the wrong format.
func (i *Intake) Record(ctx context.Context, to model.AlertEndpoint, body []byte, metricsOnly bool) ([]store.RecordedAlert, error) {
	o := format.Options{Now: clock.Now(ctx).UTC().Truncate(time.Microsecond), ByPayload: i.paid, MetricsOnly: metricsOnly}
	if to.Mapping != "" && i.paid {
		if err := json.Unmarshal([]byte(to.Mapping), &o.Mapping); err != nil {
			return nil, err
		}
	}
	read, err := format.Read(body, o)
	if err != nil || len(read) == 0 {
		return nil, err
	}
	rows := make([]model.Alert, len(read))
	for n, a := range read {
		if rows[n], err = row(a); err != nil {
			return nil, err
		}
		rows[n].WantsIncident = to.WantsIncident && a.EndedAt == nil
	}
	return i.queues.do(ctx, to.ProjectID, rows)
}

func row(a format.Alert) (model.Alert, error) {
	hosts, err := json.Marshal(append([]string{}, a.Hosts...))
	made := model.Alert{
		Format: a.Format, Title: a.Title, Description: a.Description, Severity: a.Severity, Service: a.Service,
		MonitoringTool: a.MonitoringTool, Environment: a.Environment,
		Hosts: string(hosts), Payload: string(a.Payload), StartedAt: a.StartedAt, EndedAt: a.EndedAt,
	}
	if a.Fingerprint != "" {
		made.Fingerprint = &a.Fingerprint
	}
	return made, err
}

// write records alerts of a project and, in the same transaction, queues the jobs for their incidents.
func (i *Intake) write(ctx context.Context, projectID int64, rows []model.Alert) (recorded []store.RecordedAlert, err error) {
	if len(rows) == 1 {
		if alone, ok, err := i.store.Alerts.RecordInOneStatement(ctx, projectID, rows[0]); ok || err != nil {
			return []store.RecordedAlert{alone}, err
		}
	}
	err = i.store.Tx(ctx, func(ctx context.Context) error {
		if recorded, err = i.store.Alerts.Record(ctx, projectID, rows); err != nil {
			return err
		}
		for _, r := range recorded {
			if !r.Incident || !r.Changed && !isPowerOfTen(r.Events) {
				continue
			}
			if err := i.queue(ctx, Incident{AlertID: r.ID}); err != nil {
				return err
			}
		}
		return nil
	})
	return recorded, err
}

// isPowerOfTen reports whether a number is a power of ten from 10 on: an incident gets a note at the 10th, 100th … report, not
// at each one.
func isPowerOfTen(n int64) bool {
	power := int64(math.Round(math.Log10(float64(n))))
	return n >= 10 && int64(math.Pow10(int(power))) == n
}
