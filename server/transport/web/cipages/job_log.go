package cipages

import (
	"context"
	"io"
	"net/url"
	"strconv"

	"svc/server/domain/ci/logview"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// logView is the part of a log that a page shows.
type logView struct {
	Nodes         []logNode
	Size          int64 // where the shown part of the log ends, in bytes
	Cut           bool  // the log is so long that its beginning is not numbered
	First, Last   int   // the shown lines; 0 for all
	Lines         int
	Before, After string // links to earlier and later lines
	Follow        bool   // the page adds the lines that come
	Search        string
	Found         []foundLine
	FoundMore     bool
}

const (
	readBytes = 4 << 20 // of the end of a log that are read for a page
	maxSearch = 200     // bytes of a text to search for
)

// readLog reads the part of a log that the address asks for: the end, or the lines from a number.
func (p *Pages) readLog(v *page.Visit, job model.Job, live bool) (logView, error) {
	view := logView{Size: job.LogSize, Cut: job.LogSize > readBytes, Search: v.QueryParam("search"), Follow: live}
	if len(view.Search) > maxSearch {
		return view, apierr.BadRequest("The text to search for is too long")
	}
	events, err := p.logEvents(v.Request().Context(), job, live)
	if err != nil {
		return view, err
	}
	view.Nodes = tree(events)
	lines, rest := costs(events)
	view.Lines = len(lines)
	shown, err := chooseWindow(v, lines, rest)
	if err != nil {
		return view, err
	}
	if shown.first > 1 || shown.last < len(lines) {
		view.First, view.Last = shown.first, shown.last
		view.Nodes = within(view.Nodes, shown)
		view.Follow = live && shown.last == len(lines)
		if shown.first > 1 {
			view.Before = linesFrom(v, backward(lines, shown.first-1).first)
		}
		if shown.last < len(lines) {
			view.After = linesFrom(v, shown.last+1)
		}
	}
	if view.Search != "" {
		view.Found, view.FoundMore = search(events, view.Search, shown)
	}
	return view, nil
}

// linesFrom returns the address of this page from a line.
func linesFrom(v *page.Visit, first int) string {
	return v.With(url.Values{"lines": {strconv.Itoa(first)}}, "search")
}

// chooseWindow returns the lines to show: all if they fit, or those from the line in the address, or the last ones.
func chooseWindow(v *page.Visit, lines []int, rest int) (window, error) {
	sum := rest
	for _, cost := range lines {
		sum += cost
	}
	given := v.QueryParam("lines")
	first, err := strconv.Atoi(given)
	switch {
	case given != "" && (err != nil || first < 1):
		return window{}, apierr.BadRequest("lines is not the number of a line")
	case sum <= shownBytes || len(lines) == 0:
		return window{1, len(lines)}, nil
	case given != "":
		return forward(lines, min(first, len(lines))), nil
	}
	return backward(lines, len(lines)), nil
}

// logEvents reads the end of a log as lines and sections.
func (p *Pages) logEvents(ctx context.Context, job model.Job, live bool) ([]logview.Event, error) {
	reader := &logview.Reader{}
	var events []logview.Event
	err := p.piece(ctx, job, max(job.LogSize-readBytes, 0), func(b []byte) { events = append(events, reader.Read(b)...) })
	if err != nil {
		return nil, err
	}
	if live {
		return append(events, reader.Flush()...), nil
	}
	return append(events, reader.End()...), nil
}

// piece reads a log from an offset to its end.
func (p *Pages) piece(ctx context.Context, job model.Job, offset int64, read func(b []byte)) error {
	from, _, err := p.Logs.Open(ctx, job, offset, job.LogSize)
	if err != nil {
		return err
	}
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		read(buffer[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
