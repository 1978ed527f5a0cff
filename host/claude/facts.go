package claude

import "dormouse/store"

// Every fact about the client that a later version may change stands in this
// file or, where it is a table, in the file named beside it. All were measured
// on Client by running it against a scripted model, unless the comment says
// "documented".
const (
	// Client is the version everything here was measured on.
	Client = "Claude Code 2.1.332"

	configName   = ".claude"      // below the home folder, unless CLAUDE_CONFIG_DIR says otherwise
	stateName    = ".claude.json" // beside it, or inside CLAUDE_CONFIG_DIR
	projectsName = "projects"
	memoryName   = "memory"

	instructionsName = "CLAUDE.md"
	localName        = "CLAUDE.local.md"
	fallbackName     = "AGENTS.md"
	dotFolder        = ".claude"
	rulesName        = "rules"
	agentsName       = "agents"
	ruleSuffix       = ".md" // exact case

	settingsName      = "settings.json"
	localSettingsName = "settings.local.json"

	// Limits. Bytes on disk for files, UTF-16 units for the index.
	maxFile     = 4 << 20 // a larger instruction file, import or index is skipped
	maxSettings = 4 << 20 // ours, not the client's: no settings file is as large
	maxState    = 64 << 20
	maxPath     = 4096 // ours: no system opens a longer path, in bytes
	importDepth = 4    // levels of imports below the first file

	indexName      = store.IndexName
	indexLines     = 200
	indexUnits     = 25_000
	generatedMax   = 140    // notes in an index that the client makes itself
	generatedUnits = 17_500 // and its size in UTF-16 units, the last line break included
	generatedLine  = 150    // its lines, in UTF-16 units, the "…" included

	folderNameMax = 200 // UTF-16 units of a folder name before it is hashed

	ageWarnDays = 2 // whole days from which a read note's age is stated

	// globalName is ours: the client has no memory across projects, but it loads
	// what the user's own instructions import in every one. Measured: an index
	// imported so loads in each project, whole, whatever its size; it does not
	// count as memory. A note below it is read only after the user was asked, or
	// with the rule globalRead in the user's settings.
	globalName = "global-memory"
	globalRead = "Read(%s/**)"
)

// What the client sets for every command that it starts, measured: those of its
// Bash tool, a subagent's too (the session is that of the main agent), and those
// of hooks. AI_AGENT tells the two apart: claude-code_2-1-332_agent and
// claude-code_2-1-332_harness.
const (
	envInside  = "CLAUDECODE" // "1"
	envSession = "CLAUDE_CODE_SESSION_ID"
)

// EnvProjectDir names for hooks the folder that the session was started in; an
// event's own folder moves with the session. Documented.
const EnvProjectDir = "CLAUDE_PROJECT_DIR"

// Environment variables. See switches.go for their values.
const (
	envConfigDir     = "CLAUDE_CONFIG_DIR"
	envProjectName   = "CLAUDE_CODE_PROJECT_DIR_NAME" // only beside CLAUDE_CONFIG_DIR
	envNoMemory      = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
	envNoInstr       = "CLAUDE_CODE_DISABLE_CLAUDE_MDS"
	envSimple        = "CLAUDE_CODE_SIMPLE"
	envSafeMode      = "CLAUDE_CODE_SAFE_MODE"
	envAddDirs       = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"
	envRemote        = "CLAUDE_CODE_REMOTE"
	envRemoteMemory  = "CLAUDE_CODE_REMOTE_MEMORY_DIR"
	envMemoryPath    = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
	keyMemoryOn      = "autoMemoryEnabled"
	keyMemoryDir     = "autoMemoryDirectory"
	keyExcludes      = "claudeMdExcludes"
	keyManagedText   = "claudeMd" // text in managed settings, loaded like a managed file
	keyEnv           = "env"
	keyApproved      = "hasClaudeMdExternalIncludesApproved"
	managedTextLabel = "<managed-settings>" // what the client calls it in place of a path
)

// managedFolder is where an organisation's policy files are (documented for
// macOS and Windows, measured on Linux).
func managedFolder(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// importKinds are the endings (lower case, any case matches) of files that an
// import loads. A name without an ending, such as Makefile or .env, loads too.
const importKinds = " md txt text json yaml yml toml xml csv html htm css scss sass less " +
	"js ts tsx jsx mjs cjs mts cts py pyi pyw rb erb rake go rs java kt kts scala c cpp cc cxx h hpp hxx cs swift " +
	"sh bash zsh fish ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte astro ejs hbs pug jade " +
	"php pl pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile gradle sbt " +
	"rst adoc asciidoc org tex latex lock log diff patch "
