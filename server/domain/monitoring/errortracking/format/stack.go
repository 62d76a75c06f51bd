package format

import (
	"encoding/json"
	"strconv"
)

// Exception is an exception of an event, for people who read it.
type Exception struct {
	Type, Value string
	Frames      []Frame // the innermost call first
}

// Frame is a call on the stack.
type Frame struct {
	Where    string // the file and line, or the module
	Function string
	Own      bool // the program's own code
}

// The limits of what people read: a payload can have any number of exceptions, calls and characters.
const (
	maxExceptions = 5
	maxFrames     = 50
	maxShown      = 300 // bytes of a text
)

// ReadStack returns the exceptions of a stored event, the one that was not caught first.
func ReadStack(payload []byte) []Exception {
	var event struct {
		Exception json.RawMessage `json:"exception"`
	}
	if json.Unmarshal(payload, &event) != nil {
		return nil
	}
	thrown := exceptions(event.Exception)
	all := make([]Exception, 0, len(thrown))
	for i := len(thrown) - 1; i >= 0 && len(all) < maxExceptions; i-- {
		shown := Exception{Type: cut(text(thrown[i].Type), maxShown), Value: cut(text(thrown[i].Value), maxShown)}
		frames := thrown[i].Stacktrace.Frames
		for n := len(frames) - 1; n >= 0 && len(shown.Frames) < maxFrames; n-- {
			shown.Frames = append(shown.Frames, frames[n].shown())
		}
		all = append(all, shown)
	}
	return all
}

// shown returns a frame for people.
func (f frame) shown() Frame {
	where := text(f.Filename)
	if where == "" {
		where = text(f.Module)
	}
	if line, ok := f.Lineno.(float64); ok && line > 0 {
		where += ":" + strconv.FormatInt(int64(line), 10)
	}
	return Frame{Where: cut(where, maxShown), Function: cut(text(f.Function), maxShown), Own: f.InApp}
}
