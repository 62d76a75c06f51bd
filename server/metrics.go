package server

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"svc/server/platform/build"
	"svc/server/transport/gitssh"
	"svc/store"
	"svc/store/observe"
	"svc/store/storage"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metric describes a metric of the service.
type Metric struct {
	Name   string
	Help   string
	Labels []string
}

// registry is a registry of metrics that can list them, even those that have no values yet.
type registry struct {
	*prometheus.Registry
	known []Metric
}

// Register adds metrics.
func (r *registry) Register(c prometheus.Collector) error {
	if err := r.Registry.Register(c); err != nil {
		return err
	}
	described := make(chan *prometheus.Desc)
	go func() { c.Describe(described); close(described) }()
	for desc := range described {
		r.known = append(r.known, newMetric(desc))
	}
	return nil
}

// MustRegister adds metrics, and panics if two have the same name.
func (r *registry) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		if err := r.Register(c); err != nil {
			panic(err)
		}
	}
}

// description is the form in which the library shows a description, which has no other way to be read.
var description = regexp.MustCompile(
	`^Desc\{fqName: "([^"]*)", help: "(.*)", unit: "[^"]*", constLabels: \{(.*)\}, variableLabels: \{(.*)\}\}$`,
)

func newMetric(desc *prometheus.Desc) Metric {
	m := description.FindStringSubmatch(desc.String())
	if m == nil {
		return Metric{Name: desc.String()}
	}
	metric := Metric{Name: m[1], Help: m[2]}
	for label := range strings.SplitSeq(m[4], ",") {
		if label != "" {
			metric.Labels = append(metric.Labels, label)
		}
	}
	return metric
}

// Metrics lists the metrics of the service, by name.
func (s *Server) Metrics() []Metric {
	all := slices.Clone(s.metrics.known)
	slices.SortFunc(all, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b Metric) bool { return a.Name == b.Name }) // each pool has the same ones
}

// newRegistry returns the metrics of the process, of its connections and of the services.
func newRegistry(s *services, built build.Info) *registry {
	r := &registry{Registry: prometheus.NewRegistry()}
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for name, pool := range s.store.Pools() {
		r.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "svc_build_info", Help: "What this program was built from."},
		[]string{"version", "revision", "go"})
	s.caches = append(s.caches, s.store.CacheSizes, s.storages.repositories.CacheSizes)
	if s.siteFinder != nil {
		s.caches = append(s.caches, s.siteFinder.CacheSizes)
	}
	info.WithLabelValues(built.Version, built.Revision, built.Go).Set(1)
	r.MustRegister(info, serviceMetrics{s})
	return r
}

// serviceMetrics reads what the store, git and the services have counted.
type serviceMetrics struct{ *services }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	statementDuration = describe("svc_db_statement_duration_seconds",
		"Time of the statements of this process, including the wait for a connection.")
	databaseWait = describe("svc_db_wait_seconds", "Time spent waiting for a connection, or for a transaction to begin.", "for")
	gitDuration  = describe("svc_git_process_duration_seconds", "Time of git processes by command.", "command")
	gitRunning   = describe("svc_git_processes_running", "Git processes that are working.")
	gitIdle      = describe("svc_git_processes_idle", "Git processes that wait for questions about objects.")
	gitLockWait  = describe("svc_git_lock_wait_seconds", "Time spent waiting for the lock of a repository.")
	cacheBytes   = describe("svc_cache_bytes", "Approximate size of the caches that are limited by their size.", "cache")
	cacheEntries = describe("svc_cache_entries", "Entries of the caches.", "cache")
	storageFree  = describe("svc_storage_free_bytes", "Free space on the disks of the data folder and the storages.", "storage")
	storageSize  = describe("svc_storage_size_bytes", "Size of the disks of the data folder and the storages.", "storage")
	deliveries   = describe("svc_webhook_deliveries_total", "Webhook deliveries of this process.", "outcome")
	mails        = describe("svc_mails_total", "Mails that this process sent.", "outcome")
	traceSpans   = describe("svc_trace_spans_total", "Spans that were sent to the collector, or dropped.", "outcome")
	sshDuration  = describe("svc_ssh_command_duration_seconds", "Time of commands of git over SSH.", "command")
	sshCommands  = describe("svc_ssh_commands_total", "Commands of git over SSH.", "command", "outcome")
	siteDuration = describe("svc_site_request_duration_seconds", "Time of requests for files of sites.")
	siteRequests = describe("svc_site_requests_total", "Requests for files of sites.", "outcome")
	auditWaiting = describe("svc_audit_stream_waiting", "Audit events that wait for a target of the audit stream.", "target")
	auditSent    = describe("svc_audit_stream_delivered_total", "Audit events that this process has delivered.", "target")
	auditFailed  = describe("svc_audit_stream_failures_total", "Failed attempts of this process to deliver audit events.", "target")
)

// Describe names the metrics.
func (s serviceMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		statementDuration, databaseWait, gitDuration, gitRunning, gitIdle, gitLockWait, cacheBytes, cacheEntries, storageFree,
		storageSize, deliveries, mails, traceSpans, auditWaiting, auditSent, auditFailed, sshDuration, sshCommands, siteDuration,
		siteRequests,
	} {
		ch <- desc
	}
}

// Collect reads the values.
func (s serviceMetrics) Collect(ch chan<- prometheus.Metric) {
	s.collectWork(ch)
	s.collectServed(ch)
	s.collectSizes(ch)
	s.collectDeliveries(ch)
}

// sendTimes sends a histogram of times.
func sendTimes(ch chan<- prometheus.Metric, desc *prometheus.Desc, t *observe.Times, labels ...string) {
	count, sum, upTo := t.Read()
	ch <- prometheus.MustNewConstHistogram(desc, count, sum, upTo, labels...)
}

// sendOutcomes sends the numbers of successes and failures. The outcome is the last label.
func sendOutcomes(ch chan<- prometheus.Metric, desc *prometheus.Desc, o *observe.Outcomes, labels ...string) {
	succeeded, failed := o.Read()
	labels = slices.Clip(labels)
	ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(succeeded), append(labels, "succeeded")...)
	ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(failed), append(labels, "failed")...)
}

// served counts what is answered besides HTTP requests to the service.
type served struct {
	ssh   gitssh.Served
	sites observe.Served
}

// collectServed reads what was answered over SSH and by sites, if they are on.
func (s serviceMetrics) collectServed(ch chan<- prometheus.Metric) {
	if s.cfg.SSHListen != "" {
		for command, counts := range s.served.ssh.Commands() {
			sendTimes(ch, sshDuration, &counts.Times, command)
			sendOutcomes(ch, sshCommands, &counts.Outcomes, command)
		}
	}
	if s.cfg.Pages {
		sendTimes(ch, siteDuration, &s.served.sites.Times)
		sendOutcomes(ch, siteRequests, &s.served.sites.Outcomes)
	}
}

// collectWork reads the times of statements and of git.
func (s serviceMetrics) collectWork(ch chan<- prometheus.Metric) {
	times := func(desc *prometheus.Desc, t *observe.Times, labels ...string) { sendTimes(ch, desc, t, labels...) }
	database := s.store.Measured()
	times(statementDuration, &database.Statements)
	times(databaseWait, &database.Connections, "connection")
	times(databaseWait, &database.Begins, "transaction")
	repositories := s.storages.repositories
	for command, t := range repositories.Measured().Commands() {
		times(gitDuration, t, command)
	}
	times(gitLockWait, repositories.Measured().LockWaits())
	ch <- prometheus.MustNewConstMetric(gitRunning, prometheus.GaugeValue, float64(repositories.Measured().Running()))
	ch <- prometheus.MustNewConstMetric(gitIdle, prometheus.GaugeValue, float64(repositories.IdleProcesses()))
}

// collectSizes reads the sizes of caches and disks.
func (s serviceMetrics) collectSizes(ch chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, label string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, label)
	}
	for _, sizes := range s.caches {
		for _, size := range sizes() {
			gauge(cacheEntries, float64(size.Entries), size.Name)
			if size.Bytes > 0 {
				gauge(cacheBytes, float64(size.Bytes), size.Name)
			}
		}
	}
	disks := map[string]string{"data": s.cfg.Data}
	for name, mark := range s.storages.marks {
		disks["repositories:"+name] = mark.Folder
	}
	for name, folder := range disks {
		if free, size, err := storage.Space(folder); err == nil {
			gauge(storageFree, float64(free), name)
			gauge(storageSize, float64(size), name)
		}
	}
}

// collectDeliveries reads what was sent to others.
func (s serviceMetrics) collectDeliveries(ch chan<- prometheus.Metric) {
	count := func(desc *prometheus.Desc, value int64, label string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(value), label)
	}
	sendOutcomes(ch, deliveries, s.hooks.Outcomes())
	sendOutcomes(ch, mails, s.mailer.Outcomes())
	if s.exporter != nil {
		sent, dropped := s.exporter.Counts()
		count(traceSpans, sent, "sent")
		count(traceSpans, dropped, "dropped")
	}
	for target, counts := range s.auditStream.Counts() {
		count(auditSent, counts.Delivered.Load(), target)
		count(auditFailed, counts.Failures.Load(), target)
	}
	s.collectWaiting(ch)
}

// scrapeTimeout is how long a question of a scrape to the database may take.
const scrapeTimeout = 2 * time.Second

// collectWaiting asks the database which audit events wait, so that the numbers cover all processes.
func (s serviceMetrics) collectWaiting(ch chan<- prometheus.Metric) {
	if s.auditStream == nil {
		return
	}
	ctx, cancel := context.WithTimeout(store.Background(context.Background()), scrapeTimeout)
	defer cancel()
	waiting, err := s.store.AuditStreams.Depth(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(auditWaiting, err)
		return
	}
	for target := range s.auditStream.Counts() {
		ch <- prometheus.MustNewConstMetric(auditWaiting, prometheus.GaugeValue, float64(waiting[target]), target)
	}
}
