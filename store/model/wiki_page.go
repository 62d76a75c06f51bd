package model

// OnWikiPage is the target type of events about wiki pages.
const OnWikiPage = "WikiPage::Meta"

// WikiPage is the data of a project's wiki page that events show. The page itself is in the repository.
type WikiPage struct {
	ID        int64
	ProjectID int64
	Slug      string
	Title     string
	Format    string
}
