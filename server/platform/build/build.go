// Package build reports the version and the commit that this program was built from.
package build

import (
	"runtime/debug"
	"strings"
)

// APIVersion is the release of the API that the service follows. Clients compare it with the release of the features
// that they need.
const APIVersion = "16.7.0-svc"

// Info describes a build.
type Info struct {
	Version  string // APIVersion
	Revision string // short commit id, or "unknown" outside a checkout
	Go       string
}

// revision is set by the Makefile, because builds here do not stamp version control.
var revision string

// Read returns the version, the commit and the Go version of the running program.
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
