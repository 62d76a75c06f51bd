// Package build is what this program was built from.
package build

import (
	"runtime/debug"
	"strings"
)

// APIVersion is the release of the API that we follow; clients compare it with the features they need.
const APIVersion = "16.7.0-svc"

// Info names a build.
type Info struct {
	Version  string // of the API, with our own name behind it
	Revision string // short commit id, or "unknown" outside a checkout
	Go       string
}

// revision is set by the Makefile, because builds here do not stamp version control.
var revision string

// Read finds out what was built.
func Read() Info {
	info := Info{Version: APIVersion, Revision: revision}
	if b, ok := debug.ReadBuildInfo(); ok {
		info.Go = b.GoVersion
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" && info.Revision == "" {
				info.Revision = s.Value[:min(11, len(s.Value))]
			}
		}
	}
	if strings.TrimSpace(info.Revision) == "" {
		info.Revision = "unknown"
	}
	return info
}
