package model

// FoundNote is a note that a search found.
type FoundNote struct {
	NoteRow
	IID int64 // the number of the issue or merge request; 0 for a commit
}

// WikiPlace is the repository of a wiki, and the commit that it shows.
type WikiPlace struct {
	Kind    RepositoryKind
	OwnerID int64 // the id of the project or group
	Storage string
	Head    string
}

// ProjectCommit names a commit of a project.
type ProjectCommit struct {
	ProjectID int64
	SHA       string
}
