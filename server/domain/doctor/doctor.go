// Package doctor checks an installation and says what is wrong with it and how to repair it. It works while the service
// runs and while it is stopped, and changes nothing unless it is asked to fix what is safe to fix.
//
//	doctor.go        the table of checks, and running them
//	result.go        findings and results
//	machine.go       settings, git, disks
//	database.go      the database
//	keys.go          the secret key and the SSH host keys
//	certificate.go   the certificate of the service
//	storages.go      the storages
//	network.go       clocks and connections
//	jobs.go          stuck background jobs
//	repositories.go  broken and missing repositories
//	orphans.go       repositories on disk that no row refers to
//	files.go         lost and orphaned files of the blob store
//	lfs.go           LFS objects on storages and in the bucket
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/server/platform/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/lfs"
	"svc/store/model"
)

// Options says what to check, and how.
type Options struct {
	Config   config.Config
	Mistakes []string // in the settings; then nothing else can be checked
	Warnings []string // about the settings

	Deep bool     // check everything that repositories and files contain
	Fix  bool     // fix what is safe to fix
	Only []string // the names of checks to run; all if empty

	BlobFolder string // of files, unless they are in a bucket
	KeyFile    string // of the secret key
	Running    bool   // a process of the service uses the data folder
	// Open opens the database of the instance. It neither creates nor migrates it.
	Open func(ctx context.Context) (*store.Store, error)
	// CheckKey returns what is wrong with the secret key, and how to repair it; empty texts if nothing is.
	CheckKey func(ctx context.Context, st *store.Store) (problem, repair string, err error)
	// HostKeys returns the files of the SSH host keys that exist with their fingerprints, and those that are missing.
	HostKeys func() (found map[string]string, missing []string, err error)
	// SharedHostKeys returns the fingerprints of the host keys in the database by the names of their files.
	SharedHostKeys func(ctx context.Context, st *store.Store) (map[string]string, error)

	// Ask asks the service at the address on which it listens for a path, without a proxy in between.
	Ask func(ctx context.Context, path string) (status int, text string, err error)

	Now      func() time.Time
	Progress func(text string) // shows how far a long check is
}

// Doctor runs the checks.
type Doctor struct {
	Options
	store    *store.Store // nil until the check of the database has opened it
	instance model.Instance
	repos    *git.Repositories
	lfsFiles *lfs.Files
	blobs    blob.Store
	usable   map[string]bool // storages that belong to this instance, and the blob store by its name
}

// needs is what must work before a check can run.
type needs int

const (
	needsNothing needs = iota
	needsDatabase
	needsStorages
)

// check is one line of the table of checks.
type check struct {
	name, about string
	needs       needs
	run         func(d *Doctor, ctx context.Context, r *Result) error
	fixes       string // what --fix does; empty for nothing
}

// checks is the table of checks, in the order in which they run.
var checks = []check{
	{"settings", "the settings are valid", needsNothing, (*Doctor).checkSettings, ""},
	{"git", "git is recent enough", needsNothing, (*Doctor).checkGit, ""},
	{"disk", "the disks can be written to and have free space", needsNothing, (*Doctor).checkDisk, ""},
	{"database", "the database answers, has the right schema and is sound", needsNothing, (*Doctor).checkDatabase, ""},
	{
		"secret-key", "the secret key is the one that secrets are encrypted with", needsDatabase, (*Doctor).checkSecretKey,
		"makes the file of the key readable by its owner only",
	},
	{"storages", "the storages belong to this instance", needsDatabase, (*Doctor).checkStorages, ""},
	{
		"host-keys", "the SSH host keys are there, and are those of the instance", needsNothing, (*Doctor).checkHostKeys,
		"makes the files of the keys readable by their owner only",
	},
	{"certificate", "the certificate of the service is valid for its URL", needsNothing, (*Doctor).checkCertificate, ""},
	{"clocks", "the clocks of the database and the bucket agree with this machine", needsDatabase, (*Doctor).checkClocks, ""},
	{"connections", "the mail server, the bucket and the service itself can be reached", needsNothing, (*Doctor).checkConnections, ""},
	{
		"jobs", "background jobs advance", needsDatabase, (*Doctor).checkJobs,
		"starts jobs of dead processes again",
	},
	{"repositories", "every repository is there and its refs lead to objects", needsStorages, (*Doctor).checkRepositories, ""},
	{
		"orphans", "every repository on disk belongs to a project, wiki or snippet", needsStorages, (*Doctor).checkOrphans,
		"moves them to the folder @orphans of their storage",
	},
	{
		"files", "every log, artifact, upload, package and site is there, and no other files are", needsStorages, (*Doctor).checkFiles,
		"schedules the removal of files that nothing refers to, in 7 days",
	},
	{"lfs", "every LFS object is there", needsStorages, (*Doctor).checkLFS, ""},
}

// Names returns the names of the checks.
func Names() []string {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	return names
}

// Describe returns a line for each check: its name, what it checks, and what --fix does.
func Describe() string {
	var b strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&b, "  %-13s %s", c.name, c.about)
		if c.fixes != "" {
			fmt.Fprintf(&b, "; --fix %s", c.fixes)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Run runs the checks and calls see with each result as soon as it is known.
func Run(ctx context.Context, o Options, see func(Result)) (Report, error) {
	for _, name := range o.Only {
		if !slices.Contains(Names(), name) {
			return Report{}, fmt.Errorf("there is no check %q; the checks are %s", name, strings.Join(Names(), ", "))
		}
	}
	d := &Doctor{Options: o, usable: map[string]bool{}}
	defer d.close()
	var report Report
	for _, c := range checks {
		if !d.wanted(c) {
			continue
		}
		r := d.runOne(ctx, c)
		report.Checks = append(report.Checks, r)
		see(r)
		if ctx.Err() != nil {
			return report, errors.New("interrupted before all checks had run")
		}
	}
	return report, nil
}

// wanted reports whether a check runs: it was asked for, or another one that was asked for needs it.
func (d *Doctor) wanted(c check) bool {
	if len(d.Only) == 0 || slices.Contains(d.Only, c.name) {
		return true
	}
	for _, other := range checks {
		if !slices.Contains(d.Only, other.name) {
			continue
		}
		if c.name == "database" && other.needs != needsNothing || c.name == "storages" && other.needs == needsStorages {
			return true
		}
	}
	return false
}

// runOne runs a check, and fixes what it finds if that is asked for.
func (d *Doctor) runOne(ctx context.Context, c check) Result {
	r := Result{Name: c.name, About: c.about, Findings: []Finding{}}
	switch {
	case len(d.Mistakes) > 0 && c.name != "settings":
		r.Skipped = "the settings are invalid"
	case c.needs != needsNothing && d.store == nil:
		r.Skipped = "the database cannot be used"
	case c.needs == needsStorages && len(d.usable) == 0:
		r.Skipped = "no storage can be used"
	}
	if r.Skipped == "" {
		if err := c.run(d, ctx, &r); err != nil {
			r.Error = err.Error()
		}
	}
	if d.Fix {
		r.fix(ctx)
	}
	r.finish()
	return r
}

// progress shows how far a long check is.
func (d *Doctor) progress(format string, args ...any) {
	if d.Progress != nil {
		d.Progress(fmt.Sprintf(format, args...))
	}
}

func (d *Doctor) close() {
	if d.repos != nil {
		d.repos.Close()
	}
	if d.store != nil {
		d.store.Close()
	}
}
