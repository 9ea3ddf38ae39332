// Package run starts the programs of hooks.
package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

var (
	validRef = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$`)
	validID  = regexp.MustCompile(`^[0-9a-f]{24}$`)
)

// Hook is one entry of the configuration.
type Hook struct {
	Program string   `json:"program"`
	Args    []string `json:"args"`
	PassRef bool     `json:"pass_ref"`
	Notify  string   `json:"notify"`
}

// Result is one finished run.
type Result struct {
	ID, Hook, Ref string
	OK            bool
	At            time.Time
}

// Runner keeps the last results.
type Runner struct {
	hooks  map[string]Hook
	logs   string
	newID  func() string
	client *http.Client

	mu   sync.Mutex
	last []Result
}

// New makes a runner that writes one log a run below the given folder.
func New(hooks map[string]Hook, logs string, newID func() string, client *http.Client) *Runner {
	return &Runner{hooks: hooks, logs: logs, newID: newID, client: client}
}

// Start runs a hook and waits for its end.
func (r *Runner) Start(ctx context.Context, name, ref string) (Result, error) {
	hook, known := r.hooks[name]
	if !known {
		return Result{}, errors.New("no such hook")
	}
	args := append([]string{}, hook.Args...)
	if hook.PassRef {
		if !validRef.MatchString(ref) {
			return Result{}, errors.New("bad ref")
		}
		args = append(args, "--", ref)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, hook.Program, args...)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	out, err := cmd.CombinedOutput()

	res := Result{ID: r.newID(), Hook: name, Ref: ref, OK: err == nil, At: time.Now()}
	if err := os.WriteFile(filepath.Join(r.logs, res.ID+".log"), out, 0o600); err != nil {
		return res, err
	}
	r.mu.Lock()
	r.last = append([]Result{res}, r.last...)
	if len(r.last) > 50 {
		r.last = r.last[:50]
	}
	r.mu.Unlock()
	if hook.Notify != "" {
		r.tell(hook.Notify, res)
	}
	return res, nil
}

func (r *Runner) tell(url string, res Result) {
	body, err := json.Marshal(res)
	if err != nil {
		return
	}
	reply, err := r.client.Post(url, "application/json", bytes.NewReader(body))
	if err == nil {
		reply.Body.Close()
	}
}

// Log is the output of one run.
func (r *Runner) Log(id string) ([]byte, error) {
	if !validID.MatchString(id) {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(filepath.Join(r.logs, id+".log"))
}

// Last lists the results, newest first.
func (r *Runner) Last() []Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Result{}, r.last...)
}
