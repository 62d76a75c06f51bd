package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"time"
)

const (
	exportLabels  = 10_000
	exportMembers = 1_000
	exportLimit   = 2 * time.Second
	importLimit   = 4 * time.Second
	growthLimit   = 64 << 20
)

// benchExports measures the export and the import of a group, from the request until the file, or the group, is ready.
// The time includes the wait until the worker looks at the queue.
func benchExports(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["parcels"] {
		return nil
	}
	at, err := newFilledDatabase(ctx, o, kind, folder, "parcels")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, at.remove()) }()
	p, err := startSvc(ctx, o.svc, at.dataCopy)
	if err != nil {
		return err
	}
	defer p.stop()
	conn, err := dial(p.addr)
	if err != nil {
		return err
	}
	defer conn.close()
	group, err := fillGroup(ctx, at, conn)
	if err != nil {
		return err
	}
	what := fmt.Sprintf(" of a group with %d labels and %d members, %s", exportLabels, exportMembers, label(kind))
	var file []byte
	out, grown, err := measureMemory(p, func() error {
		file, err = exportGroup(conn, group)
		return err
	})
	if err != nil {
		return p.fail(err)
	}
	rep.number(out < exportLimit, "export"+what+" under 2 s", fmt.Sprintf("%d ms", out.Milliseconds()))
	rep.number(grown < growthLimit, "memory grows by less than 64 MiB", fmt.Sprintf("%.1f MiB", float64(grown)/(1<<20)))
	in, grown, err := measureMemory(p, func() error { return importGroup(conn, file) })
	if err != nil {
		return p.fail(err)
	}
	rep.number(in < importLimit, "import"+what+" under 4 s", fmt.Sprintf("%d ms", in.Milliseconds()))
	rep.number(grown < growthLimit, "memory grows by less than 64 MiB", fmt.Sprintf("%.1f MiB", float64(grown)/(1<<20)))
	return nil
}

// fillGroup creates a group with labels, and with members whose email addresses are public.
func fillGroup(ctx context.Context, at *filledDatabase, conn *client) (int64, error) {
	status, err := conn.do(rawRequest(http.MethodPost, "/api/v4/groups", `{"name":"Parcel","path":"parcel"}`))
	if err != nil || status != http.StatusCreated {
		return 0, fmt.Errorf("a group: %d %s %w", status, conn.body, err)
	}
	var group struct{ ID int64 }
	if err := json.Unmarshal(conn.body, &group); err != nil {
		return 0, err
	}
	const then = "'2026-01-02 03:04:05'"
	return group.ID, at.run(ctx, []string{
		insertPeople + at.numberRows(1, exportMembers),
		"UPDATE users SET public_email = email WHERE username LIKE 'user.%'",
		fmt.Sprintf("INSERT INTO members (source_type, source_id, user_id, access_level, created_at, updated_at) "+
			"SELECT 'Namespace', %d, id, 30, %s, %s FROM users WHERE username LIKE 'user.%%'", group.ID, then, then),
		fmt.Sprintf("INSERT INTO labels (group_id, name, color, description, created_at, updated_at) "+
			"SELECT %d, 'label ' || n, '#ff0000', 'What label ' || n || ' is for', %s, %s FROM ", group.ID, then, then) +
			at.numberRows(1, exportLabels),
	})
}

// measureMemory returns how long do takes, and by how much the memory of a process grows meanwhile.
func measureMemory(p *process, do func() error) (took time.Duration, grown int64, err error) {
	before, err := p.rss()
	if err != nil {
		return 0, 0, err
	}
	most, stop, stopped := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				if now, err := p.rss(); err == nil {
					most = max(most, now)
				}
			}
		}
	}()
	began := time.Now()
	err = do()
	took = time.Since(began)
	close(stop)
	<-stopped
	return took, most - before, err
}

// pollUntil repeats a request until good accepts the answer.
func pollUntil(conn *client, raw []byte, good func(status int) bool) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		status, err := conn.do(raw)
		if err != nil {
			return err
		}
		if good(status) {
			return nil
		}
	}
	return fmt.Errorf("it does not end: %.200s", conn.body)
}

func exportGroup(conn *client, group int64) ([]byte, error) {
	path := fmt.Sprintf("/api/v4/groups/%d/export", group)
	status, err := conn.do(rawRequest(http.MethodPost, path, ""))
	if err != nil || status != http.StatusAccepted {
		return nil, fmt.Errorf("an export: %d %s %w", status, conn.body, err)
	}
	err = pollUntil(conn, rawRequest(http.MethodGet, path+"/download", ""), func(status int) bool { return status == http.StatusOK })
	return bytes.Clone(conn.body), err
}

func importGroup(conn *client, file []byte) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "group.tar.gz")
	if err == nil {
		_, err = part.Write(file)
	}
	if err := errors.Join(err, form.WriteField("name", "Copy"), form.WriteField("path", "copy"), form.Close()); err != nil {
		return err
	}
	raw := fmt.Appendf(nil,
		"POST /api/v4/groups/import HTTP/1.1\r\nHost: bench\r\nPRIVATE-TOKEN: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		token, form.FormDataContentType(), body.Len(), body.Bytes())
	status, err := conn.do(raw)
	if err != nil || status != http.StatusAccepted {
		return fmt.Errorf("an import: %d %s %w", status, conn.body, err)
	}
	return pollUntil(conn, rawRequest(http.MethodGet, "/api/v4/groups/copy/import", ""), func(int) bool {
		return bytes.Contains(conn.body, []byte(`"import_status":"finished"`))
	})
}
