package page

import (
	"context"
	"errors"
	"io"

	"svc/server/domain/archive"
	"svc/store/model"
)

const (
	// maxArchive is the largest archive that the form of an import takes, in bytes.
	maxArchive = 256 << 20
	// MaxImport is how many bytes the form of an import may have.
	MaxImport = maxArchive + maxForm

	// archiveField is the field with the file.
	archiveField = "upload"
)

// ImportForm returns the form that imports a file as a new project or group. more are the fields between the path and the
// file.
func ImportForm(action, submit string, more ...Field) Form {
	fields := append([]Field{
		{Name: "name", Label: "Name", Type: "text", Hint: "Leave it empty to use the path.", Focus: true},
		{Name: "path", Label: "Path", Type: "text", Required: true, Hint: "The part of the address."},
	}, more...)
	return Form{Action: action, Submit: submit, Files: true, Fields: append(fields, Field{
		Name: archiveField, Label: "File", Type: "file", Required: true, Hint: "At most 256 MiB. The API takes larger files.",
	})}
}

// ReceiveArchive passes the file of an ImportForm to receive, which stores and checks it. If the file is missing or refused,
// the error says so at its field.
func ReceiveArchive[T any](v *Visit, receive func(ctx context.Context, from io.Reader) (T, error)) (upload T, err error) {
	file, _, err := v.Request().FormFile(archiveField)
	if err != nil {
		return upload, Broken(map[string][]string{archiveField: {"is missing"}})
	}
	defer file.Close()
	upload, err = receive(v.Request().Context(), file)
	var refused *archive.BadArchiveError
	switch {
	case errors.As(err, &refused):
		err = Broken(map[string][]string{archiveField: {"cannot be imported: " + refused.Text}})
	case errors.Is(err, archive.ErrTooLarge):
		err = Broken(map[string][]string{archiveField: {"is larger than the settings of the instance allow"}})
	}
	return upload, err
}

// ImportView is the content of the kit's page "import": how far an import is, and what could not be imported.
type ImportView struct {
	Root     string // the address of the project or group
	Noun     string // "project" or "group"
	State    string // for people
	Running  bool
	Progress string // how much is imported so far; empty if that is unknown
	Reason   string // why the import has failed
	Left     string // what was left out, in a sentence
	Failures []model.ProjectImportFailure
	More     bool // there may be more failures
}

// importStates are the states of an import, for people.
var importStates = map[string]string{
	model.ImportScheduled: "The import waits to start.", model.ImportStarted: "The import is running.",
	model.ImportFinished: "The import is finished.", model.ImportFailed: "The import has failed.",
}

// NewImportView describes an import in one of the states model.ImportScheduled to model.ImportFailed, with the reason why it
// has failed. In any other state, there was no import, which is a 404.
func NewImportView(root, noun, state string, reason *string) (ImportView, error) {
	view := ImportView{
		Root: root, Noun: noun, State: importStates[state],
		Running: state == model.ImportScheduled || state == model.ImportStarted,
	}
	if view.State == "" {
		return view, NotFound()
	}
	if reason != nil {
		view.Reason = *reason
	}
	return view, nil
}

// ShowImport shows how far the import of the project or group of the page is.
func (v *Visit) ShowImport(view ImportView) error {
	return v.Show(View{Name: "import", Title: "Import", Tab: TabHome, Data: view})
}
