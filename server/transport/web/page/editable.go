package page

import "svc/server/platform/apierr"

// MaxEdit is how many bytes the HTML of the texts in one form can have. A larger form would make the page too large.
const MaxEdit = 100_000

// Editable reports whether texts fit into one form.
func Editable(texts ...string) bool {
	size := 0
	for _, text := range texts {
		size += htmlSize(text)
	}
	return size <= MaxEdit
}

// CheckEditable refuses to show the form that changes a text if the text does not fit. instead is a sentence that says how else the
// text can be changed.
func CheckEditable(text, instead string) error {
	if Editable(text) {
		return nil
	}
	return apierr.Unprocessable("This text is too large to be changed in the browser. " + instead)
}

// UseAPI is the sentence for texts that only the API can change.
const UseAPI = "Change it with the API."
