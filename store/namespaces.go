package store

import (
	"context"

	"svc/store/model"
)

// Namespaces are the places that projects live in.
type Namespaces struct{ *base }

// Rename gives a namespace another name or path; nil leaves it as it is.
func (s Namespaces) Rename(ctx context.Context, id int64, name, path *string) error {
	set := map[string]any{}
	if name != nil {
		set["name"] = *name
	}
	if path != nil {
		set["path"] = *path
	}
	return translate(s.write(ctx).Model(&model.Namespace{}).Where("id = ?", id).Updates(set).Error)
}
