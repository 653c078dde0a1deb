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
  ['send:12345', 'send:12345'],
  ['send:x', 'send:x'],
  ['send:0x', 'send:0x'],
  ['send:0_mail', 'send:0_mail'],
  ['functions.send_mail:12', 'send_mail'],
  // a name as it is offered
  ['tool.odd', 'tool.odd'],
  ['now:1', 'now:1'],
  // of no tool that is offered
  ['functions.other:3', 'functions.other:3'],
  ['my.functions.send', 'my.functions.send'],
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
