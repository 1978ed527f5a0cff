package scan

import "strings"

// compiledRule is a rule with its patterns.
type compiledRule struct {
	id       string
	patterns []pattern
}

func compile() *compiled {
	l := newLexicon()
	c := &compiled{words: l, own: newBuiltin(l), byID: map[string]Rule{}}
	for _, r := range Rules() {
		c.byID[r.ID] = r
	}
	rules := readPatterns(l, instructionPatterns)
	c.agent = l.bits("agent|xagent")
	c.secrets = newSecretFinder()
	actions := readPatterns(l, actionPatterns)
	l.load()
	c.rules, c.ruleIDs = indexRules(l, rules)
	c.actions, c.actionKinds = indexRules(l, actions)
	return c
}

func indexRules(l *lexicon, rules []compiledRule) (x *index, ids []string) {
	var patterns [][]pattern
	for _, r := range rules {
		ids = append(ids, r.id)
		patterns = append(patterns, r.patterns)
	}
	return newIndex(l, patterns), ids
}

// readPatterns reads "id:" lines and the patterns under each.
func readPatterns(l *lexicon, text string) []compiledRule {
	var rules []compiledRule
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch id, isID := strings.CutSuffix(line, ":"); {
		case line == "":
		case isID:
			rules = append(rules, compiledRule{id: id})
		default:
			r := &rules[len(rules)-1]
			r.patterns = append(r.patterns, parsePattern(l, line))
		}
	}
	return rules
}

// instructionPatterns say what a request looks like: parsePattern has the
// notation. They follow the threat classes: an instruction alone is no poison,
// it takes something that it reaches for.
const instructionPatterns = `
spoof/speaker:
follows 4 typed 3 principal|operator
context 3 prior 3 over

instruction/override:
agentword|you|safety 4 instr|rule 8 lifted
only 2 authority 10 this 2 notething
this 2 notething 6 only 3 authority
instr 10 void ; need prior|you|all ; not lintish
rules2 8 void ; need nowyou|agentword|safety|thisnote ; not lintish
all 2 prior 2 rules2 4 void ; not lintish
ignore! 3 earlier|all 3 rules2|instr ; not lintish
this 2 notething 2 wins
ignore! 3 earlier 3 instr
ignore! 4 instr 3 above|prior
ignore! 3 all 3 instr ; not lintish
ignore! 2 all|earlier 3 rules2 ; not lintish
ignore! 2 all 4 agentfiles
ignore! 4 rules2|instr 4 agentfiles
ignore! 2 all 4 above ; not lintish
ignore! 2 you 4 instr|rules2
ignore! 3 agentfiles ; not lintish
you 3 instr|rules2 8 void
earlier|all 3 instr 8 void ; not lintish
only 3 this 3 notething 4 count
only 3 notething 3 this 3 notething 4 count
this 2 notething 3 void 4 all|prior|other|instr|agentfiles
nowyou 8 ignore!|void 5 rule|instr|prior
nowyou 8 not 3 obey 4 instr|rules2
not 2 obey 4 earlier 3 instr|rules2
not 3 bound 4 instr|rules2 ; need you|nowyou
instruction/persona:
nowyou 8 persona
you 3 persona 6 any! ; need nowyou
instruction/secrecy:
hide! 3 obj ; need answer2
hide! 6 edits ; need answer2
noneed 3 tell|bother 4 principal
noone 2 know
noone 3 need|modal 3 know
saynothing! ; not outsiders
modal 3 saynothing ; not outsiders
you 3 saynothing
not 2 let! 4 user 3 know
not 2 softtell! 3 principal=
not 2 tell2! 3 principal= 3 about
not 2 tell2! 2 obj 4 principal=
not 2 tell2! 3 this 2 notething
not 2 softtell! 2 obj 6 answer ; not lintish
hide! 2 obj 5 principal=|answer
hide! 3 this 2 notething
leave! 2 obj 4 out 5 answer|principal
leave! 4 out 4 answer ; need this
leave! 3 obj 3 secretword 4 from
quiet 3 send!|move!|install!|copy!|perm!|remove!|store!|run!|addverb!|push!|approve!
send!|move!|install!|run!|push!|approve!|addverb!|store!|skip!|remove!|perm! 8 quiet ; not lintish
quiet2 3 principal
any! 10 quiet2
between
ifasked 6 deny!
principal= 3 mustnot 2 know
principal= 3 not 2 know! ; need mustnot
mustnot 3 know 3 principal=
mustnot 4 appear 4 answer
instruction/exfiltration:
blurt= 6 cred|envcmd|sens 12 unknown
send!|expose! 8 cred|envcmd|sens 12 unknown
any! 6 cred|envcmd|sens 4 send|expose|move 10 unknown
modal 4 send|expose|move 8 cred|envcmd|sens 12 unknown
move! 3 cred|sens 6 unknown|to2
move! 3 cred|sens
sens 4 pipe 4 netcmd 10 unknown
envcmd 5 pipe 5 netcmd 10 unknown
netcmd 12 sens 8 unknown
netcmd 12 unknown 12 sens
netcmd 12 template
lookup 8 cred|subst 8 unknown
send! 8 unknown 10 cred|sens
expose! 8 cred|data 12 subdomain
unknown 8 send!|move! 6 cred|sens
read! 6 cred|sens|envcmd 10 send|move|expose 8 unknown|dest2
use!|hand! 10 give!|hand! 4 cred ; need temp|unknown
give! 4 cred ; need temp
instruction/data-out:
send! 4 it 4 ip|unknown ; need data|convo|cred
send!|move! 8 data|convo|file 12 unknown
modal 4 send|move 8 unknown
data 6 modal 4 send|move 10 unknown
expose! 6 convo|data 8 unknown
addverb! 6 headers 6 unknown
netcmd 8 dataflag 8 unknown
move! 6 data 10 unknown
instruction/secret-exposed:
expose! 3 it 4 dest3 ; need cred
read!|use! 4 cred 4 outside
use! 6 cred 4 other2 3 repo
blurt= 4 cred 6 dest3 ; not secretstore
commitverb! 3 sens
commitverb! 3 cred ; not secretstore
hardcode! 5 cred
store!|expose! 6 cred 6 codefile ; not secretstore
store!|expose!|send! 6 cred 10 plain ; not secretstore
store!|expose! 6 cred 6 inrepo2 ; not secretstore
expose!|send! 6 cred|sens|envcmd 8 dest2 ; not secretstore
read! 6 sens&outside 10 expose!|send!
read! 4 cred 8 other2 3 repo
bring! 6 cred 8 other2 3 repo
store! 5 cred 8 memory|agentfiles ; not secretstore
instruction/outside-secret:
read!|expose!|send!|store!|bring! 6 outside&sens
any! 4 outside&sens 8 expose|send|store|memory
instruction/remote-code:
cronword 12 unknown
unknown 10 download2 4 run
download! 3 unknown 8 pipeverb 4 shellprog
download2! 4 run! ; need unknown
fetchcmd 10 unknown 8 pipe 3 shellprog
shellprog 4 subst 4 fetchcmd 10 unknown
shellprog 4 redirin 3 fetchcmd 8 unknown
fetchcmd 10 ip 8 pipe 3 shellprog
base64cmd 8 pipe 3 shellprog
unknown 3 pipe 2 shellprog
instruction/odd-binary:
run! 3 temp
use!|run! 3 temp&scriptfile
broken 10 use!|run! 5 temp|outside&scriptfile|unknown
use! 4 temp 8 instead|cred|arguments
fetchcmd 10 unknown 14 run!|chmodx
run! 2 unknown
run! 6 script 4 from 3 unknown|ip
download! 8 unknown 8 run!
instruction/redirect:
unknown 3 instead
any! 10 ip
endpointvar 14 temp
use!|push!|fetchrepo!|redir! 6 unknown 4 instead
use!|push!|fetchrepo! 6 unknown 8 instead ; need official|vendor
always|first2 3 push!|use! 6 unknown ; need mirror|first2|always ; not lintish
redir! 8 unknown ; need endpoint
endpointvar 4 unknown
redir!|use!|push! 8 ip
use!|push!|redir!|fetchrepo! 6 unknown ; near mirror|broken
use!|push!|redir! 8 mirror 4 unknown
mirror 3 unknown 6 instead|forwards
instruction/weak-transport:
use!|run!|expose!|modal|always|passverb! 8 insecure ; not local
riskyvar ; not local|neg
insecureflag ; need always|every ; not neg
instruction/package:
registryflag 2 unknown
registryvar 3 unknown
pkgcmd2 2 pkgverb 5 unknown
install! 6 package 6 from 3 unknown
instruction/package-swap:
use!|install!|pkgcmd 14 official 3 package 4 broken
official 3 package 5 broken 12 use!|install!|pkgcmd
official 4 broken 10 use!|install! 4 package|instead
expose!|addverb!|install! 8 lifecycle 12 every 3 repo
expose!|addverb!|install! 6 package 8 every 2 repo|session
every 2 repo 10 install!|addverb! 6 package|lifecycle|unknown
instruction/permissions:
perm! 3 allowlist 8 wild|every
harmverb!|remove! 4 denyword
perm!|store!|expose!|makeverb! 12 agentdir
makeverb!|perm! 4 hooks 4 writable
chmodx 4 chmodwide ; need homenoun|outside
any! 12 addverb 6 asadmin
perm!|expose!|run!|use!|start! 6 agentperm
principal 4 approved 4 agentperm
perm! 3 bypassmode
perm! 4 wild 4 config|permword
perm!|expose! 5 persistfile
you 2 canword 6 config 6 freely
no 3 permword 3 askword ; need cmdword|toolword
toolword 4 no|noneed 4 permword
perm! 8 cmdword|permword 6 wildcard
principal 4 approved 5 bypassmode
bypassmode! 4 permword|check2
instruction/oversight:
reviewword 5 noneed
any! 6 without 2 unreviewed2
any! 4 denyword 3 offword|out
strongcheck 4 canword|modal 2 be 3 skip
harmverb! 3 strongcheck
claim!|report! 3 success 6 evenif
approveverb! 2 wild2
skip! 4 strongcheck ; not local
skip! 2 reviewword ; not local
perm! 2 strongcheck 3 offword
strongcheck 4 noneed
reviewword 3 noneed
modal 3 be 3 skipped 4 strongcheck
strongcheck 4 modal 3 be 2 skip ; not neg
not 3 show! 4 diff 6 principal
not 3 audit! 4 untrusted
not 2 openverb! 3 itself ; need trusted
not 3 report! 4 finding|vulnword
show! 4 no 3 diff
instruction/no-confirmation:
bigdanger 6 noneed 3 permword|askn
not|never 3 want 4 ask 5 bigdanger
run!|do!|push!|approve!|perm!|harmverb! 8 all|bigdanger 8 without 3 askn
any! 4 bigdanger 8 without 3 askn
without 3 askn 6 run!|do!|push!|harmverb! 6 bigdanger|all
no|not 3 ask! 6 bigdanger
no|noneed 3 ask 6 bigdanger
no|noneed|neg 4 permword 4 bigdanger ; not fact
not 3 wait 4 approval 6 bigdanger
instruction/blind-trust:
always|must 2 trust! 5 untrusted
untrusted 5 always 2 trusted
treat! 8 as 3 trusted2
treat! 8 trusted2 ; need as ; need untrusted
actfirst 8 verifylater
approve!|mergeverb! 10 without 2 unreviewed2
approve! 4 all 5 from
approve! 6 blindly
trust! 5 untrusted 6 without
without 2 unreviewed2 8 approve!|mergeverb!|run!
instruction/delayed:
ordinal 2 session 8 any!
trigger 3 user 4 say 6 yesword 16 any!
trigger 3 user 4 say 12 store!|send!|move!|skip!|approve!|hide!|perm!|harmverb! ; need memory|unknown|cred|strongcheck|bypassmode|agentperm|inprod
after2 2 num|count2 2 session 8 any!
keep! 3 dormantword
dormant 8 until
trigger 3 user 3 away
nextsession 12 send!|move!|skip!|hide!|perm!|run! ; need unknown|cred|strongcheck|cmdword|bypassmode
not 4 act! 6 until ; need trigger|session
waitword! 3 until 8 then ; need noone|user
trigger 4 nobody 3 watching
instruction/preference:
principal 4 approved 6 blanket ; need danger|cmdword|unknown|cred|strongcheck|askn
principal 3 already 2 approved ; need danger|unknown|cred|cmdword|strongcheck|blanket|pipe
principal= 3 prefers 10 skip|without|no 4 strongcheck|reviewword
principal= 3 prefers 10 skip|without|no 4 askn ; need danger
principal= 3 prefers 8 strongcheck 4 skip|noneed
approved 5 blanket 4 consentword
blanket 2 consentword 10 bigdanger|all
consentword 4 blanket ; need principal
instruction/authority:
auth 6 authorise 6 installation
auth 8 authorise|modal|directive 16 unknown|bypassmode|agentperm
auth 8 authorise|modal|directive 12 send|move|expose 8 cred|data
auth 10 skip!|hide!|move!|perm! 8 strongcheck|cred|unknown|permword
per 3 auth 14 skip|disable|move|hide 6 strongcheck|cred
vendor= 3 authorise 10 agentword|strongcheck|ignore|unknown
auth 12 mustnot 3 know|tell
instruction/persistence:
merge 10 copy|keep|contain 4 this 2 notething
this 2 notething 4 missing 8 any!
tell!|spread! 4 agentword 6 this 2 notething
copy! 4 this 2 notething 10 verbatim|every|merge|agentfiles|memory
copy! 2 it 6 verbatim|every|merge
keep! 2 this 2 notething 8 verbatim|merge|always|every|top
keep! 3 this 8 every 3 merge
not 2 remove! 4 this 2 notething
this 2 notething 4 modal 4 keep|copy 8 merge|every|verbatim|always
this 2 notething 4 modal 2 not 3 remove
this 2 notething 5 mustnot 3 be2 3 remove
this 2 notething 5 never 3 be2 3 remove
this 2 notething 6 survive 6 merge|every
survive! 8 merge ; need this
expose!|copy!|addverb! 8 agentfiles 6 every 3 repo
every|other 2 repo 8 copy!|addverb!|expose! 6 thisnote|agentfiles|memory|notething
copy!|addverb! 4 this 3 notething 8 every|other 3 repo|agentfiles
when2 3 merge 12 copy!|keep!|expose! 6 this|verbatim|notething
spread! 4 this 6 other|every 4 repo|agentword|project
pin! 4 this 3 notething
instruction/memory-write:
store!|callverb! 6 memory 14 noneed|approve|trust|unknown|fetchcmd|trustedsrc|first3|bypassmode|strongcheck|approved
store! 10 aspref 3 preference2 ; not principal
store! 14 lastingpref
wrote 8 agentdir
perm!|store!|expose! 6 agentdir
instruction/link:
end! 4 answer 8 unknown
end! 3 every 2 answer 12 image|template|unknown
end! 6 answer 10 template
any! 12 template
unknown 3 followed 8 convo|cred|data
addverb! 6 image 6 unknown 8 answer
every 2 answer 10 unknown ; need end|modal
image 6 template
openverb!|use!|fetchverb! 6 unknown 6 followed
instruction/recommendation:
recommend= 8 beforeall
recommend!|store!|markas! 10 trustedsrc
recommend! 8 first3 8 every 3 answer|source
recommend! 8 unknown 10 first3|always|every
always 2 recommend! 6 unknown
recommend! 3 obj 3 first3 5 every
first3 3 source 8 recommend|answer ; need always|every
always 3 recommend! 6 over2 ; need source|unknown
instruction/endorsed-address:
unknown 8 standard 2 way
approved 12 unknown 6 standard
standard 2 way 4 is2 3 unknown
instruction/decode:
decode! 10 obey!|whatsays
decode! 6 thenword 3 run!|obey!
runencoded! 4 decoded
instruction/evidence:
harmverb! 4 tests 5 failing|markas
tests 6 harmverb 5 failing
failing 3 tests2 6 harmverb
harmverb! 5 tracks
instruction/address-agent:
dearagent 2 agentword 12 any!
hint 3 toany 3 agentword 14 store!|skip!|ignore!|approve!|recommend!|hide!|trust!|move!|harmverb!|perm!
instruction/repeat-shortcut:
repeat! 3 way2 ; near skip ; near strongcheck|reviewword
skip 4 strongcheck 20 repeat!
instruction/other-language:
{xignore xprior|xany agentfiles} 8
{xignore xprior xinstr} 8
{xneg xtell xuser} 6
{xsecretly xsend|xrun|xinstall|xstore|xskip} 8
{xsend xcred|sens|envcmd unknown} 16
{xsend unknown xalways} 14
{xsend|xuse unknown xinstr} 14
{xskip xcheck} 5
{xrun xany|xalways xneg xask|xcheck} 14
{xrun xcommand xneg xask|xcheck} 12
{xhas xapproved xany} 10
{xuser xapproved xany} 10
{xany xcommand xapproved} 8
{xstore xthis xmemory xalways} 12
{xneg xremove xthis xmemory} 8
{xtrigger xsay yesword xsend|xskip|xstore|xrun|xremove} 16
{xtrigger xuser xsay xsend|xskip|xremove} 16
{xinstall unknown} 8
{xinstall|xuse registryflag} 8
{xuse unknown xalways} 8
{xtrust xneg xcheck} 8
{xrun fetchcmd unknown} 10
{xrun unknown xalways} 10
{xnowyou xignore} 10
{xsend sens|envcmd} 8
`
