// Package bulkimports implements the API operations on imports of groups and projects from other instances.
//
//	service.go   construction
//	import.go    imports
//	entities.go  the groups and projects of imports
package bulkimports

import (
	"svc/server/domain/bulkimport"
	"svc/server/platform/pagination"
	"svc/store"
)

// BulkImports are the operations on imports from other instances.
type BulkImports struct {
	store   *store.Store
	imports *bulkimport.Service
	pages   pagination.MaxOffset
}

// New returns the operations on imports from other instances.
func New(st *store.Store, imports *bulkimport.Service, pages pagination.MaxOffset) *BulkImports {
	return &BulkImports{store: st, imports: imports, pages: pages}
}
