package middleware

import (
	"sync"
	"sync/atomic"
	"time"

	"svc/store/observe"

	"github.com/prometheus/client_golang/prometheus"
)

// costs sums what the requests of each operation have cost. Only operations that cost something are shown.
type costs struct {
	mu          sync.RWMutex
	byOperation map[string]*costSum
}

// costSum is the cost of all requests of one operation.
type costSum struct {
	statements, statementTime, gitProcesses, gitTime, waitTime atomic.Int64
}

func newCosts() *costs { return &costs{byOperation: map[string]*costSum{}} }

func (c *costs) add(operation string, cost observe.Cost) {
	if cost == (observe.Cost{}) {
		return
	}
	c.mu.RLock()
	sum := c.byOperation[operation]
	c.mu.RUnlock()
	if sum == nil {
		c.mu.Lock()
		if sum = c.byOperation[operation]; sum == nil {
			sum = &costSum{}
			c.byOperation[operation] = sum
		}
		c.mu.Unlock()
	}
	sum.statements.Add(cost.Statements)
	sum.statementTime.Add(int64(cost.StatementTime))
	sum.gitProcesses.Add(cost.GitProcesses)
	sum.gitTime.Add(int64(cost.GitTime))
	sum.waitTime.Add(int64(cost.WaitTime))
}

var (
	statementsDesc = operationDesc("svc_http_request_statements_total", "Statements that requests sent to the database.")
	statementDesc  = operationDesc("svc_http_request_statement_seconds_total", "Time of the statements of requests.")
	processesDesc  = operationDesc("svc_http_request_git_processes_total", "Git processes that requests started or used.")
	gitDesc        = operationDesc("svc_http_request_git_seconds_total", "Time for which git worked for requests.")
	waitDesc       = operationDesc("svc_http_request_wait_seconds_total",
		"Time for which requests waited for a connection, a transaction or the lock of a repository.")
)

func operationDesc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"operation"}, nil)
}

// Describe names the metrics.
func (c *costs) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{statementsDesc, statementDesc, processesDesc, gitDesc, waitDesc} {
		ch <- desc
	}
}

// Collect reads the sums.
func (c *costs) Collect(ch chan<- prometheus.Metric) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for operation, sum := range c.byOperation {
		add := func(desc *prometheus.Desc, value float64) {
			ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, value, operation)
		}
		add(statementsDesc, float64(sum.statements.Load()))
		add(statementDesc, time.Duration(sum.statementTime.Load()).Seconds())
		add(processesDesc, float64(sum.gitProcesses.Load()))
		add(gitDesc, time.Duration(sum.gitTime.Load()).Seconds())
		add(waitDesc, time.Duration(sum.waitTime.Load()).Seconds())
	}
}
