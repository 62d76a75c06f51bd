package graphql

import (
	"context"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

// list reads a page of the store.
type list[T any] func(store.Page) ([]T, store.Total, error)

// page returns the part of a list that the arguments ask for, as a connection of values that show makes of the rows.
func page[T any](args engine.Args, read list[T]) (any, error) {
	return pageUpTo(args, 0, read)
}

// pageUpTo is page for a list with a largest offset; 0 means none.
func pageUpTo[T any](args engine.Args, most int, read list[T]) (any, error) {
	return engine.Paginate(args, func(offset, limit int) ([]T, engine.Total, error) {
		if most > 0 && offset+limit > most {
			return nil, engine.Total{}, apierr.BadParameter("The list is too long; use a filter")
		}
		rows, total, err := read(store.Page{Limit: limit, Offset: offset})
		return rows, engine.Total{Count: int(total.Count), Known: total.Known, More: total.More}, err
	})
}

// sortOf splits a text such as name_asc into a column and a direction.
func sortOf(text string, columns map[string]string) (column string, desc bool, err error) {
	at := strings.LastIndexByte(text, '_')
	if at < 0 {
		at = len(text)
	}
	column = columns[strings.ToLower(text[:at])]
	direction := strings.ToLower(strings.TrimPrefix(text[at:], "_"))
	if column == "" || (direction != "asc" && direction != "desc") {
		return "", false, &engine.Error{Message: "The sort order is not known"}
	}
	return column, direction == "desc", nil
}

// roleNames are the roles as GraphQL names them.
var roleNames = map[model.Access]string{
	model.NoAccess: "NO_ACCESS", model.Minimal: "MINIMAL_ACCESS", model.Guest: "GUEST", model.Reporter: "REPORTER",
	model.Developer: "DEVELOPER", model.Maintainer: "MAINTAINER", model.Owner: "OWNER",
}

// roleOf returns the role with a name.
func roleOf(name string) model.Access {
	for role, known := range roleNames {
		if strings.EqualFold(known, name) {
			return role
		}
	}
	return model.NoAccess
}

func accessLevels() engine.Resolvers {
	return engine.Resolvers{
		"integerValue": engine.Value(func(a model.Access) any { return int64(a) }),
		"stringValue":  engine.Value(func(a model.Access) any { return roleNames[a] }),
		"humanAccess":  engine.Value(func(a model.Access) any { return a.String() }),
	}
}

// empty is a connection without nodes.
func empty() engine.Resolver {
	return func(_ context.Context, call engine.Call, parents []any) ([]any, error) {
		values := make([]any, len(parents))
		for i := range parents {
			var err error
			if values[i], err = engine.Slice(call.Args, []any{}); err != nil {
				return nil, err
			}
		}
		return values, nil
	}
}
