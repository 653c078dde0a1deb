import type { ModelCall } from '../../functions/chat/model/model.ts'

/** A call of a model without a prompt, and what its answer passed on, in order: the kind of each piece, then the piece. */
export function recordedCall(): { call: ModelCall; passed: unknown[] } {
  const passed: unknown[] = []
  const call: ModelCall = {
    messages: [],
    tools: [],
    signal: new AbortController().signal,
    onText: (delta) => passed.push(['text', delta]),
    onReasoning: (...args) => passed.push(['reasoning', ...args]),
    onToolInput: ({ id, delta }) => passed.push(['input', id, delta]),
    onSource: (source) => passed.push(['source', source]),
    onOmit: () => undefined,
  }
  return { call, passed }
}
