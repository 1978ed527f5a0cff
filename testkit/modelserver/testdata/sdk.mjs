// Asks the server at argv[2] with the npm SDKs, at once and streamed, and prints
// what came out as one line of JSON.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const base = process.argv[2];
const a = new Anthropic({ apiKey: 'k', baseURL: base, maxRetries: 0 });
const o = new OpenAI({ apiKey: 'k', baseURL: base + '/v1', maxRetries: 0 });
const turn = [{ role: 'user', content: 'hello' }];
const out = {};

const am = await a.messages.create({ model: 'm', max_tokens: 9, messages: turn });
out.anthropic = am.content.map((b) => b.text ?? b.name).join('|');
const as = await a.messages.stream({ model: 'm', max_tokens: 9, messages: turn }).finalMessage();
out.anthropicStream = as.content.map((b) => b.text ?? b.name).join('|');

const om = await o.chat.completions.create({ model: 'm', messages: turn });
out.openai = om.choices[0].message.content + '|' + om.choices[0].message.tool_calls[0].function.name;
const os = await o.chat.completions.stream({ model: 'm', messages: turn }).finalChatCompletion();
out.openaiStream = os.choices[0].message.content + '|' + os.choices[0].message.tool_calls[0].function.name;

console.log(JSON.stringify(out));
