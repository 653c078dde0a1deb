import { expect, it } from 'vitest'
import { toFileName, toHyphenatedFileName } from './file-name.ts'

it.each([
  ['Plan', 'Plan'],
  ['Q3: costs / income? "final" <2>|*', 'Q3 costs income final 2'],
  ['back\\slash', 'back slash'],
  ['tab\tline\r\nend\u2028bell\u0007', 'tab line end bell'],
  ['. .hidden. ', 'hidden'],
  ['v1.2 notes', 'v1.2 notes'],
  ['half of a pair \ud83d', 'half of a pair'],
  ['turned\u202egpj', 'turned gpj'],
  ['', undefined],
  [' ./. ', undefined],
])('makes a file name of %j', (text, name) => {
  expect(toFileName(text)).toBe(name)
})

it.each([
  ['con', 'con_'],
  ['LPT1', 'LPT1_'],
  ['COM¹', 'COM¹_'],
  ['conin$', 'conin$_'],
  ['Con. law notes', 'Con_. law notes'],
  ['nul .backup.old', 'nul_ .backup.old'],
  ['Contract', 'Contract'],
  ['constitutional law. con', 'constitutional law. con'],
])('no name is that of a device of Windows, also before its first dot: %j', (text, name) => {
  expect(toFileName(text)).toBe(name)
})

it('keeps the joiners within words and emoji, and the marks of letters', () => {
  // "I want" in Persian, with the non-joiner that belongs to its spelling
  expect(toFileName('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645')).toBe(
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  )
  expect(toFileName('Our 👩\u200d💻 plan')).toBe('Our 👩\u200d💻 plan')
  expect(toFileName(':\u200cx\u200d:')).toBe('x')
  expect(toFileName('a:\u200cx')).toBe('a \u200cx')
  expect(toFileName('\u200c\u200d')).toBeUndefined()
  expect(toHyphenatedFileName('Our 👩\u200d💻 plan')).toBe('Our-plan')
  expect(toHyphenatedFileName('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 2')).toBe(
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645-2',
  )
})

it('cuts a long text, with no half of a character and no space at the end', () => {
  expect(toFileName(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79))
  expect(toHyphenatedFileName(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79))
  expect(toFileName('😀'.repeat(100))).toBe('😀'.repeat(40))
  expect(toFileName(`a${'😀'.repeat(100)}`)).toBe(`a${'😀'.repeat(39)}`)
  for (const character of ['a', 'ж', '漢', '😀'])
    expect(new TextEncoder().encode(toFileName(character.repeat(300))).length).toBeLessThanOrEqual(255 - 15)
})
