import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLogFile } from './function-logs.ts'

it('starts a new log when it is full, also across a restart, and keeps the previous one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'juno-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log.jsonl')
  const append = openLogFile(file, 20)
  for (const line of ['first line\n', 'second line\n', 'third line\n']) append(line)
  expect(readFileSync(file, 'utf8')).toBe('third line\n')
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('first line\nsecond line\n')
  const appendLater = openLogFile(file, 20)
  for (const line of ['fourth line\n', 'fifth line\n']) appendLater(line)
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('third line\nfourth line\n')
  expect(readdirSync(folder)).toEqual(['log.jsonl', 'log.jsonl.1'])
})
