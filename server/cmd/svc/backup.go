package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"svc/server"
	"svc/server/domain/backup"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/storage"
)

const backupUsage = `svc backup FILE writes a backup of the whole instance to a file, or to standard output if FILE is "-".
The service may be running. The settings of svc serve select the instance.

  --passphrase-file PATH  put the secret key into the backup, encrypted with the first line of this file
  --base PATH             an earlier backup; files that it has are left out, and a restore needs both

The backup contains all code and all data. Protect it like the instance.
`

// backupFlags are the flags of svc backup and svc restore.
type backupFlags struct {
	passphraseFile string
	bases          []string
	check          bool
}

func (f *backupFlags) add(set *flag.FlagSet) {
	set.StringVar(&f.passphraseFile, "passphrase-file", "", "file with the passphrase")
	set.Func("base", "an earlier backup", func(path string) error {
		f.bases = append(f.bases, path)
		return nil
	})
	set.BoolVar(&f.check, "check", false, "only check the backup")
}

// backupSettings reads the settings, flags and the file of svc backup or svc restore.
func backupSettings(args []string, out io.Writer, usage string) (cfg config.Config, f backupFlags, file string, err error) {
	cfg, names, err := config.LoadWith(args, os.Environ(), f.add)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, usage)
		return cfg, f, "", errors.Join(err, flag.ErrHelp)
	}
	if err != nil {
		return cfg, f, "", fmt.Errorf("%w\n\n%s", err, usage)
	}
	if len(names) != 1 {
		return cfg, f, "", fmt.Errorf("name one file, or - for a pipe\n\n%s", usage)
	}
	warn(os.Stderr)
	return cfg, f, names[0], nil
}

// passphrase reads the first line of the file with the passphrase.
func (f backupFlags) passphrase() (string, error) {
	if f.passphraseFile == "" {
		return "", nil
	}
	text, err := os.ReadFile(f.passphraseFile)
	if err != nil {
		return "", fmt.Errorf("read the passphrase: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSuffix(line, "\r"); len(line) < 12 {
		return "", fmt.Errorf("the passphrase in %s has fewer than 12 characters", f.passphraseFile)
	}
	return line, nil
}

// saveInstance runs svc backup.
func saveInstance(ctx context.Context, args []string, out io.Writer) error {
	cfg, flags, file, err := backupSettings(args, out, backupUsage)
	if err != nil {
		return err
	}
	passphrase, err := flags.passphrase()
	if err != nil {
		return err
	}
	if len(flags.bases) > 1 || flags.check {
		return fmt.Errorf("svc backup takes one --base and no --check\n\n%s", backupUsage)
	}
	if err := checkTarget(file, flags.bases); err != nil {
		return err
	}
	st, err := openUnchanged(ctx, cfg)
	if err != nil {
		return err
	}
	defer st.Close()
	if cfg.SecretKey == "" {
		if cfg.SecretKey, err = readKey(filepath.Join(cfg.Data, keyFile)); err != nil {
			return err
		}
	}
	from, err := server.OpenForBackup(ctx, cfg, st, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	options := backup.Options{Passphrase: passphrase, Progress: showProgress(os.Stderr), Temporary: cfg.Data}
	if len(flags.bases) > 0 {
		base, err := os.Open(flags.bases[0])
		if err != nil {
			return err
		}
		defer base.Close()
		options.Base = base
	}
	began := time.Now()
	totals, err := writeBackup(ctx, from, file, out, options)
	if err != nil {
		return err
	}
	return reportBackup(os.Stderr, file, totals, passphrase != "", time.Since(began))
}

// checkTarget returns an error if the backup cannot be written to the file, or must not.
func checkTarget(file string, bases []string) error {
	if file == "-" {
		return nil
	}
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file: name a new file in it, or use - for a pipe", file)
	}
	for _, base := range bases {
		if earlier, err := os.Stat(base); err == nil && os.SameFile(info, earlier) {
			return fmt.Errorf("%s is the earlier backup, which the new one needs: choose another file", file)
		}
	}
	return nil
}

// openUnchanged opens the database of an existing instance without a migration: a program of an older version may be
// running.
func openUnchanged(ctx context.Context, cfg config.Config) (*store.Store, error) {
	if cfg.DatabaseURL == "" && missing(database(cfg)) {
		return nil, fmt.Errorf("there is no instance in %s: %s does not exist. Set the folder of the instance with --data or SVC_DATA",
			cfg.Data, database(cfg))
	}
	st, err := openStore(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := checkCurrent(ctx, st); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// checkCurrent returns an error unless the database has an instance with the schema of this program.
func checkCurrent(ctx context.Context, st *store.Store) error {
	err := st.CheckSchema(ctx)
	if errors.Is(err, store.ErrNoSchema) {
		return errors.New("there is no instance in this database: it is empty")
	}
	if err != nil {
		return explainMigration(err)
	}
	at, err := st.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	newest, err := st.NewestSchema()
	if err != nil {
		return err
	}
	if at < newest {
		return fmt.Errorf("the database has schema %d, and this program has schema %d: make the backup with the program that "+
			"serves the instance, or run svc migrate first", at, newest)
	}
	found, err := st.Users.Any(ctx)
	if err == nil && !found {
		err = errors.New("this instance has no administrator yet: start svc serve once to create one")
	}
	return err
}

// writeBackup writes the file under another name first, so that a file with the final name is complete.
func writeBackup(
	ctx context.Context, from backup.Instance, file string, out io.Writer, o backup.Options,
) (totals backup.Totals, err error) {
	if file == "-" {
		return backup.Create(ctx, from, out, o)
	}
	part := file + ".part"
	to, err := createPart(part)
	if err != nil {
		return totals, err
	}
	defer to.Close()
	totals, err = backup.Create(ctx, from, &eagerFile{File: to}, o)
	if err == nil {
		err = to.Sync()
	}
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return totals, errors.Join(fmt.Errorf("write the backup: %w", err), os.Remove(part))
	}
	return totals, syncFolder(filepath.Dir(file))
}

// writebackSize is how many bytes are written to the disk together while a backup is made.
const writebackSize = 32 << 20

// eagerFile is a file that goes to the disk while it is written, so that little is left to wait for at the end.
type eagerFile struct {
	*os.File
	written, started int64
}

// Write writes to the file.
func (f *eagerFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.written += int64(n)
	if size := f.written - f.started; size >= writebackSize {
		storage.StartWriteback(f.File, f.started, size)
		f.started = f.written
	}
	return n, err
}

// createPart creates the file of a backup that is being written. A file that a killed process has left is overwritten.
func createPart(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s is being written by another svc backup", path)
	}
	if err := errors.Join(file.Truncate(0), file.Chmod(0o600)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// syncFolder makes the name of a new file survive a power cut.
func syncFolder(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// totalsText says how much a backup contains.
func totalsText(t backup.Totals) string {
	return fmt.Sprintf("%s, %s, %s (%s)", counted(t.Rows, "row", "rows"), counted(int64(t.Repositories), "repository", "repositories"),
		counted(int64(t.Files), "file", "files"), bytesText(t.Bytes))
}

// counted returns a number with its noun.
func counted(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// reportBackup says what the backup contains, and what it does not.
func reportBackup(out io.Writer, file string, t backup.Totals, key bool, took time.Duration) error {
	fmt.Fprintf(out, "Saved %s in %s.\n", totalsText(t), took.Round(100*time.Millisecond))
	if t.FromBase > 0 {
		fmt.Fprintf(out, "%d files are in the earlier backup; a restore needs both.\n", t.FromBase)
	}
	if !key {
		fmt.Fprintln(out, "The secret key is not in the backup: store it yourself, or use --passphrase-file.")
	}
	if len(t.Missing) == 0 {
		return nil
	}
	for _, name := range t.Missing[:min(len(t.Missing), 10)] {
		fmt.Fprintln(out, "missing: "+name)
	}
	return fmt.Errorf("the backup %s is complete, but %d files that the database knows do not exist", file, len(t.Missing))
}

// showProgress returns a function that writes the progress from time to time.
func showProgress(out io.Writer) backup.Progress {
	last := time.Now()
	return func(step string, done, of int, bytes int64) {
		if time.Since(last) < 2*time.Second {
			return
		}
		last = time.Now()
		if of > 0 {
			fmt.Fprintf(out, "%s: %d of %d, %s\n", step, done, of, bytesText(bytes))
		} else {
			fmt.Fprintf(out, "%s: %d, %s\n", step, done, bytesText(bytes))
		}
	}
}

// bytesText returns a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}
