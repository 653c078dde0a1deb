import { describe, expect, it } from 'vitest'
import { newConversationIds, aRun, openSharedStores } from '../../../test/support/conversations.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { chunkBytes } from '../../platform/limits.ts'
import { ReplyLog, type LogPart } from './reply-log.ts'

const { logs, table } = await openSharedStores()

const newRun = () => aRun(newConversationIds())

const joinText = (parts: readonly LogPart[]) =>
  parts.map((part) => ('text' in part ? part.text : '')).join('')
const listEvents = (parts: readonly LogPart[]) =>
  parts.flatMap((part) => ('event' in part ? [part.event] : []))

/** A round of calls, each with as much text as a call can store. */
function pushRound(reply: ReplyLog, round: number) {
  for (let call = 0; call < 16; call += 1)
    reply.push({
      type: 'tool-input-available',
      toolCallId: `c${round}.${call}`,
      toolName: 'write',
      input: { text: '漢'.repeat(20_000) },
    })
}

it('a checkpoint that is larger than a row is split, and read back unchanged', async () => {
  const run = newRun()
  const reply = new ReplyLog()
  pushRound(reply, 0)
  const text = '"\\\u0001漢😀'.repeat(20_000)
  reply.push({ type: 'text-delta', id: 't', delta: text })
  pushRound(reply, 1)
  await logs.append(run, reply.readAfter(0))
  const storedParts = await logs.read(run, 0)
  expect(joinText(storedParts)).toBe(text)
  expect(listEvents(storedParts)).toEqual(listEvents(reply.readAfter(0)))
  expect(storedParts.at(-1)?.to).toBe(reply.position)
  for (const [index, part] of storedParts.entries())
    expect(part.from).toBe(index === 0 ? 0 : storedParts[index - 1]?.to)
})

it('the checkpoint after a large one is read from the position where that ended', async () => {
  const run = newRun()
  const reply = new ReplyLog()
  pushRound(reply, 0)
  await logs.append(run, reply.readAfter(0))
  const { position } = reply
  reply.push({ type: 'text-delta', id: 't', delta: 'And then.' })
  await logs.append(run, reply.readAfter(position))
  expect(await logs.read(run, position)).toEqual([
    { from: position, to: position + 9, textId: 't', text: 'And then.' },
  ])
})

it('an event that is too large for a row is left out, and the next ones are stored', async () => {
  const run = newRun()
  const reply = new ReplyLog()
  reply.push({ type: 'tool-output-available', toolCallId: 'c', output: 'x'.repeat(500_000) })
  reply.push({ type: 'text-delta', id: 't', delta: 'After.' })
  await logs.append(run, reply.readAfter(0))
  expect(joinText(await logs.read(run, 0))).toBe('After.')
  expect(listEvents(await logs.read(run, 0))).toEqual([])
})

it('checkpoints have no incomplete arguments of calls, and keep reasoning apart from text with the same id', async () => {
  const run = newRun()
  const reply = new ReplyLog()
  reply.push({ type: 'reasoning-delta', id: 't', delta: 'Hm.' })
  reply.push({ type: 'text-delta', id: 't', delta: 'Well.' })
  reply.push({ type: 'tool-input-delta', toolCallId: 't', inputTextDelta: '{"secret":' })
  reply.push({ type: 'finish-step' })
  await logs.append(run, reply.readAfter(0))
  expect(await logs.read(run, 0)).toEqual([
    { from: 0, to: 3, textId: 't', text: 'Hm.', kind: 'reasoning' },
    { from: 3, to: 8, textId: 't', text: 'Well.' },
    { from: 18, to: 19, event: { type: 'finish-step' } },
  ])
})

describe('rows of checkpoints', () => {
  const listRows = ({ sub, sessionId, runId }: ReturnType<typeof newRun>) =>
    queryAll(table, { partition: `U#${sub}`, prefix: `LOG#${sessionId}#${runId}#` })
  /** An event that takes so many bytes of a row. */
  const eventOf = (from: number, bytes: number): LogPart => {
    const build = (output: string): LogPart => ({
      from,
      to: from + 1,
      event: { type: 'tool-output-available', toolCallId: 'c', output },
    })
    const around = JSON.stringify([[from, 'event' in build('') && (build('') as { event: object }).event]])
    return build('x'.repeat(bytes - around.length))
  }

  it('hold events up to their size, together and alone', async () => {
    const half = chunkBytes / 2
    for (const [sizes, rows] of [
      [[half, half], 1],
      [[half, half + 1], 2],
      [[half, half, half], 2],
      [[chunkBytes], 1],
      [[chunkBytes + 1], 0],
      [[10 + half, chunkBytes, 10 + half], 3],
    ] as const) {
      const run = newRun()
      const parts = sizes.map((bytes, index) => eventOf(index, bytes))
      await logs.append(run, parts)
      expect(await listRows(run)).toHaveLength(rows)
      expect(await logs.read(run, 0)).toEqual(rows === 0 ? [] : parts)
    }
  })

  it('hold text in pieces of 32,000 characters, each at its position', async () => {
    const run = newRun()
    const text = `${'a'.repeat(32_000)}${'b'.repeat(32_000)}c`
    await logs.append(run, [{ from: 7, to: 7 + text.length, textId: 't', text, kind: 'reasoning' }])
    expect(await logs.read(run, 0)).toEqual([
      { from: 7, to: 32_007, textId: 't', text: 'a'.repeat(32_000), kind: 'reasoning' },
      { from: 32_007, to: 64_007, textId: 't', text: 'b'.repeat(32_000), kind: 'reasoning' },
      { from: 64_007, to: 64_008, textId: 't', text: 'c', kind: 'reasoning' },
    ])
    const [row] = await listRows(run)
    expect(row?.['SK']).toBe(`LOG#${run.sessionId}#${run.runId}#000000007`)
  })
})
