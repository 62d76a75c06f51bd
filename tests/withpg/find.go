package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// findOrInstall returns the folder with initdb and postgres. If there is none, it installs Debian's package.
func findOrInstall(ctx context.Context) (string, error) {
	if bin, ok := findServer(); ok {
		return bin, nil
	}
	tried := install(ctx)
	if bin, ok := findServer(); ok {
		return bin, nil
	}
	return "", fmt.Errorf("PostgreSQL's server programs (initdb, postgres) are not in PATH, /usr/lib/postgresql or the other "+
		"usual folders, and %w; install the package postgresql, or set %s to a server the tests may use", tried, urlVariable)
}

// findServer prefers Debian's folders to PATH, where initdb may be a wrapper or another version.
func findServer() (string, bool) {
	dirs := newestFirst("/usr/lib/postgresql/*/bin")
	dirs = append(dirs, filepath.SplitList(os.Getenv("PATH"))...)
	dirs = append(dirs, "/usr/local/pgsql/bin")
	for _, pattern := range []string{"/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"} {
		dirs = append(dirs, newestFirst(pattern)...)
	}
	at := slices.IndexFunc(dirs, func(dir string) bool { return isProgram(dir, "initdb") && isProgram(dir, "postgres") })
	if at < 0 {
		return "", false
	}
	dir, err := filepath.Abs(dirs[at]) // the server starts in another folder
	return dir, err == nil
}

func isProgram(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)?`)

// newestFirst lists the matching folders, those with the highest version in the name of the parent folder first.
func newestFirst(pattern string) []string {
	dirs, _ := filepath.Glob(pattern) // fails only for a malformed pattern
	version := func(dir string) float64 {
		number, _ := strconv.ParseFloat(versionNumber.FindString(filepath.Base(filepath.Dir(dir))), 64)
		return number
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	return dirs
}

// noMainCluster keeps Debian from creating and starting a server of its own. It leaves an existing file alone.
const noMainCluster = `f=/etc/postgresql-common/createcluster.conf
[ -e "$f" ] || { mkdir -p "${f%/*}" && echo "create_main_cluster = false" > "$f"; }`

// install tries apt-get and returns the reason to report if there is still no server afterwards.
func install(ctx context.Context) error {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("there is no apt-get to install them with")
	}
	var sudo []string
	if os.Geteuid() != 0 {
		sudo = []string{"sudo", "-n"}
		if exec.CommandContext(ctx, "sudo", "-n", "true").Run() != nil {
			return errors.New("installing them needs root or sudo without a password")
		}
	}
	fmt.Fprintln(os.Stderr, "withpg: installing PostgreSQL with apt-get, because no server was found")
	apt := []string{"env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "-o", "Dpkg::Options::=--force-confold"}
	for _, step := range [][]string{
		{"sh", "-c", noMainCluster},
		append(slices.Clone(apt), "update"),
		append(slices.Clone(apt), "install", "--no-install-recommends", "postgresql"),
	} {
		line := append(slices.Clone(sudo), step...)
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr // stdout belongs to the command
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("apt-get could not install them (%s: %w)", step[len(step)-1], err)
		}
	}
	return errors.New("apt-get installed postgresql without them")
}
