package conformance

// jobs has the jobs of projects and pipelines.
func jobs() Area {
	return Area{Name: "jobs", Scenarios: []Scenario{
		{Name: "jobs of a pipeline", Prepare: preparePipeline, Cases: jobCases, Finish: finishRunningJob},
		{Name: "jobs that are there", Cases: jobReadCases},
	}}
}

// readers are the callers who can read what a reporter can.
var readers = []Caller{Developer, Maintainer, Owner, Admin}

// privateJobs are the refusals of jobs in a private project.
var privateJobs = map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403}

var jobCases = []Case{
	{
		Promise: "The jobs of a project are listed, newest first.",
		Allowed: readers, As: Reporter, Send: "GET /projects/<project>/jobs", Status: 200,
		Has:     `[{"id":"*","name":"*","stage":"*","status":"*","ref":"ci","tag":false,"created_at":"*","commit":{"id":"*"}}]`,
		Refused: privateJobs, Then: sortedBy("id", true),
	},
	{
		Promise: "The jobs of a project have keyset pages.", As: Reporter, Status: 200,
		Send:    "GET /projects/<project>/jobs?pagination=keyset&order_by=id&sort=desc&per_page=2",
		Headers: Header{"Link": "*", "X-Page": ""}, Then: linksTo("next"),
	},
	{
		Promise: "scope selects jobs by status.", As: Reporter, Send: "GET /projects/<project>/jobs?scope=failed", Status: 200,
		Has: `[{"id":<failed_job>,"status":"failed","failure_reason":"script_failure"}]`, Then: length(1),
	},
	{
		Promise: "scope can be a list.", As: Reporter, Send: "GET /projects/<project>/jobs?scope[]=failed&scope[]=success", Status: 200,
		Has: `[{},{}]`, Then: length(2),
	},
	{Promise: "scope must be a status.", As: Reporter, Send: "GET /projects/<project>/jobs?scope=sleeping", Status: 400},
	{
		Promise: "The jobs of a pipeline are listed.",
		Allowed: readers, As: Reporter, Send: "GET /projects/<project>/pipelines/<pipeline>/jobs", Status: 200,
		Has: `[{"pipeline":{"id":<pipeline>}}]`, Refused: map[Caller]int{Anonymous: 404, Outsider: 404, Guest: 403}, Then: length(4),
	},
	{
		Promise: "The jobs of a missing pipeline are 404.",
		As:      Reporter, Send: "GET /projects/<project>/pipelines/<missing>/jobs", Status: 404,
	},
	{
		Promise: "The bridges of a pipeline are listed with their pipelines.", As: Reporter, Until: true,
		Send: "GET /projects/<project>/pipelines/<pipeline>/bridges", Status: 200,
		Has:     `[{"name":"downstream","downstream_pipeline":{"id":"*","sha":"*","status":"*","web_url":"*"}}]`,
		Refused: map[Caller]int{Anonymous: 404, Outsider: 404, Guest: 403},
	},
	{
		Promise: "The bridges of a missing pipeline are 404.",
		As:      Reporter, Send: "GET /projects/<project>/pipelines/<missing>/bridges", Status: 404,
	},
	{
		Promise: "scope of bridges must be a status.", As: Reporter,
		Send: "GET /projects/<project>/pipelines/<pipeline>/bridges?scope=x", Status: 400,
	},
	{
		Promise: "A job is read with its commit, pipeline and runner.",
		Allowed: readers, As: Reporter, Send: "GET /projects/<project>/jobs/<succeeded_job>",
		Status: 200, Refused: privateJobs,
		Has: `{"id":<succeeded_job>,"status":"success","started_at":"*","finished_at":"*","duration":"*","queued_duration":"*",
			"allow_failure":false,"tag_list":["<prefix>"],"runner":{"id":"*"},"user":{"id":<developer_id>},"pipeline":{"id":<pipeline>},
			"artifacts":"*","project":{"ci_job_token_scope_enabled":"*"}}`,
	},
	{Promise: "A missing job is 404.", As: Reporter, Send: "GET /projects/<project>/jobs/<missing>", Status: 404},
	{Promise: "The ID of a job must be a number.", As: Reporter, Send: "GET /projects/<project>/jobs/first", Status: 404},
	{
		Promise: "The log of a job is read as text.",
		Allowed: readers, As: Reporter, Send: "GET /projects/<project>/jobs/<succeeded_job>/trace", Status: 200,
		Text: "The job has done its work.", Refused: privateJobs,
	},
	{Promise: "The log of a missing job is 404.", As: Reporter, Send: "GET /projects/<project>/jobs/<missing>/trace", Status: 404},
	{
		Promise: "The token of a job reads its job.",
		As:      Anonymous, Header: Header{"JOB-TOKEN": "<job_token>"}, Send: "GET /job", Status: 200,
		Has: `{"id":<running_job>,"status":"running"}`,
	},
	{Promise: "The query parameter job_token is accepted.", As: Anonymous, Send: "GET /job?job_token=<job_token>", Status: 200},
	{Promise: "GET /job needs a token.", As: Anonymous, Send: "GET /job", Status: 401},
	{Promise: "A wrong job token is refused.", As: Anonymous, Header: Header{"JOB-TOKEN": "wrong"}, Send: "GET /job", Status: 401},
	{Promise: "Another kind of token has no job.", As: Owner, Send: "GET /job", Status: 404},
	{
		Promise: "The token of a job reads the agents that it may use.", As: Anonymous, Header: Header{"JOB-TOKEN": "<job_token>"},
		Send: "GET /job/allowed_agents", Status: 200,
		Has: `{"allowed_agents":[],"job":{"id":<running_job>},"pipeline":{"id":<pipeline>},
			"project":{"id":<project>,"groups":[{"id":<group>}]},
			"user":{"id":<developer_id>,"username":"<developer_username>"}}`,
	},
	{Promise: "The agents need a token.", As: Anonymous, Send: "GET /job/allowed_agents", Status: 401},
	{Promise: "Another kind of token has no agents.", As: Owner, Send: "GET /job/allowed_agents", Status: 404},
	{
		Promise: "A job that waits is canceled.", As: Developer, Send: "POST /projects/<project>/jobs/<waiting_job>/cancel", Status: 201,
		Has: `{"id":<waiting_job>,"status":"canceled"}`, Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403, Reporter: 403},
	},
	{Promise: "Canceling a missing job is 404.", As: Developer, Send: "POST /projects/<project>/jobs/<missing>/cancel", Status: 404},
	{
		Promise: "A job is retried: the new job is pending and has no times.", As: Developer,
		Send: "POST /projects/<project>/jobs/<failed_job>/retry", Status: 201, Keep: map[string]string{"retried_job": "id"},
		Has:     `{"name":"fails","status":"pending","started_at":null,"finished_at":null,"duration":null}`,
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403, Reporter: 403},
	},
	{Promise: "A job that runs cannot be retried.", As: Developer, Send: "POST /projects/<project>/jobs/<running_job>/retry", Status: 403},
	{Promise: "Retrying a missing job is 404.", As: Developer, Send: "POST /projects/<project>/jobs/<missing>/retry", Status: 404},
	{
		Promise: "include_retried lists jobs that were replaced, too.", As: Reporter,
		Send: "GET /projects/<project>/pipelines/<pipeline>/jobs?include_retried=true", Status: 200, Then: length(5),
	},
	{
		Promise: "A job is erased.", As: Maintainer, Send: "POST /projects/<project>/jobs/<succeeded_job>/erase", Status: 201,
		Has:     `{"id":<succeeded_job>,"erased_at":"*","artifacts":[]}`,
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403, Reporter: 403},
	},
	{Promise: "The log of an erased job is gone.", As: Reporter, Send: "GET /projects/<project>/jobs/<succeeded_job>/trace", Status: 404},
	{Promise: "A job cannot be erased twice.", As: Maintainer, Send: "POST /projects/<project>/jobs/<succeeded_job>/erase", Status: 403},
	{Promise: "Erasing a missing job is 404.", As: Maintainer, Send: "POST /projects/<project>/jobs/<missing>/erase", Status: 404},
}

var jobReadCases = []Case{
	{Promise: "The jobs of any project are listed.", Send: "GET /projects/<project>/jobs", Status: 200, Reads: true},
	{Promise: "The jobs of a missing project are 404.", Send: "GET /projects/<missing>/jobs", Status: 404, Reads: true},
	{Promise: "A missing job of any project is 404.", Send: "GET /projects/<project>/jobs/<missing>", Status: 404, Reads: true},
	{Promise: "A missing log of any project is 404.", Send: "GET /projects/<project>/jobs/<missing>/trace", Status: 404, Reads: true},
	{Promise: "GET /job needs the token of a job.", As: Anonymous, Send: "GET /job", Status: 401, Reads: true},
	{Promise: "The agents need the token of a job.", As: Anonymous, Send: "GET /job/allowed_agents", Status: 401, Reads: true},
}
