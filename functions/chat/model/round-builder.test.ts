import { expect, it } from 'vitest'
import type { ModelCall } from './model.ts'
import { modelErrors } from './model-errors.ts'
import { RoundBuilder } from './round-builder.ts'

const call: ModelCall = {
  messages: [],
  tools: [],
  signal: new AbortController().signal,
  onText: () => undefined,
  onOmit: () => undefined,
}

it.each<[string, (round: RoundBuilder) => void, { code: string }]>([
  ['nothing is no answer', () => undefined, modelErrors.empty],
  ['text', (round) => round.addText('Hi'), modelErrors.cut],
  ['a call', (round) => round.addToolInput(0, {}), modelErrors.cut],
  ['reasoning that may be read', (round) => round.addReasoningText('', 'r'), modelErrors.cut],
  [
    'reasoning that may not',
    (round) => round.addReasoning('r', { api: 'responses', model: 'm', item: {} }),
    modelErrors.cut,
  ],
])('a stream that breaks off after %s', (_, add, { code }) => {
  const round = new RoundBuilder(call)
  add(round)
  expect(() => round.build(false)).toThrow(expect.objectContaining({ code }))
})
