// Package brand writes the service's name into response headers. Official clients expect another name, so every such
// header is sent under both names.
package brand

import (
	"net/http"
	"strings"
)

const (
	// Name is the name of this service.
	Name = "Svc"
	// ClientName is the name that official clients expect.
	ClientName = "Gitlab"
)

// file lists the headers that describe a file of a repository, without their prefix.
var file = []string{
	"Blob-Id", "Commit-Id", "Content-Sha256", "Encoding", "Execute-Filemode", "File-Name", "File-Path", "Last-Commit-Id", "Ref", "Size",
}

// Exposed lists the headers that pages of other origins may read, under both names.
func Exposed() string {
	var all []string
	for _, brand := range []string{Name, ClientName} {
		for _, name := range file {
			all = append(all, "X-"+brand+"-"+name)
		}
	}
	return strings.Join(all, ", ")
}

// Set sets a header under both names: Blob-Id becomes X-Svc-Blob-Id and X-Gitlab-Blob-Id.
func Set(h http.Header, name, value string) {
	h.Set("X-"+Name+"-"+name, value)
	h.Set("X-"+ClientName+"-"+name, value)
}
