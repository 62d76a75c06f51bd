package process

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bucket is a bucket in memory that accepts every signature.
type Bucket struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string][]byte
	fault   http.HandlerFunc // answers instead of the bucket; nil if the bucket works
}

// Break makes another handler answer all requests. With nil the bucket works again.
func (b *Bucket) Break(fault http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fault = fault
}

// broken returns the handler that answers instead of the bucket, if there is one.
func (b *Bucket) broken() http.HandlerFunc {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fault
}

// NewBucket returns an empty bucket. It stops when the test ends.
func NewBucket(t testing.TB) *Bucket {
	t.Helper()
	b := &Bucket{objects: map[string][]byte{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

// Address returns the value for SVC_BLOB_URL.
func (b *Bucket) Address() string { return "s3://id:secret@files?endpoint=" + url.QueryEscape(b.URL) }

// ServeHTTP answers the requests that the server makes to a bucket.
func (b *Bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if fault := b.broken(); fault != nil {
		fault(w, r)
		return
	}
	b.answer(w, r)
}

// answer does what a bucket does.
func (b *Bucket) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := strings.TrimPrefix(r.URL.Path, "/files/")
	object, known := b.objects[key]
	switch {
	case r.URL.Query().Get("list-type") == "2":
		b.list(w, r.URL.Query().Get("prefix"))
	case r.Method == http.MethodPut:
		b.objects[key] = body
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !known:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<Error><Code>NoSuchKey</Code></Error>")
	default:
		var first, last int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err != nil || first >= len(object) {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return
		}
		w.WriteHeader(http.StatusPartialContent)
		w.Write(object[first:min(last+1, len(object))]) //nolint:errcheck // the reader is gone
	}
}

func (b *Bucket) list(w io.Writer, prefix string) {
	type object struct {
		Key          string
		Size         int
		LastModified time.Time
	}
	var page struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []object
	}
	for key, data := range b.objects {
		if strings.HasPrefix(key, prefix) {
			page.Contents = append(page.Contents, object{key, len(data), time.Now()})
		}
	}
	slices.SortFunc(page.Contents, func(x, y object) int { return strings.Compare(x.Key, y.Key) })
	xml.NewEncoder(w).Encode(page) //nolint:errcheck // the reader is gone
}

// has reports whether the bucket has an object whose key begins with a prefix.
func (b *Bucket) has(prefix string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.objects {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// replace changes the content of all objects whose keys begin with a prefix, or removes them without content.
func (b *Bucket) replace(prefix string, content []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.objects {
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		if b.objects[key] = content; content == nil {
			delete(b.objects, key)
		}
	}
}
