import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Tool } from '../../tools/tool.ts'
import type { Progress } from '../progress.ts'
import type { PromptMessage } from './prompt.ts'

/** Tools of the product whose results contain nothing from outside. */
const trustedTools = ['remember', 'forget', 'generate_image']

const isUntrusted = ({ tool, integration }: ToolCall) =>
  integration !== undefined || !trustedTools.includes(tool)

/**
 * Whether the model has read anything in this conversation that neither the user nor the product wrote: files, results of tools, web
 * pages, or what servers say about their tools. Any of it could tell the model to call a tool, at once or in a later turn.
 * @param tools those that the model is offered
 * @param progress of the reply so far
 * @param hasSummary the prompt has a summary of earlier messages, which may quote some
 */
export const hasUntrustedContent = ({
  history,
  tools,
  progress,
  hasSummary,
}: {
  history: readonly PromptMessage[]
  tools: readonly Pick<Tool, 'serverHints'>[]
  progress: Pick<Progress, 'toolCalls' | 'sources'>
  hasSummary: boolean
}): boolean =>
  hasSummary ||
  progress.sources.length > 0 ||
  progress.toolCalls.some(isUntrusted) ||
  tools.some(({ serverHints }) => serverHints !== undefined) ||
  history.some(
    ({ role, attachments = [], sources = [], tool_calls: calls = [] }) =>
      (role === 'user' && attachments.length > 0) || sources.length > 0 || calls.some(isUntrusted),
  )
