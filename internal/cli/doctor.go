package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/doctor"
	"dormouse/doctor/annotate"
	"dormouse/doctor/sarif"
	"dormouse/evidence"
	"dormouse/frontmatter"
	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

type doctorOptions struct {
	*common
	explain string
	list    bool
	fix     string // "", fixSafe, or rules and IDs
	dry     bool
	yes     bool
	all     bool
	format  string
	failOn  string
	config  string
}

// fixSafe is --fix without a value.
const fixSafe = "safe"

func newDoctor(c *common) *cobra.Command {
	o := &doctorOptions{common: c}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "What is wrong with this project's memory and instructions, and the fix",
		Long: `Goes through what a session here loads, what is in the memory folder, and what the
repository says, and lists what is wrong, the worst first: why the agent forgets, what
rots, what is not safe. Each finding has the place, the evidence and, where there is one,
a fix. It works without a memory folder too, on CLAUDE.md and rules alone, as in CI.

--fix applies the fixes that lose nothing, after showing what they change; --fix=ID
applies those of one rule or of one finding, also where a person has to decide.
Changes of notes go through the journal, and dormouse undo takes them back.

Exit status: 0 when nothing is as bad as --fail-on; 1 when something is; 2 for wrong use.`,
		Example: `  dormouse doctor
  dormouse doctor --explain index-cut
  dormouse doctor --fix --dry-run
  dormouse doctor --fix=import-punctuation
  dormouse doctor --format sarif --fail-on error > memory.sarif
  dormouse doctor --all`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.explain, "explain", "", "print the page of this rule")
	f.BoolVar(&o.list, "rules", false, "list all rules")
	f.StringVar(&o.fix, "fix", "", "apply the safe fixes, or with =ID those of a rule or a finding")
	f.Lookup("fix").NoOptDefVal = fixSafe
	f.BoolVar(&o.dry, "dry-run", false, "with --fix: show what would change, and change nothing")
	f.BoolVar(&o.yes, "yes", false, "with --fix: do not ask at a terminal")
	f.BoolVar(&o.all, "all", false, "every project on this machine that has a memory folder, one line each")
	f.StringVar(&o.format, "format", "text", "text, json, sarif or github")
	f.StringVar(&o.failOn, "fail-on", string(doctor.Warning), "exit 1 from this severity on: error, warning, info or never")
	f.StringVar(&o.config, "config", "", "read this configuration instead of your own")
	return cmd
}

const never = "never"

// doctorMemory is the soft memory limit of a check-up in bytes.
const doctorMemory = 128 << 20

// check looks at the flags.
func (o *doctorOptions) check() error {
	if o.json && o.format == "text" {
		o.format = "json"
	}
	switch {
	case !slices.Contains([]string{"text", "json", "sarif", "github"}, o.format):
		return usageError{fmt.Errorf("--format: %q is not known; there are text, json, sarif and github", o.format)}
	case !slices.Contains([]string{"error", "warning", "info", never}, o.failOn):
		return usageError{fmt.Errorf("--fail-on: %q is no severity; there are error, warning, info and never", o.failOn)}
	case o.json && o.format != "json":
		return usageError{errors.New("--json and --format name two forms of output")}
	case o.dry && o.fix == "":
		return usageError{errors.New("--dry-run goes with --fix")}
	case o.yes && o.fix == "":
		return usageError{errors.New("--yes goes with --fix")}
	case o.all && (o.fix != "" || o.store != "" || o.project != ""):
		return usageError{errors.New("--all goes through every project, and takes no --fix, --store or --project")}
	case o.all && o.format != "text" && o.format != "json":
		return usageError{fmt.Errorf("--all prints text or JSON, not %s", o.format)}
	case o.fix != "" && o.format != "text" && o.format != "json":
		return usageError{fmt.Errorf("--fix prints text or JSON, not %s", o.format)}
	}
	o.json = o.json || o.format == "json" // errors take the same form
	return nil
}

func runDoctor(ctx context.Context, o *doctorOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	// Unlike a look, a check-up reads all there is: it takes the whole machine, and
	// memory up to a limit past which the collector works harder.
	runtime.GOMAXPROCS(runtime.NumCPU())
	debug.SetMemoryLimit(doctorMemory)
	switch {
	case o.explain != "":
		return o.explainRule()
	case o.list:
		return o.listRules()
	case o.all:
		return runDoctorAll(ctx, o)
	case o.fix != "":
		return runDoctorFix(ctx, o)
	}
	v, err := o.visit(ctx, true)
	if err != nil {
		return err
	}
	defer v.close()
	if err := o.print(v); err != nil {
		return err
	}
	return o.verdict(v.rep)
}

// verdict is the exit by what was found.
func (o *doctorOptions) verdict(rep *doctor.Report) error {
	if o.failOn == never {
		return nil
	}
	for i := range rep.Findings {
		if rep.Findings[i].Severity.AtLeast(doctor.Severity(o.failOn)) {
			return errFound
		}
	}
	return nil
}

func (o *doctorOptions) print(v *visit) error {
	base := v.rep.Root
	if base == "" {
		base = v.rep.Project
	}
	switch o.format {
	case "json":
		return printJSON(o.out, v.rep)
	case "sarif":
		version, _ := builtVersion()
		return sarif.Write(o.out, v.rep, sarif.Options{Version: version, Base: base})
	case "github":
		return annotate.Write(o.out, v.rep, annotate.Options{Base: base})
	}
	o.printDoctor(o.people(), v.rep, pathPrinter(v.s), v.unused)
	return nil
}

func (o *doctorOptions) explainRule() error {
	page, ok := doctor.Explain(o.explain)
	if !ok {
		near := ""
		for _, r := range doctor.Rules() {
			if strings.Contains(r.ID, o.explain) || strings.Contains(o.explain, r.ID) {
				near += " " + r.ID
			}
		}
		if near != "" {
			near = "; did you mean" + near + "?"
		}
		return usageError{fmt.Errorf("--explain: there is no rule %q%s (dormouse doctor --rules lists them)", o.explain, near)}
	}
	if o.json {
		return printJSON(o.out, map[string]string{"rule": o.explain, "page": page})
	}
	fmt.Fprint(o.out, page)
	return nil
}

func (o *doctorOptions) listRules() error {
	if o.json {
		type rule struct {
			ID       string          `json:"id"`
			Group    doctor.Group    `json:"group"`
			Severity doctor.Severity `json:"severity"`
			Title    string          `json:"title"`
		}
		list := []rule{}
		for _, r := range doctor.Rules() {
			list = append(list, rule{r.ID, r.Group, r.Severity, r.Title})
		}
		return printJSON(o.out, list)
	}
	out, group := o.people(), doctor.Group("")
	for _, r := range doctor.Rules() {
		if r.Group != group {
			group = r.Group
			out.Line("%s", out.In(term.Bold, string(group)))
		}
		out.Line("  %s %s %s", out.In(term.Cyan, term.Pad(r.ID, 24)), term.Pad(string(r.Severity), 8), r.Title)
	}
	return nil
}

// visit is one check-up, with what a fix needs.
type visit struct {
	h      host.Host
	s      host.Session
	start  *startup.Report
	st     *store.Store // nil: no memory to look at
	rep    *doctor.Report
	unused []ignoreRule // of the configuration, that matched nothing here
}

func (v *visit) close() {
	if v.st != nil {
		release(v.st)
	}
}

// visit looks at one project. With cached, the answer of the last time is taken
// where nothing has changed since.
func (o *doctorOptions) visit(ctx context.Context, cached bool) (*visit, error) {
	ignore, err := o.ignores()
	if err != nil {
		return nil, err
	}
	s, err := o.session()
	if err != nil {
		return nil, err
	}
	s.Thorough = true
	v, in := &visit{s: s}, doctor.Input{Getenv: o.io.Env.Getenv, Now: o.io.Now()}
	if v.h, v.start, err = o.lookNested(ctx, &v.s, &in); err != nil {
		return nil, err
	}
	in.Startup = v.start
	if err := o.openNotes(v, &in); err != nil {
		v.close()
		return nil, err
	}
	if l, ok := v.h.(host.Lister); ok && v.start.Mem.On && s.Store == "" {
		in.SameName = l.SameName
		if in.Memories, err = l.Memories(v.s); err != nil {
			in.Skipped = append(in.Skipped, "other memory folders of this machine: "+err.Error())
		}
	}
	if v.rep, err = o.diagnose(ctx, in, cached); err != nil {
		v.close()
		return nil, err
	}
	o.commands(v.rep)
	v.passOver(ignore)
	return v, nil
}

// lookNested asks the host what loads, nested instruction files included.
func (o *doctorOptions) lookNested(ctx context.Context, s *host.Session, in *doctor.Input) (host.Host, *startup.Report, error) {
	h, rep, err := o.look(*s)
	if err != nil {
		return nil, nil, err
	}
	repo, err := evidence.Open(orElse(rep.Root, rep.Cwd), o.io.Env.Getenv)
	if err != nil {
		in.Skipped = append(in.Skipped, "what the notes say of the repository: "+err.Error())
		return h, rep, nil
	}
	in.Repo = repo
	files, err := repo.Files(ctx)
	if err != nil {
		return h, rep, nil //nolint:nilerr // the same
	}
	if s.Reads = doctor.Nested(orElse(rep.Root, rep.Cwd), rep.Cwd, files); len(s.Reads) == 0 {
		return h, rep, nil
	}
	rep, err = h.Startup(*s)
	return h, rep, err
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// openNotes opens the memory folder, if there is one to look at.
func (o *doctorOptions) openNotes(v *visit, in *doctor.Input) error {
	dir := v.s.Store
	if dir == "" && v.start.Mem.On {
		dir = v.start.Mem.Dir
	}
	if dir == "" {
		return nil
	}
	conf, err := o.storeConfig(v.h, dir)
	if err != nil {
		return o.withoutState(err, v, in)
	}
	in.Limits = conf.Limits
	var line func(note.Line) note.Line
	if o.findGlobal(v.h, v.s, dir); o.global != nil {
		line = defusedLine(o.global)
	}
	st, err := o.openFolder(v.h, dir, seenLine(line))
	if errors.Is(err, store.ErrUnsafe) {
		in.Unsafe = err
		in.Dir = dir
		return nil
	}
	if err != nil {
		return err
	}
	if !st.Exists() {
		release(st)
		if o.store != "" {
			return fmt.Errorf("--store %s: no folder is there", o.store)
		}
		return nil
	}
	v.st, in.Store = st, st
	return nil
}

// withoutState goes on without the notes where there is no home to keep a journal
// in, as in CI: instructions can be looked at all the same.
func (o *doctorOptions) withoutState(err error, v *visit, in *doctor.Input) error {
	if v.s.Store != "" || o.io.Env.Home != "" {
		return err
	}
	in.Skipped = append(in.Skipped, "the notes: "+err.Error())
	return nil
}

// manyForDoctor is how many notes make a check-up slow enough that its answer is
// kept for the next time. One of fewer leaves nothing behind.
const manyForDoctor = 300

// diagnose runs the check-up, or takes the answer of the last one where nothing
// that it looked at has changed.
func (o *doctorOptions) diagnose(ctx context.Context, in doctor.Input, cached bool) (*doctor.Report, error) {
	in.Build, _ = builtVersion()
	file, key := "", ""
	if state, err := host.StateFolder(o.io.Env); err == nil && in.Store != nil {
		file = filepath.Join(state, "doctor", "reports", store.HashOf([]byte(in.Startup.Cwd + "\x00" + in.Store.Dir()))[:24]+".json")
	}
	if cached && file != "" && in.Startup.Mem.Notes >= manyForDoctor {
		key = doctor.Key(ctx, in) // before the look: what changes meanwhile is seen the next time
		if rep, ok := doctor.Load(file, key); ok {
			return rep, nil
		}
	}
	if err := o.vouch(&in); err != nil {
		return nil, err
	}
	rep, err := doctor.Check(ctx, in)
	if err != nil || key == "" {
		return rep, err
	}
	if b, err := doctor.Save(key, rep); err == nil {
		before, _, _ := safefile.Read(file, 2*int64(len(b))+1<<26)
		_ = atomicfile.Replace(file, before, b) // without it the next one takes as long
	}
	return rep, nil
}

// vouch brings in what is known of where the notes came from.
func (o *doctorOptions) vouch(in *doctor.Input) error {
	guard, err := o.guard()
	if err != nil || in.Store == nil {
		return err
	}
	var history []store.Entry
	if in.Store.HasJournal() {
		history, err = in.Store.History("")
		o.warn(err)
		in.Ledger = trust.Read(history)
	}
	ledger := trust.Read(history)
	in.Loads = func(text []byte) (bool, string) {
		v := guard.Judge(ledger, text)
		return v.Loads, v.Words()
	}
	return nil
}

// commands makes the commands of the fixes whole, for this project.
func (o *doctorOptions) commands(rep *doctor.Report) {
	for i := range rep.Findings {
		if fix := rep.Findings[i].Fix; fix != nil && fix.Command != "" {
			fix.Command = o.command(fix.Command)
		}
	}
}

// relativeTo names a path below a folder, or as it is.
func relativeTo(base, path string) string {
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// ignores are what the person passes over, by --config or by their own
// configuration.
func (o *doctorOptions) ignores() (*config, error) {
	if o.config == "" {
		return o.common.config()
	}
	cwd, err := o.io.Getwd()
	if err != nil {
		return nil, err
	}
	conf := &config{path: absolute(cwd, o.fromHome(o.config)), home: o.io.Env.Home}
	b, _, err := safefile.Read(conf.path, maxConfig)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	if err := conf.read(string(b)); err != nil {
		var bad *frontmatter.Error
		if errors.As(err, &bad) { // a file of its own has no front matter
			return nil, fmt.Errorf("the configuration %s, line %d: %s", conf.path, bad.Line, bad.Reason)
		}
		return nil, err
	}
	return conf, nil
}

// passOver takes out what the person ignores.
func (v *visit) passOver(conf *config) {
	project := orElse(v.rep.Root, v.rep.Project)
	used := passOver(v.rep, conf.ignore, project, v.rep.Store)
	v.unused = unusedIgnores(conf.ignore, used, project, v.rep.Store)
}
