package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// WritePush writes a push: commands, and a pack with the objects that they need. has are ids that the remote repository
// has. remote are its capabilities.
func (r Repo) WritePush(ctx context.Context, to io.Writer, commands []Command, has []string, remote map[string]bool) error {
	out := bufio.NewWriterSize(to, 64<<10)
	caps, revs := "\x00report-status agent=svc", strings.Builder{}
	if remote["side-band-64k"] {
		caps += " side-band-64k"
	}
	for _, c := range commands {
		if err := writePacket(out, []byte(c.Old+" "+c.New+" "+c.Ref+caps+"\n")); err != nil {
			return err
		}
		caps = ""
		if c.New != Zero {
			revs.WriteString(c.New + "\n")
		}
	}
	if err := writeFlush(out); err != nil {
		return err
	}
	if revs.Len() > 0 {
		known, err := r.known(ctx, has)
		if err != nil {
			return err
		}
		for _, id := range known {
			revs.WriteString("^" + id + "\n")
		}
		args := []string{"-c", "pack.threads=1", "pack-objects", "--revs", "--stdout", "-q"}
		if remote["ofs-delta"] {
			args = append(args, "--delta-base-offset")
		}
		err = r.streamFor(ctx, receiveWait, nil, strings.NewReader(revs.String()), args, func(from io.Reader) error {
			_, err := io.Copy(out, from)
			return err
		})
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// known returns those of the ids that the repository has.
func (r Repo) known(ctx context.Context, ids []string) (known []string, err error) {
	args := []string{"cat-file", "--batch-check=%(objecttype)", "--buffer"}
	in := strings.NewReader(strings.Join(ids, "\n") + "\n")
	if len(ids) == 0 {
		return nil, nil
	}
	err = r.stream(ctx, nil, in, args, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for _, id := range ids {
			if !lines.Scan() {
				return errors.Join(io.ErrUnexpectedEOF, lines.Err())
			}
			if !strings.HasSuffix(lines.Text(), "missing") {
				known = append(known, id)
			}
		}
		return nil
	})
	return known, err
}

// Missing returns those of the ids that the repository does not have.
func (r Repo) Missing(ctx context.Context, ids []string) ([]string, error) {
	known, err := r.known(ctx, ids)
	has := map[string]bool{}
	for _, id := range known {
		has[id] = true
	}
	var missing []string
	for _, id := range ids {
		if !has[id] {
			missing = append(missing, id)
			has[id] = true
		}
	}
	return missing, err
}

// ReadPushReport reads how a remote repository has responded to a push. It returns the refs that were not changed, with the
// reasons.
func ReadPushReport(from io.Reader, remote map[string]bool) (map[string]string, error) {
	in := bufio.NewReaderSize(from, 64<<10)
	if remote["side-band-64k"] {
		in = bufio.NewReaderSize(&bandReader{in: in}, 64<<10)
	}
	refused := map[string]string{}
	for n := 0; n <= MaxCommands; n++ {
		line, err := readPacket(in)
		if errors.Is(err, errFlush) || (errors.Is(err, io.EOF) && n > 0) {
			return refused, nil
		}
		if err != nil {
			return nil, remoteFault(err, "the response of the server is incomplete")
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		switch {
		case word == "unpack" && rest != "ok":
			return nil, &RemoteError{"the server could not store the objects: " + remoteText([]byte(rest))}
		case word == "ng":
			ref, why, _ := strings.Cut(rest, " ")
			refused[remoteText([]byte(ref))] = remoteText([]byte(why))
		}
	}
	return refused, nil
}
