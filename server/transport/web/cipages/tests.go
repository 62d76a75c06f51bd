package cipages

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"svc/server/domain/ci/junit"
	"svc/server/domain/ci/report"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// testsView is the content of the page with the test report of a pipeline.
type testsView struct {
	Pipeline model.Pipeline
	Path     string // of the pipeline
	Suites   []suiteView
	Total    int
	Shown    string // the name of the suite whose tests are listed; empty for the failed tests of all
	Cases    []caseView
	Pager    page.Pager
}

// suiteView is a line of the table of suites.
type suiteView struct {
	Name, Path, Job, Wrong          string
	Time                            string
	Passed, Failed, Errors, Skipped int64
	Here                            bool
}

// caseView is a test.
type caseView struct {
	junit.Case
	Suite, Time string
	Cut         bool
}

const (
	casesShown  = 30
	outputShown = 1500   // bytes of the output of a test
	outputsAll  = 50_000 // bytes of HTML of all outputs on a page
)

// tests shows the test report of a pipeline: its suites, and the tests that failed, or all tests of one suite.
// GET /{project}/-/pipelines/{id}/test_report
func (p *Pages) tests(v *page.Visit) error {
	found, err := p.findPipeline(v)
	if err != nil {
		return err
	}
	suites, err := p.Reports.Suites(v.Request().Context(), found.ID)
	if err != nil {
		return err
	}
	chosen, err := chosenSuite(v, suites)
	if err != nil {
		return err
	}
	path := pipelinePath(v.Project.Project, found.ID)
	view := testsView{Pipeline: found, Path: path}
	var cases []caseView
	for i, s := range suites {
		line := suiteView{
			Name: s.Job.Name, Path: path + "/test_report?suite=" + strconv.Itoa(i+1), Job: jobPath(v.Project.Project, s.Job.ID),
			Wrong: text(s.Wrong), Time: seconds(s.Seconds), Passed: s.Count[junit.Success], Failed: s.Count[junit.Failed],
			Errors: s.Count[junit.Error], Skipped: s.Count[junit.Skipped], Here: i == chosen,
		}
		view.Suites, view.Total = append(view.Suites, line), view.Total+len(s.Cases)
		if line.Here {
			view.Shown = s.Job.Name
		}
		cases = append(cases, casesOf(s, i == chosen, chosen < 0)...)
	}
	pager := v.PagerOf(casesShown, "suite")
	from := min(pager.Page.Offset, len(cases))
	to := min(from+casesShown, len(cases))
	view.Cases, view.Pager = withinBytes(cases[from:to]), pager.Of(to < len(cases))
	return v.Show(page.View{
		Templates: p.templates, Name: "tests", Title: "Tests", Tab: page.TabPipelines,
		Crumbs: []page.Link{
			{Path: at(v, "pipelines"), Label: "Pipelines"}, {Path: path, Label: fmt.Sprintf("#%d", found.ID)},
		}, Data: view,
	})
}

// withinBytes leaves out the outputs that would make the page too large.
func withinBytes(cases []caseView) []caseView {
	sum := 0
	for i := range cases {
		if sum += len(template.HTMLEscapeString(cases[i].Output)); sum > outputsAll && cases[i].Output != "" {
			cases[i].Output, cases[i].Cut = "", true
		}
	}
	return cases
}

// chosenSuite returns the index of the suite in the address, or -1 if there is none.
func chosenSuite(v *page.Visit, suites []report.Suite) (int, error) {
	given := v.QueryParam("suite")
	if given == "" {
		return -1, nil
	}
	number, err := strconv.Atoi(given)
	if err != nil || number < 1 || number > len(suites) {
		return 0, page.NotFound()
	}
	return number - 1, nil
}

// casesOf returns the tests of a suite that the page lists, those that failed first.
func casesOf(s report.Suite, all, failed bool) []caseView {
	bad := func(c junit.Case) bool { return c.Status == junit.Failed || c.Status == junit.Error }
	var cases []caseView
	for _, c := range s.Cases {
		if all || failed && bad(c) {
			one := caseView{Case: c, Suite: s.Job.Name, Time: seconds(c.Seconds)}
			if len(one.Output) > outputShown {
				one.Output, one.Cut = one.Output[:outputShown], true
			}
			cases = append(cases, one)
		}
	}
	slices.SortStableFunc(cases, func(a, b caseView) int {
		if bad(a.Case) == bad(b.Case) {
			return 0
		}
		if bad(a.Case) {
			return -1
		}
		return 1
	})
	return cases
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) + " s" }
