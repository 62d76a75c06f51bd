package git

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// oldest is the oldest version of git that supports everything that this package uses.
var oldest = [2]int{2, 39}

// CheckVersion returns an error that says what to do if git is missing or too old.
func CheckVersion(ctx context.Context) error {
	_, err := Version(ctx)
	return err
}

// Version returns the version of git as git prints it. It returns the error of CheckVersion.
func Version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "--version")
	cmd.Env = environment
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cannot run git (%w): install git %d.%d or newer in a folder of PATH", err, oldest[0], oldest[1])
	}
	text := strings.TrimSpace(string(out))
	if !recent(text) {
		return text, fmt.Errorf("%q is too old: install git %d.%d or newer", text, oldest[0], oldest[1])
	}
	return text, nil
}

// recent parses a text like «git version 2.39.5 (some build)».
func recent(text string) bool {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return false
	}
	parts := strings.SplitN(fields[2], ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err := strconv.Atoi(parts[0])
	minor, wrong := strconv.Atoi(parts[1])
	if err != nil || wrong != nil {
		return false
	}
	return major > oldest[0] || major == oldest[0] && minor >= oldest[1]
}
