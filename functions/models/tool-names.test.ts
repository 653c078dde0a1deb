import { describe, expect, it } from 'vitest'
import { ToolNames } from './tool-names.ts'

const names = new ToolNames(
  ['send', 'send_mail', 'tool.odd', 'now', 'now:1'].map((name) => ({ type: 'function', function: { name } })),
)

// https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md
it.each([
  ['send', 'send'],
  ...['function', 'functions', 'tool', 'tools', 'default_api'].map((prefix) => [`${prefix}.send`, 'send']),
  ['functions:send', 'send'],
  ['functions/send', 'send'],
  ['functions-send', 'functions-send'],
  ['send:0', 'send'],
  ['send:1234', 'send'],
  ['send:12345', 'send_12345'],
  ['send:x', 'send_x'],
  ['send:0x', 'send_0x'],
  ['send:0_mail', 'send_0_mail'],
  ['functions.send_mail:12', 'send_mail'],
  // a name as it is offered
  ['tool.odd', 'tool.odd'],
  ['now:1', 'now:1'],
  // with marks of a template behind it: vllm-project/vllm#32587, fw-ai-external/python-sdk#119
  ['send<|channel|>commentary', 'send'],
  ['functions.send_mail<|constrain|>json', 'send_mail'],
  ['send</arg_value>', 'send'],
  // of no tool that is offered, in letters that every server takes back: mcp-use/mcp-use#90
  ['functions.other:3', 'functions_other_3'],
  ['my.functions.send', 'my_functions_send'],
  ['web search[791e0f]', 'web_search_791e0f_'],
  ['x'.repeat(65), 'x'.repeat(64)],
  ['', ''],
])('%s names %s', (written, name) => {
  expect(names.resolve(written)).toBe(name)
})

describe('a name that arrives in pieces', () => {
  it.each([
    ['', true],
    ['s', true],
    ['send', true],
    ['send_', true],
    ['send_mail', false],
    ['send_mails', false],
    ['end', false],
    ['other', false],
    ['f', true],
    ['func', true],
    ['functions', true],
    ['default_a', true],
    ['functions.', true],
    ['functions.se', true],
    ['functions.send_mail', false],
    ['functions.x', false],
    ['xfunctions', false],
  ])('may go on after "%s": %s', (name, mayContinue) => {
    expect(names.mayContinue(name)).toBe(mayContinue)
  })

  it.each([
    ['send_mail', true],
    ['functions.send_mail', true],
    ['send_', true],
    ['send_mail:0', true],
    ['sendsend', false],
  ])('has begun with "%s": %s', (name, isBeginning) => {
    expect(names.isBeginning(name)).toBe(isBeginning)
  })
})
