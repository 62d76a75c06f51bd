package present

import (
	"svc/gen"
	"svc/store/git"
)

// Diff shows how a file differs; unified begins with the lines that name the file.
func Diff(f git.FileDiff, unified bool) gen.Diff {
	text := f.Text
	if unified && text != "" {
		text = f.Head + text
	}
	return gen.Diff{
		Diff: text, NewPath: f.NewPath, OldPath: f.OldPath, AMode: mode(f.OldMode), BMode: mode(f.NewMode), NewFile: f.Status == 'A',
		RenamedFile: f.Status == 'R', DeletedFile: f.Status == 'D', Collapsed: f.Collapsed, TooLarge: f.TooLarge,
	}
}

// mode is git's, but for a file that is not there.
func mode(text string) string {
	if text == "000000" {
		return "0"
	}
	return text
}
