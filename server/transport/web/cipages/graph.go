package cipages

import (
	"encoding/json"
	"fmt"

	"svc/store/model"
)

// graph is the drawing of a pipeline: a column for each stage, a box for each job, and lines to a job from the jobs
// that it waits for.
type graph struct {
	Width, Height int
	Stages        []graphStage
	Boxes         []graphBox
	Lines         []string // SVG paths
	Hidden        int      // jobs that are not drawn
}

type graphStage struct {
	X    int
	Name string
}

type graphBox struct {
	X, Y, Width, Height    int
	TextX, TextY, DotX     int
	Name, Path, Full, Text string
	Status                 string
	Bridge                 bool
}

const (
	boxWidth, boxHeight  = 190, 40
	columnGap, rowGap    = 70, 14
	graphTop, graphSide  = 40, 8
	maxLabel             = 20
	maxLines             = 400
	dotRadius, textShift = 6, 30
)

// draw lays out the first jobs of a pipeline with a number of jobs. They must be in the order of stages.
func draw(project model.Project, jobs []model.Job, all int) graph {
	g := graph{Hidden: all - len(jobs)}
	place := make(map[string]int, len(jobs))
	var columns [][]int
	last := int64(-1)
	for i := range jobs {
		j := &jobs[i]
		if len(columns) == 0 || j.StageIndex != last {
			columns = append(columns, nil)
			g.Stages = append(g.Stages, graphStage{X: graphSide + (len(columns)-1)*(boxWidth+columnGap), Name: shorten(j.Stage)})
			last = j.StageIndex
		}
		column := len(columns) - 1
		x, y := graphSide+column*(boxWidth+columnGap), graphTop+len(columns[column])*(boxHeight+rowGap)
		box := graphBox{
			X: x, Y: y, Width: boxWidth, Height: boxHeight, TextX: x + textShift, TextY: y + boxHeight/2 + 5, DotX: x + 16,
			Name: shorten(j.Name), Full: j.Name, Status: jobBadge(*j).Status, Text: jobBadge(*j).Text, Bridge: j.Bridge,
		}
		if !j.Bridge {
			box.Path = jobPath(project, j.ID)
		}
		place[j.Name] = i
		columns[column] = append(columns[column], i)
		g.Boxes = append(g.Boxes, box)
		g.Width, g.Height = max(g.Width, x+boxWidth+graphSide), max(g.Height, y+boxHeight+graphSide)
	}
	g.connect(jobs, columns, place)
	return g
}

// connect draws the lines: to each job from its needs, or, for jobs without needs, from each stage to the next.
func (g *graph) connect(jobs []model.Job, columns [][]int, place map[string]int) {
	for c, column := range columns {
		for row, i := range column {
			if len(g.Lines) > maxLines {
				return
			}
			if jobs[i].Needs != nil {
				var names []string
				_ = json.Unmarshal([]byte(*jobs[i].Needs), &names) // the service wrote it, so it can be read
				for _, name := range names {
					if from, known := place[name]; known {
						g.line(from, i)
					}
				}
			} else if c > 0 && row == 0 {
				g.line(columns[c-1][0], i)
			}
		}
	}
}

// line draws a curve from the right side of one box to the left side of another.
func (g *graph) line(from, to int) {
	a, b := g.Boxes[from], g.Boxes[to]
	if a.X >= b.X { // a need in the same stage: around the right side
		x, y1, y2 := a.X+a.Width, a.Y+a.Height/2, b.Y+b.Height/2
		g.Lines = append(g.Lines, fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x, y1, x+30, y1, x+30, y2, x, y2))
		return
	}
	x1, y1, x2, y2 := a.X+a.Width, a.Y+a.Height/2, b.X, b.Y+b.Height/2
	middle := (x1 + x2) / 2
	g.Lines = append(g.Lines, fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, middle, y1, middle, y2, x2, y2))
}

// shorten cuts a name to the width of a box.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) <= maxLabel {
		return name
	}
	return string(runes[:maxLabel-1]) + "…"
}
