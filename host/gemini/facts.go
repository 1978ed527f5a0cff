package gemini

import "path/filepath"

// Every fact about the client that a later version may change stands in this
// file. "measured" means: seen on Client, run against a scripted model on
// 2026-11-30; "source" means: read in the published source of Client
// (packages/core/src/utils/memoryDiscovery.ts, memoryImportProcessor.ts, trust.ts,
// context/memoryContextManager.ts, config/projectRegistry.ts, config/storage.ts,
// packages/cli/src/config). Where a document says otherwise, the client wins and
// the document is named.
const (
	// Client is the version everything here was measured on.
	Client = "Gemini CLI 0.61.0"

	dotFolder    = ".gemini"       // below the home folder, and in a project
	contextName  = "GEMINI.md"     // read besides whatever names are set; measured (docs/cli/gemini-md.md reads as if instead of)
	settingsName = "settings.json" // docs/reference/configuration.md; measured
	trustName    = "trustedFolders.json"
	maxSettings  = 4 << 20 // bytes; ours, not the client's

	// Settings, docs/reference/configuration.md; measured. discoveryMaxDirs and
	// the search below the start folder that the document still describes are
	// gone: such files load when something next to them is read.
	keyContext  = "context"
	keyNames    = "fileName"
	keyMarkers  = "memoryBoundaryMarkers"
	keyFormat   = "importFormat" // "flat"; anything else is "tree"
	keyDirs     = "includeDirectories"
	rootMarker  = ".git"
	keySecurity = "security"
	keyTrust    = "folderTrust"
	keyEnabled  = "enabled" // default true; measured (docs/cli/trusted-folders.md says false)

	// Imports, docs/reference/memport.md; measured. Code is found by runs of
	// backticks, not by a Markdown parser as the document says.
	importDepth = 5        // levels below the first file in the tree format; none in the flat one
	maxImports  = 1000     // of one look; ours: five levels can name each other without end
	maxImported = 64 << 20 // bytes of one look; ours

	// Private memory of a project, docs/tools/memory.md; measured. It has no
	// switch. The save_memory tool and its section in GEMINI.md are gone.
	tmpName      = "tmp" // ~/.gemini/tmp/NAME/memory
	historyName  = "history"
	memoryName   = "memory"
	indexName    = "MEMORY.md"
	chatsName    = "chats"         // ~/.gemini/tmp/NAME/chats; before the registry NAME was the SHA-256 of the folder, in hex. Source (getProjectHash)
	logPrefix    = "session-"      // session-*.jsonl, before that session-*.json. Source (chatRecordingService.ts)
	registryName = "projects.json" // {"projects": {"/folder": "name"}}
	keyProjects  = "projects"
	ownerName    = ".project_root" // in ~/.gemini/tmp/NAME: the folder it belongs to

	// Auto Memory drafts notes for review and loads none: docs/cli/auto-memory.md.
	keyExperimental = "experimental"
	keyAutoMemory   = "autoMemory"

	// Extensions, docs/extensions; measured.
	extensionsName = "extensions"
	manifestName   = "gemini-extension.json"
	keyContextName = "contextFileName"
	enablementName = "extension-enablement.json"
	keyOverrides   = "overrides"
	installName    = ".gemini-extension-install.json"
)

// Environment variables. Those of trust are read from the process alone, not
// from a .env file. Measured.
const (
	envHome       = "GEMINI_CLI_HOME" // instead of the home folder
	envSystem     = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
	envDefaults   = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
	envTrust      = "GEMINI_CLI_TRUST_WORKSPACE" // "true" or "false"
	envRestricted = "GEMINI_RESTRICTED_MODE"     // "true": nothing is trusted
	envTrustFile  = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
)

// systemFolder holds the machine's settings.json, which beats all others, and
// system-defaults.json, which all others beat. Source. (The client passes over
// them where others than root may write; that is not looked at here.)
func systemFolder(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/GeminiCli"
	case "windows":
		return `C:\ProgramData\gemini-cli`
	}
	return "/etc/gemini-cli"
}

func defaultsBeside(system string) string {
	return filepath.Join(filepath.Dir(system), "system-defaults.json")
}
