package blob

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

	"svc/store/storage"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket stores files in a bucket with the S3 protocol. Objects cannot grow there, so each append is an object of its
// own, named by its offset.
type bucket struct {
	place  string // URL of the bucket with the prefix, for people
	name   string
	prefix string // of all keys
	client *minio.Core
	drafts *folder
}

// newBucket parses s3://id:secret@bucket/prefix?endpoint=https://host&region=name. Without id and secret it uses the
// usual environment variables.
func newBucket(u *url.URL, drafts *folder) (*bucket, error) {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, errors.New("the URL of the blob store must be like s3://bucket/prefix?endpoint=https://host&region=name")
	}
	region := cmp.Or(q.Get("region"), os.Getenv("AWS_REGION"), "us-east-1")
	endpoint, err := url.Parse(cmp.Or(q.Get("endpoint"), "https://s3."+region+".amazonaws.com"))
	if err != nil || endpoint.Host == "" || (endpoint.Scheme != "http" && endpoint.Scheme != "https") ||
		strings.Trim(endpoint.Path, "/") != "" {
		return nil, errors.New("the endpoint of the blob store must be an http or https URL without a path")
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
	client, err := minio.NewCore(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(id, secret, ""), Secure: endpoint.Scheme == "https", Region: region,
		BucketLookup: minio.BucketLookupPath, MaxRetries: 1,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute,
			ResponseHeaderTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second,
			DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("open the blob store: %w", err)
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	place := endpoint.Scheme + "://" + endpoint.Host + "/" + u.Host + "/" + prefix
	return &bucket{place: place, name: u.Host, prefix: prefix, client: client, drafts: drafts}, nil
}

// StatusError is an error response of a bucket.
type StatusError struct {
	Status int
	Code   string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the blob store answered %d %s", e.Status, e.Code)
}

// failure turns an error response into ErrNotFound or a StatusError.
func failure(err error) error {
	var response minio.ErrorResponse
	switch {
	case !errors.As(err, &response) || response.StatusCode == 0:
		return err
	case response.StatusCode == http.StatusNotFound && response.Code != minio.NoSuchBucket:
		return ErrNotFound
	}
	return &StatusError{Status: response.StatusCode, Code: response.Code}
}

// put writes an object. The digest is the SHA-256 of the body in hexadecimal.
func (b *bucket) put(ctx context.Context, key string, body io.Reader, size int64, digest string) error {
	_, err := b.client.PutObject(ctx, b.name, b.prefix+key, body, size, "", digest, minio.PutObjectOptions{
		DisableContentSha256: true, // no digest of its own: the request has ours
	})
	return failure(err)
}

// putBytes writes an object.
func (b *bucket) putBytes(ctx context.Context, key string, p []byte) error {
	sum := sha256.Sum256(p)
	return b.put(ctx, key, bytes.NewReader(p), int64(len(p)), hex.EncodeToString(sum[:]))
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
	return n, b.put(ctx, key, io.NopCloser(file), n, hex.EncodeToString(sum.Sum(nil)))
}

// Append puts a part.
func (b *bucket) Append(ctx context.Context, key string, offset int64, p []byte) error {
	if err := check(key); err != nil {
		return err
	}
	return b.putBytes(ctx, partKey(key, offset), p)
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
	var options minio.GetObjectOptions
	if err := options.SetRange(offset, offset+length-1); err != nil {
		return nil, err
	}
	body, _, _, err := b.client.GetObject(ctx, b.name, b.prefix+key, options)
	if err != nil {
		return nil, failure(err)
	}
	return part{io.LimitReader(body, length), body}, nil
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
		err := failure(b.client.RemoveObject(ctx, b.name, b.prefix+k, minio.RemoveObjectOptions{}))
		if err != nil && !errors.Is(err, ErrNotFound) {
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
	return b.putBytes(ctx, storage.File, []byte(id+"\n"))
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
	objects := b.client.Client.ListObjects(ctx, b.name, minio.ListObjectsOptions{
		Prefix: b.prefix + key + "/", Recursive: true,
	})
	var all []span
	for object := range objects {
		if object.Err != nil {
			return nil, failure(object.Err)
		}
		offset, err := strconv.ParseInt(object.Key[strings.LastIndexByte(object.Key, '/')+1:], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("a part of %s is called %q", key, object.Key)
		}
		all = append(all, span{offset, object.Size})
	}
	return all, nil
}
