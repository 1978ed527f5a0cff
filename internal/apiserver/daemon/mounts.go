package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/mount"
	"dormouse/store"
	"dormouse/trust"
)

// mounting are the flags of folders that are served as memory stores.
type mounting struct {
	projects, folders []string
	workspace         string
}

func (m *mounting) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&m.projects, "mount", nil, "[NAME=]PATH: serve the memory folder of the project at PATH as a memory store")
	f.StringArrayVar(&m.folders, "mount-folder", nil, "[NAME=]PATH: serve this folder of notes as a memory store")
	f.StringVar(&m.workspace, "mount-workspace", "default", "the workspace that folders are served to")
}

// over serves the folders that are asked for beside what the database has, and says
// which they are.
func (m *mounting) over(ctx context.Context, outside IO, d *db.DB) (apiserver.Backend, []string, error) {
	if len(m.projects)+len(m.folders) == 0 {
		return d, nil, nil
	}
	env := hostEnv(outside)
	state, err := host.StateFolder(env)
	if err != nil {
		return nil, nil, usageError{err}
	}
	var folders []mount.Folder
	n := notes{env, state, outside.Guard}
	for _, p := range m.projects {
		f, err := n.project(p)
		if err != nil {
			return nil, nil, usageError{fmt.Errorf("--mount %s: %w", p, err)}
		}
		folders = append(folders, f)
	}
	for _, p := range m.folders {
		f, err := n.folder(p)
		if err != nil {
			return nil, nil, usageError{fmt.Errorf("--mount-folder %s: %w", p, err)}
		}
		folders = append(folders, f)
	}
	workspace, err := d.Workspace(ctx, m.workspace)
	if err != nil {
		return nil, nil, err
	}
	b, err := mount.Over(d, workspace, folders...)
	if err != nil {
		return nil, nil, err
	}
	said, err := b.Left()
	for dir, id := range b.Stores() {
		said = append(said, fmt.Sprintf("%s is the memory store %s", dir, id))
	}
	slices.Sort(said)
	return b, said, err
}

// notes are the folders of notes of this machine.
type notes struct {
	env   host.Env
	state string
	guard func() (*trust.Guard, error) // nil: with the settings that there are by default
}

// open opens a folder with the person's guard at its door.
func (n *notes) open(dir string) (*store.Store, error) {
	guard := trust.NewGuard(trust.Policy{})
	if n.guard != nil {
		var err error
		if guard, err = n.guard(); err != nil {
			return nil, err
		}
	}
	return store.Open(store.Config{Dir: dir, State: n.state, Gate: mount.Exact(guard.Gate()), Limits: claude.Host{}.IndexLimits()})
}

// folder is a folder of notes that was named itself.
func (n *notes) folder(text string) (mount.Folder, error) {
	name, dir, err := named(text)
	if err != nil {
		return mount.Folder{}, err
	}
	if n.everywhere(dir) {
		return mount.Folder{}, errors.New("these notes load in every project, and are for a person at a terminal alone")
	}
	return mount.Folder{Name: name, Open: func() (*store.Store, error) { return n.open(dir) }}, nil
}

// everywhere reports whether a folder holds the person's notes for all projects.
func (n *notes) everywhere(dir string) bool {
	a, err1 := os.Stat(n.global())
	b, err2 := os.Stat(dir)
	return errors.Join(err1, err2) == nil && os.SameFile(a, b)
}

// global is where the person's notes for all projects go; "" where that can't be told.
func (n *notes) global() string {
	all, _ := claude.Host{}.Global(host.Session{Cwd: filepath.VolumeName(n.state) + string(filepath.Separator), Env: n.env, Now: time.Now()})
	if all == nil {
		return ""
	}
	return all.Dir
}

func hostEnv(outside IO) host.Env {
	return host.Env{Home: outside.Home, Getenv: outside.Getenv, OS: runtime.GOOS, Lookup: func(name string) (string, bool) {
		v := outside.Getenv(name)
		return v, v != ""
	}}
}

// named takes a name off a path; without one the name is the folder's.
func named(text string) (name, dir string, err error) {
	name, dir, ok := strings.Cut(text, "=")
	if !ok {
		name, dir = "", text
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		return "", "", errors.New("it is not a folder")
	}
	if name == "" {
		name = filepath.Base(dir)
	}
	return name, dir, nil
}

// project is the memory folder of a project, as a session in it would have it now; a
// memory that is switched off is not served.
func (n *notes) project(text string) (mount.Folder, error) {
	name, root, err := named(text)
	if err != nil {
		return mount.Folder{}, err
	}
	look := func() (dir string, err error) {
		rep, err := claude.Host{}.Startup(host.Session{Cwd: root, Env: n.env, IndexOnly: true, Now: time.Now()})
		switch {
		case err != nil:
			return "", err
		case !rep.Mem.On:
			return "", errors.New("its memory is switched off: dormouse on switches it on")
		case rep.Mem.Dir == "":
			return "", errors.New("where its notes are can't be told: name the folder with --mount-folder")
		}
		return rep.Mem.Dir, nil
	}
	dir, err := look()
	if err != nil {
		return mount.Folder{}, err
	}
	return mount.Folder{
		Name: name,
		Open: func() (*store.Store, error) { return n.open(dir) },
		On: func() error {
			switch now, err := look(); {
			case err != nil:
				return err
			case now != dir:
				return fmt.Errorf("its notes are in %s now: start the server again", now)
			}
			return nil
		},
	}, nil
}
