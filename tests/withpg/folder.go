package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// socketLimit keeps the path of the server's Unix socket under the system's limit of about 100 bytes.
const socketLimit = 70

// serverUser returns the user that the server runs as: nil for the current user, or an unprivileged user for root,
// because PostgreSQL refuses to run as root.
func serverUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			continue
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			continue
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL refuses to run as root and there is no user postgres or nobody; " +
		"run as another user, or set " + urlVariable)
}

// memoryFolder is in memory on Linux. memoryLeast is how many bytes must be free there.
const (
	memoryFolder = "/dev/shm"
	memoryLeast  = 4 << 30
)

// parents returns the folders in which a cluster may be created. A cluster that is not durable goes into memory if
// there is room: each test creates a database of about 1,000 files and drops it again, which takes several times as
// long on a disk.
func parents(durable bool) []string {
	all := []string{os.TempDir(), "/tmp", "/var/tmp"}
	var space syscall.Statfs_t
	if !durable && syscall.Statfs(memoryFolder, &space) == nil && space.Bavail*uint64(space.Bsize) >= memoryLeast { //nolint:gosec // a size
		all = append([]string{memoryFolder}, all...)
	}
	return all
}

// makeFolder creates an empty folder that belongs to who and that who can reach. A nil who is the current user.
func makeFolder(who *syscall.Credential, durable bool) (string, error) {
	for _, parent := range parents(durable) {
		if len(parent) > socketLimit || (who != nil && !openToAll(parent)) {
			continue
		}
		folder, err := os.MkdirTemp(parent, "withpg-")
		if err != nil {
			continue
		}
		if who != nil {
			if err := os.Chown(folder, int(who.Uid), int(who.Gid)); err != nil {
				_ = os.Remove(folder)
				return "", fmt.Errorf("cannot give the folder %s to PostgreSQL's user (%w)", folder, err)
			}
		}
		return folder, nil
	}
	return "", errors.New("there is no temporary folder that PostgreSQL's user can reach; set TMPDIR to one")
}

// openToAll reports whether every user may enter the folder and all folders above it.
func openToAll(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	dir, err = filepath.Abs(dir)
	for err == nil {
		info, statErr := os.Stat(dir)
		if statErr != nil || info.Mode()&0o001 == 0 {
			return false
		}
		if filepath.Dir(dir) == dir {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}
