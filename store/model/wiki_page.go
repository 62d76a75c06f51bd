package model

// OnWikiPage is the target type of events about pages of wikis.
const OnWikiPage = "WikiPage::Meta"

// WikiPage is what events tell of a page of a project's wiki. The page itself is in the repository.
type WikiPage struct {
	ID        int64
	ProjectID int64
	Slug      string
	Title     string
	Format    string
}
