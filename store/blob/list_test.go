package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestFilesAreListedWithTheirSizes(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, _ string) {
		ctx, want := t.Context(), map[string]int64{}
		for n := range 120 { // more than a page of the bucket
			key := ArtifactKey()
			text := strings.Repeat("x", n)
			if _, err := s.Put(ctx, key, strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			want[key] = int64(n)
		}
		for _, id := range []int64{1, 10, 11, 100} { // keys that begin with one another
			for part := range int64(3) {
				if err := s.Append(ctx, LogKey(id), part*2, []byte("ab")); err != nil {
					t.Fatal(err)
				}
			}
			want[LogKey(id)] = 6
		}
		got := map[string]int64{}
		for _, kind := range Kinds {
			err := s.List(ctx, kind, func(o Object) error {
				if _, twice := got[o.Key]; twice || o.Modified.IsZero() {
					t.Errorf("%+v", o)
				}
				got[o.Key] = o.Size
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d files are listed, not %d", len(got), len(want))
		}
		for key, size := range want {
			if got[key] != size {
				t.Errorf("%s is listed with %d bytes, not %d", key, got[key], size)
			}
			if size, err := s.Size(ctx, key); err != nil || size != want[key] {
				t.Errorf("%s has %d bytes, not %d: %v", key, size, want[key], err)
			}
		}
		if _, err := s.Size(ctx, LogKey(1000)); !errors.Is(err, ErrNotFound) {
			t.Errorf("a file that is not there: %v", err)
		}
		stop := errors.New("enough")
		if err := s.List(ctx, Logs, func(Object) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("the error of the caller: %v", err)
		}
	})
}

func TestAMarkIsRemoved(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, _ string) {
		for range 2 {
			if err := errors.Join(s.SetMark(t.Context(), "id"), s.Unmark(t.Context()), s.Unmark(t.Context())); err != nil {
				t.Fatal(err)
			}
			if mark, err := s.Mark(t.Context()); mark != "" || err != nil {
				t.Errorf("%q %v", mark, err)
			}
		}
	})
}

// A server that is no bucket, or a broken one, is reported as such, and never as content.
func TestWhatIsNoAnswerOfABucketIsAnError(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"a page":          func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>hello</html>") },
		"nothing":         func(http.ResponseWriter, *http.Request) {},
		"a broken answer": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"silence":         func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		server := httptest.NewServer(answer)
		t.Cleanup(server.Close)
		s, err := Open("s3://a:b@bucket?timeout=200ms&endpoint="+url.QueryEscape(server.URL), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var unreachable *UnreachableError
		if _, err := s.ReadAppended(t.Context(), LogKey(1), 0, 1); !errors.As(err, &unreachable) {
			t.Errorf("%s: a log: %v", name, err)
		}
		if _, err := s.Read(t.Context(), ArtifactKey(), 1, 1); !errors.As(err, &unreachable) { // not the first byte
			t.Errorf("%s: a part of a file: %v", name, err)
		}
	}
	server := httptest.NewServer(nil)
	server.Close()
	s, err := Open("s3://a:b@bucket?endpoint="+url.QueryEscape(server.URL), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var unreachable *UnreachableError
	if err := s.Append(t.Context(), LogKey(1), 0, []byte("x")); !errors.As(err, &unreachable) {
		t.Errorf("nobody listens: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Append(gone, LogKey(1), 0, []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller is gone: %v", err)
	}
}

func TestAVerifiedFileIsPutIntoTheBucket(t *testing.T) {
	t.Parallel()
	s, err := Open(newFake(t).address("/p", fakeSecret), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("content")
	oid := hexSum(text)
	bucket, ok := s.(Bucket)
	if !ok {
		t.Fatal("it is no bucket")
	}
	if err := bucket.PutVerified(t.Context(), LFSKey(oid), bytes.NewReader(text), int64(len(text)), oid); err != nil {
		t.Fatal(err)
	}
	from, err := s.Read(t.Context(), LFSKey(oid), 3, 4)
	if got := read(t, from, err); got != "tent" {
		t.Error(got)
	}
	if err := bucket.PutVerified(t.Context(), LFSKey(oid), strings.NewReader("another"), 7, oid); err == nil {
		t.Error("other content was accepted")
	}
	if _, ok := any(&folder{}).(Bucket); ok {
		t.Error("a folder is a bucket")
	}
	if err := bucket.PutVerified(t.Context(), fmt.Sprintf("lfs/%s0", oid), bytes.NewReader(nil), 0, oid); err == nil {
		t.Error("a wrong key was accepted")
	}
}
