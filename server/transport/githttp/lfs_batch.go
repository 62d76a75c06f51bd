package githttp

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	lfsdisk "svc/store/lfs"
	"svc/store/model"
)

// maxLFSObjects is the largest number of objects in one batch; clients send 100 at a time.
const maxLFSObjects = 1000

type lfsPointer struct {
	Oid  string `json:"oid"`
	Size int64  `json:"size"`
}

type lfsBatchBody struct {
	Operation string       `json:"operation"`
	HashAlgo  string       `json:"hash_algo"`
	Objects   []lfsPointer `json:"objects"`
}

type lfsBatchAnswer struct {
	Transfer string      `json:"transfer"`
	Objects  []lfsObject `json:"objects"`
	HashAlgo string      `json:"hash_algo"`
}

type lfsObject struct {
	lfsPointer
	Authenticated bool                 `json:"authenticated,omitempty"`
	Actions       map[string]lfsAction `json:"actions,omitempty"`
	Error         *lfsFailure          `json:"error,omitempty"`
}

type lfsAction struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header,omitempty"`
}

// lfsBatch returns the URLs for downloading or uploading objects.
// POST /{path}.git/info/lfs/objects/batch
func (h *Handler) lfsBatch(c lfsCall) (any, error) {
	var b lfsBatchBody
	// The body says which operation the caller wants. Its mistakes are reported only to callers who may do that
	// operation.
	wrong := lfsRead(c, &b)
	service := git.UploadPack
	if b.Operation == "upload" {
		service = git.ReceivePack
	}
	row, _, err := h.largeProject(c, service, "lfs_batch")
	if err != nil {
		return nil, err
	}
	if wrong == nil {
		wrong = b.check()
	}
	if wrong != nil {
		return nil, wrong
	}
	var oids []string
	for _, o := range b.Objects {
		if lfsdisk.IsOID(o.Oid) {
			oids = append(oids, o.Oid)
		}
	}
	known, err := h.large.Files.Known(c.Request().Context(), row.Project.ID, oids)
	if err != nil {
		return nil, err
	}
	said := lfsBatchAnswer{Transfer: "basic", HashAlgo: "sha256", Objects: make([]lfsObject, len(b.Objects))}
	for i, o := range b.Objects {
		have, has := known[o.Oid]
		switch err := h.large.Files.Check(o.Oid, o.Size); {
		case err != nil && !has: // an object that was uploaded before the limit was lowered can still be downloaded
			said.Objects[i] = lfsWrong(o, err)
		case has && have.Size != o.Size:
			said.Objects[i] = lfsWrong(o, apierr.Unprocessable(fmt.Sprintf("The object has %d bytes", have.Size)))
		case service == git.ReceivePack:
			said.Objects[i] = lfsSend(c, row.Project, o, has)
		default:
			said.Objects[i] = lfsFetch(c, row.Project, o, has)
		}
	}
	return said, nil
}

func (b lfsBatchBody) check() error {
	switch {
	case b.Operation != "upload" && b.Operation != "download":
		return apierr.Unprocessable("The operation must be upload or download")
	case b.HashAlgo != "" && b.HashAlgo != "sha256":
		return apierr.Conflict("The hash algorithm must be sha256")
	case len(b.Objects) > maxLFSObjects:
		return &apierr.Error{
			Status: http.StatusRequestEntityTooLarge,
			Body:   apierr.Body{Message: fmt.Sprintf("A batch must not have more than %d objects", maxLFSObjects)},
		}
	}
	return nil
}

func lfsWrong(o lfsPointer, err error) lfsObject {
	e, ok := asError(err)
	if !ok {
		e = &apierr.Error{Status: http.StatusInternalServerError}
	}
	return lfsObject{lfsPointer: o, Error: &lfsFailure{Code: e.Status, Message: e.Error()}}
}

// lfsFetch returns the URL for downloading an object.
func lfsFetch(c lfsCall, p model.Project, o lfsPointer, has bool) lfsObject {
	if !has {
		return lfsWrong(o, &apierr.Error{Status: http.StatusNotFound, Body: apierr.Body{Message: "This project does not have the object"}})
	}
	return lfsActions(c, o, map[string]string{"download": lfsURL(c, p, lfsFiles+o.Oid)})
}

// lfsSend returns the URLs for uploading an object; none if the object already exists.
func lfsSend(c lfsCall, p model.Project, o lfsPointer, has bool) lfsObject {
	if has {
		return lfsObject{lfsPointer: o}
	}
	return lfsActions(c, o, map[string]string{
		"upload": lfsURL(c, p, lfsFiles+o.Oid+"/"+strconv.FormatInt(o.Size, 10)),
		"verify": lfsURL(c, p, lfsAPI+"verify"),
	})
}

func lfsURL(c lfsCall, p model.Project, rest string) string {
	return reqctx.Of(c.Request().Context()).BaseURL + "/" + p.FullPath + ".git/" + rest
}

// lfsActions returns the next actions of the client, with the credential of this request.
func lfsActions(c lfsCall, o lfsPointer, hrefs map[string]string) lfsObject {
	done := lfsObject{lfsPointer: o, Actions: map[string]lfsAction{}}
	var header map[string]string
	if given := c.Request().Header.Get("Authorization"); given != "" {
		done.Authenticated, header = true, map[string]string{"Authorization": given}
	}
	for name, href := range hrefs {
		done.Actions[name] = lfsAction{Href: href, Header: header}
	}
	return done
}

// lfsVerify reports whether an uploaded object exists.
// POST /{path}.git/info/lfs/verify
func (h *Handler) lfsVerify(c lfsCall) (any, error) {
	row, _, err := h.largeProject(c, git.ReceivePack, "lfs_verify")
	if err != nil {
		return nil, err
	}
	var o lfsPointer
	if err := lfsRead(c, &o); err != nil {
		return nil, err
	}
	if !lfsdisk.IsOID(o.Oid) {
		return nil, apierr.Unprocessable("The oid must be a SHA-256 in lower case")
	}
	known, err := h.large.Files.Known(c.Request().Context(), row.Project.ID, []string{o.Oid})
	if err != nil {
		return nil, err
	}
	switch have, has := known[o.Oid]; {
	case !has:
		return nil, &apierr.Error{Status: http.StatusNotFound, Body: apierr.Body{Message: "This project does not have the object"}}
	case have.Size != o.Size:
		return nil, apierr.Unprocessable(fmt.Sprintf("The object has %d bytes", have.Size))
	}
	return o, nil
}

func asError(err error) (*apierr.Error, bool) {
	var e *apierr.Error
	return e, errors.As(err, &e)
}

func asTooLarge(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return apierr.TooLarge()
	}
	return err
}
