import type { ModelMessage } from '../../models/model.ts'
import { countCharacters, measureText } from '../../models/token-estimate.ts'
import type { ActiveReply } from '../reply.ts'

/** What stays of a result, however many there are. */
const minResultCharacters = 800

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** The most that each may have, so that all together have no more than the room: the largest are cut first. */
function findLargest(sizes: readonly number[], room: number): number {
  let left = room
  const sorted = sizes.toSorted((a, b) => a - b)
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (size > share) return Math.max(minResultCharacters, Math.floor(share))
    left -= size
  }
  return Infinity
}

/**
 * Cuts the results of a reply's calls, so that its rounds have room in the next request. The model can read on in what is cut.
 * @param room characters of all rounds, as `measureText` counts them
 * @returns the ids of the calls whose results were cut
 */
export function shortenResults(
  { progress, resultPager }: Pick<ActiveReply, 'progress' | 'resultPager'>,
  room: number,
): string[] {
  const { roundMessages } = progress
  const isResult = (message: ModelMessage): message is ToolMessage & { content: string } =>
    message.role === 'tool' && typeof message.content === 'string'
  const results = roundMessages.filter(isResult)
  const others = roundMessages.filter((message) => !isResult(message))
  const taken = others.reduce((sum, message) => sum + countCharacters(message), 0)
  const sizes = results.map(({ content }) => measureText(content))
  const largest = findLargest(sizes, room - taken)
  const cut: string[] = []
  for (const [index, message] of roundMessages.entries()) {
    if (!isResult(message)) continue
    const content = resultPager.shorten(message.tool_call_id, message.content, largest)
    if (content.length >= message.content.length) continue
    roundMessages[index] = { ...message, content }
    cut.push(message.tool_call_id)
  }
  return cut
}
