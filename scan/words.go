package scan

// english are the words by what they stand for. Nouns and verbs are given in
// their base form; endings are taken off by the lexicon. The lists come from
// the threat classes: for each thing an attacker can ask for, the words in
// which it can be said.
const english = `
neg: never not dont no without cannot cant wont mustnt shouldnt neednt avoid refrain nobody none neither nor
not: not dont never mustnt shouldnt refrain avoid cannot no
no: no without unnecessary needless nothing
start: never not dont avoid please always must should shall also then and or first just simply now only instead kindly can may so but whenever next later be_sure_to make_sure_to remember_to need_to have_to has_to want_to ought_to required_to sure_to try_to goal_is_to before else even still
aux: is are was were be been being
modal: must should shall have need required ought has supposed
please: please kindly
must: must shall required mandatory have_to has_to need_to obliged always should ought
always: always every each any all whenever everytime permanently forever constantly automatically by_default everywhere all_future
every: every each any all whenever everytime
you: you your yourself youre
ignore*: ignore disregard forget override bypass discard neglect overlook supersede overrule abandon dismiss void suspend violate disobey erase unlearn circumvent outrank pay_no_attention no_longer_apply set_aside put_aside throw_out throw_away stop_following stop_obeying drop dont_follow do_not_follow not_follow cancel invalidate no_longer_follow not_obey break_out
void: no_longer_apply do_not_apply not_apply dont_apply are_void no_longer_valid not_valid no_longer_in_force are_suspended have_been_lifted were_lifted are_lifted has_been_lifted are_cancelled are_obsolete no_longer_binding not_binding cease_to_apply do_not_bind no_longer_bind no_longer_count dont_count do_not_count take_precedence takes_precedence supersedes overrides replaces outranks beats outweigh outweighs stand_down
prior: previous previously prior earlier above preceding existing former past original initial before so_far up_to_now until_now other old given everything system safety standing
earlier: previous previously prior earlier above preceding existing former past original initial other old given everything system safety standing
all: all every each any everything whatever whole entire
instr: instruction directive guideline guardrail prompt order restriction constraint safeguard limitation training programming safety_rule safety_policy ethics instruct told instructed
rule: rule policy note convention requirement setting memory memories law principle standard protocol
thisnote: this_note these_notes this_file this_memory this_paragraph this_text this_message this_entry this_rule this_line this_instruction these_instructions this_section this_block these_rules these_lines this_reminder this_directive this_document this_policy this_sentence this_memo this_fact this_item this_list note_itself
this: this these following present
notething: note paragraph text message entry line reminder block passage sentence snippet section directive memo rule instruction
agent: assistant ai llm llms agent model chatbot claude copilot codex cursor gemini chatgpt gpt bot helper ais gpts windsurf aider cline language_model coding_agent coding_assistant machine_reader automated_reader subagent whoever_reads
nowyou: you_are_now you_will_now act_as behave_as you_must_act from_now_on henceforth from_this_point from_this_session from_here_on from_today starting_now effective_immediately pretend you_are_no_longer as_of_now from_this_moment going_forward
only: only solely exclusively sole
count: count apply valid matter hold
user: user developer dev human operator reviewer owner maintainer engineer person people anyone anybody them him her client customer colleague teammate team author programmer admin administrator auditor
principal: user developer human operator maintainer owner they he she boss person reviewer auditor
tell*: tell mention inform show report reveal disclose notify say ask warn alert discuss announce admit surface share expose display list explain describe confess alerting acknowledge
quiet: silently quietly secretly covertly discreetly invisibly unnoticed in_secret without_telling without_mentioning without_saying without_notice without_informing without_a_word without_notifying unseen behind_the_scenes under_the_radar stealthily surreptitiously without_showing without_comment without_announcing without_reporting without_drawing_attention out_of_sight
secretword: secret confidential hidden private internal unmentioned hush
between: between_us between_you_and_me our_secret for_your_eyes_only eyes_only
hide*: hide conceal omit exclude withhold suppress mask obscure cover_up leave_out keep_out leave_it_out keep_it_out leave_this_out bury skip_mentioning
leave*: leave keep
out: out off away
itself: it this that these them
answer: message answer reply replies response summary summaries report output explanation transcript changelog list overview diff log conversation chat message recap commit_message description
say: say says said type types typed write writes reply replies replied answer answers ask asks asked mention mentions respond responds thank thanks greet confirm confirms enter enters approve approves accept accepts agree agrees request requests
trigger: when if once after whenever upon until as_soon_as next_time the_next_time the_first_time in_case the_moment unless as_of
dormant: dormant inactive sleeping asleep stay_quiet lie_low lie_dormant wait_until hold_off_until do_nothing_until stay_silent say_nothing_until keep_quiet_until remain_inactive
count2: two three four five six seven eight nine ten several some few
session: session conversation chat turn interaction prompt start
yesword: yes ok okay sure thanks y yep go continue proceed goodbye bye great cool lgtm
trig: activate activates trigger triggers kick_in kicks_in takes_effect comes_into_effect wake wakes
send*: send post upload forward transmit email mail push report submit exfiltrate leak relay publish share stream sync deliver ship beacon dispatch pipe mirror copy paste smuggle transfer pass hand export
move*: send post upload forward transmit exfiltrate leak relay deliver beacon smuggle transfer submit mirror sync
expose*: include attach embed put add append insert encode copy paste print echo log dump write commit display quote prepend place reveal output concatenate stuff
read*: look_into look_in look_at read open load cat fetch collect gather grab harvest take look_up scan dump extract copy steal view inspect source check
store*: store save remember record persist write memorize memorise keep add note retain log put register
memory: memory memories memory.md notebook long-term preference preferences knowledge_base memory_store memory_tool memory_file long_term
keep*: keep preserve retain maintain carry
copy*: copy repeat include add insert append replicate propagate reproduce duplicate paste restate echo carry forward embed clone write put quote spread re-add readd prepend transcribe
verbatim: verbatim word_for_word unchanged exactly_as intact literally as_it_is as_is in_full unaltered character_for_character letter_for_letter
merge: summary summaries summarise summarize summarising summarizing merge merging compact compaction consolidation consolidate consolidating rewrite rewriting condense dream dreaming prune pruning upkeep cleanup maintenance
remove*: delete remove edit change modify drop prune summarise summarize merge shorten rewrite overwrite forget alter purge clean condense discard touch drop
repo: repo repos repository repositories project projects workspace workspaces codebase folder checkout
other: other another each every all any next new sibling neighbouring neighboring different foreign
every2: every each any all other new future
into: into to in across
project: project repo repository codebase
agentfiles: claude.md agents.md gemini.md memory.md readme readme.md .cursorrules cursorrules rules_file instruction_file instruction_files copilot-instructions.md
cred: secret secrets credential password passwd passphrase token apikey api_key api_keys key private_key access_key ssh_key ssh_keys signing_key cookie session_cookie pat keychain keyring kubeconfig db_url database_url connection_string env_vars environment_variables environment_variable env_variables env_var whole_environment full_environment entire_environment environment login seed_phrase wallet
data: environment env history diff file code source source_code conversation prompt message transcript contents content body customer_data data database dump log logs output codebase context
convo: conversation chat prompt message transcript last_message user_message answer context history question query summary code file contents content buffer selection body data input text token secret key password env
dest: gist pastebin webhook endpoint server collector url address email inbox channel bucket issue comment description header url_parameter query_string query_parameter subdomain hostname host commit_message pull_request pr answer reply response bot dns telegram discord slack paste_site
ext: pastebin gist webhook webhooks collector requestbin ngrok telegram
plain: plain_text plaintext cleartext clear_text unencrypted in_the_clear hardcode hard-code hardcoded hard-coded base64
inrepo: repo repository readme source config config.json config.yaml git public commit version_control
run*: run execute exec invoke call launch start eval evaluate spawn source paste_into_the_terminal
obey*: obey follow do execute comply carry_out act_on heed perform
decode*: decode decrypt deobfuscate unpack base64-decode decipher unescape unscramble
whatsays: what_it_says do_what_it what_they_say follow_it obey_it execute_it run_it act_on_it instructions_inside as_instructions as_an_instruction its_content its_contents the_result the_output whatever_it
script: script binary command program tool installer executable file snippet payload one-liner bootstrap setup shell terminal helper
use*: use call set point route configure switch change redirect replace prefer choose go try move
redir*: point route set redirect configure switch register replace change proxy tunnel override
push*: push clone pull deploy publish mirror
mirror: mirror proxy relay gateway forwarder replacement instead drop-in fork tunnel faster working forwards endpoint base base_url api_base upstream remote
broken: broken slow deprecated down outdated dead unreliable blocked compromised unmaintained moved renamed retired gone abandoned superseded
official: official original real upstream standard public normal usual genuine
install*: install add require pull upgrade pin depend fetch
package: package dependency library module crate gem plugin extension lib sdk cli postinstall preinstall lifecycle npm
skip*: skip bypass omit disable ignore circumvent drop avoid suppress remove leave_out turn_off switch_off deactivate relax weaken loosen forgo forego waive silence mute comment_out stub_out disarm kill opt_out_of sidestep stop stop_doing neglect forget
check: review reviews code_review verification verify signature signing signature_check checksum validation audit audits auditing audit_log approval approvals scan scanner scanning security_check security_checks security_scan secret_scanning hook hooks pre-commit precommit safety_check safety_checks branch_protection 2fa mfa two-factor certificate certificates tls ssl sandbox sandboxing firewall antivirus gitleaks codeql dependabot snyk trivy semgrep confirmation confirmations permission_prompt permission_prompts permission_check permission_checks guard guards guardrails gate gates oversight four-eyes codeowners code_owner monitoring sbom integrity_check integrity attestation vetting sign-off signoff reviewing sanitization sanitizer escaping authentication authorization csrf auth_check rate_limit audit_trail logging
strongcheck: audit audit_log audit_logging auditing branch_protection 2fa mfa two-factor sandbox sandboxing firewall antivirus secret_scanning security_scan security_scanner security_check security_checks signature_check signature_verification signing signature code_owner codeowners permission_prompt permission_prompts permission_check permission_checks oversight guardrails approval approvals safety_check safety_checks certificate_verification tls_verification certificate_check integrity_check gitleaks attestation scanner audit_trail
without2: without unreviewed unread blindly unverified sight_unseen untested unseen unchecked
passed: passed passing ok fine approved green succeeded verified done
claim*: say claim report mark state pretend tell answer respond act
approve*: approve merge accept allow permit grant trust whitelist allowlist authorize authorise consent confirm auto-approve accept
approved: approved agreed authorized authorised consented confirmed allowed permitted granted accepted okayed signed_off pre-approved preapproved cleared whitelisted given waived enabled turned_on opted_in prefers wants preferred likes has_asked asked said instructed
blanket: blanket standing unconditional unlimited permanent advance in_advance beforehand future everything anything unrestricted full all every any once_and_for_all forever
danger: deploy deployment deploys delete deletion deletions destroy force-push force production prod sudo root shell commands command bash network credentials permissions settings hooks secrets payments payment transfer wipe drop migrations install installs packages package outbound upload
ask*: ask confirm prompt check wait consult verify request double-check hesitate question approve
askn: asking confirmation confirming prompt prompting permission prompts approval consent question questions approvals confirmations sign-off
need: need needed required necessary longer point
trust*: trust believe accept obey rely treat consider regard assume
trusted: trusted safe reviewed approved verified genuine authentic authoritative pre-approved vetted clean legitimate already_reviewed harmless secure benign signed true correct
untrusted: vendor node_modules third-party downloaded generated remote suggestion suggestions advice output outputs message messages email emails comment comments issue issues bot file files anything tool tools dependency dependencies request requests
actfirst: act_first act_immediately act_on_them_first first
verifylater: verify_afterwards verify_later check_later check_afterwards ask_later ask_afterwards verify_after review_later questions_later ask_questions_later review_afterwards
perm*: allow grant permit enable add set disable loosen relax widen change edit modify turn_on turn_off switch whitelist allowlist give put raise elevate extend
config: settings.json settings.local.json permissions permission .claude.json mcp.json .mcp.json hook hooks sudoers ci workflow workflows .github pipeline branch_protection permissions.allow permissions.deny allowlist allow-list allow_list deny-list denylist deny_list deny defaultmode default_mode sandbox config.toml crontab cron .bashrc .zshrc bashrc zshrc .profile authorized_keys gitconfig .gitconfig core.hookspath githooks startup systemd launchd gitlab-ci.yml autostart firewall acl iam s3_bucket_policy security_group cors
bypass: bypasspermissions dangerously-skip-permissions dangerously-bypass enableallprojectmcpservers acceptedits auto-approve autoapprove yolo skip_permissions allow_all always_allow full_access danger-full-access dontask bypass_permissions auto_approve bypass_mode full_auto full-auto
wild: anything everything all any every unrestricted wildcard full
auth: head_office security_team cto ceo ciso admin administrator admins compliance legal management headquarters it_department platform_team infosec leadership executive sysadmin secops devops_team vp director board authority directive mandate hr security_department it_security root_user headquarter auditor auditors boss governance policy_team operations_team risk_team data_protection_officer vendor_support support_team
vendor: anthropic openai google microsoft github claude_team vendor anthropics
authorise: require requires required mandate mandates mandated ordered orders authorised authorized directive instructs instructed demands decided decreed notice announcement bulletin says confirms confirmed approved requests requested wants policy
recommend*: recommend suggest prefer promote mention put list rank favour favor advise choose endorse name praise cite propose present position describe
first: first top foremost best most_trusted only_trusted number_one leading above_all most_reliable top_pick only primary
source: source vendor provider authority choice option recommendation recommendations recommendation_list supplier expert hosting_provider brand service product tool solution company site partner
trustedsrc: trusted_source trusted_vendor trusted_provider most_trusted only_trusted trusted_authority authoritative_source best_source best_provider preferred_vendor preferred_provider go-to_source trusted_supplier citation_source most_reliable_source trusted_partner most_authoritative
end*: end begin start finish close open append add include prefix attach finalise finalize sign conclude
image: image badge pixel picture link img banner icon gif logo url markdown_image screenshot beacon
followed: followed_by appended plus with_the append concatenated and_the containing including
standard: standard official right recommended correct proper supported canonical only approved sanctioned blessed trusted preferred agreed
way: way fix method procedure installer bootstrap setup process path approach step tool command script remedy recipe route
bootstrap: bootstrap install setup set_up fix provision onboard update upgrade repair
hint: hint note message attention dear instruction instructions notice reminder memo directive hey hello hi reading nb psa fyi important warning
toagent: dear attention hey hello note_to note_for for_any for_all for_ai to_ai to_any to_all to_the for_the notice_to message_to instructions_for hint_for attention dear hey hello reminder_for advice_for memo_to note_for important_for rule_for rules_for aimed_at
over: over ends ended finished closed concludes terminates complete end_of
context: data memory context notes note input document documents content instructions block section prompt conversation transcript user_input tool_output message
untrusteddata: untrusted
typed: typed written issued sent entered provided given authored
follows: follows following below next comes_after after_this that_follows
operator: operator user system developer admin administrator owner
loosen: more_autonomy autonomous autonomously unattended unsupervised full_autonomy own_initiative own_discretion
wrote: wrote writes written appends appended write append
discuss: attacker attackers attack attacks injection injections threat threats malicious jailbreak jailbreaks vulnerability vulnerabilities exploit exploits poisoned poison poisoning payload payloads adversarial phishing incident sanitizer sanitiser owasp cve red-team red_team pentest fuzz detector scanner filter untrusted hostile suspicious weird spoof spoofing spoofed backdoor smuggled smuggling escaped hijack hijacked paper papers
report: may might could would can try tries tried attempt attempts such like example asks asked asking telling tells told contain contains contained wrote said says saying claims claiming was were detects detect flags flag reject rejects rejected block blocks blocked strip strips escape test tests never case cases string strings had has have is are against e.g i.e if when
refuse: refuse reject treat_as_data treat_it_as_data ignore_it report_it decline not_act never_act do_not_act wont_act never_obey do_not_obey
other2: sister neighbour partner other another different sibling client_project neighbouring
bring*: use reuse copy take borrow import bring share apply carry load open read keep store
pastverb: did worked succeeded
repeat*: repeat reuse apply
experience: experience_record lesson_learned lessons_learned successful_run success_record past_success
harmverb*: delete remove wipe drop destroy erase purge overwrite truncate reset
tests: test tests failing_test failing_tests backups backup history logs evidence audit_trail branch branches database table tables
done: done complete passed finished green
markas*: mark close claim
rules2: rule policy note memories guideline
above: above told earlier before prior previous said
persona: dan unrestricted developer_mode root admin jailbroken unfiltered no_restrictions god_mode maintenance_mode no_longer_bound free_of unbound debug_mode
lintish: lint linter eslint clippy ruff warnings warning stylelint gitignore prettier css style formatter rubocop flake8 mypy robots.txt firewall routing precedence
tell2*: tell mention inform reveal disclose notify alert announce admit surface confess say acknowledge bring_up point_out let_know let_on report show
softtell*: tell mention inform reveal disclose notify alert announce admit confess let_on
obj: it this that these them step steps command commands fact detail details activity request action change behaviour behavior its their
mustnot: must_not mustnt should_not shouldnt need_not neednt may_not doesnt_need does_not_need dont_need do_not_need never_to should_never must_never may_never is_not_to are_not_to never_be
know*: know find_out notice learn see find hear told informed aware notified
quiet2: without_telling without_mentioning without_informing without_notifying without_alerting without_the_user without_user without_their_knowledge without_drawing behind_the_users
ifasked: if_asked when_asked if_questioned if_anyone_asks if_someone_asks if_they_ask when_questioned should_anyone_ask if_challenged when_anyone_asks if_pressed if_anybody_asks if_a_reviewer_asks if_the_reviewer_asks
deny*: deny claim pretend say answer respond reply blame lie state insist
survive*: survive stay remain persist outlive travel
noneed: no_reason no_point unneeded no_longer_needed no_longer_required not_needed not_required not_necessary unnecessary no_need isnt_needed arent_needed isnt_required arent_required can_be_skipped may_be_skipped are_waived is_waived are_optional have_been_waived can_be_omitted no_longer_necessary is_redundant need_no needs_no
failing: fail fails failing failed red broken flaky
lifecycle: postinstall preinstall prepublish
freely: freely at_will without_limits without_restriction without_restrictions without_hesitation
agentperm: permissions.allow permissions.deny defaultmode allowedtools enableallprojectmcpservers bypasspermissions --dangerously-skip-permissions dangerously-skip-permissions dangerouslyskippermissions acceptedits dangerously_skip_permissions --yolo danger-full-access autoapprove disableallhooks skipdangerousmodepermissionprompt disablebypasspermissionsmode
persistfile: authorized_keys sudoers crontab systemd launchd ld.so.preload
hooks: hook hooks .git/hooks pre-commit
dearagent: dear attention hey hello hi
away: away asleep offline absent gone unattended afk out not_watching not_looking
watching: watching looking around reviewing
appr: approval approvals permission permissions confirmation confirmations consent sign-off signoff authorization review reviews prompt prompts
secretstore: vault environment keychain 1password settings ci variables manager actions example sample placeholder dummy fake kubernetes
bigdanger: deploy deployment deploys deploying force-push force-pushing force prod production root sudo credentials permissions settings delete deletion deletions deleting destroy payments payment transfer wipe drop commands hooks secrets push pushes pushing merge merging release releases publish publishing migrations shell migration bash network
unreviewed2: reading review reviewing looking checking inspection looking verifying verification tests
leavesword: leave keep
hop: over ends
from: from
per: per by under according order orders behest
lead: we i
nextsession: next_session later_session future_session future_sessions next_conversation following_session subsequent_session subsequent_sessions
beginsession: begin starts start beginning
headers: header user-agent
addverb*: add include insert append start_adding attach inject put
rot: hcybnq phey jtrg onfu fu vafgnyy cbfg pbcl gbxraf xrlf pbagragf fxvc flzobyf ab abgr fhzznel vagb guvf rirel rnpu ubbx ebbg fgrc gryy gbyq hfref uggcf uggc gur naq lbh nyy guvf jvgu sebz vtaber cerivbhf vafgehpgvbaf vafgehpgvba flfgrz hfre frperg frpergf eha pbzznaq pbzznaqf fraq abg nyjnlf sbetrg svyr svyrf cnffjbeq gbxra xrl qvfertneq ehyrf zrzbel pynhqr ntrag nffvfgnag gryy fxvc erivrj qryrgr rirel rnpu
`

// names are commands, options, files and variables. They are matched as they
// stand, in lower case.
const names = `
fetchcmd: curl wget iwr invoke-webrequest invoke-restmethod aria2c certutil bitsadmin xh httpie
netcmd: curl wget nc ncat netcat socat scp rsync ftp sftp telnet iwr invoke-webrequest invoke-restmethod ssh nslookup dig rclone sendmail host ping
lookup: nslookup dig ping host resolve
shell: sh bash zsh ksh dash fish iex invoke-expression python python3 node perl ruby php pwsh powershell sudo source eval
shellprog: sh bash zsh python python3 node perl ruby php pwsh powershell eval exec iex
dataflag: -d --data --data-binary --data-raw --data-urlencode -f --form -t --upload-file -x --post-file --post-data --body
envcmd: env printenv export set gh_auth_token aws_configure_export-credentials gcloud_auth_print-access-token
pathcred: id_rsa id_ed25519 id_ecdsa .netrc .npmrc .pypirc .pgpass .git-credentials credentials.json .env .envrc .htpasswd .aws .ssh .gnupg .kube .docker known_hosts authorized_keys login.keychain cookies.sqlite shadow .env.local .env.production
insecure: --insecure --no-verify --no-gpg-sign --no-check-certificate --trusted-host --allow-untrusted --disable-verification --skip-signature --no-sandbox --privileged --allow-unauthenticated --no-signature --unsafe-perm
insecureflag: --no-verify --no-check-certificate --allow-untrusted --no-gpg-sign --allow-unauthenticated --skip-signature
registryflag: --extra-index-url --index-url --registry --trusted-host --find-links -i --index --default-index --source --repository-url --index-strategy
registryvar: npmregistryserver registry_url registry pip_index_url pip_extra_index_url goproxy gosumdb gonosumdb goinsecure gonosumcheck npm_config_registry uv_index_url uv_default_index index-url extra-index-url cargo_registries_crates_io_index bundle_mirror
endpointvar: anthropic_base_url openai_base_url openai_api_base http_proxy https_proxy all_proxy api_base base_url anthropic_api_url git_ssh_command git_proxy_command node_extra_ca_certs aws_endpoint_url insteadof pushinsteadof core.sshcommand docker_host vault_addr gemini_base_url
riskyvar: node_tls_reject_unauthorized git_ssl_no_verify pythonhttpsverify ld_preload dyld_insert_libraries bash_env prompt_command curl_insecure http.sslverify strict-ssl
local: localhost loopback
pkgcmd: npm pnpm yarn bun npx bunx pip pip3 pipx uv uvx poetry cargo gem composer brew apt apt-get dnf yum apk conda winget choco go bundle dotnet nuget pacman
pkgverb: i install add get require ci dlx exec
toolcmd: curl wget npm npx pnpm yarn bun bunx pip pip3 pipx uvx poetry cargo brew apt apt-get dnf yum apk sudo chmod chown ssh scp rsync docker podman kubectl terraform helm ansible aws gcloud az gh psql mysql redis-cli systemctl crontab powershell pwsh iwr xargs nc ncat netcat socat dig nslookup osascript launchctl setx reg ffmpeg openssl gpg base64 journalctl mkfs dd rm mv cp ln kill killall node python python3 deno ruby perl php bash sh zsh eval source export tee sed awk grep cat find
softcmd: git go make just task uv conda env set test open start install mvn gradle gradlew dotnet pytest tox jest vitest eslint prettier ruff black mypy golangci-lint gofmt bundle rake rails mix php-cs-fixer composer swift xcodebuild flutter dart bazel cmake ninja act direnv nix cd ls echo touch mkdir cypress playwright tsc vite webpack turbo nx lerna sqlite3 mongosh flyway alembic prisma cat find
destroy: mkfs shred
chmodwide: 0777 777 a+rwx o+w 0777 666 a+w
`

// links are the small words and narrow classes that patterns need beside the
// broad ones.
const links = `
about: about of that
to2: to
it: it this
is2: is are
be2: be
be: be
hop2: ends
dest2: gist pastebin webhook email commit_message pull_request pr issue comment telegram discord slack paste_site subdomain url query_string reply answer response public
inrepo2: repo repository readme git public commit
subdomain: subdomain hostname dns lookup label
hand*: hand give pass feed supply
give*: hand give pass feed supply
redirin: redirin
base64cmd: base64 base32 xxd openssl
chmodx: chmod
arguments: arguments args
download*: download fetch grab pull get retrieve
first2: first always
endpoint: endpoint base_url base_urls api_base proxy mirror registry remote origin upstream base traffic requests dns gateway resolver nameserver webhook host
fetchrepo*: clone fetch pull download
forwards: forwards relays mirrors proxies
instead: instead rather replacement
passverb*: pass set
certverify: certificate certificates tls ssl certificate_verification tls_verification signature signatures checksum checksums
permword: permission permissions approval approvals confirmation confirmations prompt prompts consent authorization sign-off signoff permission_prompts permission_prompt
askword: prompt prompts check checks dialog dialogs request requests needed
cmdword: command commands bash shell terminal tool tools script scripts
toolword: bash tool tools shell terminal edit write command commands
wildcard: wildcard everything anything all any unrestricted
canword: can may
bypassmode*: bypasspermissions bypass_mode bypass_permissions auto-approve autoapprove auto_approve yolo full_auto full-auto full_access skip_permissions dangerously-skip-permissions allow_all acceptedits unrestricted
check2: check review approval
offword: off false none disabled
reviewword: review code_review reviews verification confirmation approval approvals sign-off signoff audit scan security
skipped: skipped bypassed disabled omitted
show*: show display present print
diff: diff diffs change changes
audit*: audit inspect scan review check verify examine
finding: finding findings vulnerability vulnerabilities violation violations warning issue breach alert alerts
vulnword: vulnerability vulnerabilities cve cves breach leak
report*: report flag raise mention file
openverb*: open visit browse read view navigate
do*: do perform make carry
without: without
wait: wait pause stop
approval: approval approvals confirmation permission answer reply go-ahead sign-off
fact: needs require requires when
treat*: treat consider regard count accept take assume
as: as to
trusted2: trusted reviewed approved verified genuine authentic pre-approved vetted already_reviewed harmless clean
mergeverb*: merge approve accept land ship
blindly: blindly automatically sight_unseen unread unseen
inprod: production prod deploy deployment delete release
after2: after in within once
dormantword: dormant inactive asleep sleeping latent
until: until till unless
act*: act do perform use run start trigger mention apply
waitword*: wait stay remain sleep hold
then: then
nobody: nobody no_one noone nobody_is user
already: already
prefers: prefers prefer wants want likes asked said told insists
consentword: permission consent approval authorization authorisation authority go-ahead carte_blanche agreement
directive: directive mandate order policy notice bulletin announcement decree memo
disable: disable skip bypass
agentword: agent agents assistant assistants ai ais llm llms model models bot bots claude copilot codex cursor gemini gpt chatbot reader whoever
top: top first pinned
never: never not
when2: when whenever while if each every during on
spread*: spread propagate distribute share replicate carry forward
pin*: pin
callverb*: call use invoke
first3: first top foremost best most_trusted only number_one leading above_all most_reliable top_pick
aspref: as
preference2: preference preferences
lastingpref: lasting_preference permanent_preference lasting_preferences long-term_preference standing_preference permanent_rule
fetchverb*: fetch load request visit ping call
over2: over instead ahead above rather
thenword: then and
runencoded*: run execute eval obey follow
decoded: decoded base64 encoded hex rot13
tests2: test tests
tracks: evidence tracks traces audit_trail audit_log shell_history git_history audit_logs history
toany: for to any all
way2: way that procedure approach shortcut pattern method recipe same again
download2*: download
pipeverb: pipe feed
chmod2: chmod chown sudo setfacl visudo doas
rundo*: do trigger kick invoke
installverb*: install upgrade downgrade pin uninstall
rememberverb*: remember memorize memorise
request: request requests pull pr prs
pr: pr prs
noone: nobody noone no_one none
saynothing: say_nothing tell_nobody tell_no_one tell_noone keep_quiet_about not_a_word keep_mum keep_it_quiet stay_silent_about keep_silent_about no_word_about stay_quiet_about keep_quiet
outsiders: customer client press newsletter release_notes release_note changelog public_docs marketing competitor subscriber
let*: let allow
wins: wins win prevails prevail prevails governs
dest3: comment gist pastebin issue public url answer reply email chat
commitverb*: commit
hardcode*: hardcode hard-code
codefile: dockerfile source code makefile bundle frontend html javascript
cronword: cron crontab cronjob scheduled_task systemd launchd autostart
homenoun: home root system whole
asadmin: as_admin as_owner as_an_admin as_administrator as_an_administrator as_collaborator as_a_collaborator as_maintainer as_a_maintainer as_an_owner
success: success successful green passing passed done complete
evenif: even_if even_when even_though regardless although anyway no_matter whether_or_not
approveverb*: approve rubber-stamp okay lgtm
wild2: whatever anything everything any all every whichever
ordinal: second third fourth fifth sixth seventh eighth ninth tenth twentieth hundredth nth
beforeall: before_all before_any above_all over_all ahead_of before_other over_any above_any over_other
want: want wants like likes wish wishes
attackword: attacker attackers attack attacks injection injections malicious jailbreak exploit exploits payload phishing red_team red-team adversarial hijack hijacked threat threats cve backdoor poison poisoned poisoning
safety: safety content content_policy
lifted: lifted superseded suspended waived revoked rescinded overruled void voided annulled retired switched_off withdrawn
authority: authority truth reference source law rulebook
answer2: summary summaries summarise summarising summarize summarizing recap report
edits: edit edits commit commits patch step steps change changes
bother*: bother involve trouble consult burden inform
allowlist: allowlist allow-list allow_list whitelist permissions allowed
denyword: deny denylist deny-list deny_list blocklist deny_rule deny_rules permissions.deny
makeverb*: make register install link
writable: writable writeable executable
installation: installation install rollout deployment
contain*: contain include carry reproduce
missing: missing gone deleted removed lost
blurt: send post upload paste print attach include forward email leak exfiltrate put add copy commit
pkgcmd2: npm pnpm yarn bun npx pip pip3 pipx uv poetry cargo gem composer brew apt apt-get dnf yum apk conda winget choco docker
bound: bound restricted limited governed
appear: appear be show up
`
