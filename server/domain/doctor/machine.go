package doctor

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"svc/store/git"
	"svc/store/storage"
)

const repairSettings = "Correct the settings; svc config check shows where each of them comes from."

// checkSettings reports what is wrong with the settings.
func (d *Doctor) checkSettings(_ context.Context, r *Result) error {
	for _, text := range d.Mistakes {
		r.problem(repairSettings, "%s", text)
	}
	for _, text := range d.Warnings {
		r.warn("Correct the name of the variable, or remove it.", "%s", text)
	}
	if len(d.Mistakes) > 0 {
		return nil
	}
	if shared := d.Config.SharedDomain(); shared != "" {
		r.warn("Set pages-host to a domain of its own.",
			"sites share the domain %s with the service, so their scripts can act as signed-in users", shared)
	}
	return nil
}

// checkGit checks the version of git.
func (d *Doctor) checkGit(ctx context.Context, r *Result) error {
	version, err := git.Version(ctx)
	r.Note = version
	if err != nil {
		r.problem("Install a newer git; on Debian: apt-get install git", "%v", err)
	}
	return nil
}

// lowSpace is the part of a disk that should be free, as a divisor.
const lowSpace = 20

// checkDisk checks the disks of the data folder, the storages and the files.
func (d *Doctor) checkDisk(_ context.Context, r *Result) error {
	folders := slices.Sorted(maps.Values(d.Config.Roots()))
	if d.Config.BlobURL == "" {
		folders = append(folders, d.BlobFolder)
	}
	if _, err := os.Stat(d.Config.Data); errors.Is(err, fs.ErrNotExist) {
		r.problem("Set the folder of the instance with --data or SVC_DATA. svc serve creates a new instance at its first start.",
			"the data folder %s does not exist", d.Config.Data)
		return nil
	}
	d.checkFolder(r, d.Config.Data)
	for _, folder := range folders {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			continue // the check of the storages reports it
		}
		d.checkFolder(r, folder)
	}
	return nil
}

// checkFolder checks that a folder can be written to and that its disk has space.
func (d *Doctor) checkFolder(r *Result, folder string) {
	const free = "Free some space, or mount a larger disk."
	switch err := storage.CheckWritable(folder); {
	case storage.Full(err):
		r.problem(free, "the disk of %s is full: %v", folder, err)
		return
	case err != nil:
		r.problem("Make the folder writable for the user of the service, for example: chown -R svc "+folder,
			"%s cannot be written to: %v", folder, err)
		return
	}
	left, size, err := storage.Space(folder)
	wanted := uint64(d.Config.MinFreeSpace) << 20
	switch {
	case err != nil:
		r.problem("Check the disk.", "%v", err)
	case left < wanted:
		r.problem(free, "the disk of %s has %d MiB left, fewer than min-free-space (%d MiB): the service is not ready", folder,
			left>>20, d.Config.MinFreeSpace)
	case left < size/lowSpace:
		r.warn(free, "the disk of %s has %d MiB of %d MiB left", folder, left>>20, size>>20)
	}
}
