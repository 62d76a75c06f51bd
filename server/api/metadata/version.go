package metadata

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetVersion returns the version and revision of this instance.
// GET /version
func (m *Metadata) GetVersion(ctx context.Context, _ gen.GetVersionRequestObject) (gen.GetVersionResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadMetadata); err != nil {
		return nil, err
	}
	return gen.GetVersion200JSONResponse{Version: m.build.Version, Revision: m.build.Revision}, nil
}

// GetMetadata returns the version, revision and edition of this instance.
// GET /metadata
func (m *Metadata) GetMetadata(ctx context.Context, _ gen.GetMetadataRequestObject) (gen.GetMetadataResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadMetadata); err != nil {
		return nil, err
	}
	return gen.GetMetadata200JSONResponse{Version: m.build.Version, Revision: m.build.Revision, Enterprise: m.paid}, nil
}
