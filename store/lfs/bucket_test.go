package lfs

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store/blob"
	"svc/store/storage"
)

// bucketInFolder is a bucket whose files are in a folder. It counts what it is asked.
type bucketInFolder struct {
	blob.Store
	puts, reads int
}

func (b *bucketInFolder) PutVerified(ctx context.Context, key string, from io.Reader, _ int64, _ string) error {
	b.puts++
	_, err := b.Put(ctx, key, from)
	return err
}

func (b *bucketInFolder) Read(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	b.reads++
	return b.Store.Read(ctx, key, offset, length)
}

func withBucket(t *testing.T) (*Files, *bucketInFolder, string) {
	t.Helper()
	files, err := Open(map[string]string{"a": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	inner, err := blob.Open("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bucket, drafts := &bucketInFolder{Store: inner}, filepath.Join(t.TempDir(), "drafts")
	files.WithBucket(bucket, drafts)
	return files, bucket, drafts
}

// put stores a text in the bucket.
func put(t *testing.T, f *Files, text string) {
	t.Helper()
	d, err := f.Receive(InBucket, oidOf(text), int64(len(text)), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Discard()
	if err := d.Upload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if at, err := d.Store(t.Context(), "a"); at != InBucket || err != nil {
		t.Fatal(at, err)
	}
}

func TestAnObjectGoesToTheBucketOnce(t *testing.T) {
	t.Parallel()
	f, bucket, drafts := withBucket(t)
	const text = "in the bucket"
	if at := f.Target("a"); at != InBucket {
		t.Error(at)
	}
	put(t, f, text)
	put(t, f, text)
	if bucket.puts != 1 {
		t.Errorf("it was uploaded %d times", bucket.puts)
	}
	if left, err := os.ReadDir(drafts); err != nil || len(left) > 0 {
		t.Errorf("drafts are left: %v %v", left, err)
	}
	if _, err := f.Receive(InBucket, oidOf(text), int64(len(text)), strings.NewReader("another text!")); !errors.Is(err, ErrContent) {
		t.Errorf("other content: %v", err)
	}
	if err := f.Remove(t.Context(), InBucket, oidOf(text)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Open(t.Context(), InBucket, oidOf(text), int64(len(text))); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("a removed object: %v", err)
	}
}

func TestAnObjectOfTheBucketIsReadAnywhere(t *testing.T) {
	t.Parallel()
	f, bucket, _ := withBucket(t)
	const text = "0123456789"
	put(t, f, text)
	content, err := f.Open(t.Context(), InBucket, oidOf(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil || size != int64(len(text)) {
		t.Fatal(size, err)
	}
	for _, at := range []int64{0, 4, 9, 10} {
		if _, err := content.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(content); err != nil || string(rest) != text[at:] {
			t.Errorf("from %d: %q %v", at, rest, err)
		}
	}
	if bucket.reads != 3 { // at the opening, and after each Seek to another place in the content
		t.Errorf("the bucket was asked %d times", bucket.reads)
	}
	if _, err := content.Seek(-1, io.SeekStart); err == nil {
		t.Error("a position before the beginning is accepted")
	}
}

func TestObjectsOfTheBucketAreSwept(t *testing.T) {
	t.Parallel()
	f, _, _ := withBucket(t)
	put(t, f, "one")
	put(t, f, "two")
	seen := map[string]bool{}
	see := func(oids []string) error {
		for _, oid := range oids {
			seen[oid] = true
		}
		return nil
	}
	if err := f.EachOlder(t.Context(), InBucket, time.Now().Add(-time.Hour), see); err != nil || len(seen) > 0 {
		t.Errorf("new objects: %v %v", seen, err)
	}
	if err := f.EachOlder(t.Context(), InBucket, time.Now().Add(time.Hour), see); err != nil || len(seen) != 2 {
		t.Errorf("%v %v", seen, err)
	}
}

func TestAnObjectInABucketThatIsNotConfiguredIsAwayNotLost(t *testing.T) {
	t.Parallel()
	f, err := Open(map[string]string{"a": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var away *storage.Error
	if _, err := f.Open(t.Context(), InBucket, oidOf("x"), 1); !errors.As(err, &away) {
		t.Error(err)
	}
	if _, err := f.Receive(InBucket, oidOf("x"), 1, strings.NewReader("x")); err == nil {
		t.Error("there is no bucket")
	}
}
