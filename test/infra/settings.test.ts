import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configKeys } from '../../infra/aws/config.ts'
import { configurations } from './configurations.ts'
import { synthesise } from './synthesised.ts'

const page = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8')

describe('docs/deploy.md', () => {
  it('lists exactly the existing keys', () => {
    const [, table = ''] = /\n(\| key +\|[^]*?)\n\n/.exec(page) ?? []
    const listedKeys = table
      .split('\n')
      .slice(2)
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key = '']) => key))
    expect(listedKeys.toSorted()).toEqual([...configKeys].toSorted())
  })

  it('uses no other key in its commands', () => {
    const usedKeys = [...page.matchAll(/-c (\w+)=/g)].map(([, key = '']) => key)
    expect(usedKeys.length).toBeGreaterThan(10)
    expect(usedKeys.filter((key) => !configKeys.includes(key))).toEqual([])
  })
})

describe('addresses that may be called although they are private or plain http', () => {
  it('are passed to every function that calls foreign addresses, and to no other', () => {
    const receivers = synthesise(configurations.full)
      .resources('api', 'AWS::Lambda::Function')
      .filter(({ Properties }) =>
        JSON.stringify(Properties['Environment'] ?? {}).includes(
          '"OUTBOUND_ALLOW":"models.example.org:8443"',
        ),
      )
    expect(receivers.map(({ id }) => id).toSorted()).toEqual([
      'Account',
      'Chat',
      'ConnectionRefresh',
      'Integrations',
      'ManualSync',
      'Notifier',
      'Oauth',
      'RegistrySync',
      'ScheduleWorker',
      'Tools',
    ])
  })
})
