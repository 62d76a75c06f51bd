package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// list returns one page of the runners that match both the filter and the query parameters.
func (r *Runners) list(
	ctx context.Context, f store.RunnerFilter, p gen.ListRunnersAllParams,
) ([]gen.RunnerBasic, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, r.pages, "Runner", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	if p.Scope != nil {
		scope(&f, *p.Scope)
	}
	if p.Type != nil {
		f.Type = string(*p.Type)
	}
	if p.Status != nil {
		f.Status = contactStatus(string(*p.Status))
	}
	if p.Paused != nil {
		f.Paused = p.Paused
	}
	if p.TagList != nil {
		f.Tags = *p.TagList
	}
	if p.VersionPrefix != nil {
		f.VersionPrefix = *p.VersionPrefix
	}
	rows, total, err := r.store.Runners.List(ctx, f, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	now := clock.Now(ctx)
	shown := present.All(rows, func(row model.Runner) gen.RunnerBasic { return present.RunnerBasic(row, now) })
	return shown, window.Headers(total), nil
}

// scope applies the deprecated parameter scope to a filter.
func scope(f *store.RunnerFilter, scope gen.RunnerScope) {
	yes, no := true, false
	switch scope {
	case gen.RunnerScopeSpecific:
		f.Shared = &no
	case gen.RunnerScopeShared:
		f.Shared = &yes
	case gen.RunnerScopeActive:
		f.Paused = &no
	case gen.RunnerScopePaused:
		f.Paused = &yes
	case gen.RunnerScopeInstanceType, gen.RunnerScopeGroupType, gen.RunnerScopeProjectType:
		f.Type = string(scope)
	default:
		f.Status = contactStatus(string(scope))
	}
}

// contactStatus returns the store's name of a status. The status never_contacted has a second, older name.
func contactStatus(name string) string {
	if name == string(gen.RunnerStatusFilterNotConnected) {
		return string(gen.RunnerStatusNeverContacted)
	}
	return name
}
