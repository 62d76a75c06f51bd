package cipages

import (
	"context"

	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// variableList is the variables of a project, a group or the instance.
type variableList interface {
	List(ctx context.Context, p store.Page) ([]model.OwnedVariable, store.Total, error)
	Get(ctx context.Context, key string, scope *string) (model.OwnedVariable, error)
	Create(ctx context.Context, row *model.OwnedVariable) error
	Change(ctx context.Context, key string, scope *string, edit func(*model.OwnedVariable)) (model.OwnedVariable, error)
	Remove(ctx context.Context, key string, scope *string) error
}

// variableOwner is where the variables of a page belong.
type variableOwner struct {
	list     variableList
	path     string // of the list
	instance bool   // there are no environments and no hidden values
	may      bool   // the visitor may change the variables
	intro    string
	show     func(view page.View) error
}

// ownedVariables are the variables of a project or group.
type ownedVariables struct{ variablestore.Owned }

// Remove removes a variable.
func (o ownedVariables) Remove(ctx context.Context, key string, scope *string) error {
	return o.Delete(ctx, key, scope, nil)
}

// instanceVariables are the variables of the instance, in the form of those of projects.
type instanceVariables struct {
	store     *store.Store
	variables *variablestore.Service
}

// List returns one page of the variables.
func (o instanceVariables) List(ctx context.Context, p store.Page) ([]model.OwnedVariable, store.Total, error) {
	rows, total, err := o.store.InstanceVariables.List(ctx, p)
	all := make([]model.OwnedVariable, len(rows))
	for i, row := range rows {
		all[i] = fromInstance(row)
	}
	return all, total, err
}

// Get returns a variable.
func (o instanceVariables) Get(ctx context.Context, key string, _ *string) (model.OwnedVariable, error) {
	row, err := o.store.InstanceVariables.GetByKey(ctx, key)
	return fromInstance(row), err
}

// Create adds a variable.
func (o instanceVariables) Create(ctx context.Context, row *model.OwnedVariable) error {
	made := model.InstanceVariable{
		Key: row.Key, Value: row.Value, Description: row.Description, VariableType: row.VariableType, Protected: row.Protected,
		Masked: row.Masked, Raw: row.Raw,
	}
	return o.variables.CreateInstance(ctx, &made)
}

// Change changes a variable.
func (o instanceVariables) Change(
	ctx context.Context, key string, _ *string, edit func(*model.OwnedVariable),
) (model.OwnedVariable, error) {
	row, err := o.Get(ctx, key, nil)
	if err != nil {
		return row, err
	}
	edit(&row)
	changed, err := o.variables.ChangeInstance(ctx, key, variablestore.InstanceChange{
		Value: row.Value, Description: row.Description, SetDescription: true, VariableType: &row.VariableType,
		Protected: &row.Protected, Masked: &row.Masked, Raw: &row.Raw,
	})
	return fromInstance(changed), err
}

// Remove removes a variable.
func (o instanceVariables) Remove(ctx context.Context, key string, _ *string) error {
	return o.variables.DeleteInstance(ctx, key, nil)
}

func fromInstance(row model.InstanceVariable) model.OwnedVariable {
	return model.OwnedVariable{
		ID: row.ID, Key: row.Key, Value: row.Value, Description: row.Description, VariableType: row.VariableType,
		Protected: row.Protected, Masked: row.Masked, Raw: row.Raw, EnvironmentScope: variablestore.AllScopes,
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

const variablesPath = "settings/variables"

// projectVariables returns the variables of the project of the visit.
func (p *Pages) projectVariables(v *page.Visit) variableOwner {
	return variableOwner{
		list: ownedVariables{p.Variables.OfProject(v.Project.Project)}, path: at(v, variablesPath), may: v.May(access.AdminProjectVariable),
		intro: "All jobs of this project get these variables. They override those of its groups and of the instance.",
		show: func(view page.View) error {
			view.Tab, view.Nav = page.TabSettings, v.SettingsNav(variablesPath)
			return v.Show(view)
		},
	}
}

// groupVariables returns the variables of the group of the visit.
func (p *Pages) groupVariables(v *page.Visit) variableOwner {
	return variableOwner{
		list: ownedVariables{p.Variables.OfGroup(v.Group.Namespace)}, may: true,
		path:  "/groups/" + v.Group.FullPath + "/-/" + variablesPath,
		intro: "The jobs of all projects in this group and its subgroups get these variables.",
		show: func(view page.View) error {
			view.Tab, view.Nav = page.TabSettings, v.SettingsNav(variablesPath)
			return v.Show(view)
		},
	}
}

// adminVariables returns the variables of the instance.
func (p *Pages) adminVariables(v *page.Visit) variableOwner {
	return variableOwner{
		list: instanceVariables{p.Store, p.Variables}, path: adminVariablesPath, instance: true, may: true,
		intro: "The jobs of all projects get these variables.", show: v.Show,
	}
}

// orMissing turns a missing variable, and one that its key does not name exactly, into a 404.
func orMissing(err error) error {
	if statusConflict(err) {
		return page.NotFound()
	}
	return apierr.OrNotFound(err, "")
}
