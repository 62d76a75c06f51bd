package git

import (
	"bytes"
	"context"
)

// Signed is a signed commit or tag.
type Signed struct {
	Signature string
	Content   []byte // the commit or tag without its signature, which is what was signed
}

// Signed reads a commit, named by its id, with its signature. It returns ErrNotFound for a commit without one.
func (r Repo) Signed(ctx context.Context, id string) (Signed, error) {
	if !IsID(id) {
		return Signed{}, ErrBadName
	}
	info, data, err := r.Object(ctx, id, maxCommit)
	if err != nil {
		return Signed{}, err
	}
	if info.Kind != KindCommit {
		return Signed{}, ErrNotFound
	}
	signed, ok := splitSigned(data)
	if !ok {
		return Signed{}, ErrNotFound
	}
	return signed, nil
}

// splitSigned takes the signature out of a commit. It is a header of several lines; all but the first begin with a
// space. Like git, it also takes out a signature for a repository with SHA-256 ids.
func splitSigned(data []byte) (Signed, bool) {
	head, message, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		head, message = bytes.TrimSuffix(data, []byte("\n")), nil
	}
	var signature, content bytes.Buffer
	mine, other := false, false
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		rest, continued := bytes.CutPrefix(line, []byte(" "))
		if !continued {
			name, value, _ := bytes.Cut(line, []byte(" "))
			mine, other = string(name) == "gpgsig", string(name) == "gpgsig-sha256"
			rest = value
		}
		switch {
		case mine:
			signature.Write(rest)
			signature.WriteByte('\n')
		case !other:
			content.Write(line)
			content.WriteByte('\n')
		}
	}
	if ok {
		content.WriteByte('\n')
		content.Write(message)
	}
	return Signed{Signature: signature.String(), Content: content.Bytes()}, signature.Len() > 0
}

// SignedTag reads an annotated tag, named by the id of its object, with its signature. It returns ErrNotFound for a tag
// without one.
func (r Repo) SignedTag(ctx context.Context, id string) (Signed, error) {
	if !IsID(id) {
		return Signed{}, ErrBadName
	}
	info, data, err := r.Object(ctx, id, maxTag)
	if err != nil {
		return Signed{}, err
	}
	at := len(data)
	for _, begin := range signatureBegins {
		if found := bytes.Index(data, []byte("\n"+begin)); found >= 0 {
			at = min(at, found+1)
		}
	}
	if info.Kind != "tag" || at == len(data) {
		return Signed{}, ErrNotFound
	}
	return Signed{Signature: string(data[at:]), Content: data[:at]}, nil
}

// signatureBegins are the first lines of signatures.
var signatureBegins = []string{
	"-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP MESSAGE-----", "-----BEGIN SSH SIGNATURE-----",
	"-----BEGIN SIGNED MESSAGE-----",
}
