package gen

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"svc/openapi/examples"
	"svc/openapi/wire"
)

// encoded returns a body as encoding/json writes it, and as answers are written.
func encoded(t *testing.T, body any) (want, got string) {
	t.Helper()
	var standard, own bytes.Buffer
	if err := json.NewEncoder(&standard).Encode(body); err != nil {
		t.Fatalf("%T: %v", body, err)
	}
	if err := wire.Encode(&own, body); err != nil {
		t.Fatalf("%T: %v", body, err)
	}
	return standard.String(), own.String()
}

// Every kind of answer is written as encoding/json writes it.
func TestAnswersAreWrittenAsTheStandardLibraryDoes(t *testing.T) {
	t.Parallel()
	seen := map[reflect.Type]bool{}
	for _, body := range bodies() {
		kind := reflect.TypeOf(body).Elem()
		if seen[kind] {
			continue
		}
		seen[kind] = true
		for seed := range uint64(40) {
			value := reflect.New(kind)
			if seed > 0 { // the first is the zero value
				filler{rand.New(rand.NewPCG(seed, uint64(len(seen))))}.fill(value.Elem(), 0)
			}
			for _, form := range []any{value.Elem().Interface(), value.Interface()} {
				if want, got := encoded(t, form); got != want {
					t.Fatalf("%s with seed %d is written as\n%s, want\n%s", kind, seed, got, want)
				}
			}
		}
	}
	if len(seen) < 400 {
		t.Errorf("only %d kinds of answers were compared", len(seen))
	}
	t.Logf("%d kinds of answers", len(seen))
}

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
