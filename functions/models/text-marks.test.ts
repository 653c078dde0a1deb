import { expect, it } from 'vitest'
import { cutEndMarks, TextMarks } from './text-marks.ts'
import type { WrittenCall } from './written-calls.ts'
import { limitCpuTime } from '../../test/support/fuzz.ts'

interface Read {
  text: string
  reasoning: string
  calls: WrittenCall[]
}

function read(pieces: readonly string[]): Read {
  const result: Read = { text: '', reasoning: '', calls: [] }
  const marks = new TextMarks({
    onText: (delta) => (result.text += delta),
    onThoughtEnd() {
      result.reasoning += result.text
      result.text = ''
    },
    onReasoning: (delta) => (result.reasoning += delta),
    onCalls(calls) {
      if (!calls.every(({ name }) => name.endsWith('read'))) return false
      result.calls.push(...calls)
      return true
    },
  })
  for (const piece of pieces) marks.add(piece)
  marks.end()
  return result
}

const call = (input: object, name = 'read') => [{ name, arguments: JSON.stringify(input) }]
const a = { id: 'a' }

it.each<[string, string, Partial<Read>]>([
  // scouzi1966/maclocal-api#121, NVIDIA/TensorRT-LLM#9256, ml-explore/mlx-lm#1867
  [
    'harmony',
    '<|channel|>analysis<|message|>User greets.<|end|><|start|>assistant<|channel|>final<|message|>Hello!<|return|>',
    { text: 'Hello!', reasoning: 'User greets.' },
  ],
  [
    'a call in harmony',
    '<|start|>assistant<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"id":"a"}<|call|>',
    { reasoning: 'Look.', calls: call(a, 'functions.read') },
  ],
  ['a preamble in harmony', '<|channel|>commentary<|message|>I look.<|end|>', { text: 'I look.' }],
  [
    'Hermes',
    'Now: <tool_call>\n{"name": "read", "arguments": {"id": "a"}}\n</tool_call>',
    { text: 'Now: ', calls: call(a) },
  ],
  [
    'two calls',
    '<tool_call>{"name":"read","arguments":{"id":"a"}}</tool_call>\n<tool_call>{"name":"read","arguments":{"id":"b"}}</tool_call>',
    { text: '\n', calls: [...call(a), ...call({ id: 'b' })] },
  ],
  [
    'Qwen3-Coder',
    '<tool_call>\n<function=read>\n<parameter=id>\na\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>',
    { calls: call({ id: 'a', limit: 5 }) },
  ],
  [
    'MiniMax-M3',
    'Now:]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read">\n]<]minimax[>[<id>a]<]minimax[>[</id>\n]<]minimax[>[<to>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[<item>]<]minimax[>[<b>x < y]<]minimax[>[</b>]<]minimax[>[</item>]<]minimax[>[</to>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    { text: 'Now:', calls: call({ id: 'a', to: [1, { b: 'x < y' }] }) },
  ],
  [
    'GLM',
    '<tool_call>read\n<arg_key>id</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
    { calls: call(a) },
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="read">\n<parameter name="id">a</parameter>\n</invoke>\n</minimax:tool_call>',
    { calls: call(a) },
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read<|tool_call_argument_begin|>{"id":"a"}<|tool_call_end|><|tool_calls_section_end|>',
    { calls: call(a, 'functions.read') },
  ],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"id":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { calls: call(a) },
  ],
  // TokenRhythm/opensquilla#985, sgl-project/sglang#40236
  [
    'DeepSeek-V3.2',
    'Now:\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="id" string="true">12</｜DSML｜parameter>\n<｜DSML｜parameter name="limit" string="false">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    { text: 'Now:\n', calls: call({ id: '12', limit: 5 }) },
  ],
  [
    'DeepSeek-V4, without the mark of the end',
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="id" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>',
    { calls: call(a) },
  ],
  [
    'DeepSeek-V4, without the first mark',
    '<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="id" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    { text: '\n', calls: call(a) },
  ],
  // ollama/ollama#16686
  [
    'Qwen3-Coder, without the first mark',
    'I look.\n\n<function=read>\n<parameter=id>\na\n</parameter>\n</function>\n</tool_call>',
    { text: 'I look.\n\n\n', calls: call(a) },
  ],
  [
    'two of Qwen3-Coder, without any mark around them',
    '<function=read><parameter=id>a</parameter></function><function=read><parameter=id>b</parameter></function>',
    { calls: [...call(a), ...call({ id: 'b' })] },
  ],
  [
    'a function that was not offered, without the first mark',
    '<function=x><parameter=id>a</parameter></function>\n</tool_call>',
    { text: '<function=x><parameter=id>a</parameter></function>\n</tool_call>' },
  ],
  [
    'a last mark behind words',
    '<function=read><parameter=id>a</parameter></function> So </tool_call>',
    { text: ' So </tool_call>', calls: call(a) },
  ],
  ['a first mark that nothing ends', 'Type <function= and a name.', { text: 'Type <function= and a name.' }],
  ['a function in code', 'So `<function=read></function>`', { text: 'So `<function=read></function>`' }],
  ['Mistral', '[TOOL_CALLS][{"name":"read","arguments":{"id":"a"}}]</s>', { calls: call(a) }],
  ['Mistral, newer', '[TOOL_CALLS]read[ARGS]{"id":"a"}', { calls: call(a) }],
  ['Llama', '<|python_tag|>{"name":"read","parameters":{"id":"a"}}<|eom_id|>', { calls: call(a) }],
  [
    'a tool that was not offered',
    '<tool_call>{"name":"x"}</tool_call>',
    { text: '<tool_call>{"name":"x"}</tool_call>' },
  ],
  // llama.com/docs/model-cards-and-prompt-formats/llama3_1
  [
    'a call of Llama',
    '<function=read>{"id": "a"}</function>',
    { calls: [{ name: 'read', arguments: '{"id": "a"}' }] },
  ],
  [
    'a call of Llama in a block',
    '<tool_call>\n<function=read>\n{"id": "a"}\n</function>\n</tool_call>',
    { calls: [{ name: 'read', arguments: '{"id": "a"}' }] },
  ],
  ['a block that cannot be read', 'Use <tool_call> tags.', { text: 'Use <tool_call> tags.' }],
  [
    'a call in code',
    'So:\n```\n<tool_call>{"name":"read"}</tool_call>\n```\nor `<tool_call>`',
    { text: 'So:\n```\n<tool_call>{"name":"read"}</tool_call>\n```\nor `<tool_call>`' },
  ],
  ['marks of an end', 'Hello.<|im_end|>\n<|endoftext|>', { text: 'Hello.' }],
  [
    'a mark of an end within',
    'The token <|im_end|> ends a turn.',
    { text: 'The token <|im_end|> ends a turn.' },
  ],
  [
    'citations',
    'It rains\uE200cite\uE202turn0search0\uE201 today【4:0†source】.',
    { text: 'It rains today.' },
  ],
  ['brackets', 'The 【title】 and [1] and a < b.', { text: 'The 【title】 and [1] and a < b.' }],
  ['a citation without an end', 'See 【3†', { text: 'See 【3†' }],
  // can1357/oh-my-pi#8495, vllm-project/vllm#50367
  [
    'Kimi K3',
    '<|open|>think<|sep|>Hm.<|close|> think <|sep|><|open|> response<|sep|>Now.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="read" index="1"<|sep|><|open|>argument key="id" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|close|> tools<|sep|><|close|>message<|sep|>',
    { text: 'Now.', reasoning: 'Hm.', calls: call(a) },
  ],
  [
    'arguments of Kimi K3 as JSON',
    '<|open|>tools<|sep|><|open|>call tool="read" index="1"<|sep|><|open|>json type="object"<|sep|>{"id":"a"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    { calls: call(a) },
  ],
  ['another tag', 'So <|open|>x<|sep|> <|close|>', { text: 'So <|open|>x<|sep|> <|close|>' }],
  // NousResearch/hermes-agent#67632, jundot/omlx#581
  [
    'Gemma 4',
    '<|channel>thought\nHm.<channel|>\nNow:<|tool_call>call:read{id:<|"|>a<|"|>}<tool_call|><turn|>',
    { text: 'Now:', reasoning: '\nHm.', calls: call(a) },
  ],
  ['the end of a thought alone', 'Hm.\n<channel|>Now.', { text: 'Now.', reasoning: 'Hm.\n' }],
  ['the end of a thought, and no more', 'Hm.\n<channel|> ', { text: 'Hm.\n' }],
  ['Kimi-VL', '◁think▷Hm.◁/think▷Now.', { text: 'Now.', reasoning: 'Hm.' }],
  ['a thought without an end', '<|channel>thought Hm.', { reasoning: ' Hm.' }],
  // local-inference-lab/vllm#639
  [
    'the mark of an end in a value',
    '<tool_call>read<arg_key>id</arg_key><arg_value></tool_call></arg_value></tool_call>',
    { calls: call({ id: '</tool_call>' }) },
  ],
  [
    'both marks in a value',
    '<tool_call>read<arg_key>id</arg_key><arg_value><tool_call></tool_call></arg_value></tool_call>',
    { calls: call({ id: '<tool_call></tool_call>' }) },
  ],
  [
    'blocks that cannot be read',
    '<tool_call>{oops</tool_call> and <tool_call>{"name":"read"}</tool_call>',
    { text: '<tool_call>{oops</tool_call> and ', calls: call({}) },
  ],
  ['nothing', '', {}],
])('reads %s, however it is cut', (_, whole, expected) => {
  const all = { text: '', reasoning: '', calls: [], ...expected }
  expect(read([whole])).toEqual(all)
  expect(read(whole.split(''))).toEqual(all)
  for (let at = 1; at < whole.length; at += 1)
    expect(read([whole.slice(0, at), whole.slice(at)])).toEqual(all)
})

it('takes a time that grows with the text', { tags: 'long' }, () => {
  for (const part of [
    '<',
    '<tool_call>',
    '<function=',
    '<function=x></function>',
    '</tool_call>',
    '【',
    '[TOOL_CALLS]',
    '</s>',
    '<|channel|>',
    '<arg_key>',
    '\uE200',
    '<tool_call>{',
    '<tool_call><function=x>',
    '<tool_call><function=read><parameter=id>',
    '<tool_call><invoke name="read"><id>',
    '<tool_call>{"name":"read","arguments":{',
    '<tool_call>{</tool_call>',
    '<tool_call><arg_value></tool_call>',
    '<|open|>',
    '<|open|>tools<|sep|>',
    '<|open|>tools<|sep|><|open|>call tool="read"<|sep|>',
    '<|open|>argument key="a"<|sep|>',
    '<|tool_call>call:read{',
    '<|channel>thought',
    '<channel|>',
    '◁',
    'analysisA',
    'commentary to=',
  ]) {
    const readTwice = () => {
      read([part.repeat(10_000)])
      read(part.repeat(1_000).split(''))
    }
    expect(() => limitCpuTime(readTwice, 2_000)).not.toThrow()
  }
})

it.each([
  ['{"id":"a"}<|im_end|>', '{"id":"a"}'],
  ['{"id":"a"} </s>\n<|eot_id|>', '{"id":"a"}'],
  ['{"id":"a"}\n', '{"id":"a"}\n'],
  ['', ''],
])('cuts the marks of an end behind %j', (text, cut) => {
  expect(cutEndMarks(text)).toBe(cut)
})

it.each([
  ['Hermes', '<tool_call>{"name":"read","arguments":{"id":12345678901234567890}}</tool_call>'],
  ['GLM', '<tool_call>read<arg_key>id</arg_key><arg_value>12345678901234567890</arg_value></tool_call>'],
  ['Gemma', '<|tool_call>call:read{id:12345678901234567890}<tool_call|>'],
])('a long number in a call of %s stays as it is written', (_, text) => {
  expect(read([text]).calls).toEqual([{ name: 'read', arguments: '{"id":12345678901234567890}' }])
})
