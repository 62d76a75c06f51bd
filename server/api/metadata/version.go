package metadata

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetVersion names the version.
// GET /version
func (m *Metadata) GetVersion(ctx context.Context, _ gen.GetVersionRequestObject) (gen.GetVersionResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadMetadata); err != nil {
		return nil, err
	}
	return gen.GetVersion200JSONResponse{Version: m.build.Version, Revision: m.build.Revision}, nil
}

// GetMetadata names the version and the edition.
// GET /metadata
func (m *Metadata) GetMetadata(ctx context.Context, _ gen.GetMetadataRequestObject) (gen.GetMetadataResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadMetadata); err != nil {
		return nil, err
	}
	return gen.GetMetadata200JSONResponse{Version: m.build.Version, Revision: m.build.Revision, Enterprise: m.paid}, nil
}
