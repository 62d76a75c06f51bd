package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// release is what the results are called after.
type release struct {
	version  string    // of the tag, such as 1.2.0, or 0.0 and the time of the commit
	revision string    // short commit id
	time     time.Time // of the commit; every file in an archive has it
}

var validVersion = regexp.MustCompile(`\A[0-9][0-9A-Za-z.-]*\z`)

// readRelease reads the release from the checkout. SOURCE_DATE_EPOCH overrides the time. Changes that are not committed
// are named in the version.
func readRelease(ctx context.Context) (release, error) {
	revision, err := git(ctx, "rev-parse", "--short=11", "HEAD")
	if err != nil {
		return release{}, err
	}
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		if seconds, err = git(ctx, "log", "-1", "--format=%ct"); err != nil {
			return release{}, err
		}
	}
	number, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return release{}, fmt.Errorf("the time of the release is not a number of seconds: %w", err)
	}
	r := release{revision: revision, time: time.Unix(number, 0).UTC()}
	r.version = "0.0." + r.time.Format("20060102150405")
	if tag, err := git(ctx, "describe", "--tags", "--exact-match", "--match", "v[0-9]*"); err == nil {
		r.version = strings.TrimPrefix(tag, "v")
	}
	changes, err := git(ctx, "status", "--porcelain")
	if err != nil {
		return release{}, err
	}
	if changes != "" {
		r.version += ".changed"
	}
	if !validVersion.MatchString(r.version) {
		return release{}, fmt.Errorf("%q cannot be a version", r.version)
	}
	return r, nil
}

// git runs git and returns what it prints.
func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, failed.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

// name returns the name of the files for a platform, without an ending.
func (r release) name(p platform) string {
	return fmt.Sprintf("svc-%s-%s-%s", r.version, p.system, p.processor)
}

// debVersion returns the version for Debian, where 1.0~rc1 comes before 1.0.
func (r release) debVersion() string { return strings.ReplaceAll(r.version, "-", "~") }
