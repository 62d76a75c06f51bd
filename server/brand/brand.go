// Package brand is the service's name in headers. Official clients look for another one, so both are sent.
package brand

import "net/http"

const (
	// Name is ours.
	Name = "Svc"
	// Known is the one that official clients have built in.
	Known = "Gitlab"
)

// Set gives a header that clients read in both spellings: Blob-Id becomes X-Svc-Blob-Id and its twin.
func Set(h http.Header, name, value string) {
	h.Set("X-"+Name+"-"+name, value)
	h.Set("X-"+Known+"-"+name, value)
}
