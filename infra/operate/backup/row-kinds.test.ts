import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hashOwner } from '../../../functions/platform/auth/link-suspension.ts'
import { decodeItem, encodeItem, replaceTexts } from './items.ts'
import { findRowKind, idReplacer } from './row-kinds.ts'

const [ann, now] = ['0b8f4f3e-1111-4a2b-8c3d-5e6f7a8b9c0d', '9c1d2e3f-2222-4b3c-9d4e-6f7a8b9c0d1e']

/** The keys of the entities in docs/table.md: partition and an example of a sort key. */
function listDocumentedKeys(): [entity: string, PK: string, SK: string][] {
  const rows = readFileSync(new URL('../../../docs/table.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
  return rows.flatMap((line) => {
    const [, entity = '', keys = ''] = line
      .split(' | ')
      .map((cell) => cell.replace(/^\| /, '').trim())
      .toSpliced(0, 0, '')
    const [partitions = '', sortKeys = ''] = keys.split(' / ')
    const read = (cell: string) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key.replaceAll('sub', ann))
    return read(partitions).flatMap((PK) =>
      (sortKeys === '' ? ['x'] : read(sortKeys)).map((SK): [string, string, string] => [
        entity,
        PK,
        SK || 'x',
      ]),
    )
  })
}

it('every kind of row in the documentation is known', () => {
  const documented = listDocumentedKeys()
  expect(documented.length).toBeGreaterThan(50)
  const unknown = documented.filter(([, PK, SK]) => !findRowKind({ PK: { S: PK }, SK: { S: SK } }))
  expect(unknown).toEqual([])
})

it.each([
  [`U#${ann}`, 'MFA', {}, true],
  [`U#${ann}`, 'MEMORIES', {}, false],
  [`U#${ann}`, 'C#gmail', {}, true],
  [`U#${ann}`, 'V#x#1', {}, true],
  [`U#${ann}`, 'T#own', {}, false],
  [`U#${ann}`, 'T#own', { secret_name: { S: 'x' } }, true],
  [`OUT#${hashOwner(ann)}`, 'ENDED', {}, false],
  [`OUT#${ann}`, 'OUT', {}, true],
  ['PUSH', 'KEY', {}, true],
  ['CLIENT#x', 'CLIENT#y', {}, true],
])('%s %s %j is left out: %s', (PK, SK, rest, isLeftOut) => {
  const kind = findRowKind({ PK: { S: PK }, SK: { S: SK }, ...rest })
  expect(kind?.leftOut !== undefined).toBe(isLeftOut)
})

it('ids are replaced in keys, links, sets, lists and names of maps, and hashes of owners too; bytes stay', () => {
  const item = {
    PK: { S: `U#${ann}` },
    owner: { S: hashOwner(ann) },
    ended: { S: `OUT#${hashOwner(ann)}` },
    set: { SS: [`users/${ann}/1/original`, 'other'] },
    list: { L: [{ M: { [ann]: { N: '1' } } }] },
    bytes: { B: new Uint8Array([31, 139, 255]) },
    parts: { BS: [new Uint8Array([1])] },
    flag: { BOOL: true },
  }
  const copy = decodeItem(JSON.parse(JSON.stringify(encodeItem(item))) as Record<string, unknown>)
  const moved = replaceTexts(copy, idReplacer(new Map([[ann, now]])))
  expect(moved).toEqual({
    ...item,
    PK: { S: `U#${now}` },
    owner: { S: hashOwner(now) },
    ended: { S: `OUT#${hashOwner(now)}` },
    set: { SS: [`users/${now}/1/original`, 'other'] },
    list: { L: [{ M: { [now]: { N: '1' } } }] },
    bytes: { B: Buffer.from([31, 139, 255]) },
    parts: { BS: [Buffer.from([1])] },
  })
})
