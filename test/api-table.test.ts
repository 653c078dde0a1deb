import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { apiDocs, buildApiList } from './api-table.ts'

const docs = await readFile(apiDocs, 'utf8')
const cells = (table: string) =>
  table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

it('docs/api.md lists every route correctly: npm run docs:api writes the list', () => {
  const [, list = ''] = docs.split('<!-- routes:')
  const items = (list.split('<!-- end of routes -->')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('- '))
  expect(items).toEqual(buildApiList().split('\n'))
})

it('docs/api.md describes every event of the stream, and no other', async () => {
  const source = await readFile(new URL('../shared/chat-events.ts', import.meta.url), 'utf8')
  const [union = ''] = source.split('/** What a tool that runs is doing. */')
  const types = [...union.matchAll(/\btype: '([a-z-]+)'/g)].map(([, type]) => type)
  const [, section = ''] = docs.split('<!-- events -->')
  const described = cells(section.split('<!-- end of events -->')[0] ?? '').flatMap(([, names = '']) =>
    [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
  )
  expect(types.length).toBeGreaterThan(20)
  expect(new Set(described)).toEqual(new Set(types))
})
