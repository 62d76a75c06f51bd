package export

import (
	"context"
	"slices"

	"svc/server/domain/archive"
)

// selfRelation is the relation with the settings of the group.
const selfRelation = "self"

// RelationNames returns the relations of a group, in the order in which they are exported.
func (s *Service) RelationNames() []string { return slices.Concat([]string{selfRelation}, partNames) }

// Relations returns what puts the records of each relation of a group, without groups below, by name. They read in the
// transaction of ctx. It returns a *BadArchiveError if the user may no longer export the group.
func (s *Service) Relations(ctx context.Context, groupID, userID int64) (map[string]archive.Records, error) {
	g, err := s.mayExport(ctx, groupID, userID)
	if err != nil {
		return nil, err
	}
	all := s.parts(ctx, g)
	all[selfRelation] = func(put func(record any) error) error { return put(groupOf(g, true)) }
	return all, nil
}
