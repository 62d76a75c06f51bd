package export

import (
	"context"
	"slices"

	"svc/server/domain/archive"
)

// The relations that have another name than their part of the archive, or none there.
const (
	selfRelation  = "self"               // the settings
	usersRelation = "user_contributions" // the users whom other records name
)

// RelationNames returns the relations of a project, in the order in which they are exported.
func (s *Service) RelationNames() []string {
	names := slices.Concat([]string{selfRelation}, partNames)
	names[slices.Index(names, usersPart)] = usersRelation
	return names
}

// Relations returns what puts the records of each relation of a project, by name. They read in the transaction of ctx. It
// returns an *archive.BadArchiveError if the user may no longer export the project.
func (s *Service) Relations(ctx context.Context, projectID, userID int64) (map[string]archive.Records, error) {
	row, err := s.mayExport(ctx, projectID, userID)
	if err != nil {
		return nil, err
	}
	settings, err := s.settings(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	all := (&exporter{Service: s, p: row.Project}).records(ctx)
	all[usersRelation] = all[usersPart]
	all[selfRelation] = func(put func(record any) error) error { return put(settings) }
	return all, nil
}
