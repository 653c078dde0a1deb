import type { Coded, Sentence } from '#shared/sentences/sentence.ts'
import { joinSentences, toCodes } from '#shared/sentences/to-sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import type { Activity } from '#shared/chat-events.ts'
import { findClosestNames } from '../../tools/offer/rank-tools.ts'
import type { RichContent, Tool } from '../../tools/calls/tool.ts'
import { parseExactJson } from '../../platform/exact-json.ts'
import { isDeeperThan, maxUntrustedDepth } from '../../platform/http/json-depth.ts'
import type { ModelTool, ModelToolCall } from '../../models/model.ts'
import { formatResultData } from '../../models/tool-messages.ts'
import { InputRequired, TaskUnfinished } from '../../tools/calls/unfinished-calls.ts'
import type { CallHistory } from '../../conversations/store/run.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'
import { sayFailure } from '../../tools/calls/say-failure.ts'
import { takeSentences } from '../../tools/calls/take-sentences.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'

/** Outcome of a call. The model reads errors as results and can correct them. */
export type ToolOutcome = { /** the whole result as text */ forModel: string } & (
  | { success: true; data: unknown; sentences?: readonly Sentence[]; rich?: RichContent }
  | { success: false; error: string; codes: readonly Coded[] }
)

export interface PreparedCall {
  call: ModelToolCall
  /** the tool that the model named, if it was offered */
  tool: Tool | undefined
  input: Record<string, unknown>
  /** why the call cannot run as the model wrote it */
  problem: Sentence | undefined
  /** what happened to the call so far, if it waited for the user before */
  history?: CallHistory | undefined
}

/** The outcome of a call that failed. */
export function toFailure(failure: Sentence | readonly Sentence[]): ToolOutcome {
  const sentences = [failure].flat()
  const error = joinSentences(sentences).slice(0, maxErrorCharacters)
  return { success: false, error, codes: toCodes(sentences), forModel: `Error: ${error}` }
}

/** The size of arguments that a card can show and a request can return after changes (`runs.answer` accepts 512 KB). */
const maxArgumentsBytes = 150_000

/** Whether a call's arguments are longer than a card can show. */
export const isTooLong = ({ arguments: text }: Pick<ModelToolCall, 'arguments'>) =>
  Buffer.byteLength(text) > maxArgumentsBytes

/** @returns undefined if the arguments are not a JSON object */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  if (isDeeperThan(maxUntrustedDepth, text)) return undefined
  try {
    const value = parseExactJson(text || '{}', (key) => {
      // a field of this name is lost on the way to the approval card, and would be sent without being shown
      if (key === '__proto__') throw new SyntaxError('__proto__ is no name of an argument')
    })
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    // invalid JSON is reported to the model as the call's result
    return undefined
  }
}

const cutSentences = { length: 'call_invalid.cut', fault: 'call_invalid.cut_early' } as const

/** Matches a call with the tools that were offered, and its arguments with the tool's schema. */
export function prepareCall(tools: readonly Tool[], call: ModelToolCall): PreparedCall {
  const tool = tools.find(({ name }) => name === call.name)
  const parsed = parseArguments(call.arguments)
  const reject = (problem: Sentence): PreparedCall => ({ call, tool, input: parsed ?? {}, problem })
  if (!tool) {
    const closest = findClosestNames(tools, call.name)
    const names = closest.join(', ')
    return reject(
      names === ''
        ? sayTool('call_invalid.no_tool', { tool: call.name })
        : sayTool('call_invalid.no_tool_similar', { tool: call.name, names }),
    )
  }
  if (call.cutBy) return reject(sayTool(cutSentences[call.cutBy]))
  if (!parsed) return reject(sayTool('call_invalid.not_json'))
  if (isTooLong(call)) return reject(sayTool('call_invalid.too_long', { max: maxArgumentsBytes }))
  const checked = tool.parameters.check(parsed)
  if ('problem' in checked) return reject(sayTool('call_invalid.schema', { problem: checked.problem }))
  return { call, tool, input: checked.input, problem: undefined }
}

/** Completes the arguments of a call that the model has made, if its tool does that. */
export async function completeCall(prepared: PreparedCall): Promise<PreparedCall> {
  const { tool, input, problem } = prepared
  if (!tool?.complete || problem !== undefined) return prepared
  try {
    return { ...prepared, input: await tool.complete(input) }
  } catch (error) {
    return { ...prepared, problem: sayFailure(error, false)[0] ?? sayTool('call_failed') }
  }
}

/** Of an error for the model: it may have an address that the user has to open. */
const maxErrorCharacters = 2_500

/** A time limit that begins anew whenever it is extended. */
function startDeadline(ms: number) {
  const controller = new AbortController()
  const onTime = () => controller.abort(new DOMException('The call took too long.', 'TimeoutError'))
  let timer = setTimeout(onTime, ms)
  return {
    signal: controller.signal,
    extend: () => {
      clearTimeout(timer)
      timer = setTimeout(onTime, ms)
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Runs one prepared call within its tool's time, which begins anew when its server reports progress. Throws nothing but ReconnectRequired,
 * InputRequired and TaskUnfinished: every other failure is a result.
 */
export async function runTool(
  { tool, input, problem, history }: PreparedCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (!tool || problem !== undefined) return toFailure(problem ?? sayTool('call_invalid.unknown'))
  const deadline = startDeadline(tool.timeoutMs)
  try {
    const rich: RichContent = { files: [], links: [] }
    const result = await tool.run(
      input,
      AbortSignal.any([signal, deadline.signal]),
      history,
      rich,
      deadline.extend,
    )
    const { data, sentences } = takeSentences(result)
    return {
      success: true,
      ...(sentences.length > 0 && { sentences }),
      data: tool.toStoredResult ? tool.toStoredResult(data) : data,
      ...((rich.isStructured || rich.files.length + rich.links.length > 0 || tool.appUri !== undefined) && {
        rich,
      }),
      forModel: [formatResultData(data), rich.furtherText ?? [], rich.oddities ?? []].flat().join('\n'),
    }
  } catch (error) {
    if (isReconnectRequired(error) || error instanceof InputRequired || error instanceof TaskUnfinished)
      throw error
    if (deadline.signal.aborted)
      return toFailure([
        sayTool('tool_late', { seconds: tool.timeoutMs / 1000 }),
        ...(tool.writes ? [mayBeDone] : []),
      ])
    // what a call that was broken off says is not why it failed
    return toFailure(signal.aborted ? sayTool('call_failed') : sayFailure(error, tool.writes))
  } finally {
    deadline.stop()
  }
}

/** What the page shows of a call besides name and arguments. */
export const toActivity = ({ tool }: Pick<PreparedCall, 'tool'>): Activity => ({
  kind: tool?.activity ?? 'other',
  ...(tool?.title !== undefined && { title: tool.title }),
  ...(tool?.integration && { integration: tool.integration.name }),
})

/** Builds the definition of a tool for a request to the model. */
export const toModelTool = ({
  name,
  description,
  serverNote,
  parameters,
  definitionFingerprint,
}: Tool): ModelTool => ({
  type: 'function',
  ...(definitionFingerprint !== undefined && { isForeign: true }),
  function: {
    name,
    description: serverNote === undefined ? description : `${description}\n\n${serverNote}`,
    parameters: parameters.schema,
  },
})
