import { parseArgs } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseUsage, usageOptions } from './usage.ts'

const parse = (...args: string[]) => parseUsage(parseArgs({ args, options: usageOptions }).values)

describe('parseUsage', () => {
  it('has defaults, with a visit for each five turns', () => {
    expect(parse()).toEqual({
      users: 20,
      turns: 10_000,
      runs: 0,
      seconds: 10,
      visits: 2_000,
      integrations: 1,
      files: 100,
      fileMb: 2,
      months: 12,
      freeTier: false,
    })
    expect(parse('--turns', '7').visits).toBe(2)
    expect(parse('--visits', '0', '--free-tier')).toMatchObject({ visits: 0, freeTier: true })
  })

  it.each([
    [['--users', 'many'], '--users many must be a number, 0 or more.'],
    [['--turns', ''], '--turns  must be a number, 0 or more.'],
    [['--months=-1'], '--months -1 must be a number, 0 or more.'],
    [['--files', 'Infinity'], '--files Infinity must be a number'],
    [['--seconds', '0'], '--seconds 0 must be above 0 and at most 300'],
    [['--seconds', '301'], '--seconds 301 must be above 0 and at most 300'],
  ])('refuses %j with an explanation', (args, message) => {
    expect(() => parse(...args)).toThrow(message)
  })
})
