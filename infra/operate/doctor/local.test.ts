import { describe, expect, it } from 'vitest'
import { loadContext } from '../stage.ts'
import { checkConfig, checkNode, checkSite } from './local.ts'

describe('checkNode', () => {
  it.each([
    ['20.0.0', 'ok'],
    ['24.21.0', 'ok'],
    ['19.9.0', 'problem'],
    ['8.10.0', 'problem'],
  ])('reports %s as %s where 20 is needed', (version, level) => {
    expect(checkNode(version, '>=20').level).toBe(level)
  })

  it('accepts the running version', () => {
    expect(checkNode().level).toBe('ok')
  })
})

describe('checkConfig', () => {
  it('lists the stacks’ names', () => {
    const { config, finding } = checkConfig(loadContext(['stage=live']))
    expect(config?.prefix).toBe('juno-live')
    expect(finding).toEqual({ level: 'ok', found: 'valid; the stacks are called juno-live-….' })
  })

  it('reports all errors at once, including an unknown key', () => {
    const { config, finding } = checkConfig(loadContext(['stage=1', 'recoveryDays=99', 'recoverDays=3']))
    expect(config).toBeUndefined()
    expect(finding.level).toBe('problem')
    for (const key of ['stage must', 'recoveryDays must', 'recoverDays is not known'])
      expect(finding.found).toContain(key)
  })
})

describe('checkSite', () => {
  it.each([
    ['current', 'ok'],
    ['old', 'warning'],
    ['missing', 'warning'],
  ] as const)('%s: %s', (build, level) => {
    expect(checkSite(build).level).toBe(level)
  })
})
