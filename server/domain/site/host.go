package site

import (
	"net/netip"
	"regexp"
	"strings"
)

// Host holds the names that no project may use as its domain.
type Host struct {
	Own   string // the service's own host name
	Pages string // the parent domain of the default domains of all projects
}

var hostname = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`)

const maxName = 253

// Check returns what is wrong with a domain name, which is in lower case, or "" if it can be used.
func (h Host) Check(name string) string {
	_, err := netip.ParseAddr(name)
	switch {
	case err == nil || len(name) > maxName || !hostname.MatchString(name):
		return "is invalid"
	case name == h.Pages || strings.HasSuffix(name, "."+h.Pages):
		return "*." + h.Pages + " is restricted"
	case name == h.Own:
		return h.Own + " is restricted"
	}
	return ""
}
