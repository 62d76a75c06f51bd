package blob

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Object describes a file of a store.
type Object struct {
	Key      string
	Size     int64
	Modified time.Time
}

// List calls see with every file of a kind.
func (f *folder) List(ctx context.Context, kind string, see func(Object) error) error {
	top := filepath.Join(f.root, kind)
	if _, err := os.Stat(top); errors.Is(err, fs.ErrNotExist) {
		return f.mark.Check()
	}
	return filepath.WalkDir(top, func(_ string, entry fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		key := kind + "/" + entry.Name()
		if entry.IsDir() || check(key) != nil {
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		return see(Object{Key: key, Size: info.Size(), Modified: info.ModTime()})
	})
}

// Size returns the size of a file.
func (f *folder) Size(_ context.Context, key string) (int64, error) {
	place, err := f.place(key)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(place)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, f.mark.Missing(ErrNotFound)
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// List calls see with every file of a kind. The parts of an appended file are one file.
func (b *bucket) List(ctx context.Context, kind string, see func(Object) error) error {
	var last Object
	err := b.list(ctx, kind+"/", func(o Object) error {
		key, part, isPart := strings.Cut(strings.TrimPrefix(o.Key, kind+"/"), "/")
		key = kind + "/" + key
		if check(key) != nil {
			return nil // not a file of the service
		}
		size := o.Size
		if isPart {
			offset, err := strconv.ParseInt(part, 10, 64)
			if err != nil {
				return nil // not a part
			}
			size += offset
		}
		if last.Key != key {
			if err := seeUnlessEmpty(last, see); err != nil {
				return err
			}
			last = Object{Key: key}
		}
		last.Size = max(last.Size, size)
		if o.Modified.After(last.Modified) {
			last.Modified = o.Modified
		}
		return nil
	})
	if err != nil {
		return err
	}
	return seeUnlessEmpty(last, see)
}

func seeUnlessEmpty(o Object, see func(Object) error) error {
	if o.Key == "" {
		return nil
	}
	return see(o)
}

// Size returns the size of a file, however it was written.
func (b *bucket) Size(ctx context.Context, key string) (int64, error) {
	if err := check(key); err != nil {
		return 0, err
	}
	prefix := key
	if strings.HasPrefix(key, Logs+"/") {
		prefix += "/" // many logs have names that begin with the same digits
	}
	found, size := false, int64(0)
	err := b.list(ctx, prefix, func(o Object) error {
		part, isPart := strings.CutPrefix(o.Key, key+"/")
		if !isPart && o.Key != key {
			return nil // its name only begins with the key
		}
		end := o.Size
		if isPart {
			offset, err := strconv.ParseInt(part, 10, 64)
			if err != nil {
				return fmt.Errorf("a part of %s is called %q", key, o.Key)
			}
			end += offset
		}
		found, size = true, max(size, end)
		return nil
	})
	if err == nil && !found {
		err = ErrNotFound
	}
	return size, err
}

// list calls see with the objects whose keys begin with a prefix, in order. Keys are without the prefix of the bucket.
func (b *bucket) list(ctx context.Context, prefix string, see func(Object) error) error {
	for token := ""; ; {
		values := url.Values{"list-type": {"2"}, "prefix": {b.prefix + prefix}}
		if token != "" {
			values.Set("continuation-token", token)
		}
		res, err := b.call(ctx, http.MethodGet, b.bucket+"?"+values.Encode(), nil, 0, hexSum(nil), "")
		if err != nil {
			return err
		}
		var page struct {
			XMLName  xml.Name `xml:"ListBucketResult"`
			Contents []struct {
				Key          string
				Size         int64
				LastModified time.Time
			}
			NextContinuationToken string
		}
		err = xml.NewDecoder(res.Body).Decode(&page)
		if err = errors.Join(err, res.Body.Close()); err != nil {
			return b.unreachable(ctx, fmt.Errorf("the list of objects cannot be read: %w", err))
		}
		for _, o := range page.Contents {
			object := Object{Key: strings.TrimPrefix(o.Key, b.prefix), Size: o.Size, Modified: o.LastModified}
			if err := see(object); err != nil {
				return err
			}
		}
		if token = page.NextContinuationToken; token == "" {
			return nil
		}
	}
}
