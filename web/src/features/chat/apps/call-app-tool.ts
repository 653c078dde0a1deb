import { t } from '@lingui/core/macro'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { getErrorMessage } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { AppConversation } from './app-context.ts'
import type { AppDecision, AppQuestion } from './app-question-card.tsx'

/** Longer than the timeout of the server, which is 29 s. */
const timeoutMs = 35_000

interface AppToolCall {
  mcpId: string
  context: AppConversation
  name: string
  args: Record<string, unknown>
}

/**
 * Sends a call of an app to the server, which says whether the user has to approve it first.
 * @param ask asks the user; resolves to undefined if they cannot be asked now, or the app has withdrawn the call
 * @returns the result for the app; a failure if the call was not made, with the reason
 */
export async function callAppTool(
  { mcpId, context: { conversation, isTemporary }, name, args }: AppToolCall,
  ask: (question: AppQuestion) => Promise<AppDecision | undefined>,
): Promise<ToolCall['result']> {
  // read for each call: the user may have turned tools off since the app was opened
  const { disabledTools } = conversation.getState()
  const body = {
    mcp_id: mcpId,
    name,
    arguments: args,
    disabledTools: [...disabledTools],
    ...(isTemporary ? { keep: false } : { session_id: conversation.id }),
  }
  const send = async (decision?: AppDecision & { fingerprint: string }) =>
    callApi('apps.call', { body: { ...body, ...(decision && { decision }) } }, { timeoutMs })
  try {
    let response = await send()
    if (response.approval) {
      const { approval } = response
      const decision = await ask({ kind: 'call', approval })
      if (!decision)
        return toFailure(
          t`Not done: another request of this app waits for the user, or this one was withdrawn.`,
        )
      response = await send({ ...decision, fingerprint: approval.fingerprint })
    }
    // the definition of the tool has changed: it would need another approval
    return response.result ?? toFailure(t`Not done: the tool has changed meanwhile. Try again.`)
  } catch (error) {
    return toFailure(getErrorMessage(error))
  }
}

const toFailure = (error: string) => ({ success: false, error })
