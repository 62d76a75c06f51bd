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

// MaxSize returns the largest size of a file of a type of packages: the limit of the plan, or that of all packages.
func (s *Service) MaxSize(kind string) int64 {
	plan := s.store.Settings.Current().PlanLimits
	most := map[string]int64{
		model.GenericPackage: plan.GenericPackages, model.MavenPackage: plan.Maven,
		model.NPMPackage: plan.NPM, model.PyPIPackage: plan.PyPI,
	}[kind]
	if most == 0 {
		return s.limit
	}
	return min(most, s.limit)
}
