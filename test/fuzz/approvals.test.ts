import { expect, it } from 'vitest'
import { runView } from '#shared/contracts/runs.ts'
import { prepareCall } from '../../functions/chat/tools/run-tool.ts'
import { toRunView, type Run } from '../../functions/conversations/store/run.ts'
import type { Tool } from '../../functions/tools/calls/tool.ts'
import { anyJson, arbitraryText, fc, stringify } from '../support/fuzz.ts'

/** A server's tool that accepts any arguments. */
const tool: Tool = {
  name: 'any',
  description: 'Takes anything',
  parameters: { schema: { type: 'object' }, check: (input) => ({ input }) },
  writes: true,
  activity: 'other',
  timeoutMs: 30_000,
  run: () => Promise.resolve(undefined),
}

const buildWaitingRun = (argumentsText: string): Run => ({
  sub: 'ann',
  sessionId: 's',
  runId: 'r',
  turn: 1,
  messageId: 'm',
  replyId: 'a',
  status: 'waiting',
  isSaved: true,
  startedAtMs: 0,
  heartbeatAtMs: 0,
  fileIds: [],
  epoch: 1,
  watchedUntilMs: 0,
  pending: [
    {
      callId: 'c',
      kind: 'approval',
      tool: tool.name,
      title: 'Any',
      fingerprint: '',
      arguments: argumentsText,
      askedAtMs: 0,
    },
  ],
})

it('the page shows exactly the arguments that run after the approval, whatever the model writes (H3)', () => {
  const anyArguments = fc.oneof(
    anyJson().map(stringify),
    fc.dictionary(arbitraryText(20), anyJson()).map(stringify),
    arbitraryText(),
  )
  fc.assert(
    fc.property(anyArguments, (text) => {
      const { input, problem } = prepareCall([tool], { id: 'c', name: tool.name, arguments: text })
      if (problem !== undefined) return
      const storedArguments = JSON.stringify(input)
      const shownArguments = JSON.stringify(
        runView.parse(toRunView(buildWaitingRun(storedArguments))).questions?.[0]?.arguments,
      )
      expect(shownArguments).toBe(storedArguments)
    }),
    { examples: [['{"to":"ann@example.org","__proto__":{"bcc":"mallory@evil.example"}}']] },
  )
})
