import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configurations } from './configurations.ts'
import { findRefusals } from './references.ts'
import { digestRelease, findLosses, type ReleaseDigest, type StatefulResource } from './release-digest.ts'
import { synthesise } from './synthesised.ts'

/** Written by record-release.ts. */
const previous = JSON.parse(
  readFileSync(new URL('previous-release.json', import.meta.url), 'utf8'),
) as Record<string, ReleaseDigest>

describe('an upgrade from the previous release (DEC-187)', () => {
  it.each(Object.entries(configurations))(
    'deletes and replaces no resource with users’ data, and is accepted: %s',
    (name, context) => {
      const before = previous[name]
      if (!before) throw new Error(`${name} is not in previous-release.json: record-release.ts`)
      expect(Object.keys(before.stateful['data'] ?? {}).length).toBeGreaterThanOrEqual(3)
      const after = digestRelease(synthesise(context))
      expect(findLosses(before, after)).toEqual([])
      expect(findRefusals(before.references, after.references)).toEqual([])
    },
  )

  it('would be detected if it lost a table by each of these changes', () => {
    const table: StatefulResource = {
      type: 'AWS::DynamoDB::Table',
      deletionPolicy: 'Retain',
      updateReplacePolicy: 'Retain',
      properties: { KeySchema: [{ AttributeName: 'PK' }], Schema: [{ Name: 'email' }] },
    }
    const digest = (resources: Record<string, StatefulResource>): ReleaseDigest => ({
      references: {},
      stateful: { data: resources },
    })
    const listLosses = (next: Record<string, StatefulResource>) =>
      findLosses(digest({ Table: table }), digest(next))
    const name = 'data Table (AWS::DynamoDB::Table)'
    expect(listLosses({ Table: table })).toEqual([])
    expect(listLosses({ Other: table })).toEqual([`${name} is deleted`])
    expect(listLosses({ Table: { ...table, properties: { ...table.properties, TableName: 'a' } } })).toEqual([
      `${name} changes TableName`,
    ])
    expect(
      listLosses({ Table: { ...table, deletionPolicy: 'Delete', updateReplacePolicy: 'Delete' } }),
    ).toHaveLength(2)
    const listSchemaLosses = (...names: string[]) =>
      listLosses({
        Table: { ...table, properties: { ...table.properties, Schema: names.map((Name) => ({ Name })) } },
      })
    expect(listSchemaLosses('name', 'email')).toEqual([])
    expect(listSchemaLosses('name')).toEqual([`${name} changes Schema`])
  })
})
