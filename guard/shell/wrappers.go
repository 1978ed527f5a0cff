package shell

import "strings"

// wrapper is a program that runs another: the words behind its own.
type wrapper struct {
	sub    string // words that its own begin with ("npm exec"); "" for none
	valued string // letters of the short options whose value is the next word
	long   string // long options of that kind, each between spaces
	skip   int    // operands of its own before the command
	text   bool   // the words are joined to a text for a shell
	far    bool   // run elsewhere: in no folder of ours
}

// wrapperOf knows the programs that run another, by name. Options are those of
// GNU coreutils 9, sudo 1.9, util-linux 2.39, npm 10 and docker 27.
func wrapperOf(name string) []wrapper {
	switch name {
	case "sudo":
		return []wrapper{{valued: "ughpCrtTURD", long: " --user --group --host --prompt --close-from --role --type --other-user --chroot --chdir "}}
	case "doas":
		return []wrapper{{valued: "uC"}}
	case "env":
		return []wrapper{{valued: "uC", long: " --unset --chdir "}}
	case "nice":
		return []wrapper{{valued: "n", long: " --adjustment "}}
	case "ionice":
		return []wrapper{{valued: "cnpPu"}}
	case "timeout", "gtimeout":
		return []wrapper{{valued: "sk", long: " --signal --kill-after ", skip: 1}}
	case "stdbuf":
		return []wrapper{{valued: "ioe"}}
	case "time":
		return []wrapper{{valued: "fo", long: " --format --output "}}
	case "exec":
		return []wrapper{{valued: "a"}}
	case "command", "builtin", "nohup", "setsid", "busybox", "noglob", "nocorrect", "catchsegv", "firejail", "dbus-run-session":
		return []wrapper{{}}
	case "flock":
		return []wrapper{{valued: "wE", skip: 1}}
	case "chroot", "taskset", "chrt":
		return []wrapper{{skip: 1}}
	case "strace", "ltrace":
		return []wrapper{{valued: "abeIopsuEOPSUX"}}
	case "unshare", "nsenter":
		return []wrapper{{valued: "trwSG"}}
	case "caffeinate":
		return []wrapper{{valued: "tw"}}
	case "script":
		return nil // script -c is a text, see codeOption
	case "watch":
		return []wrapper{{valued: "n", text: true}}
	case "parallel":
		return []wrapper{{valued: "jaINLn", text: true}}
	case "ssh":
		return []wrapper{{valued: "BbcDEeFIiJLlmOopQRSWw", skip: 1, text: true, far: true}}
	}
	return runnerOf(name)
}

// runnerOf knows the programs that run another in an environment of a project.
func runnerOf(name string) []wrapper {
	switch name {
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		return []wrapper{{valued: "p", long: " --package --from --with "}, {sub: "run"}}
	case "npm":
		return []wrapper{{sub: "exec"}, {sub: "x"}}
	case "pnpm", "yarn", "bun":
		return []wrapper{{sub: "exec"}, {sub: "dlx"}, {sub: "x"}, {sub: "run"}}
	case "uv", "poetry", "pipenv", "rye", "hatch", "pdm":
		return []wrapper{{sub: "run", long: " --with --python --extra "}}
	case "bundle", "mise", "asdf", "rbenv", "nix":
		return []wrapper{{sub: "exec"}}
	case "direnv":
		return []wrapper{{sub: "exec", skip: 1}}
	case "entr", "corepack":
		return []wrapper{{}}
	case "screen":
		return []wrapper{{valued: "cehpsStT"}}
	case "tmux":
		const valued = "cFnstxyel"
		return []wrapper{
			{sub: "new", valued: valued, text: true},
			{sub: "new-session", valued: valued, text: true},
			{sub: "neww", valued: valued, text: true},
			{sub: "new-window", valued: valued, text: true},
			{sub: "splitw", valued: valued, text: true},
			{sub: "split-window", valued: valued, text: true},
			{sub: "run", valued: valued, text: true},
			{sub: "run-shell", valued: valued, text: true},
		}
	case "docker", "podman":
		const valued, long = "euw", " --env --user --workdir --env-file --index "
		return []wrapper{
			{sub: "exec", valued: valued, long: long, skip: 1, far: true},
			{sub: "compose exec", valued: valued, long: long, skip: 1, far: true},
			{sub: "run", valued: valued + "vph", long: long + "--volume --name --network --publish --entrypoint --mount ", skip: 1, far: true},
			{sub: "compose run", valued: valued + "vp", long: long, skip: 1, far: true},
		}
	case "kubectl":
		return []wrapper{{sub: "exec", valued: "nc", long: " --namespace --container ", skip: 1, far: true}}
	case "git":
		return []wrapper{{sub: "bisect run"}, {sub: "submodule foreach", text: true}}
	}
	return nil
}

// codeOption is the option whose value a program runs as a shell text.
func codeOption(name string) []string {
	switch name {
	case "su", "script", "runuser":
		return []string{"-c", "--command"}
	case "env":
		return []string{"-S", "--split-string"}
	case "git": // git rebase
		return []string{"-x", "--exec"}
	case "flock":
		return []string{"-c"}
	case "nix-shell":
		return []string{"--run", "--command"}
	case "npm", "npx":
		return []string{"-c", "--call"}
	}
	return nil
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "rbash":
		return true
	}
	return false
}

// interpreterOption is the option whose value a program runs in another language.
func interpreterOption(name string) []string {
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "python", "pypy":
		return []string{"-c"}
	case "perl", "ruby", "node", "bun", "deno", "lua", "osascript", "raku":
		return []string{"-e", "-E", "--eval", "-p"}
	case "php":
		return []string{"-r"}
	case "awk", "gawk", "mawk":
		return []string{"-e"}
	case "pwsh", "powershell":
		return []string{"-c", "-command", "-Command"}
	}
	return nil
}
