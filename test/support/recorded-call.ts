import type { ModelCall } from '../../functions/models/model.ts'

/** A request to a model without a prompt, and the pieces of its answer that were passed on, in order: the kind of each, then the piece. */
export function recordedCall(): { call: ModelCall; received: unknown[] } {
  const received: unknown[] = []
  const call: ModelCall = {
    messages: [],
    tools: [],
    signal: new AbortController().signal,
    onText: (delta) => received.push(['text', delta]),
    onReasoning: (...args) => received.push(['reasoning', ...args]),
    onToolInput: ({ id, delta }) => received.push(['input', id, delta]),
    onSource: (source) => received.push(['source', source]),
    onWebSearch: () => received.push(['search']),
    onImage: (url) => received.push(['image', url]),
    onOmit: () => undefined,
  }
  return { call, received }
}
