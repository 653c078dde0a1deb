import * as z from 'zod'
import type { ModelTool, ModelToolCall } from './model.ts'
import { capResult, type Tool } from './tools.ts'

/** What a call came to; the model reads errors as results and can put them right. */
export type ToolOutcome = { forModel: string } & (
  { success: true; data: unknown } | { success: false; error: string }
)

interface PreparedCall {
  call: ModelToolCall
  tool: Tool | undefined
  input: Record<string, unknown>
  /** why the call cannot run as the model wrote it */
  problem: string | undefined
}

const failed = (error: string): ToolOutcome => ({ success: false, error, forModel: `Error: ${error}` })

function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    // the model wrote no JSON: told to it as the call's result
    return undefined
  }
}

/** The call matched with what was really offered, and its arguments with the tool's schema. */
export function offered(tools: readonly Tool[], call: ModelToolCall): Omit<PreparedCall, 'call'> {
  const tool = tools.find(({ name }) => name === call.name)
  const written = parseArguments(call.arguments)
  if (!tool) return { tool: undefined, input: written ?? {}, problem: `There is no tool named ${call.name}.` }
  if (!written) return { tool: undefined, input: {}, problem: 'The arguments are not a JSON object.' }
  const parsed = tool.parameters.safeParse(written)
  if (parsed.success) return { tool, input: parsed.data, problem: undefined }
  const problem = `The arguments do not fit: ${z.prettifyError(parsed.error).slice(0, 500)}`
  return { tool: undefined, input: written, problem }
}

/** Runs one prepared call within its tool's time. Never throws: a failure is a result. */
export async function runTool(
  { tool, input, problem }: PreparedCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (!tool) return failed(problem ?? 'This call cannot run.')
  const deadline = AbortSignal.timeout(tool.timeoutMs)
  try {
    const data = await tool.run(input, AbortSignal.any([signal, deadline]))
    return { success: true, data: tool.kept ? tool.kept(data) : data, forModel: capResult(data) }
  } catch (error) {
    if (deadline.aborted) return failed(`No answer within ${tool.timeoutMs / 1000} seconds.`)
    return failed(error instanceof Error ? error.message.slice(0, 500) : 'The call failed.')
  }
}

/** The tool as the model is offered it. */
export const asModelTool = ({ name, description, parameters }: Tool): ModelTool => ({
  type: 'function',
  function: { name, description, parameters: z.toJSONSchema(parameters) as Record<string, unknown> },
})
