// Package backup writes a whole instance into one file and restores it: the database, repositories, Git LFS files, logs,
// artifacts, packages, uploads, sites and keys. The instance may be running. A backup of one kind of database can be
// restored into the other.
//
//	backup.go        what a backup consists of, and progress
//	archive.go       the file: entries, index, end
//	digest.go        checksums of entries
//	create.go        writes a backup
//	database.go      rows of the database, in both directions
//	copy.go          copies a database into another one
//	repositories.go  repositories of projects, wikis and snippets, in both directions
//	files.go         Git LFS files and files of the blob store, in both directions
//	keys.go          SSH host keys and the encrypted secret key, in both directions
//	restore.go       reads a backup into an empty instance
package backup

import (
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/lfs"
)

// Instance is what a backup saves and restores.
type Instance struct {
	Store        *store.Store
	Repositories *git.Repositories
	LFS          *lfs.Files
	Blobs        blob.Store
	HostKeys     string // folder of the SSH host keys
	SecretKey    string // empty if it is not to be saved
	Program      string // version of the program
}

// Format is the version of the layout of the file. It changes when an older program cannot read the file any more.
const Format = 1

// Manifest is the first entry of a backup.
type Manifest struct {
	Format    int               `json:"format"`
	ID        string            `json:"id"`             // of this backup
	Base      string            `json:"base,omitempty"` // ID of the backup that has the files which this one leaves out
	Program   string            `json:"program"`
	Schema    int64             `json:"schema"`
	Instance  string            `json:"instance"`
	Database  string            `json:"database"` // sqlite or postgres
	CreatedAt time.Time         `json:"created_at"`
	Storages  []string          `json:"storages"`
	Tables    []store.DumpTable `json:"tables"`
}

// Progress reports how far the work is.
type Progress func(step string, done, of int, bytes int64)

// Totals says what a backup or a restore has handled.
type Totals struct {
	Rows         int64 `json:"rows"`
	Repositories int   `json:"repositories"`
	Files        int   `json:"files"` // of all kinds, including those of repositories
	Bytes        int64 `json:"bytes"`
	FromBase     int   `json:"from_base"` // files that are in an earlier backup
	// Missing names files that the database knows and that do not exist.
	Missing []string `json:"missing,omitempty"`
}
