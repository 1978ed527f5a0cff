package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/guard"
	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/internal/guardfiles"
	"dormouse/internal/hook"
	"dormouse/internal/install"
	"dormouse/recall"
	"dormouse/recall/find"
	"dormouse/startup"
	"dormouse/trust"
)

type hookOptions struct {
	*common
	event *hook.Event
	state string
	s     host.Session
	host  host.Host // whose notes they are
	out   []byte
}

func newHook(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   hookName + " EVENT",
		Short: "Answer an event of an agent's session (for its settings)",
		Long: `Is what dormouse install puts into an agent's settings: the agent runs it at an event of a
session, with the event as JSON on standard input, and reads the answer on standard output.

  SessionStart      notes on you and on how to work that the memory index does not show
  UserPromptSubmit  notes that are certain to be on the matter of the prompt, each once
  PreToolUse        the rules of guard blocks: stops a call, or has you asked
  PostToolUse       what was written into the memory folder: limits, front matter, secrets
  Stop, PreCompact  put the session into the queue of extract
  SessionEnd        draws its notes out, in a process of its own

Whatever fails, the session goes on as if the hook were not there: exit 0, no output, and a
line in the log that dormouse status shows.`,
		Example: `  echo '{"session_id":"1","cwd":"'"$PWD"'","prompt":"which port does the database use?"}' |
    dormouse hook UserPromptSubmit`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			runHook(cmd.Context(), c, args)
			return nil
		},
	}
	return cmd
}

const hookName = "hook"

// unsaid keeps in the log how a hook was called in a wrong way. An agent takes an
// exit of 2 as a refusal of what it was about to do, so there is none.
func (c *common) unsaid(args []string, err error) int {
	if state, nowhere := host.StateFolder(c.io.Env); nowhere == nil && filepath.IsAbs(state) {
		_ = hook.Log(state, hook.Failure{Time: c.io.Now().UTC(), Event: strings.Join(args, " "), What: c.errorText(err)}) // nowhere is left to say it
	}
	return exitFine
}

// runHook answers an event. It has no error: a hook never says one to the host.
func runHook(ctx context.Context, c *common, args []string) {
	o := &hookOptions{common: c}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	// What is done here is over before much is allocated; the memory limit stands.
	debug.SetGCPercent(-1)
	err := o.answer(ctx, name)
	if err == nil && o.out != nil {
		_, err = o.common.out.Write(o.out)
	}
	if err != nil && o.state != "" {
		// Nowhere is left to say that the log can't be written.
		_ = hook.Log(o.state, hook.Failure{Time: c.io.Now().UTC(), Event: name, What: c.errorText(err)})
	}
}

func (o *hookOptions) answer(ctx context.Context, name string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			o.out, err = nil, fmt.Errorf("stopped by a fault of its own: %v", r)
		}
	}()
	// A rule holds whether or not there is a place for what is ours.
	var nowhere error
	if o.state, nowhere = host.StateFolder(o.io.Env); nowhere == nil && !filepath.IsAbs(o.state) {
		nowhere, o.state = fmt.Errorf("the state folder %s is relative: HOME has to be absolute", o.state), ""
	}
	do := o.deeds()[name]
	if do == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(o.io.In, 1<<20)) // what writes it must not fail
		return errors.Join(fmt.Errorf("%.100q: %w", name, hook.ErrUnknown), err)
	}
	if o.event, err = hook.Read(o.io.In, name); err != nil {
		if errors.Is(err, hook.ErrTooLarge) && needsNoState(name) {
			if asked := o.tooLarge(name); asked != nil || o.out != nil {
				return asked
			}
		}
		return err
	}
	if err := o.begin(); err != nil {
		return err
	}
	if nowhere != nil && !needsNoState(name) {
		return nowhere
	}
	if o.elsewhere() {
		return nil
	}
	return do(ctx)
}

func needsNoState(event string) bool { return event == "PreToolUse" || event == "BeforeTool" }

// deeds are what is done at the events, by the names that Claude Code and Codex CLI
// have for them, and Gemini CLI.
func (o *hookOptions) deeds() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"SessionStart":     o.sessionStart,
		"UserPromptSubmit": o.prompt, "BeforeAgent": o.prompt,
		"PreToolUse": o.preTool, "BeforeTool": o.preTool,
		"PostToolUse": o.postTool, "AfterTool": o.postTool,
		"Stop": o.queue, "AfterAgent": o.queue, "PreCompact": o.queue, "PreCompress": o.queue,
		"SessionEnd": o.sessionEnd,
	}
}

// begin finds out for whom and where. The notes are those of the default host,
// whichever agent asks: all agents of a project share them.
func (o *hookOptions) begin() error {
	c := *o.common
	c.host = defaultHost
	o.common = &c
	var err error
	if o.host, err = o.theHost(); err != nil {
		return err
	}
	if o.project == "" {
		o.project = o.io.Env.Getenv(claude.EnvProjectDir)
	}
	if o.project == "" {
		o.project = standing(o.event.Cwd)
	}
	s, err := o.session()
	s.IndexOnly = true
	o.s = s
	return err
}

// standing is the folder, or the nearest one above it that is still there: a session
// may have removed the one that it is in.
func standing(dir string) string {
	for dir != "" {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// elsewhere reports whether the plugin runs this beside the same hook of settings:
// then one of them does it.
func (o *hookOptions) elsewhere() bool {
	wired, ok := o.host.(host.Wired)
	if !ok || !claude.FromPlugin(o.io.Env) {
		return false
	}
	notes, err := install.LoadNotes(o.state)
	return err == nil && install.Elsewhere(wired, o.s, notes) != ""
}

// opened are the notes of the project, and those for all projects, for reading;
// nil where memory is off or there are none.
func (o *hookOptions) opened() (p *places, rep *startup.Report, err error) {
	if rep, err = o.host.Startup(o.s); err != nil {
		return nil, nil, err
	}
	if !rep.Mem.On || rep.Mem.Dir == "" {
		return nil, rep, nil
	}
	st, err := o.openFolder(o.host, rep.Mem.Dir, nil)
	if err != nil {
		return nil, rep, err
	}
	g, err := o.guard()
	if err != nil {
		release(st)
		return nil, rep, err
	}
	p = &places{names: map[string]string{}, conf: find.Config{State: o.state}}
	p.add(st, g, "")
	own := &searchOptions{common: o.common}
	return p, rep, own.globalPlace(p, rep)
}

// sessionStart gives the notes on the person that the client does not load. After
// a compaction it is the same again, byte for byte.
func (o *hookOptions) sessionStart(ctx context.Context) error {
	hook.Prune(o.state, o.io.Now())
	m, err := hook.OpenMemory(o.state, o.event.Session)
	if err != nil {
		return err
	}
	p, rep, err := o.opened()
	if err != nil || p == nil {
		return err
	}
	defer p.close()
	o.work() // what an earlier session left in the queue
	switch {
	case m.Began && o.event.Source == "resume":
		return nil // the session has it
	case m.Began:
		// What came up before is no longer in what the model sees.
		o.out, m.Shown = m.Start, nil
		return m.Save()
	}
	a, err := find.Open(p.conf).Find(ctx, find.Question{Standing: true, Quick: true, Query: recall.Query{Now: o.io.Now()}})
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, at := range p.opened {
		for rel := range o.toldOf(at, o.s, rep).lines {
			told[filepath.Join(at.Dir(), filepath.FromSlash(rel))] = true
		}
	}
	var left []find.Hit
	for _, h := range a.Standing {
		if h.Loads && !told[h.Path] {
			left = append(left, h)
		}
	}
	if len(left) > 0 {
		o.out = hook.Context(o.event.Name, hook.Standing(trust.NewFence(), left, 0, o.io.Now()))
	}
	m.Start, m.Began = o.out, true
	return m.Save()
}

// prompt recalls notes for what the person asks.
func (o *hookOptions) prompt(ctx context.Context) error {
	if o.event.Prompt == "" {
		return nil
	}
	p, _, err := o.opened()
	if err != nil || p == nil {
		return err
	}
	defer p.close()
	const several = 2 * hook.RecallNotes // some were shown before
	a, err := find.Open(p.conf).Find(ctx, find.Question{
		Query:   recall.Query{Text: o.event.Prompt, Limit: several, Now: o.io.Now(), Kinds: []recall.Kind{recall.Note}},
		Certain: true, Quick: true, Excerpt: recallRunes, // to look for conflicts takes longer than all the rest
	})
	if err != nil || len(a.Hits) == 0 {
		return err
	}
	m, err := hook.OpenMemory(o.state, o.event.Session)
	if err != nil {
		return err
	}
	hits := slices.DeleteFunc(a.Hits, func(h find.Hit) bool { return !h.Loads || !h.Certain || m.Has(h.Path) })
	text, shown := hook.Recalled(trust.NewFence(), hits, o.io.Now())
	if text == "" {
		return nil
	}
	for i := range shown {
		m.Shown = append(m.Shown, shown[i].Path)
	}
	if err := m.Save(); err != nil {
		return err
	}
	o.out = hook.Context(o.event.Name, text)
	return nil
}

// recallRunes is how much of a note is shown around what was asked, in runes.
const recallRunes = 500

// preTool holds a call against the rules that a person marked as binding.
func (o *hookOptions) preTool(context.Context) error {
	o.s.Reads = o.event.Paths()
	rep, err := o.host.Startup(o.s)
	if err != nil {
		return err
	}
	rules, _ := guardfiles.Load(o.host, o.s, rep)
	if len(rules) == 0 {
		return nil
	}
	cwd := o.event.Cwd
	if !filepath.IsAbs(cwd) { // paths would be nowhere
		cwd = o.s.Cwd
	}
	v := rules.Decide(guard.Call{
		Tool: o.event.Tool, Command: o.event.Command(), Paths: o.event.Paths(),
		Cwd: cwd, Project: rep.Root, Home: o.io.Env.Home, Resolve: guardfiles.Resolve,
	})
	if v.Action != guard.NoOpinion {
		o.out = hook.Decision(o.event.Name, v.Action.String(), v.Reason)
	}
	return nil
}

// tooLarge has the person asked about a call that is too large to be read, where
// there are rules that could be about it: else its size would be a way around them.
func (o *hookOptions) tooLarge(name string) error {
	cwd, err := o.io.Getwd() // the agent runs hooks where its session is
	if err != nil {
		return err
	}
	o.event = &hook.Event{Name: name, Cwd: cwd}
	if err := o.begin(); err != nil {
		return err
	}
	rep, err := o.host.Startup(o.s)
	if err != nil {
		return err
	}
	if rules, _ := guardfiles.Load(o.host, o.s, rep); len(rules) > 0 {
		o.out = hook.Decision(name, guard.Ask.String(), fmt.Sprintf("A person decides about this: the call is too large to be held against the guard rules (%v). In smaller parts it can be.", hook.ErrTooLarge))
	}
	return nil
}

// queue puts the session into the queue; its end, or the next start, reads it.
func (o *hookOptions) queue(context.Context) error { return o.put() }

// put queues the session, where memory is on.
func (o *hookOptions) put() error {
	rep, err := o.host.Startup(o.s)
	if err != nil || !rep.Mem.On {
		return err
	}
	return hook.Put(o.state, hook.Job{Session: o.event.Session, Transcript: o.event.Transcript, Project: o.s.Cwd, At: o.io.Now().UTC()})
}

// sessionEnd queues the session and starts what reads the queue.
func (o *hookOptions) sessionEnd(context.Context) error {
	if err := o.put(); err != nil {
		return err
	}
	return o.start()
}

// work starts what reads the queue, where something waits in it.
func (o *hookOptions) work() {
	if jobs, err := hook.Queued(o.state); err == nil && slices.ContainsFunc(jobs, func(j hook.Job) bool { return j.Session != o.event.Session }) {
		_ = o.start() // the end of this session does it else
	}
}
