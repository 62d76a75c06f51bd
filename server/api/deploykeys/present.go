package deploykeys

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

func presentKey(k model.DeployKey) gen.DeployKey {
	return gen.DeployKey{
		ID: k.ID, Title: k.Title, CreatedAt: wire.NewTime(k.CreatedAt), ExpiresAt: wire.TimePtr(k.ExpiresAt), Key: k.Key,
		Fingerprint: k.FingerprintMD5, FingerprintSha256: "SHA256:" + k.FingerprintSHA256,
	}
}

func presentInProject(row model.DeployKeyRow) gen.DeployKey {
	shown := presentKey(row.DeployKey)
	shown.CanPush = &row.CanPush
	return shown
}

// withProjects presents keys with their projects, which it reads once for all keys.
func (d *DeployKeys) withProjects(ctx context.Context, rows []model.DeployKey) ([]gen.DeployKey, error) {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	uses, err := d.store.DeployKeys.Uses(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]gen.DeployKey, len(rows))
	for i, row := range rows {
		write, read := []gen.DeployKeyProject{}, []gen.DeployKeyProject{}
		for _, use := range uses[row.ID] {
			if use.CanPush {
				write = append(write, presentUse(use))
			} else {
				read = append(read, presentUse(use))
			}
		}
		out[i] = presentKey(row)
		out[i].ProjectsWithWriteAccess, out[i].ProjectsWithReadonlyAccess = &write, &read
	}
	return out, nil
}

func presentUse(u model.DeployKeyUse) gen.DeployKeyProject {
	return gen.DeployKeyProject{
		ID: u.ID, Description: u.Description, Name: u.Name, NameWithNamespace: u.FullName, Path: u.Path,
		PathWithNamespace: u.FullPath, CreatedAt: wire.NewTime(u.CreatedAt),
	}
}
