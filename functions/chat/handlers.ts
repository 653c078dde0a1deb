import { chatContracts } from '#shared/contracts/chat.ts'
import { speechContracts } from '#shared/contracts/speech.ts'
import { runsContracts } from '#shared/contracts/runs.ts'
import { toPublicModels } from '#shared/models.ts'
import { dictationHoursPerDay, eventStreamsAtOnce } from '../platform/limits.ts'
import { apiFunction, type ValidRequest } from '../platform/http/api-function.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { dailyBudget } from '../platform/http/rate-limit.ts'
import { toModelLimits } from '../platform/group-limits.ts'
import { openSlots } from '../platform/dynamodb/open-slots.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { RunNotFound } from '../conversations/store/errors.ts'
import { acquireStream, respond, streamRun } from '../conversations/replies/reply-response.ts'
import { TooManyEventStreams } from './errors.ts'
import type { Reservation } from './reply-budget.ts'
import type { ReplyDeps } from './reply.ts'
import {
  deps,
  groupLimits,
  loadModels,
  loadSiteSettings,
  openReplyDeps,
  openReservation,
  readKey,
  countIn,
  scaleLimit,
  serverSettings,
  stores,
  table,
  transcriptionModelId,
} from './reply-services.ts'
import { sendMessage } from './send-message.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'
import { estimateTextTokens } from '../models/token-estimate.ts'

const streams = openSlots(table, {
  name: 'streams',
  max: scaleLimit(eventStreamsAtOnce),
  limitError: () => new TooManyEventStreams('too many streams are open'),
})

type ReplyCall = ValidRequest<'chat.send'> | ValidRequest<'runs.answer'>

/** Wraps a handler that may begin a reply, within the budgets of its user and of everybody together. */
const withReplyBudget =
  <Call extends ReplyCall, Result>(
    handle: (call: Call, allowedDeps: ReplyDeps & { reservation: Reservation }) => Promise<Result>,
  ) =>
  async (call: Call): Promise<Result> => {
    const allowedDeps = await openReplyDeps(call, {
      messageTokens: estimateRequestTokens(call),
      continues: isContinuation(call),
    })
    try {
      return await handle(call, allowedDeps)
    } finally {
      await allowedDeps.reservation.release()
    }
  }

/** Whether a request continues a reply that another one began. */
const isContinuation = ({ body }: ReplyCall) => !('messages' in body) || body.continues === true

/** Estimates the tokens of the messages to reply to: all of them if nothing is stored, else the last one. */
function estimateRequestTokens({ body }: ReplyCall): number {
  if (!('messages' in body)) return 0
  const messages = body.sessionId === undefined ? body.messages : body.messages.slice(-1)
  return messages.reduce((sum, { content }) => sum + estimateTextTokens(content), 0)
}

const loadWaitingTasks = () => import('./waiting-tasks.ts')

export const handler = apiFunction(
  'chat',
  { ...chatContracts, ...runsContracts, ...speechContracts },
  {
    'chat.send': withReplyBudget(async (call: ValidRequest<'chat.send'>, allowedDeps) =>
      respond(call, { stores, streams }, await sendMessage(call, { ...allowedDeps, stores, readKey })),
    ),

    'runs.events': async (call) => {
      const acquiring = acquireStream(streams, call)
      try {
        const [run, slot] = await waitForAll([
          stores.runs.find(call.user.sub, call.params.sessionId),
          acquiring,
        ])
        if (!run) throw new RunNotFound(`no run in ${call.params.sessionId}`)
        return streamRun(call, stores, run, slot)
      } catch (error) {
        await acquiring.then(
          ({ release }) => release(),
          () => undefined,
        )
        throw error
      }
    },

    'runs.stop': async ({ user, params, body }) => {
      const run = await stopRun(stores, {
        sub: user.sub,
        sessionId: params.sessionId,
        runId: body.runId,
        onWaitingStopped: async (stopped) => (await loadWaitingTasks()).endPendingCalls(deps, stopped),
      })
      return { success: true as const, run }
    },

    'runs.answer': withReplyBudget(async (call: ValidRequest<'runs.answer'>, allowedDeps) => {
      const { submitDecision } = await import('./submit-decision.ts')
      return respond(call, { stores, streams }, await submitDecision(call, { ...allowedDeps, stores }))
    }),

    'speech.transcribe': async (call) => {
      // loaded on demand: most calls are replies
      const { transcribe, DictationUsedUp } = await import('./transcribe-audio.ts')
      // it is no reply of its own
      const { limits, site, reservation } = await openReservation(call, { messageTokens: 0, continues: true })
      const pricedModelsOnly = toModelLimits(limits, site).priced_models_only ?? false
      const settings = { ...serverSettings, model: transcriptionModelId }
      const dictation = dailyBudget('dictation', dictationHoursPerDay * 3_600, DictationUsedUp)
      const countSeconds = (seconds: number) => countIn(call.user.sub, dictation, seconds)
      return transcribe(call.file, { ...settings, reservation, pricedModelsOnly, countSeconds })
    },

    'models.list': async ({ user }) => {
      const [{ restrictTo, findDefault }, site, limits] = await Promise.all([
        loadModels(),
        loadSiteSettings(),
        groupLimits.find(user),
      ])
      // administrators choose among all for the site and for others
      const isAdmin = user.groups.includes(adminGroup)
      const { allowed: models } = restrictTo(isAdmin ? {} : toModelLimits(limits, site))
      const { id: siteDefault } = findDefault(site.defaultModel)
      const { id: defaultId } = models.find(({ id }) => id === siteDefault) ??
        models[0] ?? { id: siteDefault }
      return { models: toPublicModels({ models, defaultId }) }
    },

    'runs.checkTask': async (call) => {
      const { tools: toolsAllowed } = await groupLimits.find(call.user)
      const { checkTask } = await loadWaitingTasks()
      return checkTask(call, { ...deps, stores, toolsAllowed })
    },
  },
  { selfGuarded: ['chat.send', 'runs.answer'], table },
)
