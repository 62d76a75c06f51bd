package blob

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

const (
	fakeID     = "id"
	fakeSecret = "secret/with+signs"
	fakeBucket = "files"
)

// fake is a bucket in memory that checks signatures.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string][]byte
}

func newFake(t testing.TB) *fake {
	f := &fake{objects: map[string][]byte{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fake) address(path, secret string) string {
	u := url.URL{
		Scheme: "s3", User: url.UserPassword(fakeID, secret), Host: fakeBucket, Path: path,
		RawQuery: "endpoint=" + url.QueryEscape(f.URL),
	}
	return u.String()
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code></Error>", code)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		refuse(w, 400, "IncompleteBody")
		return
	}
	if !isSigned(r, body, fakeID, fakeSecret) {
		refuse(w, 403, "SignatureDoesNotMatch")
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key, inBucket := strings.CutPrefix(r.URL.Path, "/"+fakeBucket+"/")
	switch {
	case r.URL.Path == "/"+fakeBucket && r.URL.Query().Get("list-type") == "2":
		f.list(w, r.URL.Query())
	case !inBucket:
		refuse(w, 404, "NoSuchBucket")
	case r.Method == http.MethodPut:
		f.objects[key] = body
	case r.Method == http.MethodDelete:
		delete(f.objects, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		f.get(w, r, key)
	}
}

func (f *fake) get(w http.ResponseWriter, r *http.Request, key string) {
	object, known := f.objects[key]
	if !known {
		refuse(w, 404, "NoSuchKey")
		return
	}
	var first, last int
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err != nil || first >= len(object) {
		refuse(w, 416, "InvalidRange")
		return
	}
	w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
	w.Header().Set("ETag", `"1"`)
	w.WriteHeader(http.StatusPartialContent)
	w.Write(object[first:min(last+1, len(object))])
}

const fakePage = 100

func (f *fake) list(w http.ResponseWriter, q url.Values) {
	type object struct {
		Key          string
		Size         int
		LastModified time.Time
	}
	var page struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		Contents              []object
		NextContinuationToken string `xml:",omitempty"`
		IsTruncated           bool
	}
	var keys []string
	for key := range f.objects {
		if strings.HasPrefix(key, q.Get("prefix")) && key > q.Get("continuation-token") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys[:min(len(keys), fakePage)] {
		page.Contents = append(page.Contents, object{key, len(f.objects[key]), time.Now()})
	}
	if len(keys) > fakePage {
		page.NextContinuationToken, page.IsTruncated = keys[fakePage-1], true
	}
	xml.NewEncoder(w).Encode(page)
}
