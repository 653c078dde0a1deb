import { toReplyParts } from '../../functions/conversations/turns/stored-reply.ts'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCalls } from '../../functions/chat/tools/call-tools.ts'
import { resultPager } from '../../functions/chat/tools/result-pager.ts'
import { toStorable, toStorableFields } from '../../functions/platform/dynamodb/storable.ts'
import type { Tool } from '../../functions/tools/calls/tool.ts'
import { anyJson, fc, divideRuns } from '../support/fuzz.ts'
import { buildGenerateInput } from '../support/reply-input.ts'
import { openTestTable } from '../support/table.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

/** Checks names that DynamoDB refuses but the SDK does not. @returns the levels of nesting */
function measureDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.entries(value).map(([name, one]) => {
    expect(name).not.toBe('')
    expect(name.isWellFormed()).toBe(true)
    return measureDepth(one)
  })
  return 1 + Math.max(0, ...inner)
}

async function expectStorable(item: Record<string, unknown>): Promise<void> {
  expect(measureDepth(item)).toBeLessThan(32)
  const Item = { PK: 'fuzz', SK: 'fuzz', ...item }
  await table.client.send(new PutCommand({ TableName: table.name, Item }))
}

it('any text of an untrusted sender fits into a row, and text that fits is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson(), fc.integer({ min: 0, max: 300 }), async (value, maxCharacters) => {
      const storable = toStorable(value, maxCharacters)
      await expectStorable({ storable, fields: toStorableFields({ value }, maxCharacters) })
      expect(JSON.stringify(storable).length).toBeLessThan(6 * maxCharacters + 100)
    }),
    {
      examples: [
        [JSON.parse('{"__proto__":""}'), 100],
        [{ constructor: '' }, 100],
      ],
    },
  )
  const storableValue = { a: [1, 'x', null, { b: true, 'a b': -0.5 }] }
  expect(toStorable(storableValue, 100)).toBe(storableValue)
})

it('a reply with its calls fits into a row, whatever tools and model wrote', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyJson(), fc.nat(100_000), fc.constantFrom('x', '€', '👋')), {
        minLength: 1,
        maxLength: 12,
      }),
      async (answers) => {
        const remaining = [...answers]
        const tool: Tool = {
          name: 'ask',
          description: '',
          parameters: { schema: {}, check: (input) => ({ input }) },
          writes: false,
          activity: 'other',
          timeoutMs: 30_000,
          async run() {
            const [value, size, letter] = remaining.shift() ?? []
            return [value, letter?.repeat(size ?? 0)]
          },
        }
        const model = { complete: () => Promise.reject(new Error('no model is asked')) }
        const callingInput = {
          ...buildGenerateInput(model, { tools: [tool] }),
          offered: [tool],
          resultPager: resultPager(),
        }
        for (const [at, [, size, letter]] of answers.entries())
          await startCalls(callingInput, [
            { id: `c${at}`, name: 'ask', arguments: JSON.stringify({ at, a: letter.repeat(size) }) },
          ])
        const { toolCalls } = toReplyParts(callingInput.events.reply)
        expect(toolCalls).toHaveLength(answers.length)
        const item = { content: '€'.repeat(100_000), tool_calls: toolCalls }
        await expectStorable(item)
        expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(400 * 1_024)
      },
    ),
    divideRuns(5),
  )
})
