// Package brand is the service's name in headers. Official clients look for another one, so both are sent.
package brand

import (
	"net/http"
	"strings"
)

const (
	// Name is ours.
	Name = "Svc"
	// Known is the one that official clients have built in.
	Known = "Gitlab"
)

// file are the headers that tell about a file.
var file = []string{
	"Blob-Id", "Commit-Id", "Content-Sha256", "Encoding", "Execute-Filemode", "File-Name", "File-Path", "Last-Commit-Id", "Ref", "Size",
}

// Exposed lists the headers that pages of other origins may read, in both spellings.
func Exposed() string {
	var all []string
	for _, brand := range []string{Name, Known} {
		for _, name := range file {
			all = append(all, "X-"+brand+"-"+name)
		}
	}
	return strings.Join(all, ", ")
}

// Set gives a header that clients read in both spellings: Blob-Id becomes X-Svc-Blob-Id and its twin.
func Set(h http.Header, name, value string) {
	h.Set("X-"+Name+"-"+name, value)
	h.Set("X-"+Known+"-"+name, value)
}
