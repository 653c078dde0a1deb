import { expect, it } from 'vitest'
import { addCounts, createLeftOutCounter } from './left-out.ts'
import { describeLeftOut } from './describe-left-out.ts'

it.each([
  [['Asana', 'Asana'], 'Calls of tools, with their results: 2 (Asana)'],
  [['Asana', ''], 'Calls of tools, with their results: 2 (Asana, …)'],
  [['', ''], 'Calls of tools, with their results: 2'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'Calls of tools, with their results: 6 (a, b, c, d, e, …)'],
])('%j is “%s”, counted together or apart', (names, text) => {
  const [all, ...parts] = [names, ...names.map((name) => [name])].map((some) => {
    const counter = createLeftOutCounter()
    for (const name of some) counter.add('toolCalls', { name })
    return counter.getCounts()
  })
  for (const counts of [all, parts.reduce(addCounts)])
    expect(describeLeftOut('toolCalls', counts!.toolCalls!)).toBe(text)
})
