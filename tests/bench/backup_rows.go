package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	backupProjects = 1000
	backupFile     = 1 << 20 // bytes of a package of each project
	backupRatio    = 2.0     // time of a backup relative to tar, and of a restore relative to the backup
	backupRounds   = 3
)

// benchBackup compares a backup with tar, and a restore up to the first answer with the backup.
func benchBackup(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["backup"] {
		return nil
	}
	d, err := newFilledDatabase(ctx, o, kind, folder, "backup")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.remove()) }()
	p, err := startSvc(ctx, o.svc, d.dataCopy)
	if err != nil {
		return err
	}
	err = fillForBackup(ctx, "http://"+p.addr)
	p.stop()
	if err != nil {
		return p.fail(err)
	}
	place := filepath.Join(folder, "backup-files")
	if err := os.MkdirAll(place, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(place)
	var t backupTimes
	for round := range backupRounds {
		if err := t.measure(ctx, o, d, filepath.Join(place, fmt.Sprint(round))); err != nil {
			return err
		}
	}
	what := fmt.Sprintf(" of %d repositories and 1 GB", backupProjects)
	rep.compared(kind, "time of a backup"+what, "tar", overOnce(t.saved, t.packed), backupRatio,
		fmt.Sprintf("%.2f s and %.2f s", t.saved.Seconds(), t.packed.Seconds()))
	rep.compared(kind, "time of a restore"+what+" to the first answer", "the backup", overOnce(t.restored, t.saved), backupRatio,
		fmt.Sprintf("%.2f s and %.2f s; tar unpacks in %.2f s", t.restored.Seconds(), t.saved.Seconds(), t.unpacked.Seconds()))
	return nil
}

// backupTimes are the best times of all rounds: of tar, which packs and unpacks the data folder, and of a backup and its
// restore up to the first answer.
type backupTimes struct{ packed, unpacked, saved, restored time.Duration }

// measure times one round. Every round writes into a new folder, and begins with nothing left to write to the disk:
// a file system that is still freeing deleted files creates new ones several times slower.
func (t *backupTimes) measure(ctx context.Context, o options, d *filledDatabase, place string) error {
	archive, copied, file := filepath.Join(place, "svc.tar"), filepath.Join(place, "copy"), filepath.Join(place, "svc.backup")
	if err := os.MkdirAll(copied, 0o700); err != nil {
		return err
	}
	settings := []string{"SVC_DATA=" + d.folder, "SVC_DATABASE_URL=" + d.url}
	for _, one := range []struct {
		least    *time.Duration
		settings []string
		command  []string
	}{
		{&t.packed, nil, []string{"tar", "-C", d.folder, "-cf", archive, "."}},
		{&t.saved, settings, []string{o.svc, "backup", file}},
		{&t.unpacked, nil, []string{"tar", "-C", copied, "-xf", archive}},
	} {
		syscall.Sync()
		took, err := timeCommand(ctx, one.settings, one.command[0], one.command[1:]...)
		if err != nil {
			return err
		}
		*one.least = best(*one.least, took)
	}
	syscall.Sync()
	took, err := timeRestore(ctx, o, d, filepath.Join(place, "restored"), file)
	t.restored = best(t.restored, took)
	return err
}

func best(before, now time.Duration) time.Duration {
	if before == 0 {
		return now
	}
	return min(before, now)
}

// timeRestore restores a backup into a new instance and waits until that answers.
func timeRestore(ctx context.Context, o options, d *filledDatabase, folder, file string) (took time.Duration, err error) {
	to := dataCopy{folder: folder}
	if d.kind == postgres {
		if to.url, err = d.data.create(ctx, "restored"+filepath.Base(filepath.Dir(folder)), ""); err != nil {
			return 0, err
		}
	}
	key, err := os.ReadFile(filepath.Join(d.folder, "secret.key"))
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "secret.key"), key, 0o600)
	}
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := timeCommand(ctx, []string{"SVC_DATA=" + folder, "SVC_DATABASE_URL=" + to.url}, o.svc, "restore", file); err != nil {
		return 0, err
	}
	p, err := startSvc(ctx, o.svc, to)
	if err != nil {
		return 0, err
	}
	took = time.Since(began)
	p.stop()
	return took, nil
}

// timeCommand runs a command and returns how long it took.
func timeCommand(ctx context.Context, settings []string, program string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = settings
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "SVC_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	return time.Since(began), err
}

// fillForBackup creates projects with a small repository and a package each.
func fillForBackup(ctx context.Context, url string) error {
	random := rand.NewChaCha8([32]byte{1})
	content := make([]byte, backupFile)
	for i := range backupProjects {
		body := fmt.Sprintf(`{"name":"p%d","initialize_with_readme":true}`, i)
		if err := sendForBackup(ctx, "POST", url+"/api/v4/projects", "application/json", strings.NewReader(body)); err != nil {
			return err
		}
		random.Read(content) //nolint:errcheck // never fails
		path := fmt.Sprintf("%s/api/v4/projects/root%%2Fp%d/packages/generic/tool/1.0/tool.bin", url, i)
		if err := sendForBackup(ctx, "PUT", path, "application/octet-stream", bytes.NewReader(content)); err != nil {
			return err
		}
	}
	return nil
}

func sendForBackup(ctx context.Context, method, url, contentType string, body io.Reader) error {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	req.Header.Set("Content-Type", contentType)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %d %s", method, url, res.StatusCode, text)
	}
	return err
}
