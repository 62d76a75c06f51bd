package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// PagesSite presents the URL of a site and its deployments.
func PagesSite(address string, force bool, published []model.PagesDeployment) gen.PagesSite {
	return gen.PagesSite{
		URL: address, IsUniqueDomainEnabled: true, ForceHTTPS: force,
		Deployments: All(published, func(d model.PagesDeployment) gen.PagesDeployment {
			return gen.PagesDeployment{
				CreatedAt: wire.NewTime(d.CreatedAt), URL: address, RootDirectory: d.Root, JobID: d.JobID, Size: d.Size,
				FileCount: d.FileCount,
			}
		}),
	}
}
