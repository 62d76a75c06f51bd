// Package packages publishes, reads, protects and deletes packages. It does not know the protocols of package managers;
// server/transport/packagehttp speaks them.
//
//	packages.go    the service, and the limits
//	receive.go     stores the bytes of an upload and computes their checksums
//	publish.go     adds a stored file to a package
//	duplicates.go  whether a file may be published again
//	download.go    reads the files of packages
//	delete.go      deletes packages and files
//	maven_list.go  the list of the versions of a Maven artifact, after a deletion
//	protection.go  the rules about who may publish and delete packages
//	names.go       the names that packages and files may have
package packages

import (
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

// Service publishes and reads packages.
type Service struct {
	store *store.Store
	blobs blob.Store
	limit int64
}

// New returns a Service that refuses files larger than limit bytes.
func New(st *store.Store, blobs blob.Store, limit int64) *Service {
	return &Service{store: st, blobs: blobs, limit: limit}
}

// maxSizes are the largest sizes of a file in bytes, for the types of packages that have one.
var maxSizes = map[string]int64{
	model.MavenPackage: 3 << 30, model.PyPIPackage: 3 << 30, model.NPMPackage: 500 << 20,
}

// MaxSize returns the largest size of a file of a type of packages.
func (s *Service) MaxSize(kind string) int64 {
	if most, ok := maxSizes[kind]; ok {
		return min(most, s.limit)
	}
	return s.limit
}
