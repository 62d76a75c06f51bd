package gen

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"svc/openapi/examples"
	"svc/openapi/wire"
)

// page returns a page of 20 jobs, as a test got one of them.
func page(b *testing.B) []Job {
	b.Helper()
	example, ok := examples.Of("getProjectJob")
	var job Job
	if err := json.Unmarshal(example.Response, &job); err != nil || !ok {
		b.Fatal("the example of a job cannot be read", err)
	}
	jobs := make([]Job, 20)
	for i := range jobs {
		jobs[i] = job
		jobs[i].CreatedAt = wire.NewTime(job.CreatedAt.Add(time.Duration(i) * time.Second))
	}
	return jobs
}

func BenchmarkPageOfJobs(b *testing.B) {
	body := any(ListProjectJobs200JSONResponse{Body: page(b)}.Body)
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		var buffer bytes.Buffer
		for b.Loop() {
			buffer.Reset()
			if err := json.NewEncoder(&buffer).Encode(body); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(buffer.Len()))
	})
	b.Run("wire", func(b *testing.B) {
		b.ReportAllocs()
		var buffer bytes.Buffer
		for b.Loop() {
			buffer.Reset()
			if err := wire.Encode(&buffer, body); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(buffer.Len()))
	})
}
