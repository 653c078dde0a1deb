import { adminGroup } from '#shared/user-pool.ts'
import { deleteTurnFiles } from '../files/delete-turn-files.ts'
import type { User } from '../platform/auth/access-token.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { explainToAdministrator } from './administrator-errors.ts'
import type { ModelChoice } from './model/model-list.ts'
import { addNotice } from './progress.ts'
import { limitContext } from './prompt/context-limits.ts'
import { findUserMessage } from './prompt/prompt.ts'
import type { Reply, ReplyDeps } from './reply.ts'
import { endPendingCalls } from './waiting-tasks.ts'

/** The code of prompts is loaded beside the other work of the start. */
const loadingPrompt = import('./prompt/load-prompt.ts')

/** What a reply begins with. */
type ReplyStart = Pick<
  Reply,
  | 'sub'
  | 'user'
  | 'isSaved'
  | 'sessionId'
  | 'projectId'
  | 'history'
  | 'startDate'
  | 'summaryStore'
  | 'titleStore'
  | 'hints'
  | 'disabledTools'
  | 'spending'
  | 'events'
  | 'progress'
  | 'continues'
  | 'decidedCalls'
> & { hasEarlier?: boolean; choice: ModelChoice }

export function openReply(
  call: Pick<ValidRequest<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'> & {
    user: Pick<User, 'sub' | 'issuedAt' | 'groups'>
  },
  deps: ReplyDeps,
  { choice, ...start }: ReplyStart,
): Reply {
  const { model, effort, notice } = choice
  if (notice) addNotice(start, notice)
  const { requestId, receivedAtMs, remainingMs, log } = call
  const { sub, isSaved, history, events, progress } = start
  const ledgerWrites: Promise<void>[] = []
  const reply: Reply = {
    hasEarlier: false,
    ...start,
    model: call.user.groups.includes(adminGroup)
      ? explainToAdministrator(deps.models.open(model), model.id)
      : deps.models.open(model),
    modelName: model.id,
    contextTokens: model.contextTokens,
    contextLimits: limitContext(model),
    price: model.price,
    // a server of Chat Completions searches unasked: then its price is known
    mayBillSearches: model.webSearch === true || model.price?.webSearch !== undefined,
    ...(effort !== undefined && { effort }),
    requestId,
    receivedAtMs: progress.roundMessages.length === 0 ? receivedAtMs : undefined,
    remainingMs,
    log,

    prepare: async () => (await loadingPrompt).loadPrompt(deps, reply),

    onCall({ tool, input }, outcome, permission) {
      if (!tool) return
      const { success, forModel } = outcome
      if (permission !== 'denied') measure({ FailedToolCalls: success ? 0 : 1 }, { requestId })
      const error = outcome.success ? undefined : outcome.error
      ledgerWrites.push(
        deps.toolProvider.record(
          sub,
          { tool, input, success, error, resultSize: forModel.length, permission },
          isSaved,
        ),
      )
    },

    endPendingCalls: (pending) => endPendingCalls(deps, { sub, pending: [...pending], isSaved }),

    waitForLedger: async () => {
      await Promise.all(ledgerWrites)
    },

    async updateSummary() {
      const { firstTurn } = progress
      if (firstTurn === undefined) return
      try {
        await reply.summaryStore?.update({ ...reply, firstTurn })
      } catch (error) {
        // the next reply tries again; until then it goes without
        log.warn('a conversation could not be summarised', { error })
      }
    },

    async updateTitle() {
      const { titleStore } = reply
      const isFirst = !reply.hasEarlier && history.every(({ role }) => role === 'user')
      if (!deps.writesTitles || !titleStore || !isFirst) return
      try {
        const { writeTitle } = await import('./conversation-title.ts')
        await writeTitle(titleStore, deps.models, reply)
      } catch (error) {
        // the first words of the message stay
        log.warn('a title could not be written', { error })
      }
    },

    deleteFiles() {
      const messageFiles = findUserMessage(history)?.attachments ?? []
      const own = [...messageFiles.filter(({ isInUse }) => !isInUse), ...events.reply.attachments]
      const ids = own.map(({ id }) => id)
      // only stateless replies delete their files here: the setting alone decides
      return deleteTurnFiles(deps, sub, { isSaved: true, sessionId: undefined, ids, mayRetry: false })
    },

    isUserDisabledOrErased: () => deps.wasDisabled(call.user),
  }
  return reply
}
