package variables

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

const (
	allScopes = "*"
	maxScope  = 255
)

var scopeFormat = regexp.MustCompile(`\A[a-zA-Z0-9_/${}. *-]+\z`)

// list returns one page of the variables of a project or group.
func (v *Variables) list(
	ctx context.Context, set auditedVariables, kind string, number, size *int64, paging *gen.Pagination,
) ([]gen.Variable, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := v.pages.Offset(ctx, pagination.Kind{Name: kind}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := set.List(ctx, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, present.Variable), window.Headers(total), nil
}

// create adds a variable to a project or group.
func create(ctx context.Context, set auditedVariables, owner string, body gen.VariableCreate) (gen.Variable, error) {
	hidden := wire.Value(body.MaskedAndHidden)
	row := model.OwnedVariable{
		Key: body.Key, Value: body.Value, Description: body.Description.Ptr(), VariableType: model.VariableEnv, EnvironmentScope: allScopes,
		Protected: wire.Value(body.Protected), Masked: wire.Value(body.Masked) || hidden, Raw: wire.Value(body.Raw), Hidden: hidden,
	}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	if body.EnvironmentScope != nil {
		row.EnvironmentScope = *body.EnvironmentScope
	}
	broken := map[string][]string{}
	checkKey(broken, row.Key)
	if err := checkOwned(broken, row); err != nil {
		return gen.Variable{}, err
	}
	err := set.Create(ctx, &row)
	var full *store.LimitError
	if errors.As(err, &full) {
		return gen.Variable{}, apierr.Invalid("base", fmt.Sprintf("Maximum number of %s ci variables (%d) exceeded", owner, full.Most))
	}
	return present.Variable(row), explainOwned(err, row.Key)
}

// get presents a variable of a project or group.
func get(ctx context.Context, set auditedVariables, key string, filter *gen.VariableFilter) (gen.Variable, error) {
	row, err := set.Get(ctx, key, scopeOf(filter))
	return present.Variable(row), explainOwned(err, key)
}

// update changes the given fields of a variable of a project or group.
func update(
	ctx context.Context,
	set auditedVariables,
	key string,
	filter *gen.VariableFilter,
	body gen.VariableUpdate,
) (gen.Variable, error) {
	if body.Filter != nil {
		filter = body.Filter
	}
	row, err := set.Change(ctx, key, scopeOf(filter), func(row *model.OwnedVariable) error {
		fill(row, body)
		broken := map[string][]string{}
		if row.Hidden && !row.Masked {
			broken["masked"] = append(broken["masked"], "cannot be turned off for a hidden variable")
		}
		return checkOwned(broken, *row)
	})
	return present.Variable(row), explainOwned(err, key)
}

// fill copies the given fields into a row.
func fill(row *model.OwnedVariable, body gen.VariableUpdate) {
	if body.Value != nil {
		row.Value = *body.Value
	}
	if body.Description.IsSet() {
		row.Description = body.Description.Ptr()
	}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	if body.EnvironmentScope != nil {
		row.EnvironmentScope = *body.EnvironmentScope
	}
	for flag, given := range map[*bool]*bool{&row.Protected: body.Protected, &row.Masked: body.Masked, &row.Raw: body.Raw} {
		if given != nil {
			*flag = *given
		}
	}
}

// checkOwned validates a variable and returns all broken rules.
func checkOwned(broken map[string][]string, row model.OwnedVariable) error {
	checkValue(broken, row.Value, row.Description, row.Masked)
	switch {
	case row.EnvironmentScope == "":
		broken["environment_scope"] = []string{"can't be blank"}
	case utf8.RuneCountInString(row.EnvironmentScope) > maxScope:
		broken["environment_scope"] = []string{"is too long (maximum is 255 characters)"}
	case !scopeFormat.MatchString(row.EnvironmentScope):
		broken["environment_scope"] = []string{"can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"}
	}
	return invalidOrNil(broken)
}

// explainOwned turns errors of the store into the answers that the API promises.
func explainOwned(err error, key string) error {
	var taken *store.ConflictError
	var several *store.AmbiguousError
	switch {
	case errors.As(err, &taken):
		return apierr.Invalid("key", "("+key+") has already been taken")
	case errors.As(err, &several):
		return apierr.Conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
	}
	return err
}

func scopeOf(filter *gen.VariableFilter) *string {
	if filter == nil {
		return nil
	}
	return filter.EnvironmentScope
}
