package model

import "time"

// The types of packages.
const (
	GenericPackage = "generic"
	NPMPackage     = "npm"
	PyPIPackage    = "pypi"
	MavenPackage   = "maven"
)

// The statuses of packages.
const (
	PackageDefault    = "default"
	PackageHidden     = "hidden"     // left out of lists unless they ask for it
	PackageDeprecated = "deprecated" // installable, but its users are warned
)

// Package is one version of a package. A Maven package without a version holds the list of the versions of its artifact.
type Package struct {
	ID               int64
	ProjectID        int64
	PackageType      string
	Name             string
	SearchName       string // the name by which clients find it: for PyPI the normalized name
	Version          *string
	Status           string
	CreatorID        *int64 // nil if it was published with a deploy token, or if the user was deleted
	Metadata         string // what its type stores beside the files, as JSON
	LastDownloadedAt *time.Time
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// PackageRow is a package with what is shown of it in lists.
type PackageRow struct {
	Package     Package `gorm:"embedded"`
	ProjectPath string
	Tags        []PackageTag        `gorm:"-"`
	Pipeline    *PackagePipelineRow `gorm:"-"` // the newest pipeline that published it, or nil
}

// TableName returns the table that most columns come from.
func (PackageRow) TableName() string { return "packages" }

// PackagePipeline is a pipeline that published a package or one of its files.
type PackagePipeline struct {
	PackageID  int64
	PipelineID int64
}

// PackagePipelineRow is such a pipeline with its user.
type PackagePipelineRow struct {
	Pipeline Pipeline
	User     *User // the user who started it; nil if deleted
}

// PackageFile is a file of a package. Its bytes are in the blob store.
type PackageFile struct {
	ID         int64
	PackageID  int64
	ProjectID  int64 // the project of the package, for the sum of its sizes
	FileName   string
	Size       int64
	FileMD5    string `gorm:"column:file_md5"` // the digests are in hexadecimal
	FileSHA1   string `gorm:"column:file_sha1"`
	FileSHA256 string `gorm:"column:file_sha256"`
	Key        string
	PipelineID *int64 // the pipeline whose job uploaded it
	Metadata   string // what the type of the package stores for each file, as JSON
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// PackageFileRow is a file of a package with the pipeline that uploaded it.
type PackageFileRow struct {
	File     PackageFile
	Pipeline *PackagePipelineRow // nil if no job uploaded it
}

// PackageTag is a name for one version of an npm package, such as latest.
type PackageTag struct {
	ID        int64
	PackageID int64
	Name      string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// PackageProtectionRule limits who may publish and delete packages whose name matches a pattern.
type PackageProtectionRule struct {
	ID                          int64
	ProjectID                   int64
	PackageNamePattern          string // * stands for any text
	PackageType                 string
	MinimumAccessLevelForPush   *string // a PackageLevel; nil for the usual role
	MinimumAccessLevelForDelete *string
	CreatedAt                   time.Time
	UpdatedAt                   time.Time
}

// The levels of protection rules.
const (
	PackageLevelMaintainer = "maintainer"
	PackageLevelOwner      = "owner"
	PackageLevelAdmin      = "admin"
)
