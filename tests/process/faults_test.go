package process

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/wait"

	"golang.org/x/crypto/ssh"
)

// faults lists what has gone wrong under faults and load, and the tests that hold the promise made since. Tests are of
// this package unless a folder is named; tests/bench has rows that measure speeds, on both databases. All tests run on
// both databases; one that needs several processes, or a database in a process of its own, says so on SQLite.
var faults = []struct{ fault, tests string }{
	{"X1 a storage is not there", "TestAStartWithoutItsStorageIsRefused TestAStorageThatDisappearsIsNotWrittenTo " +
		"TestTheDataOfAnOlderVersionIsAdopted"},
	{"X2 several processes that do not share everything", "TestSeveralProcessesServeOneInstance TestAllProcessesHaveOneURL " +
		"TestAllProcessesHaveTheSameHostKeys"},
	{"X3 work that was running at a kill", "TestWorkBegunBeforeAKillIsFinishedWithinAMinuteOfTheRestart " +
		"TestAPushThatWasAnsweredIsDeliveredAfterAKill TestTheDeletionOfMergedBranchesIsFinishedAfterAKill " +
		"TestTheWorkOfALeaderMovesWithin15SecondsEvenIfTheClockJumps"},
	{"X4 many small jobs", "server/platform/worker:TestALaneThatIsStuckHoldsUpNoOther " +
		"server/platform/worker:TestWhatPeopleWaitForComesFirst tests/bench:queue"},
	{"X5 the database is away or slow", "TestAnUnavailableDatabaseIsReportedSoon store:TestALockedTableStopsItsReadersInTimeAndNobodyElse"},
	{"X6 deadlocks", "store:TestADeadlockIsDoneAgain store:TestADeadlockOfASingleStatementIsDoneAgain"},
	{"X7 the disk is full", "TestAStartOnAFullDiskSaysSo " +
		"TestAFullDiskIsAnsweredWith507 TestADiskThatBecomesFullRefusesWritesAndLosesNothing"},
	{"X8 an older program on a newer schema", "TestAnOlderProgramLeavesANewerDatabaseAlone"},
	{"X9 a lost key or database", "TestALostOrReplacedSecretKeyIsRefused TestAStartWithRepositoriesButWithoutTheirDatabaseIsRefused"},
	{"X10 a pool of one connection", "TestASmallPoolWorksOrIsRefused"},
	{"X11 pushes of many refs and files", "tests/git:TestAPushOfTooManyRefsIsRefusedWithTheLimit " +
		"tests/git:TestAPushOfAsManyRefsAsTheLimitIsAccepted tests/git:TestAMirrorOfManyFilesAndCommitsIsPushed"},
	{"X12 many writers in one repository", "tests/api:TestConcurrentCommitsAreAllKept " +
		"tests/api:TestConcurrentWritesToOneBranchAreAllKept " +
		"tests/bench:commits"},
	{"X13 slow and aborted pushes", "tests/git:TestASlowPushTimesOutAndAnAbortedPushIsNotAnError " +
		"tests/git:TestASlowPushOverSSHTimesOutAndAnAbortedPushIsNotAnError"},
	{"X14 a mail server that never answers", "TestAMailServerThatNeverAnswersDelaysOnlyMail"},
	{"X15 an export that was killed", "TestImportAndExportAreFinishedAfterAKill"},
	{"X16 many branches", "tests/api:TestManyMergedBranchesAreDeletedEachWithItsEvent " +
		"store/git:TestRefsThatLeadToACommitAreThoseThatGitFinds tests/bench:branches"},
	{"a bucket that answers slowly, wrongly or not at all", "TestABucketThatFailsIsReportedAndLosesNothing " +
		"TestAnUnreachableBucketIsRefused TestABucketThatRefusesTheAccessKeyIsNamed"},
	{"a database that is restarted under load", "TestADatabaseThatIsRestartedUnderLoadLosesNothing " +
		"TestABackupWhileTheDatabaseRestartsFailsAndCanBeRepeated"},
	{
		"a backup that is half-written, damaged or newer, or a restore over an existing instance, on a full disk, or killed",
		"TestABackupThatIsDamagedOrInTheWrongPlaceRestoresNothing TestABackupThatWasKilledIsOverwritten " +
			"TestABackupIsCompleteOrDoesNotExist TestARestoreNeverWritesOverFilesOfAnotherInstance " +
			"TestARestoreOnAFullDiskLeavesNothingAndCanBeRepeated TestARestoreThatWasKilledStartsAnew " +
			"TestARestoreThatWasKilledAfterTheDatabaseWasFilledIsFinished",
	},
	{"a clock that jumps", "TestTheWorkOfALeaderMovesWithin15SecondsEvenIfTheClockJumps"},
	{"a read-only folder", "TestAReadOnlyStorageIsReportedAndRecovers TestAReadOnlyDataFolderIsRefused"},
	{"a killed process, a rolling restart, a rolling upgrade", "TestAKilledProcessCostsNoRequestOnceTheBalancerHasNoticed " +
		"TestARollingRestartCostsNoRequest " +
		"TestProcessesOfAnOlderProgramAreReplacedUnderLoad TestARunningProcessSurvivesTheMigrationsOfANewerProgram"},
}

// Every test of the table exists, and every row of tests/bench.
func TestTheTableOfFaultsNamesTests(t *testing.T) {
	t.Parallel()
	known := map[string]string{}
	for _, fault := range faults {
		for name := range strings.FieldsSeq(fault.tests) {
			folder, test, elsewhere := strings.Cut(name, ":")
			if !elsewhere {
				folder, test = "tests/process", name
			}
			pattern, files := `(?m)^func `+test+`\(t \*testing\.T\)`, "*_test.go"
			if folder == "tests/bench" {
				pattern, files = `o\.rows\["`+test+`"\]`, "*_rows.go"
			}
			if known[folder] == "" {
				known[folder] = sources(t, filepath.Join("..", "..", folder, files))
			}
			if !regexp.MustCompile(pattern).MatchString(known[folder]) {
				t.Errorf("%s: there is no %s in %s", fault.fault, test, folder)
			}
		}
	}
}

// sources returns the text of all files with a pattern.
func sources(t testing.TB, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// makeHostKey writes a new SSH host key.
func makeHostKey(t testing.TB, path string) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err == nil {
		err = os.WriteFile(path, pem.EncodeToMemory(block), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// bucketTimeout is how long the bucket of TestABucketThatFailsIsReportedAndLosesNothing may take for an answer.
const bucketTimeout = 2 * time.Second

// bucketFaults are the ways in which a bucket fails.
var bucketFaults = map[string]http.HandlerFunc{
	"an error":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	"another key": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
	"nonsense":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Welcome</html>") },
	"silence":     func(_ http.ResponseWriter, r *http.Request) { waitForEnd(r) },
	"a pause": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusPartialContent)
		w.(http.Flusher).Flush()
		waitForEnd(r)
	},
	"an end": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
}

// waitForEnd waits until the client gives up. A server only notices that once it has read the request.
func waitForEnd(r *http.Request) {
	io.Copy(io.Discard, r.Body) //nolint:errcheck // the client is gone
	<-r.Context().Done()
}

// The bucket fails in several ways. What needs it is answered with 503 in time, everything else works, and once the
// bucket works again, the log that was begun goes on. A bucket that is only slow is waited for.
func TestABucketThatFailsIsReportedAndLosesNothing(t *testing.T) {
	t.Parallel()
	bucket := NewBucket(t)
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_BLOB_URL="+bucket.Address()+"&timeout="+bucketTimeout.String())
	s := startWithProject(t, p)
	id, token := runJob(t.Context(), t, s, p.open(t))
	log := "begin\n"
	shown := fmt.Sprintf("/api/v4/projects/root%%2Flogged/jobs/%d/trace", id)
	const archive = "artifact_type=archive&artifact_format=zip"
	if status, body := s.trace(id, token, 0, log); status != 202 {
		t.Fatal(status, body)
	}
	for name, fault := range bucketFaults {
		bucket.Break(fault)
		began := time.Now()
		read, body, err := s.Do(t.Context(), "GET", shown, "")
		if read != 503 || !strings.Contains(body, "The storage is not available") {
			t.Errorf("%s: the log is answered with %d %s %v", name, read, body, err)
		}
		if name != "nonsense" { // a bucket that accepts everything looks like one that works
			if status, body := s.trace(id, token, len(log), "x"); status != 503 {
				t.Errorf("%s: bytes for the log are answered with %d %s", name, status, body)
			}
			if status, body := s.upload(id, token, archive, "zip"); status != 503 {
				t.Errorf("%s: an artifact is answered with %d %s", name, status, body)
			}
		}
		if took := time.Since(began); took > 6*bucketTimeout {
			t.Errorf("%s: three answers take %s", name, took)
		}
		s.ask("GET", readme, "", 200, nil)
		bucket.Break(nil)
		more := name + "\n"
		if status, body := s.trace(id, token, len(log), more); status != 202 {
			t.Errorf("after %s: %d %s", name, status, body)
		}
		log += more
	}
	bucket.Break(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(bucketTimeout / 5)
		bucket.answer(w, r)
	})
	if status, body := s.upload(id, token, archive, "zip"); status != 201 {
		t.Errorf("an artifact for a slow bucket: %d %s", status, body)
	}
	status, body, err := s.Do(t.Context(), "GET", shown, "")
	if status != 200 || body != log {
		t.Errorf("the log: %d %q %v, not %q", status, body, err, log)
	}
}

// The connections to the database end again and again under load, as in restarts. Each request succeeds or gets a 503,
// and what was acknowledged is there.
func TestADatabaseThatIsRestartedUnderLoadLosesNothing(t *testing.T) {
	t.Parallel()
	place := NewPlace(t)
	if !storetest.Postgres() {
		t.Log("SQLite runs inside the process")
		return
	}
	wire := storetest.NewProxy(t, strings.TrimPrefix(place.Env[0], "SVC_DATABASE_URL="))
	place.Env = []string{"SVC_DATABASE_URL=" + wire.URL}
	s := Start(t, place)
	var writers sync.WaitGroup
	stop := make(chan struct{})
	acknowledged := make([]int, 4)
	for w := range acknowledged {
		key := fmt.Sprintf("W%d", w)
		s.ask("POST", variables, `{"key":"`+key+`","value":"0"}`, 201, nil)
		writers.Go(func() {
			for n := 1; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				status, body, err := s.Do(t.Context(), "PUT", variables+"/"+key, fmt.Sprintf(`{"value":"%d"}`, n))
				switch {
				case err == nil && status == 200:
					acknowledged[w] = n
				case err != nil || status != 503:
					t.Errorf("writer %d: %d %s %v", w, status, body, err)
				}
			}
		})
	}
	for range 8 {
		time.Sleep(300 * time.Millisecond)
		wire.SetHanging(true)
		wire.Cut()
		time.Sleep(100 * time.Millisecond)
		wire.SetHanging(false)
	}
	close(stop)
	writers.Wait()
	s.waitUntilReady()
	for w, want := range acknowledged {
		var v struct{ Value string }
		s.ask("GET", fmt.Sprintf("%s/W%d", variables, w), "", 200, &v)
		var got int
		fmt.Sscan(v.Value, &got)
		if got < want { // a write that got a 503 may have been committed
			t.Errorf("writer %d: %d was acknowledged, %d is stored", w, want, got)
		}
		if want == 0 {
			t.Errorf("writer %d has written nothing", w)
		}
	}
}

// startAsNobody starts svc as a user who is bound by the modes of files, also if the test runs as root.
func startAsNobody(t *testing.T, p Place) *Server {
	t.Helper()
	const nobody = 65534
	cmd := exec.Command(Svc(t), "serve")
	cmd.Env = append(environment(), "SVC_DATA="+p.Data, "SVC_LISTEN=127.0.0.1:0", "SVC_ROOT_TOKEN="+Token)
	cmd.Env = append(append(cmd.Env, "SVC_LOG_LEVEL=warn", "HOME=/"), p.Env...)
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		for _, path := range []string{filepath.Dir(Svc(t)), filepath.Dir(p.Data), p.Data} {
			if err := os.Chmod(path, 0o755); err != nil { //nolint:gosec // another user needs it
				t.Fatal(err)
			}
		}
		if err := os.Chown(p.Data, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, cmd)
	s.waitUntilReady()
	return s
}

// The storage becomes read-only, as a file system with errors does. Reads go on, writes get a 503, the server is not
// ready, and once the storage can be written again, everything works.
func TestAReadOnlyStorageIsReportedAndRecovers(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := startAsNobody(t, p)
	s.ask("POST", "/api/v4/projects", `{"name":"p","initialize_with_readme":true}`, 201, nil)
	storage := filepath.Join(p.Data, "repositories")
	setModes := func(folders os.FileMode) {
		t.Helper()
		err := filepath.WalkDir(storage, func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			return os.Chmod(path, folders)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	setModes(0o500)
	s.ask("GET", readme, "", 200, nil)
	commit := `{"branch":"main","commit_message":"x","content":"x"}`
	status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects/root%2Fp/repository/files/new", commit)
	if status != 503 || !strings.Contains(body, "The storage is not available") {
		t.Errorf("a commit: %d %s %v", status, body, err)
	}
	if status, body, err := s.Do(t.Context(), "GET", "/-/readiness", ""); status != 503 || !strings.Contains(body, `"storage":"failed"`) {
		t.Errorf("readiness: %d %s %v", status, body, err)
	}
	setModes(0o700)
	wait.Until(t, "the server is ready again", func() bool {
		status, _, err := s.Do(t.Context(), "GET", "/-/readiness", "")
		return err == nil && status == 200
	})
	s.ask("POST", "/api/v4/projects/root%2Fp/repository/files/new", commit, 201, nil)
}

// /sys is a file system in which nobody can create a folder.
func TestAReadOnlyDataFolderIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	p.Data = "/sys/svc"
	refused(t, p, "read-only", "create the data folder: mkdir /sys/svc")
}
