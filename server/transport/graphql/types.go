package graphql

import (
	"maps"

	"svc/server/transport/graphql/engine"
)

// types returns the resolvers of all types.
func (h *Handler) types() map[string]engine.Resolvers {
	types := map[string]engine.Resolvers{}
	for _, part := range []map[string]engine.Resolvers{
		h.queryTypes(), h.userTypes(), h.groupTypes(), h.memberTypes(), h.projectTypes(), h.issueTypes(), h.mergeRequestTypes(),
		h.planningTypes(), h.discussionTypes(), h.noteMutations(), h.pipelineTypes(), h.snippetTypes(), h.issuableMutations(),
	} {
		for name, own := range part {
			if types[name] == nil {
				types[name] = engine.Resolvers{}
			}
			maps.Copy(types[name], own) // several files add fields to Query, Project and others
		}
	}
	return types
}
