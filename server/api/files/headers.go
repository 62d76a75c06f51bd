package files

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/gen"
	"svc/server/platform/brand"
)

// headers sets the response headers that describe the file.
func (f file) headers(h http.Header) {
	brand.Set(h, "Blob-Id", f.entry.ID)
	brand.Set(h, "Commit-Id", f.commit)
	brand.Set(h, "Content-Sha256", f.digest)
	brand.Set(h, "Encoding", string(gen.RepositoryFileEncodingBase64))
	brand.Set(h, "Execute-Filemode", strconv.FormatBool(f.executable()))
	brand.Set(h, "File-Name", printable(f.name()))
	brand.Set(h, "File-Path", printable(f.path))
	brand.Set(h, "Last-Commit-Id", f.last)
	brand.Set(h, "Ref", f.ref)
	brand.Set(h, "Size", strconv.FormatInt(f.size, 10))
}

// printable returns a name that a header can hold.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return url.PathEscape(name)
	}
	return name
}
