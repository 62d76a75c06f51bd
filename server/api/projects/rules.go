package projects

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// fieldErrors collects validation errors: texts by field.
type fieldErrors map[string][]string

func (b fieldErrors) add(field, text string) {
	if text != "" {
		b[field] = append(b[field], text)
	}
}

func (b fieldErrors) err() error {
	if len(b) == 0 {
		return nil
	}
	return apierr.InvalidFields(b)
}

// newProject returns the project that the input describes, and the columns that differ from the defaults.
func newProject(b gen.ProjectWrite, admin bool) (model.Project, map[string]any, error) {
	row := model.DefaultProject()
	switch {
	case b.Path == nil:
		row.Name, row.Path = *b.Name, naming.PathOf(*b.Name)
	case b.Name == nil:
		row.Name, row.Path = *b.Path, *b.Path
	default:
		row.Name, row.Path = *b.Name, *b.Path
	}
	if b.Visibility != nil {
		row.Visibility = visibility(*b.Visibility)
	}
	if row.Visibility == model.Public && b.PagesAccessLevel == nil {
		row.PagesAccessLevel = model.FeatureEnabled // everybody can see the project, and so its site
	}
	set := changes(b)
	delete(set, "name")
	delete(set, "path")
	if admin {
		put(set, "repository_storage", b.RepositoryStorage)
	}
	rules := fieldErrors{}
	rules.add("name", naming.Name(row.Name))
	rules.add("path", naming.Path(row.Path, false))
	checkBranch(rules, b.DefaultBranch)
	checkConfigPath(rules, b.CiConfigPath.Ptr())
	return row, set, rules.err()
}

// updated returns the columns that the input changes. Only owners may change the visibility.
func updated(b gen.ProjectWrite, row model.ProjectRow) (map[string]any, error) {
	set := changes(b)
	rules := fieldErrors{}
	if b.Name != nil {
		rules.add("name", naming.Name(*b.Name))
	}
	if b.Path != nil {
		rules.add("path", naming.Path(*b.Path, false))
	}
	checkBranch(rules, b.DefaultBranch)
	checkConfigPath(rules, b.CiConfigPath.Ptr())
	if b.Visibility != nil && visibility(*b.Visibility) != row.Project.Visibility {
		if row.Role() < model.Owner {
			return nil, apierr.Forbidden()
		}
		set["visibility"] = visibility(*b.Visibility)
	}
	if row.Admin {
		put(set, "repository_storage", b.RepositoryStorage)
	}
	return set, rules.err()
}

// checkBranch checks a branch name against git's rules for references.
func checkBranch(rules fieldErrors, name *string) {
	if name == nil {
		return
	}
	n := *name
	bad := strings.HasPrefix(n, "-") || strings.HasPrefix(n, "/") || strings.HasSuffix(n, "/") || strings.HasSuffix(n, ".") ||
		strings.HasSuffix(n, ".lock") || n == "@" || strings.ContainsAny(n, " ~^:?*[\\") ||
		strings.ContainsFunc(n, func(r rune) bool { return r < ' ' || r == 0x7f })
	for _, part := range []string{"..", "//", "@{", "/.", ".lock/"} {
		bad = bad || strings.Contains(n, part)
	}
	if bad || strings.HasPrefix(n, ".") || n != "" && git.Misleading(n) {
		rules.add("default_branch", "is not a valid branch name")
	}
}

// checkConfigPath refuses paths of the CI/CD file outside the repository.
func checkConfigPath(rules fieldErrors, path *string) {
	if path == nil {
		return
	}
	if strings.HasPrefix(*path, "/") || strings.Contains(*path, "..") {
		rules.add("ci_config_path", "cannot include leading slash or directory traversal.")
	}
	if strings.ContainsFunc(*path, unicode.IsControl) {
		rules.add("ci_config_path", "is invalid")
	}
}

// place is the namespace of a new project, and how many projects that namespace may have (nil for no limit).
type place struct {
	id    int64
	limit *int64
}

// targetNamespace returns the namespace for a project, named by id or full path, if the caller may create projects there.
// Without a name, it is the owner's own namespace.
func (p *Projects) targetNamespace(ctx context.Context, owner model.User, ref string) (place, error) {
	if ref == "" {
		return ownPlace(ctx, owner)
	}
	n, err := p.access.Namespace(ctx, ref, access.CreateProject)
	if err != nil {
		return place{}, err
	}
	admin := reqctx.Of(ctx).Actor.User.Admin
	switch {
	case owner.NamespaceID != nil && n.ID == *owner.NamespaceID:
		return ownPlace(ctx, owner)
	case admin:
	case n.Kind != model.NamespaceGroup: // the personal namespace of another user
		return place{}, apierr.Forbidden()
	default:
		_, role, err := p.access.Group(ctx, strconv.FormatInt(n.ID, 10), access.ReadGroup)
		if err != nil {
			return place{}, err
		}
		if !mayCreate(n.ProjectCreationLevel, role) {
			return place{}, apierr.Forbidden()
		}
	}
	return place{id: n.ID}, nil
}

// ownPlace returns a user's personal namespace. External users may not create projects there; administrators may do so
// for them.
func ownPlace(ctx context.Context, owner model.User) (place, error) {
	admin := reqctx.Of(ctx).Actor.User.Admin
	if owner.NamespaceID == nil || (owner.External && !admin) {
		return place{}, apierr.Forbidden()
	}
	to := place{id: *owner.NamespaceID}
	if !admin {
		to.limit = &owner.ProjectsLimit
	}
	return to, nil
}

// ref returns a namespace id as text, or an empty text for nil.
func ref(id *int64) string {
	if id == nil {
		return ""
	}
	return strconv.FormatInt(*id, 10)
}

// mayCreate reports whether a role suffices for a group's project_creation_level.
func mayCreate(level string, role model.Access) bool {
	switch level {
	case "developer":
		return role >= model.Developer
	case "maintainer":
		return role >= model.Maintainer
	}
	return false
}

func visibility(v gen.Visibility) model.Visibility {
	return map[gen.Visibility]model.Visibility{"private": model.Private, "internal": model.Internal, "public": model.Public}[v]
}

// explain turns errors of the store into the answers that the API promises.
func explain(err error) error {
	var taken *store.TakenError
	var conflict *store.ConflictError
	var wide *store.TooVisibleError
	var forked *store.ForkTooVisibleError
	var full *store.LimitError
	var moved *store.MoveError
	switch {
	case errors.As(err, &taken):
		return takenErrors(taken.Name, taken.Path).err()
	case errors.As(err, &conflict):
		return takenErrors(conflict.Constraint == "projects_name", conflict.Constraint != "projects_name").err()
	case errors.As(err, &moved):
		return apierr.Failed("transfer project", "new_namespace", moved.Reason)
	case errors.As(err, &wide):
		return apierr.Invalid("visibility_level", fmt.Sprintf("%s is not allowed in a %s group.", wide.Wanted, wide.Group))
	case errors.As(err, &forked):
		return apierr.Invalid(
			"visibility_level",
			fmt.Sprintf("%s is not allowed since the fork source project has lower visibility.", forked.Wanted),
		)
	case errors.As(err, &full):
		return apierr.Forbidden(
			fmt.Sprintf("Your project limit is %d projects! Please contact your administrator to increase it", full.Most),
		)
	}
	return err
}

// takenErrors returns the validation errors for the fields whose values are taken.
func takenErrors(name, path bool) fieldErrors {
	const text = "has already been taken"
	rules := fieldErrors{}
	if name {
		rules.add("name", text)
	}
	if path {
		rules.add("path", text)
	}
	return rules
}
