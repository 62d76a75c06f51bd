package blob

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"svc/store/observe"
	"svc/store/storage"

	"github.com/minio/minio-go/v7/pkg/signer"
)

// bucket stores files in a bucket with the S3 protocol. Objects cannot grow there, so each append is an object of its
// own, named by its offset.
type bucket struct {
	base   string // URL of the bucket, with the prefix of all keys and a trailing slash
	bucket string // URL of the bucket
	prefix string
	place  string // like base, without credentials
	drafts *folder

	timeout            time.Duration // see defaultTimeout
	id, secret, region string        // sign the requests
	client             *http.Client
}

// newBucket parses s3://id:secret@bucket/prefix?endpoint=https://host&region=name&timeout=20s. Without id and secret it
// uses the usual environment variables.
func newBucket(u *url.URL, drafts *folder) (*bucket, error) {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, errors.New("the URL of the blob store must be like s3://bucket/prefix?endpoint=https://host&region=name")
	}
	timeout, err := parameters(q)
	if err != nil {
		return nil, err
	}
	region := cmp.Or(q.Get("region"), os.Getenv("AWS_REGION"), "us-east-1")
	endpoint, err := url.Parse(cmp.Or(q.Get("endpoint"), "https://s3."+region+".amazonaws.com"))
	if err != nil || endpoint.Host == "" || (endpoint.Scheme != "http" && endpoint.Scheme != "https") {
		return nil, errors.New("the endpoint of the blob store must be an http or https URL")
	}
	id := u.User.Username()
	secret, _ := u.User.Password()
	if id == "" {
		id, secret = os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	}
	if id == "" || secret == "" {
		return nil, errors.New("the blob store needs an access key: give it in the URL or as AWS_ACCESS_KEY_ID and " +
			"AWS_SECRET_ACCESS_KEY")
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	at := strings.TrimSuffix(endpoint.String(), "/") + "/" + u.Host
	endpoint.User = nil
	place := strings.TrimSuffix(endpoint.String(), "/") + "/" + u.Host + "/" + prefix
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute, ResponseHeaderTimeout: timeout,
		DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
	}
	return &bucket{
		base: at + "/" + prefix, bucket: at, prefix: prefix, place: place, drafts: drafts,
		timeout: timeout, id: id, secret: secret, region: region,
		client: &http.Client{Transport: observe.Transport{Base: transport}},
	}, nil
}

// parameters checks the names of the parameters in the URL of a bucket, and returns the time limit.
func parameters(q url.Values) (time.Duration, error) {
	for name := range q {
		if name != "endpoint" && name != "region" && name != "timeout" {
			return 0, fmt.Errorf("the URL of the blob store has the unknown parameter %q; endpoint, region and timeout are known", name)
		}
	}
	if !q.Has("timeout") {
		return defaultTimeout, nil
	}
	timeout, err := time.ParseDuration(q.Get("timeout"))
	if err != nil || timeout <= 0 {
		return 0, errors.New("the timeout of the blob store must be a time such as 20s")
	}
	return timeout, nil
}

// call sends a request and returns the response if it is a success.
func (b *bucket) call(
	ctx context.Context, method, address string, body io.Reader, length int64, digest, part string,
) (*http.Response, error) {
	within, cancel := context.WithCancel(ctx)
	r, err := http.NewRequestWithContext(within, method, address, body)
	if err != nil {
		cancel()
		return nil, err
	}
	r.ContentLength = length
	if part != "" {
		r.Header.Set("Range", part)
	}
	r.Header.Set("X-Amz-Content-Sha256", digest)
	res, err := b.client.Do(signer.SignV4(*r, b.id, b.secret, "", b.region))
	if err != nil {
		cancel()
		return nil, b.unreachable(ctx, reason(err))
	}
	res.Body = b.newBody(ctx, res, cancel)
	if res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	var failure struct{ Code string }
	text, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // only for the error message
	_ = xml.Unmarshal(text, &failure)
	if res.StatusCode == http.StatusNotFound && failure.Code != "NoSuchBucket" {
		return nil, ErrNotFound
	}
	return nil, &StatusError{Status: res.StatusCode, Code: failure.Code}
}

// reason returns the error of a request without the URL of the request, whose endpoint may contain a password.
func reason(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// done does the same as call for a response without a body.
func (b *bucket) done(ctx context.Context, method, address string, body io.Reader, length int64, digest string) error {
	res, err := b.call(ctx, method, address, body, length, digest, "")
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return errors.Join(err, res.Body.Close())
}

// hexSum returns the SHA-256 of a body in hexadecimal.
func hexSum(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}

// Put writes the file to a draft first, because a bucket needs its length and digest.
func (b *bucket) Put(ctx context.Context, key string, from io.Reader) (int64, error) {
	if err := check(key); err != nil {
		return 0, err
	}
	sum := sha256.New()
	file, n, err := b.drafts.draft(io.TeeReader(from, sum))
	if err != nil {
		return 0, err
	}
	defer discard(file)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return n, b.done(ctx, http.MethodPut, b.base+key, io.NopCloser(file), n, hex.EncodeToString(sum.Sum(nil)))
}

// PutVerified stores a file whose size and SHA-256 are known. The bucket refuses other content.
func (b *bucket) PutVerified(ctx context.Context, key string, from io.Reader, size int64, digest string) error {
	if err := check(key); err != nil {
		return err
	}
	return b.done(ctx, http.MethodPut, b.base+key, io.NopCloser(from), size, digest)
}

// Append puts a part.
func (b *bucket) Append(ctx context.Context, key string, offset int64, p []byte) error {
	if err := check(key); err != nil {
		return err
	}
	return b.done(ctx, http.MethodPut, b.base+partKey(key, offset), bytes.NewReader(p), int64(len(p)), hexSum(p))
}

// partKey names parts so that they are listed in order.
func partKey(key string, offset int64) string { return fmt.Sprintf("%s/%020d", key, offset) }

// Read asks for a range.
func (b *bucket) Read(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := check(key); err != nil {
		return nil, err
	}
	return b.get(ctx, key, offset, length)
}

func (b *bucket) get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if length <= 0 {
		return io.NopCloser(strings.NewReader("")), nil
	}
	res, err := b.call(
		ctx, http.MethodGet, b.base+key, nil, 0, hexSum(nil), fmt.Sprintf("bytes=%d-%d", offset, offset+length-1),
	)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusPartialContent && offset > 0 {
		return nil, errors.Join(b.unreachable(ctx, fmt.Errorf("it answered %d to a request for a part of a file", res.StatusCode)),
			res.Body.Close())
	}
	return part{io.LimitReader(res.Body, length), res.Body}, nil
}

// ReadAppended reads the parts one after the other.
func (b *bucket) ReadAppended(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := check(key); err != nil {
		return nil, err
	}
	parts, err := b.parts(ctx, key)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, ErrNotFound
	}
	return &appended{ctx: ctx, bucket: b, key: key, parts: parts, at: offset, end: offset + length}, nil
}

// Delete removes the file and its parts.
func (b *bucket) Delete(ctx context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	parts, err := b.parts(ctx, key)
	if err != nil {
		return err
	}
	keys := []string{key}
	for _, p := range parts {
		keys = append(keys, partKey(key, p.offset))
	}
	for _, k := range keys {
		if err := b.done(ctx, http.MethodDelete, b.base+k, nil, 0, hexSum(nil)); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

// Place returns the URL without the access keys.
func (b *bucket) Place() string { return b.place }

// Mark reads the object that names the instance.
func (b *bucket) Mark(ctx context.Context) (string, error) {
	from, err := b.get(ctx, storage.File, 0, 1<<10)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(from)
	return strings.TrimSpace(string(text)), errors.Join(err, from.Close())
}

// SetMark writes that object.
func (b *bucket) SetMark(ctx context.Context, id string) error {
	text := []byte(id + "\n")
	return b.done(ctx, http.MethodPut, b.base+storage.File, bytes.NewReader(text), int64(len(text)), hexSum(text))
}

// Unmark removes that object.
func (b *bucket) Unmark(ctx context.Context) error {
	err := b.done(ctx, http.MethodDelete, b.base+storage.File, nil, 0, hexSum(nil))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// Guard does nothing: unlike a mounted folder, a bucket cannot disappear and leave an empty one in its place.
func (b *bucket) Guard(string) {}

// Check does nothing: a bucket that cannot be reached fails when it is used.
func (b *bucket) Check(context.Context) error { return nil }

// Tidy removes drafts on their way to the bucket.
func (b *bucket) Tidy(before time.Time) error { return b.drafts.Tidy(before) }

// span is a part of an appended file.
type span struct{ offset, size int64 }

// parts lists the parts of a file in order.
func (b *bucket) parts(ctx context.Context, key string) ([]span, error) {
	var all []span
	err := b.list(ctx, key+"/", func(o Object) error {
		offset, err := strconv.ParseInt(strings.TrimPrefix(o.Key, key+"/"), 10, 64)
		if err != nil {
			return fmt.Errorf("a part of %s is called %q", key, o.Key)
		}
		all = append(all, span{offset, o.Size})
		return nil
	})
	return all, err
}
