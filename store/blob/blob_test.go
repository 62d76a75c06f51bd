package blob

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// both runs a test on a folder and on a bucket.
func both(t *testing.T, f func(t *testing.T, s Store, drafts string)) {
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		s, err := Open("", root)
		if err != nil {
			t.Fatal(err)
		}
		f(t, s, root)
	})
	t.Run("bucket", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		s, err := Open(newFake(t).address("/some/prefix", fakeSecret), root)
		if err != nil {
			t.Fatal(err)
		}
		f(t, s, root)
	})
}

func read(t testing.TB, from io.ReadCloser, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err := errors.Join(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAFileIsPutAsAWhole(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, drafts string) {
		ctx, key := t.Context(), ArtifactKey()
		broken := errors.New("broken off")
		if _, err := s.Put(ctx, key, io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("a broken upload: %v", err)
		}
		if _, err := s.Read(ctx, key, 0, 1); !errors.Is(err, ErrNotFound) {
			t.Errorf("half a file is there: %v", err)
		}
		n, err := s.Put(ctx, key, strings.NewReader("0123456789"))
		if n != 10 || err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
		from, err := s.Read(ctx, key, 3, 4)
		if got := read(t, from, err); got != "3456" {
			t.Errorf("a part is %q", got)
		}
		at := ReaderAt{Context: ctx, Store: s, Key: key, Size: 10}
		p := make([]byte, 4)
		if n, err := at.ReadAt(p, 8); n != 2 || !errors.Is(err, io.EOF) || string(p[:n]) != "89" {
			t.Errorf("at the end: %d, %v, %q", n, err, p)
		}
		if n, err := at.ReadAt(p, 10); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("behind the end: %d, %v", n, err)
		}
		for range 2 {
			if err := s.Delete(ctx, key); err != nil {
				t.Errorf("delete: %v", err)
			}
		}
		if _, err := s.Read(ctx, key, 0, 1); !errors.Is(err, ErrNotFound) {
			t.Errorf("a deleted file is there: %v", err)
		}
		if left, _ := os.ReadDir(filepath.Join(drafts, "drafts")); len(left) != 0 {
			t.Errorf("%d drafts are left", len(left))
		}
	})
}

func TestAFileGrows(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, _ string) {
		ctx, key := t.Context(), LogKey(4711)
		var want bytes.Buffer
		for i := range 300 { // more parts than a page of a list has
			p := []byte("line " + strings.Repeat("x", i%7) + "\n")
			// Bytes that were not acknowledged are written again, and may be more by then.
			if i%100 == 0 {
				if err := s.Append(ctx, key, int64(want.Len()), []byte("never acknowledged, and longer than the line")); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Append(ctx, key, int64(want.Len()), p); err != nil {
				t.Fatal(err)
			}
			want.Write(p)
		}
		size := int64(want.Len())
		from, err := s.ReadAppended(ctx, key, 0, size)
		if got := read(t, from, err); got != want.String() {
			t.Errorf("%d bytes came back of %d", len(got), size)
		}
		from, err = s.ReadAppended(ctx, key, 1001, 1000)
		if got := read(t, from, err); got != want.String()[1001:2001] {
			t.Error("the middle is another")
		}
		if err := s.Delete(ctx, key); err != nil {
			t.Error(err)
		}
		if _, err := s.ReadAppended(ctx, key, 0, 1); !errors.Is(err, ErrNotFound) {
			t.Errorf("it is still there: %v", err)
		}
	})
}

func TestOnlyOurKeysBecomePaths(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, _ string) {
		ctx := t.Context()
		for _, key := range []string{
			"", "logs", "logs/", "logs/../../etc/passwd", "logs/..", "other/1", "/logs/1", "logs/1/2", "logs/1\x00",
			"logs/" + strings.Repeat("1", 65),
		} {
			_, put := s.Put(ctx, key, strings.NewReader("x"))
			_, get := s.Read(ctx, key, 0, 1)
			_, appended := s.ReadAppended(ctx, key, 0, 1)
			for _, err := range []error{put, get, appended, s.Append(ctx, key, 0, []byte("x")), s.Delete(ctx, key)} {
				if err == nil || errors.Is(err, ErrNotFound) {
					t.Errorf("%q: %v", key, err)
				}
			}
		}
	})
}

func TestWhatIsLeftOfAKilledServerIsTidiedUp(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	f, err := newFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := f.draft(strings.NewReader("left"))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	count := func() int {
		left, _ := os.ReadDir(filepath.Join(root, "drafts"))
		return len(left)
	}
	if err := f.Tidy(time.Now().Add(-time.Hour)); err != nil || count() != 1 {
		t.Errorf("a draft that may be in use: %v, %d are left", err, count())
	}
	if err := f.Tidy(time.Now().Add(time.Hour)); err != nil || count() != 0 {
		t.Errorf("an old one: %v, %d are left", err, count())
	}
}

// The example is from the AWS documentation. It shows that the check of the fake bucket is right.
func TestTheSignatureOfTheExampleIsValid(t *testing.T) {
	t.Parallel()
	r, err := http.NewRequest(http.MethodGet, "https://examplebucket.s3.amazonaws.com/test.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Range": "bytes=0-9", "X-Amz-Content-Sha256": hexSum(nil), "X-Amz-Date": "20130524T000000Z",
		"Authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," +
			"SignedHeaders=host;range;x-amz-content-sha256;x-amz-date," +
			"Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
	} {
		r.Header.Set(name, value)
	}
	if !isSigned(r, nil, "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY") {
		t.Error("it is not")
	}
	if isSigned(r, nil, "AKIAIOSFODNN7EXAMPLE", "another secret") {
		t.Error("it is also valid with another secret")
	}
}

func TestAWrongURLOrKeyIsRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"s3://", "ftp://bucket", "s3://a:b@bucket?endpoint=ftp://host", "s3://a:b@bucket?endpoint=%zz", "://",
		"s3://a:b@bucket?timeout=0s", "s3://a:b@bucket?timeout=soon", "s3://a:b@bucket?end-point=https://host",
	} {
		if _, err := Open(address, t.TempDir()); err == nil || strings.Contains(err.Error(), "a:b") {
			t.Errorf("%s: %v", address, err)
		}
	}
	s, err := Open(newFake(t).address("", "wrong"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var refused *StatusError
	if err := s.Append(t.Context(), LogKey(1), 0, []byte("x")); !errors.As(err, &refused) || refused.Status != 403 ||
		refused.Code != "SignatureDoesNotMatch" {
		t.Errorf("a wrong key: %v", err)
	}
}

// Many jobs write at once, each into its own log.
func TestManyLogsGrowAtOnce(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s Store, _ string) {
		var wait sync.WaitGroup
		for i := range 16 {
			wait.Go(func() {
				p := make([]byte, 4096)
				rand.Read(p)
				for offset := range 8 {
					if err := s.Append(t.Context(), LogKey(int64(i)), int64(offset*len(p)), p); err != nil {
						t.Error(err)
					}
				}
				from, err := s.ReadAppended(t.Context(), LogKey(int64(i)), int64(7*len(p)), int64(len(p)))
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(from)
				if err := errors.Join(err, from.Close()); err != nil || !bytes.Equal(got, p) {
					t.Errorf("log %d: %v", i, err)
				}
			})
		}
		wait.Wait()
	})
}
