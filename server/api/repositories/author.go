package repositories

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/git"
)

func (r *Repositories) authors(ctx context.Context, repo git.Repo, ref string) ([]git.Author, error) {
	commit, err := repo.Resolve(ctx, ref)
	if err != nil {
		return nil, orNotFound(err, "")
	}
	authors, err := repo.Authors(ctx, commit)
	var failed *git.CommandError
	if errors.As(err, &failed) || errors.Is(err, git.ErrTooLarge) {
		return nil, apierr.NotFound("")
	}
	return authors, err
}

// sortAuthors returns the authors in the given order. Equal authors are ordered by name and address.
func sortAuthors(authors []git.Author, by gen.ContributorOrder, desc bool) []git.Author {
	authors = slices.Clone(authors)
	slices.SortFunc(authors, func(a, b git.Author) int {
		if desc {
			a, b = b, a
		}
		byName, byEmail := cmp.Compare(a.Name, b.Name), cmp.Compare(a.Email, b.Email)
		switch by {
		case gen.ContributorOrderName:
			return cmp.Or(byName, byEmail)
		case gen.ContributorOrderEmail:
			return cmp.Or(byEmail, byName)
		}
		return cmp.Or(cmp.Compare(a.Commits, b.Commits), byName, byEmail)
	})
	return authors
}

// withLines presents authors with their added and deleted lines. Only the default branch has such counts.
func (r *Repositories) withLines(ctx context.Context, projectID int64, authors []git.Author, counted bool) ([]gen.Contributor, error) {
	lines := map[[2]string][2]int64{}
	if counted {
		rows, err := r.store.Contributions.List(ctx, projectID)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			lines[[2]string{row.Name, row.Email}] = [2]int64{row.Additions, row.Deletions}
		}
	}
	return present.All(authors, func(a git.Author) gen.Contributor {
		n := lines[[2]string{a.Name, a.Email}]
		return present.Contributor(a, n[0], n[1])
	}), nil
}
