import { expect, it } from 'vitest'
import { findReached, listImports } from './support/import-graph.ts'

it.each([
  ["import { a } from './a.ts'", 'functions/chat/a.ts'],
  ["import {\n  a,\n  type B,\n} from '../mfa/a.ts'", 'functions/mfa/a.ts'],
  ["import '#shared/a.ts'", 'shared/a.ts'],
  ["export * from './a.ts'", 'functions/chat/a.ts'],
  ["const { a } = await import('./a.ts')", 'functions/chat/a.ts'],
  ["new Worker(new URL('./a.ts', import.meta.url))", 'functions/chat/a.ts'],
  ["import rows from '../../infra/rows.json' with { type: 'json' }", 'infra/rows.json'],
])('%j loads %s', (source, file) => {
  expect(listImports('functions/chat/b.ts', source)).toEqual([file])
})

it.each(["import type { A } from './a.ts'", "export type { A } from './a.ts'", "import { z } from 'zod'"])(
  '%j loads nothing of the project',
  (source) => {
    expect(listImports('functions/chat/b.ts', source)).toEqual([])
  },
)

it('a change reaches what imports it, nearest first, also in a circle and from a deleted file', () => {
  const sources = new Map([
    ['a.test.ts', "import './b.ts'"],
    ['b.ts', "import './deleted.ts'\nimport './c.ts'"],
    ['c.ts', "import './b.ts'"],
    ['d.test.ts', "import './e.ts'"],
  ])
  expect([...findReached(['deleted.ts'], sources)]).toEqual([
    ['deleted.ts', 0],
    ['b.ts', 1],
    ['a.test.ts', 2],
    ['c.ts', 2],
  ])
})
