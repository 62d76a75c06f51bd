package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ResourceGroup presents a resource group.
func ResourceGroup(g model.ResourceGroup) gen.ResourceGroup {
	return gen.ResourceGroup{
		ID: g.ID, Key: g.Key, ProcessMode: gen.ProcessMode(g.ProcessMode), CreatedAt: wire.NewTime(g.CreatedAt),
		UpdatedAt: wire.NewTime(g.UpdatedAt),
	}
}
