import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { beginStream, chunk, type ModelBehaviour } from './fake-model-server.ts'

/** A reply of the fake model that goes on only when the test says so. */
export interface PausableReply {
  readonly behaviour: ModelBehaviour
  /** resolves when the model was called and has sent its first words */
  readonly modelCalled: Promise<void>
  /** resolves when the client closes the connection before the end */
  readonly cut: Promise<void>
  say(text: string): void
  /** completes the reply */
  finish(text?: string): void
}

export function pausableReply(firstWords: string): PausableReply {
  const called = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  let response: ServerResponse | undefined
  const write = (text: string) => {
    if (!response) throw new Error('the model was not called yet')
    response.write(text)
  }
  return {
    async behaviour(opened) {
      response = opened
      beginStream(opened)
      if (firstWords !== '') opened.write(chunk({ content: firstWords }))
      called.resolve()
      await once(opened, 'close')
      if (!opened.writableFinished) cut.resolve()
    },
    modelCalled: called.promise,
    cut: cut.promise,
    say: (text) => write(chunk({ content: text })),
    finish(text = '') {
      if (text !== '') write(chunk({ content: text }))
      write(chunk({}, 'stop'))
      response?.end('data: [DONE]\n\n')
    },
  }
}
