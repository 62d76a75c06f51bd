// Package conformance tests an installation from outside: it knows the OpenAPI document of this program and speaks only
// HTTP. Its cases are promises of the contract, written as tables, one file for each area.
//
//	case.go            what a case, a scenario and an area are
//	suite.go           options, and the run from the first request to the cleaning up
//	run.go             run one case: send its request, compare the answer
//	client.go          the HTTP client
//	expect.go          compare the members of an answer
//	template.go        placeholders such as <project> in requests
//	contract.go        the operations of the contract, and how many checks each has
//	world.go           the users, the group and the projects that the cases use
//	world_read.go      what cases use if nothing may be created
//	runner.go          a runner: takes jobs, and sends logs and results
//	browser.go         a browser: signs in and fills in forms
//	clean.go           delete what was created
//	result.go          the result of a check
//	report_text.go     reports for people
//	report_files.go    reports for programs: JUnit and JSON
//	cases_….go         the cases, by area
//	derived_cases.go   checks of every operation, made from the document
//	fuzz.go            tests with generated requests: users, projects and time
//	fuzz_request.go    make a request that touches nothing of others
//	fuzz_check.go      send it, look for problems, and make a request with a problem smaller
//	fuzz_chain.go      create, read, change and delete a thing
//
// Package check compares answers with the document. Package generate makes values from schemas.
package conformance
